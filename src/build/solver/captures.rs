//! Captures of a whole word at once.
//!
//! All pieces but the running one are fixed. A capture is walked once for the *set* of squares of the running piece
//! for which it holds; the set shrinks on the way, and one of four things is known of the running piece:
//!
//! - it belongs to the other side and may still be taken: on the line before the first fixed piece it is the victim
//!   (the walk goes on for those squares alone), elsewhere it is in the way where it stands on the path;
//! - it belongs to the capturing side and is only in the way;
//! - it has been taken on this walk: it blocks until the move ends, or is gone where pieces are removed at once;
//! - it is the capturer itself: its square of origin is empty and matters no more, so that one walk serves all squares
//!   behind a victim.
//!
//! What a walk leaves behind is a list of [`Leaf`]s: how the board stands after the capture, for which squares.

use crate::board::{Bitboard, Direction, Geometry};
use crate::build::solver::layout::Runner;
use crate::build::solver::library::Pieces;
use crate::build::solver::sets::Sets;
use crate::rules::{Priority, Promotion, Rules};

/// One capture, for a set of squares of the running piece.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Squares of the running piece for which this capture exists.
    pub squares: Bitboard,
    /// The fixed pieces it takes.
    pub taken: Bitboard,
    /// Where the capturer came from; empty if it is the running piece.
    pub from: Bitboard,
    /// Where the capturer ends; a flying king may have several squares to choose from where the running piece is gone.
    pub to: Bitboard,
    /// Whether the capturer is a king before the move.
    pub was_king: bool,
    /// Whether the capturer is a king after the move.
    pub is_king: bool,
    /// Whether the running piece still stands where it stood.
    pub runs: bool,
    /// What priority counts, at least 1; a capture of a higher rank goes first. See `Walk::rank`.
    pub rank: u8,
}

/// What is known of the running piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Running {
    Theirs,
    Ours,
    Taken,
    Capturer,
}

/// The captures of one word and side.
#[derive(Debug)]
pub struct Captures {
    /// The captures found.
    pub leaves: Vec<Leaf>,
    /// By rank of priority, squares of the running piece for which there is such a capture.
    ranked: [Bitboard; MOST_RANKS],
    /// The highest rank there is.
    highest: usize,
}

/// A power of 2 above every rank: 12 pieces, all of them kings, have rank 90.
const MOST_RANKS: usize = 128;

impl Default for Captures {
    fn default() -> Self {
        Captures { leaves: Vec::new(), ranked: [Bitboard::EMPTY; MOST_RANKS], highest: 0 }
    }
}

impl Captures {
    /// Squares of the running piece for which the side must capture.
    #[must_use]
    pub fn obligatory(&self) -> Bitboard {
        self.at_least(0)
    }

    /// The squares for which there is a capture of this rank or a higher one.
    #[inline]
    fn at_least(&self, rank: usize) -> Bitboard {
        let mut all = Bitboard::EMPTY;
        for rank in rank..=self.highest {
            all |= self.ranked[rank & (MOST_RANKS - 1)];
        }
        all
    }

    /// The part of the squares of `leaf` for which no capture of a higher rank exists.
    #[inline]
    #[must_use]
    pub fn allowed(&self, leaf: &Leaf) -> Bitboard {
        leaf.squares.minus(self.at_least(leaf.rank as usize + 1))
    }

    /// Finds all captures of `side` with the running piece of the second side on each of `squares`.
    pub fn find<R: Rules>(&mut self, fixed: &Pieces, side: usize, runner: Runner, squares: Bitboard) {
        self.leaves.clear();
        for rank in 0..=self.highest {
            self.ranked[rank & (MOST_RANKS - 1)] = Bitboard::EMPTY;
        }
        self.highest = 0;
        let all = fixed.occupied();
        let mut walk = Walk::<R> {
            captures: self,
            side,
            victims: fixed.of(1 - side),
            victim_kings: fixed.kings[1 - side],
            runner,
            occupied: all,
            from: Bitboard::EMPTY,
            was_king: false,
            rules: std::marker::PhantomData,
        };
        let running = if side == 0 { Running::Theirs } else { Running::Ours };
        for (set, is_king) in [(fixed.men[side], false), (fixed.kings[side], true)] {
            walk.was_king = is_king;
            for square in set {
                walk.from = Bitboard::of(square);
                walk.occupied = all.minus(walk.from);
                walk.go_on(Step {
                    at: walk.from,
                    is_king,
                    squares,
                    running,
                    taken: Bitboard::EMPTY,
                    count: 0,
                    came: None,
                });
            }
        }
        if side == 1 {
            walk.from = Bitboard::EMPTY;
            walk.occupied = all;
            walk.was_king = runner == Runner::King;
            walk.run(squares);
        }
    }
}

/// The state of a walk between two jumps.
#[derive(Clone, Copy)]
struct Step {
    at: Bitboard,
    is_king: bool,
    squares: Bitboard,
    running: Running,
    taken: Bitboard,
    count: u8,
    came: Option<Direction>,
}

struct Walk<'a, R> {
    captures: &'a mut Captures,
    side: usize,
    /// The fixed pieces that may be taken.
    victims: Bitboard,
    /// Those of them that are kings.
    victim_kings: Bitboard,
    runner: Runner,
    /// The fixed pieces without the capturer.
    occupied: Bitboard,
    from: Bitboard,
    was_king: bool,
    rules: std::marker::PhantomData<R>,
}

/// A landing square or several, the squares of the running piece for which it can be reached, and those for which the
/// capture can go on from it.
#[derive(Clone, Copy)]
struct Landing {
    to: Bitboard,
    squares: Bitboard,
    going_on: Bitboard,
}

impl Landing {
    const NONE: Landing = Landing { to: Bitboard::EMPTY, squares: Bitboard::EMPTY, going_on: Bitboard::EMPTY };
}

impl<R: Rules> Walk<'_, R> {
    /// Fixed pieces in the way, given those taken so far.
    #[inline(always)]
    fn blockers(&self, taken: Bitboard) -> Bitboard {
        if R::REMOVES_DURING_CAPTURE { self.occupied.minus(taken) } else { self.occupied }
    }

    /// Whether the running piece, wherever it is, can be in the way.
    #[inline(always)]
    fn is_in_the_way(running: Running) -> bool {
        match running {
            Running::Theirs | Running::Ours => true,
            Running::Taken => !R::REMOVES_DURING_CAPTURE,
            Running::Capturer => false,
        }
    }

    /// Squares where a piece stands, or the running piece may stand, that can be taken.
    #[inline(always)]
    fn can_be_taken(&self, step: &Step) -> Bitboard {
        let victims = self.victims.minus(step.taken);
        if step.running == Running::Theirs { victims | step.squares } else { victims }
    }

    /// Explores all jumps from a square and returns the squares of the running piece for which there is one.
    #[inline(always)]
    fn go_on(&mut self, step: Step) -> Bitboard {
        // Most landing squares lead no further: that is seen before a call.
        if R::Geometry::REACH[step.at.first().index()].meets(self.can_be_taken(&step)) {
            self.jump(&step)
        } else {
            Bitboard::EMPTY
        }
    }

    #[inline(never)]
    fn jump(&mut self, step: &Step) -> Bitboard {
        let (step, mut any) = (*step, Bitboard::EMPTY);
        for d in Direction::ALL {
            if !step.is_king && !R::MAN_CAPTURES[self.seen_from_side(d).index()] {
                continue;
            }
            if R::FORBIDS_HALF_TURN && step.came == Some(d.opposite()) {
                continue;
            }
            any |= if step.is_king && R::FLYING_KINGS { self.fly(step, d) } else { self.hop(step, d) };
        }
        any
    }

    #[inline(always)]
    fn seen_from_side(&self, d: Direction) -> Direction {
        if self.side == 0 { d } else { d.opposite() }
    }

    /// A jump over the next square.
    #[inline]
    fn hop(&mut self, step: Step, d: Direction) -> Bitboard {
        let over = R::Geometry::step(d).apply(step.at);
        let to = R::Geometry::step(d).apply(over).minus(self.blockers(step.taken));
        if to.is_empty() {
            return Bitboard::EMPTY;
        }
        if over.meets(self.victims.minus(step.taken)) {
            let squares = if Self::is_in_the_way(step.running) { step.squares.minus(to) } else { step.squares };
            let next = Step { squares, taken: step.taken | over, ..step };
            self.land_on_one(next, to, d)
        } else if step.running == Running::Theirs && over.meets(step.squares) {
            self.land_on_one(Step { squares: over, running: Running::Taken, ..step }, to, d)
        } else {
            Bitboard::EMPTY
        }
    }

    /// Lands on the only square there is.
    #[inline]
    fn land_on_one(&mut self, step: Step, to: Bitboard, d: Direction) -> Bitboard {
        if step.squares.is_empty() {
            return Bitboard::EMPTY;
        }
        let landing = self.explore(step, to, step.squares, d);
        self.leave(step, landing, Bitboard::EMPTY);
        step.squares
    }

    /// A jump of a flying king over the first piece on a line.
    #[inline]
    fn fly(&mut self, step: Step, d: Direction) -> Bitboard {
        let ray = R::Geometry::RAYS[d.index()][step.at.first().index()];
        if !ray.meets(self.can_be_taken(&step)) {
            return Bitboard::EMPTY;
        }
        let victims = self.victims.minus(step.taken);
        let blockers = self.blockers(step.taken);
        let (first, path) = split::<R>(ray, blockers, d);
        let mut any = Bitboard::EMPTY;
        if step.running == Running::Theirs {
            let before = step.squares & path;
            if before.any() {
                let beyond = path.minus(nearest::<R>(before, d)) & after::<R>(nearest::<R>(before, d), d);
                let next = Step { squares: before, running: Running::Taken, ..step };
                any |= self.land_on_many(next, beyond, d, |squares, to, _| {
                    if R::KINGS_LAND_BEHIND {
                        squares & R::Geometry::step(d.opposite()).apply(to)
                    } else {
                        squares.minus(after::<R>(to, d) | to)
                    }
                });
            }
        }
        if first.meets(victims) {
            let squares = if Self::is_in_the_way(step.running) { step.squares.minus(path) } else { step.squares };
            if squares.any() {
                let beyond = landings::<R>(first, blockers, d);
                let next = Step { squares, taken: step.taken | first, ..step };
                let blocked = Self::is_in_the_way(step.running);
                any |= self.land_on_many(
                    next,
                    beyond,
                    d,
                    |squares, _, passed| {
                        if blocked { squares.minus(passed) } else { squares }
                    },
                );
            }
        }
        any
    }

    /// Lands on each square of `beyond`, nearest first; `reachable` tells for which squares of the running piece,
    /// given the landing square and all squares passed up to and with it.
    #[inline]
    fn land_on_many(
        &mut self,
        step: Step,
        beyond: Bitboard,
        d: Direction,
        reachable: impl Fn(Bitboard, Bitboard, Bitboard) -> Bitboard,
    ) -> Bitboard {
        let mut landings = [Landing::NONE; 10];
        let (mut count, mut any, mut going_on, mut passed) = (0, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        let mut left = beyond;
        while left.any() {
            let to = nearest::<R>(left, d);
            left = left.minus(to);
            passed |= to;
            let squares = reachable(step.squares, to, passed);
            if squares.is_empty() {
                continue;
            }
            let landing = self.explore(step, to, squares, d);
            any |= squares;
            going_on |= landing.going_on;
            landings[count] = landing;
            count += 1;
        }
        // A landing square from which the capture goes on excludes the others behind the same victim. Where the running
        // piece is gone, the squares left are a choice of the capturer for the same squares of the running piece.
        let is_gone = matches!(step.running, Running::Taken | Running::Capturer);
        let mut choice = Landing::NONE;
        for &landing in &landings[..count] {
            if is_gone && landing.squares == choice.squares {
                choice.to |= landing.to;
            } else {
                self.leave(step, choice, going_on);
                choice = landing;
            }
        }
        self.leave(step, choice, going_on);
        any
    }

    /// Looks for further jumps from a landing square.
    #[inline]
    fn explore(&mut self, step: Step, to: Bitboard, squares: Bitboard, d: Direction) -> Landing {
        let crowned = !step.is_king && to.meets(Sets::<R>::promotion_row(self.side));
        if crowned && R::PROMOTION == Promotion::EndsMove {
            return Landing { to, squares, going_on: Bitboard::EMPTY };
        }
        let is_king = step.is_king || (crowned && R::PROMOTION == Promotion::InPassing);
        let next = Step { at: to, squares, is_king, count: step.count + 1, came: Some(d), ..step };
        Landing { to, squares, going_on: self.go_on(next) }
    }

    /// Notes the captures that end on a landing square.
    #[inline]
    fn leave(&mut self, step: Step, landing: Landing, excluded: Bitboard) {
        let squares = landing.squares.minus(landing.going_on | excluded);
        if squares.is_empty() {
            return;
        }
        let rank = self.rank(&step);
        self.captures.ranked[rank as usize & (MOST_RANKS - 1)] |= squares;
        self.captures.highest = self.captures.highest.max(rank as usize);
        self.captures.leaves.push(Leaf {
            squares,
            taken: step.taken,
            from: self.from,
            to: landing.to,
            was_king: self.was_king,
            is_king: step.is_king || landing.to.meets(Sets::<R>::promotion_row(self.side)),
            runs: matches!(step.running, Running::Theirs | Running::Ours),
            rank,
        });
    }

    /// The rank of a capture that ends with this jump.
    #[inline(always)]
    fn rank(&self, step: &Step) -> u8 {
        let pieces = step.count + 1;
        match R::PRIORITY {
            Priority::Free => 1,
            Priority::KingsFirst => 1 + u8::from(self.was_king),
            Priority::MostPieces => pieces,
            Priority::MostPiecesThenKings => {
                let took_running_king = step.running == Running::Taken && self.runner == Runner::King;
                let kings = (step.taken & self.victim_kings).len() as u8 + u8::from(took_running_king);
                // Of one piece 0 or 1 are kings, of two 0 to 2, and so on: each has its own rank.
                pieces * (pieces + 1) / 2 + kings
            }
        }
    }

    /// Captures by the running piece itself: one walk for each victim and direction.
    fn run(&mut self, squares: Bitboard) {
        let empty = R::Geometry::BOARD.minus(self.occupied);
        for d in Direction::ALL {
            if !self.was_king && !R::MAN_CAPTURES[self.seen_from_side(d).index()] {
                continue;
            }
            let (forth, back) = (R::Geometry::step(d), R::Geometry::step(d.opposite()));
            for victim in self.victims & back.apply(empty) & forth.apply(empty) {
                let over = Bitboard::of(victim);
                let flies = self.was_king && R::FLYING_KINGS;
                let origins = if flies {
                    split::<R>(R::Geometry::RAYS[d.opposite().index()][victim.index()], self.occupied, d.opposite()).1
                } else {
                    back.apply(over)
                };
                let squares = squares & origins;
                if squares.is_empty() {
                    continue;
                }
                let step = Step {
                    at: Bitboard::EMPTY,
                    is_king: self.was_king,
                    squares,
                    running: Running::Capturer,
                    taken: over,
                    count: 0,
                    came: None,
                };
                if flies {
                    let beyond = landings::<R>(over, self.occupied, d);
                    self.land_on_many(step, beyond, d, |squares, _, _| squares);
                } else {
                    self.land_on_one(step, forth.apply(over), d);
                }
            }
        }
    }
}

/// The squares on which a flying king may land behind a fixed victim.
#[inline(always)]
fn landings<R: Rules>(victim: Bitboard, blockers: Bitboard, d: Direction) -> Bitboard {
    if R::KINGS_LAND_BEHIND {
        return R::Geometry::step(d).apply(victim).minus(blockers);
    }
    split::<R>(R::Geometry::RAYS[d.index()][victim.first().index()], blockers, d).1
}

/// The first blocker on a ray, and the squares before it.
#[inline(always)]
fn split<R: Rules>(ray: Bitboard, blockers: Bitboard, d: Direction) -> (Bitboard, Bitboard) {
    let first = nearest::<R>(ray & blockers, d);
    if first.is_empty() { (first, ray) } else { (first, ray.minus(first | after::<R>(first, d))) }
}

/// The first square of a set along a direction.
#[inline(always)]
fn nearest<R: Rules>(set: Bitboard, d: Direction) -> Bitboard {
    if R::Geometry::step(d).is_upward_in_bits() { set.lowest() } else { set.highest() }
}

/// All squares after `square` in the bit order of a direction; meaningful within one line.
#[inline(always)]
fn after<R: Rules>(square: Bitboard, d: Direction) -> Bitboard {
    if R::Geometry::step(d).is_upward_in_bits() {
        Bitboard::from_bits(!(square.bits() | square.bits().wrapping_sub(1)))
    } else {
        Bitboard::from_bits(square.bits().wrapping_sub(1))
    }
}
