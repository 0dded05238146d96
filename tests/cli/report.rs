//! Reports of builds, shown and drawn.

use std::fs;

use crate::command::{code, error_line, json, run, stdout};

#[test]
fn a_report_is_shown_largest_first_and_drawn() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let build = |report: &str| format!("build english --pieces 3 --threads 1 --report {}", path(report));
    assert_eq!(code(&run(folder.path(), &build("report.json"))), 0);
    let shown = run(folder.path(), &format!("report {} --plot {}", path("report.json"), path("plot.svg")));
    assert_eq!(code(&shown), 0, "{shown:?}");
    let lines: Vec<&str> = stdout(&shown).lines().collect();
    assert!(lines[0].starts_with("english, 1 thread: 9 pairs of slices in "), "{shown:?}");
    // 4 slices of two pieces and 12 of three, in pairs; the number of their positions is published.
    assert!(lines.len() == 2 + 9 + 2 && lines.iter().any(|line| line.contains("KKvM MvKK")), "{shown:?}");
    assert!(lines[11].starts_with("  all ") && lines[11].contains(" 199,520 "), "{shown:?}");
    let plot = fs::read_to_string(path("plot.svg")).expect("a picture");
    assert_eq!(plot.matches("<title>KKvM MvKK: ").count(), if cfg!(target_os = "linux") { 2 } else { 1 });
    assert!(plot.contains(">english wdl<"));
    // Two reports: what is there already is not built again, and such a report is empty.
    assert_eq!(code(&run(folder.path(), &build("again.json"))), 0);
    let told = json(&run(folder.path(), &format!("report {} {} --json", path("report.json"), path("again.json"))));
    let builds = told["builds"].as_array().expect("builds");
    assert_eq!((builds[0]["positions"].as_u64(), builds[1]["positions"].as_u64()), (Some(199_520), Some(0)));
    let pairs = builds[0]["pairs"].as_array().expect("pairs");
    assert!(pairs.is_sorted_by_key(|pair| std::cmp::Reverse(pair["positions"].as_u64())), "{told}");
    assert!(pairs.iter().all(|pair| pair["positions_per_second"].as_f64().is_some_and(|rate| rate > 0.0)), "{told}");
    let written = |name: &str| fs::metadata(folder.path().join("english").join(name)).expect("a table").len();
    let bytes = fs::read_dir(folder.path().join("english")).expect("a folder");
    let bytes: u64 = bytes.map(|file| written(&file.expect("a file").file_name().to_string_lossy())).sum();
    assert_eq!(builds[0]["bytes"].as_u64(), Some(bytes));
    // Nothing is written over by mistake.
    for (plot, says) in [("plot.svg", "--force"), ("report.json --force", "names a report")] {
        let refused = run(folder.path(), &format!("report {} --plot {}", path("report.json"), path(plot)));
        assert!(code(&refused) == 2 && error_line(&refused).contains(says), "{refused:?}");
    }
}

#[test]
fn a_damaged_or_foreign_report_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let report = folder.path().join("report.json");
    assert_eq!(code(&run(folder.path(), &format!("build english --pieces 2 --report {}", report.display()))), 0);
    let good = fs::read_to_string(&report).expect("a report");
    let table = fs::read(folder.path().join("english/KvK.wdl.end")).expect("a table");
    let faults = [
        Vec::new(),
        good.as_bytes()[..good.len() / 2].to_vec(),
        b"{\"variant\": \"english\"}".to_vec(),
        b"[1, 2, 3]".to_vec(),
        good.replace("\"KvK\"", "\"KvX\"").into_bytes(),
        good.replace("\"solve\": ", "\"solve\": -1").into_bytes(),
        table,
    ];
    for (i, fault) in faults.into_iter().enumerate() {
        let path = folder.path().join(format!("fault{i}.json"));
        fs::write(&path, fault).expect("a new file");
        let output = run(folder.path(), &format!("report {} {}", report.display(), path.display()));
        assert_eq!(code(&output), 5, "{i}: {output:?}");
        let named = error_line(&output).starts_with(&format!("endame: {}: no report of a build: ", path.display()));
        assert!(named && output.stdout.is_empty(), "{i}: {output:?}");
    }
    let missing = run(folder.path(), "report /no/such/report.json");
    assert!(code(&missing) == 2 && error_line(&missing).contains("/no/such/report.json"), "{missing:?}");
}
