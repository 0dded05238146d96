//! Quiet moves: one step of a man, one step or an open line of a king.
//!
//! Men are moved all at once: a direction is one shift of the set. Whether a quiet move is legal at all, because no
//! capture is due, is for the caller to know.

use crate::board::{Bitboard, Direction, Geometry};
use crate::position::rays::open_ray;
use crate::position::{Move, Position};
use crate::rules::Rules;

impl<R: Rules> Position<R> {
    /// Puts the moves that take nothing into `moves`, in place of what it held. They are legal only where
    /// [`Position::must_capture`] is false.
    #[inline]
    pub fn quiets_into(self, moves: &mut Vec<Move>) {
        moves.clear();
        let empty = self.empty();
        Direction::each(|d| {
            if R::MAN_MOVES[d.index()] {
                for to in R::Geometry::step(d).apply(self.our_men()) & empty {
                    let from = R::Geometry::step(d.opposite()).apply(Bitboard::of(to)).first();
                    let promotes = R::Geometry::TOP_ROW.contains(to);
                    moves.push(Move { from, to, captured: Bitboard::EMPTY, promotes });
                }
            }
        });
        for from in self.our_kings() {
            for to in king_quiets::<R>(Bitboard::of(from), empty) {
                moves.push(Move { from, to, captured: Bitboard::EMPTY, promotes: false });
            }
        }
    }

    /// The number of moves that take nothing.
    #[inline]
    #[must_use]
    pub fn count_quiets(self) -> u32 {
        let (empty, men, kings) = (self.empty(), self.our_men(), self.our_kings());
        let by_direction = Direction::map(|d| {
            let steppers = match (R::MAN_MOVES[d.index()], R::FLYING_KINGS) {
                (true, true) => men,
                (true, false) => men | kings,
                (false, true) => Bitboard::EMPTY,
                (false, false) => kings,
            };
            (R::Geometry::step(d).apply(steppers) & empty).len()
        });
        let steps = by_direction[0] + by_direction[1] + by_direction[2] + by_direction[3];
        if !R::FLYING_KINGS {
            return steps;
        }
        steps + kings.singles().map(|king| king_quiets::<R>(king, empty).len()).sum::<u32>()
    }

    /// Whether some piece can move without taking, be that legal or not.
    #[inline]
    #[must_use]
    pub fn has_quiet(self) -> bool {
        let (empty, men, kings) = (self.empty(), self.our_men(), self.our_kings());
        Direction::ALL.into_iter().any(|d| {
            let movers = if R::MAN_MOVES[d.index()] { men | kings } else { kings };
            R::Geometry::step(d).apply(movers).meets(empty)
        })
    }
}

/// The squares to which a king on the only square of `king` can move without taking.
#[inline(always)]
pub(super) fn king_quiets<R: Rules>(king: Bitboard, empty: Bitboard) -> Bitboard {
    let to = Direction::map(|d| {
        if R::FLYING_KINGS {
            open_ray::<R::Geometry>(king.first(), d, empty)
        } else {
            R::Geometry::step(d).apply(king) & empty
        }
    });
    to[0] | to[1] | to[2] | to[3]
}
