//! The pieces of a position by kind, from the side of the mover of the slice that is checked.

use std::ops::{Index, IndexMut};

use crate::board::{Bitboard, Geometry, Square};
use crate::index::{Row, Runner};
#[cfg(test)]
use crate::position::Position;
#[cfg(test)]
use crate::rules::Rules;
use crate::rules::Side;

/// Whose pieces, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Men of the side that moves, or has just moved.
    OurMan,
    /// Men of the other side.
    TheirMan,
    /// Kings of the side that moves, or has just moved.
    OurKing,
    /// Kings of the other side.
    TheirKing,
}

impl Kind {
    /// The piece that runs along the rows of the slice of `ours` against `theirs`.
    #[inline]
    pub fn runner(ours: Side, theirs: Side) -> Kind {
        match (ours.kings, theirs.kings) {
            (0, 0) => Kind::TheirMan,
            (0, _) => Kind::TheirKing,
            _ => Kind::OurKing,
        }
    }

    /// The same piece seen by the other side.
    pub fn turned(self) -> Kind {
        match self {
            Kind::OurMan => Kind::TheirMan,
            Kind::TheirMan => Kind::OurMan,
            Kind::OurKing => Kind::TheirKing,
            Kind::TheirKing => Kind::OurKing,
        }
    }
}

impl From<Runner> for Kind {
    fn from(runner: Runner) -> Kind {
        match runner {
            Runner::OurKing => Kind::OurKing,
            Runner::TheirKing => Kind::TheirKing,
            Runner::TheirMan => Kind::TheirMan,
        }
    }
}

/// A set of squares for each kind: all pieces of a position, or those that do not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pieces([Bitboard; 4]);

impl Index<Kind> for Pieces {
    type Output = Bitboard;
    #[inline(always)]
    fn index(&self, kind: Kind) -> &Bitboard {
        &self.0[kind as usize]
    }
}

impl IndexMut<Kind> for Pieces {
    #[inline(always)]
    fn index_mut(&mut self, kind: Kind) -> &mut Bitboard {
        &mut self.0[kind as usize]
    }
}

impl Pieces {
    /// The pieces of a row that do not run.
    #[inline]
    pub fn of_row(row: &Row) -> Pieces {
        Pieces([row.our_men, row.their_men, row.our_kings, row.their_kings])
    }

    /// All pieces of a position.
    #[cfg(test)]
    pub fn of_position<R: Rules>(position: &Position<R>) -> Pieces {
        Pieces([position.our_men(), position.their_men(), position.our_kings(), position.their_kings()])
    }

    /// All of them.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.ours() | self.theirs()
    }

    /// The mover's.
    #[inline(always)]
    pub fn ours(&self) -> Bitboard {
        self[Kind::OurMan] | self[Kind::OurKing]
    }

    /// The other side's.
    #[inline(always)]
    pub fn theirs(&self) -> Bitboard {
        self[Kind::TheirMan] | self[Kind::TheirKing]
    }

    /// With one more piece.
    #[inline(always)]
    pub fn with(mut self, kind: Kind, square: Square) -> Pieces {
        self[kind] = self[kind].with(square);
        self
    }

    /// Without the pieces on `squares`, all of them of the kind.
    #[inline(always)]
    pub fn minus(mut self, kind: Kind, squares: Bitboard) -> Pieces {
        self[kind] = self[kind].minus(squares);
        self
    }

    /// How many kings and men the mover and the other side have.
    #[inline]
    pub fn sides(&self) -> (Side, Side) {
        let count = |kind| self[kind].len();
        let ours = Side { kings: count(Kind::OurKing), men: count(Kind::OurMan) };
        (ours, Side { kings: count(Kind::TheirKing), men: count(Kind::TheirMan) })
    }

    /// The sets with each square mapped, seen by the other side.
    #[inline(always)]
    pub fn turned(&self, map: impl Fn(Bitboard) -> Bitboard) -> Pieces {
        let mapped = |kind| map(self[kind]);
        Pieces([mapped(Kind::TheirMan), mapped(Kind::OurMan), mapped(Kind::TheirKing), mapped(Kind::OurKing)])
    }
}

/// The squares where a piece of the kind may stand.
#[inline]
pub fn places<G: Geometry>(kind: Kind) -> Bitboard {
    match kind {
        Kind::OurMan => G::BOARD.minus(G::TOP_ROW),
        Kind::TheirMan => G::BOARD.minus(G::BOTTOM_ROW),
        Kind::OurKing | Kind::TheirKing => G::BOARD,
    }
}
