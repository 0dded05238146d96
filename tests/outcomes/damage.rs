//! A damaged table of outcomes, or of their distances, is an error that names its file: nothing answers in its place.

use std::fs;
use std::path::{Path, PathBuf};

use endame::build::{BuildOptions, Silent, build};
use endame::index::Material;
use endame::position::{Fen, Position};
use endame::proof::{Claim, ProofError, census, prove};
use endame::rules::{Rules, Russian};
use endame::tablebase::{ProbeError, Tablebase, table_path};
use endame::value::{Metric, Outcome};

const MATERIAL: &str = "KKvK";

fn material() -> Material {
    MATERIAL.parse().expect("a material")
}

/// White wins in 7 plies, and 5 moves each are 10.
fn won() -> Position<Russian> {
    "W:WKc7,Kd4:BKg1".parse::<Fen<Russian>>().expect("a FEN").position
}

/// A folder with outcomes and dtw, and the file of one of its tables.
fn built(metric: Metric) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = BuildOptions { threads: 2, ..BuildOptions::default() };
    for metric in [Metric::Outcome, Metric::Dtw] {
        build::<Russian>(folder.path(), &[material()], metric, &options, &Silent).expect("a small build");
    }
    let file = table_path(folder.path(), Russian::NAME, material(), metric);
    (folder, file)
}

/// Cuts a byte off the end of a file.
fn truncate(file: &Path) {
    let bytes = fs::read(file).expect("the table is there");
    fs::write(file, &bytes[..bytes.len() - 1]).expect("the table can be written");
}

/// Flips a bit of the last byte, which is one of a block: header and directory stay sound.
fn flip(file: &Path) {
    let mut bytes = fs::read(file).expect("the table is there");
    *bytes.last_mut().expect("a table has bytes") ^= 4;
    fs::write(file, bytes).expect("the table can be written");
}

/// The error must be that of the file.
fn names<T: std::fmt::Debug>(found: Result<T, ProbeError>, file: &Path) {
    match found {
        Err(ProbeError::Table { path, .. }) => assert_eq!(path, file),
        found => panic!("{}: {found:?}", file.display()),
    }
}

#[test]
fn a_truncated_table_of_outcomes_is_an_error_of_everything_that_asks_for_rules() {
    let (folder, file) = built(Metric::Outcome);
    truncate(&file);
    let tables = Tablebase::<Russian>::open(folder.path()).expect("a folder");
    let (won, claims) = (won(), Claim::all::<Russian>());
    let first = won.moves()[0];
    names(tables.deciding_rule(&won), &file);
    names(tables.outcome(&won), &file);
    names(tables.outcome_after(&won, &first, 0), &file);
    names(tables.count_after(&won, &first, 0), &file);
    names(tables.line_under_rules(&won, 0), &file);
    names(tables.dtr(&won), &file);
    let claim = claims.iter().find(|claim| claim.rule == "5-moves").expect("a rule of the variant");
    for found in
        [prove(&tables, claim, material(), &|| false).map(|_| ()), census(&tables, material(), &|| false).map(|_| ())]
    {
        match found {
            Err(ProofError::Probe(error)) => names(Err::<(), _>(error), &file),
            found => panic!("{found:?}"),
        }
    }
    // The board is another table's affair.
    assert_eq!(tables.probe(&won).expect("dtw is sound").dtw.map(|dtw| dtw.0), Some(7));
}

#[test]
fn a_damaged_table_of_distances_is_an_error_where_a_count_asks_for_it() {
    for damage in [truncate as fn(&Path), flip] {
        let (folder, file) = built(Metric::Dtr);
        damage(&file);
        let tables = Tablebase::<Russian>::open(folder.path()).expect("a folder");
        assert_eq!(tables.outcome(&won()).expect("outcomes are sound"), Outcome::Win);
        names(tables.outcome_at(&won(), 3), &file);
        names(tables.dtr(&won()), &file);
    }
}

#[test]
fn a_flipped_bit_of_a_block_of_outcomes_is_found_by_whoever_reads_it() {
    let (folder, file) = built(Metric::Outcome);
    fs::remove_file(table_path(folder.path(), Russian::NAME, material(), Metric::Dtw)).expect("the table is there");
    flip(&file);
    let tables = Tablebase::<Russian>::open(folder.path()).expect("a folder");
    names(tables.outcome(&won()), &file);
    match census(&tables, material(), &|| false) {
        Err(ProofError::Probe(error)) => names(Err::<(), _>(error), &file),
        found => panic!("{found:?}"),
    }
}
