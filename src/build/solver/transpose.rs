//! The view of a pair in which a king of the other side runs.
//!
//! For fixed other pieces, the words over one king's squares, taken for every square of a king of the other side, are
//! a square matrix of bits: its transpose holds the words over the other king's squares.

use crate::board::{Bitboard, Geometry};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::Layout;
use crate::build::solver::library::{View, Word};
use crate::build::solver::sets::{SIDES, Sets, binomial};
use crate::rules::Rules;

use rayon::prelude::*;

/// Transposes a 64 by 64 matrix of bits: bit `j` of row `i` becomes bit `i` of row `j`.
pub fn transpose(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width != 0 {
        let mut i = 0;
        while i < 64 {
            let swap = (rows[i] >> width ^ rows[i | width]) & mask;
            rows[i] ^= swap << width;
            rows[i | width] ^= swap;
            i = ((i | width) + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

/// The words in which a king of the first side runs, from those in which a king of the second does.
pub fn other_view<R: Rules, L: Lanes>(layout: &Layout, main: &View<L>) -> View<L> {
    let kings = layout.pair.sides.map(|s| s.kings as usize);
    let subsets = SIDES.map(|side| Sets::<R>::subsets_of_board(kings[side] - 1));
    let full = SIDES.map(|side| binomial(R::Geometry::SQUARES, kings[side]));
    let words_main = main.sets[0] * main.sets[1];
    debug_assert_eq!((full[0], subsets[1].len()), (main.sets[0], main.sets[1]));
    let words_other = full[1] * subsets[0].len();
    let places = layout.placements.len();
    let mut other = View {
        words: vec![Word::default(); places * 2 * words_other],
        lanes: vec![L::EMPTY; places * 2 * words_other],
        sets: [full[1], subsets[0].len()],
    };
    let per_task = (4096 / words_other).max(1) * 2 * words_other;
    other.words.par_chunks_mut(per_task).zip(other.lanes.par_chunks_mut(per_task)).enumerate().for_each(
        |(task, (words, lanes))| {
            let chunks = words.chunks_exact_mut(words_other).zip(lanes.chunks_exact_mut(words_other));
            for (i, (words, lanes)) in chunks.enumerate() {
                let at = task * (per_task / words_other) + i;
                let men = layout.placements[at / 2];
                let from = at * words_main..(at + 1) * words_main;
                one_side::<R, L>(
                    men[0] | men[1],
                    [&subsets[0], &subsets[1]],
                    (&main.words[from.clone()], &main.lanes[from]),
                    (words, lanes),
                );
            }
        },
    );
    other
}

/// Transposes the words of one placement and side to move.
fn one_side<R: Rules, L: Lanes>(
    men: Bitboard,
    fellows: [&[Bitboard]; 2],
    (main_words, main_lanes): (&[Word], &[L]),
    (words, lanes): (&mut [Word], &mut [L]),
) {
    let board = R::Geometry::BOARD;
    for (rank0, &fellows0) in fellows[0].iter().enumerate() {
        if fellows0.meets(men) {
            continue;
        }
        for (rank1, &fellows1) in fellows[1].iter().enumerate() {
            if fellows1.meets(men | fellows0) {
                continue;
            }
            let free = board.minus(men | fellows0 | fellows1);
            let (mut won, mut lost) = ([0u64; 64], [0u64; 64]);
            for square in free {
                let set = fellows0.with(square);
                let word = main_words[Sets::<R>::rank_kings(set) * fellows[1].len() + rank1];
                won[square.index()] = word.won.bits();
                lost[square.index()] = word.lost.bits();
            }
            transpose(&mut won);
            transpose(&mut lost);
            // Like kings meet in every order; one of them suffices.
            let above = if fellows1.is_empty() { free } else { free.minus(fellows1.highest().up_to()) };
            for square in above {
                let index = Sets::<R>::rank_kings(fellows1.with(square)) * fellows[0].len() + rank0;
                words[index] = Word {
                    won: Bitboard::from_bits(won[square.index()]),
                    lost: Bitboard::from_bits(lost[square.index()]),
                };
                if L::TIMED {
                    for other in words[index].won | words[index].lost {
                        let main = Sets::<R>::rank_kings(fellows0.with(other)) * fellows[1].len() + rank1;
                        lanes[index].set(other, main_lanes[main].get(square));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
