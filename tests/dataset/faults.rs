//! Every kind of wrong label is found, with the game and the ply. The archives here have sound checksums.

use std::fs;
use std::path::Path;

use endame::build::Silent;
use endame::dataset::export::Fraction;
use endame::dataset::{Archive, ArchiveBuilder, ArchiveError, Dataset, DatasetError, Ending, Metadata, Player, Record};
use endame::engine::Tables;
use endame::rules::English;
use endame::selfplay::{AgainError, Openings, play_again};
use endame::tablebase::{Tablebase, Value};
use endame::value::{Dtw, Wdl};

use crate::setting::{Setting, folder, open, tables};

/// A run of 80 endings with one game changed, as an archive of its own.
struct Tampered {
    tables: Tablebase<English>,
    _folders: Vec<tempfile::TempDir>,
    metadata: Metadata,
    records: Vec<Record>,
}

impl Tampered {
    fn new() -> Self {
        let (table_folder, tables) = tables::<English>();
        let openings = Openings::material("KMvMM").expect("a material");
        let setting = Setting { openings, ..Setting::new(Player::Depth(1), 80) };
        let (games, dataset) = setting.dataset(&tables);
        let records = dataset.records().map(|record| record.expect("a game").1).collect();
        let metadata = dataset.metadata().clone();
        Tampered { tables, _folders: vec![table_folder, games], metadata, records }
    }

    /// The first game that `is_so`, but not in the first block.
    fn find(&self, is_so: impl Fn(&Record) -> bool) -> usize {
        let found = self.records.iter().skip(64).position(is_so);
        64 + found.expect("among so many games there is one")
    }

    /// What a check says after `change` of game `number`.
    fn verify(&self, number: usize, change: impl FnOnce(&mut Record)) -> Result<(), DatasetError> {
        let folder = self.archive(number, change);
        open(&[folder.path()]).verify(&self.tables, &Silent)
    }

    /// The games in a folder, after `change` of game `number`.
    fn archive(&self, number: usize, change: impl FnOnce(&mut Record)) -> tempfile::TempDir {
        let mut builder = ArchiveBuilder::new(self.metadata.clone(), 0);
        let mut change = Some(change);
        for (i, record) in self.records.iter().enumerate() {
            let mut record = record.clone();
            if i == number
                && let Some(change) = change.take()
            {
                change(&mut record);
            }
            builder.push(record);
        }
        let folder = folder();
        fs::write(folder.path().join("000000.games"), builder.into_bytes()).expect("written");
        folder
    }

    #[track_caller]
    fn finds(&self, number: usize, ply: usize, what: &str, change: impl FnOnce(&mut Record)) {
        match self.verify(number, change) {
            Err(DatasetError::Fault { game, fault, .. }) => {
                assert_eq!((game, fault.ply), (number as u64, ply), "{fault}");
                assert!(fault.what.contains(what), "{fault}");
            }
            other => panic!("expected a fault, got {other:?}"),
        }
    }
}

#[test]
fn altered_labels_moves_and_results_are_found() {
    let tampered = Tampered::new();
    tampered.verify(0, |_| ()).expect("nothing is wrong yet");
    let number = tampered
        .find(|game| game.ending == Ending::Table && game.plies() > 3 && game.exact.last() != Some(&Some(Value::DRAW)));
    let last = tampered.records[number].plies();

    tampered.finds(number, last, "the tables say", |game| game.exact[last] = Some(Value::DRAW));
    tampered.finds(number, last, "the tables say", |game| game.exact[last] = Some(Value::at(Dtw(253))));
    tampered.finds(number, last, "labelled nothing", |game| game.exact[last] = None);
    tampered.finds(number, 1, "labelled draw, the tables say nothing", |game| game.exact[1] = Some(Value::DRAW));
    tampered.finds(number, 2, "is not legal", |game| game.moves[2] = 40);
    tampered.finds(number, last, "as played", |game| game.played = game.played.map(Wdl::negated));
    tampered.finds(number, last, "as played", |game| game.played = None);
    tampered.finds(number, last, "corrected result", |game| game.corrected = game.corrected.map(Wdl::negated));
    tampered.finds(number, last, "ended by repetition, by the rules it is table", |game| {
        game.ending = Ending::Repetition;
    });
    tampered.finds(number, 0, "off the scale", |game| game.scores[0] = Some(i16::MIN));
    tampered.finds(number, 1, "no score", |game| game.scores[1] = None);
    tampered.finds(number, 0, "nothing was searched", |game| game.opening_plies = 1);
    tampered.finds(number, last, "an opening of", |game| game.opening_plies = last as u32 + 1);
    tampered.finds(number, 0, "not a position", |game| {
        if let Some(start) = &mut game.start {
            start.sets[1] |= start.sets[0];
        }
    });
    // A game that is cut short is not over there.
    tampered.finds(number, last - 1, "by the rules it is not over", |game| {
        game.moves.pop();
        game.scores.pop();
        game.exact.pop();
    });
    // Another legal move somewhere leads to another game.
    let error = tampered.verify(number, |game| game.moves[0] = u16::from(game.moves[0] == 0));
    assert!(matches!(error, Err(DatasetError::Fault { game, .. }) if game == number as u64), "{error:?}");
}

#[test]
fn playing_again_finds_another_score_and_another_game() {
    let tampered = Tampered::new();
    let openings = Openings::<English>::material("KMvMM").expect("a material");
    let again = |folder: &tempfile::TempDir, share: f64| {
        let tables = Tables::new(&tampered.tables).expect("sound tables");
        let share = Fraction::new(share).expect("a share");
        play_again(&open(&[folder.path()]), &openings, tables, share, &Silent)
    };
    let sound = tampered.archive(0, |_| ());
    assert_eq!(again(&sound, 1.0).expect("nothing is wrong"), 80);
    assert!((5..35).contains(&again(&sound, 0.25).expect("nothing is wrong")));
    let number = tampered.find(|game| game.plies() > 3);
    let other_score = tampered.archive(number, |game| game.scores[2] = game.scores[2].map(|score| score + 1));
    // Rules and tables say nothing of scores.
    open(&[other_score.path()]).verify(&tampered.tables, &Silent).expect("a sound game");
    match again(&other_score, 1.0) {
        Err(AgainError::Dataset(DatasetError::Fault { game, fault, .. })) => {
            assert_eq!((game, fault.ply), (number as u64, 2), "{fault}");
        }
        other => panic!("expected a fault, got {other:?}"),
    }
    let twice = tampered.archive(number, |game| *game = tampered.records[number - 1].clone());
    assert!(
        matches!(again(&twice, 1.0), Err(AgainError::Dataset(DatasetError::Fault { game, .. })) if game == number as u64)
    );
    // Other openings would make other games.
    let tables = Tables::new(&tampered.tables).expect("sound tables");
    let others = Openings::<English>::random(4);
    let refused = play_again(&open(&[sound.path()]), &others, tables, Fraction::ALL, &Silent);
    assert!(matches!(refused, Err(AgainError::Other(what)) if what.contains("random:4")));
}

#[test]
fn metadata_that_cannot_be_is_refused_before_anything_is_made_of_it() {
    let tampered = Tampered::new();
    let refused = |change: &dyn Fn(&mut Metadata)| {
        let mut metadata = tampered.metadata.clone();
        change(&mut metadata);
        let mut builder = ArchiveBuilder::new(metadata, 0);
        tampered.records.iter().for_each(|record| builder.push(record.clone()));
        let error = Archive::from_bytes(builder.into_bytes()).expect_err("impossible");
        assert!(matches!(error, ArchiveError::Corrupt { .. }), "{error}");
    };
    refused(&|metadata| metadata.table_pieces = u32::MAX);
    refused(&|metadata| metadata.run_games = 10);
    refused(&|metadata| metadata.run_games = u64::MAX);
    refused(&|metadata| metadata.shard = 7);
}

#[test]
fn labels_taken_away_are_missed_with_tables_of_another_edition_too() {
    let (_folder, tables) = tables::<English>();
    let openings = Openings::material("KMvK").expect("a material");
    let setting = Setting { openings, play_on: true, ..Setting::new(Player::Depth(0), 20) };
    let (_games, dataset) = setting.dataset(&tables);
    let mut metadata = dataset.metadata().clone();
    // The same materials, but other bytes.
    metadata.tables.values_mut().for_each(|hash| *hash = "0123456789abcdef".to_string());
    let check = |change: &dyn Fn(&mut Record)| {
        let mut builder = ArchiveBuilder::new(metadata.clone(), 0);
        for record in dataset.records() {
            let mut record = record.expect("a game").1;
            change(&mut record);
            builder.push(record);
        }
        let folder = folder();
        fs::write(folder.path().join("000000.games"), builder.into_bytes()).expect("written");
        open(&[folder.path()]).verify(&tables, &Silent)
    };
    check(&|_| ()).expect("the values are the same");
    let stripped = check(&|game| {
        game.exact.iter_mut().for_each(|value| *value = None);
        game.corrected = game.played;
    });
    assert!(matches!(stripped, Err(DatasetError::Fault { .. })), "{stripped:?}");
}

#[test]
fn a_game_that_goes_on_inside_the_tables_is_found() {
    let (_folder, tables) = tables::<English>();
    let openings = || Openings::material("KMvK").expect("a material");
    let setting = Setting { openings: openings(), play_on: true, ..Setting::new(Player::Depth(1), 5) };
    let (_games, dataset) = setting.dataset(&tables);
    let mut metadata = dataset.metadata().clone();
    metadata.settings.play_on = false;
    let mut builder = ArchiveBuilder::new(metadata, 0);
    dataset.records().for_each(|record| builder.push(record.expect("a game").1));
    let folder = folder();
    fs::write(folder.path().join("000000.games"), builder.into_bytes()).expect("written");
    let error = open(&[folder.path()]).verify(&tables, &Silent).expect_err("a fault").to_string();
    assert!(error.ends_with("game 0, ply 0: the game is over here (table) and goes on"), "{error}");
}

#[test]
fn every_byte_of_an_archive_is_checked() {
    let (_folder, tables) = tables::<English>();
    let (games, _) = Setting::<English>::new(Player::Depth(0), 66).dataset(&tables);
    let path = games.path().join("000000.games");
    let good = fs::read(&path).expect("an archive");
    for at in (0..good.len()).step_by(7).chain(0..60) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).expect("written");
        let checked = Dataset::open(std::slice::from_ref(&path)).and_then(|dataset| dataset.verify(&tables, &Silent));
        match checked {
            Err(DatasetError::Archive { path: named, source }) => {
                assert_eq!(named, path);
                assert!(!matches!(source, ArchiveError::Read(_)), "byte {at}: {source}");
            }
            other => panic!("byte {at}: {other:?}"),
        }
    }
}

#[test]
fn tables_that_are_missing_or_of_another_variant_are_named() {
    let (_folder, tables) = tables::<English>();
    let (_games, dataset) = Setting::<English>::new(Player::Depth(0), 3).dataset(&tables);
    let none = Tablebase::<English>::open(Path::new("no-such-folder")).expect("no tables");
    let error = dataset.verify(&none, &Silent).expect_err("no tables");
    assert!(matches!(&error, DatasetError::NoTable(name) if name.ends_with(".dtw")), "{error}");
    let russian = Tablebase::<endame::rules::Russian>::open("no-such-folder").expect("no tables");
    let error = dataset.verify(&russian, &Silent).expect_err("another variant");
    assert!(error.to_string().ends_with("games of english, not of russian"), "{error}");
}
