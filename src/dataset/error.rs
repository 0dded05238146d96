//! What can be wrong with an archive, a game in it, or a set of archives.

use std::io;
use std::path::{Path, PathBuf};

use crate::tablebase::ProbeError;

/// Why an archive cannot be read. The path is not part of it: whoever opened the file adds it once.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The file does not begin as an archive.
    #[error("not an archive of games")]
    NotAnArchive,
    /// The file is of a major version that this program does not read.
    #[error("archive version {got}, this program reads version {supported}; use a newer program")]
    Version {
        /// The major version this program reads.
        supported: u8,
        /// The major version of the file.
        got: u8,
    },
    /// The file sets flags that this program does not know and so must not ignore.
    #[error("archive flags {0:#06x} are not known; use a newer program")]
    Flags(u16),
    /// The file has another length than its header calls for.
    #[error("the file is cut or continued: expected {expected} bytes, got {got}; delete it and repeat the run")]
    Length {
        /// The length that header and directory call for, as far as they are there.
        expected: u64,
        /// The length of the file.
        got: u64,
    },
    /// Bytes differ from those that were written.
    #[error("the {0} was altered: its checksum does not fit; delete the file and repeat the run")]
    Checksum(String),
    /// Bytes that no writer of this format writes.
    #[error("corrupt {place}: {what}")]
    Corrupt {
        /// The part of the file: "header" or "block 7".
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
}

/// Why a dataset cannot be opened, checked, merged or written out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// An archive is damaged, or is none.
    #[error("{}: {source}", path.display())]
    Archive {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        source: ArchiveError,
    },
    /// There is no archive where one was named.
    #[error("{}: no archive of games there", .0.display())]
    Empty(PathBuf),
    /// Two archives are not of one run.
    #[error("{}: of another run than {}: {what}", path.display(), first.display())]
    OtherRun {
        /// The one that does not fit.
        path: PathBuf,
        /// The first of the dataset.
        first: PathBuf,
        /// What differs.
        what: String,
    },
    /// Two archives hold the same game.
    #[error("{}: game {game} is in {} too", path.display(), first.display())]
    Twice {
        /// One archive.
        path: PathBuf,
        /// The other.
        first: PathBuf,
        /// The first game that is in both.
        game: u64,
    },
    /// Games of the run are not there.
    #[error("games {first} to {last} of the run are missing")]
    Missing {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
    },
    /// Something stands where a file is to be written.
    #[error("{}: already there", .0.display())]
    InTheWay(PathBuf),
    /// A game contradicts the rules, or its labels are not those of the tables.
    #[error("{}: game {game}, ply {}: {}", path.display(), fault.ply, fault.what)]
    Fault {
        /// The archive.
        path: PathBuf,
        /// The number of the game in the run, from 0.
        game: u64,
        /// What is wrong.
        fault: Fault,
    },
    /// The games are of another variant than the caller's.
    #[error("{}: games of {got}, not of {expected}", path.display())]
    Variant {
        /// The archive.
        path: PathBuf,
        /// The variant asked for.
        expected: String,
        /// That of the archive.
        got: String,
    },
    /// A table that labels come from is not there.
    #[error("the table {0} is not there; without it the labels cannot be checked")]
    NoTable(String),
    /// A table is damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A file cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The output that the caller gave fails.
    #[error("{0}")]
    Output(io::Error),
    /// No position passes the filter, so nothing was written.
    #[error("no position passes the filter")]
    NothingLeft,
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl DatasetError {
    /// Adds the path to an error of an archive.
    pub(super) fn at(path: &Path) -> impl FnOnce(ArchiveError) -> DatasetError {
        let path = path.to_path_buf();
        |source| DatasetError::Archive { path, source }
    }
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("ply {ply}: {what}")]
pub struct Fault {
    /// The position, counted in plies from the start of the game.
    pub ply: usize,
    /// What is wrong, for the reader.
    pub what: String,
}

impl Fault {
    pub(super) fn new(ply: usize, what: impl Into<String>) -> Fault {
        Fault { ply, what: what.into() }
    }
}
