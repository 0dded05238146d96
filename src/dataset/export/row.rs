//! A labelled position as integers: what every export of positions holds.
//!
//! Squares are numbered row by row from the top left, the first is 1, and set s has bit s - 1 for square s. The board
//! is that of the mover: with Black to move it is turned half round, so that the men of the mover always move towards
//! square 1. There are no unused bits, unlike inside the program.

use crate::board::{Bitboard, Geometry, Square};
use crate::dataset::record::Ending;
use crate::dataset::replay::Labelled;
use crate::rules::{Colour, Rules};
use crate::tablebase::Value;
use crate::value::Wdl;

/// What can be said of a position in one word: the name, and what it means. Flag number n is bit n.
pub const FLAGS: [(&str, &str); 10] = [
    ("capture", "a capture is due"),
    ("only-move", "there is but one legal move"),
    ("opening", "the move played belongs to the opening and was not chosen by the player"),
    ("duplicate", "the position repeats an earlier one of the dataset, seen by its mover"),
    ("table", "this position, or one before it in the game, has an exact value"),
    ("by-repetition", "the game ended by the third occurrence of a position: a draw"),
    ("by-count", "the game ended because the count of a draw rule was full: a draw"),
    ("by-limit", "the game was stopped at the limit of plies; only an agreed scoring gives it a result"),
    ("as-stated", "the game was read, and ended as its file states, not by a rule of play"),
    ("promotes", "the move played makes a man a king"),
];

/// The numbers of [`FLAGS`] that filters ask for.
const CAPTURE: usize = 0;
const OPENING: usize = 2;
const DUPLICATE: usize = 3;

/// One position with its labels, all seen by its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The number of the game in the run, from 0.
    pub game: u64,
    /// Plies from the start of the game.
    pub ply: u32,
    /// The colour of the mover.
    pub mover: Colour,
    /// The men of the mover.
    pub our_men: u64,
    /// The kings of the mover.
    pub our_kings: u64,
    /// The men of the other side.
    pub their_men: u64,
    /// The kings of the other side.
    pub their_kings: u64,
    /// Legal moves.
    pub legal_moves: u16,
    /// The move played; `None` in the last position of a game.
    pub played_move: Option<RowMove>,
    /// The score of the search, on the scale of [`Score`](crate::engine::Score).
    pub score: Option<i16>,
    /// The result as played.
    pub played: Option<Wdl>,
    /// The result corrected by the tables.
    pub corrected: Option<Wdl>,
    /// The value by the tables, counts of moves ignored.
    pub exact: Option<Value>,
    /// A bit for each of [`FLAGS`] that holds.
    pub flags: u16,
    /// Why the game is over: [`Ending::code`].
    pub ending: u8,
}

/// A move as squares, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowMove {
    /// Where the piece starts.
    pub from: u8,
    /// Where it ends, which may be where it started.
    pub to: u8,
    /// The captured pieces.
    pub captured: u64,
}

impl Row {
    /// The row of a position of game `game`; `is_new` if it did not stand before in the dataset.
    #[must_use]
    pub fn new<R: Rules>(game: u64, labelled: &Labelled<R>, is_new: bool) -> Row {
        let position = &labelled.fen.position;
        let dense = |set| dense::<R>(set);
        let square = |square: Square| R::Geometry::place(square) as u8 + 1;
        Row {
            game,
            ply: labelled.ply as u32,
            mover: labelled.fen.mover,
            our_men: dense(position.our_men()),
            our_kings: dense(position.our_kings()),
            their_men: dense(position.their_men()),
            their_kings: dense(position.their_kings()),
            legal_moves: labelled.legal.len() as u16,
            played_move: labelled.played_move.map(|mv| RowMove {
                from: square(mv.from),
                to: square(mv.to),
                captured: dense(mv.captured),
            }),
            score: labelled.score.map(|score| score.value()),
            played: labelled.played,
            corrected: labelled.corrected,
            exact: labelled.exact,
            flags: flags(labelled, is_new),
            ending: labelled.ending.code(),
        }
    }

    /// Pieces of both sides.
    #[must_use]
    pub const fn pieces(&self) -> u32 {
        (self.our_men | self.our_kings | self.their_men | self.their_kings).count_ones()
    }

    /// The names of the flags that hold, in the order of [`FLAGS`].
    pub fn flag_names(&self) -> impl Iterator<Item = &'static str> {
        let flags = self.flags;
        FLAGS.iter().enumerate().filter(move |(number, _)| flags >> number & 1 != 0).map(|(_, (name, _))| *name)
    }

    /// Whether a capture is due.
    #[must_use]
    pub const fn is_capture_due(&self) -> bool {
        self.flags >> CAPTURE & 1 != 0
    }

    /// Whether the move belongs to the opening.
    #[must_use]
    pub const fn is_opening(&self) -> bool {
        self.flags >> OPENING & 1 != 0
    }

    /// Whether the position stands before in the dataset.
    #[must_use]
    pub const fn is_duplicate(&self) -> bool {
        self.flags >> DUPLICATE & 1 != 0
    }
}

/// In the order of [`FLAGS`].
fn flags<R: Rules>(labelled: &Labelled<R>, is_new: bool) -> u16 {
    let holds: [bool; FLAGS.len()] = [
        labelled.is_capture_due(),
        labelled.is_only_move(),
        labelled.is_opening,
        !is_new,
        labelled.is_after_table_entry,
        labelled.ending == Ending::Repetition,
        matches!(labelled.ending, Ending::DrawRule(_)),
        labelled.ending == Ending::Limit,
        labelled.ending == Ending::Stated,
        labelled.played_move.is_some_and(|mv| mv.promotes),
    ];
    holds.iter().enumerate().fold(0, |flags, (number, &holds)| flags | u16::from(holds) << number)
}

/// The set with a bit for each square of the board and none between.
fn dense<R: Rules>(set: Bitboard) -> u64 {
    set.into_iter().fold(0, |dense, square| dense | 1 << R::Geometry::place(square))
}

/// 1, 0, -1 for a win, a draw, a loss.
#[must_use]
pub const fn sign(wdl: Wdl) -> i8 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::Draw => 0,
        Wdl::Win => 1,
    }
}
