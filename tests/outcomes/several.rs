//! Several counts at once against the naive solver: rules tied to squares, counts inside others, counts that a
//! conversion carries along, resets that can be undone. Every position of up to three pieces with fresh counts in
//! tables, and some of them in memory at every count of every rule.

use endame::build::{AtCounts, BuildOptions, Silent, build_outcomes};
use endame::index::{Indexer, Material};
use endame::position::Position;
use endame::rules::{Rules, deciding_rule};
use endame::tablebase::{ProbeError, Tablebase};
use endame::value::{Dtw, Outcome, Wdl};

use crate::naive_counts::{NaiveCounts, Resets, as_written};
use crate::naive_solver::NaiveSolver;
use crate::short_rules::{SeveralEnglish, SeveralRussian, Sideways};
use crate::twin::misread;

/// What a comparison found.
#[derive(Default, Debug)]
struct Compared {
    /// Positions whose value in the tables differs.
    differences: u64,
    /// Wins and losses of the board that fresh counts take away, where several run at once.
    cut: u64,
    /// Positions that tables do not know, for a capture due carries a count on.
    unknown: u64,
    /// Positions at counts whose value in memory differs.
    differences_later: u64,
    /// Wins and losses of the board that a count takes away in memory.
    cut_later: u64,
    /// Positions at counts of several rules that are not all equal.
    unequal: u64,
}

/// Compares tables, and every `step`th position of `pieces` in memory, with a naive solver that reads resets as
/// `resets`.
fn against<R: Rules>(resets: Resets, pieces: u32, step: usize) -> Compared {
    let (naive, board) = (NaiveCounts::<R>::solve(pieces, resets), NaiveSolver::<R>::solve(pieces));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = BuildOptions { threads: 2, ..BuildOptions::default() };
    let materials = Material::all_up_to(pieces);
    build_outcomes::<R>(folder.path(), &materials, &options, &Silent).expect("a small build");
    let tables = Tablebase::<R>::open(folder.path()).expect("a folder");
    let mut compared = Compared::default();
    let is_right = |position: &Position<R>, outcome: Outcome, under_rules: i8| {
        let on_board = board.dtw(position).map_or(Wdl::Draw, Dtw::wdl);
        outcome.number() / 2 == under_rules && outcome.on_board() == on_board
    };
    let positions = |material: Material| {
        let indexer = Indexer::<R>::new(material);
        (0..indexer.placements()).map(move |rank| indexer.unrank(rank))
    };
    for &material in &materials {
        let is_undecided = deciding_rule::<R>(material.ours(), material.theirs()).is_err();
        for position in positions(material) {
            match tables.outcome(&position) {
                Ok(outcome) => {
                    compared.differences += u64::from(!is_right(&position, outcome, naive.at(&position, 0)));
                    compared.cut += u64::from(is_undecided && outcome.number().abs() == 1);
                }
                Err(ProbeError::SeveralCounts { .. }) => compared.unknown += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    for material in Material::all_with(pieces).into_iter().filter(|&m| m == m.stronger_to_move()) {
        let in_memory = AtCounts::<R>::solve(material, &options, &Silent).expect("a small material");
        for position in positions(material).chain(positions(material.twin())).step_by(step) {
            for counts in naive.counts_of(&position) {
                let outcome = in_memory.outcome(&position, &counts).expect("it was solved");
                let under_rules = naive.at_counts(&position, &counts);
                compared.differences_later += u64::from(!is_right(&position, outcome, under_rules));
                compared.cut_later += u64::from(outcome.number().abs() == 1);
                compared.unequal += u64::from(counts.iter().any(|&count| count > 0 && count != counts[0]));
            }
        }
    }
    compared
}

fn outcomes_are_those_of_the_naive_solver<R: Rules>(pieces: u32) -> Compared {
    let right = against::<R>(as_written, pieces, 17);
    assert_eq!((right.differences, right.differences_later), (0, 0), "{} {right:?}", R::NAME);
    assert!(right.unequal > 1000, "counts begin apart: {right:?}");
    right
}

#[test]
fn a_count_on_the_main_road_beside_two_others_in_russian() {
    let found = outcomes_are_those_of_the_naive_solver::<SeveralRussian>(3);
    assert!(found.cut > 500 && found.cut_later > 500, "the rules are short enough to matter: {found:?}");
}

#[test]
fn a_count_off_the_main_road_and_one_that_is_carried_to_where_another_would_hide_it_in_english() {
    let found = outcomes_are_those_of_the_naive_solver::<SeveralEnglish>(3);
    assert!(found.cut > 500 && found.unknown > 0, "captures carry counts on: {found:?}");
}

#[test]
fn resets_by_men_that_step_sideways_in_turkish() {
    outcomes_are_those_of_the_naive_solver::<Sideways>(2);
}

#[test]
fn a_reset_rule_read_wrongly_is_noticed_with_several_counts() {
    let wrong = against::<SeveralRussian>(misread, 3, 100);
    assert!(wrong.differences > 50 && wrong.differences_later > 500, "{wrong:?}");
}
