//! The columns of exports that are tables of integers.
//!
//! A new column is one entry of [`COLUMNS`]: every such export, and its card, takes names, types and values from here.
//! The order is by width, the widest first, so that a row of the NumPy form is 64 bytes without gaps.

use crate::dataset::export::row::{Row, sign};
use crate::rules::Colour;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number from 0 on, of so many bytes.
    Unsigned(u8),
    /// A whole number of so many bytes.
    Signed(u8),
}

impl Kind {
    /// Bytes of a value.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Kind::Unsigned(bytes) | Kind::Signed(bytes) => bytes as usize,
        }
    }

    /// Its name, as NumPy calls it: `uint8`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Kind::Unsigned(bytes) => format!("uint{}", 8 * bytes),
            Kind::Signed(bytes) => format!("int{}", 8 * bytes),
        }
    }
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// What stands for "none" where an export cannot leave a value out; `None` if there always is one.
    pub none: Option<i64>,
    /// What it means, units included.
    pub meaning: &'static str,
    /// The value of a row; sets of squares as the same 64 bits.
    pub value: fn(&Row) -> Option<i64>,
}

const fn column(name: &'static str, kind: Kind, meaning: &'static str, value: fn(&Row) -> Option<i64>) -> Column {
    Column { name, kind, none: None, meaning, value }
}

impl Column {
    const fn or(self, none: i64) -> Column {
        Column { none: Some(none), ..self }
    }
}

/// All columns, in the order in which they are written.
pub const COLUMNS: [Column; 19] = [
    column("our_men", Kind::Unsigned(8), "squares of the mover's men", |row| Some(row.our_men as i64)),
    column("our_kings", Kind::Unsigned(8), "squares of the mover's kings", |row| Some(row.our_kings as i64)),
    column("their_men", Kind::Unsigned(8), "squares of the other side's men", |row| Some(row.their_men as i64)),
    column("their_kings", Kind::Unsigned(8), "squares of the other side's kings", |row| Some(row.their_kings as i64)),
    column("captured", Kind::Unsigned(8), "squares of the pieces that the move played captures; 0 if none", |row| {
        Some(row.played_move.map_or(0, |mv| mv.captured as i64))
    }),
    column("game", Kind::Unsigned(4), "number of the game in the run, from 0", |row| Some(row.game as i64)),
    column("ply", Kind::Unsigned(4), "plies from the start of the game", |row| Some(row.ply.into())),
    column("score", Kind::Signed(2), SCORE, |row| row.score.map(i64::from)).or(i16::MIN as i64),
    column(
        "dtw",
        Kind::Signed(2),
        "plies to the end of the game by the tables, odd for wins and even for losses; none for draws and where no table \
         knows",
        |row| row.exact.and_then(|value| value.dtw).map(|dtw| dtw.0.into()),
    )
    .or(-1),
    column("legal_moves", Kind::Unsigned(2), "number of legal moves", |row| Some(row.legal_moves.into())),
    column("flag_bits", Kind::Unsigned(2), "a bit each, see below", |row| Some(row.flags.into())),
    column("mover", Kind::Unsigned(1), "side to move: 0 White, 1 Black", |row| {
        Some((row.mover == Colour::Black).into())
    }),
    column("pieces", Kind::Unsigned(1), "pieces of both sides", |row| Some(row.pieces().into())),
    column("from_square", Kind::Unsigned(1), "square where the move played starts; none in the last position of a game", |row| {
        row.played_move.map(|mv| mv.from.into())
    })
    .or(0),
    column("to_square", Kind::Unsigned(1), "square where it ends", |row| row.played_move.map(|mv| mv.to.into())).or(0),
    column("played", Kind::Signed(1), "result as played: 1 win, 0 draw, -1 loss", |row| {
        row.played.map(|wdl| sign(wdl).into())
    })
    .or(i8::MIN as i64),
    column("corrected", Kind::Signed(1), "result corrected by the tables: 1, 0, -1", |row| {
        row.corrected.map(|wdl| sign(wdl).into())
    })
    .or(i8::MIN as i64),
    column("wdl", Kind::Signed(1), "value by the tables, counts of moves ignored: 2 win, 0 draw, -2 loss", |row| {
        row.exact.map(|value| 2 * i64::from(sign(value.wdl)))
    })
    .or(i8::MIN as i64),
    column("ending", Kind::Unsigned(1), "why the game is over, see below", |row| Some(row.ending.into())),
];

/// What a score means.
pub(super) const SCORE: &str = "score of the search before the move, in hundredths of a man; 30000 - n a win in n plies, \
                     20000 - n a win that a table without distances promises, negative likewise; none where nothing \
                     was searched";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_64_bytes_and_every_column_starts_at_a_multiple_of_its_width() {
        let mut at = 0;
        for column in COLUMNS {
            assert_eq!(at % column.kind.bytes(), 0, "{}", column.name);
            at += column.kind.bytes();
        }
        assert_eq!(at, 64);
    }

    #[test]
    fn no_two_columns_have_one_name_and_what_stands_for_none_fits() {
        for (i, column) in COLUMNS.iter().enumerate() {
            assert!(COLUMNS[..i].iter().all(|other| other.name != column.name), "{}", column.name);
            let bits = 8 * column.kind.bytes() as u32;
            let fits = match column.kind {
                Kind::Unsigned(_) => column.none.unwrap_or(0) >= 0,
                Kind::Signed(_) => column.none.is_none_or(|none| none >= -(1 << (bits - 1))),
            };
            assert!(fits, "{}", column.name);
        }
    }
}
