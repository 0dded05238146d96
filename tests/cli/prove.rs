//! What `prove` and `demo` say. The numbers are published: see the table of endings in the project's rules notes and
//! the sources named there.

use std::fs;
use std::path::Path;

use serde_json::{Value, json as value};

use crate::command::{code, error_line, json, last_error_line, run, stdout};

/// The claim of `rule` in `material`.
fn claim<'a>(answer: &'a Value, rule: &str, material: &str) -> &'a Value {
    let claims = answer["claims"].as_array().expect("a list");
    let mut found = claims.iter().filter(|claim| claim["rule"] == rule && claim["material"] == material);
    let claim = found.next().unwrap_or_else(|| panic!("no claim of {rule} in {material}"));
    assert!(found.next().is_none(), "one claim a material");
    claim
}

fn counts(claim: &Value) -> [u64; 4] {
    ["positions", "wins", "draws", "losses"].map(|field| claim[field].as_u64().expect("a number"))
}

/// Plays a line from a position by way of `moves`, and returns how many moves it took to the end of the game.
fn plies_to_the_end(tables: &Path, variant: &str, fen: &str, line: &Value) -> usize {
    let mut fen = fen.to_string();
    let line = line.as_array().expect("a list");
    for mv in line {
        let moves = json(&run(tables, &format!("moves {variant} {fen} --json")));
        let moves = moves["moves"].as_array().expect("a list");
        let played = moves.iter().find(|m| m["move"] == *mv).unwrap_or_else(|| panic!("{mv} is no move of {fen}"));
        fen = played["fen"].as_str().expect("a text").to_string();
    }
    let last = json(&run(tables, &format!("moves {variant} {fen} --json")));
    assert_eq!(last["moves"], value!([]), "the game is over after the line");
    line.len()
}

#[test]
fn the_three_kings_rule_of_international_draughts_takes_no_win_away() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let output = run(tables.path(), "prove international --json");
    assert_eq!(code(&output), 0, "{output:?}");
    let answer = json(&output);
    let kings = claim(&answer, "16-moves", "KKKvK");
    assert_eq!(counts(kings), [921_200, 486_444, 434_756, 0]);
    assert_eq!((&kings["longest"]["plies"], &kings["limit_plies"]), (&value!(15), &value!(32)));
    assert_eq!(counts(claim(&answer, "16-moves", "KvKKK")), [921_200, 16_812, 863_802, 40_586]);
    let man = claim(&answer, "16-moves", "KKMvK");
    assert_eq!((&man["longest"]["plies"], &man["cut_off"], &man["holds"]), (&value!(31), &value!(0), &value!(true)));
    // RULES 6.2: five positions need all 16 moves, and of king and man two need all 5.
    assert_eq!(man["longest"]["count"], 5);
    assert_eq!(claim(&answer, "5-moves", "KMvK")["longest"]["count"], 2);
    assert_eq!(counts(claim(&answer, "16-moves", "KMMvK")), [2_233_440, 665_906, 1_567_532, 2]);
    assert_eq!(counts(claim(&answer, "5-moves", "KKvK")), [58_800, 19_398, 39_402, 0]);
    let five = claim(&answer, "5-moves", "KMvK");
    assert_eq!((&five["longest"]["plies"], &five["limit_plies"]), (&value!(9), &value!(10)));
    assert_eq!(counts(claim(&answer, "5-moves", "KvK")), [2_450, 424, 2_024, 2]);
    assert!(answer["claims"].as_array().expect("a list").iter().all(|claim| claim["holds"] == true));

    let longest = &man["longest"];
    let fen = longest["fen"].as_str().expect("a text");
    assert_eq!(plies_to_the_end(tables.path(), "international", fen, &longest["line"]), 31);

    let text = run(tables.path(), "prove international 16-moves");
    assert_eq!(code(&text), 0);
    assert!(stdout(&text).contains("434,756") && !stdout(&text).contains("5-moves"));
    let row = stdout(&text).lines().find(|line| line.trim_start().starts_with("KKMvK")).expect("a line of KKMvK");
    assert!(row.ends_with("0       31        5        0  holds"), "{row}");
    // With the lone king to move, the move before the longest win.
    assert!(stdout(&text).contains("longest, 32 plies (limit 32), 1 position of KvKKM: "), "{}", stdout(&text));
}

#[test]
fn the_main_road_rule_of_russian_draughts_takes_no_win_away() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let output = run(tables.path(), "prove russian --json");
    assert_eq!(code(&output), 1);
    let answer = json(&output);
    let kings = claim(&answer, "15-moves", "KKKvK");
    assert_eq!(counts(kings), [143_840, 132_240, 11_600, 0]);
    assert_eq!((&kings["longest"]["plies"], &kings["holds"]), (&value!(25), &value!(true)));
    // RULES 6.2: Petrov's triangle takes 13 moves in 868 positions, none of them with the lone king on the road.
    assert_eq!(
        (&kings["longest"]["count"], &claim(&answer, "off-main-road", "KKKvK")["longest"]["count"]),
        (&value!(868), &value!(868))
    );
    assert_eq!(counts(claim(&answer, "5-moves", "KKvK")), [14_880, 5_628, 9_252, 0]);
    assert_eq!(counts(claim(&answer, "5-moves", "KMvK")), [26_040, 7_241, 18_797, 2]);
    let road = claim(&answer, "main-road", "KKKvK");
    assert_eq!((counts(road)[0], counts(road)[1]), (16_192, 5_488));
    assert_eq!((&road["holds"], &road["longest"]["plies"]), (&value!(true), &value!(9)));
    for material in ["KKMvK", "KMMvK"] {
        let road = claim(&answer, "main-road", material);
        // Six wins take 6 moves (RULES 6.2), but the lone king leaves the road by a capture before the fifth.
        assert_eq!((&road["longest"]["plies"], &road["excess_plies"]), (&value!(11), &value!(1)));
        assert_eq!(road["longest"]["count"], 6, "{material}");
        assert_eq!((&road["cut_off"], &road["holds"]), (&value!(0), &value!(true)), "{material}");
    }
    let off = claim(&answer, "off-main-road", "KKKvK");
    assert_eq!((counts(off)[2], &off["exceptions"]), (896, &value!(896)));
    // Wins of 3 against 1 with men take up to 47 plies, but are converted in time wherever they lead.
    let king_moves = claim(&answer, "15-king-moves", "KKMvK");
    assert_eq!(
        (&king_moves["holds"], &king_moves["cut_off"], &king_moves["by"]),
        (&value!(true), &value!(0), &value!("dtc"))
    );
    // Seven wins are cut off, by the count of the main road with a man on it too; three rules count, so this one is
    // open.
    let open = claim(&answer, "30-moves", "KMMvK");
    assert_eq!((&open["holds"], &open["cut_off"], &open["longest"]["plies"]), (&value!(null), &value!(7), &value!(81)));
    assert_eq!(claim(&answer, "30-moves", "KvKMM")["cut_off"], 62);
    let man = claim(&answer, "15-king-moves", "KMMvK");
    assert_eq!((&man["holds"], &man["cut_off"]), (&value!(true), &value!(0)));
}

#[test]
fn two_english_kings_do_not_always_beat_one() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let output = run(tables.path(), "prove english two-kings --json");
    assert_eq!(code(&output), 1);
    let answer = json(&output);
    let two = claim(&answer, "two-kings", "KKvK");
    assert_eq!(counts(two), [14_880, 14_846, 34, 0]);
    assert_eq!(
        (&two["holds"], &two["exceptions"], &two["longest"]["plies"]),
        (&value!(false), &value!(34), &value!(33))
    );
    let fen = two["counterexample"].as_str().expect("a text");
    assert_eq!(json(&run(tables.path(), &format!("query english {fen} --json")))["category"], "draw");

    let plot = tables.path().join("claims.svg");
    let output = run(tables.path(), &format!("prove english three-kings --plot {}", plot.display()));
    assert_eq!(code(&output), 0, "{output:?}");
    assert!(stdout(&output).contains("143,840"));
    assert!(fs::read_to_string(plot).expect("the plot is written").contains("three-kings KKKvK"));
}

#[test]
fn turkish_king_against_king_is_won_only_at_once() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let output = run(tables.path(), "prove turkish --json");
    assert_eq!(code(&output), 0);
    let answer = json(&output);
    assert_eq!(counts(claim(&answer, "king-king", "KvK")), [4_032, 672, 3_360, 0]);
    assert_eq!(counts(claim(&answer, "king-man", "KvM")), [3_528, 630, 2_898, 0]);
    assert_eq!(counts(claim(&answer, "king-man", "MvK")), [3_528, 132, 3_396, 0]);
}

#[test]
fn an_unknown_rule_is_bad_input_with_the_rules_there_are() {
    let output = run(Path::new("no-such-folder"), "prove russian 16-moves");
    assert_eq!(code(&output), 2);
    assert!(error_line(&output).contains("main-road"), "{output:?}");
}

#[test]
fn a_rule_without_tables_names_the_command_that_makes_them() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let output = run(tables.path(), "prove russian 60-moves");
    let remedy = "endame build russian --pieces 6 --metric dtw,dtc";
    assert!(code(&output) == 3 && error_line(&output).contains(remedy), "{output:?}");
}

#[test]
fn a_page_of_one_rule_is_refused_however_it_is_asked_for() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    for (arguments, message) in [
        ("prove russian --all main-road", "leave --all out: endame prove russian main-road"),
        ("prove russian --all main-raod", "main-road is a rule"),
        ("prove russian main-road --all", "cannot be used with"),
        ("prove russian --all --json", "--all cannot be used with --json"),
        ("--json prove russian --all", "--all cannot be used with --json"),
    ] {
        let output = run(tables.path(), arguments);
        assert!(code(&output) == 2 && error_line(&output).contains(message), "{arguments}: {output:?}");
    }
}

#[test]
fn a_damaged_table_of_outcomes_ends_a_proof_with_its_name() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(code(&run(tables.path(), "build english --material KKvKK --metric dtw,outcome")), 0);
    // What is of use to a proof is made anew where it is damaged; this is no such material.
    let file = tables.path().join("english/KKvKK.outcome.end");
    let sound = fs::read(&file).expect("the table is there");
    fs::write(&file, &sound[..sound.len() - 1]).expect("the table can be written");
    for arguments in ["prove english 40-moves", "stats english KKvKK"] {
        let output = run(tables.path(), arguments);
        assert!(code(&output) == 5 && last_error_line(&output).contains("KKvKK.outcome.end"), "{output:?}");
    }
}

#[test]
fn the_demo_ends_well_even_where_a_claim_is_false() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let output = run(tables.path(), "demo english");
    assert_eq!(code(&output), 0, "{output:?}");
    let text = stdout(&output);
    // The tables, a claim that is false, three boards with their lines, and what comes next.
    assert!(text.contains("false in 34"), "{text}");
    assert_eq!(text.matches("best line:").count(), 2, "two of the three positions are won");
    assert!(text.contains("White wins in 61 plies") && text.contains("endame build english --pieces 4"));
    assert!(tables.path().join("english/KKKvK.dtw.end").exists());
}

#[test]
fn everything_goes_on_one_page_and_no_file_is_written_over() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| tables.path().join(name).display().to_string();
    let page = format!("prove english --all {}", path("page.html"));
    // Two kings do not always beat one: a claim is false, and the page says so.
    assert_eq!(code(&run(tables.path(), &page)), 1);
    let text = std::fs::read_to_string(tables.path().join("page.html")).expect("a page");
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    assert!(text.contains("never cuts off a win: proved over") && text.contains("not so"), "{text}");
    assert!(text.contains("longest of KKvK, 33 plies by dtw, "), "{text}");
    assert!(text.contains("Every rule is held against the tables by itself"), "{text}");
    assert!(text.contains("not so in KKvK: <code>W:W"), "a counterexample: {text}");
    assert_eq!(text.matches("<svg").count(), text.matches("</svg>").count());
    assert!(text.matches("<svg").count() >= 3, "a picture a claim");
    assert!(!text.contains("http://") || text.matches("http://").count() == text.matches("http://www.w3.org").count());
    let twice = run(tables.path(), &page);
    assert!(code(&twice) == 2 && error_line(&twice).contains("--force"), "{twice:?}");
    assert_eq!(code(&run(tables.path(), &format!("{page} --force"))), 1);
    let nowhere = run(tables.path(), &format!("prove english 40-moves --plot {}", path("no/such.svg")));
    assert!(code(&nowhere) == 2 && error_line(&nowhere).contains("there is no folder"), "{nowhere:?}");
    let plot = format!("prove english 40-moves --plot {}", path("plot.svg"));
    assert_eq!(code(&run(tables.path(), &plot)), 0);
    let twice = run(tables.path(), &plot);
    assert!(code(&twice) == 2 && error_line(&twice).contains("--force"), "{twice:?}");
}
