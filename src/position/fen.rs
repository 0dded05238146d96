//! Positions as text: FEN as in PDN, `W:W31,K32:B1-3`.
//!
//! ```text
//! side to move : colour piece,piece,... : other colour piece,piece,...
//! piece: square, K square, or number-number; a K before a range makes kings of all of it
//! ```
//!
//! Read besides: either colour first, an empty side, blanks and line ends between any two marks, a final dot, and the
//! whole tag `[FEN "..."]`. Anything else is an error that points at the byte. Written: side, White, Black, squares
//! ascending, `K` on each king, no range, no dot.

use std::fmt;
use std::str::FromStr;

use crate::board::{Bitboard, Geometry, Square};
use crate::position::Position;
use crate::position::names::{
    ReadSquare, excerpt, number_of, numbered_square, push_square_name, read_square, square_name, squares_in_order,
    squares_of_board,
};
use crate::rules::{Colour, Rules};

/// A position with the colour of the side to move: what a FEN says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Fen<R: Rules> {
    /// The position, seen by the side to move.
    pub position: Position<R>,
    /// The side to move.
    pub mover: Colour,
}

/// Text that is not a FEN of the variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {at}: {kind}")]
pub struct FenError {
    /// Where the fault is: a byte of the text, counted from 0; the length of the text if it ends too soon.
    pub at: usize,
    /// What is wrong there.
    pub kind: FenErrorKind,
}

/// What is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// Something else stands where one of a few marks must.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What may stand here.
        expected: &'static str,
        /// The beginning of what does.
        found: String,
    },
    /// The side to move is given as `?`.
    #[error("the side to move is unknown (?): write W or B")]
    UnknownSide,
    /// One colour has two lists of pieces, the other none.
    #[error("the pieces of {0} are given twice")]
    ColourTwice(Colour),
    /// No square of the board has this name.
    #[error("no square \"{found}\" on this board: squares are {squares}")]
    NoSuchSquare {
        /// The beginning of what stands where a square must.
        found: String,
        /// The squares of the board.
        squares: String,
    },
    /// A range that is not two numbers, the lower first.
    #[error("expected two numbers, the lower first, in the range \"{0}\"")]
    Range(String),
    /// Two pieces on one square.
    #[error("square {0} is named twice")]
    SquareTwice(String),
    /// A man on the row where it would have become a king.
    #[error("a man of {colour} on {square} would have become a king: write K{square}")]
    ManOnPromotionRow {
        /// Whose man.
        colour: Colour,
        /// Where it stands.
        square: String,
    },
    /// More pieces of one colour than the start position has.
    #[error("more than {most} pieces of {colour}")]
    TooManyPieces {
        /// Whose pieces.
        colour: Colour,
        /// The number in the start position.
        most: u32,
    },
    /// Neither side has a piece.
    #[error("no pieces on the board")]
    NoPieces,
}

impl<R: Rules> Fen<R> {
    /// The start position, the side that moves first to move.
    #[must_use]
    pub fn start() -> Self {
        Fen { position: Position::start(), mover: R::FIRST_MOVER }
    }

    /// Reads a FEN; see the documentation of the format in this file.
    ///
    /// # Errors
    /// If `text` is not a FEN of the variant, with the byte where the fault is.
    ///
    /// # Examples
    /// ```
    /// use endame::position::Fen;
    /// use endame::rules::International;
    /// let fen: Fen<International> = Fen::parse(b"B:BK1-3:W50.")?;
    /// assert_eq!(fen.to_string(), "B:W50:BK1,K2,K3");
    /// assert_eq!(Fen::<International>::parse(b"W:W31:B51").unwrap_err().at, 7);
    /// # Ok::<(), endame::position::FenError>(())
    /// ```
    pub fn parse(text: &[u8]) -> Result<Self, FenError> {
        let mut reader = Reader { text, at: 0 };
        let wrapped = reader.tag_opening()?;
        let mover = reader.side_to_move()?;
        let mut pieces = Pieces::<R>::default();
        reader.expect(b':', "':' after the side to move")?;
        let first = reader.colour()?;
        pieces.read(&mut reader, first)?;
        reader.expect(b':', "',' or ':' and the pieces of the other side")?;
        let at = reader.at;
        if reader.colour()? == first {
            return Err(FenError { at, kind: FenErrorKind::ColourTwice(first) });
        }
        pieces.read(&mut reader, first.other())?;
        if pieces.all().is_empty() {
            return reader.fail(FenErrorKind::NoPieces);
        }
        reader.skip(b'.');
        if wrapped {
            reader.expect(b'"', "'\"' at the end of the tag")?;
            reader.expect(b']', "']' at the end of the tag")?;
        }
        if reader.at < text.len() {
            return reader.expected("the end of the position");
        }
        Ok(Fen { position: pieces.seen_by(mover), mover })
    }
}

impl<R: Rules> FromStr for Fen<R> {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Fen::parse(text.as_bytes())
    }
}

impl<R: Rules> fmt::Display for Fen<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fen { position, mover } = *self;
        let (white, black) = match mover {
            Colour::White => (position.ours(), position.theirs()),
            Colour::Black => (position.theirs(), position.ours()),
        };
        // Streams of positions are written: one call to the formatter, and nothing allocated for a piece.
        let mut text = String::with_capacity(6 + 4 * position.occupied().len() as usize);
        text.push(mover.letter());
        for (colour, set) in [(Colour::White, white), (Colour::Black, black)] {
            text.push(':');
            text.push(colour.letter());
            let mut between = "";
            for square in squares_in_order::<R>(set, mover) {
                text.push_str(between);
                if position.kings().contains(square) {
                    text.push('K');
                }
                push_square_name::<R>(&mut text, square, mover);
                between = ",";
            }
        }
        f.write_str(&text)
    }
}

/// The pieces read so far, as White sees the board.
#[derive(Default)]
struct Pieces<R> {
    white: Bitboard,
    black: Bitboard,
    kings: Bitboard,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Pieces<R> {
    fn all(&self) -> Bitboard {
        self.white | self.black
    }

    /// Reads the pieces of one side, which may be none.
    fn read(&mut self, reader: &mut Reader<'_>, colour: Colour) -> Result<(), FenError> {
        if matches!(reader.peek(), None | Some(b':' | b'.' | b'"')) {
            return Ok(());
        }
        loop {
            self.read_item(reader, colour)?;
            if !reader.skip(b',') {
                return Ok(());
            }
        }
    }

    /// Reads a square or a range, with or without a K.
    fn read_item(&mut self, reader: &mut Reader<'_>, colour: Colour) -> Result<(), FenError> {
        let is_king = reader.skip(b'K');
        let at = reader.at;
        let first = reader.square::<R>()?;
        let mut last = first;
        if reader.skip(b'-') {
            last = reader.square::<R>()?;
            let numbers = [first, last].map(|read| number_of::<R>(read.square));
            if !first.is_number || !last.is_number || numbers[1] < numbers[0] {
                return Err(FenError { at, kind: FenErrorKind::Range(excerpt(&reader.text[at..reader.at])) });
            }
        }
        if !first.is_number {
            return self.add(first.square, is_king, colour).map_err(|kind| FenError { at, kind });
        }
        for square in (number_of::<R>(first.square)..=number_of::<R>(last.square)).filter_map(numbered_square::<R>) {
            self.add(square, is_king, colour).map_err(|kind| FenError { at, kind })?;
        }
        Ok(())
    }

    fn add(&mut self, square: Square, is_king: bool, colour: Colour) -> Result<(), FenErrorKind> {
        let name = || square_name::<R>(square, Colour::White);
        if self.all().contains(square) {
            return Err(FenErrorKind::SquareTwice(name()));
        }
        let (pieces, last_row) = match colour {
            Colour::White => (&mut self.white, R::Geometry::TOP_ROW),
            Colour::Black => (&mut self.black, R::Geometry::BOTTOM_ROW),
        };
        if !is_king && last_row.contains(square) {
            return Err(FenErrorKind::ManOnPromotionRow { colour, square: name() });
        }
        if pieces.len() == R::MOST_PIECES {
            return Err(FenErrorKind::TooManyPieces { colour, most: R::MOST_PIECES });
        }
        *pieces = pieces.with(square);
        if is_king {
            self.kings = self.kings.with(square);
        }
        Ok(())
    }

    fn seen_by(&self, mover: Colour) -> Position<R> {
        let position = Position::from_sets(self.white, self.black, self.kings);
        if mover == Colour::White { position } else { position.turned() }
    }
}

/// A place in the text.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Passes over `mark` and the blanks after it, if it stands here.
    fn skip(&mut self, mark: u8) -> bool {
        let is_here = self.peek() == Some(mark);
        if is_here {
            self.at += 1;
            self.skip_blanks();
        }
        is_here
    }

    /// Passes over blanks and `[FEN "`; whether there was one.
    fn tag_opening(&mut self) -> Result<bool, FenError> {
        self.skip_blanks();
        let is_tag = self.text[self.at..].starts_with(b"[FEN");
        if is_tag {
            self.at += 4;
            self.skip_blanks();
            self.expect(b'"', "'\"' before the position")?;
        }
        Ok(is_tag)
    }

    fn expect(&mut self, mark: u8, expected: &'static str) -> Result<(), FenError> {
        if self.skip(mark) { Ok(()) } else { self.expected(expected) }
    }

    fn side_to_move(&mut self) -> Result<Colour, FenError> {
        if self.peek() == Some(b'?') {
            return self.fail(FenErrorKind::UnknownSide);
        }
        self.one_colour("the side to move, W or B")
    }

    fn colour(&mut self) -> Result<Colour, FenError> {
        self.one_colour("W or B before the pieces of a side")
    }

    fn one_colour(&mut self, expected: &'static str) -> Result<Colour, FenError> {
        if self.skip(b'W') {
            Ok(Colour::White)
        } else if self.skip(b'B') {
            Ok(Colour::Black)
        } else {
            self.expected(expected)
        }
    }

    fn square<R: Rules>(&mut self) -> Result<ReadSquare, FenError> {
        let Some(read) = read_square::<R>(&self.text[self.at..]) else {
            return self.fail(FenErrorKind::NoSuchSquare { found: self.token(), squares: squares_of_board::<R>() });
        };
        self.at += read.len;
        self.skip_blanks();
        Ok(read)
    }

    /// The beginning of the word that starts here: up to the next mark that can end a square.
    fn token(&self) -> String {
        let rest = &self.text[self.at..];
        let ends = |byte: &u8| matches!(byte, b',' | b':' | b'-' | b'.' | b'"') || byte.is_ascii_whitespace();
        excerpt(&rest[..rest.iter().position(ends).unwrap_or(rest.len()).max(1).min(rest.len())])
    }

    fn expected<T>(&self, expected: &'static str) -> Result<T, FenError> {
        let found = if self.at < self.text.len() { format!("\"{}\"", self.token()) } else { "the end".to_string() };
        self.fail(FenErrorKind::Expected { expected, found })
    }

    fn fail<T>(&self, kind: FenErrorKind) -> Result<T, FenError> {
        Err(FenError { at: self.at, kind })
    }
}
