//! `endame records`: the longest wins are those that are published, and their lines lead there.

use endame::position::Fen;
use endame::rules::English;
use serde_json::Value;

use crate::command::{code, error_line, json, run, stdout};

#[test]
fn the_longest_wins_of_small_endings_are_the_published_ones() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let nothing = run(tables.path(), "records english");
    assert!(code(&nothing) == 3 && error_line(&nothing).contains("endame build english"), "{nothing:?}");
    assert_eq!(code(&run(tables.path(), "build english --pieces 3 --metric dtw,dtc")), 0);
    let answer = json(&run(tables.path(), "records english --json"));
    let records = answer["records"].as_array().expect("a list");
    let plies = |material: &str, metric: &str| {
        let record = records.iter().find(|record| record["material"] == material && record["metric"] == metric);
        record.expect("a record")["plies"].as_u64().expect("a number")
    };
    // RULES 6.1; without men the capture that ends it is the only conversion.
    assert_eq!([plies("KvK", "dtw"), plies("KKvK", "dtw"), plies("KMvK", "dtw")], [11, 33, 47]);
    assert_eq!([plies("KvK", "dtc"), plies("KKvK", "dtc")], [11, 33]);
    // Without outcomes nothing is said of the draw rules, unless a capture ends the game at once.
    let longer = records.iter().filter(|record| record["plies"].as_u64() > Some(2));
    assert!(longer.clone().count() > 5 && longer.clone().all(|record| record["under_rules"].is_null()));
    assert_eq!(code(&run(tables.path(), "build english --pieces 2 --metric outcome")), 0);
    let two = json(&run(tables.path(), "records english --pieces 2 --json"));
    let two = two["records"].as_array().expect("a list");
    let value = |record: &Value| if record["wins"] == true { "win" } else { "loss" };
    assert!(two.iter().all(|record| record["under_rules"] == value(record)), "40 moves each take no such win away");
    for record in records {
        let mut fen: Fen<English> = record["fen"].as_str().expect("text").parse().expect("a FEN");
        let (plies, line) = (record["plies"].as_u64().expect("a number"), record["line"].as_array().expect("a line"));
        let mut first_conversion = None;
        for (ply, text) in line.iter().enumerate() {
            let mv = fen.read_move(text.as_str().expect("text")).expect("a legal move");
            if fen.position.converts(&mv) && first_conversion.is_none() {
                first_conversion = Some(ply as u64 + 1);
            }
            fen = fen.play(&mv);
        }
        assert!(fen.position.is_over(), "{record}: the line goes to the end");
        match record["metric"].as_str() {
            Some("dtw") => assert_eq!(line.len() as u64, plies, "{record}"),
            _ => assert_eq!(first_conversion.unwrap_or(line.len() as u64), plies, "{record}"),
        }
    }
    let output = run(tables.path(), "records english --pieces 2 --pdn");
    let games = stdout(&output);
    assert_eq!(
        games.matches("[FEN \"").count(),
        records.iter().filter(|r| r["fen"].as_str().is_some_and(|f| f.matches(',').count() == 0)).count()
    );
    for both in ["records english --pdn --json", "--json records english --pdn"] {
        let refused = run(tables.path(), both);
        assert!(
            code(&refused) == 2 && error_line(&refused).contains("--pdn cannot be used with --json"),
            "{refused:?}"
        );
    }
    assert!(stdout(&run(tables.path(), "records english --pieces 2")).contains("11 plies to the end (dtw)"));
}
