//! The captures of a position, and the squares that they depend on.
//!
//! ```text
//! visit(square, taken):
//!     for each direction with a victim not yet taken and a free square behind it:
//!         for each square behind it on which the piece may land: visit(landing, taken + victim)
//!     if there was none: the capture ends here
//! ```
//!
//! The search notes the free squares that it relied on. With one more piece on any other square it would have gone the
//! same way: a piece of the mover's matters where it closes a way that was open, one of the other side also where it
//! could be taken.

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::build::verify::pieces::{Kind, Pieces};
use crate::rules::{Priority, Promotion, Rules};

/// A capture, which may be there more than once if it has several routes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// Where it begins.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// What it takes.
    pub taken: Bitboard,
    /// Whether a man is a king at its end.
    pub promotes: bool,
}

impl Capture {
    /// The pieces after it.
    #[inline]
    pub fn play(&self, before: &Pieces) -> Pieces {
        let from = Bitboard::of(self.from);
        let moved = if before[Kind::OurMan].meets(from) { Kind::OurMan } else { Kind::OurKing };
        let after = before.minus(moved, from).minus(Kind::TheirMan, self.taken).minus(Kind::TheirKing, self.taken);
        after.with(if self.promotes { Kind::OurKing } else { moved }, self.to)
    }
}

/// The legal captures found so far.
#[derive(Debug)]
pub struct Search<'a> {
    pieces: Pieces,
    /// Squares free, the one where the capturing piece started among them.
    free: Bitboard,
    from: Square,
    /// Whether the piece that might stand anywhere is the other side's.
    of_theirs: bool,
    /// Squares on which one more piece might change what was found.
    pub touched: Bitboard,
    /// The captures of the greatest weight.
    pub found: &'a mut Vec<Capture>,
    /// The weight of those found: none of less is legal. 0 where all are.
    pub weight: u32,
}

/// One jump: the victim and the squares behind it on which the piece may land.
struct Jump {
    victim: Bitboard,
    landings: Bitboard,
}

impl<'a> Search<'a> {
    /// A search among `pieces` that has found nothing yet; `found` is emptied.
    pub fn new<R: Rules>(pieces: &Pieces, of_theirs: bool, found: &'a mut Vec<Capture>) -> Self {
        found.clear();
        let free = R::Geometry::BOARD.minus(pieces.occupied());
        let (pieces, from) = (*pieces, Square::from_bit(0));
        Search { pieces, free, from, of_theirs, touched: Bitboard::EMPTY, found, weight: 0 }
    }

    /// Adds the captures that a piece of the mover, which need not be among the others, begins on `from` in direction
    /// `d`; returns the squares that must be free for it to begin.
    pub fn visit<R: Rules>(&mut self, kind: Kind, from: Square, d: Direction) -> Bitboard {
        let (at, free) = (Bitboard::of(from), self.free);
        (self.from, self.free) = (from, free.with(from));
        let jump = match kind {
            Kind::OurMan if R::MAN_CAPTURES[d.index()] => self.jump::<R>(at, d, Bitboard::EMPTY, false),
            Kind::OurKing => self.king_jump::<R>(at, d, Bitboard::EMPTY, None),
            _ => None,
        };
        let mut needed = Bitboard::EMPTY;
        if let Some(Jump { victim, landings }) = jump {
            needed = R::Geometry::step(d).apply(victim);
            if kind == Kind::OurKing && R::FLYING_KINGS {
                needed |= open::<R>(from, d, self.free);
            }
            for to in landings {
                match kind {
                    Kind::OurMan => self.land::<R>(Bitboard::of(to), victim, d),
                    _ => self.visit_king::<R>(Bitboard::of(to), victim, Some(d)),
                }
            }
        }
        self.free = free;
        needed
    }

    /// Goes on after a man's jump in direction `d`.
    #[inline]
    fn land<R: Rules>(&mut self, to: Bitboard, taken: Bitboard, d: Direction) {
        match R::PROMOTION {
            Promotion::EndsMove if to.meets(R::Geometry::TOP_ROW) => self.finish::<R>(to, taken, true),
            Promotion::InPassing if to.meets(R::Geometry::TOP_ROW) => self.visit_king::<R>(to, taken, Some(d)),
            _ => self.visit_man::<R>(to, taken),
        }
    }

    fn visit_man<R: Rules>(&mut self, at: Bitboard, taken: Bitboard) {
        let mut ends = true;
        for d in Direction::ALL {
            if !R::MAN_CAPTURES[d.index()] {
                continue;
            }
            if let Some(Jump { victim, landings: to }) = self.jump::<R>(at, d, taken, false) {
                ends = false;
                self.land::<R>(to, taken | victim, d);
            }
        }
        if ends {
            self.finish::<R>(at, taken, at.meets(R::Geometry::TOP_ROW));
        }
    }

    fn visit_king<R: Rules>(&mut self, at: Bitboard, taken: Bitboard, came: Option<Direction>) {
        let mut ends = true;
        // A victim that is not there yet may be the piece that might stand anywhere.
        let victims = self.pieces.theirs().minus(taken);
        if !self.of_theirs && !R::Geometry::REACH[at.first().index()].meets(victims) {
            return self.finish::<R>(at, taken, self.pieces[Kind::OurMan].contains(self.from));
        }
        for d in Direction::ALL {
            if let Some(Jump { victim, landings }) = self.king_jump::<R>(at, d, taken, came) {
                ends = false;
                for to in landings {
                    self.visit_king::<R>(Bitboard::of(to), taken | victim, Some(d));
                }
            }
        }
        if ends {
            self.finish::<R>(at, taken, self.pieces[Kind::OurMan].contains(self.from));
        }
    }

    /// The jump of a king, with the landings between which it may choose: where the choice of capture is free, one
    /// behind the same victim that goes on rules out those that do not.
    #[inline]
    fn king_jump<R: Rules>(
        &mut self,
        at: Bitboard,
        d: Direction,
        taken: Bitboard,
        came: Option<Direction>,
    ) -> Option<Jump> {
        let half_turn = |d: Direction, came: Option<Direction>| R::FORBIDS_HALF_TURN && came == Some(d.opposite());
        if half_turn(d, came) {
            return None;
        }
        let jump = self.jump::<R>(at, d, taken, R::FLYING_KINGS)?;
        if R::PRIORITY.ignores_numbers() && jump.landings.many() {
            let taken = taken | jump.victim;
            let victims = self.pieces.theirs().minus(taken);
            let is_near = |landing: &Square| self.of_theirs || R::Geometry::REACH[landing.index()].meets(victims);
            let near: Bitboard = jump.landings.into_iter().filter(is_near).collect();
            let mut goes_on = Bitboard::EMPTY;
            for landing in near {
                for next in Direction::ALL {
                    // Every way on is looked at, for what it touches.
                    if !half_turn(next, Some(d))
                        && self.jump::<R>(Bitboard::of(landing), next, taken, R::FLYING_KINGS).is_some()
                    {
                        goes_on = goes_on.with(landing);
                    }
                }
            }
            if goes_on.any() {
                return Some(Jump { landings: goes_on, ..jump });
            }
        }
        Some(jump)
    }

    #[inline]
    fn jump<R: Rules>(&mut self, at: Bitboard, d: Direction, taken: Bitboard, flying: bool) -> Option<Jump> {
        let empty = if R::REMOVES_DURING_CAPTURE { self.free | taken } else { self.free };
        let victims = self.pieces.theirs().minus(taken);
        let step = R::Geometry::step(d);
        if !flying {
            let victim = step.apply(at);
            let behind = step.apply(victim & victims) & empty;
            if self.of_theirs {
                self.touched |= victim & empty;
            }
            self.touched |= behind;
            return behind.any().then_some(Jump { victim, landings: behind });
        }
        if !self.of_theirs && !R::Geometry::RAYS[d.index()][at.first().index()].meets(victims) {
            return None;
        }
        let way = open::<R>(at.first(), d, empty);
        let victim = step.apply(way | at).minus(way) & victims;
        let behind = step.apply(victim) & empty;
        if self.of_theirs || behind.any() {
            self.touched |= way;
        }
        if behind.is_empty() {
            return None;
        }
        let landings = if R::KINGS_LAND_BEHIND { behind } else { open::<R>(victim.first(), d, empty) };
        self.touched |= landings;
        Some(Jump { victim, landings })
    }

    /// Adds the capture that ends on `at`, if no capture found rules it out.
    fn finish<R: Rules>(&mut self, at: Bitboard, taken: Bitboard, promotes: bool) {
        let weight = match R::PRIORITY {
            Priority::Free => 0,
            Priority::KingsFirst => u32::from(!self.pieces[Kind::OurMan].contains(self.from)),
            Priority::MostPieces => taken.len(),
            Priority::MostPiecesThenKings => 64 * taken.len() + (taken & self.pieces[Kind::TheirKing]).len(),
        };
        if weight < self.weight {
            return;
        }
        if weight > self.weight {
            self.weight = weight;
            self.found.clear();
        }
        let capture = Capture { from: self.from, to: at.first(), taken, promotes };
        if self.found.last() != Some(&capture) {
            self.found.push(capture);
        }
    }
}

/// The squares from `square` in direction `d`, without it, up to the first that is not in `empty`.
#[inline(always)]
pub fn open<R: Rules>(square: Square, d: Direction, empty: Bitboard) -> Bitboard {
    let ray = R::Geometry::RAYS[d.index()][square.index()];
    let blockers = ray.minus(empty);
    if R::Geometry::step(d).is_upward_in_bits() { ray & blockers.below_lowest() } else { ray.minus(blockers.up_to()) }
}
