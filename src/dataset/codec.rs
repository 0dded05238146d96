//! Games as bytes: four columns a block, each compressed by itself (ARCHIVE.md, "Blocks").
//!
//! What is alike stands together, so that each column has a code of its own: results and lengths, moves, scores, exact
//! values. A score is stored as its difference from what the other side thought a ply before.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::dataset::error::ArchiveError;
use crate::dataset::record::{Ending, Record, Start};
use crate::rules::Colour;
use crate::tablebase::Value;
use crate::value::{Dtw, Wdl};

/// Games a block; the last of an archive may have fewer.
pub(super) const BLOCK_GAMES: usize = 64;
/// The zstd level. Blocks are small, so the level costs little next to the games.
const LEVEL: i32 = 19;
/// Columns of a block.
const COLUMNS: usize = 4;
/// No column of a block that makes sense is longer, in bytes: 64 games of 100,000 plies with 4 bytes each.
const LONGEST_COLUMN: usize = 32 << 20;
/// Bytes in front of the frames: the checksum, and two lengths a column.
const FRONT: usize = 8 + 8 * COLUMNS;

const GIVEN_START: u8 = 1;
const BLACK_MOVES: u8 = 2;

/// The bytes of block `number` with these games.
pub(super) fn encode_block(number: u64, games: &[Record]) -> Vec<u8> {
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    for game in games {
        push_game(game, &mut columns);
    }
    let mut block = vec![0; FRONT];
    for (i, column) in columns.iter().enumerate() {
        let frame = zstd::bulk::compress(column, LEVEL).expect("compressing in memory does not fail");
        for (at, length) in [(8 + 8 * i, column.len()), (12 + 8 * i, frame.len())] {
            let length = u32::try_from(length).expect("a block is a few megabytes at most");
            block[at..at + 4].copy_from_slice(&length.to_le_bytes());
        }
        block.extend(frame);
    }
    let checksum = xxh3_64_with_seed(&block[8..], number);
    block[..8].copy_from_slice(&checksum.to_le_bytes());
    block
}

/// The games of block `number`, of which there are `count`.
pub(super) fn decode_block(number: u64, block: &[u8], count: usize) -> Result<Vec<Record>, ArchiveError> {
    let corrupt = |what: String| ArchiveError::Corrupt { place: format!("block {number}"), what };
    if block.len() < FRONT {
        return Err(corrupt(format!("expected {FRONT} bytes at least, got {}", block.len())));
    }
    let stored = u64::from_le_bytes(block[..8].try_into().expect("eight bytes"));
    if stored != xxh3_64_with_seed(&block[8..], number) {
        return Err(ArchiveError::Checksum(format!("block {number}")));
    }
    let length = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().expect("four bytes")) as usize;
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    let mut at = FRONT;
    for (i, column) in columns.iter_mut().enumerate() {
        let (plain, packed) = (length(8 + 8 * i), length(12 + 8 * i));
        if plain > LONGEST_COLUMN || packed > block.len() - at {
            return Err(corrupt(format!("column {i} of {plain} bytes in {packed} is too long")));
        }
        *column =
            zstd::bulk::decompress(&block[at..at + packed], plain).map_err(|e| corrupt(format!("column {i}: {e}")))?;
        if column.len() != plain {
            return Err(corrupt(format!("column {i} has {} bytes, not {plain}", column.len())));
        }
        at += packed;
    }
    if at != block.len() {
        return Err(corrupt(format!("{} bytes behind the last column", block.len() - at)));
    }
    let mut readers = columns.each_ref().map(|bytes| Reader { bytes, at: 0 });
    let mut games = Vec::with_capacity(count);
    for i in 0..count {
        games.push(read_game(&mut readers).ok_or_else(|| corrupt(format!("game {i} of the block is none")))?);
    }
    match readers.iter().position(|reader| reader.at != reader.bytes.len()) {
        Some(column) => Err(corrupt(format!("column {column} goes on behind the last game"))),
        None => Ok(games),
    }
}

fn push_game(game: &Record, [heads, moves, scores, exact]: &mut [Vec<u8>; COLUMNS]) {
    let mut flags = result_code(game.played) << 2 | result_code(game.corrected) << 4;
    if let Some(start) = game.start {
        flags |= GIVEN_START | if start.mover == Colour::Black { BLACK_MOVES } else { 0 };
    }
    heads.extend([flags, game.ending.code()]);
    push_varint(heads, game.opening_plies.into());
    push_varint(heads, game.moves.len() as u64);
    if let Some(start) = game.start {
        start.sets.iter().for_each(|set| heads.extend(set.to_le_bytes()));
    }
    game.moves.iter().for_each(|&place| push_varint(moves, place.into()));
    let mut last = 0;
    for &score in &game.scores {
        match score {
            None => scores.push(0),
            Some(score) => {
                let difference = i64::from(score) + last;
                push_varint(scores, 1 + ((difference << 1) ^ (difference >> 63)) as u64);
                last = score.into();
            }
        }
    }
    for value in &game.exact {
        push_varint(exact, exact_code(*value).into());
    }
}

fn read_game([heads, moves, scores, exact]: &mut [Reader<'_>; COLUMNS]) -> Option<Record> {
    let flags = heads.byte()?;
    let ending = Ending::from_code(heads.byte()?)?;
    let opening_plies = u32::try_from(heads.varint()?).ok()?;
    let plies = usize::try_from(heads.varint()?).ok()?;
    // Every position has a byte in the last column.
    if plies >= exact.bytes.len() {
        return None;
    }
    let start = if flags & GIVEN_START != 0 {
        let mover = if flags & BLACK_MOVES != 0 { Colour::Black } else { Colour::White };
        Some(Start { mover, sets: [heads.word()?, heads.word()?, heads.word()?] })
    } else {
        None
    };
    let known = GIVEN_START | 0x3c | if start.is_some() { BLACK_MOVES } else { 0 };
    if flags & !known != 0 {
        return None;
    }
    let mut game = Record {
        start,
        opening_plies,
        moves: Vec::with_capacity(plies),
        scores: Vec::with_capacity(plies),
        exact: Vec::with_capacity(plies + 1),
        ending,
        played: result_of(flags >> 2 & 3),
        corrected: result_of(flags >> 4 & 3),
    };
    let mut last = 0;
    for _ in 0..plies {
        game.moves.push(u16::try_from(moves.varint()?).ok()?);
        game.scores.push(match scores.varint()? {
            0 => None,
            code => {
                let code = code - 1;
                let difference = (code >> 1) as i64 ^ -((code & 1) as i64);
                let score = i16::try_from(difference.checked_sub(last)?).ok()?;
                last = score.into();
                Some(score)
            }
        });
    }
    for _ in 0..=plies {
        game.exact.push(exact_of(u16::try_from(exact.varint()?).ok()?));
    }
    Some(game)
}

const fn result_code(result: Option<Wdl>) -> u8 {
    match result {
        None => 0,
        Some(Wdl::Loss) => 1,
        Some(Wdl::Draw) => 2,
        Some(Wdl::Win) => 3,
    }
}

const fn result_of(code: u8) -> Option<Wdl> {
    match code {
        1 => Some(Wdl::Loss),
        2 => Some(Wdl::Draw),
        3 => Some(Wdl::Win),
        _ => None,
    }
}

/// Codes from here on are distances.
const FIRST_DISTANCE: u16 = 4;

fn exact_code(value: Option<Value>) -> u16 {
    match value {
        None => 0,
        Some(Value { dtw: Some(Dtw(plies)), .. }) => plies.saturating_add(FIRST_DISTANCE),
        Some(Value { wdl, dtw: None }) => result_code(Some(wdl)).into(),
    }
}

fn exact_of(code: u16) -> Option<Value> {
    match code {
        FIRST_DISTANCE.. => Some(Value::at(Dtw(code - FIRST_DISTANCE))),
        _ => result_of(code as u8).map(|wdl| Value { wdl, dtw: None }),
    }
}

/// Appends `number`, seven bits a byte, the least significant first, the top bit set on all bytes but the last.
fn push_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A place in a column; `None` from any method is an end too soon, or a number that no writer writes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn word(&mut self) -> Option<u64> {
        let bytes = self.bytes.get(self.at..self.at + 8)?;
        self.at += 8;
        Some(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(plies: usize) -> Record {
        let value = |code: usize| exact_of((code % 9) as u16);
        Record {
            start: plies.is_multiple_of(2).then_some(Start { mover: Colour::Black, sets: [1, 1 << 63, 3] }),
            opening_plies: 3,
            moves: (0..plies).map(|ply| (ply * 37 % 400) as u16).collect(),
            scores: (0..plies).map(|ply| [None, Some(29_999), Some(-30_001), Some(0)][ply % 4]).collect(),
            exact: (0..=plies).map(value).collect(),
            ending: [Ending::Table, Ending::DrawRule(2), Ending::Limit][plies % 3],
            played: result_of((plies % 4) as u8),
            corrected: result_of((plies % 3) as u8),
        }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let games: Vec<Record> = [0, 1, 2, 7, 200, 1003].map(game).into();
        let block = encode_block(5, &games);
        assert_eq!(decode_block(5, &block, games.len()).expect("a block"), games);
        assert!(matches!(decode_block(4, &block, games.len()), Err(ArchiveError::Checksum(_))), "in another's place");
        for count in [games.len() - 1, games.len() + 1] {
            assert!(matches!(decode_block(5, &block, count), Err(ArchiveError::Corrupt { .. })));
        }
    }

    #[test]
    fn values_and_endings_have_one_code_each() {
        for code in 0..=u16::MAX {
            assert_eq!(exact_code(exact_of(code)), code);
        }
        for code in 0..=u8::MAX {
            assert!(Ending::from_code(code).is_none_or(|ending| ending.code() == code));
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic() {
        let good = encode_block(0, &[game(40), game(41)]);
        for at in 8..good.len() {
            for bit in [1, 0x80] {
                let mut bytes = good.clone();
                bytes[at] ^= bit;
                assert!(decode_block(0, &bytes, 2).is_err(), "byte {at}");
                // With a checksum that fits, the content itself is read.
                let checksum = xxh3_64_with_seed(&bytes[8..], 0);
                bytes[..8].copy_from_slice(&checksum.to_le_bytes());
                if let Ok(games) = decode_block(0, &bytes, 2) {
                    assert_eq!(games.len(), 2);
                }
            }
        }
    }
}
