//! A move, and playing it.
//!
//! A move is where a piece starts, where it ends, the *set* of pieces it takes, and whether it becomes a king. Routes
//! that take the same set between the same squares are one move. A capture may end where it began, so `from` and `to`
//! are kept apart and never merged into an exclusive-or of squares.

use crate::board::{Bitboard, Geometry, Square};
use crate::position::Position;
use crate::rules::{MoveKind, Rules};

/// One move, in the frame of the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Where the piece starts.
    pub from: Square,
    /// Where it ends; the same square as `from` after some circular captures.
    pub to: Square,
    /// The pieces taken; empty for a quiet move.
    pub captured: Bitboard,
    /// Whether a man becomes a king.
    pub promotes: bool,
}

impl Move {
    /// Whether the move takes something.
    #[inline]
    #[must_use]
    pub const fn is_capture(&self) -> bool {
        self.captured.any()
    }
}

impl<R: Rules> Position<R> {
    /// The legal moves: all captures the priority allows or, where there is none, all quiet moves. Empty if the side to
    /// move has lost.
    ///
    /// The order is fixed by the position and means nothing. [`Position::moves_into`] reuses a buffer.
    #[must_use]
    pub fn moves(self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.moves_into(&mut moves);
        moves
    }

    /// Puts the legal moves into `moves`, in place of what it held.
    #[inline]
    pub fn moves_into(self, moves: &mut Vec<Move>) {
        if self.must_capture() {
            self.captures_into(moves);
        } else {
            self.quiets_into(moves);
        }
    }

    /// Whether `mv`, a move of this position, is a conversion and cannot be undone: a capture, or a man's move forward.
    #[inline]
    #[must_use]
    pub fn converts(self, mv: &Move) -> bool {
        let is_man = self.our_men().contains(mv.from);
        mv.is_capture() || (is_man && R::Geometry::row(mv.to) < R::Geometry::row(mv.from))
    }

    /// What `mv`, a move of this position, is to a draw rule.
    #[inline]
    #[must_use]
    pub fn kind(self, mv: &Move) -> MoveKind {
        if mv.is_capture() {
            MoveKind::Capture
        } else if mv.promotes {
            MoveKind::Promotion
        } else if self.our_men().contains(mv.from) {
            MoveKind::Man
        } else {
            MoveKind::King
        }
    }

    /// Whether the side to move has a legal move.
    #[inline]
    #[must_use]
    pub fn has_move(self) -> bool {
        self.has_quiet() || self.must_capture()
    }

    /// Whether the game is over: the side to move has no piece or no move, and has lost.
    #[inline]
    #[must_use]
    pub fn is_over(self) -> bool {
        !self.has_move()
    }

    /// The position after `mv`, seen by the other side.
    ///
    /// # Panics
    /// In debug builds, if a move that is not legal here leaves no position.
    #[inline]
    #[must_use]
    pub fn play(self, mv: &Move) -> Self {
        self.moved(mv).turned()
    }

    /// The pieces after `mv`, the turn not being passed.
    #[inline]
    pub(super) fn moved(self, mv: &Move) -> Self {
        let (from, to) = (Bitboard::of(mv.from), Bitboard::of(mv.to));
        let is_king = mv.promotes || self.kings().meets(from);
        self.with_move(from, to, mv.captured, if is_king { to } else { Bitboard::EMPTY })
    }

    /// The pieces after one of ours went from `from` to `to` and took `captured`; `king` is `to` if it is a king there,
    /// and empty otherwise.
    #[inline(always)]
    pub(super) fn with_move(self, from: Bitboard, to: Bitboard, captured: Bitboard, king: Bitboard) -> Self {
        Position::from_sets(
            self.ours().minus(from) | to,
            self.theirs().minus(captured),
            self.kings().minus(from | captured) | king,
        )
    }
}
