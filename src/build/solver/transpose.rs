//! The view of a pair in which a king of the other side runs.
//!
//! For fixed other pieces, the words over one king's squares, taken for every square of a king of the other side, are
//! a square matrix of bits: its transpose holds the words over the other king's squares.

use crate::board::{Bitboard, Geometry};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Pair};
use crate::build::solver::library::{Pieces, View, Word};
use crate::build::solver::sets::{SIDES, Sets, binomial};
use crate::rules::Rules;

use rayon::prelude::*;

/// Transposes a 64 by 64 matrix of bits: bit `j` of row `i` becomes bit `i` of row `j`.
pub fn transpose(rows: &mut [u64; 64]) {
    exchange(rows, 0x0000_0000_ffff_ffff);
}

/// Transposes the square matrices of `N` rows, a power of 2, that lie side by side in `rows`: exchanges quarters off the
/// diagonal, then those of each quarter, down to single bits. `mask` has the lower half of the columns of each matrix.
#[inline(always)]
fn exchange<const N: usize>(rows: &mut [u64; N], mut mask: u64) {
    let mut width = N / 2;
    while width != 0 {
        let mut i = 0;
        while i < N {
            let swap = (rows[i] >> width ^ rows[i | width]) & mask;
            rows[i] ^= swap << width;
            rows[i | width] ^= swap;
            i = ((i | width) + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

/// As [`transpose`], of two matrices that have rows and columns only for the squares of a board.
///
/// On a board of 32 squares both fit one matrix of 32 rows, side by side.
pub fn transpose_both<G: Geometry>(first: &mut [u64; 64], second: &mut [u64; 64]) {
    if G::SQUARES > 32 {
        transpose(first);
        transpose(second);
        return;
    }
    let mut rows = [0u64; 32];
    for square in G::BOARD {
        let row = &mut rows[G::place(square) as usize & 31];
        *row = G::packed(first[square.index()]) | G::packed(second[square.index()]) << 32;
    }
    exchange(&mut rows, 0x0000_ffff_0000_ffff);
    for square in G::BOARD {
        let row = rows[G::place(square) as usize & 31];
        first[square.index()] = G::unpacked(row as u32);
        second[square.index()] = G::unpacked((row >> 32) as u32);
    }
}

/// The words in which a king of the first side runs, from those in which a king of the second does.
pub fn other_view<R: Rules, L: Lanes>(layout: &Layout, main: &View<L>) -> View<L> {
    let turner = Turner::new::<R>(layout.pair);
    let kings = layout.pair.sides.map(|s| s.kings as usize);
    let sets = [binomial(R::Geometry::SQUARES, kings[1]), binomial(R::Geometry::SQUARES, kings[0] - 1)];
    let (words_main, words_other) = (main.sets[0] * main.sets[1], sets[0] * sets[1]);
    let total = layout.placements.len() * 2 * words_other;
    let mut other = View { words: vec![Word::default(); total], lanes: vec![L::EMPTY; total], sets };
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
        (main_words, main_lanes): (&[Word], &[L]),
        (words, lanes): (&mut [Word], &mut [L]),
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
                let (mut won, mut lost) = ([0u64; 64], [0u64; 64]);
                for square in free {
                    let word = main_words[main_of[square.index()] + rank1];
                    won[square.index()] = word.won.bits();
                    lost[square.index()] = word.lost.bits();
                }
                transpose_both::<R::Geometry>(&mut won, &mut lost);
                // Like kings meet in every order; one of them suffices.
                let above = if fellows1.is_empty() { free } else { free.minus(fellows1.highest().up_to()) };
                for square in above {
                    let index = Sets::<R>::rank_kings(fellows1.with(square)) * firsts.len() + rank0;
                    words[index] = Word {
                        won: Bitboard::from_bits(won[square.index()]),
                        lost: Bitboard::from_bits(lost[square.index()]),
                    };
                    if L::TIMED {
                        for other in words[index].won | words[index].lost {
                            let main = main_of[other.index()] + rank1;
                            lanes[index].set(other, main_lanes[main].get(square));
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International, Turkish};

    fn both_are_transposed<R: Rules>() {
        let board = R::Geometry::BOARD.bits();
        let random = |seed: u64| -> [u64; 64] {
            std::array::from_fn(|i| {
                let row = (i as u64 + 1).wrapping_mul(seed) & board;
                if board >> i & 1 == 1 { row } else { 0 }
            })
        };
        let (first, second) = (random(0x9e37_79b9_7f4a_7c15), random(0xc2b2_ae3d_27d4_eb4f));
        let (mut a, mut b) = (first, second);
        transpose_both::<R::Geometry>(&mut a, &mut b);
        let (mut first, mut second) = (first, second);
        transpose(&mut first);
        transpose(&mut second);
        assert_eq!((a, b), (first, second));
    }

    #[test]
    fn two_matrices_are_transposed_on_every_board() {
        both_are_transposed::<English>();
        both_are_transposed::<International>();
        both_are_transposed::<Turkish>();
    }

    #[test]
    fn bit_j_of_row_i_becomes_bit_i_of_row_j() {
        let rows: [u64; 64] = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut turned = rows;
        transpose(&mut turned);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in turned.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }
}
