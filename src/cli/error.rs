//! The one error of the command line: what kind it is, and a line for the user.
//!
//! Every floor below has its own small error type. Here they are widened into a kind, which decides the exit code, and
//! a message of one line: what is wrong and where, then what to do.

use std::fmt::Display;
use std::io;
use std::path::Path;

use endame::build::{BuildError, VerifyError};
use endame::dataset::{ArchiveError, DatasetError};
use endame::proof::ProofError;
use endame::selfplay::{AgainError, OpeningError, RunError};
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

    /// The file `path` cannot be read or written.
    pub fn of_file(path: &Path, error: &io::Error, remedy: &str) -> Self {
        let what = format!("{}: {error}", path.display());
        if is_full(error.kind()) {
            return Error::new(Kind::OverBudget, what, "free some space; the same command goes on where it stopped");
        }
        Error::input(what, remedy)
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
        if matches!(error, ProbeError::SeveralCounts { .. }) {
            return Error::input(error, "leave --count out");
        }
        let kind = match &error {
            ProbeError::NoTable { .. } | ProbeError::NoOutcomes { .. } => Kind::TableMissing,
            ProbeError::NotAFolder(_) | ProbeError::Count { .. } => Kind::BadInput,
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
            VerifyError::Stopped => {
                Error::new(Kind::Interrupted, "interrupted", "a check keeps nothing: the same command begins anew")
            }
            VerifyError::Material(_) => Error::input(error, "ask for materials that the variant has"),
            VerifyError::Missing(_) => Error::new(Kind::TableMissing, error, "build it"),
            VerifyError::Table { .. } => Error { kind: Kind::Damaged, message: error.to_string() },
            VerifyError::Memory { needed, allowed } => {
                let (needed, allowed) = (show_size(needed), show_size(allowed));
                let what = format!("checking every value needs {needed} of memory, {allowed} are allowed");
                Error::new(Kind::OverBudget, what, "allow more with --memory, or check a part with --sample")
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

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Stopped => Error::interrupted(),
            RunError::Probe(error) => error.into(),
            RunError::Opening(error) => error.into(),
            RunError::Io { source, path } => {
                Error::of_file(&path, &source, "choose a folder that can be written with --out")
            }
            RunError::Damaged { ref source, ref path } => of_archive(path, source, &error),
            RunError::InTheWay { .. } => Error::input(error, "choose another folder with --out, or repeat that run"),
            _ => Error::input(error, "see endame selfplay --help"),
        }
    }
}

impl From<AgainError> for Error {
    fn from(error: AgainError) -> Self {
        match error {
            AgainError::Dataset(error) => error.into(),
            AgainError::Run(error) => error.into(),
            _ => Error::input(error, "use the program and the tables of the run"),
        }
    }
}

impl From<OpeningError> for Error {
    fn from(error: OpeningError) -> Self {
        match error {
            OpeningError::Probe(error) => error.into(),
            OpeningError::Plies(_) => Error::input(error, "give random:8"),
            OpeningError::NoBallots(_) => Error::input(error, "give random:K, material:KKMvKM or a file"),
            OpeningError::NoneFound(_) => Error::input(error, "ask for fewer random plies with --openings"),
            _ => Error::input(error, "give random:K, material:KKMvKM or a file with a position or moves a line"),
        }
    }
}

impl From<DatasetError> for Error {
    fn from(error: DatasetError) -> Self {
        match error {
            DatasetError::Stopped => Error::new(Kind::Interrupted, "interrupted", "nothing was written"),
            DatasetError::Probe(error) => error.into(),
            DatasetError::Archive { ref source, ref path } => of_archive(path, source, &error),
            DatasetError::Write { source, path } if is_full(source.kind()) => {
                let what = format!("{}: {source}", path.display());
                Error::new(Kind::OverBudget, what, "free some space and repeat it; nothing was written")
            }
            DatasetError::Write { source, path } => {
                Error::of_file(&path, &source, "choose a place that can be written with --out")
            }
            DatasetError::Fault { .. } => Error::check_failed(error),
            DatasetError::NoTable(_) => {
                Error::new(Kind::TableMissing, error, "build it, or name the folder of the tables with --tables")
            }
            DatasetError::Output(error) => error.into(),
            DatasetError::NothingLeft => Error::input(error, "ask for more; nothing was written"),
            DatasetError::InTheWay(_) => Error::input(error, "choose another place with --out"),
            DatasetError::Missing { .. } => Error::input(error, "finish the run, or name all of its parts"),
            DatasetError::Variant { .. } => Error::input(error, "use the version of the program that played them"),
            _ => Error::input(error, "name folders or archives of one run"),
        }
    }
}

/// An archive that cannot be read; a file that is not there or may not be read is the user's affair, not damage.
fn of_archive(path: &Path, source: &ArchiveError, error: &dyn Display) -> Error {
    match source {
        ArchiveError::Read(error) => Error::of_file(path, error, "name folders or archives of games"),
        ArchiveError::NotAnArchive => {
            Error { kind: Kind::Damaged, message: format!("{error}; remove it, or name another") }
        }
        _ => Error { kind: Kind::Damaged, message: error.to_string() },
    }
}
