//! The published perft tables of `data/perft.json`.

use endame::position::{Fen, perft};
use endame::rules::{Rules, Variant};
use serde_json::Value;

/// The largest count that is checked, so that the test takes seconds; it includes international 9 and english 10.
const LARGEST: u64 = 45_000_000;

fn check<R: Rules>(table: &Value) {
    let fen = table["fen"].as_str().expect("a table has a fen");
    let position = fen.parse::<Fen<R>>().unwrap_or_else(|error| panic!("{fen}: {error}")).position;
    let counts = table["counts"].as_array().expect("a table has counts");
    let counts = counts.iter().map(|count| count.as_u64().expect("a count is a number"));
    for (depth, count) in (1..).zip(counts.take_while(|&count| count <= LARGEST)) {
        assert_eq!(perft(position, depth), count, "{} {fen} depth {depth}", R::NAME);
    }
}

#[test]
fn counts_are_those_published() {
    let data: Value = serde_json::from_str(include_str!("../data/perft.json")).expect("the data is json");
    let tables = data["tables"].as_array().expect("a list of tables");
    for table in tables {
        let variant: Variant = table["variant"].as_str().expect("a variant").parse().expect("a known variant");
        endame::with_rules!(variant, R => check::<R>(table));
    }
    for variant in Variant::ALL {
        assert!(tables.iter().any(|table| table["variant"] == variant.name() && table["name"] == "start"));
    }
}

#[test]
fn depth_zero_is_the_position_itself() {
    assert_eq!(perft(Fen::<endame::rules::English>::start().position, 0), 1);
}
