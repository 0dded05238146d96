//! The view of a pair in which a king of the other side runs.
//!
//! For fixed other pieces, the words over one king's squares, taken for every square of a king of the other side, are
//! a square matrix of bits: its transpose holds the words over the other king's squares.

use crate::board::{Bitboard, Geometry, KeptSet, PerSquare};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Pair};
use crate::build::solver::library::{KeptWord, View};
use crate::build::solver::sets::{SIDES, Sets, binomial};
use crate::build::threads;
use crate::rules::Rules;

/// The words in which a king of the first side runs, from those in which a king of the second does.
pub fn other_view<R: Rules, L: Lanes>(layout: &Layout, main: &View<R, L>) -> View<R, L> {
    let turner = Turner::new::<R>(layout.pair);
    let kings = layout.pair.sides.map(|s| s.kings as usize);
    let sets = [binomial(R::Geometry::SQUARES, kings[1]), binomial(R::Geometry::SQUARES, kings[0] - 1)];
    let (words_main, words_other) = (main.sets[0] * main.sets[1], sets[0] * sets[1]);
    let total = layout.placements.len() * 2 * words_other;
    let mut other = View { words: vec![KeptWord::default(); total], lanes: vec![L::empty(); total], sets };
    let per_task = (4096 / words_other).max(1) * 2 * words_other;
    let tasks = other.words.chunks_mut(per_task).zip(other.lanes.chunks_mut(per_task)).enumerate();
    threads::map(tasks, |(task, (words, lanes))| {
        let chunks = words.chunks_exact_mut(words_other).zip(lanes.chunks_exact_mut(words_other));
        for (i, (words, lanes)) in chunks.enumerate() {
            let at = task * (per_task / words_other) + i;
            let men = layout.placements[at / 2];
            let from = at * words_main..(at + 1) * words_main;
            let main = (&main.words[from.clone()], &main.lanes[from]);
            turner.one_side::<R, L>(men[0] | men[1], main, (words, lanes));
        }
    });
    other
}

/// By square of a king of the first side, the words with it and its fellows in which a king of the second side runs, in
/// order of the fellows of that one, and their distances.
pub type Rows<'a, R, L> = [(&'a [KeptWord<<R as Rules>::Geometry>], &'a [L]); 64];

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

    /// The sets of all kings of the first side but one.
    #[must_use]
    pub fn fellows(&self) -> &[Bitboard] {
        &self.fellows[0]
    }

    /// From the words in which a king of the second side runs, those in which one of the first does, which are empty
    /// before.
    pub fn one_side<R: Rules, L: Lanes>(
        &self,
        men: Bitboard,
        (main_words, main_lanes): (&[KeptWord<R::Geometry>], &[L]),
        (words, lanes): (&mut [KeptWord<R::Geometry>], &mut [L]),
    ) {
        let [firsts, seconds] = self.fellows.each_ref().map(Vec::len);
        for (rank0, &fellows0) in self.fellows[0].iter().enumerate() {
            if fellows0.meets(men) {
                continue;
            }
            let mut rows: Rows<'_, R, L> = [(&[], &[]); 64];
            for square in R::Geometry::BOARD.minus(men | fellows0) {
                let first = Sets::<R>::rank_kings(fellows0.with(square)) * seconds;
                let row = first..first + seconds;
                rows[square.index()] = (&main_words[row.clone()], &main_lanes[row]);
            }
            self.one_set::<R, L>(men, fellows0, &rows, |kings1, word, lanes_of_word| {
                let index = kings1 * firsts + rank0;
                words[index] = word;
                if L::TIMED {
                    lanes[index] = lanes_of_word;
                }
            });
        }
    }

    /// The words in which a king of the first side runs besides `fellows0`, by rank of the kings of the second side, from
    /// the rows with that king on each free square; calls `put` with each.
    #[inline]
    pub fn one_set<R: Rules, L: Lanes>(
        &self,
        men: Bitboard,
        fellows0: Bitboard,
        rows: &Rows<'_, R, L>,
        mut put: impl FnMut(usize, KeptWord<R::Geometry>, L),
    ) {
        let empty = || <R::Geometry as Geometry>::Lanes::filled(<R::Geometry as Geometry>::Kept::default());
        for (rank1, &fellows1) in self.fellows[1].iter().enumerate() {
            if fellows1.meets(men | fellows0) {
                continue;
            }
            let free = R::Geometry::BOARD.minus(men | fellows0 | fellows1);
            let (mut won, mut lost) = (empty(), empty());
            for square in free {
                let lane = R::Geometry::lane(square);
                [won.as_mut()[lane], lost.as_mut()[lane]] = rows[square.index()].0[rank1].sets();
            }
            <R::Geometry as Geometry>::Kept::transpose_both(&mut won, &mut lost);
            // Like kings meet in every order; one of them suffices.
            let above = if fellows1.is_empty() { free } else { free.minus(fellows1.highest().up_to()) };
            for square in above {
                let lane = R::Geometry::lane(square);
                let kept = KeptWord::of_sets([won.as_ref()[lane], lost.as_ref()[lane]]);
                let mut lanes = L::empty();
                if L::TIMED {
                    let word = kept.word();
                    for other in word.won | word.lost {
                        lanes.set(other, rows[other.index()].1[rank1].get(square));
                    }
                }
                put(Sets::<R>::rank_kings(fellows1.with(square)), kept, lanes);
            }
        }
    }
}
