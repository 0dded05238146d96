//! The one error of the command line: what kind it is, and a line for the user.
//!
//! Every floor below has its own small error type. Here they are widened into a kind, which decides the exit code, and
//! a message of one line: what is wrong and where, then what to do.

use std::fmt::Display;
use std::io;

use endame::build::{BuildError, VerifyError};
use endame::proof::ProofError;
use endame::tablebase::ProbeError;

use crate::cli::show_size;

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
    pub fn new(kind: Kind, what: impl Display, remedy: impl Display) -> Self {
        Error { kind, message: format!("{what}; {remedy}") }
    }

    /// What the user gave cannot be used.
    pub fn input(what: impl Display, remedy: impl Display) -> Self {
        Error::new(Kind::BadInput, what, remedy)
    }

    /// A check found something wrong that has been printed.
    pub fn check_failed(what: impl Display) -> Self {
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
            kind if is_full(kind) => Error::new(Kind::OverBudget, error, "free some space on the disk"),
            _ => Error::input(format_args!("the output cannot be written: {error}"), "check where it goes"),
        }
    }
}

/// Whether the disk, or the user's share of it, is used up.
fn is_full(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// The messages of tables say what to do themselves.
impl From<ProbeError> for Error {
    fn from(error: ProbeError) -> Self {
        let kind = match &error {
            ProbeError::NoTable { .. } => Kind::TableMissing,
            ProbeError::NotAFolder(_) => Kind::BadInput,
            _ => Kind::Damaged,
        };
        Error { kind, message: error.to_string() }
    }
}

impl From<ProofError> for Error {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Probe(error) => error.into(),
            ProofError::NoDistance(_) => Error { kind: Kind::TableMissing, message: error.to_string() },
            _ => Error::interrupted(),
        }
    }
}

impl From<VerifyError> for Error {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Stopped => Error::interrupted(),
            VerifyError::Material(_) => Error::input(error, "ask for materials that the variant has"),
            VerifyError::Missing(_) => Error::new(Kind::TableMissing, error, "build it"),
            VerifyError::Table { .. } => Error { kind: Kind::Damaged, message: error.to_string() },
            VerifyError::Memory { .. } => {
                Error::new(Kind::OverBudget, error, "allow more with --memory, or check a part with --sample")
            }
            VerifyError::Threads(_) => Error::input(error, "ask for fewer --threads"),
            _ => Error::check_failed(error),
        }
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Self {
        match &error {
            BuildError::Stopped => Error::interrupted(),
            BuildError::Material(_) => Error::input(error, "ask for materials that the variant has"),
            BuildError::Memory { needed, allowed, material } => {
                let (needed, allowed) = (show_size(*needed), show_size(*allowed));
                let what = format!("{material} and what it reads need {needed} of memory, {allowed} are allowed");
                Error::new(Kind::OverBudget, what, "allow more with --memory, or build fewer pieces")
            }
            BuildError::Io { source, .. } if is_full(source.kind()) => {
                Error::new(Kind::OverBudget, error, "free some space; the same command goes on where it stopped")
            }
            BuildError::Io { .. } => Error::input(error, "choose a folder that can be written with --tables"),
            BuildError::TooLarge(_) => Error::new(Kind::OverBudget, error, "build fewer pieces"),
            BuildError::InTheWay { .. } => Error { kind: Kind::Damaged, message: error.to_string() },
            _ => Error::new(Kind::OverBudget, error, "ask for fewer --threads"),
        }
    }
}
