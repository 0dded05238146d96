//! Damaged files are refused: never a wrong value, never a panic.

use endame::table::{BlockCache, Coding, Table, TableError};
use xxhash_rust::xxh3::xxh3_64;

use crate::{CODINGS, Random, header, random_symbols, table_bytes};

/// A table of a few hundred bytes with constant and other blocks, and its symbols.
fn small_table(coding: Coding) -> (Vec<u8>, Vec<u16>) {
    let mut symbols = random_symbols(&mut Random(11), coding, 300);
    symbols[64..128].fill(1);
    let bytes = table_bytes(&header(coding, 300, 64), &mut symbols);
    (bytes, symbols)
}

/// Whether opening or decoding notices the damage. Whatever can still be read must be right.
fn is_noticed(bytes: Vec<u8>, symbols: &[u16]) -> bool {
    let Ok(table) = Table::from_bytes(bytes) else { return true };
    let cache = BlockCache::new(1 << 16);
    let mut noticed = false;
    let mut block = Vec::new();
    for number in 0..table.block_count() {
        let first = number as usize * table.header().block_slots as usize;
        match table.decode_block(number, &mut block) {
            Ok(()) => {
                assert!(symbols[first..].starts_with(&block), "block {number} reads wrong values");
                assert_eq!(table.symbol(first as u64, &cache).ok(), Some(symbols[first]));
            }
            Err(_) => {
                noticed = true;
                assert!(table.symbol(first as u64, &cache).is_err(), "a damaged block is probed");
            }
        }
    }
    assert_eq!(table.check().is_err(), noticed, "check and decoding agree");
    noticed
}

#[test]
fn every_altered_byte_is_noticed() {
    for coding in CODINGS {
        let (bytes, symbols) = small_table(coding);
        assert!(!is_noticed(bytes.clone(), &symbols), "the sound file is sound");
        for at in 0..bytes.len() {
            for change in (0..8).map(|bit| 1 << bit).chain([0xff]) {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                assert!(is_noticed(damaged, &symbols), "{coding:?}: byte {at} altered by {change:#x}");
            }
        }
    }
}

#[test]
fn every_shorter_file_is_refused() {
    for coding in CODINGS {
        let (bytes, _) = small_table(coding);
        for length in 0..bytes.len() {
            let error = Table::from_bytes(bytes[..length].to_vec()).expect_err("a truncated table");
            match error {
                TableError::Empty => assert_eq!(length, 0),
                TableError::Truncated { expected, got } => assert!(got == length as u64 && got < expected),
                other => panic!("{length} bytes of {}: {other}", bytes.len()),
            }
        }
    }
}

#[test]
fn one_byte_more_is_refused() {
    for coding in CODINGS {
        let (mut bytes, _) = small_table(coding);
        let expected = bytes.len() as u64;
        bytes.push(0);
        match Table::from_bytes(bytes) {
            Err(TableError::TooLong { expected: e, got }) => assert_eq!((e, got), (expected, expected + 1)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn another_kind_of_file_is_no_table() {
    for text in [&b"[Event \"?\"]"[..], b"\x89PNG\r\n\x1a\n", b"\x89END\n", b"x"] {
        assert!(matches!(Table::from_bytes(text.to_vec()), Err(TableError::NotATable { .. })), "{text:?}");
    }
}

/// Writes `values` at `at` and makes the front checksum right again.
fn forged(bytes: &[u8], at: usize, values: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let header_length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let end = header_length + 4 * 300usize.div_ceil(64);
    bytes[at..at + values.len()].copy_from_slice(values);
    let checksum = xxh3_64(&bytes[..end]);
    bytes[end..end + 8].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn a_newer_version_is_refused_and_a_newer_minor_version_read() {
    let (bytes, symbols) = small_table(Coding::Trits);
    match Table::from_bytes(forged(&bytes, 8, &[2])) {
        Err(TableError::Version { supported: 1, got: 2 }) => (),
        other => panic!("{other:?}"),
    }
    match Table::from_bytes(forged(&bytes, 11, &[0x80])) {
        Err(error @ TableError::Flags { known: 0, got: 0x8000 }) => {
            assert!(error.to_string().contains("newer program"));
        }
        other => panic!("{other:?}"),
    }
    // Minor version 7, with three bytes more at the end of the header.
    let header_length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes"));
    let mut newer = bytes.clone();
    newer.splice(header_length as usize..header_length as usize, [1, 2, 3]);
    newer[12..16].copy_from_slice(&(header_length + 3).to_le_bytes());
    assert!(Table::from_bytes(forged(&newer, 9, &[0])).is_err(), "version 1.0 has no such bytes");
    assert!(!is_noticed(forged(&newer, 9, &[7]), &symbols));
}

#[test]
fn a_header_that_contradicts_itself_is_corrupt() {
    let (bytes, _) = small_table(Coding::Bytes);
    let fields: [(&str, usize, &[u8]); 8] = [
        ("positions", 24, &[1]),
        ("no slots a block", 40, &[0; 4]),
        ("48 slots a block", 40, &[48]),
        ("a dictionary", 44, &[1]),
        ("an unknown metric", 48, &[9]),
        ("a coding of another metric", 49, &[0]),
        ("a longest win of no position", 86, &[0; 8]),
        ("a name that is no text", 121, &[0xff]),
    ];
    for (what, at, values) in fields {
        match Table::from_bytes(forged(&bytes, at, values)) {
            Err(TableError::Corrupt { .. }) => (),
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn lengths_in_the_file_are_never_believed() {
    let (bytes, _) = small_table(Coding::Words);
    for (at, length) in [(12, 4), (32, 8), (40, 4)] {
        let mut huge = bytes.clone();
        huge[at..at + length].fill(0xff);
        assert!(Table::from_bytes(huge).is_err(), "the {length} bytes at {at}");
    }
    // The most slots that a file could name, in the largest blocks: the directory would be longer than the file.
    let mut huge = bytes.clone();
    huge[24..40].fill(0xff);
    huge[40..44].copy_from_slice(&(1u32 << 20).to_le_bytes());
    assert!(Table::from_bytes(huge).is_err());
}

/// A checksum proves that bytes are as written, not that the writer was sound.
#[test]
fn forged_checksums_never_make_a_reader_panic() {
    let mut random = Random(5);
    for coding in CODINGS {
        let (bytes, _) = small_table(coding);
        let front = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize + 4 * 5;
        for _ in 0..20_000 {
            let at = 16 + random.below(front as u64 - 16) as usize;
            let value = random.next() as u8;
            if let Ok(table) = Table::from_bytes(forged(&bytes, at, &[value])) {
                let (cache, mut block) = (BlockCache::new(1 << 20), Vec::new());
                for number in 0..table.block_count() {
                    let _ = table.decode_block(number, &mut block);
                    let _ = table.symbol(number * u64::from(table.header().block_slots), &cache);
                }
                let _ = table.check();
            }
        }
    }
}

/// A frame with a right checksum that holds the wrong length, no symbols, or no zstd.
#[test]
fn a_block_that_decodes_to_nonsense_is_corrupt() {
    use endame::table::{EncodedBlock, table_to_bytes};
    let header = header(Coding::Trits, 50, 64);
    let frame = |packed: &[u8]| zstd::bulk::compress(packed, 1).expect("compresses");
    for (what, frame) in [
        ("too short", frame(&[0; 9])),
        ("too long", frame(&[0; 11])),
        ("a byte that is no five trits", frame(&[0, 0, 0, 243, 0, 0, 0, 0, 0, 0])),
        ("no frame", vec![1, 2, 3]),
    ] {
        let table = Table::from_bytes(table_to_bytes(&header, [EncodedBlock::Compressed(frame)])).expect("opens");
        let error = table.decode_block(0, &mut Vec::new()).expect_err(what);
        assert!(matches!(error, TableError::Corrupt { .. }), "{what}: {error}");
    }
}
