//! Routes of a capture: the squares on which a piece stops between its jumps.
//!
//! A move is a set of taken pieces, and several routes may take it. Text names a move by one of them.

use std::collections::HashSet;

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::position::captures::{Board, Jump};
use crate::position::{Move, Position};
use crate::rules::{Promotion, Rules};

/// The squares between start and end of one route of `mv`: where it turns or, if it goes straight on, the square right
/// behind the piece it took. None for a quiet move.
pub(super) fn path<R: Rules>(position: Position<R>, mv: &Move) -> Vec<Square> {
    let mut search = Route::new(position, mv, None);
    search.begin();
    search.path.reverse();
    search.path
}

/// Whether some route of `mv` stops on all of `stops`, and nowhere else between start and end.
pub(super) fn stops_on<R: Rules>(position: Position<R>, mv: &Move, stops: Bitboard) -> bool {
    Route::new(position, mv, Some(stops)).begin()
}

/// What a piece takes that goes from each of `squares` straight to the next; `None` if it cannot.
pub(super) fn taken_on<R: Rules>(position: Position<R>, squares: &[Square]) -> Option<Bitboard> {
    let board = Board::new(position, squares[0]);
    let mut is_king = position.kings().contains(squares[0]);
    let (mut taken, mut came) = (Bitboard::EMPTY, None);
    for pair in squares.windows(2) {
        let (mut at, to) = (pair[0], pair[1]);
        let d = Direction::ALL.into_iter().find(|d| R::Geometry::RAYS[d.index()][at.index()].contains(to))?;
        while at != to {
            let jump = jump(&board, Bitboard::of(at), d, taken, came, is_king)?;
            taken |= jump.victim;
            came = Some(d);
            at = if jump.landings.contains(to) { to } else { behind::<R>(jump.victim, d) };
            is_king |= is_crowned_on::<R>(at);
        }
    }
    Some(taken)
}

/// The square right behind a victim, which is free.
fn behind<R: Rules>(victim: Bitboard, d: Direction) -> Square {
    R::Geometry::step(d).apply(victim).first()
}

/// Whether a man that lands on `square` during a capture goes on as a king.
fn is_crowned_on<R: Rules>(square: Square) -> bool {
    R::PROMOTION == Promotion::InPassing && R::Geometry::TOP_ROW.contains(square)
}

fn jump<R: Rules>(
    board: &Board<R>,
    at: Bitboard,
    d: Direction,
    taken: Bitboard,
    came: Option<Direction>,
    is_king: bool,
) -> Option<Jump> {
    if is_king { board.king_jump(at, d, taken, came) } else { board.man_jump(at, d, taken) }
}

/// How a piece came to its square during a capture: the direction, and the square right behind the piece it took.
type Came = Option<(Direction, Square)>;

/// The search for one route of a capture.
struct Route<'a, R: Rules> {
    board: Board<R>,
    is_king: bool,
    mv: &'a Move,
    /// The squares between start and end on which it may stop, and must; `None` if that is free.
    stops: Option<Bitboard>,
    /// States from which the capture cannot be completed.
    dead: HashSet<(Bitboard, Bitboard, Square, Option<usize>)>,
    /// The squares between the jumps, the last first.
    path: Vec<Square>,
}

impl<'a, R: Rules> Route<'a, R> {
    fn new(position: Position<R>, mv: &'a Move, stops: Option<Bitboard>) -> Self {
        let board = Board::new(position, mv.from);
        let is_king = position.kings().contains(mv.from);
        Route { board, is_king, mv, stops, dead: HashSet::new(), path: Vec::new() }
    }

    fn begin(&mut self) -> bool {
        self.visit(self.mv.from, Bitboard::EMPTY, None, self.is_king, self.stops.unwrap_or_default())
    }

    /// Whether the capture can be completed from here, stopping on all that is `left`; then `path` holds the squares
    /// between the jumps still to make.
    fn visit(&mut self, at: Square, taken: Bitboard, came: Came, is_king: bool, left: Bitboard) -> bool {
        if taken == self.mv.captured {
            return at == self.mv.to && left.is_empty();
        }
        let arrived = came.map(|(d, _)| d);
        let state = (taken, left, at, arrived.map(Direction::index));
        if self.dead.contains(&state) {
            return false;
        }
        for d in Direction::ALL {
            let Some(jump) = jump(&self.board, Bitboard::of(at), d, taken, arrived, is_king) else {
                continue;
            };
            if !self.mv.captured.meets(jump.victim) {
                continue;
            }
            let came_next = Some((d, behind::<R>(jump.victim, d)));
            let taken = taken | jump.victim;
            let landings = match self.stops {
                Some(stops) if taken != self.mv.captured => jump.landings & stops,
                _ => jump.landings,
            };
            for landing in landings {
                let is_king = is_king || is_crowned_on::<R>(landing);
                // The last square is no stop between.
                let left = if taken == self.mv.captured { left } else { left.minus(Bitboard::of(landing)) };
                if self.visit(landing, taken, came_next, is_king, left) {
                    self.path.extend(came.map(|(before, behind)| if before == d { behind } else { at }));
                    return true;
                }
            }
        }
        self.dead.insert(state);
        false
    }
}
