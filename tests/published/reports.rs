//! `data/reports.json`: positions in which other programs went wrong.

use endame::build::{BuildOptions, Silent, build};
use endame::rules::{English, International, Russian, Turkish};
use endame::tablebase::{ProbeError, Tablebase};
use endame::value::{Metric, Wdl};
use serde_json::Value;

use crate::solved::{Solved, data, material, number, position, probe};

fn probes<R: Solved>(count: usize) {
    let reports = data(include_str!("../../data/reports.json"), "probes");
    let reports: Vec<&Value> = reports.iter().filter(|report| report["variant"] == R::NAME).collect();
    assert_eq!(reports.len(), count);
    for report in reports {
        let value = probe::<R>(report["fen"].as_str().expect("a text"));
        let wdl = match report["value"].as_str() {
            Some("win") => Wdl::Win,
            Some("draw") => Wdl::Draw,
            Some("loss") => Wdl::Loss,
            _ => panic!("{report} has no value"),
        };
        assert_eq!(value.wdl, wdl, "{report}");
        if report.get("plies").is_some() {
            assert_eq!(value.dtw.map(|dtw| dtw.0.into()), number(report, "plies"), "{report}");
        }
    }
}

#[test]
fn reported_english_positions_are_answered_right() {
    probes::<English>(75);
}

#[test]
fn reported_international_positions_are_answered_right() {
    probes::<International>(2);
}

#[test]
fn reported_russian_positions_are_answered_right() {
    probes::<Russian>(5);
}

#[test]
fn reported_turkish_positions_are_answered_right() {
    probes::<Turkish>(1);
}

/// RR-038: a value of another variant's table.
#[test]
fn tables_of_another_variant_are_no_tables() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = BuildOptions::default();
    build::<English>(folder.path(), &[material("KKvK")], Metric::Dtw, &options, &Silent).expect("a small build");
    let tables = Tablebase::<Russian>::open(folder.path()).expect("a folder");
    let error = tables.probe(&position("W:WKc7,Kd4:BKg1")).expect_err("there are English tables only");
    assert!(matches!(error, ProbeError::NoTable { variant: "russian", .. }), "{error}");
}
