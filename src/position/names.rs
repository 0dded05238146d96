//! Names of squares: numbers from one corner, or a file letter and a rank digit, always as White sees the board.
//!
//! A position is kept from the mover's side, so a name needs the colour of the mover: Black's board is turned back.

use crate::board::{Bitboard, Geometry, Square};
use crate::rules::{Colour, Rules, SquareNames};

/// The name of `square` on the board of a position whose side to move is `mover`: `32` or `c3`.
#[must_use]
pub fn square_name<R: Rules>(square: Square, mover: Colour) -> String {
    let mut name = String::with_capacity(2);
    push_square_name::<R>(&mut name, square, mover);
    name
}

/// Adds the name of a square to `text`.
pub(super) fn push_square_name<R: Rules>(text: &mut String, square: Square, mover: Colour) {
    let square = seen_from_white::<R>(square, mover);
    let digit = |value: u32| (b'0' + value as u8) as char;
    match R::SQUARE_NAMES {
        SquareNames::Numbers | SquareNames::NumbersMirrored => {
            let number = number_of::<R>(square);
            if number >= 10 {
                text.push(digit(number / 10));
            }
            text.push(digit(number % 10));
        }
        SquareNames::Letters | SquareNames::LettersOrNumbers => {
            text.push((b'a' + R::Geometry::column(square) as u8) as char);
            text.push(digit(R::Geometry::WIDTH - R::Geometry::row(square)));
        }
    }
}

/// The number of a square as White sees the board, from 1.
pub(super) fn number_of<R: Rules>(square: Square) -> u32 {
    counted::<R>(R::Geometry::place(square)) + 1
}

/// The square with a number, as White sees the board; `None` if there is none, or numbers name no squares here.
pub(crate) fn numbered_square<R: Rules>(number: u32) -> Option<Square> {
    let has_numbers = R::SQUARE_NAMES != SquareNames::Letters && (1..=R::Geometry::SQUARES).contains(&number);
    has_numbers.then(|| R::Geometry::square(counted::<R>(number - 1)))
}

/// The place of the square that is counted as number `place`, from 0, and the other way round.
fn counted<R: Rules>(place: u32) -> u32 {
    match R::SQUARE_NAMES {
        // From the lower right of a board that is kept as its mirror image: from the lower left.
        SquareNames::NumbersMirrored => {
            (R::Geometry::WIDTH - 1 - place / R::Geometry::ROW) * R::Geometry::ROW + place % R::Geometry::ROW
        }
        SquareNames::Numbers | SquareNames::Letters | SquareNames::LettersOrNumbers => place,
    }
}

/// The names of the squares of `set`, ascending: numbers as numbers, letters as text. The mover is `mover`.
#[must_use]
pub fn square_names<R: Rules>(set: Bitboard, mover: Colour) -> Vec<String> {
    squares_in_order::<R>(set, mover).map(|square| square_name::<R>(square, mover)).collect()
}

/// The squares of `set` in the order of their names.
pub(super) fn squares_in_order<R: Rules>(set: Bitboard, mover: Colour) -> impl Iterator<Item = Square> {
    // By file, then by rank, where files are named first; otherwise as they lie.
    let key = |square: Square| match R::SQUARE_NAMES {
        SquareNames::Numbers | SquareNames::NumbersMirrored => number_of::<R>(square),
        SquareNames::Letters | SquareNames::LettersOrNumbers => {
            let width = R::Geometry::WIDTH;
            R::Geometry::column(square) * width + (width - 1 - R::Geometry::row(square))
        }
    };
    let mut keyed = [(u32::MAX, Square::from_bit(0)); 64];
    let mut len = 0;
    for square in set {
        keyed[len] = (key(seen_from_white::<R>(square, mover)), square);
        len += 1;
    }
    keyed[..len].sort_unstable_by_key(|&(key, _)| key);
    keyed.into_iter().take(len).map(|(_, square)| square)
}

/// The same square seen from the other end of the board if `mover` is Black: maps between the mover's frame and
/// White's.
pub(super) fn seen_from_white<R: Rules>(square: Square, mover: Colour) -> Square {
    match mover {
        Colour::White => square,
        Colour::Black => R::Geometry::square(R::Geometry::SQUARES - 1 - R::Geometry::place(square)),
    }
}

/// What [`read_square`] found at the beginning of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ReadSquare {
    /// The square as White sees the board.
    pub(super) square: Square,
    /// Whether it was written as a number.
    pub(super) is_number: bool,
    /// Bytes of its name.
    pub(super) len: usize,
}

/// Reads the name of a square, as White sees the board, at the beginning of `text`. Letters may be upper case.
pub(super) fn read_square<R: Rules>(text: &[u8]) -> Option<ReadSquare> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        let number =
            text[..digits].iter().fold(0u32, |n, digit| n.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
        return numbered_square::<R>(number).map(|square| ReadSquare { square, is_number: true, len: digits });
    }
    let (&file, &rank) = (text.first()?, text.get(1)?);
    if matches!(R::SQUARE_NAMES, SquareNames::Numbers | SquareNames::NumbersMirrored) || !rank.is_ascii_digit() {
        return None;
    }
    let column = u32::from(file.to_ascii_lowercase().wrapping_sub(b'a'));
    let row = R::Geometry::WIDTH.checked_sub(u32::from(rank - b'0'))?;
    // A digit after the rank belongs to it: h12 is no square.
    if text.get(2).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    R::Geometry::square_at(row, column).map(|square| ReadSquare { square, is_number: false, len: 2 })
}

/// How squares of the board are written, for messages: `1 to 50`, or `a1 to h8`.
pub(super) fn squares_of_board<R: Rules>() -> String {
    let width = R::Geometry::WIDTH;
    match R::SQUARE_NAMES {
        SquareNames::Numbers | SquareNames::NumbersMirrored => format!("1 to {}", R::Geometry::SQUARES),
        SquareNames::Letters | SquareNames::LettersOrNumbers => {
            let dark = if R::Geometry::DARK_SQUARES_ONLY { ", dark ones only" } else { "" };
            format!("a1 to {}{width}{dark}", (b'a' + width as u8 - 1) as char)
        }
    }
}

/// The beginning of `text`, short enough for a message, with bytes that are not printable ASCII escaped.
pub(super) fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 12;
    let mut short = text[..text.len().min(LONGEST)].escape_ascii().to_string();
    if text.len() > LONGEST {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International, Russian, Turkish};

    fn names_are_read_back<R: Rules>() {
        for square in R::Geometry::BOARD {
            for mover in [Colour::White, Colour::Black] {
                let name = square_name::<R>(square, mover);
                let read = read_square::<R>(name.as_bytes()).expect("a name names a square");
                assert_eq!(seen_from_white::<R>(read.square, mover), square);
                assert_eq!(read.len, name.len());
            }
        }
    }

    #[test]
    fn names_are_read_back_on_every_board() {
        names_are_read_back::<International>();
        names_are_read_back::<English>();
        names_are_read_back::<Russian>();
        names_are_read_back::<Turkish>();
    }

    #[cfg(feature = "related")]
    #[test]
    fn spanish_numbers_begin_at_the_lower_right_of_a_mirrored_board() {
        use crate::rules::Spanish;
        names_are_read_back::<Spanish>();
        // The mirror image of a1 to g1, of a3 and of h8.
        let at = |row, column| <Spanish as Rules>::Geometry::square_at(row, column);
        let named = |text: &[u8]| read_square::<Spanish>(text).map(|read| read.square);
        assert_eq!([b"1", b"4", b"9"].map(|text| named(text)), [at(7, 0), at(7, 6), at(5, 0)]);
        assert_eq!((named(b"32"), named(b"33"), named(b"a1")), (at(0, 7), None, None));
        let row: Vec<String> = square_names::<Spanish>(<Spanish as Rules>::Geometry::BOTTOM_ROW, Colour::White);
        assert_eq!(row, ["1", "2", "3", "4"]);
        let row: Vec<String> = square_names::<Spanish>(<Spanish as Rules>::Geometry::BOTTOM_ROW, Colour::Black);
        assert_eq!(row, ["29", "30", "31", "32"]);
    }

    #[test]
    fn corners_have_the_names_of_the_rule_books() {
        let named = |text: &[u8]| read_square::<Russian>(text).map(|read| read.square);
        assert_eq!(named(b"b8"), named(b"1"));
        assert_eq!(named(b"c3"), named(b"22"));
        assert_eq!(named(b"g1"), named(b"32"));
        assert_eq!(named(b"a8"), None, "a light square");
        assert_eq!(read_square::<Turkish>(b"a8").map(|read| read.square.bit()), Some(0));
        assert_eq!(read_square::<Turkish>(b"1"), None, "numbers are ambiguous on the Turkish board");
        assert_eq!(read_square::<International>(b"c3"), None);
        for none in ["0", "51", "99999999999999999999", "", "-"] {
            assert_eq!(read_square::<International>(none.as_bytes()), None, "{none:?}");
        }
    }
}
