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

macro_rules! lanes {
    ($number:ty) => {
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
                let mut equal = 0;
                for (i, &lane) in self.iter().enumerate() {
                    equal |= u64::from(u16::from(lane) == plies) << i;
                }
                mask & Bitboard::from_bits(equal)
            }
            #[inline]
            fn beyond(&self, mask: Bitboard, plies: u16) -> Bitboard {
                let mut beyond = 0;
                for (i, &lane) in self.iter().enumerate() {
                    beyond |= u64::from(u16::from(lane) > plies) << i;
                }
                mask & Bitboard::from_bits(beyond)
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

lanes!(u8);
lanes!(u16);
