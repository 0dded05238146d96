//! Distances beside a word: one number for each square of the running piece.
//!
//! Solving for wdl uses the unit type, which stores nothing and costs nothing; solving for distances uses a byte for each
//! square, or 16 bits where a byte would overflow.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::board::{Bitboard, Geometry, KeptSet, PerSquare, Square};

/// The distances of the positions of one word.
pub trait Lanes: Copy + Send + Sync + Debug + 'static {
    /// Whether there are distances at all.
    const TIMED: bool;
    /// The greatest distance that can be kept, in plies.
    const LONGEST: u16;

    /// No distances.
    fn empty() -> Self;
    /// All lanes at the latest time.
    fn latest() -> Self;
    /// The distance of one square.
    fn get(&self, square: Square) -> u16;
    /// Sets the distance of one square.
    fn set(&mut self, square: Square, plies: u16);
    /// Sets the distances of the squares with the [lanes](Geometry::lane) `lanes`.
    fn set_each(&mut self, lanes: impl Iterator<Item = usize>, plies: u16);
    /// For the squares of `mask`, takes the lesser of what is here and one ply more than `after`.
    ///
    /// A distance that is not known yet must be [`Lanes::latest`].
    fn keep_sooner(&mut self, mask: Bitboard, after: &Self);
    /// For the squares of `mask`, takes the greater of what is here and one ply more than `after`.
    fn keep_later(&mut self, mask: Bitboard, after: &Self);
    /// The squares of `mask` whose distance is `plies`.
    fn equal(&self, mask: Bitboard, plies: u16) -> Bitboard;
    /// The squares of `mask` whose distance is greater than `plies`.
    fn beyond(&self, mask: Bitboard, plies: u16) -> Bitboard;
    /// The same distances on the board turned by half a turn.
    #[must_use]
    fn turned(&self) -> Self;
}

impl Lanes for () {
    const TIMED: bool = false;
    const LONGEST: u16 = 0;

    #[inline(always)]
    fn empty() -> Self {}
    #[inline(always)]
    fn latest() -> Self {}
    #[inline(always)]
    fn get(&self, _: Square) -> u16 {
        0
    }
    #[inline(always)]
    fn set(&mut self, _: Square, _: u16) {}
    #[inline(always)]
    fn set_each(&mut self, _: impl Iterator<Item = usize>, _: u16) {}
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
    fn turned(&self) -> Self {}
}

/// A distance in plies for each square of the board `G`.
#[derive(Clone, Copy, Debug)]
pub struct Distances<G: Geometry, T: Number>(G::Lanes<T>, PhantomData<G>);

/// Distances of up to 253 plies.
pub type Narrow<G> = Distances<G, u8>;
/// Distances of up to 65533 plies.
pub type Wide<G> = Distances<G, u16>;

/// The number that a distance is.
pub trait Number: Copy + Ord + Debug + Into<u16> + TryFrom<u16> + Send + Sync + 'static {
    /// Zero.
    const ZERO: Self;
    /// The greatest.
    const MAX: Self;

    /// One more, but no more than the greatest.
    #[must_use]
    fn after(self) -> Self;
    /// `self` where the lowest bit of `bit` is set, else zero.
    #[must_use]
    fn if_set(self, bit: u64) -> Self;
    /// `self` where the lowest bit of `bit` is set, else the greatest.
    #[must_use]
    fn unless_clear(self, bit: u64) -> Self;
    /// Of up to 64 numbers, those that are `number`, as bits.
    fn equal(numbers: &[Self], number: Self) -> u64;
}

macro_rules! number {
    ($number:ty, $equal:ident) => {
        impl Number for $number {
            const ZERO: Self = 0;
            const MAX: Self = <$number>::MAX;

            #[inline(always)]
            fn after(self) -> Self {
                self.saturating_add(1)
            }
            #[inline(always)]
            fn if_set(self, bit: u64) -> Self {
                self & ((bit & 1) as $number).wrapping_neg()
            }
            #[inline(always)]
            fn unless_clear(self, bit: u64) -> Self {
                self | ((bit & 1) as $number).wrapping_sub(1)
            }
            #[inline(always)]
            fn equal(numbers: &[Self], number: Self) -> u64 {
                $equal(numbers, number)
            }
        }
    };
}

number!(u8, equal_bytes);
number!(u16, equal_words);

/// Eight at a time, by which of them become zero.
#[inline(always)]
fn equal_bytes(bytes: &[u8], byte: u8) -> u64 {
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

#[inline(always)]
fn equal_words(numbers: &[u16], number: u16) -> u64 {
    (0..).zip(numbers).fold(0, |equal, (i, &lane)| equal | u64::from(lane == number) << i)
}

/// The bits of a set, in the order of the lanes.
#[inline(always)]
fn bits<G: Geometry>(set: Bitboard) -> u64 {
    G::Kept::keep(set).into()
}

impl<G: Geometry, T: Number> Lanes for Distances<G, T> {
    const TIMED: bool = true;
    const LONGEST: u16 = if size_of::<T>() == 1 { u8::MAX as u16 - 2 } else { u16::MAX - 2 };

    #[inline(always)]
    fn empty() -> Self {
        Distances(PerSquare::filled(T::ZERO), PhantomData)
    }
    #[inline(always)]
    fn latest() -> Self {
        Distances(PerSquare::filled(T::MAX), PhantomData)
    }
    #[inline(always)]
    fn get(&self, square: Square) -> u16 {
        self.0.as_ref()[G::lane(square)].into()
    }
    #[inline(always)]
    fn set(&mut self, square: Square, plies: u16) {
        // Callers check against LONGEST when a distance is settled.
        self.0.as_mut()[G::lane(square)] = T::try_from(plies).unwrap_or(T::MAX);
    }
    #[inline(always)]
    fn set_each(&mut self, lanes: impl Iterator<Item = usize>, plies: u16) {
        let (plies, all) = (T::try_from(plies).unwrap_or(T::MAX), self.0.as_mut());
        for lane in lanes {
            all[lane & (<G::Lanes<T> as PerSquare<T>>::LEN - 1)] = plies;
        }
    }
    #[inline]
    fn keep_sooner(&mut self, mask: Bitboard, after: &Self) {
        let bits = bits::<G>(mask);
        for (i, (lane, after)) in self.0.as_mut().iter_mut().zip(after.0.as_ref()).enumerate() {
            *lane = (*lane).min(after.after().unless_clear(bits >> i));
        }
    }
    #[inline]
    fn keep_later(&mut self, mask: Bitboard, after: &Self) {
        let bits = bits::<G>(mask);
        for (i, (lane, after)) in self.0.as_mut().iter_mut().zip(after.0.as_ref()).enumerate() {
            *lane = (*lane).max(after.after().if_set(bits >> i));
        }
    }
    #[inline]
    fn equal(&self, mask: Bitboard, plies: u16) -> Bitboard {
        let Ok(plies) = T::try_from(plies) else { return Bitboard::EMPTY };
        mask & G::Kept::from_bits(T::equal(self.0.as_ref(), plies)).set()
    }
    #[inline]
    fn beyond(&self, mask: Bitboard, plies: u16) -> Bitboard {
        mask.into_iter().filter(|&square| self.get(square) > plies).collect()
    }
    #[inline]
    fn turned(&self) -> Self {
        let mut turned = Self::empty();
        let end = G::lane(Square::from_bit(G::TOP_BIT)) + 1;
        turned.0.as_mut()[..end].copy_from_slice(&self.0.as_ref()[..end]);
        turned.0.as_mut()[..end].reverse();
        turned
    }
}
