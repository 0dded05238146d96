//! The archives of a run, from one folder or several.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::build::Progress;
use crate::dataset::archive::Archive;
use crate::dataset::check::{CheckError, Checker};
use crate::dataset::error::DatasetError;
use crate::dataset::metadata::{Metadata, hash_text};
use crate::dataset::new_file::{is_unfinished, write_error, write_new};
use crate::dataset::record::Record;
use crate::dataset::writer::{ArchiveBuilder, EXTENSION};
use crate::rules::Rules;
use crate::tablebase::Tablebase;

/// Archives of one run, in order of their games; no game twice.
#[derive(Debug)]
pub struct Dataset {
    archives: Vec<(PathBuf, Archive)>,
}

impl Dataset {
    /// Opens the archives named, and those in the folders named.
    ///
    /// # Errors
    /// [`DatasetError::Archive`], [`DatasetError::Empty`] where there is none, [`DatasetError::OtherRun`] and
    /// [`DatasetError::Twice`] where they do not go together.
    pub fn open(paths: &[PathBuf]) -> Result<Dataset, DatasetError> {
        let mut archives = Vec::new();
        for path in paths {
            let files = if path.is_dir() { archives_in(path)? } else { vec![path.clone()] };
            if files.is_empty() && !is_part_without_games(path) {
                return Err(DatasetError::Empty(path.clone()));
            }
            for file in files {
                let archive = Archive::open(&file).map_err(DatasetError::at(&file))?;
                archives.push((file, archive));
            }
        }
        if archives.is_empty() {
            return Err(DatasetError::Empty(paths.first().cloned().unwrap_or_default()));
        }
        archives.sort_by_key(|(_, archive)| archive.first_game());
        let (first, rest) = archives.split_first().expect("there is an archive");
        for (path, archive) in rest {
            if let Some(what) = archive.metadata().difference(first.1.metadata()) {
                return Err(DatasetError::OtherRun { path: path.clone(), first: first.0.clone(), what });
            }
        }
        for pair in archives.windows(2) {
            let [(first, before), (path, after)] = pair else { continue };
            if before.first_game() + before.games() > after.first_game() {
                let game = after.first_game();
                return Err(DatasetError::Twice { path: path.clone(), first: first.clone(), game });
            }
        }
        Ok(Dataset { archives })
    }

    /// What the archives say of their run.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        self.archives[0].1.metadata()
    }

    /// Checks that the games are of variant `R`, under the rules that this program has.
    ///
    /// # Errors
    /// [`DatasetError::Variant`].
    pub fn expect<R: Rules>(&self) -> Result<(), DatasetError> {
        let metadata = self.metadata();
        let (expected, got) = if metadata.variant == R::NAME {
            (hash_text(R::facts_hash()), metadata.facts.clone())
        } else {
            (R::NAME.to_string(), metadata.variant.clone())
        };
        if expected == got {
            return Ok(());
        }
        Err(DatasetError::Variant { path: self.archives[0].0.clone(), expected, got })
    }

    /// The archive with game `number`, or the last before it.
    #[must_use]
    pub fn path_of(&self, number: u64) -> PathBuf {
        let after = self.archives.partition_point(|(_, archive)| archive.first_game() <= number);
        self.archives[after.saturating_sub(1)].0.clone()
    }

    /// Games that are here.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.archives.iter().map(|(_, archive)| archive.games()).sum()
    }

    /// Positions of these games.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.archives.iter().map(|(_, archive)| archive.positions()).sum()
    }

    /// Bytes of the archives.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.archives.iter().map(|(_, archive)| archive.len_bytes()).sum()
    }

    /// The games with their numbers in the run, in order.
    pub fn records(&self) -> impl Iterator<Item = Result<(u64, Record), DatasetError>> + '_ {
        let blocks = self.archives.iter().flat_map(|entry| (0..entry.1.block_count()).map(move |block| (entry, block)));
        blocks.flat_map(|((path, archive), block)| -> Vec<Result<(u64, Record), DatasetError>> {
            match archive.block(block).map_err(DatasetError::at(path)) {
                Ok(games) => (archive.first_game_of_block(block)..).zip(games).map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }
        })
    }

    /// Game `number` of the run, if it is here.
    ///
    /// # Errors
    /// [`DatasetError::Archive`].
    pub fn game(&self, number: u64) -> Result<Option<Record>, DatasetError> {
        let after = self.archives.partition_point(|(_, archive)| archive.first_game() <= number);
        match after.checked_sub(1).map(|place| &self.archives[place]) {
            Some((path, archive)) => archive.game(number).map_err(DatasetError::at(path)),
            None => Ok(None),
        }
    }

    /// The first games of the run that are missing, as first and last.
    #[must_use]
    pub fn missing(&self) -> Option<(u64, u64)> {
        let mut next = 0;
        for (_, archive) in &self.archives {
            if archive.first_game() > next {
                return Some((next, archive.first_game() - 1));
            }
            next = archive.first_game() + archive.games();
        }
        let all = self.metadata().run_games;
        (next < all).then(|| (next, all - 1))
    }

    /// Checks every game: see [`Checker`].
    ///
    /// # Errors
    /// The first fault in order of games, or what keeps the check from being made.
    pub fn verify<R: Rules>(&self, tables: &Tablebase<R>, progress: &dyn Progress) -> Result<(), DatasetError> {
        self.expect::<R>()?;
        let checker = Checker::new(tables, self.metadata())?;
        progress.start("check", self.games());
        for (path, archive) in &self.archives {
            let faults: Vec<Result<(), DatasetError>> = (0..archive.block_count())
                .into_par_iter()
                .map(|block| {
                    if progress.stopped() {
                        return Err(DatasetError::Stopped);
                    }
                    let games = archive.block(block).map_err(DatasetError::at(path))?;
                    for (number, record) in (archive.first_game_of_block(block)..).zip(&games) {
                        checker.check(record).map_err(|error| match error {
                            CheckError::Probe(error) => DatasetError::Probe(error),
                            CheckError::Fault(fault) => DatasetError::Fault { path: path.clone(), game: number, fault },
                        })?;
                    }
                    progress.advance(games.len() as u64);
                    Ok(())
                })
                .collect();
            // All blocks of a file are checked before the first fault is told, so that it is the first one always.
            faults.into_iter().collect::<Result<(), DatasetError>>()?;
        }
        Ok(())
    }

    /// Writes all games of the run into one archive, a new file.
    ///
    /// # Errors
    /// [`DatasetError::Missing`] where games are missing, [`DatasetError::InTheWay`] where the file is there already,
    /// [`DatasetError::Write`].
    pub fn merge(&self, path: &Path) -> Result<(), DatasetError> {
        if let Some((first, last)) = self.missing() {
            return Err(DatasetError::Missing { first, last });
        }
        let mut builder = ArchiveBuilder::new(Metadata { shard: 0, shards: 1, ..self.metadata().clone() }, 0);
        for record in self.records() {
            builder.push(record?.1);
        }
        write_new(path, |out| out.write_all(&builder.into_bytes())).map_err(|error| write_error(path, error))
    }
}

/// What the first archive in `folder` says of its run; `None` if there is none, or no such folder.
///
/// # Errors
/// [`DatasetError::Archive`].
pub fn run_in(folder: &Path) -> Result<Option<Metadata>, DatasetError> {
    if !folder.is_dir() {
        return Ok(None);
    }
    match archives_in(folder)?.first() {
        None => Ok(None),
        Some(path) => Ok(Some(Archive::open(path).map_err(DatasetError::at(path))?.metadata().clone())),
    }
}

/// Whether `folder` is that of a machine whose part of the run has no games: it holds a log and nothing else.
fn is_part_without_games(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    !names.is_empty() && names.iter().all(|name| name.to_string_lossy().ends_with(".log"))
}

/// The archives in `folder`, by name.
fn archives_in(folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let read_error = |source| DatasetError::Archive { path: folder.to_path_buf(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| read_error(error.into()))? {
        let path = entry.map_err(|error| read_error(error.into()))?.path();
        let is_archive = path.extension().is_some_and(|extension| extension == EXTENSION);
        let is_whole = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| !is_unfinished(name));
        if is_archive && is_whole {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
