//! Exports open in the libraries that people use, and hold the same rows there.

use std::path::Path;
use std::process::Command;

use endame::build::Silent;
use endame::dataset::Player;
use endame::dataset::export::{Export, Filter, Format};
use endame::rules::{English, International, Rules, Russian, Turkish};

use crate::setting::{Setting, folder, tables};

/// Whether Python has these modules; says so if not.
fn has(modules: &str) -> bool {
    let has = Command::new("python3").args(["-c", &format!("import {modules}")]).output();
    let has = has.is_ok_and(|run| run.status.success());
    if !has {
        eprintln!("skipped: python3 with {modules} is not here");
    }
    has
}

/// Runs a script of ours and returns what it prints.
fn python(script: &str, path: &Path, variant: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let run = Command::new("python3").arg(script).arg(path).arg(variant).output().expect("python runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).trim().to_string()
}

fn exports_hold_the_same_rows<R: Rules>() {
    let (_tables, tables) = tables::<R>();
    let setting = Setting::<R> { play_on: true, ..Setting::new(Player::Depth(1), 20) };
    let (_games, dataset) = setting.dataset(&tables);
    let out = folder();
    for format in [Format::Parquet, Format::Npy, Format::Jsonl] {
        let export = Export { format, filter: Filter::default(), split: None, shard_rows: None, seed: 0 };
        dataset.export::<R>(&export, &out.path().join(format!("rows.{format}")), &Silent).expect("written");
    }
    assert_eq!(python("endame_dataset.py", out.path(), R::NAME), dataset.positions().to_string());
}

/// Plays games with captures of many kinds, writes them and has another program play them again.
fn another_program_plays_the_same_games<R: Rules>() {
    let (_tables, tables) = tables::<R>();
    let setting = Setting::<R> { play_on: true, ..Setting::new(Player::Depth(1), 30) };
    let (_games, dataset) = setting.dataset(&tables);
    let out = folder();
    let file = out.path().join("games.pdn");
    let export = Export { format: Format::Pdn, filter: Filter::default(), split: None, shard_rows: None, seed: 0 };
    dataset.export::<R>(&export, &file, &Silent).expect("written");
    let moves = dataset.positions() - dataset.games();
    assert_eq!(python("endame_pdn.py", &file, R::NAME), format!("{} {moves}", dataset.games()));
}

#[test]
fn pydraughts_replays_our_pdn() {
    // It is wrong about Turkish quiet moves.
    if has("draughts.convert") {
        another_program_plays_the_same_games::<International>();
        another_program_plays_the_same_games::<English>();
        another_program_plays_the_same_games::<Russian>();
    }
}

#[test]
fn pandas_numpy_and_duckdb_read_the_same_rows() {
    if has("duckdb, numpy, pandas, pyarrow") {
        exports_hold_the_same_rows::<International>();
        exports_hold_the_same_rows::<English>();
        exports_hold_the_same_rows::<Russian>();
        exports_hold_the_same_rows::<Turkish>();
    }
}
