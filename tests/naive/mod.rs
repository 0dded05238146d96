//! The rules once more, on rows and columns, one rule a line: what the fast generator is compared with.
//!
//! Shares no code with the crate; only text of positions and moves crosses the border. Row 0 is the top as White sees
//! the board, column 0 the left; White's men go up, towards row 0.

#![expect(dead_code, reason = "each test that includes this module uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};

/// Row and column.
pub type At = (i32, i32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Game {
    International,
    English,
    Russian,
    Turkish,
    Brazilian,
    Pool,
    Czech,
    Spanish,
    Thai,
}
use Game::*;

/// The games of this build, in the order of its variants.
pub const GAMES: &[Game] = if cfg!(feature = "related") {
    &[International, English, Russian, Turkish, Brazilian, Pool, Czech, Spanish, Thai]
} else {
    &[International, English, Russian, Turkish]
};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Piece {
    pub white: bool,
    pub king: bool,
}

/// The pieces on the board.
pub type Board = BTreeMap<At, Piece>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Move {
    pub from: At,
    pub to: At,
    pub taken: BTreeSet<At>,
    pub crowned: bool,
}

// The rules.

impl Game {
    pub fn name(self) -> &'static str {
        match self {
            International => "international",
            English => "english",
            Russian => "russian",
            Turkish => "turkish",
            Brazilian => "brazilian",
            Pool => "pool",
            Czech => "czech",
            Spanish => "spanish",
            Thai => "thai",
        }
    }

    pub fn size(self) -> i32 {
        if self == International { 10 } else { 8 }
    }

    pub fn men(self) -> usize {
        match self {
            International => 20,
            Turkish => 16,
            Thai => 8,
            English | Russian | Brazilian | Pool | Czech | Spanish => 12,
        }
    }

    pub fn is_playing_square(self, (row, column): At) -> bool {
        let on_board = (0..self.size()).contains(&row) && (0..self.size()).contains(&column);
        // The Spanish board has a dark corner at the lower right, all other dark boards at the lower left.
        on_board && (self == Turkish || ((row + column) % 2 == 1) != (self == Spanish))
    }

    pub fn squares(self) -> Vec<At> {
        let all = (0..self.size()).flat_map(|row| (0..self.size()).map(move |column| (row, column)));
        all.filter(|&at| self.is_playing_square(at)).collect()
    }

    /// The lines on which pieces move.
    fn directions(self) -> [At; 4] {
        if self == Turkish { [(-1, 0), (0, -1), (0, 1), (1, 0)] } else { [(-1, -1), (-1, 1), (1, -1), (1, 1)] }
    }

    fn king_flies(self) -> bool {
        self != English
    }

    fn man_moves(self, white: bool, direction: At) -> bool {
        direction.0 != backward(white)
    }

    fn man_captures(self, white: bool, direction: At) -> bool {
        matches!(self, International | Russian | Brazilian | Pool) || direction.0 != backward(white)
    }

    fn most_must_be_taken(self) -> bool {
        matches!(self, International | Turkish | Brazilian | Spanish)
    }

    /// Of captures that take as many pieces, those with the most kings go first.
    fn most_kings_must_be_taken(self) -> bool {
        self == Spanish
    }

    fn kings_capture_first(self) -> bool {
        self == Czech
    }

    fn taken_leave_at_once(self) -> bool {
        matches!(self, Turkish | Thai)
    }

    fn king_lands_right_behind(self) -> bool {
        self == Thai
    }

    fn may_turn_back(self) -> bool {
        self != Turkish
    }

    fn is_crowned_in_passing(self) -> bool {
        self == Russian
    }

    fn crowning_ends_the_move(self) -> bool {
        matches!(self, English | Czech | Spanish | Thai)
    }

    /// Of the squares behind one victim, those that lead to another capture go first.
    fn must_land_to_go_on(self) -> bool {
        matches!(self, Russian | Pool | Czech)
    }

    pub fn last_row(self, white: bool) -> i32 {
        if white { 0 } else { self.size() - 1 }
    }
}

fn backward(white: bool) -> i32 {
    if white { 1 } else { -1 }
}

fn next((row, column): At, direction: At) -> At {
    (row + direction.0, column + direction.1)
}

/// A piece in the middle of its capture.
#[derive(Clone)]
struct Capturing {
    at: At,
    piece: Piece,
    taken: BTreeSet<At>,
    came: Option<At>,
}

/// What the piece may jump, and where it may come down: one entry a direction.
fn jumps(game: Game, board: &Board, now: &Capturing) -> Vec<(At, Vec<At>, At)> {
    let stands = |at: At| board.get(&at).filter(|_| !(game.taken_leave_at_once() && now.taken.contains(&at)));
    let is_free = |at: At| game.is_playing_square(at) && stands(at).is_none();
    let mut found = Vec::new();
    for direction in game.directions() {
        if !now.piece.king && !game.man_captures(now.piece.white, direction) {
            continue;
        }
        if !game.may_turn_back() && now.came == Some((-direction.0, -direction.1)) {
            continue;
        }
        let flies = now.piece.king && game.king_flies();
        let mut victim = next(now.at, direction);
        while flies && is_free(victim) {
            victim = next(victim, direction);
        }
        if stands(victim).is_none_or(|piece| piece.white == now.piece.white) || now.taken.contains(&victim) {
            continue;
        }
        let mut landings = Vec::new();
        let mut landing = next(victim, direction);
        while is_free(landing) && (flies && !game.king_lands_right_behind() || landings.is_empty()) {
            landings.push(landing);
            landing = next(landing, direction);
        }
        if !landings.is_empty() {
            found.push((victim, landings, direction));
        }
    }
    found
}

fn after_jump(game: Game, now: &Capturing, victim: At, landing: At, direction: At) -> Capturing {
    let mut then = now.clone();
    then.at = landing;
    then.taken.insert(victim);
    then.came = Some(direction);
    if game.is_crowned_in_passing() && landing.0 == game.last_row(now.piece.white) {
        then.piece.king = true;
    }
    then
}

/// Every way to complete the capture; stops early, with too many in `out`, when there are more than `limit`.
fn complete(game: Game, board: &Board, now: &Capturing, out: &mut Vec<Capturing>, limit: usize) {
    let on_last_row = now.at.0 == game.last_row(now.piece.white);
    let crowned_and_done = game.crowning_ends_the_move() && !now.piece.king && on_last_row;
    let possible = if crowned_and_done { Vec::new() } else { jumps(game, board, now) };
    if possible.is_empty() && !now.taken.is_empty() {
        out.push(now.clone());
    }
    for (victim, landings, direction) in possible {
        let mut then: Vec<Capturing> =
            landings.into_iter().map(|landing| after_jump(game, now, victim, landing, direction)).collect();
        if game.must_land_to_go_on() && then.iter().any(|state| !jumps(game, board, state).is_empty()) {
            then.retain(|state| !jumps(game, board, state).is_empty());
        }
        for state in then {
            if out.len() <= limit {
                complete(game, board, &state, out, limit);
            }
        }
    }
}

/// The legal moves, or `None` if one piece has more than `limit` routes.
pub fn moves_within(game: Game, board: &Board, white: bool, limit: usize) -> Option<BTreeSet<Move>> {
    let mut captures = BTreeSet::new();
    let ours = board.iter().filter(|(_, piece)| piece.white == white);
    for (&from, &piece) in ours.clone() {
        let mut lifted = board.clone();
        lifted.remove(&from);
        let mut routes = Vec::new();
        let start = Capturing { at: from, piece, taken: BTreeSet::new(), came: None };
        complete(game, &lifted, &start, &mut routes, limit);
        if routes.len() > limit {
            return None;
        }
        for route in routes {
            let king = route.piece.king || route.at.0 == game.last_row(white);
            captures.insert(Move { from, to: route.at, taken: route.taken, crowned: king && !piece.king });
        }
    }
    if let Some(most) = captures.iter().map(|mv| mv.taken.len()).max() {
        if game.most_must_be_taken() {
            captures.retain(|mv| mv.taken.len() == most);
        }
        if game.most_kings_must_be_taken() {
            let kings = |mv: &Move| mv.taken.iter().filter(|at| board[at].king).count();
            let most = captures.iter().map(kings).max();
            captures.retain(|mv| Some(kings(mv)) == most);
        }
        if game.kings_capture_first() && captures.iter().any(|mv| board[&mv.from].king) {
            captures.retain(|mv| board[&mv.from].king);
        }
        return Some(captures);
    }
    let mut quiets = BTreeSet::new();
    for (&from, piece) in ours {
        for direction in game.directions() {
            let mut to = next(from, direction);
            let may = piece.king || game.man_moves(white, direction);
            while may && game.is_playing_square(to) && !board.contains_key(&to) {
                let crowned = !piece.king && to.0 == game.last_row(white);
                quiets.insert(Move { from, to, taken: BTreeSet::new(), crowned });
                to = next(to, direction);
                if !(piece.king && game.king_flies()) {
                    break;
                }
            }
        }
    }
    Some(quiets)
}

/// The legal moves of the side to move. It has lost if there is none.
pub fn moves(game: Game, board: &Board, white: bool) -> BTreeSet<Move> {
    moves_within(game, board, white, usize::MAX).expect("no limit")
}

/// The board after a move; the other side is to move then.
pub fn play(board: &Board, mv: &Move) -> Board {
    let mut after: Board = board.iter().filter(|(at, _)| !mv.taken.contains(at)).map(|(&at, &p)| (at, p)).collect();
    let mut piece = after.remove(&mv.from).expect("a piece moves");
    piece.king |= mv.crowned;
    after.insert(mv.to, piece);
    after
}

/// The positions one ply on, each once; the other side is to move in them.
pub fn successors(game: Game, board: &Board, white: bool) -> BTreeSet<Vec<(At, Piece)>> {
    moves(game, board, white).iter().map(|mv| play(board, mv).into_iter().collect()).collect()
}

// Text.

/// `32` or `c3`.
pub fn square_name(game: Game, (row, column): At) -> String {
    match game {
        International | English | Pool | Thai => (row * game.size() / 2 + column / 2 + 1).to_string(),
        // From the lower right, leftward and up.
        Spanish => ((7 - row) * 4 + (7 - column) / 2 + 1).to_string(),
        Russian | Turkish | Brazilian | Czech => format!("{}{}", (b'a' + column as u8) as char, game.size() - row),
    }
}

/// Squares in the order in which they are written.
pub fn names(game: Game, squares: impl IntoIterator<Item = At>) -> Vec<String> {
    let mut squares: Vec<At> = squares.into_iter().collect();
    match game {
        Russian | Turkish | Brazilian | Czech => squares.sort_by_key(|&(row, column)| (column, -row)),
        Spanish => squares.sort_by_key(|&(row, column)| (-row, -column)),
        International | English | Pool | Thai => squares.sort(),
    }
    squares.into_iter().map(|at| square_name(game, at)).collect()
}

pub fn fen(game: Game, board: &Board, white: bool) -> String {
    let side = |white: bool| {
        let of_side = |at: &At| board[at].white == white;
        let squares = board.keys().copied().filter(of_side);
        let kings: BTreeSet<String> =
            squares.clone().filter(|at| board[at].king).map(|at| square_name(game, at)).collect();
        let mark = |name: String| if kings.contains(&name) { format!("K{name}") } else { name };
        names(game, squares).into_iter().map(mark).collect::<Vec<String>>().join(",")
    };
    format!("{}:W{}:B{}", if white { "W" } else { "B" }, side(true), side(false))
}

// Random positions.

/// The splitmix64 generator.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// Up to `most` pieces a side, at least one in all, of which about `kings` in ten are kings.
pub fn random_board(game: Game, random: &mut Random, most: usize, kings: usize) -> Board {
    let squares = game.squares();
    let mut board = Board::new();
    let most = most.min(game.men());
    for white in [true, false] {
        for _ in 0..random.below(most) + usize::from(white) {
            let at = squares[random.below(squares.len())];
            let king = random.below(10) < kings || at.0 == game.last_row(white);
            board.entry(at).or_insert(Piece { white, king });
        }
    }
    board
}

pub fn start(game: Game) -> Board {
    let (first, last) = match game {
        International => (0, 4),
        Turkish => (1, 3),
        Thai => (0, 2),
        English | Russian | Brazilian | Pool | Czech | Spanish => (0, 3),
    };
    let mut board = Board::new();
    for at in game.squares() {
        let from_bottom = game.size() - 1 - at.0;
        if (first..last).contains(&from_bottom) {
            board.insert(at, Piece { white: true, king: false });
        } else if (first..last).contains(&at.0) {
            board.insert(at, Piece { white: false, king: false });
        }
    }
    board
}
