//! Captures: a search over what a piece can jump, from the facts of the variant.
//!
//! ```text
//! visit(square, taken):
//!     for each direction with a victim not yet taken and a free square behind it:
//!         for each square behind it on which the piece may land: visit(landing, taken + victim)
//!     if there was none: the capture ends here
//! ```
//!
//! During a capture the square where the piece started counts as free. Taken pieces stay as obstacles that cannot be
//! jumped again, unless the variant removes them at once. Every route is tried, and a finished capture is added if no
//! route before gave the same move. Remembering the states that were searched does not pay: climbing towards the
//! slowest boards of up to 20 pieces a side found none above 20 ms, where such a memory saved a third at most, and
//! it doubled the time of most others.
//!
//! A set of taken pieces also settles whether a man was crowned in passing: it was if and only if it took a piece from
//! the row below the last one. So two routes of one move never differ in [`Move::promotes`].

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::position::rays::{nearest, open_ray};
use crate::position::{Move, Position};
use crate::rules::{Priority, Promotion, Rules};

impl<R: Rules> Position<R> {
    /// Whether a capture is due, so that quiet moves are illegal.
    #[inline]
    #[must_use]
    pub fn must_capture(self) -> bool {
        let exposed = self.exposed();
        let jumps = jumps::<R>(exposed);
        if self.our_men().meets(any(jumps, R::MAN_CAPTURES)) {
            return true;
        }
        if R::FLYING_KINGS { self.far_capture(exposed) } else { self.our_kings().meets(any(jumps, EVERY_WAY)) }
    }

    /// By direction, their pieces behind which a square is free.
    #[inline(always)]
    pub(super) fn exposed(self) -> [Bitboard; 4] {
        let empty = self.empty();
        Direction::map(|d| R::Geometry::step(d.opposite()).apply(empty) & self.theirs())
    }

    /// Whether a flying king of ours can capture, `exposed` being [`Position::exposed`].
    #[inline(always)]
    pub(super) fn far_capture(self, exposed: [Bitboard; 4]) -> bool {
        let occupied = self.occupied();
        self.our_kings().into_iter().any(|king| {
            let seen = Direction::map(|d| {
                let ray = R::Geometry::RAYS[d.index()][king.index()];
                ray.meets(exposed[d.index()]) && nearest::<R::Geometry>(ray & occupied, d).meets(exposed[d.index()])
            });
            seen.contains(&true)
        })
    }

    /// Puts the legal captures into `moves`, in place of what it held: none that the priority rules out, none twice.
    pub fn captures_into(self, moves: &mut Vec<Move>) {
        moves.clear();
        let mut search = Search::new(self, moves);
        if R::PRIORITY == Priority::KingsFirst {
            search.visit_kings();
            if search.moves.is_empty() {
                search.visit_men();
            }
        } else {
            search.visit_men();
            search.visit_kings();
        }
    }

    /// The legal captures; see [`Position::captures_into`].
    #[must_use]
    pub fn captures(self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.captures_into(&mut moves);
        moves
    }
}

/// Every direction.
pub(super) const EVERY_WAY: [bool; 4] = [true; 4];

/// By direction, the squares from which a piece that jumps over its neighbour takes something, whoever stands there.
#[inline(always)]
pub(super) fn jumps<R: Rules>(exposed: [Bitboard; 4]) -> [Bitboard; 4] {
    Direction::map(|d| R::Geometry::step(d.opposite()).apply(exposed[d.index()]))
}

/// The union of the sets of the directions `allowed`.
#[inline(always)]
pub(super) fn any(sets: [Bitboard; 4], allowed: [bool; 4]) -> Bitboard {
    let [a, b, c, d] = Direction::map(|d| if allowed[d.index()] { sets[d.index()] } else { Bitboard::EMPTY });
    a | b | c | d
}

/// One jump: the victim and the squares behind it that are free.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    pub(super) victim: Bitboard,
    pub(super) landings: Bitboard,
}

/// What stands where while one piece captures.
#[derive(Clone, Copy)]
pub(super) struct Board<R: Rules> {
    position: Position<R>,
    /// The squares free at the start, the capturing piece's own among them.
    free: Bitboard,
}

impl<R: Rules> Board<R> {
    pub(super) fn new(position: Position<R>, from: Square) -> Self {
        Board { position, free: position.empty().with(from) }
    }

    #[inline(always)]
    fn empty(&self, taken: Bitboard) -> Bitboard {
        if R::REMOVES_DURING_CAPTURE { self.free | taken } else { self.free }
    }

    #[inline(always)]
    fn victims(&self, taken: Bitboard) -> Bitboard {
        self.position.theirs().minus(taken)
    }

    /// The jump of a man in direction `d`.
    ///
    /// Half turns need no check: behind a man is the piece it has just taken, or an empty square.
    #[inline(always)]
    pub(super) fn man_jump(&self, at: Bitboard, d: Direction, taken: Bitboard) -> Option<Jump> {
        if R::MAN_CAPTURES[d.index()] { self.step_jump(at, d, taken) } else { None }
    }

    /// The jump of a king in direction `d`, every square behind the victim on which it may land being a landing.
    #[inline(always)]
    fn any_king_jump(&self, at: Bitboard, d: Direction, taken: Bitboard, came: Option<Direction>) -> Option<Jump> {
        if R::FORBIDS_HALF_TURN && came == Some(d.opposite()) {
            return None;
        }
        if !R::FLYING_KINGS {
            return self.step_jump(at, d, taken);
        }
        let (empty, victims) = (self.empty(taken), self.victims(taken));
        let ray = R::Geometry::RAYS[d.index()][at.first().index()];
        if !ray.meets(victims) {
            return None;
        }
        let victim = nearest::<R::Geometry>(ray.minus(empty), d) & victims;
        let behind = R::Geometry::step(d).apply(victim) & empty;
        if behind.is_empty() {
            return None;
        }
        if R::KINGS_LAND_BEHIND {
            return Some(Jump { victim, landings: behind });
        }
        Some(Jump { victim, landings: open_ray::<R::Geometry>(victim.first(), d, empty) })
    }

    /// The jump of a king in direction `d`, with the landings between which it may choose: where the choice of capture
    /// is free, one behind the same victim that goes on rules out those that do not.
    #[inline(always)]
    pub(super) fn king_jump(
        &self,
        at: Bitboard,
        d: Direction,
        taken: Bitboard,
        came: Option<Direction>,
    ) -> Option<Jump> {
        let jump = self.any_king_jump(at, d, taken, came)?;
        if R::PRIORITY.ignores_numbers() && jump.landings.many() {
            let taken = taken | jump.victim;
            let goes_on = |&landing: &Square| {
                Direction::ALL
                    .into_iter()
                    .any(|next| self.any_king_jump(Bitboard::of(landing), next, taken, Some(d)).is_some())
            };
            let landings: Bitboard = jump.landings.into_iter().filter(goes_on).collect();
            if landings.any() {
                return Some(Jump { landings, ..jump });
            }
        }
        Some(jump)
    }

    #[inline(always)]
    fn step_jump(&self, at: Bitboard, d: Direction, taken: Bitboard) -> Option<Jump> {
        let step = R::Geometry::step(d);
        let victim = step.apply(at) & self.victims(taken);
        let landings = step.apply(victim) & self.empty(taken);
        if landings.any() { Some(Jump { victim, landings }) } else { None }
    }
}

struct Search<'a, R: Rules> {
    board: Board<R>,
    moves: &'a mut Vec<Move>,
    from: Square,
    /// Where the moves of the present piece begin in `moves`.
    start: usize,
    /// What each of `moves` takes, where the most must be taken: pieces, or pieces and then kings.
    most: u32,
}

impl<'a, R: Rules> Search<'a, R> {
    fn new(position: Position<R>, moves: &'a mut Vec<Move>) -> Self {
        let from = Square::from_bit(0);
        let board = Board::new(position, from);
        Search { board, moves, from, start: 0, most: 0 }
    }

    #[inline]
    fn start(&mut self, from: Square) {
        self.board = Board::new(self.board.position, from);
        self.from = from;
        self.start = self.moves.len();
    }

    fn visit_men(&mut self) {
        let position = self.board.position;
        let jumps = any(jumps::<R>(position.exposed()), R::MAN_CAPTURES);
        for from in position.our_men() & jumps {
            self.start(from);
            self.visit_man(Bitboard::of(from), Bitboard::EMPTY);
        }
    }

    fn visit_kings(&mut self) {
        for from in self.board.position.our_kings() {
            self.start(from);
            self.visit_king(Bitboard::of(from), Bitboard::EMPTY, None);
        }
    }

    fn visit_man(&mut self, at: Bitboard, taken: Bitboard) {
        let mut ends = true;
        Direction::each(|d| {
            if let Some(Jump { victim, landings: to }) = self.board.man_jump(at, d, taken) {
                ends = false;
                let taken = taken | victim;
                match R::PROMOTION {
                    Promotion::EndsMove if to.meets(R::Geometry::TOP_ROW) => self.finish(to, taken, true),
                    Promotion::InPassing if to.meets(R::Geometry::TOP_ROW) => self.visit_king(to, taken, Some(d)),
                    _ => self.visit_man(to, taken),
                }
            }
        });
        if ends {
            self.finish(at, taken, at.meets(R::Geometry::TOP_ROW));
        }
    }

    fn visit_king(&mut self, at: Bitboard, taken: Bitboard, came: Option<Direction>) {
        let mut ends = true;
        for d in Direction::ALL {
            if let Some(Jump { victim, landings }) = self.board.king_jump(at, d, taken, came) {
                ends = false;
                for to in landings {
                    self.visit_king(Bitboard::of(to), taken | victim, Some(d));
                }
            }
        }
        if ends {
            self.finish(at, taken, !self.board.position.kings().contains(self.from));
        }
    }

    /// Adds the capture that ends on `at`, if it is new, takes something, and no capture found takes more.
    fn finish(&mut self, at: Bitboard, taken: Bitboard, promotes: bool) {
        if !R::PRIORITY.ignores_numbers() {
            let kings = taken & self.board.position.kings();
            let count = match R::PRIORITY {
                Priority::MostPiecesThenKings => 64 * taken.len() + kings.len(),
                _ => taken.len(),
            };
            if count < self.most {
                return;
            }
            if count > self.most {
                self.most = count;
                self.moves.clear();
                self.start = 0;
            }
        }
        let mv = Move { from: self.from, to: at.first(), captured: taken, promotes };
        // One victim has one route.
        let is_new = !taken.many() || !self.moves[self.start..].contains(&mv);
        if taken.any() && is_new {
            self.moves.push(mv);
        }
    }
}
