//! Sets and numbers by square, as large tables keep them: without the unused bits of a board where that saves half.
//!
//! On a board of 32 squares a set is 32 bits instead of 64, and there are 32 numbers, in order of place; on the others
//! both go by bit. What is read becomes a [`Bitboard`] again before anything is done with it.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::board::{Bitboard, Geometry};

/// A set of squares of the board `G`, as it is kept.
pub trait KeptSet<G>:
    Copy
    + Default
    + PartialEq
    + Eq
    + Debug
    + Into<u64>
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
{
    /// The set, to be kept.
    fn keep(set: Bitboard) -> Self;
    /// The set that was kept.
    fn set(self) -> Bitboard;
    /// The set of those lanes that are set in `bits`, none of which is beyond the last.
    fn from_bits(bits: u64) -> Self;

    /// Whether there is a square in it.
    #[inline(always)]
    fn any(self) -> bool {
        self != Self::default()
    }

    /// Whether both have a square.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        (self & other).any()
    }

    /// The squares that are not in `other`.
    #[inline(always)]
    #[must_use]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// The [lanes](Geometry::lane) of its squares, lowest first.
    #[inline(always)]
    fn lanes(self) -> impl Iterator<Item = usize> {
        Bitboard::from_bits(self.into()).into_iter().map(|bit| bit.index())
    }

    /// Adds a run of sets to `bytes`, in the order of bytes that compresses best.
    fn write_run(sets: &[Self], bytes: &mut Vec<u8>);
    /// The run of sets that [`KeptSet::write_run`] wrote.
    fn read_run(bytes: &[u8]) -> Vec<Self>;
    /// Transposes two matrices of bits, a set for each square by [`Geometry::lane`]: where the set of square `i` has
    /// `j`, that of `j` will have `i`.
    fn transpose_both(first: &mut G::Lanes<Self>, second: &mut G::Lanes<Self>)
    where
        G: Geometry;
}

impl<G: Geometry> KeptSet<G> for u64 {
    #[inline(always)]
    fn keep(set: Bitboard) -> Self {
        set.bits()
    }

    #[inline(always)]
    fn set(self) -> Bitboard {
        Bitboard::from_bits(self)
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        bits
    }

    fn write_run(sets: &[Self], bytes: &mut Vec<u8>) {
        bytes.extend(sets.iter().flat_map(|set| set.to_le_bytes()));
    }

    fn read_run(bytes: &[u8]) -> Vec<Self> {
        bytes.as_chunks().0.iter().map(|&set| u64::from_le_bytes(set)).collect()
    }

    #[inline]
    fn transpose_both(first: &mut G::Lanes<Self>, second: &mut G::Lanes<Self>) {
        for rows in [first, second] {
            let rows: &mut [u64; 64] = rows.as_mut().try_into().expect("64 lanes");
            exchange(rows, 0x0000_0000_ffff_ffff);
        }
    }
}

impl<G: Geometry> KeptSet<G> for u32 {
    #[inline(always)]
    fn keep(set: Bitboard) -> Self {
        packed::<G>(set.bits()) as u32
    }

    #[inline(always)]
    fn set(self) -> Bitboard {
        Bitboard::from_bits(unpacked::<G>(self.into()))
    }

    /// Both fit one matrix, side by side.
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        bits as u32
    }

    /// The lowest byte of every set, then the second of every set and so on: a byte is two rows of a board of 32 squares,
    /// and the same rows of neighbouring sets are alike.
    fn write_run(sets: &[Self], bytes: &mut Vec<u8>) {
        for shift in [0, 8, 16, 24] {
            bytes.extend(sets.iter().map(|set| (set >> shift) as u8));
        }
    }

    fn read_run(bytes: &[u8]) -> Vec<Self> {
        let mut sets = vec![0; bytes.len() / 4];
        for (bytes, shift) in bytes.chunks_exact(sets.len().max(1)).zip([0, 8, 16, 24]) {
            for (set, &byte) in sets.iter_mut().zip(bytes) {
                *set |= u32::from(byte) << shift;
            }
        }
        sets
    }

    #[inline]
    fn transpose_both(first: &mut G::Lanes<Self>, second: &mut G::Lanes<Self>) {
        let (first, second) = (first.as_mut(), second.as_mut());
        let mut rows: [u64; 32] = std::array::from_fn(|i| u64::from(first[i]) | u64::from(second[i]) << 32);
        exchange(&mut rows, 0x0000_ffff_0000_ffff);
        for (i, row) in rows.into_iter().enumerate() {
            (first[i], second[i]) = (row as u32, (row >> 32) as u32);
        }
    }
}

/// A number for each square, at its [`Geometry::lane`].
pub trait PerSquare<T>: Copy + Debug + AsRef<[T]> + AsMut<[T]> + Send + Sync + 'static {
    /// How many there are, unused ones included.
    const LEN: usize;

    /// The same number everywhere.
    fn filled(number: T) -> Self;
}

impl<T: Copy + Debug + Send + Sync + 'static, const N: usize> PerSquare<T> for [T; N] {
    const LEN: usize = N;

    #[inline(always)]
    fn filled(number: T) -> Self {
        [number; N]
    }
}

/// Transposes the square matrices of `N` rows, a power of 2, that lie side by side in `rows`: exchanges quarters off
/// the diagonal, then those of each quarter, down to single bits. `mask` has the lower half of the columns of each
/// matrix.
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

/// The squares of a set by place, on a board of at most 32.
#[inline(always)]
fn packed<G: Geometry>(set: u64) -> u64 {
    let run = G::ROW * G::GHOST_AFTER;
    let (mut packed, mut place) = (0, 0);
    while place < G::SQUARES {
        packed |= set >> (place / run) & ((1 << run) - 1) << place;
        place += run;
    }
    packed
}

/// The inverse of [`packed`].
#[inline(always)]
fn unpacked<G: Geometry>(packed: u64) -> u64 {
    let run = G::ROW * G::GHOST_AFTER;
    let (mut set, mut place) = (0, 0);
    while place < G::SQUARES {
        set |= (packed & ((1 << run) - 1) << place) << (place / run);
        place += run;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Dark8, Dark10, Full8};

    fn sets_come_back<G: Geometry>() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1000 {
            bits = bits.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            let set = Bitboard::from_bits(bits.rotate_left(32)) & G::BOARD;
            assert_eq!(G::Kept::keep(set).set(), set);
        }
        let lanes: std::collections::BTreeSet<usize> = G::BOARD.into_iter().map(G::lane).collect();
        assert_eq!(lanes.len(), G::SQUARES as usize);
        assert!(lanes.into_iter().all(|lane| lane < <G::Lanes<u8> as PerSquare<u8>>::LEN));
    }

    #[test]
    fn sets_come_back_on_every_board() {
        sets_come_back::<Dark8>();
        sets_come_back::<Dark10>();
        sets_come_back::<Full8>();
    }

    fn sets_are_transposed<G: Geometry>() {
        let sets = |seed: u64| {
            let mut rows = G::Lanes::filled(G::Kept::default());
            for square in G::BOARD {
                let set = Bitboard::from_bits((square.index() as u64 + 1).wrapping_mul(seed)) & G::BOARD;
                rows.as_mut()[G::lane(square)] = G::Kept::keep(set);
            }
            rows
        };
        let before = [sets(0x9e37_79b9_7f4a_7c15), sets(0xc2b2_ae3d_27d4_eb4f)];
        let [mut first, mut second] = before;
        G::Kept::transpose_both(&mut first, &mut second);
        let has = |rows: &G::Lanes<G::Kept>, i, j| rows.as_ref()[G::lane(i)].set().contains(j);
        for i in G::BOARD {
            for j in G::BOARD {
                assert_eq!([has(&first, i, j), has(&second, i, j)], [has(&before[0], j, i), has(&before[1], j, i)]);
            }
        }
    }

    #[test]
    fn sets_are_transposed_on_every_board() {
        sets_are_transposed::<Dark8>();
        sets_are_transposed::<Dark10>();
        sets_are_transposed::<Full8>();
    }

    #[test]
    fn a_set_of_32_squares_takes_32_bits_by_place() {
        for place in 0..32 {
            let square = Dark8::square(place);
            assert_eq!(<u32 as KeptSet<Dark8>>::keep(Bitboard::of(square)), 1 << place);
            assert_eq!(Dark8::lane(square), place as usize);
        }
    }
}
