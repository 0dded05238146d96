//! Why a game of a file is refused.

use crate::position::{FenErrorKind, MoveError};

/// Why a game of a file is refused: the first fault in it. The message names line and token.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: \"{token}\" {kind}")]
pub struct PdnError {
    /// The line of the fault, counted from 1. LF, CR and CR LF each end a line.
    pub line: usize,
    /// The column of the fault in that line: characters, counted from 1.
    pub column: usize,
    /// The beginning of what is at fault, on one line and in printable ASCII.
    pub token: String,
    /// The fault.
    pub kind: PdnErrorKind,
}

/// What is wrong with a token of a game file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PdnErrorKind {
    /// No legal move is written so.
    #[error("is not a legal move here{}", if *.capture_due { ": a capture is due" } else { "" })]
    Illegal {
        /// Whether a capture is due in the position.
        capture_due: bool,
    },
    /// More than one legal move is written so.
    #[error("is ambiguous: write {}", .moves.join(" or "))]
    Ambiguous {
        /// The moves it fits, each in a form that is not ambiguous.
        moves: Vec<String>,
    },
    /// It begins as a move and is not one.
    #[error("is not a move: expected {expected}, found {}", found_text(.found))]
    NotAMove {
        /// What may stand where it goes wrong.
        expected: String,
        /// The beginning of what does; empty if the token ends too soon.
        found: String,
    },
    /// It is nothing that may stand among tags and moves.
    #[error("is neither a tag nor a move nor a result")]
    Unexpected,
    /// A move number, and neither tags nor moves nor a result with it.
    #[error("is a move number without a game")]
    LoneNumber,
    /// A line that begins as a tag and is not one.
    #[error("is not a tag: expected {0}")]
    NotATag(&'static str),
    /// The FEN tag holds no position of the variant.
    #[error("is not a position of {variant} draughts: {fault}")]
    NotAPosition {
        /// The variant that is read.
        variant: &'static str,
        /// What is wrong with it.
        fault: FenErrorKind,
    },
    /// A second FEN tag with another position.
    #[error("is a second position for the same game")]
    SecondPosition,
    /// The GameType tag does not begin with a number.
    #[error("is not a GameType: expected a number such as {0}")]
    NotAGameType(u32),
    /// The GameType tag is that of another variant.
    #[error("is the GameType of {theirs}, and {ours} draughts ({number}) is read")]
    OtherVariant {
        /// The variant the tag names.
        theirs: &'static str,
        /// The variant that is read.
        ours: &'static str,
        /// Its GameType.
        number: u32,
    },
    /// A comment that is not closed before the next tag or the end of the file.
    #[error("begins a comment that is not closed")]
    OpenComment,
    /// A comment with another `{` inside: comments do not nest, so it is not clear where it ends.
    #[error("begins a comment with a second {{ in it: comments do not nest")]
    NestedComment,
    /// A variation that is not closed before the next tag or the end of the file.
    #[error("begins a variation that is not closed")]
    OpenVariation,
    /// A position set up in the middle of the moves.
    #[error("sets up a position among the moves, which is not read: begin another game with a FEN tag")]
    SetUpCommand,
}

impl From<MoveError> for PdnErrorKind {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Illegal { capture_due, .. } => PdnErrorKind::Illegal { capture_due },
            MoveError::Ambiguous { moves, .. } => PdnErrorKind::Ambiguous { moves },
            MoveError::Syntax { expected, found, .. } => PdnErrorKind::NotAMove { expected, found },
        }
    }
}

fn found_text(found: &str) -> String {
    if found.is_empty() { "its end".to_string() } else { format!("\"{found}\"") }
}
