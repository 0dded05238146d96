//! A position, from the mover's side.

use std::marker::PhantomData;

use crate::board::{Bitboard, Geometry};
use crate::rules::{Rules, Side};

/// A position of variant `R`, seen by the side to move: our men go up.
///
/// The sets of the two sides do not overlap, kings are pieces of either side, and no man stands on the row where it
/// would have become a king. Either side may be empty: the game is then over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Position<R> {
    ours: Bitboard,
    theirs: Bitboard,
    kings: Bitboard,
    rules: PhantomData<R>,
}

/// Three sets of squares that are not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Two pieces on a square, a king that is no piece, or a piece off the board.
    #[error("two pieces on one square, or a piece off the board")]
    Overlap,
    /// A man on the row where it would have become a king.
    #[error("a man on its promotion row")]
    ManOnPromotionRow,
}

impl<R: Rules> Position<R> {
    /// The position with these pieces of the mover and of the opponent, `kings` being the kings of both.
    ///
    /// # Errors
    /// If the sets overlap or leave the board, or a man stands on its promotion row.
    pub fn new(ours: Bitboard, theirs: Bitboard, kings: Bitboard) -> Result<Self, PositionError> {
        let all = ours | theirs;
        if ours.meets(theirs) || kings.minus(all).any() || all.minus(R::Geometry::BOARD).any() {
            return Err(PositionError::Overlap);
        }
        let position = Position { ours, theirs, kings, rules: PhantomData };
        if position.our_men().meets(R::Geometry::TOP_ROW) || position.their_men().meets(R::Geometry::BOTTOM_ROW) {
            return Err(PositionError::ManOnPromotionRow);
        }
        Ok(position)
    }

    /// The start position, seen by the side that moves first.
    #[must_use]
    pub fn start() -> Self {
        let height = R::Geometry::WIDTH;
        let ours = R::Geometry::rows(height - R::START_ROWS.end, height - R::START_ROWS.start);
        Self::from_sets(ours, R::Geometry::rotate(ours), Bitboard::EMPTY)
    }

    /// As [`Position::new`], for sets that are known to be a position.
    ///
    /// # Panics
    /// In debug builds, if they are not.
    #[inline]
    #[must_use]
    pub fn from_sets(ours: Bitboard, theirs: Bitboard, kings: Bitboard) -> Self {
        debug_assert_eq!(Self::new(ours, theirs, kings).err(), None, "not a position: {ours:?} {theirs:?} {kings:?}");
        Position { ours, theirs, kings, rules: PhantomData }
    }

    /// The pieces of the side to move.
    #[inline]
    #[must_use]
    pub const fn ours(self) -> Bitboard {
        self.ours
    }

    /// The pieces of the other side.
    #[inline]
    #[must_use]
    pub const fn theirs(self) -> Bitboard {
        self.theirs
    }

    /// The kings of both sides.
    #[inline]
    #[must_use]
    pub const fn kings(self) -> Bitboard {
        self.kings
    }

    /// The men of the side to move.
    #[inline]
    #[must_use]
    pub const fn our_men(self) -> Bitboard {
        self.ours.minus(self.kings)
    }

    /// The kings of the side to move.
    #[inline]
    #[must_use]
    pub fn our_kings(self) -> Bitboard {
        self.ours & self.kings
    }

    /// The men of the other side.
    #[inline]
    #[must_use]
    pub const fn their_men(self) -> Bitboard {
        self.theirs.minus(self.kings)
    }

    /// The kings of the other side.
    #[inline]
    #[must_use]
    pub fn their_kings(self) -> Bitboard {
        self.theirs & self.kings
    }

    /// All pieces.
    #[inline]
    #[must_use]
    pub fn occupied(self) -> Bitboard {
        self.ours | self.theirs
    }

    /// The free squares.
    #[inline]
    #[must_use]
    pub fn empty(self) -> Bitboard {
        R::Geometry::BOARD.minus(self.occupied())
    }

    /// The same pieces with the other side to move: the board turned by half a turn.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Self {
        Position {
            ours: R::Geometry::rotate(self.theirs),
            theirs: R::Geometry::rotate(self.ours),
            kings: R::Geometry::rotate(self.kings),
            rules: PhantomData,
        }
    }

    /// How many kings and men the mover and the opponent have.
    #[inline]
    #[must_use]
    pub fn sides(self) -> (Side, Side) {
        (
            Side { kings: self.our_kings().len(), men: self.our_men().len() },
            Side { kings: self.their_kings().len(), men: self.their_men().len() },
        )
    }
}
