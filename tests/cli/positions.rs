//! The commands that need no tables, and arguments that are wrong.

use std::path::Path;

use endame::rules::Variant;

use crate::command::{code, endame, error_line, json, run, stdout};

fn none() -> &'static Path {
    Path::new("no-such-folder")
}

#[test]
fn perft_counts_depth_one_first() {
    // data/perft: the published counts.
    let output = run(none(), "perft international --depth 6 --json");
    assert_eq!(code(&output), 0);
    assert_eq!(json(&output)["counts"], serde_json::json!([9, 81, 658, 4265, 27117, 167140]));
    assert_eq!(json(&output)["variant"], "international");
}

#[test]
fn perft_says_how_many_leaves_it_counted_or_made() {
    for (option, done) in [("", "counted"), (" --make-leaves", "made")] {
        let output = run(none(), &format!("perft international --depth 4{option}"));
        let text = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[4].split_whitespace().collect::<Vec<_>>(), ["4", "4265"], "{text}");
        assert!(lines[5].starts_with(&format!("5,013 leaves {done} in ")), "{text}");
    }
}

#[test]
fn moves_are_listed_with_all_captured_squares() {
    // A published example of an ambiguous capture: two ways from 47 to 36.
    let output = run(none(), "moves international B:W14,19,31,38:BK47 --json");
    assert_eq!(code(&output), 0);
    let moves = json(&output)["moves"].as_array().expect("a list").clone();
    let captures: Vec<String> = moves.iter().map(|mv| mv["captures"].to_string()).collect();
    assert_eq!(captures, [r#"["14","31","38"]"#, r#"["19","31","38"]"#]);
    assert_ne!(moves[0]["move"], moves[1]["move"]);
    assert!(moves.iter().all(|mv| mv["conversion"] == true && mv["promotes"] == false));
    assert_eq!(moves[0]["fen"], "W:W19:BK36");
}

#[test]
fn only_moves_that_cannot_be_undone_are_conversions() {
    let conversions = |arguments: &str| -> Vec<(String, bool)> {
        let moves = json(&run(none(), arguments))["moves"].as_array().expect("a list").clone();
        let text = |mv: &serde_json::Value| mv["move"].as_str().expect("a text").to_string();
        moves.iter().map(|mv| (text(mv), mv["conversion"] == true)).collect()
    };
    let turkish = conversions("moves turkish W:Wb3:BKh8 --json");
    assert_eq!(turkish, [("b3-a3".into(), false), ("b3-b4".into(), true), ("b3-c3".into(), false)]);
    assert!(conversions("moves english W:WK32:B1 --json").iter().all(|(_, conversion)| !conversion));
}

#[test]
fn a_fault_in_a_fen_is_bad_input_and_pointed_at() {
    for (variant, fen, byte) in [
        ("international", "", 0),
        ("international", "garbage", 0),
        ("international", "W:W31,31:B1", 6),
        ("international", "W:W31:B31", 7),
        ("international", "W:W31:B0", 7),
        ("international", "W:W31:B51", 7),
        ("international", "X:W31:B1", 0),
        ("international", "W:W4:B20", 3),
        ("international", "W:W:B", 5),
        ("international", "W:W31,abc:B1", 6),
        ("english", "?:WK29,13,11:B22,4", 0),
        ("russian", "W:Wb8:Ba7", 3),
        ("turkish", "W:W12:Ba6", 3),
        ("english", "W:W1-13:B20", 3),
    ] {
        for command in ["moves", "query", "perft --depth 2"] {
            let mut words = command.split(' ');
            let output = endame(none())
                .arg(words.next().expect("a command"))
                .args([variant, fen])
                .args(words)
                .output()
                .expect("the program runs");
            assert_eq!(code(&output), 2, "{command} {variant} {fen:?}");
            let line = error_line(&output);
            assert!(line.contains(&format!("byte {byte}:")), "{variant} {fen:?}: {line}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn wrong_arguments_are_one_line_and_bad_input() {
    for arguments in [
        "",
        "moves",
        "moves chess W:W31:B1",
        "perft english",
        "perft english --depth 0",
        "build english",
        "build english --pieces 3 --material KvK",
        "build english --pieces 1",
        "build english --pieces 99",
        "build english --material KKvX",
        "build english --material Kv",
        "build english --pieces 3 --metric dtz",
        "build english --pieces 3 --memory lots",
        "build english --pieces 3 --threads 0",
        "stats english KKK",
        "prove english no-such-rule",
        "query english",
        "completions nushell3",
        "verify english --sample -1",
        "nonsense",
    ] {
        let output = run(none(), arguments);
        assert_eq!(code(&output), 2, "{arguments}");
        assert!(error_line(&output).contains("; "), "{arguments}: says what to do: {output:?}");
    }
}

#[test]
fn the_names_of_variants_are_those_of_the_build() {
    let names = Variant::ALL.iter().map(|v| v.name()).collect::<Vec<_>>().join(", ");
    let output = run(none(), "moves chess W:W31:B1");
    assert!(error_line(&output).contains(&format!("[possible values: {names}]")), "{output:?}");
    assert!(stdout(&run(none(), "moves --help")).contains("russian, turkish"));
    let output = run(none(), "moves brazilian W:Wc3:Bd4,d6");
    if cfg!(feature = "related") {
        assert!(stdout(&output).contains("c3xc7"), "{output:?}");
    } else {
        assert_eq!(code(&output), 2);
        let says = "endame: this build has no brazilian; build with --features related; ";
        assert!(error_line(&output).starts_with(says), "{output:?}");
    }
}

#[test]
fn help_of_every_command_shows_an_example() {
    for command in
        ["build", "plan", "report", "query", "stats", "prove", "verify", "moves", "perft", "completions", "demo"]
    {
        let output = run(none(), &format!("{command} --help"));
        assert_eq!(code(&output), 0);
        let help = stdout(&output);
        assert!(help.contains("--tables") && help.contains("--json"), "{command}: {help}");
        assert!(help.contains(&format!("endame {command}")), "{command}: {help}");
    }
    assert_eq!(stdout(&run(none(), "--version")), concat!("endame ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(none(), &format!("completions {shell}"));
        assert_eq!(code(&output), 0);
        assert!(["query", "report", "verify", "threads"].iter().all(|word| stdout(&output).contains(word)), "{shell}");
    }
}

#[test]
fn a_plan_lists_every_slice_after_what_it_needs() {
    let output = run(none(), "plan english --pieces 4 --json");
    assert_eq!(code(&output), 0);
    let slices = json(&output)["slices"].as_array().expect("a list").clone();
    let mut planned: Vec<String> = Vec::new();
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_string();
    for slice in &slices {
        assert!(slice["needs"].as_array().expect("a list").iter().all(|need| planned.contains(&text(need))));
        planned.extend(slice["materials"].as_array().expect("a list").iter().map(text));
    }
    // 4 slices of two pieces, 12 of three, 16 of three against one and 9 of two against two.
    assert_eq!(planned.len(), 41);
    // The number of English positions of two to four pieces is published.
    let positions: u64 = slices.iter().map(|slice| slice["positions"].as_u64().expect("a number")).sum();
    assert_eq!(positions, 6_408_836);
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_ends_the_program_quietly() {
    use std::process::Stdio;
    for arguments in ["perft english --depth 9", "completions zsh", "moves turkish W:WKa1,Kb2,Kc3:BKh8"] {
        let mut child = endame(none())
            .args(arguments.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(code(&output), 0, "{arguments}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_signal_ends_work_that_does_not_ask_for_it() {
    use std::process::{Command, Stdio};
    let mut child = endame(none())
        .args(["perft", "international", "--depth", "30"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // The first count is printed once signals are caught.
    let mut first = [0; 1];
    std::io::Read::read_exact(child.stdout.as_mut().expect("piped"), &mut first).expect("a first line");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
}
