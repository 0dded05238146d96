//! Builds that are disturbed: the next one completes, and the files are those of an undisturbed build.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::command::{code, endame, error_line, json, run};

const BUILD: &str = "build english --pieces 4 --metric dtw";

/// Name and bytes of every finished table.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries =
        fs::read_dir(folder).into_iter().flatten().flatten().flat_map(|variant| fs::read_dir(variant.path())).flatten();
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let finished = paths.filter(|path| path.extension().is_some_and(|extension| extension == "end"));
    let name = |path: &Path| path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    finished.map(|path| (name(&path), fs::read(&path).expect("a table can be read"))).collect()
}

/// The tables of a build that nothing disturbs, by one thread.
fn undisturbed() -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(code(&run(folder.path(), &format!("{BUILD} --threads 1"))), 0);
    let built = tables(folder.path());
    assert_eq!(built.len(), 41, "4 slices of two pieces, 12 of three, 25 of four");
    built
}

fn start(folder: &Path) -> Child {
    endame(folder)
        .args(BUILD.split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs")
}

#[test]
fn a_build_killed_at_any_moment_is_completed_by_the_next() {
    let expected = undisturbed();
    let folder = tempfile::tempdir().expect("a temporary folder");
    for round in 0..20 {
        let mut child = start(folder.path());
        std::thread::sleep(Duration::from_millis(5 + 12 * round));
        child.kill().expect("the build can be killed");
        child.wait().expect("the build has ended");
        for (name, bytes) in tables(folder.path()) {
            assert_eq!(bytes, expected[&name], "{name} is whole after round {round}");
        }
    }
    assert_eq!(code(&run(folder.path(), &format!("{BUILD} --threads 7"))), 0);
    assert!(tables(folder.path()) == expected);
}

#[test]
fn two_builds_in_one_folder_do_not_disturb_each_other() {
    let expected = undisturbed();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let builds = [start(folder.path()), start(folder.path())];
    for build in builds {
        assert_eq!(code(&build.wait_with_output().expect("the build ends")), 0);
    }
    assert!(tables(folder.path()) == expected);
}

#[test]
#[cfg(unix)]
fn a_build_asked_to_stop_says_so_and_goes_on_later() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for signal in ["-TERM", "-INT"] {
        let mut build = endame(folder.path())
            .args(["build", "international", "--pieces", "5", "--metric", "dtw"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        // Progress is shown once signals are caught.
        let mut first = [0; 1];
        std::io::Read::read_exact(build.stderr.as_mut().expect("piped"), &mut first).expect("a first line");
        let sent = std::process::Command::new("kill").args([signal, &build.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        let output = build.wait_with_output().expect("the build ends");
        assert_eq!(code(&output), 130, "{signal}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.lines().last().is_some_and(|line| line.starts_with("endame: interrupted; ")), "{text}");
    }
}

#[test]
#[cfg(unix)]
fn a_disk_that_is_full_costs_nothing_but_time() {
    let expected = undisturbed();
    let folder = tempfile::tempdir().expect("a temporary folder");
    // A limit on the size of files stands for the full disk: four blocks of 512 bytes or of a kilobyte.
    let script = format!("ulimit -f 4; exec \"$0\" {BUILD}");
    let output = std::process::Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_endame")])
        .env("ENDAME_TABLES", folder.path())
        .output()
        .expect("sh runs");
    assert_eq!(code(&output), 4, "{output:?}");
    let begun = tables(folder.path());
    assert!(!begun.is_empty() && begun.iter().all(|(name, bytes)| *bytes == expected[name]));
    assert_eq!(code(&run(folder.path(), BUILD)), 0);
    assert!(tables(folder.path()) == expected);
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_the_process_is_seen_before_the_build_starts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = "ulimit -v 262144; exec \"$0\" build international --material KKKvKK --threads 1";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_endame")])
        .env("ENDAME_TABLES", folder.path())
        .output()
        .expect("sh runs");
    assert_eq!(code(&output), 4, "{output:?}");
    assert!(error_line(&output).contains("KKKvKK"), "{output:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_cannot_be_written_is_bad_input() {
    let output = run(Path::new("/proc/endame"), "build english --pieces 2");
    assert_eq!(code(&output), 2, "{output:?}");
    assert!(error_line(&output).contains("--tables"), "{output:?}");
}

#[test]
fn a_report_tells_what_each_pair_took_and_is_not_written_over_another() {
    let tables = tempfile::tempdir().expect("a temporary folder");
    let report = tables.path().join("report.json");
    let build = format!("build english --pieces 3 --metric wdl,outcome --report {}", report.display());
    assert_eq!(code(&run(tables.path(), &build)), 0);
    let text = std::fs::read_to_string(&report).expect("a report");
    let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let pairs = told["pairs"].as_array().expect("pairs");
    let of = |metric: &str| pairs.iter().filter(|pair| pair["metric"] == metric).count();
    assert_eq!((of("wdl"), of("outcome")), (9, 9), "{text}");
    let pair = pairs.iter().find(|pair| pair["materials"][0] == "KKvM").expect("a pair of three pieces");
    let file = |name: &str| std::fs::metadata(tables.path().join("english").join(name)).expect("a table").len();
    assert_eq!(pair["bytes"].as_u64(), Some(file("KKvM.wdl.end") + file("MvKK.wdl.end")));
    let seconds = pair["seconds"].as_object().expect("phases");
    for phase in ["captures", "advances", "reversible", "solve", "turn", "compress", "write"] {
        assert!(seconds[phase].as_f64().is_some_and(|seconds| seconds >= 0.0), "{phase} in {text}");
    }
    assert!(pair["passes"].as_u64().is_some_and(|passes| passes > 0), "{text}");
    // Told before the work.
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let refused = run(elsewhere.path(), &build);
    assert!(code(&refused) == 2 && error_line(&refused).contains("--force"), "{refused:?}");
    assert!(!elsewhere.path().join("english").exists());
}

/// Without the memory for a second view of each pair, threads turn words where they read them; with less still, words are
/// packed.
#[test]
fn a_build_with_little_memory_makes_the_same_tables() {
    let makes = |build: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(code(&run(folder.path(), build)), 0, "{build}");
        tables(folder.path())
    };
    for (what, kinds) in
        [("international --pieces 4", 2), ("english --pieces 5", 2), ("english --pieces 4 --metric dtw", 1)]
    {
        let needs = |memory: u64| {
            let elsewhere = tempfile::tempdir().expect("a temporary folder");
            let plan = format!("plan {what} --threads 1 --json --memory {memory}K");
            let plan = json(&run(elsewhere.path(), &plan));
            let slices = plan["slices"].as_array().expect("slices");
            slices.iter().filter_map(|slice| slice["memory_bytes"].as_u64()).max().expect("some slice")
        };
        let (plenty, expected) = (needs(1 << 30), makes(&format!("build {what} --threads 1")));
        let (mut memory, mut found) = (plenty, 1);
        // Each time with less than the plan before needs, until there is no other.
        while let less = needs(memory / 1024 - 1)
            && less < memory
        {
            (memory, found) = (less, found + 1);
            let kilobytes = less / 1024 + 1;
            assert!(
                makes(&format!("build {what} --threads 1 --memory {kilobytes}K")) == expected,
                "{what}: {less} bytes"
            );
        }
        assert!(found >= kinds, "{what}: {found} plans");
        let elsewhere = tempfile::tempdir().expect("a temporary folder");
        let refused = run(elsewhere.path(), &format!("build {what} --threads 1 --memory {}K", memory / 1024 - 1));
        assert_eq!(code(&refused), 4, "{refused:?}");
    }
}
