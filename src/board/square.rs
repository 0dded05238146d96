//! One square of a board, as the bit that stands for it.

use std::fmt;

/// One square: the number of its bit in a [`crate::board::Bitboard`], in `0..64`.
///
/// Bits run row by row from the top left corner as the side to move sees the board, with one unused bit after every
/// two rows of a dark-square board. [`crate::board::Geometry`] translates to and from square numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of bit `bit`.
    ///
    /// # Panics
    /// In debug builds, if `bit` is 64 or more.
    #[inline]
    #[must_use]
    pub const fn from_bit(bit: u32) -> Self {
        debug_assert!(bit < 64);
        Square(bit as u8)
    }

    /// The number of its bit, in `0..64`.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// The same as an array index, in `0..64`; the mask lets the compiler drop bounds checks.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bit {}", self.0)
    }
}
