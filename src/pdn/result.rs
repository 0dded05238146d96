//! What a game file states about the result, and what that means.
//!
//! Two conventions are in use, `2-0 1-1 0-2` and `1-0 1/2-1/2 0-1`; both are read in every variant. The first number
//! belongs to the side that begins in the variant: `1-0` in English draughts is Black's win.

use crate::rules::{Colour, Rules};

/// A result as a file states it.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct PdnResult {
    text: String,
    outcome: PdnOutcome,
}

/// What a stated result means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum PdnOutcome {
    /// This side has won.
    Win(Colour),
    /// A draw.
    Draw,
    /// Something else is stated: points such as `4-6`, or words. Who won is not claimed.
    Other,
    /// Nothing is stated: `*`, `0-0`, `?`, an empty tag or none.
    Unknown,
}

impl PdnResult {
    /// Reads what stands in a Result tag or after the moves. Every text is a result, if only of kind
    /// [`PdnOutcome::Other`]; an empty one is kept as `*`.
    #[must_use]
    pub fn read<R: Rules>(text: &str) -> Self {
        let text = text.trim();
        let bare: String = text.chars().filter(|char| !char.is_whitespace()).collect();
        let outcome = match bare.as_str() {
            "" | "*" | "?" | "0-0" => PdnOutcome::Unknown,
            "1-0" | "2-0" => PdnOutcome::Win(R::FIRST_MOVER),
            "0-1" | "0-2" => PdnOutcome::Win(R::FIRST_MOVER.other()),
            "1-1" | "1/2-1/2" | "1/2" | "\u{bd}-\u{bd}" => PdnOutcome::Draw,
            _ => PdnOutcome::Other,
        };
        PdnResult { text: if text.is_empty() { "*" } else { text }.to_string(), outcome }
    }

    /// The result of a game that `winner` has won, or nobody, in the convention of the variant: `2-0` on the board of
    /// ten, `1-0` elsewhere.
    #[must_use]
    pub fn decided<R: Rules>(winner: Option<Colour>) -> Self {
        let text = match (R::PDN_WIN_POINTS, winner) {
            (2, None) => "1-1".to_string(),
            (_, None) => "1/2-1/2".to_string(),
            (points, Some(winner)) if winner == R::FIRST_MOVER => format!("{points}-0"),
            (points, Some(_)) => format!("0-{points}"),
        };
        PdnResult::read::<R>(&text)
    }

    /// No result: `*`.
    #[must_use]
    pub fn unknown() -> Self {
        PdnResult { text: "*".to_string(), outcome: PdnOutcome::Unknown }
    }

    /// The text as it stands in the file; `*` where there is none.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it means.
    #[must_use]
    pub fn outcome(&self) -> PdnOutcome {
        self.outcome
    }

    /// Whether it states a win or a draw.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        matches!(self.outcome, PdnOutcome::Win(_) | PdnOutcome::Draw)
    }
}
