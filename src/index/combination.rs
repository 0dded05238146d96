//! Sets of `k` of `n` squares as numbers, colexicographically.
//!
//! The set whose squares have the ordinals `o1 < o2 < .. < ok` among the free squares has the rank
//! `C(o1, 1) + C(o2, 2) + .. + C(ok, k)`. So sets are ordered by their last square, then the last but one, and those
//! that differ only in their first square are neighbours: ranks of a row of the first square are consecutive.
//!
//! Squares come as *keys* (see [`crate::index::order`]): bits in ordinal order, with gaps.

use crate::board::Bitboard;
use crate::index::order::Sequence;

/// The most pieces of one kind that any variant allows a side.
const MOST: usize = 20;

/// `BINOMIAL[k][n]` is the number of ways to choose `k` of `n`; `C(64, 20)` has 55 bits.
static BINOMIAL: [[u64; 65]; MOST + 1] = {
    let mut table = [[0; 65]; MOST + 1];
    table[0] = [1; 65];
    let mut k = 1;
    while k <= MOST {
        let mut n = 1;
        while n <= 64 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            n += 1;
        }
        k += 1;
    }
    table
};

/// The number of sets of `k` of `n` squares, for `n <= 64` and `k <= 20`; 0 where `k > n`.
#[inline]
pub fn choose(n: u32, k: u32) -> u64 {
    BINOMIAL[k as usize][n as usize]
}

/// The number of `set` among the sets of as many squares of `free`, in `0..choose(free.len(), set.len())`.
#[inline]
pub fn rank_set(set: Bitboard, free: Bitboard, sequence: Sequence) -> u64 {
    debug_assert!(set.minus(free).is_empty(), "a piece on a square that is taken");
    let (mut rank, mut k) = (0, 0);
    let [early, late] = sequence.halves(set);
    for mut half in [early, late] {
        while let Some(square) = half.pop() {
            k += 1;
            rank += BINOMIAL[k][(free & sequence.before(square)).len() as usize];
        }
    }
    rank
}

/// The set of `count` squares of `free` whose number is `rank`: the inverse of [`rank_set`].
pub fn unrank_set(mut rank: u64, count: u32, free: Bitboard, sequence: Sequence) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut end = free.len() as usize;
    for k in (1..=count as usize).rev() {
        let row = &BINOMIAL[k][..end];
        let ordinal = row.partition_point(|&sets| sets <= rank) - 1;
        rank -= row[ordinal];
        set |= Bitboard::of(sequence.nth(free, ordinal as u32));
        end = ordinal;
    }
    debug_assert_eq!(rank, 0, "a rank beyond the last set");
    set
}

/// The key of the first set of `count` squares of `free`.
#[inline]
pub fn first_set(mut free: u128, count: u32) -> u128 {
    let mut set = 0;
    for _ in 0..count {
        debug_assert!(free != 0, "more pieces than free squares");
        set |= free & free.wrapping_neg();
        free &= free - 1;
    }
    set
}

/// The key of the set that follows `set` among the sets of as many squares of `free`, or `None` after the last.
///
/// Squares that are not free count as taken, so that one addition carries the first run of pieces to the next free
/// square; all but one of the run then go back to the first squares.
#[inline]
pub fn next_set(set: u128, free: u128) -> Option<u128> {
    let first = set & set.wrapping_neg();
    let mut next = (set | !free).wrapping_add(first) & free;
    if next & !set == 0 {
        return None;
    }
    let mut run = set & !next;
    run &= run - 1;
    let mut starts = free;
    while run != 0 {
        next |= starts & starts.wrapping_neg();
        starts &= starts - 1;
        run &= run - 1;
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Dark8, Geometry};
    use crate::index::Order;

    #[test]
    fn binomials_are_those_of_the_product_formula() {
        for n in 0..=64u128 {
            for k in 0..=20u128 {
                let product = (0..k).fold(1, |c, i| if i >= n { 0 } else { c * (n - i) / (i + 1) });
                assert_eq!(u128::from(choose(n as u32, k as u32)), product, "C({n}, {k})");
            }
        }
    }

    #[test]
    fn sets_count_up_in_rank_order_whatever_squares_are_free() {
        for order in [Order::RowMajor, Order::RowParity] {
            let sequence = order.sequence::<Dark8>();
            for taken in [0, 0x0f, 0x1_8030_0141, 0x7_0000_0000] {
                let free = Dark8::BOARD.minus(Bitboard::from_bits(taken));
                for count in 0..=4 {
                    let mut next = Some(first_set(sequence.key(free), count));
                    for rank in 0..choose(free.len(), count) {
                        let key = next.expect("there is a set for every rank");
                        let set = sequence.set(key);
                        assert_eq!(rank_set(set, free, sequence), rank);
                        assert_eq!(unrank_set(rank, count, free, sequence), set);
                        next = next_set(key, sequence.key(free));
                    }
                    assert_eq!(next, None);
                }
            }
        }
    }
}
