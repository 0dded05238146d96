//! Slots in order, a row at a time, without unranking any of them.
//!
//! A row is a run of slots that differ only in the square of one piece, the *runner*: the first piece of the innermost
//! set. Going on to the next row is, nearly always, one step of one set.

use crate::board::{Bitboard, Geometry};
use crate::index::Indexer;
use crate::index::combination::{first_set, next_set};
use crate::index::slice::Lead;
use crate::rules::Rules;

/// Which piece runs along a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Runner {
    /// A king of the side to move: wherever that side has one.
    OurKing,
    /// A king of the other side: where only that side has kings.
    TheirKing,
    /// A man of the other side: where there are no kings.
    TheirMan,
}

/// A maximal run of slots that differ only in the square of the runner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The men of the side to move.
    pub our_men: Bitboard,
    /// The men of the other side, without the runner.
    pub their_men: Bitboard,
    /// The kings of the other side, without the runner.
    pub their_kings: Bitboard,
    /// The kings of the side to move, without the runner.
    pub our_kings: Bitboard,
    /// Which piece runs.
    pub runner: Runner,
    /// The squares of the runner, one a slot, in the order of the index: free, and before any other piece of its set.
    pub squares: Bitboard,
    /// The slot of the runner's first square.
    pub first_slot: u64,
}

impl Row {
    /// The slot after the last of the row.
    #[must_use]
    pub fn end_slot(&self) -> u64 {
        self.first_slot + u64::from(self.squares.len())
    }
}

/// The sets of a position, outermost first; the last ones may be empty.
const HOME: usize = 0;
const INNER: usize = 1;
const THEIR_MEN: usize = 2;
const THEIR_KINGS: usize = 3;
const OUR_KINGS: usize = 4;

/// The rows of a slice in order of their slots: see [`Indexer::rows_from`].
#[derive(Clone, Debug)]
pub struct Rows<'a, R> {
    indexer: &'a Indexer<R>,
    /// Keys of the five sets, the runner's without the runner.
    sets: [u128; 5],
    /// Keys of the squares on which each set can stand, given the sets before it.
    free: [u128; 5],
    /// Pieces of each set, the runner's without the runner.
    counts: [u32; 5],
    runner: Runner,
    /// Rank of the lead set within its group.
    lead_rank: u64,
    /// First slot of the next row.
    slot: u64,
    done: bool,
}

impl<'a, R: Rules> Rows<'a, R> {
    pub(super) fn new(indexer: &'a Indexer<R>, slot: u64) -> Self {
        let position = indexer.from_slot(slot);
        let sequence = indexer.sequence;
        let key = |set: Bitboard| sequence.key(set);
        let (our_men, their_men) = (position.our_men(), position.their_men());
        let (their_kings, our_kings) = (position.their_kings(), position.our_kings());
        let (at_home, inner) = (our_men & Indexer::<R>::HOME, our_men & Indexer::<R>::INNER);
        let (runner, level) = if our_kings.any() {
            (Runner::OurKing, OUR_KINGS)
        } else if their_kings.any() {
            (Runner::TheirKing, THEIR_KINGS)
        } else {
            (Runner::TheirMan, THEIR_MEN)
        };
        let mut rows = Rows {
            indexer,
            sets: [at_home, inner, their_men, their_kings, our_kings].map(key),
            free: [0; 5],
            counts: [at_home, inner, their_men, their_kings, our_kings].map(Bitboard::len),
            runner,
            lead_rank: indexer.rank_lead(&position, &indexer.groups[at_home.len() as usize]),
            slot,
            done: false,
        };
        let running = rows.sets[level] & rows.sets[level].wrapping_neg();
        rows.sets[level] ^= running;
        rows.counts[level] -= 1;
        for level in HOME..=level {
            rows.free[level] = rows.free_at(level);
        }
        rows.slot -= u64::from((rows.free[level] & (running - 1)).count_ones());
        rows
    }

    #[inline]
    const fn level(&self) -> usize {
        match self.runner {
            Runner::OurKing => OUR_KINGS,
            Runner::TheirKing => THEIR_KINGS,
            Runner::TheirMan => THEIR_MEN,
        }
    }

    /// The squares of the set `level`, given the sets before it.
    #[inline]
    fn free_at(&self, level: usize) -> u128 {
        let key = |set: Bitboard| self.indexer.sequence.key(set);
        match level {
            HOME => key(Indexer::<R>::HOME),
            INNER => key(Indexer::<R>::INNER),
            THEIR_MEN => key(Indexer::<R>::THEIR_PLACES) & !self.sets[INNER],
            THEIR_KINGS => key(R::Geometry::BOARD) & !(self.sets[HOME] | self.sets[INNER] | self.sets[THEIR_MEN]),
            _ => self.free[THEIR_KINGS] & !self.sets[THEIR_KINGS],
        }
    }

    /// Takes the step to the next row, from the runner's companions outward.
    #[inline]
    fn advance(&mut self) {
        let level = self.level();
        // The runner needs a square before its companions.
        let free = self.free[level];
        if let Some(next) = next_set(self.sets[level], free & free.wrapping_sub(1)) {
            self.sets[level] = next;
            return;
        }
        if !self.advance_set(level - 1) {
            self.done = true;
            return;
        }
        self.free[level] = self.free_at(level);
        let free = self.free[level];
        self.sets[level] = first_set(free & free.wrapping_sub(1), self.counts[level]);
    }

    /// Takes the set `level` to its next value, those outside it too where it has come to its end; for the lead, to the
    /// next that is kept.
    fn advance_set(&mut self, level: usize) -> bool {
        let is_lead = level
            == match self.indexer.lead {
                Lead::None => usize::MAX,
                Lead::OurMen => INNER,
                Lead::TheirMen => THEIR_MEN,
                Lead::TheirKings => THEIR_KINGS,
            };
        loop {
            if let Some(next) = next_set(self.sets[level], self.free[level]) {
                self.sets[level] = next;
                self.lead_rank += u64::from(is_lead);
            } else if level == HOME {
                if !self.next_group() {
                    return false;
                }
            } else {
                self.lead_rank += u64::from(is_lead);
                if !self.advance_set(level - 1) {
                    return false;
                }
                self.free[level] = self.free_at(level);
                self.sets[level] = first_set(self.free[level], self.counts[level]);
            }
            if !is_lead || self.is_kept() {
                return true;
            }
        }
    }

    fn is_kept(&self) -> bool {
        let group = &self.indexer.groups[self.counts[HOME] as usize];
        group.leads.as_ref().is_none_or(|leads| leads.is_kept(self.lead_rank))
    }

    /// Takes one more of our men to our home row.
    fn next_group(&mut self) -> bool {
        let home = self.counts[HOME] + 1;
        if home as usize == self.indexer.groups.len() {
            return false;
        }
        debug_assert_eq!(self.slot, self.indexer.groups[home as usize].first_slot);
        self.counts[HOME] = home;
        self.counts[INNER] -= 1;
        self.sets[HOME] = first_set(self.free[HOME], home);
        self.lead_rank = 0;
        true
    }
}

impl<R: Rules> Iterator for Rows<'_, R> {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        if self.done {
            return None;
        }
        let [at_home, inner, their_men, their_kings, our_kings] = self.sets.map(|key| self.indexer.sequence.set(key));
        let level = self.level();
        let companions = self.sets[level];
        let before = (companions & companions.wrapping_neg()).wrapping_sub(1);
        let row = Row {
            our_men: at_home | inner,
            their_men,
            their_kings,
            our_kings,
            runner: self.runner,
            squares: self.indexer.sequence.set(self.free[level] & before),
            first_slot: self.slot,
        };
        self.slot = row.end_slot();
        self.advance();
        Some(row)
    }
}
