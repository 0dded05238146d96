//! A game as it is stored: numbers that mean something only together with the rules of the variant.
//!
//! Positions are numbered by ply: position 0 is the start, position `p` stands before move `p`, and the last position
//! has no move. Results are seen by the side to move at the start.

use crate::position::Position;
use crate::rules::{Colour, Rules};
use crate::tablebase::Value;
use crate::value::Wdl;

/// One game with its labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Where it begins; `None` is the start position of the variant.
    pub start: Option<Start>,
    /// How many of its moves are from the opening and were not chosen by the player.
    pub opening_plies: u32,
    /// The moves, each a place in the list of legal moves in the order of [`ordered_moves`](super::ordered_moves).
    pub moves: Vec<u16>,
    /// One entry a move: the score of the search for the mover, on the scale of [`Score`](crate::engine::Score); `None`
    /// where nothing was searched.
    pub scores: Vec<Option<i16>>,
    /// One entry a position, one more than moves: its value for its mover, where the tables of the run have it.
    pub exact: Vec<Option<Value>>,
    /// Why it is over.
    pub ending: Ending,
    /// The result as played, seen by the side to move at the start; `None` for a game stopped without a result.
    pub played: Option<Wdl>,
    /// The result corrected by the tables, seen likewise: the first exact value, else the result as played.
    pub corrected: Option<Wdl>,
}

/// A position that a game begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The side to move.
    pub mover: Colour,
    /// The pieces of the mover, those of the other side, and the kings of both: bits of squares in the mover's frame.
    pub sets: [u64; 3],
}

impl Start {
    /// The position, with `mover` to move.
    #[must_use]
    pub fn of<R: Rules>(position: &Position<R>, mover: Colour) -> Start {
        Start { mover, sets: [position.ours().bits(), position.theirs().bits(), position.kings().bits()] }
    }
}

/// Why a stored game is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Ending {
    /// The mover has no piece and has lost.
    NoPiece,
    /// The mover has no move and has lost.
    NoMove,
    /// The position stands for the third time: a draw.
    Repetition,
    /// The position is in the tables; the result is its value.
    Table,
    /// The number of plies agreed on has been played.
    Limit,
    /// The game was read from a file, which says how it ended: somebody resigned, both agreed to a draw, or nobody
    /// knows.
    Stated,
    /// The count of a draw rule is full: its number in the list of the variant.
    DrawRule(u8),
}

impl Ending {
    /// The first code of the draw rules.
    const DRAW_RULES: u8 = 16;

    /// Every ending but those by draw rules.
    pub const ALL: [Ending; 6] =
        [Ending::NoPiece, Ending::NoMove, Ending::Repetition, Ending::Table, Ending::Limit, Ending::Stated];

    /// The byte that stands for it: ARCHIVE.md, "Games".
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Ending::NoPiece => 0,
            Ending::NoMove => 1,
            Ending::Repetition => 2,
            Ending::Table => 3,
            Ending::Limit => 4,
            Ending::Stated => 5,
            Ending::DrawRule(number) => Self::DRAW_RULES + number,
        }
    }

    /// The inverse of [`Ending::code`].
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Ending> {
        Some(match code {
            0 => Ending::NoPiece,
            1 => Ending::NoMove,
            2 => Ending::Repetition,
            3 => Ending::Table,
            4 => Ending::Limit,
            5 => Ending::Stated,
            Self::DRAW_RULES..=23 => Ending::DrawRule(code - Self::DRAW_RULES),
            _ => return None,
        })
    }

    /// Its name in reports; draw rules by the name they have in variant `R`.
    #[must_use]
    pub fn name<R: Rules>(self) -> &'static str {
        match self {
            Ending::NoPiece => "no-piece",
            Ending::NoMove => "no-move",
            Ending::Repetition => "repetition",
            Ending::Table => "table",
            Ending::Limit => "limit",
            Ending::Stated => "stated",
            Ending::DrawRule(number) => R::DRAW_RULES.get(usize::from(number)).map_or("draw-rule", |rule| rule.name),
        }
    }
}

impl Ending {
    /// What it means, for a reader of exports.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Ending::NoPiece => "the side to move has no piece and has lost",
            Ending::NoMove => "the side to move has no move and has lost",
            Ending::Repetition => "the position stands for the third time: a draw",
            Ending::Table => "the position is in the tables, and its value is the result",
            Ending::Limit => "stopped at the limit of plies: no result but by an agreed scoring",
            Ending::Stated => "as the file says that the game was read from",
            Ending::DrawRule(_) => "the count of a draw rule is full: a draw",
        }
    }
}

impl Record {
    /// Plies played.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Positions, the last included.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// The result as played for the mover of position `ply`.
    #[must_use]
    pub fn played_at(&self, ply: usize) -> Option<Wdl> {
        self.played.map(|wdl| seen_at(wdl, ply))
    }

    /// The corrected result for the mover of every position: the first exact value at it or after it, else the result
    /// as played. One entry a position.
    #[must_use]
    pub fn corrected_results(&self) -> Vec<Option<Wdl>> {
        let mut results = vec![None; self.exact.len()];
        // As seen by the side to move at the start.
        let mut result = self.played;
        for (ply, exact) in self.exact.iter().enumerate().rev() {
            if let Some(value) = exact {
                result = Some(seen_at(value.wdl, ply));
            }
            results[ply] = result.map(|wdl| seen_at(wdl, ply));
        }
        results
    }

    /// The ply of the first position with an exact value.
    #[must_use]
    pub fn table_entry(&self) -> Option<usize> {
        self.exact.iter().position(Option::is_some)
    }

    /// Whether the tables contradict the result as played.
    #[must_use]
    pub fn is_corrected(&self) -> bool {
        self.played.is_some() && self.corrected != self.played
    }

    /// Whether the tables know the result of a game that was stopped without one.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.played.is_none() && self.corrected.is_some()
    }
}

/// A result seen by the side to move at the start, as the mover of position `ply` sees it; and the other way round.
#[must_use]
pub const fn seen_at(wdl: Wdl, ply: usize) -> Wdl {
    if ply.is_multiple_of(2) { wdl } else { wdl.negated() }
}
