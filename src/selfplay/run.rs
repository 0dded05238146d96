//! A run: its shards, one after the other, the games of each in parallel.

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::build::Progress;
use crate::dataset::{
    Archive, ArchiveBuilder, ArchiveError, EDITION, Metadata, Record, Summary, hash_text, is_unfinished, program,
    shard_games, shard_path, table_hashes, write_new,
};
use crate::rules::Rules;
use crate::selfplay::openings::OpeningError;
use crate::selfplay::player::{Conditions, GamePlayer};
use crate::tablebase::ProbeError;

/// A part of a run, for one of several machines: the shards whose number leaves the remainder `part` when divided by
/// `parts`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// From 0.
    pub part: u64,
    /// At least 1.
    pub parts: u64,
}

impl Share {
    /// The whole run.
    pub const ALL: Share = Share { part: 0, parts: 1 };
}

/// Why a run ended before it was through. Shards that are finished stay.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The folder holds something that is not of this run.
    #[error("{}: {what}", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
        /// Why it is in the way.
        what: String,
    },
    /// A shard that is there already is damaged.
    #[error("{}: {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ArchiveError,
    },
    /// The folder or a shard cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no opening, or a table is damaged.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A table is damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Plays `games` games into `folder`, in shards of [`shard_games`](crate::dataset::shard_games); shards of the same run
/// that are there are kept.
///
/// Returns what the shards of the share hold, those found there included.
///
/// # Errors
/// [`RunError`]. Nothing that is in the folder is ever overwritten.
///
/// # Panics
/// If `games` or `share.parts` is 0.
pub fn run<R: Rules>(
    conditions: &Conditions<'_, R>,
    games: u64,
    share: Share,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Summary, RunError> {
    assert!(games > 0 && share.parts > 0, "a run has games, and somebody to play them");
    let (tables, pieces) = (conditions.tables.tablebase(), conditions.tables.most_pieces());
    let shard_games = shard_games(conditions.settings.player);
    let shards = games.div_ceil(shard_games);
    let metadata = Metadata {
        variant: R::NAME.to_string(),
        facts: hash_text(R::facts_hash()),
        seed: conditions.seed,
        run_games: games,
        settings: conditions.settings.clone(),
        program: program(),
        edition: EDITION,
        table_pieces: pieces,
        tables: table_hashes(tables, pieces)?,
        shard: 0,
        shards,
    };
    prepare(folder, &metadata)?;
    let mine = || (share.part..shards).step_by(usize::try_from(share.parts).unwrap_or(usize::MAX));
    let games_of = |shard: u64| shard * shard_games..((shard + 1) * shard_games).min(games);
    progress.start("play", mine().map(|shard| games_of(shard).end - games_of(shard).start).sum());
    let mut summary = Summary::default();
    for shard in mine() {
        let path = shard_path(folder, shard);
        let metadata = Metadata { shard, ..metadata.clone() };
        let numbers = games_of(shard);
        if let Some(records) = existing(&path, &metadata, numbers.start, numbers.end - numbers.start)? {
            records.iter().for_each(|record| summary.add::<R>(record));
            progress.advance(records.len() as u64);
            continue;
        }
        let records = play(conditions, numbers.start, numbers.end, progress)?;
        let mut builder = ArchiveBuilder::new(metadata, numbers.start);
        for record in records {
            summary.add::<R>(&record);
            builder.push(record);
        }
        let bytes = builder.into_bytes();
        write_new(&path, |out| out.write_all(&bytes)).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => {
                RunError::InTheWay { path, what: "written by somebody else meanwhile".to_string() }
            }
            _ => RunError::Io { path, source },
        })?;
    }
    Ok(summary)
}

/// Plays the games `first..end`, in parallel; they come back in order.
fn play<R: Rules>(
    conditions: &Conditions<'_, R>,
    first: u64,
    end: u64,
    progress: &dyn Progress,
) -> Result<Vec<Record>, RunError> {
    let numbers: Vec<u64> = (first..end).collect();
    let played: Vec<Result<Record, RunError>> = numbers
        .into_par_iter()
        .with_min_len(4)
        .map_init(
            || GamePlayer::new(conditions),
            |player, number| {
                if progress.stopped() {
                    return Err(RunError::Stopped);
                }
                let record = player.play(number)?;
                progress.advance(1);
                Ok(record)
            },
        )
        .collect();
    // So that of several errors it is the first that is told, whatever thread met it.
    played.into_iter().collect()
}

/// Makes the folder, and checks that nothing is in it but shards of this run, unfinished files and logs.
fn prepare(folder: &Path, metadata: &Metadata) -> Result<(), RunError> {
    let io_error = |source| RunError::Io { path: folder.to_path_buf(), source };
    if folder.exists() && !folder.is_dir() {
        return Err(RunError::InTheWay { path: folder.to_path_buf(), what: "a file, not a folder".to_string() });
    }
    std::fs::create_dir_all(folder).map_err(io_error)?;
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io_error)? {
        names.push(entry.map_err(io_error)?.file_name());
    }
    names.sort();
    for name in names {
        let path = folder.join(&name);
        let foreign = |what: String| RunError::InTheWay { path: path.clone(), what };
        let text = name.to_string_lossy();
        if is_unfinished(&text) || text.ends_with(".log") {
            continue;
        }
        let number = text.strip_suffix(".games").and_then(|number| number.parse::<u64>().ok());
        let Some(number) = number.filter(|&number| shard_path(folder, number) == path) else {
            return Err(foreign("not a file of a run".to_string()));
        };
        let archive = Archive::open(&path).map_err(|source| RunError::Damaged { path: path.clone(), source })?;
        if let Some(what) = archive.metadata().difference(metadata) {
            return Err(foreign(format!("of another run: {what}")));
        }
        if (archive.metadata().shard, archive.metadata().shards) != (number, metadata.shards) {
            return Err(foreign("not the shard that its name says".to_string()));
        }
    }
    Ok(())
}

/// The games of a shard that is there already.
fn existing(path: &Path, metadata: &Metadata, first: u64, games: u64) -> Result<Option<Vec<Record>>, RunError> {
    if !path.exists() {
        return Ok(None);
    }
    let damaged = |source| RunError::Damaged { path: path.to_path_buf(), source };
    let archive = Archive::open(path).map_err(damaged)?;
    if (archive.metadata(), archive.first_game(), archive.games()) != (metadata, first, games) {
        let what = "not the shard that its name says".to_string();
        return Err(RunError::InTheWay { path: path.to_path_buf(), what });
    }
    let mut records = Vec::new();
    for block in 0..archive.block_count() {
        records.extend(archive.block(block).map_err(damaged)?);
    }
    Ok(Some(records))
}
