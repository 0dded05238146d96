//! An open table.
//!
//! Opening reads and checks header and directory and nothing else. A block is checked when it is decoded, and a slot
//! comes from the directory (a block of one symbol), from the cache, or from a block decoded for it. Nothing about a
//! file is believed unchecked: whatever byte of it is altered, there is an error or the value is right.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::table::block::BlockDecoder;
use crate::table::cache::{BlockCache, BlockKey, Hint};
use crate::table::error::TableError;
use crate::table::header::Header;
use crate::table::storage::Storage;
use crate::table::writer::{CONSTANT, block_checksum};

/// A table: the symbols of one material of one variant in one metric.
///
/// # Examples
/// ```
/// use endame::table::{BlockCache, BlockEncoder, Coding, FREE, Header, Statistics, Table, table_to_bytes};
/// use endame::value::Metric;
///
/// let header = Header {
///     variant: "english".to_string(),
///     facts_hash: 1,
///     material: "KvK".to_string(),
///     metric: Metric::Wdl,
///     order: 0,
///     positions: 4,
///     slots: 4,
///     block_slots: Coding::Trits.block_slots(),
///     coding: Coding::Trits,
///     level: Coding::Trits.level(4),
///     statistics: Statistics { wins: 2, draws: 2, ..Statistics::default() },
/// };
/// let block = BlockEncoder::new(header.coding, header.level).encode(&mut [1, FREE, 2, 1]);
/// let table = Table::from_bytes(table_to_bytes(&header, [block]))?;
/// assert_eq!(table.symbol(2, &BlockCache::new(1 << 20))?, 2);
/// # Ok::<(), endame::table::TableError>(())
/// ```
pub struct Table {
    storage: Storage,
    header: Header,
    /// Stands for the content of the file: the checksum of header and directory, and with it that of all blocks.
    identity: u64,
    blocks_checksum: u64,
    /// Where the first block begins, in bytes.
    blocks_at: u64,
    blocks: Vec<Place>,
}

/// Where the symbols of a block are.
enum Place {
    Constant(u16),
    /// Checksum and frame: bytes `start..start + length` of the file.
    Compressed {
        start: usize,
        length: u32,
        hint: Hint,
    },
}

impl Table {
    /// Opens the table at `path`, by mapping it into memory; the file is closed again at once.
    ///
    /// The file must not be altered in place while it is open; replaced it may be.
    ///
    /// # Errors
    /// Any [`TableError`] but [`TableError::Foreign`].
    pub fn open(path: &Path) -> Result<Table, TableError> {
        Table::from_storage(Storage::open(path)?)
    }

    /// Opens a table that is in memory.
    ///
    /// # Errors
    /// As for [`Self::open`], without [`TableError::Read`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::from_storage(Storage::Owned(bytes))
    }

    fn from_storage(storage: Storage) -> Result<Table, TableError> {
        let file = storage.bytes();
        let got = file.len() as u64;
        let (header, header_len, blocks_checksum) = Header::from_bytes(file)?;
        let directory_end = header.block_count().saturating_mul(4).saturating_add(header_len as u64);
        let blocks_at = directory_end.saturating_add(8);
        if got < blocks_at {
            return Err(TableError::Truncated { expected: blocks_at, got });
        }
        // Both fit, for the file is as long.
        let (directory_end, blocks_at_byte) = (directory_end as usize, blocks_at as usize);
        let identity = xxh3_64(&file[..directory_end]);
        let expected = u64_at(file, directory_end);
        if identity != expected {
            return Err(TableError::Checksum { what: "header".to_string(), expected, got: identity });
        }

        let mut blocks = Vec::with_capacity((directory_end - header_len) / 4);
        let mut start = blocks_at_byte;
        for (number, entry) in file[header_len..directory_end].chunks_exact(4).enumerate() {
            let entry = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
            let corrupt = |what| TableError::Corrupt { offset: (header_len + 4 * number) as u64, what };
            blocks.push(if entry & CONSTANT == 0 {
                if entry <= 4 {
                    return Err(corrupt(format!("expected a block of more than 4 bytes, got {entry}")));
                }
                start = start.saturating_add(entry as usize);
                Place::Compressed { start: start - entry as usize, length: entry, hint: Hint::default() }
            } else {
                match u16::try_from(entry & !CONSTANT) {
                    Ok(symbol) if symbol <= header.coding.largest_symbol() => Place::Constant(symbol),
                    _ => return Err(corrupt(format!("no symbol of the coding: {:#x}", entry & !CONSTANT))),
                }
            });
        }
        let expected = start as u64;
        match got.cmp(&expected) {
            std::cmp::Ordering::Less => Err(TableError::Truncated { expected, got }),
            std::cmp::Ordering::Greater => Err(TableError::TooLong { expected, got }),
            std::cmp::Ordering::Equal => Ok(Table { storage, header, identity, blocks_checksum, blocks_at, blocks }),
        }
    }

    /// What the table says of itself.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// A number that stands for the content of the file: tables with the same one hold the same.
    #[must_use]
    pub const fn identity(&self) -> u64 {
        self.identity
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.storage.bytes().len() as u64
    }

    /// The number of blocks.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// The symbol in `slot`, in `0..header().slots`. A slot whose mover must capture holds a filler.
    ///
    /// # Errors
    /// [`TableError::Checksum`] or [`TableError::Corrupt`] where the block of the slot is damaged.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    pub fn symbol(&self, slot: u64, cache: &BlockCache) -> Result<u16, TableError> {
        assert!(slot < self.header.slots, "no slot {slot}");
        let number = slot >> self.header.block_slots.trailing_zeros();
        match &self.blocks[number as usize] {
            Place::Constant(symbol) => Ok(*symbol),
            Place::Compressed { hint, .. } => {
                let place = (slot & u64::from(self.header.block_slots - 1)) as usize;
                let coding = self.header.coding;
                let key = BlockKey { table: self.identity, number };
                cache.read(
                    key,
                    hint,
                    |packed| coding.symbol_at(packed, place),
                    |decoder| self.decode_packed(number, decoder),
                )
            }
        }
    }

    /// The symbol in `slot` where that costs no decoding, because `cache` holds its block or all of it is one symbol.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    #[must_use]
    pub fn symbol_if_cached(&self, slot: u64, cache: &BlockCache) -> Option<u16> {
        assert!(slot < self.header.slots, "no slot {slot}");
        let number = slot >> self.header.block_slots.trailing_zeros();
        match &self.blocks[number as usize] {
            Place::Constant(symbol) => Some(*symbol),
            Place::Compressed { hint, .. } => {
                let place = (slot & u64::from(self.header.block_slots - 1)) as usize;
                let key = BlockKey { table: self.identity, number };
                cache.read_if_held(key, hint, |packed| self.header.coding.symbol_at(packed, place))
            }
        }
    }

    /// Decodes block `number`, in `0..block_count()`, replacing what is in `symbols`: one entry a slot of the block.
    ///
    /// # Errors
    /// [`TableError::Checksum`] or [`TableError::Corrupt`] where the block is damaged.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn decode_block(&self, number: u64, symbols: &mut Vec<u16>) -> Result<(), TableError> {
        let slots = self.header.slots_in_block(number);
        match self.blocks[number as usize] {
            Place::Constant(symbol) => {
                symbols.clear();
                symbols.resize(slots, symbol);
            }
            Place::Compressed { .. } => {
                let packed = self.decode_packed(number, &mut BlockDecoder::new())?;
                self.header.coding.unpack(&packed, slots, symbols);
            }
        }
        Ok(())
    }

    /// Checks every byte of the file: the checksum of all blocks, and that each can be decoded.
    ///
    /// # Errors
    /// As for [`Self::decode_block`], for the first block that is damaged.
    pub fn check(&self) -> Result<(), TableError> {
        let mut decoder = BlockDecoder::new();
        for number in 0..self.block_count() {
            if let Place::Compressed { .. } = self.blocks[number as usize] {
                self.decode_packed(number, &mut decoder)?;
            }
        }
        let (expected, got) = (self.blocks_checksum, xxh3_64(&self.storage.bytes()[self.blocks_at as usize..]));
        if expected == got {
            Ok(())
        } else {
            Err(TableError::Checksum { what: "sum of all blocks".to_string(), expected, got })
        }
    }

    /// The packed symbols of a compressed block.
    fn decode_packed(&self, number: u64, decoder: &mut BlockDecoder) -> Result<Box<[u8]>, TableError> {
        let Place::Compressed { start, length, .. } = self.blocks[number as usize] else {
            unreachable!("only compressed blocks are decoded");
        };
        let block = &self.storage.bytes()[start..start + length as usize];
        let (checksum, frame) = block.split_at(4);
        let expected = u32::from_le_bytes([checksum[0], checksum[1], checksum[2], checksum[3]]);
        let got = block_checksum(number, frame);
        if expected != got {
            let what = format!("block {number}");
            return Err(TableError::Checksum { what, expected: expected.into(), got: got.into() });
        }
        let slots = self.header.slots_in_block(number);
        decoder
            .decode(frame, self.header.coding, slots)
            .map_err(|what| TableError::Corrupt { offset: start as u64, what: format!("block {number}: {what}") })
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("header", &self.header).finish_non_exhaustive()
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
