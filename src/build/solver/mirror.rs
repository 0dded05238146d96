//! Like kings: half of the work.
//!
//! Kings of one side are alike, so a position of `k` kings of the second side is found in `k` words: each of them may
//! be the one that runs. Conversions are looked at in one of these only, where the running king stands on the highest
//! square of its bit order; the others are copies. For fixed other pieces, the words of one fellow on each square are a
//! matrix of bits that is its own transpose, of which one half is known.

use crate::board::{Bitboard, Geometry, KeptSet, PerSquare};
use crate::build::solver::block::{BlockSolver, BlockWords};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::library::Kept;
use crate::build::solver::scratch::Scratch;
use crate::build::solver::sets::{SIDES, Sets};
use crate::rules::Rules;

impl<R: Rules, L: Lanes> BlockSolver<'_, R, L> {
    /// Whether conversions are looked at for one of like kings only. With distances, what waits for its pass would have
    /// to be copied too.
    #[inline(always)]
    pub(super) fn mirrors(&self) -> bool {
        self.kings[1] > 0 && !self.is_timed()
    }

    /// The part of `squares` on which the running king stands above its fellows.
    #[inline(always)]
    pub(super) fn above_fellows(&self, squares: Bitboard, fellows: Bitboard) -> Bitboard {
        if self.mirrors() { squares.minus(fellows.highest().up_to()) } else { squares }
    }

    /// Copies what conversions say to the words in which another of the like kings runs, for the set of kings of the first
    /// side with this rank, whose words begin with `first_word`.
    pub(super) fn mirror(
        &self,
        men: [Bitboard; 2],
        rank: usize,
        first_word: usize,
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) {
        let first = self.sets.kings(self.kings[0])[rank];
        if first.meets(men[0] | men[1]) {
            return;
        }
        let taken = men[0] | men[1] | first;
        for &rest in self.sets.kings(self.kings[1] - 1) {
            if rest.meets(taken) {
                continue;
            }
            let free = R::Geometry::BOARD.minus(taken | rest);
            let word_of = |square| first_word + Sets::<R>::rank_kings(rest.with(square));
            let mut words = [0; 64];
            for square in free {
                words[square.index()] = word_of(square);
            }
            for side in SIDES {
                self.mirror_side(side, free, &words, scratch, out);
            }
        }
    }

    fn mirror_side(
        &self,
        side: usize,
        free: Bitboard,
        words: &[usize; 64],
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) {
        // Won, lost and losing exclude each other, so that two matrices hold the three.
        let empty = || <R::Geometry as Geometry>::Lanes::filled(Kept::<R>::default());
        let (mut won, mut lost, mut open) = (empty(), empty(), empty());
        let (mut any_decided, mut any_open) = (false, false);
        for square in free {
            let (i, word) = (R::Geometry::lane(square), words[square.index()]);
            let known = out.words[self.stored(side, word)];
            let losing = scratch.losing[side][word];
            let mut both = known;
            if losing.any() {
                both.add_won(losing);
                both.add_lost(losing);
            }
            [won.as_mut()[i], lost.as_mut()[i]] = both.sets();
            open.as_mut()[i] = scratch.open[side][word];
            any_decided |= !both.is_drawn();
            any_open |= scratch.open[side][word].any();
        }
        if any_decided {
            Kept::<R>::transpose_both(&mut won, &mut lost);
        }
        if any_open {
            Kept::<R>::transpose_both(&mut open, &mut empty());
        }
        for square in free {
            let (i, word) = (R::Geometry::lane(square), words[square.index()]);
            let (won, lost) = (won.as_ref()[i], lost.as_ref()[i]);
            let losing = won & lost;
            let stored = &mut out.words[self.stored(side, word)];
            stored.add_won(won.minus(losing));
            stored.add_lost(lost.minus(losing));
            scratch.open[side][word] |= open.as_ref()[i];
            if losing.any() {
                scratch.losing[side][word] |= losing;
                scratch.candidates[side].add(word, losing);
            }
            if lost.minus(losing).any() {
                scratch.lost[side].add(word, lost.minus(losing));
            }
        }
    }
}
