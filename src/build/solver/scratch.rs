//! What a thread works with on a block: open positions, news, and news that waits.

use crate::build::solver::conversions::Advance;
use crate::build::solver::dirty::{Dirty, for_each_dirty};
use crate::build::solver::eyes::Eyes;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::library::Kept;
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
    /// By side, the moves forward of the men of the placement looked at.
    pub advances: [Vec<Advance>; 2],
    /// By side to move: squares that may still be won.
    pub open: [Vec<Kept<R>>; 2],
    /// By side to move: squares that may still be lost, a part of the open ones.
    pub losing: [Vec<Kept<R>>; 2],
    /// By side to move: squares that cannot be lost yet, as a conversion loses later. They wait in `again`.
    pub waiting: [Vec<Kept<R>>; 2],
    /// By side to move: new losses.
    pub lost: [Dirty<R::Geometry>; 2],
    /// The losses of the pass before, where this pass must not yet see its own.
    pub lost_before: [Dirty<R::Geometry>; 2],
    /// By side to move: new wins.
    pub won: [Dirty<R::Geometry>; 2],
    /// By side to move: positions that may be lost, to be looked at.
    pub candidates: [Dirty<R::Geometry>; 2],
    /// Wins by conversions, each at the pass that it waits for.
    pub due_won: Buckets<Kept<R>>,
    /// As `due_won`, for losses.
    pub due_lost: Buckets<Kept<R>>,
    /// As `due_won`, for positions to look at again.
    pub again: Buckets<Kept<R>>,
    /// By placement of the block and side, the men's reversible moves.
    pub sidesteps: Sidesteps<R>,
}

/// By placement of a block and side, the men's reversible moves.
pub type Sidesteps<R> = Vec<[Vec<Sidestep<Kept<R>>>; 2]>;

/// A reversible move of a man within its row.
#[derive(Clone, Copy, Debug)]
pub struct Sidestep<K> {
    /// The square it reaches.
    pub to: K,
    /// The placement after it, counted in its block.
    pub place: u32,
}

/// The side to move, a word and squares of it.
pub type News<K> = (u8, u32, K);

/// News that is due at a later pass.
#[derive(Debug)]
pub struct Buckets<K> {
    /// By plies: side to move, word, squares.
    due: Vec<Vec<News<K>>>,
    /// A bit for each of these that is not empty.
    pending: Vec<u64>,
}

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Buckets { due: Vec::new(), pending: Vec::new() }
    }
}

impl<K> Buckets<K> {
    /// Adds news that is due after `plies`.
    pub fn add(&mut self, plies: u16, side: usize, word: usize, mask: K) {
        let plies = plies as usize;
        if self.due.len() <= plies {
            self.due.resize_with(plies + 1, Vec::new);
            self.pending.resize(plies / 64 + 1, 0);
        }
        self.pending[plies / 64] |= 1 << (plies % 64);
        self.due[plies].push((side as u8, word as u32, mask));
    }

    /// Takes the news that is due after `plies`.
    pub fn take(&mut self, plies: usize) -> Vec<News<K>> {
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

    /// Takes all the news of `others`, whose words begin with `first`.
    pub fn take_all(&mut self, first: usize, others: &mut Buckets<K>) {
        let mut plies = others.next(0);
        while let Some(now) = plies {
            let mut list = others.take(now);
            for (side, word, mask) in list.drain(..) {
                self.add(now as u16, side.into(), first + word as usize, mask);
            }
            others.give_back(now, list);
            plies = others.next(now);
        }
    }

    /// Gives an emptied list back, so that its memory is used again.
    pub fn give_back(&mut self, plies: usize, mut list: Vec<News<K>>) {
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
        let none = Kept::<R>::default;
        for side in SIDES {
            if self.open[side].len() < words {
                self.open[side].resize(words, none());
                self.losing[side].resize(words, none());
                self.lost[side].resize(words);
                self.won[side].resize(words);
                self.candidates[side].resize(words);
                if L::TIMED {
                    self.waiting[side].resize(words, none());
                    self.lost_before[side].resize(words);
                }
            }
        }
    }

    /// Takes what conversions have settled in a part of the block, whose words begin with `first`, from what another
    /// thread has worked with.
    pub fn take_part(&mut self, first: usize, words: usize, part: &mut Scratch<R, L>) {
        for side in SIDES {
            self.open[side][first..first + words].copy_from_slice(&part.open[side][..words]);
            self.losing[side][first..first + words].copy_from_slice(&part.losing[side][..words]);
            if L::TIMED {
                self.waiting[side][first..first + words].copy_from_slice(&part.waiting[side][..words]);
            }
            for_each_dirty!(part.candidates[side], words, |word, mask| {
                self.candidates[side].add(first + word, mask);
            });
            for_each_dirty!(part.lost[side], words, |word, mask| {
                self.lost[side].add(first + word, mask);
            });
        }
        self.due_won.take_all(first, &mut part.due_won);
        self.due_lost.take_all(first, &mut part.due_lost);
        self.again.take_all(first, &mut part.again);
        self.stopwatch.take(&mut part.stopwatch);
    }
}
