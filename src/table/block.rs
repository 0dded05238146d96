//! Blocks: symbols to compressed bytes and back.
//!
//! A block of one symbol throughout costs nothing but its directory entry. Any other is packed (see [`Coding`]) and
//! compressed as one zstd frame. A block knows neither its number nor its neighbours, so blocks are encoded by many
//! threads, one encoder each, and the bytes do not depend on which thread did what.

use zstd::bulk::{Compressor, Decompressor};

use crate::table::codec::Coding;
use crate::table::fill::{FREE, fill};

/// A block ready to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodedBlock {
    /// One symbol throughout.
    Constant(u16),
    /// A zstd frame.
    Compressed(Vec<u8>),
}

/// Encodes blocks; keep one for each thread.
pub struct BlockEncoder {
    coding: Coding,
    packed: Vec<u8>,
    compressor: Compressor<'static>,
}

impl BlockEncoder {
    /// An encoder for tables of `coding`, at zstd `level` (1 to 22: the higher, the smaller and slower).
    ///
    /// # Panics
    /// If there is no memory for the compressor.
    #[must_use]
    pub fn new(coding: Coding, level: u8) -> BlockEncoder {
        let compressor = Compressor::new(i32::from(level)).expect("zstd clamps any level to one it has");
        BlockEncoder { coding, packed: Vec::new(), compressor }
    }

    /// Encodes the symbols of one block, in order of slots, [`FREE`] where a slot holds nothing.
    ///
    /// Free slots are filled in `symbols` itself, which afterwards holds what a reader will read.
    ///
    /// # Panics
    /// If a symbol is larger than the coding can hold, or the block is empty.
    pub fn encode(&mut self, symbols: &mut [u16]) -> EncodedBlock {
        let largest = self.coding.largest_symbol();
        assert!(symbols.iter().all(|&symbol| symbol <= largest || symbol == FREE), "a symbol exceeds the coding");
        fill(symbols);
        let first = *symbols.first().expect("a block has at least one slot");
        if symbols.iter().all(|&symbol| symbol == first) {
            return EncodedBlock::Constant(first);
        }
        self.coding.pack(symbols, &mut self.packed);
        EncodedBlock::Compressed(self.compressor.compress(&self.packed).expect("the buffer has zstd's own bound"))
    }
}

impl std::fmt::Debug for BlockEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockEncoder").field("coding", &self.coding).finish_non_exhaustive()
    }
}

/// Decompresses and checks blocks; keep one for each thread.
pub(super) struct BlockDecoder(Decompressor<'static>);

impl BlockDecoder {
    pub(super) fn new() -> BlockDecoder {
        BlockDecoder(Decompressor::new().expect("a decompressor without dictionary has nothing to refuse"))
    }

    /// The packed symbols in `frame`, a block of `slots` slots; else what is wrong with it.
    pub(super) fn decode(&mut self, frame: &[u8], coding: Coding, slots: usize) -> Result<Box<[u8]>, String> {
        let expected = coding.packed_len(slots);
        let packed = self.0.decompress(frame, expected).map_err(|error| error.to_string())?;
        if packed.len() != expected {
            return Err(format!("expected {expected} bytes in the block, got {}", packed.len()));
        }
        if let Some(place) = coding.first_foreign(&packed) {
            return Err(format!("byte {place} of the decoded block is no symbol"));
        }
        Ok(packed.into_boxed_slice())
    }
}
