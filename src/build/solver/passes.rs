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

use crate::board::Bitboard;
use crate::build::solver::Unsolved;
use crate::build::solver::block::{BlockSolver, BlockWords, SHARED_WORDS};
use crate::build::solver::dirty::{Dirty, for_each_dirty};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::moves::Here;
use crate::build::solver::scratch::Scratch;
use crate::build::solver::sets::SIDES;
use crate::rules::Rules;

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
            let pending = |dirty: &[Dirty; 2]| SIDES.iter().any(|&side| !dirty[side].is_clear(words));
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
            for_each_dirty!(scratch.candidates[side], words, |word, mask| {
                let mut mask = mask & scratch.losing[side][word];
                if self.is_timed() {
                    mask = mask.minus(scratch.waiting[side][word]);
                }
                if mask.any() {
                    let here = self.here(block, word);
                    let lost = self.without_escape(side, &here, mask, scratch, out);
                    if lost.any() {
                        self.set_lost(side, word, lost, plies, scratch, out);
                    }
                }
            });
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

    #[inline(always)]
    fn set_lost(
        &self,
        side: usize,
        word: usize,
        mask: Bitboard,
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
            for square in mask {
                out.lanes[stored].set(square, plies);
            }
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
        for side in SIDES {
            let winner = 1 - side;
            for_each_dirty!(scratch.lost[side], words, |word, mask| {
                let here = self.here(block, word);
                if winner == 1 {
                    let from = self.into(mask, &here) & scratch.open[1][word];
                    if from.any() {
                        self.set_won(1, word, from, plies, scratch, out);
                    }
                }
                let sidesteps = std::mem::take(&mut scratch.sidesteps);
                self.neighbours(winner, &here, &sidesteps, |next, path| {
                    let from = mask.minus(path) & scratch.open[winner][next];
                    if from.any() {
                        self.set_won(winner, next, from, plies, scratch, out);
                    }
                    true
                });
                scratch.sidesteps = sidesteps;
            });
        }
        if self.is_timed() {
            let due = scratch.due_won.take(plies as usize);
            for &(side, word, mask) in &due {
                let stored = self.stored(side as usize, word as usize);
                let mask = mask.minus(out.words[stored].won());
                if mask.any() {
                    self.set_won(side as usize, word as usize, mask, plies, scratch, out);
                }
            }
            scratch.due_won.give_back(plies as usize, due);
        }
    }

    #[inline(always)]
    fn set_won(
        &self,
        side: usize,
        word: usize,
        mask: Bitboard,
        plies: u16,
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) {
        scratch.open[side][word] = scratch.open[side][word].minus(mask);
        scratch.losing[side][word] = scratch.losing[side][word].minus(mask);
        scratch.won[side].add(word, mask);
        let stored = self.stored(side, word);
        out.words[stored].add_won(mask);
        if self.is_timed() {
            for square in mask {
                out.lanes[stored].set(square, plies);
            }
        }
    }

    /// Positions with a reversible move to a new win may be lost.
    fn new_candidates(&self, block: usize, words: usize, scratch: &mut Scratch<R, L>) {
        for side in SIDES {
            let loser = 1 - side;
            for_each_dirty!(scratch.won[side], words, |word, mask| {
                let here = self.here(block, word);
                if loser == 1 && scratch.losing[1][word].any() {
                    let from = self.into(mask, &here) & scratch.losing[1][word];
                    if from.any() {
                        scratch.candidates[1].add(word, from);
                    }
                }
                let (losing, candidates) = (&scratch.losing[loser], &mut scratch.candidates[loser]);
                self.neighbours(loser, &here, &scratch.sidesteps, |next, path| {
                    let from = mask.minus(path) & losing[next];
                    if from.any() {
                        candidates.add(next, from);
                    }
                    true
                });
            });
        }
    }

    /// The squares of `mask` for which every reversible move of `side` leads to a position won by the other.
    #[inline]
    fn without_escape(
        &self,
        side: usize,
        here: &Here,
        mask: Bitboard,
        scratch: &Scratch<R, L>,
        out: &BlockWords<'_, R, L>,
    ) -> Bitboard {
        let (mut mask, other) = (mask, 1 - side);
        if side == 1 {
            let free = self.free(here);
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

/// Leaves no news behind for the next block, where the passes end before it is used up.
fn forget<R: Rules, L: Lanes>(words: usize, scratch: &mut Scratch<R, L>) {
    debug_assert!([&scratch.due_won, &scratch.due_lost, &scratch.again].iter().all(|b| b.next(0).is_none()));
    for dirty in [&mut scratch.candidates, &mut scratch.lost, &mut scratch.lost_before, &mut scratch.won] {
        for side in SIDES {
            for_each_dirty!(dirty[side], words, |_word, _mask| {});
        }
    }
}
