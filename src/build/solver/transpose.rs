//! The view of a pair in which a king of the other side runs.
//!
//! For fixed other pieces, the words over one king's squares, taken for every square of a king of the other side, are
//! a square matrix of bits: its transpose holds the words over the other king's squares.

use crate::board::{Bitboard, Geometry, KeptSet, PerSquare};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Pair};
use crate::build::solver::library::{KeptWord, Pieces, View};
use crate::build::solver::sets::{SIDES, Sets, binomial};
use crate::rules::Rules;

use rayon::prelude::*;

/// The words in which a king of the first side runs, from those in which a king of the second does.
pub fn other_view<R: Rules, L: Lanes>(layout: &Layout, main: &View<R, L>) -> View<R, L> {
    let turner = Turner::new::<R>(layout.pair);
    let kings = layout.pair.sides.map(|s| s.kings as usize);
    let sets = [binomial(R::Geometry::SQUARES, kings[1]), binomial(R::Geometry::SQUARES, kings[0] - 1)];
    let (words_main, words_other) = (main.sets[0] * main.sets[1], sets[0] * sets[1]);
    let total = layout.placements.len() * 2 * words_other;
    let mut other = View { words: vec![KeptWord::default(); total], lanes: vec![L::empty(); total], sets };
    let per_task = (4096 / words_other).max(1) * 2 * words_other;
    other.words.par_chunks_mut(per_task).zip(other.lanes.par_chunks_mut(per_task)).enumerate().for_each(
        |(task, (words, lanes))| {
            let chunks = words.chunks_exact_mut(words_other).zip(lanes.chunks_exact_mut(words_other));
            for (i, (words, lanes)) in chunks.enumerate() {
                let at = task * (per_task / words_other) + i;
                let men = layout.placements[at / 2];
                let from = at * words_main..(at + 1) * words_main;
                let main = (&main.words[from.clone()], &main.lanes[from]);
                turner.one_side::<R, L>(men[0] | men[1], main, (words, lanes));
            }
        },
    );
    other
}

/// Transposes the words of one placement and side to move.
#[derive(Debug)]
pub struct Turner {
    /// By side, the sets of all its kings but one.
    fellows: [Vec<Bitboard>; 2],
}

impl Turner {
    /// For a pair with kings on both sides.
    pub fn new<R: Rules>(pair: Pair) -> Self {
        Turner { fellows: SIDES.map(|side| Sets::<R>::subsets_of_board(pair.sides[side].kings as usize - 1)) }
    }

    /// How many words a placement and side to move has in which a king of the first side runs.
    #[must_use]
    pub fn words<R: Rules>(&self) -> usize {
        let [firsts, seconds] = &self.fellows;
        // One more king in the set of the second side.
        let kings = seconds.first().map_or(0, |set| set.len() as usize) + 1;
        binomial(R::Geometry::SQUARES, kings) * firsts.len()
    }

    /// Which of them has these other pieces.
    #[inline(always)]
    #[must_use]
    pub fn word_of<R: Rules>(&self, fixed: &Pieces) -> usize {
        Sets::<R>::rank_kings(fixed.kings[1]) * self.fellows[0].len() + Sets::<R>::rank_kings(fixed.kings[0])
    }

    /// From the words in which a king of the second side runs, those in which one of the first does, which are empty
    /// before.
    pub fn one_side<R: Rules, L: Lanes>(
        &self,
        men: Bitboard,
        (main_words, main_lanes): (&[KeptWord<R::Geometry>], &[L]),
        (words, lanes): (&mut [KeptWord<R::Geometry>], &mut [L]),
    ) {
        let board = R::Geometry::BOARD;
        let [firsts, seconds] = &self.fellows;
        for (rank0, &fellows0) in firsts.iter().enumerate() {
            if fellows0.meets(men) {
                continue;
            }
            let mut main_of = [0; 64];
            for square in board.minus(men | fellows0) {
                main_of[square.index()] = Sets::<R>::rank_kings(fellows0.with(square)) * seconds.len();
            }
            for (rank1, &fellows1) in seconds.iter().enumerate() {
                if fellows1.meets(men | fellows0) {
                    continue;
                }
                let free = board.minus(men | fellows0 | fellows1);
                let empty = || <R::Geometry as Geometry>::Lanes::filled(<R::Geometry as Geometry>::Kept::default());
                let (mut won, mut lost) = (empty(), empty());
                for square in free {
                    let lane = R::Geometry::lane(square);
                    let word = main_words[main_of[square.index()] + rank1];
                    [won.as_mut()[lane], lost.as_mut()[lane]] = word.sets();
                }
                <R::Geometry as Geometry>::Kept::transpose_both(&mut won, &mut lost);
                // Like kings meet in every order; one of them suffices.
                let above = if fellows1.is_empty() { free } else { free.minus(fellows1.highest().up_to()) };
                for square in above {
                    let index = Sets::<R>::rank_kings(fellows1.with(square)) * firsts.len() + rank0;
                    let lane = R::Geometry::lane(square);
                    words[index] = KeptWord::of_sets([won.as_ref()[lane], lost.as_ref()[lane]]);
                    if L::TIMED {
                        let word = words[index].word();
                        for other in word.won | word.lost {
                            let main = main_of[other.index()] + rank1;
                            lanes[index].set(other, main_lanes[main].get(square));
                        }
                    }
                }
            }
        }
    }
}
