//! Moves without a list of them: counting them, and playing each as it is found.
//!
//! Pieces that jump over their neighbours are looked at all at once. While no piece that jumps lands where it can jump
//! on, every jump is a move of its own, and the moves are the bits of a few sets. Other captures are searched for.
//!
//! A second jump is seen before the first is made: the sets of [`jumps`] hold after it too. No second jump passes the
//! square that the piece left, except the one back, which is no jump since the piece stood there when the sets were
//! found; and none passes the square that was emptied.

use crate::board::{Bitboard, Direction, Geometry};
use crate::position::captures::{EVERY_WAY, any, jumps};
use crate::position::quiets::king_quiets;
use crate::position::{Move, Position};
use crate::rules::{Priority, Promotion, Rules};

/// What the legal moves are.
enum Legal {
    /// All quiet moves.
    Quiets,
    /// One jump each of these men and short kings, by direction.
    Jumps { men: [Bitboard; 4], kings: [Bitboard; 4] },
    /// Captures that must be searched for.
    Captures,
}

const NONE: [Bitboard; 4] = [Bitboard::EMPTY; 4];

impl<R: Rules> Position<R> {
    /// The number of legal moves. `room` is for captures that must be searched for; what it held is lost.
    #[inline]
    #[must_use]
    pub fn count_moves(self, room: &mut Vec<Move>) -> u32 {
        match self.legal() {
            Legal::Quiets => self.count_quiets(),
            Legal::Jumps { men, kings } => {
                let counts = Direction::map(|d| men[d.index()].len() + kings[d.index()].len());
                counts[0] + counts[1] + counts[2] + counts[3]
            }
            Legal::Captures => {
                self.captures_into(room);
                room.len() as u32
            }
        }
    }

    /// Calls `visit` with the pieces after every legal move, the turn not being passed. `room` is as in
    /// [`Position::count_moves`].
    #[inline(always)]
    pub(super) fn each_moved(self, room: &mut Vec<Move>, mut visit: impl FnMut(Self)) {
        match self.legal() {
            Legal::Quiets => self.each_quiet(visit),
            Legal::Jumps { men, kings } => {
                Direction::each(|d| {
                    for from in men[d.index()].singles() {
                        visit(self.jumped(from, d, false));
                    }
                    for from in kings[d.index()].singles() {
                        visit(self.jumped(from, d, true));
                    }
                });
            }
            Legal::Captures => {
                self.captures_into(room);
                room.iter().for_each(|mv| visit(self.moved(mv)));
            }
        }
    }

    #[inline(always)]
    fn legal(self) -> Legal {
        let exposed = self.exposed();
        let jumps = jumps::<R>(exposed);
        let (men, kings) = (self.our_men(), if R::FLYING_KINGS { Bitboard::EMPTY } else { self.our_kings() });
        let men = men & any(jumps, R::MAN_CAPTURES);
        let kings = kings & any(jumps, EVERY_WAY);
        if R::FLYING_KINGS && self.far_capture(exposed) {
            return Legal::Captures;
        }
        if (men | kings).is_empty() {
            return Legal::Quiets;
        }
        let all_count_alike = match R::PRIORITY {
            Priority::Free | Priority::MostPieces => true,
            Priority::KingsFirst => kings.is_empty(),
            Priority::MostPiecesThenKings => self.their_kings().is_empty(),
        };
        let crowned = if R::PROMOTION == Promotion::InPassing { R::Geometry::TOP_ROW } else { Bitboard::EMPTY };
        let men = single_jumps::<R>(men, jumps, R::MAN_CAPTURES, crowned);
        let kings =
            if R::FLYING_KINGS { Some(NONE) } else { single_jumps::<R>(kings, jumps, EVERY_WAY, Bitboard::EMPTY) };
        match (men, kings) {
            (Some(men), Some(kings)) if all_count_alike => Legal::Jumps { men, kings },
            _ => Legal::Captures,
        }
    }

    #[inline(always)]
    fn each_quiet(self, mut visit: impl FnMut(Self)) {
        let empty = self.empty();
        Direction::each(|d| {
            if R::MAN_MOVES[d.index()] {
                let back = R::Geometry::step(d.opposite());
                for to in (R::Geometry::step(d).apply(self.our_men()) & empty).singles() {
                    visit(self.with_move(back.apply(to), to, Bitboard::EMPTY, to & R::Geometry::TOP_ROW));
                }
            }
        });
        for king in self.our_kings().singles() {
            for to in king_quiets::<R>(king, empty).singles() {
                visit(self.with_move(king, to, Bitboard::EMPTY, to));
            }
        }
    }

    /// The pieces after one of ours on `from` jumped over its neighbour in direction `d` and stopped there.
    #[inline(always)]
    fn jumped(self, from: Bitboard, d: Direction, is_king: bool) -> Self {
        let step = R::Geometry::step(d);
        let victim = step.apply(from);
        let to = step.apply(victim);
        self.with_move(from, to, victim, if is_king { to } else { to & R::Geometry::TOP_ROW })
    }
}

/// Those of `pieces` that jump in each of the directions `allowed`, unless a jump may go on: by another one, or
/// because it ends on `crowned`.
#[inline(always)]
fn single_jumps<R: Rules>(
    pieces: Bitboard,
    jumps: [Bitboard; 4],
    allowed: [bool; 4],
    crowned: Bitboard,
) -> Option<[Bitboard; 4]> {
    let jumping = Direction::map(|d| if allowed[d.index()] { jumps[d.index()] & pieces } else { Bitboard::EMPTY });
    let landings = Direction::map(|d| {
        let step = R::Geometry::step(d);
        step.apply(step.apply(jumping[d.index()]))
    });
    let goes_on = any(landings, allowed).meets(any(jumps, allowed) | crowned);
    if goes_on { None } else { Some(jumping) }
}
