//! Outcomes against the naive solver on positions and counts: every position of up to three pieces, at every count.

use endame::build::{BuildOptions, Silent, build_outcomes, verify_outcomes};
use endame::index::{Indexer, Material};
use endame::rules::{ResetsOn, Rules, Turkish};
use endame::tablebase::Tablebase;
use endame::value::{Dtw, Metric, Wdl};

use crate::naive_counts::{NaiveCounts, Resets, as_written};
use crate::naive_solver::NaiveSolver;
use crate::short_rules::{ShortEnglish, ShortInternational, ShortRussian, ShortTurkish};

/// What a comparison found.
#[derive(Default, Debug)]
struct Compared {
    /// Positions at a count whose value differs.
    differences: u64,
    /// Wins and losses of the board that a fresh count takes away.
    cut: u64,
    /// Wins and losses under the rules that a later count takes away.
    cut_later: u64,
}

fn compare<R: Rules>(tables: &Tablebase<R>, naive: &NaiveCounts<R>, board: &NaiveSolver<R>) -> Compared {
    let mut compared = Compared::default();
    for material in Material::all_up_to(3) {
        let indexer = Indexer::<R>::new(material);
        for position in (0..indexer.placements()).map(|rank| indexer.unrank(rank)) {
            let rule = tables.deciding_rule(&position).expect("one rule decides everywhere");
            let on_board = board.dtw(&position).map_or(Wdl::Draw, Dtw::wdl);
            for count in 0..=rule.map_or(0, |rule| rule.plies) {
                let outcome = tables.outcome_at(&position, count).expect("every table is there");
                let under_rules = naive.at(&position, count);
                let is_right = outcome.number() / 2 == under_rules && outcome.on_board() == on_board;
                compared.differences += u64::from(!is_right);
                compared.cut += u64::from(count == 0 && outcome.number().abs() == 1);
                compared.cut_later += u64::from(count > 0 && outcome.number().abs() == 1);
            }
        }
    }
    compared
}

/// A reset rule read wrongly: what resets nothing is reset by captures, and what captures reset alone by men as well.
pub fn misread(resets_on: ResetsOn, captures: bool, promotes: bool, by_man: bool) -> bool {
    match resets_on {
        ResetsOn::Nothing => captures || promotes,
        ResetsOn::CaptureOrPromotion | ResetsOn::CaptureOrManMove => captures || by_man,
    }
}

/// Compares tables made by the rules with a naive solver that reads resets as `resets`.
fn against<R: Rules>(resets: Resets) -> Compared {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = BuildOptions { threads: 2, ..BuildOptions::default() };
    let materials = Material::all_up_to(3);
    build_outcomes::<R>(folder.path(), &materials, &options, &Silent).expect("a small build");
    for sample in [None, Some(2000)] {
        let verified =
            verify_outcomes::<R>(folder.path(), &materials, sample, &options, &Silent).expect("a small check");
        assert_eq!((verified.fault, verified.tables), (None, materials.len()), "{}", R::NAME);
    }
    let tables = Tablebase::<R>::open(folder.path()).expect("a folder");
    compare(&tables, &NaiveCounts::<R>::solve(3, resets), &NaiveSolver::<R>::solve(3))
}

fn outcomes_are_those_of_the_naive_solver<R: Rules>() {
    let right = against::<R>(as_written);
    assert_eq!(right.differences, 0, "{} {right:?}", R::NAME);
    assert!(right.cut > 500 && right.cut_later > right.cut, "the rules are short enough to matter: {right:?}");
}

#[test]
fn outcomes_are_those_of_the_naive_solver_in_international() {
    outcomes_are_those_of_the_naive_solver::<ShortInternational>();
}

#[test]
fn outcomes_are_those_of_the_naive_solver_in_english() {
    outcomes_are_those_of_the_naive_solver::<ShortEnglish>();
}

#[test]
fn outcomes_are_those_of_the_naive_solver_in_russian() {
    outcomes_are_those_of_the_naive_solver::<ShortRussian>();
}

#[test]
fn outcomes_are_those_of_the_naive_solver_in_turkish() {
    outcomes_are_those_of_the_naive_solver::<ShortTurkish>();
}

#[test]
fn a_reset_rule_read_wrongly_is_noticed() {
    assert!(against::<ShortEnglish>(misread).differences > 1000);
    assert!(against::<ShortRussian>(misread).differences > 1000);
}

#[test]
fn tables_of_other_draw_rules_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let material = "KKvK".parse().expect("a material");
    build_outcomes::<ShortTurkish>(folder.path(), &[material], &BuildOptions::default(), &Silent)
        .expect("a small build");
    let own = Tablebase::<Turkish>::open(folder.path()).expect("a folder");
    let error = own.table(material, Metric::Outcome).expect_err("another edition of the rules").to_string();
    assert!(error.contains("expected rule facts"), "{error}");
}
