//! Moves as text: `32-28`, `c3-d4`, `26x17`, `c3:e5`, and longer forms where these name several moves.
//!
//! The short form is where the piece starts and where it ends. Where it fits more than one legal move, a capture is
//! written with its path (PDN 3.0): between two jumps the square where the piece turns or, if it goes straight on, the
//! square right behind the piece it took. A path settles what was taken; but a capture of one piece has no squares
//! between, so where even the path is not clear the captured squares follow in brackets, ascending: `c1:h6<e3>`.
//!
//! Read besides: any of `-`, `x`, `:` as the sign, or none between letters; blanks; upper-case letters; leading zeros;
//! a path where none is needed; and the captured squares after start and end as in the Hub protocol, `47x36x14x31x38`.
//! Text that fits no legal move, or more than one, is refused.

use std::collections::HashSet;

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::position::captures::{Board, Jump};
use crate::position::names::{excerpt, read_square, seen_from_white, square_name, square_names, squares_of_board};
use crate::position::{Fen, Move};
use crate::rules::{Colour, Promotion, Rules};

/// Text that is not a legal move of the position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text is not written as a move.
    #[error("byte {at}: expected {expected}, found \"{found}\"")]
    Syntax {
        /// The byte where it goes wrong, counted from 0.
        at: usize,
        /// What may stand there.
        expected: String,
        /// The beginning of what does.
        found: String,
    },
    /// No legal move is written so.
    #[error("\"{text}\" is not a legal move here{}", if *.capture_due { ": a capture is due" } else { "" })]
    Illegal {
        /// The beginning of the text.
        text: String,
        /// Whether a capture is due in the position.
        capture_due: bool,
    },
    /// More than one legal move is written so.
    #[error("\"{text}\" is ambiguous: write {}", .moves.join(" or "))]
    Ambiguous {
        /// The beginning of the text.
        text: String,
        /// The moves it fits, each in a form that is not ambiguous.
        moves: Vec<String>,
    },
}

impl<R: Rules> Fen<R> {
    /// The fen after `mv`: the other side is to move.
    #[must_use]
    pub fn play(&self, mv: &Move) -> Self {
        Fen { position: self.position.play(mv), mover: self.mover.other() }
    }

    /// The text of `mv`, a move of `legal`, which are the legal moves here. [`Fen::read_move`] gives the move back.
    #[must_use]
    pub fn move_text(&self, mv: &Move, legal: &[Move]) -> String {
        let sign = if mv.is_capture() { R::CAPTURE_SIGN } else { '-' };
        let short = format!("{}{sign}{}", self.name(mv.from), self.name(mv.to));
        let is_alone = legal.iter().filter(|other| (other.from, other.to) == (mv.from, mv.to)).count() < 2;
        if is_alone {
            return short;
        }
        let path = self.path_text(mv);
        if path != short && self.moves_written(&path, legal).as_deref() == Ok(&[*mv]) {
            return path;
        }
        format!("{short}<{}>", self.captured_names(mv).join(","))
    }

    /// The names of the squares of the pieces `mv` takes, ascending.
    #[must_use]
    pub fn captured_names(&self, mv: &Move) -> Vec<String> {
        square_names::<R>(mv.captured, self.mover)
    }

    /// Reads a move in any of the forms described in this file.
    ///
    /// # Errors
    /// If the text is not written as a move, or fits no legal move, or more than one.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let legal = self.position.moves();
        let moves = self.moves_written(text, &legal)?;
        let text = excerpt(text.trim().as_bytes());
        match moves.as_slice() {
            [] => Err(MoveError::Illegal { text, capture_due: self.position.must_capture() }),
            [mv] => Ok(*mv),
            several => {
                let moves = several.iter().map(|mv| self.move_text(mv, &legal)).collect();
                Err(MoveError::Ambiguous { text, moves })
            }
        }
    }

    fn name(&self, square: Square) -> String {
        square_name::<R>(square, self.mover)
    }

    /// The moves of `legal` that `text` fits: by start and end alone, as a path, or by the captured squares.
    fn moves_written(&self, text: &str, legal: &[Move]) -> Result<Vec<Move>, MoveError> {
        let Written { squares, captured } = self.read_squares(text.as_bytes())?;
        let (from, last) = (squares[0], squares[squares.len() - 1]);
        let fits = |mv: &&Move| {
            let by_ends = mv.from == from && mv.to == last;
            if let Some(captured) = captured {
                return by_ends && mv.captured == captured;
            }
            let as_path = || self.taken_on(&squares) == Some(mv.captured);
            let as_hub =
                || (mv.from, mv.to) == (from, squares[1]) && mv.captured == squares[2..].iter().copied().collect();
            if squares.len() == 2 { by_ends } else { by_ends && as_path() || as_hub() }
        };
        Ok(legal.iter().filter(fits).copied().collect())
    }

    /// The start, every turning square, and the end of a capture; start and end of a quiet move.
    fn path_text(&self, mv: &Move) -> String {
        let mut search =
            Route { board: Board::new(self.position, mv.from), mv, dead: HashSet::new(), path: Vec::new() };
        let is_king = self.position.kings().contains(mv.from);
        search.visit(mv.from, Bitboard::EMPTY, None, is_king);
        let path = [mv.from].into_iter().chain(search.path.into_iter().rev()).chain([mv.to]);
        let names: Vec<String> = path.map(|square| self.name(square)).collect();
        names.join(&R::CAPTURE_SIGN.to_string())
    }

    /// What a piece takes that goes from each of `squares` to the next by one jump; `None` if it cannot.
    fn taken_on(&self, squares: &[Square]) -> Option<Bitboard> {
        let board = Board::new(self.position, squares[0]);
        let mut is_king = self.position.kings().contains(squares[0]);
        let (mut taken, mut came) = (Bitboard::EMPTY, None);
        for pair in squares.windows(2) {
            let (d, jump) = Direction::ALL
                .into_iter()
                .filter_map(|d| Some((d, jump(&board, Bitboard::of(pair[0]), d, taken, came, is_king)?)))
                .find(|(_, jump)| jump.landings.contains(pair[1]))?;
            taken |= jump.victim;
            came = Some(d);
            is_king |= is_crowned_on::<R>(pair[1]);
        }
        Some(taken)
    }

    fn read_squares(&self, text: &[u8]) -> Result<Written, MoveError> {
        let mut reader = Reader { text, at: 0, mover: self.mover };
        let mut squares = vec![reader.square::<R>()?];
        loop {
            match reader.next() {
                Some(b'-' | b'x' | b'X' | b':') => {
                    reader.at += 1;
                    squares.push(reader.square::<R>()?);
                }
                Some(b'<') if squares.len() == 2 => {
                    let mut captured = Bitboard::EMPTY;
                    while matches!(reader.next(), Some(b'<' | b',')) {
                        reader.at += 1;
                        captured = captured.with(reader.square::<R>()?);
                    }
                    reader.end(b'>')?;
                    return Ok(Written { squares, captured: Some(captured) });
                }
                Some(byte) if squares.len() == 1 && byte.is_ascii_alphabetic() => squares.push(reader.square::<R>()?),
                None if squares.len() > 1 => return Ok(Written { squares, captured: None }),
                _ => return reader.fail("one of - x : and a square".to_string()),
            }
            // No capture takes more pieces than there are squares.
            if squares.len() > 66 {
                return reader.fail("the end of the move".to_string());
            }
        }
    }
}

/// A move as written: its squares, at least two, and the captured squares if they are given in brackets.
struct Written {
    squares: Vec<Square>,
    captured: Option<Bitboard>,
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    mover: Colour,
}

impl Reader<'_> {
    /// The next byte that is not blank, without passing over it.
    fn next(&mut self) -> Option<u8> {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.get(self.at).copied()
    }

    fn square<R: Rules>(&mut self) -> Result<Square, MoveError> {
        self.next();
        let Some(read) = read_square::<R>(&self.text[self.at..]) else {
            return self.fail(format!("a square, {}", squares_of_board::<R>()));
        };
        self.at += read.len;
        Ok(seen_from_white::<R>(read.square, self.mover))
    }

    fn end(&mut self, mark: u8) -> Result<(), MoveError> {
        if self.next() != Some(mark) {
            return self.fail(format!("',' or '{}'", mark as char));
        }
        self.at += 1;
        if self.next().is_some() { self.fail("the end of the move".to_string()) } else { Ok(()) }
    }

    fn fail<T>(&self, expected: String) -> Result<T, MoveError> {
        Err(MoveError::Syntax { at: self.at, expected, found: excerpt(&self.text[self.at..]) })
    }
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
    mv: &'a Move,
    /// States from which the capture cannot be completed.
    dead: HashSet<(Bitboard, Square, Option<usize>)>,
    /// The squares between the jumps, the last first.
    path: Vec<Square>,
}

impl<R: Rules> Route<'_, R> {
    /// Whether the capture can be completed from here; then `path` holds the squares between the jumps still to make.
    fn visit(&mut self, at: Square, taken: Bitboard, came: Came, is_king: bool) -> bool {
        if taken == self.mv.captured {
            return at == self.mv.to;
        }
        let arrived = came.map(|(d, _)| d);
        let state = (taken, at, arrived.map(Direction::index));
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
            let came_next = Some((d, R::Geometry::step(d).apply(jump.victim).first()));
            for landing in jump.landings {
                let is_king = is_king || is_crowned_on::<R>(landing);
                if self.visit(landing, taken | jump.victim, came_next, is_king) {
                    self.path.extend(came.map(|(before, behind)| if before == d { behind } else { at }));
                    return true;
                }
            }
        }
        self.dead.insert(state);
        false
    }
}
