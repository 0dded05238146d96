//! Distances beside a word: one number for each square of the running piece.
//!
//! Solving for wdl uses the unit type, which stores nothing and costs nothing; solving for distances uses 64 bytes a
//! word, or 64 numbers of 16 bits where a byte would overflow.

use crate::board::{Bitboard, Geometry, Square};

/// The distances of the positions of one word.
pub trait Lanes: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Whether there are distances at all.
    const TIMED: bool;
    /// The greatest distance that can be kept, in plies.
    const LONGEST: u16;
    /// No distances.
    const EMPTY: Self;

    /// The distance of one square.
    fn get(&self, square: Square) -> u16;
    /// Sets the distance of one square.
    fn set(&mut self, square: Square, plies: u16);
    /// For the squares of `mask`, takes the lesser of what is here and one ply more than `after`.
    ///
    /// A distance that is not known yet must be [`Lanes::LATEST`].
    fn keep_sooner(&mut self, mask: Bitboard, after: &Self);
    /// For the squares of `mask`, takes the greater of what is here and one ply more than `after`.
    fn keep_later(&mut self, mask: Bitboard, after: &Self);
    /// The squares of `mask` whose distance is `plies`.
    fn equal(&self, mask: Bitboard, plies: u16) -> Bitboard;
    /// The squares of `mask` whose distance is greater than `plies`.
    fn beyond(&self, mask: Bitboard, plies: u16) -> Bitboard;
    /// All lanes at the latest time.
    const LATEST: Self;
    /// The same distances on the board turned by half a turn.
    #[must_use]
    fn turned<G: Geometry>(&self) -> Self;
}

impl Lanes for () {
    const TIMED: bool = false;
    const LONGEST: u16 = 0;
    const EMPTY: Self = ();
    const LATEST: Self = ();

    #[inline(always)]
    fn get(&self, _: Square) -> u16 {
        0
    }
    #[inline(always)]
    fn set(&mut self, _: Square, _: u16) {}
    #[inline(always)]
    fn keep_sooner(&mut self, _: Bitboard, (): &Self) {}
    #[inline(always)]
    fn keep_later(&mut self, _: Bitboard, (): &Self) {}
    #[inline(always)]
    fn equal(&self, mask: Bitboard, _: u16) -> Bitboard {
        mask
    }
    #[inline(always)]
    fn beyond(&self, _: Bitboard, _: u16) -> Bitboard {
        Bitboard::EMPTY
    }
    #[inline(always)]
    fn turned<G: Geometry>(&self) -> Self {}
}

/// Of 64 bytes, the ones that are `byte`, as bits: eight at a time, by which of them become zero.
#[inline]
fn equal_bytes(bytes: &[u8; 64], byte: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let all = u64::from(byte) * 0x0101_0101_0101_0101;
    let mut equal = 0;
    for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let x = u64::from_le_bytes(*eight) ^ all;
        let zero = !(((x & LOW) + LOW) | x | LOW);
        // Bits 7, 15, .. come together in the highest byte.
        equal |= ((zero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    equal
}

/// Of 64 numbers, the ones that are `number`, as bits.
#[inline]
fn equal_words(numbers: &[u16; 64], number: u16) -> u64 {
    (0..).zip(numbers).fold(0, |equal, (i, &lane)| equal | u64::from(lane == number) << i)
}

macro_rules! lanes {
    ($number:ty, $equal:ident) => {
        impl Lanes for [$number; 64] {
            const TIMED: bool = true;
            const LONGEST: u16 = (<$number>::MAX - 2) as u16;
            const EMPTY: Self = [0; 64];
            const LATEST: Self = [<$number>::MAX; 64];

            #[inline(always)]
            fn get(&self, square: Square) -> u16 {
                u16::from(self[square.index()])
            }
            #[inline(always)]
            fn set(&mut self, square: Square, plies: u16) {
                // Callers check against LONGEST when a distance is settled.
                self[square.index()] = plies.min(<$number>::MAX.into()) as $number;
            }
            #[inline]
            fn keep_sooner(&mut self, mask: Bitboard, after: &Self) {
                for i in 0..64 {
                    let out = (mask.bits() >> i & 1) as $number;
                    let sooner = after[i].saturating_add(1) | out.wrapping_sub(1);
                    self[i] = self[i].min(sooner);
                }
            }
            #[inline]
            fn keep_later(&mut self, mask: Bitboard, after: &Self) {
                for i in 0..64 {
                    let out = (mask.bits() >> i & 1) as $number;
                    let later = after[i].saturating_add(1) & out.wrapping_neg();
                    self[i] = self[i].max(later);
                }
            }
            #[inline]
            fn equal(&self, mask: Bitboard, plies: u16) -> Bitboard {
                <$number>::try_from(plies)
                    .map_or(Bitboard::EMPTY, |plies| mask & Bitboard::from_bits($equal(self, plies)))
            }
            #[inline]
            fn beyond(&self, mask: Bitboard, plies: u16) -> Bitboard {
                mask.into_iter().filter(|&square| self.get(square) > plies).collect()
            }
            #[inline]
            fn turned<G: Geometry>(&self) -> Self {
                let mut turned = Self::EMPTY;
                let top = G::TOP_BIT as usize;
                for (i, lane) in turned[..=top].iter_mut().enumerate() {
                    *lane = self[top - i];
                }
                turned
            }
        }
    };
}

lanes!(u8, equal_bytes);
lanes!(u16, equal_words);
