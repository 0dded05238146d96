//! Why a game of a file is refused.

use crate::position::{FenError, MoveError};

/// Why a game of a file is refused: the first fault in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct PdnError {
    /// The line of the fault, counted from 1. LF, CR and CR LF each end a line.
    pub line: usize,
    /// The column of the fault in that line: characters, counted from 1.
    pub column: usize,
    /// The beginning of the token at fault, on one line and in printable ASCII.
    pub token: String,
    /// The fault.
    pub kind: PdnErrorKind,
}

/// What is wrong with a game. Every message names the token.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PdnErrorKind {
    /// No legal move is written so.
    #[error("\"{text}\" is not a legal move here{}", if *.capture_due { ": a capture is due" } else { "" })]
    Illegal {
        /// The move as written.
        text: String,
        /// Whether a capture is due in the position.
        capture_due: bool,
    },
    /// A move that cannot be read, or may be several.
    #[error("\"{text}\": {fault}")]
    Move {
        /// The move as written.
        text: String,
        /// What is wrong with it.
        fault: MoveError,
    },
}

/// Keeps the use of the errors below in one place.
impl From<FenError> for PdnErrorKind {
    fn from(error: FenError) -> Self {
        PdnErrorKind::Illegal { text: error.to_string(), capture_due: false }
    }
}
