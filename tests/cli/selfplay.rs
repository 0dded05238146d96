//! `endame selfplay` and `endame dataset`.

use std::fs;
use std::path::Path;

use crate::command::{code, endame, error_line, json, last_error_line, run, stdout};

#[test]
fn games_are_played_described_checked_and_exported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(code(&run(folder.path(), "build russian --pieces 3 --metric dtw")), 0);
    let play = format!("selfplay russian --games 50 --seed 7 --depth 1 --out {}", path("games"));
    let played = run(folder.path(), &format!("{play} --json"));
    assert_eq!(code(&played), 0, "{played:?}");
    let summary = json(&played);
    assert_eq!((&summary["games"], &summary["seed"], &summary["table_pieces"]), (&50.into(), &7.into(), &3.into()));
    let again = json(&run(folder.path(), &format!("{play} --json")));
    assert_eq!(summary, again);
    assert!(folder.path().join("games/selfplay.log").exists());

    let info = json(&run(folder.path(), &format!("dataset info {} --json", path("games"))));
    for field in ["games", "positions", "exact", "corrected", "duplicates"] {
        assert!(info[field].is_u64(), "{field}: {info}");
    }
    assert_eq!(info["positions"], summary["positions"]);
    let verified = run(folder.path(), &format!("dataset verify {}", path("games")));
    assert!(code(&verified) == 0 && stdout(&verified).contains("no fault"), "{verified:?}");
    let again = run(folder.path(), &format!("dataset verify {} --replay", path("games")));
    assert!(code(&again) == 0 && stdout(&again).contains("50 games played again"), "{again:?}");
    let merged = run(folder.path(), &format!("dataset merge {} --out {}", path("games"), path("all.games")));
    assert_eq!(code(&merged), 0, "{merged:?}");
    let export = format!("dataset export {} --format jsonl --out {}", path("all.games"), path("all.jsonl"));
    assert_eq!(code(&run(folder.path(), &export)), 0);
    let lines = fs::read_to_string(folder.path().join("all.jsonl")).expect("lines");
    assert_eq!(Some(lines.lines().count() as u64), info["positions"].as_u64());
    let twice = run(folder.path(), &export);
    assert!(code(&twice) == 2 && error_line(&twice).contains("already there"));
    let piped = run(folder.path(), &format!("dataset export {} --format jsonl --out -", path("games")));
    assert_eq!(stdout(&piped), lines, "the same lines go down a pipe");

    // Histograms as text and as a picture, which is not written over another.
    let svg = format!("dataset info {} --svg {}", path("games"), path("games.svg"));
    let drawn = run(folder.path(), &svg);
    assert!(code(&drawn) == 0 && stdout(&drawn).contains("positions by pieces"), "{drawn:?}");
    let picture = fs::read_to_string(folder.path().join("games.svg")).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("games by plies"));
    let twice = run(folder.path(), &svg);
    assert!(code(&twice) == 2 && error_line(&twice).contains("already there"));

    // Games as PDN come back the same.
    let pdn = format!("dataset export {} --format pdn --out {}", path("games"), path("games.pdn"));
    assert_eq!(code(&run(folder.path(), &pdn)), 0);
    let import = format!("dataset import russian {} --out {} --json", path("games.pdn"), path("back"));
    let imported = json(&run(folder.path(), &import));
    for field in ["games", "positions", "exact", "results"] {
        assert_eq!(imported[field], summary[field], "{field}");
    }
    assert_eq!(imported["refused"], 0);
    let verified = run(folder.path(), &format!("dataset verify {}", path("back")));
    assert_eq!(code(&verified), 0, "{verified:?}");
    let text = |folder: &str| {
        let output = run(Path::new("."), &format!("dataset export {folder} --format pdn --out -"));
        stdout(&output).lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(text(&path("games")), text(&path("back")));

    // Without the tables labels cannot be checked, and the games are of another run.
    let other = endame(&folder.path().join("none")).args(["dataset", "verify", &path("games")]).output().expect("runs");
    assert!(code(&other) == 3 && stdout(&other).is_empty(), "{other:?}");
    let mut bytes = fs::read(folder.path().join("all.games")).expect("an archive");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(folder.path().join("all.games"), bytes).expect("written");
    let damaged = run(folder.path(), &format!("dataset info {}", path("all.games")));
    assert!(code(&damaged) == 5 && error_line(&damaged).contains("all.games"));
}

#[test]
fn what_cannot_be_played_is_bad_input() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = folder.path().join("games").display().to_string();
    let refused = |options: &str, expected: &str| {
        let output = run(folder.path(), &format!("selfplay english --out {games} {options}"));
        assert_eq!(code(&output), 2, "{output:?}");
        assert!(error_line(&output).contains(expected), "{output:?}");
        assert!(!folder.path().join("games").exists(), "nothing is written");
    };
    refused("--games 0", "0 is not in 1..");
    refused("--games 5 --depth 1000", "1000 is not in 0..");
    refused("--games 5 --max-plies 0", "0 is not in 1..");
    refused("--games 5 --depth 2 --nodes 5", "cannot be used with");
    refused("--games 5 --shard 4/3", "from 1/N to N/N");
    refused("--games 5 --openings random:x", "expected a number of plies");
    refused("--games 5 --openings material:KvX", "'X'");
    refused("--games 5 --openings no-such-file", "no-such-file");
    let file = folder.path().join("openings.txt");
    fs::write(&file, "11-15 22-18\n11-16 11-12\n").expect("written");
    refused(&format!("--games 5 --openings {}", file.display()), "openings.txt: line 2: \"11-12\" is not a legal move");
    // A file where the folder should be stays what it is.
    let output = run(folder.path(), &format!("selfplay english --games 5 --seed 1 --out {}", file.display()));
    assert_eq!(code(&output), 2, "{output:?}");
    assert!(fs::read_to_string(&file).expect("still text").starts_with("11-15"));
}

#[test]
fn a_bad_game_is_named_by_line_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let text = "[Event \"good\"]\n\n1. c3-d4 d6-c5 2. b2-c3 1-0\n\n[Event \"bad\"]\n\n1. c3-d4 d6-c4 0-1\n\n\
                [Event \"good\"]\n\n1. c3-b4 1/2-1/2\n";
    fs::write(folder.path().join("mixed.pdn"), text).expect("written");
    let import = |file: &str, out: &str| format!("dataset import russian {} --out {}", path(file), path(out));
    let output = run(folder.path(), &import("mixed.pdn", "games"));
    assert_eq!(code(&output), 2, "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("mixed.pdn: line 7: ") && errors.contains("d6-c4"), "{errors}");
    assert!(errors.contains("1 game refused, 2 games read"), "{errors}");
    let info = json(&run(folder.path(), &format!("dataset info {} --json", path("games"))));
    assert_eq!((&info["games"], &info["positions"]), (&2.into(), &6.into()));
    // Nothing is overwritten, and nothing comes of nothing.
    let twice = run(folder.path(), &import("mixed.pdn", "games"));
    assert!(code(&twice) == 2 && error_line(&twice).contains("already there"), "{twice:?}");
    fs::write(folder.path().join("empty.pdn"), "").expect("written");
    let empty = run(folder.path(), &import("empty.pdn", "none"));
    assert!(code(&empty) == 2 && error_line(&empty).contains("no game"), "{empty:?}");
    assert!(!folder.path().join("none").exists());
    let missing = run(folder.path(), &import("missing.pdn", "none"));
    assert!(code(&missing) == 2 && error_line(&missing).contains("missing.pdn"), "{missing:?}");
}

#[test]
fn exports_that_make_no_sense_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(code(&run(folder.path(), &format!("selfplay english --games 5 --depth 0 --out {}", path("games")))), 0);
    let refused = |options: &str, expected: &str| {
        let output = run(folder.path(), &format!("dataset export {} {options}", path("games")));
        assert_eq!(code(&output), 2, "{options}: {output:?}");
        assert!(last_error_line(&output).contains(expected), "{options}: {output:?}");
        assert!(stdout(&output).is_empty() && !folder.path().join("x").exists(), "{options}");
    };
    let out = path("x");
    refused(&format!("--format pdn --quiet --out {out}"), "whole games");
    refused(&format!("--format npy --pieces 9-3 --out {out}"), "the smaller first");
    refused(&format!("--format npy --sample 0 --out {out}"), "above 0");
    refused(&format!("--format npy --split 1/2/3/4 --out {out}"), "two or three");
    refused(&format!("--format npy --shard-rows 0 --out {out}"), "0 is not in 1..");
    refused(&format!("--format csv --out {out}"), "csv");
    refused(&format!("--format npy --pieces 99 --out {out}"), "no position passes the filter");
    refused("--format npy --out -", "not text");
    refused("--format jsonl --split 9/1 --out -", "several files");
    refused(&format!("--format jsonl --out {}", path("no/such/folder/x")), "there is no folder");
}
