//! The commands that read and make tables.

use std::fs;
use std::path::Path;

use serde_json::{Value, json as value};

use crate::command::{code, endame, error_line, json, run, run_with_input, stdout};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Text of the standard error.
fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of a stream of answers.
fn lines(output: &std::process::Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("JSON a line")).collect()
}

#[test]
fn a_fresh_install_answers_its_first_question_and_keeps_the_table() {
    let tables = folder();
    let first = run(tables.path(), "query international W:WK12,K44:BK1 --json --line");
    assert_eq!(code(&first), 0, "{first:?}");
    assert!(stderr(&first).contains("KKvK"), "says that it solves: {first:?}");
    let answer = json(&first);
    // The 7 plies are published for this position.
    for (field, expected) in [
        ("variant", value!("international")),
        ("fen", value!("W:WK12,K44:BK1")),
        ("material", value!("KKvK")),
        ("pieces", value!(3)),
        ("category", value!("win")),
        ("wdl", value!(2)),
        ("basis", value!("board")),
        ("dtw", value!(7)),
        ("dtc", value!(null)),
        ("missing", value!([])),
    ] {
        assert_eq!(answer[field], expected, "{field}");
    }
    assert_eq!(answer["line"].as_array().expect("a list").len(), 7);
    let best = &answer["moves"][0];
    assert_eq!((&best["move"], &best["category"], &best["dtw"]), (&value!("12-45"), &value!("loss"), &value!(6)));
    assert_eq!((&best["wdl"], &best["fen"]), (&value!(-2), &value!("B:WK44,K45:BK1")));

    let second = run(tables.path(), "query international W:WK12,K44:BK1 --json --line");
    assert!(second.stderr.is_empty(), "the table is there now: {second:?}");
    assert_eq!(second.stdout, first.stdout);
}

#[test]
fn moves_are_ordered_best_first_then_by_name() {
    let tables = folder();
    let answer = json(&run(tables.path(), "query international W:WK12,K44:BK1 --json"));
    let order: Vec<(i64, i64, String)> = answer["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|mv| {
            // Seen by the opponent: his losses first, the shortest first; his wins last, the longest first.
            let wdl = mv["wdl"].as_i64().expect("known");
            let dtw = mv["dtw"].as_i64().unwrap_or(0);
            (wdl, if wdl > 0 { -dtw } else { dtw }, mv["move"].as_str().expect("a text").to_string())
        })
        .collect();
    assert!(order.iter().any(|(wdl, ..)| *wdl > 0) && order.iter().any(|(wdl, ..)| *wdl == 0));
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn a_game_that_is_over_needs_no_table() {
    let tables = folder();
    let answer = json(&run(tables.path(), "query international B:W50:B --json --line"));
    assert_eq!((&answer["category"], &answer["dtw"], &answer["moves"]), (&value!("loss"), &value!(0), &value!([])));
    assert_eq!(answer["line"], value!([]));
    assert!(!tables.path().join("international").exists());
}

#[test]
fn a_plan_tells_when_a_build_would_be_refused() {
    let tables = folder();
    let refused = run(tables.path(), "plan english --pieces 4 --memory 1K");
    assert_eq!(code(&refused), 0);
    assert!(stderr(&refused).contains("would not begin"), "{refused:?}");
    let fitting = run(tables.path(), "plan english --pieces 4 --memory 1G");
    assert_eq!((code(&fitting), stderr(&fitting).as_str()), (0, ""));
}

#[test]
fn a_check_without_memory_says_how_much_it_needs() {
    let tables = folder();
    assert_eq!(code(&run(tables.path(), "build english --pieces 3")), 0);
    let output = run(tables.path(), "verify english --memory 1K");
    assert_eq!(code(&output), 4);
    assert!(error_line(&output).contains("MiB") && error_line(&output).contains("--sample"), "{output:?}");
}

#[test]
fn a_large_slice_is_named_with_the_command_that_builds_it() {
    let tables = folder();
    let output = run(tables.path(), "query english W:WK1,K2,K3:BK31,K32 --json");
    assert_eq!(code(&output), 3);
    let line = error_line(&output);
    assert!(line.contains("KKKvKK") && line.contains("endame build english --material "), "{line}");
    let answer = json(&output);
    assert_eq!((&answer["category"], &answer["wdl"]), (&value!("unknown"), &value!(null)));
    assert!(answer["missing"].as_array().expect("a list").contains(&value!("KKKvKK")), "{answer}");
    assert_eq!(code(&run(tables.path(), "stats english KKKvKK")), 3);
}

#[test]
fn a_stream_is_answered_line_by_line_in_order() {
    let tables = folder();
    let mut input = Vec::new();
    input.extend_from_slice(b"W:WK1,K2:BK31\n");
    input.extend_from_slice(b"\n");
    input.extend_from_slice(b"W:WK1,K1:BK31\n");
    input.extend_from_slice(b"B:WK2:BK31,K32\r\n");
    input.extend_from_slice(b"\xff\xfe\x00\n");
    input.extend_from_slice(&[b'W'; 1 << 20]);
    input.extend_from_slice(b"\nW:W:B\n");
    input.extend_from_slice(b"W:WK1,K2,K3:BK31,K32\n");
    input.extend_from_slice(b"W:BK31:WK2,K1");
    let output = run_with_input(tables.path(), "query english -", input);
    // The exit code is that of the first line that failed.
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("line 2"), "{}", stderr(&output));
    let answers = lines(&output);
    assert_eq!(answers.len(), 9);
    for (i, answer) in answers.iter().enumerate() {
        match i {
            0 | 3 | 8 => assert_eq!((&answer["category"], &answer["dtw"]), (&value!("win"), &value!(33)), "line {i}"),
            7 => assert_eq!(answer["category"], "unknown"),
            _ => {
                let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
                assert_eq!(keys, ["at", "error", "fen"], "line {i}");
            }
        }
    }
    assert_eq!((&answers[1]["at"], &answers[2]["at"], &answers[6]["at"]), (&value!(0), &value!(7), &value!(5)));
}

#[test]
fn a_stream_without_a_table_ends_with_its_code() {
    let output = run_with_input(folder().path(), "query english -", b"W:WK1,K2,K3:BK31,K32\nnonsense\n".to_vec());
    assert_eq!(code(&output), 3);
}

#[test]
fn a_stream_answers_as_single_queries_do() {
    let tables = folder();
    let fens = ["W:WK19,K23:BK28,12", "B:WK19,K23:BK28,12", "W:WK14,22:BK9", "B:WK8:BK4", "W:W10:B7,8"];
    let output = run_with_input(tables.path(), "query english - --line", fens.join("\n").into_bytes());
    assert_eq!(code(&output), 0, "{output:?}");
    for (fen, answer) in fens.iter().zip(lines(&output)) {
        assert_eq!(answer, json(&run(tables.path(), &format!("query english {fen} --json --line"))), "{fen}");
    }
    // Lasker: White to play wins, Black to play draws; the 61 plies are published.
    let answers = lines(&output);
    assert_eq!((&answers[0]["dtw"], &answers[1]["category"]), (&value!(61), &value!("draw")));
    assert_eq!(answers[1]["line"], value!([]));
}

#[test]
fn statistics_count_every_placement_once() {
    let tables = folder();
    assert_eq!(code(&run(tables.path(), "build russian --pieces 3 --metric wdl,dtw")), 0);
    // Published counts of the ending.
    let stats = json(&run(tables.path(), "stats russian KvKK --json"));
    let counts = ["positions", "wins", "draws", "losses"].map(|field| stats[field].as_u64().expect("a number"));
    assert_eq!(counts, [14_880, 754, 13_852, 274]);
    assert_eq!(stats["longest_loss"]["plies"], 8);
    let fen = stats["longest_loss"]["fen"].as_str().expect("a text");
    assert!(fen.starts_with("W:"), "White is to move: {fen}");
    let probed = json(&run(tables.path(), &format!("query russian {fen} --json")));
    assert_eq!((&probed["category"], &probed["dtw"]), (&value!("loss"), &value!(8)));
    let histogram = stats["histogram"].as_array().expect("a list");
    let sum = |field: &str| histogram.iter().map(|bin| bin[field].as_u64().expect("a number")).sum::<u64>();
    assert_eq!((sum("wins"), sum("losses")), (754, 274));
    assert!(stdout(&run(tables.path(), "stats russian KvKK")).contains("13,852"));

    fs::remove_file(tables.path().join("russian/KvKK.dtw.end")).expect("the table is there");
    let stats = json(&run(tables.path(), "stats russian KvKK --json"));
    assert_eq!(
        (&stats["losses"], &stats["longest_loss"], &stats["histogram"]),
        (&value!(274), &value!(null), &value!([]))
    );
}

#[test]
fn a_build_over_its_budget_is_refused_before_it_starts() {
    let tables = folder();
    let output = run(tables.path(), "build international --pieces 6 --memory 64M");
    assert_eq!(code(&output), 4);
    assert!(error_line(&output).contains("--memory"), "{output:?}");
    assert!(!tables.path().join("international").exists());
}

#[test]
fn damaged_tables_are_named_and_never_answer() {
    let tables = folder();
    let query = "query english W:WK1,K2:BK31 --json";
    assert_eq!(code(&run(tables.path(), query)), 0);
    let file = tables.path().join("english/KKvK.dtw.end");
    let sound = fs::read(&file).expect("the table is there");
    let damaged = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("the table can be written");
        let output = run(tables.path(), query);
        assert_eq!(code(&output), 5, "{} bytes: {output:?}", bytes.len());
        assert!(error_line(&output).contains("KKvK.dtw.end"), "{output:?}");
        assert!(output.stdout.is_empty());
    };
    for length in [0, 1, 7, 20, 60, 119, 130, sound.len() / 2, sound.len() - 1] {
        damaged(&sound[..length]);
    }
    damaged(&[sound.as_slice(), b"x"].concat());
    damaged(&fs::read(tables.path().join("english/KvK.dtw.end")).expect("another table"));
    fs::remove_file(&file).expect("the file is there");
    fs::create_dir(&file).expect("a folder in its place");
    assert_eq!(code(&run(tables.path(), query)), 5);
    // Other tables stay usable.
    assert_eq!(code(&run(tables.path(), "query english W:WK1:BK31")), 0);
    fs::remove_dir(&file).expect("the folder is there");
    fs::write(&file, &sound).expect("the table can be written");
    assert_eq!(code(&run(tables.path(), query)), 0);
}

#[test]
fn tables_of_one_variant_do_not_answer_another() {
    let tables = folder();
    assert_eq!(code(&run(tables.path(), "query russian W:WKa1:BKb8")), 0);
    fs::rename(tables.path().join("russian"), tables.path().join("english")).expect("the folder is there");
    let output = run(tables.path(), "query english W:WK29:BK1");
    assert_eq!(code(&output), 5);
    assert!(error_line(&output).contains("russian"), "{output:?}");
}

#[test]
fn a_file_in_place_of_the_folder_is_bad_input() {
    let tables = folder();
    let file = tables.path().join("file");
    fs::write(&file, "no folder").expect("the folder can be written");
    assert_eq!(code(&run(&file, "query english W:WK1:BK31")), 2);
    assert_eq!(code(&run(&file, "build english --pieces 2")), 2);
}

#[test]
fn tables_go_where_they_are_asked_to_go() {
    let home = folder();
    let build = |command: &mut std::process::Command| {
        command.env_remove("ENDAME_TABLES").env("XDG_DATA_HOME", home.path().join("data")).env("HOME", home.path());
        assert!(command.args(["build", "english", "--pieces", "2"]).status().expect("the program runs").success());
    };
    build(endame(Path::new("")).stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()));
    if cfg!(target_os = "linux") {
        assert!(home.path().join("data/endame/english/KvK.wdl.end").exists());
    }
    let chosen = home.path().join("chosen");
    let output = run(Path::new("elsewhere"), &format!("build english --pieces 2 --tables {}", chosen.display()));
    assert_eq!(code(&output), 0, "{output:?}");
    assert!(chosen.join("english/KvK.wdl.end").exists());
}

#[test]
fn a_count_that_cannot_be_is_refused_before_anything_is_built() {
    let tables = folder();
    let output = run(tables.path(), "query international W:WK12,K44:BK1 --count 11");
    assert!(code(&output) == 2 && error_line(&output).contains("draws the game at 10 plies"), "{output:?}");
    assert!(!tables.path().join("international").exists());
}

/// RULES 6.2: two positions of king and man against king need all 5 moves.
#[test]
fn statistics_tell_what_the_draw_rules_leave() {
    let tables = folder();
    let built = run(tables.path(), "build international --material KMvK --metric outcome");
    // Outcomes and their distances are one line.
    assert_eq!(
        (code(&built), stderr(&built).matches("KMvK: 24373 won, 81465 drawn, 2 lost; outcome ").count()),
        (0, 1)
    );
    let stats = || json(&run(tables.path(), "stats international KMvK --json"));
    let outcomes_alone = stats();
    let under_rules = &outcomes_alone["under_rules"];
    assert_eq!((&under_rules["rule"], &under_rules["limit_plies"]), (&value!("5-moves"), &value!(10)));
    let counts = |of: &Value, fields: &[&str]| fields.iter().map(|&field| of[field].clone()).collect::<Vec<_>>();
    let fields = ["wins", "cursed_wins", "draws", "blessed_losses", "losses"];
    assert_eq!(counts(under_rules, &fields), [24_373, 0, 81_465, 0, 2]);
    assert_eq!(counts(&under_rules["longest_win"], &["plies", "count"]), [9, 2]);
    assert_eq!(counts(&outcomes_alone, &["wins", "draws", "losses"]), [24_373, 81_465, 2]);
    assert_eq!(code(&run(tables.path(), "build international --material KMvK --metric dtw")), 0);
    let both = stats();
    assert_eq!(both["under_rules"], *under_rules, "counted one by one, and from two headers");
    assert_eq!(counts(&both["longest_win"], &["plies", "count"]), [9, 2]);
    let text = run(tables.path(), "stats international KMvK");
    assert!(stdout(&text).contains("under the draw rules: 5-moves decides, 10 plies"), "{text:?}");
    let plain = json(&run(tables.path(), "stats international KvM --json"));
    assert!(plain["under_rules"].is_null() != tables.path().join("international/KvM.outcome.end").exists());
}

#[test]
fn distances_to_the_next_conversion_are_not_passed_off_as_distances_to_the_end() {
    let tables = folder();
    assert_eq!(code(&run(tables.path(), "build international --material KMvK --metric dtc")), 0);
    let stats = json(&run(tables.path(), "stats international KMvK --json"));
    assert_eq!(stats["metric"], "dtc");
    let text = run(tables.path(), "stats international KMvK");
    assert!(stdout(&text).contains(" to the next conversion, "), "{text:?}");
}

/// With 27 and 52 plies counted the shortest line of the board comes too late; another wins in time.
#[test]
fn a_line_is_one_that_wins_under_several_counts_or_is_said_to_be_too_long() {
    let tables = folder();
    let line = |count: &str| {
        let query = format!("query russian W:WKe1,Kg3,b6:BKc1 --line --count {count} --json");
        let answer = json(&run(tables.path(), &query));
        (answer["wdl"].clone(), answer["line"].as_array().expect("a line").len())
    };
    let (wdl, plies) = line("15-king-moves=27,30-moves=52");
    assert!(wdl == 2 && plies > 2, "{wdl} {plies}");
    let late = run(tables.path(), "query international W:WK12,K44:BK1 --count 4 --line");
    assert!(stdout(&late).contains("best line without the draw rules, too long for them:"), "{late:?}");
    // A game that is drawn has no winning move.
    let full = json(&run(tables.path(), "query international W:WK12,K44:BK1 --count 10 --json"));
    let moves = full["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|mv| mv["wdl"].as_i64().is_some_and(|wdl| wdl.abs() < 2)), "{full}");
}

/// The 7 plies of this win are published; the 5-moves rule allows 10.
#[test]
fn a_query_answers_under_the_draw_rules_where_there_are_outcomes_and_at_any_count() {
    let tables = folder();
    assert_eq!(code(&run(tables.path(), "build international --material KKvK --metric outcome")), 0);
    let answer = |count: &str| json(&run(tables.path(), &format!("query international W:WK12,K44:BK1 --json{count}")));
    let fresh = answer("");
    for (field, expected) in [("category", value!("win")), ("basis", value!("rules")), ("rule", value!("5-moves"))] {
        assert_eq!(fresh[field], expected, "{field}");
    }
    assert_eq!((&fresh["wdl"], &fresh["dtw"]), (&value!(2), &value!(null)));
    let late = answer(" --count 5-moves=4");
    assert_eq!((&late["category"], &late["wdl"], &late["count"]), (&value!("cursed-win"), &value!(1), &value!(4)));
    let best = &late["moves"][0];
    assert_eq!((&best["category"], &best["wdl"]), (&value!("blessed-loss"), &value!(-1)));
    let shown = run(tables.path(), "query international W:WK12,K44:BK1 --count 4");
    let text = stdout(&shown);
    assert!(
        text.contains(
            "under the draw rules: a draw, the win of White comes too late; 5-moves decides, with 4 plies counted of 10"
        ),
        "{text}"
    );
    assert!(text.contains("draws: a win too late"), "{text}");
    for (count, message) in [
        ("11", "5-moves draws the game at 10 plies"),
        ("5-mvoes=1", "did you mean 5-moves?"),
        ("16-moves=1", "16-moves does not count in KKvK"),
        ("-1", "expected a number of plies"),
    ] {
        let output = run(tables.path(), &format!("query international W:WK12,K44:BK1 --count {count}"));
        assert_eq!(code(&output), 2, "{output:?}");
        assert!(stderr(&output).contains(message), "{output:?}");
    }
}

/// Three kings against one count 15 moves, and 5 while the king is on the main road.
#[test]
fn a_query_answers_at_the_counts_of_several_rules() {
    let tables = folder();
    let fen = "W:WKa1,Kb2,Kd6:BKg1";
    let query = |count: &str| run(tables.path(), &format!("query russian {fen} --json{count}"));
    let late = json(&query(" --count 15-moves=29"));
    assert!(tables.path().join("russian/KKKvK.outcome.end").exists());
    assert!(!tables.path().join("russian/KKKvK.dtr.end").exists());
    assert_eq!(
        (&late["category"], &late["basis"], &late["rule"]),
        (&value!("cursed-win"), &value!("rules"), &value!(null))
    );
    assert_eq!(late["counts"], value!({"15-moves": 29, "15-king-moves": 0, "30-moves": 0}));
    assert_eq!(late["moves"][0]["category"], "blessed-loss");
    // Three kings win on the board before a count is full; with as many plies left as the win takes they still do.
    let fresh = json(&query(" --line"));
    let plies = fresh["dtw"].as_u64().expect("a number of plies");
    assert_eq!((&fresh["category"], &fresh["moves"][0]["category"]), (&value!("win"), &value!("loss")));
    assert_eq!(fresh["line"].as_array().map(Vec::len), Some(plies as usize));
    let category = |count: u64| json(&query(&format!(" --count 15-moves={count}")))["category"].clone();
    // One ply fewer may do too: a king given up ends the count.
    assert_eq!([30 - plies, 15].map(category), [value!("win"), value!("cursed-win")]);
    let shown = run(tables.path(), &format!("query russian {fen} --count 15-moves=29"));
    let text = stdout(&shown);
    let says =
        "comes too late; plies counted: 15-moves with 29 of 30, 15-king-moves with 0 of 30, 30-moves with 0 of 60";
    assert!(text.contains(says), "{text}");
    for (count, message) in [
        ("3", "several draw rules count at once here, 15-moves, 15-king-moves, 30-moves"),
        ("main-road=3", "main-road does not count in this position"),
        ("15-moves=31", "15-moves draws the game at 30 plies"),
    ] {
        let output = query(&format!(" --count {count}"));
        assert_eq!(code(&output), 2, "{output:?}");
        assert!(stderr(&output).contains(message), "{output:?}");
    }
    let verified = run(tables.path(), "verify russian");
    assert_eq!(code(&verified), 0, "{verified:?}");
    assert!(stdout(&verified).contains("in 2 tables of outcomes several draw rules count at once"), "{verified:?}");
}
