//! The one error of the command line: what kind it is, and a line for the user.
//!
//! Every floor below has its own small error type. Here they are widened into a kind, which decides the exit code, and
//! a message of one line: what is wrong and where, then what to do.

use std::io;

/// What went wrong, as far as a calling program needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whoever read our output has gone: `endame ... | head`. Not an error to speak of.
    OutputClosed,
    /// A check or a claim does not hold.
    CheckFailed,
    /// What the user gave cannot be used.
    BadInput,
    /// A table is not there.
    TableMissing,
    /// Memory or disk do not suffice.
    OverBudget,
    /// A file is damaged, or not what its name says.
    Damaged,
    /// The user asked to stop.
    Interrupted,
}

/// Why a command ended without doing what it was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What went wrong, for programs.
    pub kind: Kind,
    /// What and where, then what to do: one line for people.
    pub message: String,
}

impl Error {
    /// An error of `kind`; `what` says what is wrong and where, `remedy` what to do.
    pub fn new(kind: Kind, what: impl std::fmt::Display, remedy: impl std::fmt::Display) -> Self {
        Error { kind, message: format!("{what}; {remedy}") }
    }

    /// What the user gave cannot be used.
    pub fn input(what: impl std::fmt::Display, remedy: impl std::fmt::Display) -> Self {
        Error::new(Kind::BadInput, what, remedy)
    }

    /// A check found something wrong that has been printed.
    pub fn check_failed(what: impl std::fmt::Display) -> Self {
        Error { kind: Kind::CheckFailed, message: what.to_string() }
    }

    /// The user asked to stop.
    pub fn interrupted() -> Self {
        Error::new(Kind::Interrupted, "interrupted", "the same command goes on where it stopped")
    }
}

/// Errors of writing the answer.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error { kind: Kind::OutputClosed, message: String::new() },
            io::ErrorKind::StorageFull => Error::new(Kind::OverBudget, error, "free some space on the disk"),
            _ => Error::input(format_args!("the output cannot be written: {error}"), "check where it goes"),
        }
    }
}
