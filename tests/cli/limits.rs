//! Files and resources that a system may refuse.

use std::fs;
use std::path::Path;
use std::process::Output;

use endame::index::{Indexer, Material};
use endame::position::{Fen, Position};
use endame::rules::{Colour, English, Rules};
use endame::table::{Coding, EncodedBlock, Header, Statistics, TableWriter};
use endame::tablebase::table_path;
use endame::value::Metric;

use crate::command::{code, error_line, json, run, stdout};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Runs the program by a shell after `ulimit`.
#[cfg(unix)]
fn run_limited(limit: &str, tables: &Path, arguments: &str, input: &str) -> Output {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit {limit}; exec \"$0\" {arguments}"), env!("CARGO_BIN_EXE_endame")])
        .env("ENDAME_TABLES", tables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh runs");
    let mut stdin = child.stdin.take().expect("the input is piped");
    // Short enough for a pipe; a program that ends before it has read it is judged by its output.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// Writes a table that calls every position of the slice a draw.
fn write_drawn(tables: &Path, material: Material) {
    let indexer = Indexer::<English>::new(material);
    let header = Header {
        variant: English::NAME.to_string(),
        facts_hash: English::facts_hash(),
        material: material.to_string(),
        metric: Metric::Wdl,
        order: indexer.order().number(),
        positions: indexer.placements(),
        slots: indexer.slots(),
        block_slots: Coding::Trits.block_slots(),
        coding: Coding::Trits,
        level: 1,
        statistics: Statistics { draws: indexer.placements(), ..Statistics::default() },
    };
    let path = table_path(tables, English::NAME, material, Metric::Wdl);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    let mut writer = TableWriter::create(&path, &header).expect("a new file");
    for _ in 0..header.block_count() {
        writer.push_block(&EncodedBlock::Constant(1)).expect("room on the disk");
    }
    writer.finish().expect("room on the disk");
}

/// A position of the slice that its table answers.
fn stored(material: Material) -> Position<English> {
    let indexer = Indexer::<English>::new(material);
    let mut positions = (0..indexer.slots()).map(|slot| indexer.from_slot(slot));
    positions.find(|position| !position.must_capture() && position.has_move()).expect("some position is quiet")
}

/// RR-061: 64 open files, and more tables than that.
#[test]
#[cfg(unix)]
fn more_tables_can_be_open_than_files_may_be() {
    let tables = folder();
    let materials = Material::all_up_to(6);
    assert!(materials.len() >= 100, "{} tables", materials.len());
    let mut input = String::new();
    for &material in &materials {
        write_drawn(tables.path(), material);
        input.push_str(&Fen { position: stored(material), mover: Colour::White }.to_string());
        input.push('\n');
    }
    let output = run_limited("-n 64", tables.path(), "query english -", &input);
    assert_eq!(code(&output), 0, "{output:?}");
    let answers: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(answers.len(), materials.len());
    for (answer, material) in answers.iter().zip(materials) {
        let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON a line");
        assert_eq!((&answer["material"], &answer["wdl"]), (&material.to_string().into(), &0.into()), "{answer}");
    }
}

/// RR-062: an address space of 256 MiB.
#[test]
#[cfg(target_os = "linux")]
fn a_build_within_a_small_address_space_ends_well_or_says_what_it_needs() {
    for threads in [1, 2, 7] {
        for material in ["KKvK", "KKKvKK", "MMMvMM"] {
            let tables = folder();
            let build = format!("build international --material {material} --threads {threads}");
            let output = run_limited("-v 262144", tables.path(), &build, "");
            match code(&output) {
                0 => {}
                4 => assert!(error_line(&output).contains("memory") && error_line(&output).contains("MiB")),
                _ => panic!("{build}: {output:?}"),
            }
        }
    }
}

/// RR-048: a slice too large to build is refused with the memory it needs.
#[test]
fn a_slice_of_eight_kings_is_refused_with_what_it_needs() {
    for variant in ["international", "english", "russian", "turkish"] {
        let tables = folder();
        let output = run(tables.path(), &format!("build {variant} --material KKKKvKKKK --memory 1G"));
        assert_eq!(code(&output), 4, "{variant}: {output:?}");
        assert!(error_line(&output).contains("iB of memory"), "{variant}: {output:?}");
        assert!(!tables.path().join(variant).exists());
    }
}

/// RR-058: a file that is there and cannot be opened, even by one who may read everything: a link to itself.
#[test]
#[cfg(unix)]
fn a_table_that_cannot_be_opened_is_named_and_others_answer() {
    let tables = folder();
    assert_eq!(code(&run(tables.path(), "build english --pieces 2 --metric dtw")), 0);
    let file = tables.path().join("english/KvK.dtw.end");
    fs::remove_file(&file).expect("the table is there");
    std::os::unix::fs::symlink(&file, &file).expect("a link can be made");
    let output = run(tables.path(), "query english W:WK1:BK31");
    assert_eq!(code(&output), 5, "{output:?}");
    assert!(error_line(&output).contains("KvK.dtw.end"), "{output:?}");
    assert!(output.stdout.is_empty());
    assert_eq!(code(&run(tables.path(), "query english W:WK1:B3")), 0);
}

/// RR-064: tables that nobody may write, in a folder that nobody may write.
#[test]
#[cfg(unix)]
fn read_only_tables_answer_and_nothing_is_left_beside_them() {
    use std::os::unix::fs::PermissionsExt;
    let tables = folder();
    assert_eq!(code(&run(tables.path(), "build english --pieces 2 --metric dtw")), 0);
    let inner = tables.path().join("english");
    let names = || fs::read_dir(&inner).expect("a folder").map(|entry| entry.expect("a file").path());
    let before: Vec<_> = names().collect();
    for path in &before {
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).expect("its owner may");
    }
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o555)).expect("its owner may");
    let outputs = ["query english W:WK1:BK31 --json", "stats english KvK", "verify english --material KvK"]
        .map(|arguments| run(tables.path(), arguments));
    let after: Vec<_> = names().collect();
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).expect("its owner may");
    for output in outputs {
        assert_eq!(code(&output), 0, "{output:?}");
    }
    assert_eq!(before, after);
}

/// RR-054: what is finished is not built again.
#[test]
fn a_second_build_leaves_finished_tables_as_they_are() {
    let tables = folder();
    let build = || assert_eq!(code(&run(tables.path(), "build english --material KKvK --metric dtw")), 0);
    let written = |name: &str| fs::metadata(tables.path().join("english").join(name)).and_then(|data| data.modified());
    build();
    let before = written("KKvK.dtw.end").expect("a time");
    fs::remove_file(tables.path().join("english/KvKK.dtw.end")).expect("the table is there");
    build();
    assert_eq!(written("KKvK.dtw.end").expect("a time"), before);
    assert!(written("KvKK.dtw.end").is_ok());
}

/// RR-045: every move has a value, and the capture that wins at once stands first.
#[test]
fn a_capture_that_ends_the_game_wins_in_one_and_stands_first() {
    let tables = folder();
    let answer = json(&run(tables.path(), "query english W:WK14,22:BK9 --json"));
    assert_eq!((&answer["category"], &answer["dtw"]), (&"win".into(), &1.into()));
    let moves = answer["moves"].as_array().expect("a list");
    let first = &moves[0];
    assert_eq!((&first["move"], &first["fen"]), (&"14x5".into(), &"B:WK5,22:B".into()));
    assert_eq!((&first["category"], &first["dtw"]), (&"loss".into(), &0.into()));
    assert!(moves.iter().all(|mv| mv["category"] != "unknown"), "{answer}");
}

/// RR-073: a value is for the side to move, whatever its colour; RR-042: counts of moves are no part of it.
#[test]
fn a_value_is_for_the_side_to_move_and_of_the_board_alone() {
    let tables = folder();
    for (fen, category) in [("W:WK4,K12:BK14", "win"), ("B:WK4,K12:BK14", "loss")] {
        let answer = json(&run(tables.path(), &format!("query english {fen} --json")));
        assert_eq!((&answer["category"], &answer["basis"]), (&category.into(), &"board".into()), "{fen}");
    }
}
