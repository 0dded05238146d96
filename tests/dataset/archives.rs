//! Archives that are cut, foreign or newer, and sets of archives that do not go together.

use std::fs;

use endame::dataset::{Archive, ArchiveError, Dataset, DatasetError, Player};
use endame::rules::English;
use endame::tablebase::Tablebase;

use crate::setting::{Setting, folder};

fn archive(seed: u64) -> (tempfile::TempDir, Vec<u8>) {
    let tables = Tablebase::<English>::open("no-such-folder").expect("no tables");
    let (folder, _) = Setting { seed, ..Setting::<English>::new(Player::Depth(0), 70) }.dataset(&tables);
    let bytes = fs::read(folder.path().join("000000.games")).expect("an archive");
    (folder, bytes)
}

#[test]
fn files_that_are_no_archive_say_what_they_are() {
    let (_folder, good) = archive(1);
    let error = |bytes: Vec<u8>| Archive::from_bytes(bytes).expect_err("not an archive");
    assert!(matches!(error(Vec::new()), ArchiveError::NotAnArchive));
    assert!(matches!(error(b"1. 32-28 18-23".to_vec()), ArchiveError::NotAnArchive));
    for length in 8..good.len() {
        assert!(matches!(error(good[..length].to_vec()), ArchiveError::Length { .. }), "{length}");
    }
    assert!(matches!(error([&good[..], b"x"].concat()), ArchiveError::Length { .. }));
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    assert!(matches!(error(with(8, 2)), ArchiveError::Version { supported: 1, got: 2 }));
    assert!(matches!(error(with(10, 1)), ArchiveError::Flags(1)));
    assert!(matches!(error(with(60, good[60] ^ 1)), ArchiveError::Checksum(_)));
    let lengths = with(15, 0xff);
    assert!(matches!(error(lengths), ArchiveError::Length { .. }));
}

#[test]
fn a_dataset_is_of_one_run_and_holds_no_game_twice() {
    let (first, _) = archive(1);
    let (second, _) = archive(2);
    let (first, second) = (first.path().to_path_buf(), second.path().to_path_buf());
    let open = |paths: &[&std::path::PathBuf]| Dataset::open(&paths.iter().map(|&p| p.clone()).collect::<Vec<_>>());
    assert_eq!(open(&[&first]).expect("a dataset").games(), 70);
    let error = open(&[&first, &second]).expect_err("two runs").to_string();
    assert!(error.ends_with("seed 2, not 1"), "{error}");
    assert!(matches!(open(&[&first, &first]), Err(DatasetError::Twice { game: 0, .. })));
    let empty = folder();
    assert!(matches!(open(&[&empty.path().to_path_buf()]), Err(DatasetError::Empty(_))));
    let none = empty.path().join("none");
    assert!(matches!(open(&[&none]), Err(DatasetError::Archive { source: ArchiveError::Read(_), .. })));
}
