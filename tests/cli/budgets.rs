//! Budgets of memory: kept under a hard limit of the process, or refused before the work.
//!
//! The limit is one of data, which counts the heap and the stacks of threads; a build that asks for more is ended by the
//! system. It leaves room for the stacks, where the budget would not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::command::{code, json, last_error_line, run};

/// Kilobytes of data with which the program starts well, whatever it is asked.
const LEAST: u64 = 16 << 10;

/// Name and bytes of every table.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join("english")).into_iter().flatten();
    let files = entries.map(|entry| entry.expect("the folder can be read"));
    let name = |file: &fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    files.map(|file| (name(&file), fs::read(file.path()).expect("a table can be read"))).collect()
}

/// Runs the program by a shell after `ulimit`.
fn run_limited(limit: &str, tables: &Path, arguments: &str) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit {limit} && exec \"$0\" {arguments}"), env!("CARGO_BIN_EXE_endame")])
        .env("ENDAME_TABLES", tables)
        .output()
        .expect("sh runs")
}

/// Builds within `budget` kilobytes and as much data as that; whether it was done, with the tables of `expected` and no
/// more memory than allowed. Else it was refused, and nothing written.
fn is_built_within(budget: u64, build: &str, expected: &BTreeMap<String, Vec<u8>>) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let report = folder.path().join("report.json");
    let arguments = format!("{build} --memory {budget}K --report {}", report.display());
    let output = run_limited(&format!("-d {}", budget.max(LEAST)), folder.path(), &arguments);
    match code(&output) {
        0 => {
            assert!(tables(folder.path()) == *expected, "{arguments}: the same files");
            let told = json(&run(folder.path(), &format!("report {} --json", report.display())));
            let peak = told["builds"][0]["peak_memory_bytes"].as_u64().expect("Linux tells it");
            assert!(peak <= budget << 10, "{arguments}: {peak} bytes were resident");
            true
        }
        4 => {
            assert!(last_error_line(&output).contains("of memory, "), "{output:?}");
            assert!(!folder.path().join("english").exists(), "{arguments}: refused before it starts");
            false
        }
        _ => panic!("{arguments}: {output:?}"),
    }
}

/// What a build does without limits.
fn unlimited(build: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(code(&run(folder.path(), build)), 0);
    tables(folder.path())
}

#[test]
fn a_build_within_its_budget_ends_with_the_same_bytes_or_is_refused() {
    for metric in ["dtw", "outcome"] {
        for threads in [1, 2] {
            let build = format!("build english --pieces 4 --metric {metric} --threads {threads}");
            let expected = unlimited(&build);
            let budgets = [4, 20, 24, 28, 36, 48, 128];
            let built = budgets.map(|budget| is_built_within(budget << 10, &build, &expected));
            assert!(!built[0] && built[6], "{build}: {built:?}");
            assert!(built.is_sorted(), "more memory is never refused what less was given: {built:?}");
        }
    }
}

#[test]
fn a_gibibyte_suffices_for_five_english_pieces() {
    let build = "build english --pieces 5 --threads 2";
    assert!(is_built_within(1 << 20, build, &unlimited(build)));
}

/// Threads reserve much address space that they never use: once four of them took what was given to a build of two.
#[test]
fn a_limit_of_the_address_space_ends_no_build_in_its_middle() {
    let build = "build english --pieces 4 --threads 2";
    let expected = unlimited(build);
    for mebibytes in [96, 192, 224, 256, 288, 320, 384, 448, 512, 640] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = run_limited(&format!("-v {}", mebibytes << 10), folder.path(), build);
        match code(&output) {
            0 => assert!(tables(folder.path()) == expected, "{mebibytes} MiB"),
            4 => assert!(mebibytes < 640 && tables(folder.path()).is_empty(), "{mebibytes} MiB: {output:?}"),
            _ => panic!("{mebibytes} MiB: {output:?}"),
        }
    }
}
