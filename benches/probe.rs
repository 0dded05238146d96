//! Probes of mapped tables in no order, one thread: every position of a published ending, answers per second.

mod tables;

use criterion::{Criterion, Throughput};
use endame::index::{Indexer, Material};
use endame::position::Position;
use endame::rules::{International, Rules, Russian};
use endame::tablebase::Tablebase;
use endame::value::{Metric, Wdl};

use tables::Work;

/// Without a common divisor with any number of positions here.
const STRIDE: u64 = 1_000_003;

/// All positions of the slice, each far from the one before.
fn scattered<R: Rules>(material: Material) -> Vec<Position<R>> {
    let indexer = Indexer::<R>::new(material);
    let count = indexer.placements();
    (0..count).map(|i| indexer.unrank(i * STRIDE % count)).collect()
}

/// `counts`: published wins, draws and losses of the ending.
fn probes<R: Rules>(criterion: &mut Criterion, pieces: u32, metric: Metric, ending: &str, counts: [u64; 3]) {
    let work = Work::new(R::NAME, pieces, metric);
    let positions = scattered::<R>(ending.parse().expect("a material"));
    let mut group = work.group(criterion, "probe");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut tables = None;
    group.bench_function(format!("{} {ending} {metric}", R::NAME), |bencher| {
        let (_folder, tables) = tables.get_or_insert_with(|| {
            let (folder, _) = work.build();
            let tables = Tablebase::<R>::open(folder.path()).expect("a folder");
            (folder, tables)
        });
        bencher.iter(|| {
            let mut found = [0; 3];
            for position in &positions {
                let place = match tables.probe(position).expect("every table is there").wdl {
                    Wdl::Win => 0,
                    Wdl::Draw => 1,
                    Wdl::Loss => 2,
                };
                found[place] += 1;
            }
            assert_eq!(found, counts);
        });
    });
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    // data/endings.json.
    probes::<Russian>(&mut criterion, 4, Metric::Wdl, "KKvKK", [21_659, 193_513, 588]);
    probes::<International>(&mut criterion, 3, Metric::Dtw, "KMvK", [24_373, 81_465, 2]);
    criterion.final_summary();
}
