//! Decoded blocks, shared by threads.
//!
//! The cache is a row of slots, each with a lock of its own, and a table remembers for every block the slot it was last
//! put into. That is a hint: the slot says which block it holds, and a wrong hint is a miss. So a hit costs the read
//! side of one lock that no other block shares, and no search. Only misses, which decode a block and so take a thousand
//! times as long, meet at one lock, after decoding, to make room: by the clock rule, where the hand goes round, spares
//! a block that was read since it last came by, and takes the first that was not.
//!
//! Blocks stay packed as they were before compression, some 13 kB for 65536 values of win, draw, loss. A block is known
//! by the content of its table, not by the table's address or name, so tables can be closed, opened again and replaced
//! at will. Two threads that miss the same block at once both decode it, and one copy goes unused until it leaves.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};

use crate::table::block::BlockDecoder;
use crate::table::error::TableError;

/// The bytes of cache for which there is one slot: less than a block of the usual size, so that bytes run out before
/// slots do. A slot takes 64 bytes itself, on top of the cache's own.
const BYTES_PER_SLOT: usize = 1 << 13;

/// A bounded store of decoded blocks; share one among all tables and threads.
pub struct BlockCache {
    slots: Box<[Slot]>,
    clock: Mutex<Clock>,
    /// How many bytes the blocks may have together.
    limit: usize,
    /// Decoders at rest: as many as ever worked at once.
    decoders: Mutex<Vec<BlockDecoder>>,
    misses: AtomicU64,
}

/// Where a block was last seen in a cache.
#[derive(Debug, Default)]
pub(super) struct Hint(AtomicU32);

/// Names a block: the table by its content, and the number of the block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockKey {
    pub(super) table: u64,
    pub(super) number: u64,
}

/// Aligned so that threads reading different blocks share no line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Slot(RwLock<Option<Entry>>);

struct Entry {
    key: BlockKey,
    packed: Box<[u8]>,
    /// Whether it was read since the hand came by.
    read: AtomicBool,
}

#[derive(Default)]
struct Clock {
    /// The slot to be looked at next.
    hand: usize,
    /// The bytes of all blocks.
    bytes: usize,
}

impl BlockCache {
    /// A cache that holds at most `bytes` bytes of decoded blocks. With 0 every probe decodes its block.
    #[must_use]
    pub fn new(bytes: usize) -> BlockCache {
        // A hint has 32 bits, enough for 16 TB.
        let slots = bytes.div_ceil(BYTES_PER_SLOT).min(u32::MAX as usize);
        BlockCache {
            slots: (0..slots).map(|_| Slot::default()).collect(),
            clock: Mutex::default(),
            limit: bytes,
            decoders: Mutex::default(),
            misses: AtomicU64::new(0),
        }
    }

    /// How many bytes of decoded blocks the cache holds now.
    ///
    /// # Panics
    /// Never: nothing done under its locks panics.
    #[must_use]
    pub fn len_bytes(&self) -> usize {
        self.clock.lock().expect(NO_PANIC).bytes
    }

    /// How many blocks had to be decoded since the cache was made.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    /// What `read` returns for the packed symbols of a block, which `decode` makes where the cache does not hold it.
    #[inline]
    pub(super) fn read<T>(
        &self,
        key: BlockKey,
        hint: &Hint,
        read: impl Fn(&[u8]) -> T,
        decode: impl FnOnce(&mut BlockDecoder) -> Result<Box<[u8]>, TableError>,
    ) -> Result<T, TableError> {
        if let Some(result) = self.read_if_held(key, hint, &read) {
            return Ok(result);
        }
        self.read_missing(key, hint, read, decode)
    }

    /// What `read` returns for the packed symbols of a block, or `None` where the cache does not hold it.
    #[inline]
    pub(super) fn read_if_held<T>(&self, key: BlockKey, hint: &Hint, read: impl Fn(&[u8]) -> T) -> Option<T> {
        let slot = self.slots.get(hint.0.load(Ordering::Relaxed) as usize)?;
        match &*slot.0.read().expect(NO_PANIC) {
            Some(entry) if entry.key == key => {
                // Written only once a round, so that threads reading the same block seldom write.
                if !entry.read.load(Ordering::Relaxed) {
                    entry.read.store(true, Ordering::Relaxed);
                }
                Some(read(&entry.packed))
            }
            _ => None,
        }
    }

    #[cold]
    fn read_missing<T>(
        &self,
        key: BlockKey,
        hint: &Hint,
        read: impl Fn(&[u8]) -> T,
        decode: impl FnOnce(&mut BlockDecoder) -> Result<Box<[u8]>, TableError>,
    ) -> Result<T, TableError> {
        self.misses.fetch_add(1, Ordering::Relaxed);
        let mut decoder = self.decoders.lock().expect(NO_PANIC).pop().unwrap_or_else(BlockDecoder::new);
        let packed = decode(&mut decoder);
        self.decoders.lock().expect(NO_PANIC).push(decoder);
        let packed = packed?;
        let result = read(&packed);
        if packed.len() <= self.limit {
            let slot = self.insert(Entry { key, packed, read: AtomicBool::new(false) });
            hint.0.store(slot as u32, Ordering::Relaxed);
        }
        Ok(result)
    }

    /// Takes blocks out until there is a slot and room for a block no larger than the cache; returns the slot.
    fn insert(&self, entry: Entry) -> usize {
        let mut clock = self.clock.lock().expect(NO_PANIC);
        // Ends: after two rounds without a free slot or room, every block has left.
        loop {
            let hand = clock.hand;
            clock.hand = (hand + 1) % self.slots.len();
            let mut slot = self.slots[hand].0.write().expect(NO_PANIC);
            if let Some(old) = &mut *slot {
                if std::mem::take(old.read.get_mut()) {
                    continue;
                }
                clock.bytes -= old.packed.len();
                *slot = None;
            }
            if clock.bytes + entry.packed.len() <= self.limit {
                clock.bytes += entry.packed.len();
                *slot = Some(entry);
                return hand;
            }
        }
    }
}

/// Why a lock is never poisoned.
const NO_PANIC: &str = "nothing done under this lock panics";

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockCache").field("limit", &self.limit).finish_non_exhaustive()
    }
}
