//! Decoded blocks, shared by threads.
//!
//! The cache is split into shards by a hash of the block, each with a lock of its own, and a hit takes only the read
//! side of one lock: threads meet only where they write. Blocks stay packed as they were before compression, some 13 kB
//! for 65536 values of win, draw, loss. When a shard is full, blocks leave by the clock rule: the hand goes round, spares
//! a block that was read since it last came by, and takes the first that was not.
//!
//! A block is known by the content of its table, not by the table's address or name, so tables can be closed, opened
//! again and replaced at will. Two threads that miss the same block at once both decode it; the result is the same.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};

use crate::table::block::BlockDecoder;
use crate::table::error::TableError;

/// What one block costs beyond its bytes, roughly: its places in the two collections of a shard.
const BLOCK_OVERHEAD: usize = 96;
/// A shard smaller than this could not hold a few dozen blocks, so a small cache has fewer shards.
const LEAST_SHARD_BYTES: usize = 1 << 20;
/// More shards than threads, so that two threads seldom want the same one.
const MOST_SHARDS: usize = 256;

/// A bounded store of decoded blocks; share one among all tables and threads.
pub struct BlockCache {
    /// A power of two of them.
    shards: Box<[RwLock<Shard>]>,
    /// How many bytes each shard may hold.
    shard_bytes: usize,
    /// Decoders at rest: as many as ever worked at once.
    decoders: Mutex<Vec<BlockDecoder>>,
    misses: AtomicU64,
}

/// Names a block: the table by its content, and the number of the block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockKey {
    pub(super) table: u64,
    pub(super) number: u64,
}

impl BlockKey {
    /// A number that differs in all bits between neighbouring blocks.
    fn mixed(self) -> u64 {
        // The odd number nearest to 2^64 divided by the golden ratio; the table is a checksum, and so mixed already.
        let mixed = (self.table ^ self.number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    }
}

impl Hash for BlockKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed());
    }
}

/// Takes a number that is a hash already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are hashed as one number");
    }

    fn write_u64(&mut self, mixed: u64) {
        self.0 = mixed;
    }
}

#[derive(Default)]
struct Shard {
    /// Where in `entries` a block is.
    places: HashMap<BlockKey, usize, BuildHasherDefault<Mixed>>,
    entries: Vec<Entry>,
    /// The hand of the clock: the entry to be looked at next.
    hand: usize,
    bytes: usize,
}

struct Entry {
    key: BlockKey,
    packed: Box<[u8]>,
    /// Whether it was read since the hand came by.
    read: AtomicBool,
}

impl Entry {
    fn bytes(&self) -> usize {
        self.packed.len() + BLOCK_OVERHEAD
    }
}

impl Shard {
    /// Takes blocks out until there is room for `bytes` more of at most `limit`.
    fn make_room(&mut self, bytes: usize, limit: usize) {
        while self.bytes + bytes > limit && !self.entries.is_empty() {
            self.hand %= self.entries.len();
            if std::mem::take(self.entries[self.hand].read.get_mut()) {
                self.hand += 1;
                continue;
            }
            let gone = self.entries.swap_remove(self.hand);
            self.bytes -= gone.bytes();
            self.places.remove(&gone.key);
            if let Some(moved) = self.entries.get(self.hand) {
                self.places.insert(moved.key, self.hand);
            }
        }
    }
}

impl BlockCache {
    /// A cache that holds at most `bytes` bytes of decoded blocks. With 0 every probe decodes its block.
    #[must_use]
    pub fn new(bytes: usize) -> BlockCache {
        let most = (bytes / LEAST_SHARD_BYTES).clamp(1, MOST_SHARDS);
        let count = 1 << most.ilog2();
        BlockCache {
            shards: (0..count).map(|_| RwLock::default()).collect(),
            shard_bytes: bytes / count,
            decoders: Mutex::default(),
            misses: AtomicU64::new(0),
        }
    }

    /// How many bytes the cache holds now.
    ///
    /// # Panics
    /// If a thread has panicked while it changed the cache.
    #[must_use]
    pub fn len_bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.read().expect(NO_PANIC).bytes).sum()
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
        read: impl Fn(&[u8]) -> T,
        decode: impl FnOnce(&mut BlockDecoder) -> Result<Box<[u8]>, TableError>,
    ) -> Result<T, TableError> {
        // The map uses the low and the topmost bits.
        let shard = &self.shards[(key.mixed() >> 40) as usize & (self.shards.len() - 1)];
        {
            let shard = shard.read().expect(NO_PANIC);
            if let Some(&place) = shard.places.get(&key) {
                let entry = &shard.entries[place];
                // Written only once a round, so that threads reading the same block do not write the same line.
                if !entry.read.load(Ordering::Relaxed) {
                    entry.read.store(true, Ordering::Relaxed);
                }
                return Ok(read(&entry.packed));
            }
        }
        self.decode(shard, key, read, decode)
    }

    #[cold]
    fn decode<T>(
        &self,
        shard: &RwLock<Shard>,
        key: BlockKey,
        read: impl Fn(&[u8]) -> T,
        decode: impl FnOnce(&mut BlockDecoder) -> Result<Box<[u8]>, TableError>,
    ) -> Result<T, TableError> {
        self.misses.fetch_add(1, Ordering::Relaxed);
        let mut decoder = self.decoders.lock().expect(NO_PANIC).pop().unwrap_or_else(BlockDecoder::new);
        let packed = decode(&mut decoder);
        self.decoders.lock().expect(NO_PANIC).push(decoder);
        let packed = packed?;
        let result = read(&packed);
        let entry = Entry { key, packed, read: AtomicBool::new(false) };
        if entry.bytes() <= self.shard_bytes {
            let mut shard = shard.write().expect(NO_PANIC);
            if !shard.places.contains_key(&key) {
                shard.make_room(entry.bytes(), self.shard_bytes);
                shard.bytes += entry.bytes();
                let place = shard.entries.len();
                shard.places.insert(key, place);
                shard.entries.push(entry);
            }
        }
        Ok(result)
    }
}

/// Why a lock is never poisoned.
const NO_PANIC: &str = "nothing done under this lock panics";

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockCache").field("shards", &self.shards.len()).finish_non_exhaustive()
    }
}
