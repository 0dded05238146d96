//! Passes over the reversible moves of a block.
//!
//! ```text
//! losses at p:  every candidate none of whose moves escapes: conversions all lose (by p), reversible moves all lead
//!               to positions won already
//! wins at p+1:  every open position with a reversible move to a loss at p
//! candidates:   every position with a reversible move to a win at p+1
//! ```
//!
//! Passes are synchronous, so with distances the pass number *is* the distance: what a conversion settles waits in a
//! bucket for the pass in which it is due. Without distances everything is due at once. Counting to the next
//! conversion, or to a move that resets a count, wins and losses do not alternate, and both of a pass follow from those
//! of the pass before. Where a count is full after so many plies, the passes end there, and what is open is drawn.

use std::ops::Range;

use crate::board::KeptSet;
use crate::build::solver::Unsolved;
use crate::build::solver::block::{BlockSolver, BlockWords, PART_WORDS, SHARED_WORDS};
use crate::build::solver::dirty::{Dirty, for_each_dirty};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::library::Kept;
use crate::build::solver::moves::Here;
use crate::build::solver::scratch::{Scratch, Sidesteps};
use crate::build::solver::sets::SIDES;
use crate::build::threads;
use crate::rules::Rules;

/// Words of a block whose news is gathered by all threads before it is noted; whole groups of marks.
pub const WORDS_AT_A_TIME: usize = 1 << 18;

impl<R: Rules, L: Lanes> BlockSolver<'_, R, L> {
    /// Pushes news over reversible moves until nothing changes.
    pub(super) fn pass(
        &self,
        block: usize,
        words: usize,
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) -> Result<(), Unsolved> {
        let (mut plies, mut passes) = (0u16, 0);
        loop {
            passes += 1;
            scratch.stopwatch.note_passes(passes);
            if plies > self.timing.limit() {
                forget(words, scratch);
                return Ok(());
            }
            if words >= SHARED_WORDS && (self.watch.stopped)() {
                return Err(Unsolved::Stopped);
            }
            if self.is_timed() && plies >= L::LONGEST {
                return Err(Unsolved::TooLong);
            }
            if !self.timing.alternates() {
                // Wins and losses of one pass follow from those of the pass before, not from each other.
                std::mem::swap(&mut scratch.lost, &mut scratch.lost_before);
                self.losses(block, words, plies, scratch, out);
                std::mem::swap(&mut scratch.lost, &mut scratch.lost_before);
                self.wins(block, words, plies, scratch, out);
                std::mem::swap(&mut scratch.lost, &mut scratch.lost_before);
                plies += 1;
            } else {
                self.losses(block, words, plies, scratch, out);
                self.wins(block, words, plies + 1, scratch, out);
                plies += 2;
            }
            self.new_candidates(block, words, scratch);
            let pending = |dirty: &[Dirty<R::Geometry>; 2]| SIDES.iter().any(|&side| !dirty[side].is_clear(words));
            if pending(&scratch.candidates) || pending(&scratch.lost) {
                continue;
            }
            // Nothing happens before the next news that waits for its pass.
            let waiting = [&scratch.due_won, &scratch.due_lost, &scratch.again];
            let Some(next) = waiting.into_iter().filter_map(|buckets| buckets.next(plies.into())).min() else {
                return Ok(());
            };
            plies = if self.timing.alternates() { next as u16 & !1 } else { next as u16 };
        }
    }

    /// Losses at `plies`.
    fn losses(
        &self,
        block: usize,
        words: usize,
        plies: u16,
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) {
        if self.is_timed() {
            let again = scratch.again.take(plies as usize);
            for &(side, word, mask) in &again {
                let (side, word) = (side as usize, word as usize);
                scratch.waiting[side][word] = scratch.waiting[side][word].minus(mask);
                scratch.candidates[side].add(word, mask);
            }
            scratch.again.give_back(plies as usize, again);
        }
        for side in SIDES {
            if self.is_shared() {
                let mut candidates = std::mem::take(&mut scratch.candidates[side]);
                for first in (0..words).step_by(WORDS_AT_A_TIME) {
                    let found = candidates.take_shared(first..words.min(first + WORDS_AT_A_TIME), |word, mask| {
                        let lost = self.lost_of(side, block, word, mask, scratch, out);
                        lost.any().then_some((word as u32, lost))
                    });
                    for (word, lost) in found.into_iter().flatten() {
                        self.set_lost(side, word as usize, lost, plies, scratch, out);
                    }
                }
                scratch.candidates[side] = candidates;
            } else {
                for_each_dirty!(scratch.candidates[side], words, |word, mask| {
                    let lost = self.lost_of(side, block, word, mask, scratch, out);
                    if lost.any() {
                        self.set_lost(side, word, lost, plies, scratch, out);
                    }
                });
            }
        }
        if self.is_timed() {
            // Positions whose captures all lose.
            let due = scratch.due_lost.take(plies as usize);
            for &(side, word, mask) in &due {
                self.set_lost(side as usize, word as usize, mask, plies, scratch, out);
            }
            scratch.due_lost.give_back(plies as usize, due);
        }
    }

    /// The squares of a candidate that are lost.
    #[inline(always)]
    fn lost_of(
        &self,
        side: usize,
        block: usize,
        word: usize,
        mask: Kept<R>,
        scratch: &Scratch<R, L>,
        out: &BlockWords<'_, R, L>,
    ) -> Kept<R> {
        let mut mask = mask & scratch.losing[side][word];
        if self.is_timed() {
            mask = mask.minus(scratch.waiting[side][word]);
        }
        if mask.any() { self.without_escape(side, &self.here(block, word), mask, scratch, out) } else { mask }
    }

    #[inline(always)]
    fn set_lost(
        &self,
        side: usize,
        word: usize,
        mask: Kept<R>,
        plies: u16,
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) {
        scratch.open[side][word] = scratch.open[side][word].minus(mask);
        scratch.losing[side][word] = scratch.losing[side][word].minus(mask);
        scratch.lost[side].add(word, mask);
        let stored = self.stored(side, word);
        out.words[stored].add_lost(mask);
        if self.is_timed() {
            out.lanes[stored].set_each(mask.lanes(), plies);
        }
    }

    /// Wins at `plies`: those due, and those by a reversible move to a loss of the pass before.
    fn wins(
        &self,
        block: usize,
        words: usize,
        plies: u16,
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) {
        let ([lost0, lost1], sidesteps) = (&mut scratch.lost, &scratch.sidesteps);
        let ([open0, open1], [losing0, losing1]) = (&mut scratch.open, &mut scratch.losing);
        let [won0, won1] = &mut scratch.won;
        let mut winner0 = Winner { side: 0, plies, open: open0, losing: losing0, won: won0 };
        let mut winner1 = Winner { side: 1, plies, open: open1, losing: losing1, won: won1 };
        if self.is_shared() && words == self.per_side {
            // In a single placement all words of the one side lie before those of the other.
            let (words0, words1) = out.words.split_at_mut(words);
            let (lanes0, lanes1) = out.lanes.split_at_mut(words);
            let mut out0 = BlockWords { words: words0, lanes: lanes0 };
            let mut out1 = BlockWords { words: words1, lanes: lanes1 };
            threads::both(
                &mut || self.wins_of(block, words, lost0, &mut winner1, sidesteps, (words, &mut out1)),
                &mut || self.wins_of(block, words, lost1, &mut winner0, sidesteps, (0, &mut out0)),
            );
        } else {
            self.wins_of(block, words, lost0, &mut winner1, sidesteps, (0, out));
            self.wins_of(block, words, lost1, &mut winner0, sidesteps, (0, out));
        }
        if self.is_timed() {
            let due = scratch.due_won.take(plies as usize);
            for &(side, word, mask) in &due {
                let (side, word) = (side as usize, word as usize);
                let mask = mask.minus(out.words[self.stored(side, word)].won());
                if mask.any() {
                    let (open, losing) = (&mut scratch.open[side][..], &mut scratch.losing[side][..]);
                    let mut winner = Winner { side, plies, open, losing, won: &mut scratch.won[side] };
                    self.set_won(&mut winner, word, mask, (0, out));
                }
            }
            scratch.due_won.give_back(plies as usize, due);
        }
    }

    /// Wins by a reversible move to a loss of `lost`, of the other side. `out` are the words of the block from a `first`
    /// one on, which has all of the winner.
    #[inline]
    fn wins_of(
        &self,
        block: usize,
        words: usize,
        lost: &mut Dirty<R::Geometry>,
        winner: &mut Winner<'_, R>,
        sidesteps: &Sidesteps<R>,
        (first, out): (usize, &mut BlockWords<'_, R, L>),
    ) {
        if words >= SHARED_WORDS && lost.is_dense(words) {
            for begin in (0..words).step_by(WORDS_AT_A_TIME) {
                let range = begin..words.min(begin + WORDS_AT_A_TIME);
                for (word, won) in self.wins_into(block, range, lost, winner, sidesteps).into_iter().flatten() {
                    self.set_won(winner, word as usize, won, (first, out));
                }
            }
            lost.clear(words);
            return;
        }
        for_each_dirty!(lost, words, |word, mask| {
            let here = self.here(block, word);
            if winner.side == 1 {
                let from = self.into(mask, &here) & winner.open[word];
                if from.any() {
                    self.set_won(winner, word, from, (first, out));
                }
            }
            self.neighbours(winner.side, &here, sidesteps, |next, path| {
                let from = mask.minus(path) & winner.open[next];
                if from.any() {
                    self.set_won(winner, next, from, (first, out));
                }
                true
            });
        });
    }

    /// The wins by reversible moves to losses of `lost`, which are in most words, looked for from where those moves begin:
    /// what a word reads is used up sooner than all that it would be told, and threads share the words.
    fn wins_into(
        &self,
        block: usize,
        words: Range<usize>,
        lost: &Dirty<R::Geometry>,
        winner: &Winner<'_, R>,
        sidesteps: &Sidesteps<R>,
    ) -> Vec<Vec<(u32, Kept<R>)>> {
        let look = |word: usize| {
            let open = winner.open[word];
            if !open.any() {
                return None;
            }
            let here = self.here(block, word);
            // Words of pieces on one square are never written, and what is in them is left from other blocks.
            if !here.is_possible() {
                return None;
            }
            let mut won = if winner.side == 1 { self.into(lost.mask(word), &here) } else { Kept::<R>::default() };
            self.neighbours(winner.side, &here, sidesteps, |next, path| {
                won |= lost.mask(next).minus(path);
                open.minus(won).any()
            });
            let won = won & open;
            won.any().then_some((word as u32, won))
        };
        threads::map(words.clone().step_by(PART_WORDS), |first| {
            (first..words.end.min(first + PART_WORDS)).filter_map(look).collect()
        })
    }

    #[inline(always)]
    fn set_won(
        &self,
        winner: &mut Winner<'_, R>,
        word: usize,
        mask: Kept<R>,
        (first, out): (usize, &mut BlockWords<'_, R, L>),
    ) {
        winner.open[word] = winner.open[word].minus(mask);
        winner.losing[word] = winner.losing[word].minus(mask);
        winner.won.add(word, mask);
        let stored = self.stored(winner.side, word) - first;
        out.words[stored].add_won(mask);
        if self.is_timed() {
            out.lanes[stored].set_each(mask.lanes(), winner.plies);
        }
    }

    /// Positions with a reversible move to a new win may be lost.
    fn new_candidates(&self, block: usize, words: usize, scratch: &mut Scratch<R, L>) {
        let ([won0, won1], [candidates0, candidates1]) = (&mut scratch.won, &mut scratch.candidates);
        let ([losing0, losing1], sidesteps) = (&scratch.losing, &scratch.sidesteps);
        let mut first = || self.candidates_from(1, block, words, won0, (losing1, candidates1), sidesteps);
        let mut second = || self.candidates_from(0, block, words, won1, (losing0, candidates0), sidesteps);
        if self.is_shared() {
            threads::both(&mut first, &mut second);
        } else {
            first();
            second();
        }
    }

    /// Positions of `loser` with a reversible move to a win of `won`, of the other side.
    #[inline]
    fn candidates_from(
        &self,
        loser: usize,
        block: usize,
        words: usize,
        won: &mut Dirty<R::Geometry>,
        (losing, candidates): (&[Kept<R>], &mut Dirty<R::Geometry>),
        sidesteps: &Sidesteps<R>,
    ) {
        for_each_dirty!(won, words, |word, mask| {
            let here = self.here(block, word);
            if loser == 1 && losing[word].any() {
                let from = self.into(mask, &here) & losing[word];
                if from.any() {
                    candidates.add(word, from);
                }
            }
            self.neighbours(loser, &here, sidesteps, |next, path| {
                let from = mask.minus(path) & losing[next];
                if from.any() {
                    candidates.add(next, from);
                }
                true
            });
        });
    }

    /// The squares of `mask` for which every reversible move of `side` leads to a position won by the other.
    #[inline]
    fn without_escape(
        &self,
        side: usize,
        here: &Here,
        mask: Kept<R>,
        scratch: &Scratch<R, L>,
        out: &BlockWords<'_, R, L>,
    ) -> Kept<R> {
        let (mut mask, other) = (mask, 1 - side);
        if side == 1 {
            let free: Kept<R> = KeptSet::keep(self.free(here));
            let won = out.words[self.stored(0, self.word(here))].won();
            mask = mask.minus(self.into(free.minus(won), here));
        }
        if mask.any() {
            self.neighbours(side, here, &scratch.sidesteps, |next, path| {
                mask &= out.words[self.stored(other, next)].won() | path;
                mask.any()
            });
        }
        mask
    }
}

/// The positions of the side that wins in a pass.
struct Winner<'a, R: Rules> {
    side: usize,
    plies: u16,
    open: &'a mut [Kept<R>],
    losing: &'a mut [Kept<R>],
    won: &'a mut Dirty<R::Geometry>,
}

/// Leaves no news behind for the next block, where the passes end before it is used up.
fn forget<R: Rules, L: Lanes>(words: usize, scratch: &mut Scratch<R, L>) {
    debug_assert!([&scratch.due_won, &scratch.due_lost, &scratch.again].iter().all(|b| b.next(0).is_none()));
    for dirty in [&mut scratch.candidates, &mut scratch.lost, &mut scratch.lost_before, &mut scratch.won] {
        for side in SIDES {
            for_each_dirty!(dirty[side], words, |_word, _mask| {});
        }
    }
}
