//! Remembers what was found about positions, so that another way to one need not be searched again.
//!
//! A fixed number of buckets of four entries; a position belongs to one bucket. What is new takes the place of what is
//! known of the same position, else of what is old, else of the shallowest. One searcher has one table: nothing is
//! shared, so that the same search finds the same every time.

use crate::engine::Score;
use crate::position::Position;
use crate::rules::Rules;

/// What a score found in the table means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The score, or better.
    Lower,
    /// The score, or worse.
    Upper,
    /// The score.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// Seen from the position itself.
    pub(super) score: Score,
    /// Place of the best move in the list of legal moves; [`Entry::NO_MOVE`] where there is none.
    pub(super) best: u8,
    /// Plies looked ahead, plus one; 0 marks an entry without content.
    depth: u8,
    pub(super) bound: Bound,
    generation: u8,
}

impl Entry {
    pub(super) const NO_MOVE: u8 = u8::MAX;

    const EMPTY: Entry =
        Entry { key: 0, score: Score::DRAW, best: Entry::NO_MOVE, depth: 0, bound: Bound::Upper, generation: 0 };

    /// Plies looked ahead.
    #[inline]
    pub(super) fn depth(&self) -> i32 {
        i32::from(self.depth) - 1
    }
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

/// A table of fixed size.
pub(super) struct Transpositions {
    /// A power of two.
    buckets: Box<[Bucket]>,
    generation: u8,
}

impl Transpositions {
    /// A table of at most `bytes` bytes, and one bucket at least.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Bucket>()).max(1);
        let count = 1 << most.ilog2();
        Transpositions { buckets: vec![Bucket([Entry::EMPTY; 4]); count].into_boxed_slice(), generation: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket([Entry::EMPTY; 4]));
        self.generation = 0;
    }

    /// From now on, what is there is old: it is still found, and replaced first.
    pub(super) fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.buckets[self.place(key)].0.iter().find(|entry| entry.key == key && entry.depth > 0).copied()
    }

    /// Keeps what was found by looking `depth` plies ahead, at least 0.
    #[inline]
    pub(super) fn put(&mut self, key: u64, depth: i32, score: Score, bound: Bound, best: u8) {
        let generation = self.generation;
        let place = self.place(key);
        let entries = &mut self.buckets[place].0;
        let worth = |entry: &Entry| {
            let worth = 1 + u32::from(entry.depth) + 256 * u32::from(entry.generation == generation);
            if entry.key == key { 0 } else { worth }
        };
        // The place joins the worth in one number, so that the least is found without a branch.
        let least = (0..4).map(|i| worth(&entries[i as usize]) << 2 | i).fold(u32::MAX, u32::min);
        let depth = depth.clamp(0, 254) as u8 + 1;
        entries[(least & 3) as usize] = Entry { key, score, best, depth, bound, generation };
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }
}

impl std::fmt::Debug for Transpositions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transpositions").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

/// A number for `position`, the same whichever colour is to move: the board is seen by the mover.
///
/// Made from the three sets as a whole, by multiplications and shifts: a table of random numbers a square would be read
/// once for every piece, since the board is turned with every move.
#[inline]
pub(super) fn key_of<R: Rules>(position: &Position<R>) -> u64 {
    let a = position.ours().bits().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let b = position.theirs().bits().wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    let c = position.kings().bits().wrapping_mul(0x1656_67B1_9E37_79F9);
    mix(a ^ b.rotate_left(23) ^ c.rotate_left(47))
}

/// Spreads every bit of `x` over all bits; a bijection.
#[inline]
pub(super) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{International, Turkish};
    use std::collections::HashMap;

    #[test]
    fn positions_of_a_game_tree_have_different_keys() {
        fn all<R: Rules>(depth: u32) {
            let mut seen = HashMap::new();
            let mut level = vec![Position::<R>::start()];
            for _ in 0..depth {
                level = level.iter().flat_map(|p| p.moves().into_iter().map(|mv| p.play(&mv))).collect();
                for position in &level {
                    let other = *seen.entry(key_of(position)).or_insert(*position);
                    assert_eq!(other, *position, "two positions share a key");
                }
            }
            assert!(seen.len() > 1000);
        }
        all::<International>(5);
        all::<Turkish>(4);
    }

    #[test]
    fn what_is_put_is_found_until_something_deeper_needs_its_place() {
        let mut table = Transpositions::new(64);
        for key in 1..=4 {
            table.put(key, key as i32, Score::guess(key as i32), Bound::Exact, 0);
        }
        assert_eq!(table.get(3).map(|entry| (entry.depth(), entry.score)), Some((3, Score::guess(3))));
        assert!(table.get(9).is_none());
        table.put(9, 7, Score::DRAW, Bound::Lower, 2);
        assert!(table.get(1).is_none(), "the shallowest made room");
        table.age();
        table.put(2, 1, Score::guess(5), Bound::Upper, 1);
        table.put(10, 0, Score::DRAW, Bound::Exact, 1);
        assert!(table.get(2).is_some() && table.get(3).is_none(), "old ones make room first");
        table.clear();
        assert!((0..20).all(|key| table.get(key).is_none()));
    }
}
