//! Sets of squares.
//!
//! A set is a `u64`; set algebra is bit algebra. A set never contains an unused ("ghost") bit of its board, which the
//! steps of [`crate::board::Geometry`] guarantee and [`crate::board::Geometry::check`] asserts in debug builds.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::board::Square;

/// A set of squares of one board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Bitboard(u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// The set whose bits are `bits`.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Bitboard(bits)
    }

    /// The set of `square` alone.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Self {
        Bitboard(1 << square.index())
    }

    /// The bits of the set.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set has no square.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has more than one square.
    #[inline]
    #[must_use]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The set without the squares of `other`.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The set with `square` added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// The set of the lowest square alone, or the empty set.
    #[inline]
    #[must_use]
    pub const fn lowest(self) -> Bitboard {
        Bitboard(self.0 & self.0.wrapping_neg())
    }

    /// The set of the highest square alone, or the empty set.
    #[inline]
    #[must_use]
    pub const fn highest(self) -> Bitboard {
        if self.0 == 0 { self } else { Bitboard(1 << (63 - self.0.leading_zeros())) }
    }

    /// The lowest square; bit 63 and meaningless for the empty set.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::from_bit(self.0.trailing_zeros() & 63)
    }

    /// Removes and returns the lowest square.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = self.first();
        self.0 &= self.0 - 1;
        Some(square)
    }

    /// Its squares, lowest first, each as a set of its own.
    #[inline]
    pub fn singles(mut self) -> impl Iterator<Item = Bitboard> {
        std::iter::from_fn(move || {
            let single = self.lowest();
            self ^= single;
            single.any().then_some(single)
        })
    }

    /// All squares up to and with the highest square of `self` in bit order; nothing for the empty set.
    #[inline]
    #[must_use]
    pub const fn up_to(self) -> Bitboard {
        let top = self.highest().0;
        Bitboard(top | top.wrapping_sub((top != 0) as u64))
    }

    /// All squares strictly below the lowest square of `self` in bit order; everything for the empty set.
    #[inline]
    #[must_use]
    pub const fn below_lowest(self) -> Bitboard {
        Bitboard(self.lowest().0.wrapping_sub(1))
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.len() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt;)*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard { Bitboard(self.0 $op other.0) }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) { *self = *self $op other; }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
