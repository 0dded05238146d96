//! An archive that is open: the games of a run, or a part of them, to be read by number.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::dataset::codec::{BLOCK_GAMES, decode_block};
use crate::dataset::error::ArchiveError;
use crate::dataset::metadata::Metadata;
use crate::dataset::record::Record;

/// What a file begins with.
pub(super) const MAGIC: &[u8; 8] = b"\x89EGA\r\n\x1a\n";
/// Changes with the layout; another one is refused.
pub(super) const MAJOR: u8 = 1;
/// Changes with what older programs may ignore.
pub(super) const MINOR: u8 = 0;
/// Bytes before the metadata.
pub(super) const FIXED_LEN: usize = 48;
/// Bytes of a directory entry.
pub(super) const ENTRY_LEN: usize = 8;

/// An archive in memory; opening it reads the file and checks all but the blocks.
#[derive(Debug)]
pub struct Archive {
    bytes: Vec<u8>,
    metadata: Metadata,
    first_game: u64,
    games: u64,
    positions: u64,
    /// Where each block begins, and the end of the last.
    blocks: Vec<usize>,
    /// Positions in each block.
    block_positions: Vec<u32>,
}

impl Archive {
    /// Reads the archive in the file `path`.
    ///
    /// # Errors
    /// Any [`ArchiveError`].
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        Archive::from_bytes(std::fs::read(path)?)
    }

    /// An archive that is in memory.
    ///
    /// # Errors
    /// Any [`ArchiveError`] but [`ArchiveError::Read`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Archive, ArchiveError> {
        let got = bytes.len() as u64;
        if !bytes.starts_with(MAGIC) {
            return Err(ArchiveError::NotAnArchive);
        }
        if bytes.len() < FIXED_LEN {
            return Err(ArchiveError::Length { expected: FIXED_LEN as u64, got });
        }
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        if bytes[8] != MAJOR {
            return Err(ArchiveError::Version { supported: MAJOR, got: bytes[8] });
        }
        let flags = u16::from_le_bytes([bytes[10], bytes[11]]);
        if flags != 0 {
            return Err(ArchiveError::Flags(flags));
        }
        let (metadata_len, first_game, games, positions) = (word(12) as usize, long(16), long(24), long(32));
        let (block_games, block_count) = (word(40) as usize, word(44) as usize);
        let directory = FIXED_LEN + metadata_len;
        let front = directory + ENTRY_LEN * block_count;
        if bytes.len() < front + 8 {
            return Err(ArchiveError::Length { expected: front as u64 + 8, got });
        }
        if long(front) != xxh3_64(&bytes[..front]) {
            return Err(ArchiveError::Checksum("header".to_string()));
        }
        let corrupt = |what: String| ArchiveError::Corrupt { place: "header".to_string(), what };
        if block_games != BLOCK_GAMES || games == 0 || games.div_ceil(BLOCK_GAMES as u64) != block_count as u64 {
            return Err(corrupt(format!("{games} games in {block_count} blocks of {block_games}")));
        }
        if first_game.checked_add(games).is_none() {
            return Err(corrupt(format!("{games} games from {first_game} on")));
        }
        let metadata =
            serde_json::from_slice(&bytes[FIXED_LEN..directory]).map_err(|error| corrupt(error.to_string()))?;
        let metadata: Metadata = metadata;
        let Metadata { run_games, shard, shards, table_pieces, .. } = metadata;
        // No board holds more pieces than 40.
        if first_game + games > run_games || run_games > u64::from(u32::MAX) || shard >= shards || table_pieces > 40 {
            let what = format!(
                "games {first_game} to {} of {run_games}, archive {shard} of {shards}, tables of {table_pieces} pieces",
                first_game + games - 1
            );
            return Err(corrupt(what));
        }
        let (mut blocks, mut block_positions) = (vec![front + 8], Vec::with_capacity(block_count));
        for block in 0..block_count {
            let entry = directory + ENTRY_LEN * block;
            blocks.push(blocks[block] + word(entry) as usize);
            block_positions.push(word(entry + 4));
        }
        let expected = blocks[block_count] as u64;
        if expected != got {
            return Err(ArchiveError::Length { expected, got });
        }
        if block_positions.iter().map(|&count| u64::from(count)).sum::<u64>() != positions {
            return Err(corrupt(format!("the blocks do not have {positions} positions together")));
        }
        Ok(Archive { bytes, metadata, first_game, games, positions, blocks, block_positions })
    }

    /// What the archive says of its run.
    #[must_use]
    pub const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The number in the run of the first game here, from 0.
    #[must_use]
    pub const fn first_game(&self) -> u64 {
        self.first_game
    }

    /// Games; at least 1.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Positions of all games, the last ones included.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The number of blocks.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.block_positions.len()
    }

    /// The number in the run of the first game of block `number`.
    #[must_use]
    pub const fn first_game_of_block(&self, number: usize) -> u64 {
        self.first_game + (number * BLOCK_GAMES) as u64
    }

    /// The games of block `number`, in order.
    ///
    /// # Errors
    /// [`ArchiveError::Checksum`] and [`ArchiveError::Corrupt`].
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, number: usize) -> Result<Vec<Record>, ArchiveError> {
        let bytes = &self.bytes[self.blocks[number]..self.blocks[number + 1]];
        let before = (number * BLOCK_GAMES) as u64;
        let count = (self.games - before).min(BLOCK_GAMES as u64) as usize;
        let games = decode_block(number as u64, bytes, count)?;
        let positions: usize = games.iter().map(Record::positions).sum();
        if positions != self.block_positions[number] as usize {
            let what = format!("{positions} positions, the directory says {}", self.block_positions[number]);
            return Err(ArchiveError::Corrupt { place: format!("block {number}"), what });
        }
        Ok(games)
    }

    /// Game `number` of the run, or `None` if it is not here. Reads one block.
    ///
    /// # Errors
    /// As for [`Archive::block`].
    pub fn game(&self, number: u64) -> Result<Option<Record>, ArchiveError> {
        let Some(place) = number.checked_sub(self.first_game).filter(|&place| place < self.games) else {
            return Ok(None);
        };
        let mut games = self.block((place / BLOCK_GAMES as u64) as usize)?;
        Ok(Some(games.swap_remove((place % BLOCK_GAMES as u64) as usize)))
    }
}
