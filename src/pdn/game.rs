//! A game with its tags: what a game file holds.

use crate::pdn::{PdnOutcome, PdnResult};
use crate::position::{Fen, Move};
use crate::rules::Rules;

/// A game of a file, or one to be written. `to_string()` writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnGame<R: Rules> {
    /// The line of the file where it begins, counted from 1; 0 if it was not read from one.
    pub line: usize,
    /// Names and values of its tags, in the order of the file, nothing left out.
    ///
    /// Writing takes Result, GameType, SetUp and FEN from the other fields, and not from here.
    pub tags: Vec<(String, String)>,
    /// The position before the first move: that of the FEN tag, or the start position.
    pub start: Fen<R>,
    /// Its moves, each legal where it is played.
    pub moves: Vec<Move>,
    /// Remarks, `{...}`, with the number of moves before each, ascending. Blanks and line ends in them are one blank.
    pub comments: Vec<(usize, String)>,
    /// The result that counts: what stands after the moves, or else in the Result tag. A `*` after the moves only ends
    /// the game and states nothing (PDN 3.0), so then the tag counts.
    pub result: PdnResult,
    /// The line of the file where that result stands, counted from 1; 0 if there is none.
    pub result_line: usize,
}

impl<R: Rules> PdnGame<R> {
    /// A game without tags, remarks or result.
    #[must_use]
    pub fn new(start: Fen<R>, moves: Vec<Move>) -> Self {
        PdnGame {
            line: 0,
            tags: Vec::new(),
            start,
            moves,
            comments: Vec::new(),
            result: PdnResult::unknown(),
            result_line: 0,
        }
    }

    /// The value of the first tag of this name. Capitals do not matter.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// What the Result tag states; unknown if there is none.
    #[must_use]
    pub fn result_in_tag(&self) -> PdnResult {
        self.tag("Result").map_or_else(PdnResult::unknown, PdnResult::read::<R>)
    }

    /// Whether the Result tag and the result after the moves both state something, and not the same.
    ///
    /// `1-0` and `2-0` are the same; `*` states nothing.
    #[must_use]
    pub fn results_disagree(&self) -> bool {
        let tag = self.result_in_tag();
        let states_nothing = |result: &PdnResult| result.outcome() == PdnOutcome::Unknown && result.text() != "0-0";
        if states_nothing(&tag) || states_nothing(&self.result) {
            return false;
        }
        tag.outcome() != self.result.outcome()
            || (tag.outcome() == PdnOutcome::Other && tag.text() != self.result.text())
    }

    /// The position after the last move.
    #[must_use]
    pub fn last_position(&self) -> Fen<R> {
        self.moves.iter().fold(self.start, |fen, mv| fen.play(mv))
    }
}
