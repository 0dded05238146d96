//! `endame search`.

use std::fs;
use std::path::Path;

use crate::command::{code, error_line, json, run, stdout};

fn none() -> &'static Path {
    Path::new("no-such-folder")
}

#[test]
fn a_search_by_depth_answers_the_same_every_time() {
    let answer = || {
        let output = run(none(), "search international W:W31-50:B1-20 --depth 7 --json");
        assert_eq!(code(&output), 0);
        let mut answer = json(&output);
        for measured in ["seconds", "nodes_per_second"] {
            assert!(answer[measured].as_f64().is_some_and(|number| number > 0.0), "{answer}");
            answer.as_object_mut().expect("an object").remove(measured);
        }
        answer
    };
    let first = answer();
    assert_eq!(first, answer());
    assert_eq!((&first["variant"], &first["depth"]), (&"international".into(), &7.into()));
    assert_eq!((&first["category"], &first["exact"]), (&"unknown".into(), &false.into()));
    assert_eq!((&first["pieces"], &first["plies"]), (&40.into(), &serde_json::Value::Null));
    assert!(first["score"].is_i64() && first["nodes"].as_u64() > Some(100));
    assert!(first["line"].as_array().is_some_and(|line| !line.is_empty()));
}

#[test]
fn a_win_is_shown_with_its_plies_and_the_whole_line() {
    let output = run(none(), "search international W:WK12,K44:BK1 --depth 9");
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(text.contains("win in 7 plies for White"), "{text}");
    assert!(text.contains("\n  1. ") && text.contains(" 4. ") && text.contains("million a second"), "{text}");
    let lost = json(&run(none(), "search international W:W46:B41,37 --depth 3 --json"));
    assert_eq!((&lost["category"], &lost["plies"]), (&"loss".into(), &0.into()));
    assert_eq!(lost["line"], serde_json::json!([]));
}

#[test]
fn tables_in_the_folder_are_used() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let built = run(folder.path(), "build russian --pieces 3 --metric dtw");
    assert_eq!(code(&built), 0, "{built:?}");
    // The notes of the rules: two kings against one on the main road are a draw, off it mostly too.
    for fen in ["W:WKc7,Kd4:BKg1", "W:WKa1,Kc1:BKh8", "B:WKf2,Kg1:BKa7"] {
        let found = json(&run(folder.path(), &format!("search russian {fen} --depth 2 --json")));
        let value = json(&run(folder.path(), &format!("query russian {fen} --json")));
        assert_eq!((&found["category"], &found["plies"]), (&value["category"], &value["dtw"]), "{fen}");
        assert_eq!(found["exact"], true);
    }
    // A table that is damaged is an error, not a guess.
    let table = folder.path().join("russian/KKvK.dtw.end");
    let mut bytes = fs::read(&table).expect("the table");
    bytes[20] ^= 1;
    fs::write(&table, bytes).expect("the table can be written");
    let output = run(folder.path(), "search russian W:WKc7,Kd4:BKg1 --depth 2");
    assert_eq!(code(&output), 5);
    assert!(error_line(&output).contains("KKvK.dtw.end"));
}

#[test]
fn every_kind_of_limit_ends_the_search() {
    let nodes = json(&run(none(), "search turkish --nodes 5000 --json"));
    assert_eq!(nodes["nodes"], 5000);
    let time = json(&run(none(), "search english --time 0.05 --json"));
    assert!(time["seconds"].as_f64() < Some(5.0) && time["depth"].as_u64() >= Some(1), "{time}");
    let both = json(&run(none(), "search english --nodes 1000000 --depth 2 --json"));
    assert_eq!(both["depth"], 2);
}

#[test]
fn wrong_limits_and_positions_are_bad_input() {
    for arguments in [
        "search english",
        "search english --depth 0",
        "search english --depth 97",
        "search english --nodes 0",
        "search english --time 0",
        "search english --time -1",
        "search english --time inf",
        "search english --time soon",
        "search nonsense --depth 3",
        "search english W:W1:B32 --depth 3",
    ] {
        let output = run(none(), arguments);
        assert_eq!(code(&output), 2, "{arguments}");
        assert!(!error_line(&output).is_empty() && output.stdout.is_empty(), "{arguments}");
    }
}
