//! Move generation: leaves per second from the start, the last ply counted, as everywhere, and played.

use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use endame::position::{Move, Position, perft};
use endame::rules::{Rules, Variant};
use endame::with_rules;
use serde_json::Value;

/// As [`perft`], but every move of the last ply is played as well.
fn played<R: Rules>(position: Position<R>, buffers: &mut [Vec<Move>]) -> u64 {
    let Some((moves, rest)) = buffers.split_first_mut() else { return 1 };
    if position.must_capture() {
        position.captures_into(moves);
    } else {
        position.quiets_into(moves);
    }
    moves.iter().map(|mv| played(position.play(mv), rest)).sum()
}

/// The published number of leaves from the start.
fn leaves(variant: Variant, depth: usize) -> u64 {
    let data: Value = serde_json::from_str(include_str!("../data/perft.json")).expect("the data is json");
    let mut tables = data["tables"].as_array().expect("a list of tables").iter();
    let start = tables.find(|table| table["variant"] == variant.name() && table["name"] == "start");
    start.expect("the start position is there")["counts"][depth - 1].as_u64().expect("the depth is there")
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (name, depth) in [("international", 9), ("english", 11), ("russian", 10), ("turkish", 7)] {
        let variant: Variant = name.parse().expect("a variant");
        let mut group = criterion.benchmark_group("perft");
        group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(3));
        let expected = leaves(variant, depth);
        group.throughput(Throughput::Elements(expected));
        group.bench_function(format!("{name} {depth}"), |bencher| {
            let count = || with_rules!(variant, R => perft(Position::<R>::start(), depth as u32));
            bencher.iter(|| assert_eq!(count(), expected));
        });
        let depth = depth - 1;
        let expected = leaves(variant, depth);
        group.throughput(Throughput::Elements(expected));
        group.bench_function(format!("{name} {depth}, all played"), |bencher| {
            let mut buffers = vec![Vec::with_capacity(64); depth];
            let mut count = || with_rules!(variant, R => played(Position::<R>::start(), &mut buffers));
            bencher.iter(|| assert_eq!(count(), expected));
        });
        group.finish();
    }
    criterion.final_summary();
}
