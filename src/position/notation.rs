//! Moves as text: `32-28`, `c3-d4`, `26x17`, `c3:e5`, and longer forms where these name several moves.
//!
//! The short form is where the piece starts and where it ends. Where it fits more than one legal move, a capture is
//! written with its path (PDN 3.0): between two jumps the square where the piece turns or, if it goes straight on, the
//! square right behind the piece it took. A path settles what was taken; but a capture of one piece has no squares
//! between, so where even the path is not clear the captured squares follow in brackets, ascending: `c1:h6<e3>`.
//!
//! Read besides: any of `-`, `x`, `:` as the sign, or none between letters; blanks; upper-case letters; leading zeros;
//! a path where none is needed, also without the squares where it goes straight on; all squares where the piece stops,
//! in any order between start and end; the captured squares after start and end as in the Hub protocol,
//! `47x36x14x31x38`; and, if no sign is `-`, the captured squares after the start alone as the Turkish federation
//! writes them, `e4xe5xf6xg7`. Text that fits no legal move, or more than one, is refused.

use crate::board::{Bitboard, Square};
use crate::position::names::{excerpt, read_square, seen_from_white, square_name, square_names, squares_of_board};
use crate::position::route::{path, stops_on, taken_on};
use crate::position::{Fen, Move};
use crate::rules::{Colour, Rules};

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

    /// The text of every move of a line from here, each as [`Fen::move_text`] gives it where it is played.
    #[must_use]
    pub fn line_text(&self, line: &[Move]) -> Vec<String> {
        let mut fen = *self;
        let mut texts = Vec::with_capacity(line.len());
        for mv in line {
            texts.push(fen.move_text(mv, &fen.position.moves()));
            fen = fen.play(mv);
        }
        texts
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
        if let [mv] = moves.as_slice() {
            return Ok(*mv);
        }
        let text = excerpt(text.trim().as_bytes());
        if moves.is_empty() {
            return Err(MoveError::Illegal { text, capture_due: self.position.must_capture() });
        }
        let moves = moves.iter().map(|mv| self.move_text(mv, &legal)).collect();
        Err(MoveError::Ambiguous { text, moves })
    }

    fn name(&self, square: Square) -> String {
        square_name::<R>(square, self.mover)
    }

    /// The moves of `legal` that `text` fits: by start and end alone, as a path, or by the captured squares.
    fn moves_written(&self, text: &str, legal: &[Move]) -> Result<Vec<Move>, MoveError> {
        let Written { squares, captured, takes } = self.read_squares(text.as_bytes())?;
        let (from, last, rest) = (squares[0], squares[squares.len() - 1], &squares[1..]);
        let has_ends = |mv: &Move| mv.from == from && mv.to == last;
        let fits = |mv: &&Move| {
            if let Some(captured) = captured {
                return has_ends(mv) && mv.captured == captured;
            }
            let as_path = || rest.len() == 1 || taken_on(self.position, &squares) == Some(mv.captured);
            let as_hub = || mv.from == from && mv.to == rest[0] && mv.is_capture() && mv.captured == set(&rest[1..]);
            // All squares are other ones: a Turkish king may end on a square that it captured on.
            let by_captured =
                || takes && mv.from == from && mv.captured == set(rest) && mv.captured.len() as usize == rest.len();
            has_ends(mv) && as_path() || as_hub() || by_captured()
        };
        let fitting: Vec<Move> = legal.iter().filter(fits).copied().collect();
        if !fitting.is_empty() || captured.is_some() || rest.len() < 3 {
            return Ok(fitting);
        }
        let stops = set(&rest[..rest.len() - 1]);
        Ok(legal.iter().filter(|mv| has_ends(mv) && stops_on(self.position, mv, stops)).copied().collect())
    }

    /// The start, every turning square, and the end of a capture; start and end of a quiet move.
    fn path_text(&self, mv: &Move) -> String {
        let path = [mv.from].into_iter().chain(path(self.position, mv)).chain([mv.to]);
        let names: Vec<String> = path.map(|square| self.name(square)).collect();
        names.join(&R::CAPTURE_SIGN.to_string())
    }

    fn read_squares(&self, text: &[u8]) -> Result<Written, MoveError> {
        let mut reader = Reader { text, at: 0, mover: self.mover };
        let mut squares = vec![reader.square::<R>()?];
        let mut takes = true;
        loop {
            match reader.next() {
                Some(sign @ (b'-' | b'x' | b'X' | b':')) => {
                    takes &= sign != b'-';
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
                    return Ok(Written { squares, captured: Some(captured), takes });
                }
                Some(byte) if squares.len() == 1 && byte.is_ascii_alphabetic() => squares.push(reader.square::<R>()?),
                None if squares.len() > 1 => return Ok(Written { squares, captured: None, takes }),
                _ => return reader.fail("one of - x : and a square".to_string()),
            }
            // No capture takes more pieces than there are squares.
            if squares.len() > 66 {
                return reader.fail("the end of the move".to_string());
            }
        }
    }
}

/// A move as written.
struct Written {
    /// At least two.
    squares: Vec<Square>,
    /// The captured squares, if they are given in brackets.
    captured: Option<Bitboard>,
    /// Whether no sign says that it is a quiet move.
    takes: bool,
}

fn set(squares: &[Square]) -> Bitboard {
    squares.iter().copied().collect()
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
