//! The order in which the squares of a board are counted.
//!
//! Either order is the bits of the board in one or two passes: first the squares of one half, then the others. The
//! *key* of a set is a `u128` with the first half in its low and the second in its high word, so that keys are in the
//! order of the squares and no bits need to be permuted.

use crate::board::{Bitboard, Geometry, Square};
use crate::rules::Rules;

/// The order of the squares within every piece of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Order {
    /// Row by row from the top left.
    RowMajor,
    /// The rows 0, 2, 4 .. from the top, then the rows 1, 3, 5 ..
    RowParity,
}

impl Order {
    /// The order that new tables of variant `R` use.
    ///
    /// A short king changes the parity of its row with every move, so values agree between rows of one parity: English
    /// tables of four pieces are about a tenth smaller that way. For flying kings it is the other way round.
    #[must_use]
    pub const fn of<R: Rules>() -> Order {
        if R::FLYING_KINGS { Order::RowMajor } else { Order::RowParity }
    }

    /// Its number in the header of a table.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Order::RowMajor => 0,
            Order::RowParity => 1,
        }
    }

    /// The order with this number in the header of a table.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Order> {
        match number {
            0 => Some(Order::RowMajor),
            1 => Some(Order::RowParity),
            _ => None,
        }
    }

    /// The squares of `set` on a board of geometry `G`, in this order.
    #[must_use]
    pub fn in_order<G: Geometry>(self, set: Bitboard) -> InOrder {
        InOrder { halves: self.sequence::<G>().halves(set) }
    }

    pub(super) fn sequence<G: Geometry>(self) -> Sequence {
        match self {
            Order::RowMajor => Sequence { early: !Bitboard::EMPTY },
            Order::RowParity => Sequence {
                early: (0..G::WIDTH).step_by(2).map(|r| G::rows(r, r + 1)).fold(Bitboard::EMPTY, |a, b| a | b),
            },
        }
    }
}

/// The squares of a set in the order of an index.
#[derive(Clone, Copy, Debug)]
pub struct InOrder {
    halves: [Bitboard; 2],
}

impl Iterator for InOrder {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.halves[0].pop().or_else(|| self.halves[1].pop())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = (self.halves[0].len() + self.halves[1].len()) as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for InOrder {}

/// An [`Order`] on one board: the squares of `early` come first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    early: Bitboard,
}

impl Sequence {
    /// The squares of `set` that come first, and the others.
    #[inline]
    pub fn halves(self, set: Bitboard) -> [Bitboard; 2] {
        [set & self.early, set.minus(self.early)]
    }

    /// All squares before `square` (unused bits may be among them).
    #[inline]
    pub fn before(self, square: Square) -> Bitboard {
        let lower = Bitboard::of(square).below_lowest();
        if self.early.contains(square) { self.early & lower } else { self.early | lower }
    }

    /// The square of `set` that has `ordinal` squares of the set before it.
    pub fn nth(self, set: Bitboard, ordinal: u32) -> Square {
        debug_assert!(ordinal < set.len());
        let [early, late] = self.halves(set);
        let (half, ordinal) = if ordinal < early.len() { (early, ordinal) } else { (late, ordinal - early.len()) };
        let mut bits = half.bits();
        for _ in 0..ordinal {
            bits &= bits - 1;
        }
        Bitboard::from_bits(bits).first()
    }

    /// The key of `set`.
    #[inline]
    pub fn key(self, set: Bitboard) -> u128 {
        let [early, late] = self.halves(set);
        u128::from(early.bits()) | u128::from(late.bits()) << 64
    }

    /// The set of `key`.
    #[inline]
    pub fn set(self, key: u128) -> Bitboard {
        Bitboard::from_bits(key as u64 | (key >> 64) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Dark8, Dark10, Full8};

    fn squares_come_row_by_row_or_by_parity<G: Geometry>() {
        let rows = |order: Order| order.in_order::<G>(G::BOARD).map(G::place).collect::<Vec<u32>>();
        assert_eq!(rows(Order::RowMajor), (0..G::SQUARES).collect::<Vec<u32>>());
        let parity: Vec<u32> = (0..2).flat_map(|p| (0..G::SQUARES).filter(move |s| s / G::ROW % 2 == p)).collect();
        assert_eq!(rows(Order::RowParity), parity);
        for order in [Order::RowMajor, Order::RowParity] {
            let sequence = order.sequence::<G>();
            for (ordinal, square) in order.in_order::<G>(G::BOARD).enumerate() {
                assert_eq!((sequence.before(square) & G::BOARD).len() as usize, ordinal);
                assert_eq!(sequence.nth(G::BOARD, ordinal as u32), square);
                assert_eq!(sequence.set(sequence.key(Bitboard::of(square))), Bitboard::of(square));
            }
        }
    }

    #[test]
    fn squares_come_row_by_row_or_by_parity_on_every_board() {
        squares_come_row_by_row_or_by_parity::<Dark10>();
        squares_come_row_by_row_or_by_parity::<Dark8>();
        squares_come_row_by_row_or_by_parity::<Full8>();
    }

    #[test]
    fn the_number_of_an_order_leads_back_to_it() {
        for order in [Order::RowMajor, Order::RowParity] {
            assert_eq!(Order::from_number(order.number()), Some(order));
        }
        assert_eq!(Order::from_number(2), None);
    }
}
