//! The published perft tables of `data/perft.json`.

use endame::position::{Fen, perft, perft_making_leaves};
use endame::rules::{Rules, Variant};
use serde_json::Value;

/// The largest count that is checked, so that the test takes seconds; it includes international 9 and english 10.
const LARGEST: u64 = 45_000_000;

/// The largest count that is checked with every leaf made.
const LARGEST_MADE: u64 = 5_000_000;

fn check<R: Rules>(table: &Value) {
    let fen = table["fen"].as_str().expect("a table has a fen");
    let position = fen.parse::<Fen<R>>().unwrap_or_else(|error| panic!("{fen}: {error}")).position;
    let counts = table["counts"].as_array().expect("a table has counts");
    let counts = counts.iter().map(|count| count.as_u64().expect("a count is a number"));
    for (depth, count) in (1..).zip(counts.take_while(|&count| count <= LARGEST)) {
        assert_eq!(perft(position, depth), count, "{} {fen} depth {depth}", R::NAME);
        if count <= LARGEST_MADE {
            assert_eq!(perft_making_leaves(position, depth), count, "{} {fen} depth {depth}, leaves made", R::NAME);
        }
    }
}

/// The variants of the tables of a data file, each with its start position.
fn check_all(data: &str) -> Vec<Variant> {
    let data: Value = serde_json::from_str(data).expect("the data is json");
    let tables = data["tables"].as_array().expect("a list of tables");
    let mut started = Vec::new();
    for table in tables {
        let variant: Variant = table["variant"].as_str().expect("a variant").parse().expect("a known variant");
        endame::with_rules!(variant, R => check::<R>(table));
        started.extend((table["name"] == "start").then_some(variant));
    }
    started
}

#[test]
fn counts_are_those_published() {
    let started = check_all(include_str!("../data/perft.json"));
    assert!(Variant::ALL[..4].iter().all(|variant| started.contains(variant)));
}

#[cfg(feature = "related")]
#[test]
fn counts_of_related_variants_are_those_published() {
    let started = check_all(include_str!("../data/related/perft.json"));
    assert!(Variant::ALL[4..].iter().all(|variant| started.contains(variant)));
}

#[test]
fn depth_zero_is_the_position_itself() {
    let position = Fen::<endame::rules::English>::start().position;
    assert_eq!((perft(position, 0), perft_making_leaves(position, 0)), (1, 1));
}
