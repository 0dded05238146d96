//! The related variants: endings that are known, what all of them share, and what their draw rules do.

use endame::build::{BuildOptions, Silent, build, verify};
use endame::index::Material;
use endame::position::Position;
use endame::proof::{Claim, Finding, Verdict, prove};
use endame::rules::{Brazilian, Czech, Pool, Rules, Russian, Spanish, Thai};
use endame::tablebase::Tablebase;
use endame::value::{Dtw, Metric, Wdl};
use rayon::prelude::*;

use crate::endings;
use crate::solved::{Count, Longest, Solved, material, positions, probe, value};

#[test]
fn every_related_ending_has_the_known_values() {
    let data = include_str!("../../data/related/endings.json");
    endings::check_all::<Brazilian>(data, 5);
    endings::check_all::<Pool>(data, 4);
    endings::check_all::<Czech>(data, 4);
    endings::check_all::<Spanish>(data, 4);
    endings::check_all::<Thai>(data, 1);
}

/// RULES 6.3: against a lone king no variant has a choice of captures to restrict.
fn lone_kings_are_caught_as_in_russian<R: Solved>() {
    for text in ["KvK", "KKvK", "KvKK", "KKKvK", "KvKKK"] {
        Russian::tables();
        positions::<R>(material(text)).for_each(|position| {
            let russian = Position::<Russian>::from_sets(position.ours(), position.theirs(), position.kings());
            assert_eq!(value(&position), value(&russian), "{} {position:?}", R::NAME);
        });
    }
}

#[test]
fn kings_against_a_lone_king_have_their_russian_values() {
    lone_kings_are_caught_as_in_russian::<Brazilian>();
    lone_kings_are_caught_as_in_russian::<Pool>();
    lone_kings_are_caught_as_in_russian::<Czech>();
    lone_kings_are_caught_as_in_russian::<Spanish>();
}

fn tables_are_verified<R: Rules>() {
    let materials = Material::all_up_to(3);
    for &metric in Metric::BUILT {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = BuildOptions::default();
        build::<R>(folder.path(), &materials, metric, &options, &Silent).expect("a small build");
        let verified = verify::<R>(folder.path(), &materials, metric, None, &options, &Silent);
        let verified = verified.unwrap_or_else(|error| panic!("{} {metric}: {error}", R::NAME));
        assert_eq!(verified.fault, None, "{} {metric}", R::NAME);
        assert!(verified.values > 40_000, "{} {metric}: {} values", R::NAME, verified.values);
    }
}

#[test]
fn every_value_of_up_to_three_pieces_is_verified() {
    tables_are_verified::<Brazilian>();
    tables_are_verified::<Pool>();
    tables_are_verified::<Czech>();
    tables_are_verified::<Spanish>();
    tables_are_verified::<Thai>();
}

/// What the tables say about the rule `rule` in `KKKvK`, or its twin.
fn finding_in<R: Rules>(tables: &Tablebase<R>, rule: &str, text: &str) -> Finding<R> {
    let claims = Claim::all::<R>();
    let claim = claims.iter().find(|claim| claim.rule == rule).expect("a rule of the variant");
    prove(tables, claim, material(text), &|| false).expect("the tables are there")
}

fn finding<R: Solved>(rule: &str) -> Finding<R> {
    finding_in(R::tables(), rule, "KKKvK")
}

/// RULES 6.2: Petrov's triangle takes up to 13 moves, in 868 of all positions with the three kings to move.
#[test]
fn the_spanish_twelve_moves_cut_none_of_868_wins_off() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let both = [material("KKKvK"), material("KvKKK")];
    for metric in [Metric::Dtw, Metric::Outcome] {
        build::<Spanish>(folder.path(), &both, metric, &BuildOptions::default(), &Silent).expect("a small build");
    }
    let tables = Tablebase::<Spanish>::open(folder.path()).expect("a folder");
    let found = finding_in(&tables, "12-moves", "KKKvK");
    // All are saved by giving a king up, or driving the lone king over the long diagonal, in time.
    assert_eq!((found.cut_off, found.verdict), (Some(0), Verdict::Holds));
    assert_eq!(finding_in(&tables, "12-moves", "KvKKK").verdict, Verdict::Holds);
    assert_eq!(found.longest.map(|longest| (longest.plies, longest.count)), Some((25, 868)));
    assert_eq!(finding_in(&tables, "20-king-moves", "KKKvK").verdict, Verdict::Holds);
    // They are all there are, the lone king on the long diagonal or not.
    assert_eq!(Count::all::<Spanish>(material("KKKvK")).longest_win, Some(Longest { plies: 25, count: 868 }));
}

#[test]
fn thirteen_moves_in_pool_and_fifteen_in_brazilian_cut_nothing_off() {
    assert_eq!((finding::<Pool>("13-moves").verdict, finding::<Pool>("13-moves").cut_off), (Verdict::Holds, Some(0)));
    assert_eq!(finding::<Brazilian>("15-moves").verdict, Verdict::Holds);
}

/// mindsports.nl.
#[test]
fn two_thai_kings_catch_one_within_seven_moves_but_for_42_placements() {
    let count = Count::all::<Thai>(material("KKvK"));
    assert_eq!((count.draws, count.losses, count.longest_win.map(|longest| longest.plies)), (42, 0, Some(13)));
}

/// Squares of the Spanish board as PDN numbers them, 1 at White's lower right and on the long diagonal.
#[test]
fn the_spanish_board_is_mirrored() {
    assert_eq!(probe::<Spanish>("W:WK1:BK32").wdl, Wdl::Loss);
    assert_eq!(probe::<Spanish>("W:WK32:BK1").wdl, Wdl::Loss);
    let found = probe::<Spanish>("W:WK26,K14:BK4");
    assert_eq!((found.wdl, found.dtw), (Wdl::Win, Some(Dtw(7))));
    assert_eq!(probe::<Russian>("W:WKc7,Kd4:BKg1"), found);
}
