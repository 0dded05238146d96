//! What a thread works with on a block: open positions, news, and news that waits.

use std::sync::Mutex;

use crate::board::Bitboard;
use crate::build::solver::conversions::Advance;
use crate::build::solver::dirty::Dirty;
use crate::build::solver::eyes::Eyes;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::sets::SIDES;
use crate::build::solver::watch::Stopwatch;
use crate::rules::Rules;

/// The working memory of a thread; it is used for one block after the other.
#[derive(Debug)]
pub struct Scratch<R: Rules, L> {
    /// What the thread has spent.
    pub stopwatch: Stopwatch,
    /// What it looks at conversions with.
    pub eyes: Eyes<R, L>,
    /// Those of other threads, where they share a block.
    pub other_eyes: Mutex<Vec<Eyes<R, L>>>,
    /// By side, the moves forward of the men of the placement looked at.
    pub advances: [Vec<Advance>; 2],
    /// By side to move: squares that may still be won.
    pub open: [Vec<Bitboard>; 2],
    /// By side to move: squares that may still be lost, a part of the open ones.
    pub losing: [Vec<Bitboard>; 2],
    /// By side to move: squares that cannot be lost yet, as a conversion loses later. They wait in `again`.
    pub waiting: [Vec<Bitboard>; 2],
    /// By side to move: new losses.
    pub lost: [Dirty; 2],
    /// The losses of the pass before, where this pass must not yet see its own.
    pub lost_before: [Dirty; 2],
    /// By side to move: new wins.
    pub won: [Dirty; 2],
    /// By side to move: positions that may be lost, to be looked at.
    pub candidates: [Dirty; 2],
    /// Wins by conversions, each at the pass that it waits for.
    pub due_won: Buckets,
    /// As `due_won`, for losses.
    pub due_lost: Buckets,
    /// As `due_won`, for positions to look at again.
    pub again: Buckets,
    /// By placement of the block and side, the men's reversible moves.
    pub sidesteps: Vec<[Vec<Sidestep>; 2]>,
}

/// A reversible move of a man within its row.
#[derive(Clone, Copy, Debug)]
pub struct Sidestep {
    /// The square it reaches.
    pub to: Bitboard,
    /// The placement after it, counted in its block.
    pub place: u32,
}

/// News that is due at a later pass.
#[derive(Debug, Default)]
pub struct Buckets {
    /// By plies: side to move, word, squares.
    due: Vec<Vec<(u8, u32, Bitboard)>>,
    /// A bit for each of these that is not empty.
    pending: Vec<u64>,
}

impl Buckets {
    /// Adds news that is due after `plies`.
    pub fn add(&mut self, plies: u16, side: usize, word: usize, mask: Bitboard) {
        let plies = plies as usize;
        if self.due.len() <= plies {
            self.due.resize_with(plies + 1, Vec::new);
            self.pending.resize(plies / 64 + 1, 0);
        }
        self.pending[plies / 64] |= 1 << (plies % 64);
        self.due[plies].push((side as u8, word as u32, mask));
    }

    /// Takes the news that is due after `plies`.
    pub fn take(&mut self, plies: usize) -> Vec<(u8, u32, Bitboard)> {
        match self.pending.get_mut(plies / 64) {
            Some(pending) if *pending >> (plies % 64) & 1 != 0 => {
                *pending ^= 1 << (plies % 64);
                std::mem::take(&mut self.due[plies])
            }
            _ => Vec::new(),
        }
    }

    /// The plies after which the next news is due, `from` or more.
    #[must_use]
    pub fn next(&self, from: usize) -> Option<usize> {
        let (first, rest) = self.pending.get(from / 64..)?.split_first()?;
        let pending = [first >> (from % 64) << (from % 64)].into_iter().chain(rest.iter().copied());
        let (i, bits) = (from / 64..).zip(pending).find(|(_, bits)| *bits != 0)?;
        Some(i * 64 + bits.trailing_zeros() as usize)
    }

    /// Gives an emptied list back, so that its memory is used again.
    pub fn give_back(&mut self, plies: usize, mut list: Vec<(u8, u32, Bitboard)>) {
        if list.capacity() == 0 {
            return;
        }
        list.clear();
        if let Some(place) = self.due.get_mut(plies) {
            *place = list;
        }
    }
}

impl<R: Rules, L: Lanes> Default for Scratch<R, L> {
    fn default() -> Self {
        Scratch {
            stopwatch: Stopwatch::default(),
            eyes: Eyes::default(),
            other_eyes: Mutex::default(),
            advances: Default::default(),
            open: Default::default(),
            losing: Default::default(),
            waiting: Default::default(),
            lost: Default::default(),
            lost_before: Default::default(),
            won: Default::default(),
            candidates: Default::default(),
            due_won: Buckets::default(),
            due_lost: Buckets::default(),
            again: Buckets::default(),
            sidesteps: Vec::new(),
        }
    }
}

impl<R: Rules, L: Lanes> Scratch<R, L> {
    /// Makes room for a block of `words` words a side.
    pub fn resize(&mut self, words: usize) {
        for side in SIDES {
            if self.open[side].len() < words {
                self.open[side].resize(words, Bitboard::EMPTY);
                self.losing[side].resize(words, Bitboard::EMPTY);
                self.waiting[side].resize(if L::TIMED { words } else { 0 }, Bitboard::EMPTY);
            }
            self.lost[side].resize(words);
            self.lost_before[side].resize(words);
            self.won[side].resize(words);
            self.candidates[side].resize(words);
        }
    }
}
