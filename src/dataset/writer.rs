//! Writes archives: made in memory, written under a temporary name, synced and renamed, so that under its own name
//! there is a whole archive or none.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::dataset::archive::{ENTRY_LEN, FIXED_LEN, MAGIC, MAJOR, MINOR};
use crate::dataset::codec::{BLOCK_GAMES, encode_block};
use crate::dataset::error::DatasetError;
use crate::dataset::metadata::{Metadata, Player};
use crate::dataset::new_file::write_error;
use crate::dataset::record::Record;
use crate::dataset::staging::Staging;

/// Games on their way into an archive, in order of their numbers.
#[derive(Debug)]
pub struct ArchiveBuilder {
    metadata: Metadata,
    first_game: u64,
    games: u64,
    positions: u64,
    waiting: Vec<Record>,
    directory: Vec<u8>,
    blocks: Vec<u8>,
}

impl ArchiveBuilder {
    /// An archive whose first game has the number `first_game` in the run.
    #[must_use]
    pub fn new(metadata: Metadata, first_game: u64) -> Self {
        ArchiveBuilder {
            metadata,
            first_game,
            games: 0,
            positions: 0,
            waiting: Vec::new(),
            directory: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Adds the next game.
    pub fn push(&mut self, game: Record) {
        self.games += 1;
        self.positions += game.positions() as u64;
        self.waiting.push(game);
        if self.waiting.len() == BLOCK_GAMES {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        let number = (self.directory.len() / ENTRY_LEN) as u64;
        let block = encode_block(number, &self.waiting);
        let positions: usize = self.waiting.iter().map(Record::positions).sum();
        for count in [block.len(), positions] {
            let count = u32::try_from(count).expect("a block is a few megabytes at most");
            self.directory.extend(count.to_le_bytes());
        }
        self.blocks.extend(block);
        self.waiting.clear();
    }

    /// The bytes of the archive.
    ///
    /// # Panics
    /// If there is no game.
    #[must_use]
    pub fn into_bytes(mut self) -> Vec<u8> {
        assert!(self.games > 0, "an archive holds a game at least");
        if !self.waiting.is_empty() {
            self.close_block();
        }
        let metadata = serde_json::to_vec(&self.metadata).expect("metadata is text and numbers");
        let mut bytes = Vec::with_capacity(FIXED_LEN + metadata.len() + self.directory.len() + 8 + self.blocks.len());
        let count = |count: usize| u32::try_from(count).expect("fewer than 2^32").to_le_bytes();
        bytes.extend(MAGIC);
        bytes.extend([MAJOR, MINOR, 0, 0]);
        bytes.extend(count(metadata.len()));
        for number in [self.first_game, self.games, self.positions] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(count(BLOCK_GAMES));
        bytes.extend(count(self.directory.len() / ENTRY_LEN));
        bytes.extend(metadata);
        bytes.append(&mut self.directory);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes.append(&mut self.blocks);
        bytes
    }
}

/// How the names of archives end.
pub const EXTENSION: &str = "games";

/// Games an archive of a run that is a folder; the last may have fewer.
///
/// An archive that is not finished is lost when a run is interrupted, so where a move takes long there are fewer.
#[must_use]
pub const fn shard_games(player: Player) -> u64 {
    match player {
        Player::Depth(..=5) | Player::Nodes(..=1_000) | Player::Read(_) => 1024,
        Player::Depth(..=8) | Player::Nodes(..=20_000) => 256,
        _ => 64,
    }
}

/// The file of archive `number` of a run that is a folder.
#[must_use]
pub fn shard_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}.{EXTENSION}"))
}

/// Writes `records` as the run that `metadata` describes into `staging`, which then becomes `folder`.
///
/// # Errors
/// [`DatasetError::InTheWay`] and [`DatasetError::Write`].
///
/// # Panics
/// If there is no game.
pub(super) fn write_run(
    staging: Staging,
    folder: &Path,
    metadata: &Metadata,
    records: Vec<Record>,
) -> Result<(), DatasetError> {
    assert!(!records.is_empty(), "a run has a game at least");
    let shard_games = shard_games(metadata.settings.player);
    let shards = (records.len() as u64).div_ceil(shard_games);
    let mut records = records.into_iter();
    let write = || -> io::Result<()> {
        for shard in 0..shards {
            let mut builder = ArchiveBuilder::new(Metadata { shard, shards, ..metadata.clone() }, shard * shard_games);
            records.by_ref().take(shard_games as usize).for_each(|record| builder.push(record));
            let mut file = File::create_new(shard_path(staging.path(), shard))?;
            file.write_all(&builder.into_bytes())?;
            file.sync_all()?;
        }
        staging.publish(folder)
    };
    write().map_err(|error| write_error(folder, error))
}
