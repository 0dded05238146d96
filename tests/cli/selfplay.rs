//! `endame selfplay` and `endame dataset`.

use std::fs;

use crate::command::{code, endame, error_line, json, run, stdout};

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
    let merged = run(folder.path(), &format!("dataset merge {} --out {}", path("games"), path("all.games")));
    assert_eq!(code(&merged), 0, "{merged:?}");
    let export = format!("dataset export {} --format jsonl --out {}", path("all.games"), path("all.jsonl"));
    assert_eq!(code(&run(folder.path(), &export)), 0);
    let lines = fs::read_to_string(folder.path().join("all.jsonl")).expect("lines");
    assert_eq!(Some(lines.lines().count() as u64), info["positions"].as_u64());
    let twice = run(folder.path(), &export);
    assert!(code(&twice) == 2 && error_line(&twice).contains("already there"));

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
    refused("--games 5 --openings random:x", "not a number of plies");
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
