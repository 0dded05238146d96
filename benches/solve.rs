//! Solving alone, one thread: positions per second of whole builds, without compressing and writing.

mod tables;

use criterion::Criterion;
use endame::value::Metric;

use tables::Work;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (variant, pieces, metric) in [
        ("english", 4, Metric::Wdl),
        ("international", 4, Metric::Wdl),
        ("russian", 4, Metric::Wdl),
        ("turkish", 3, Metric::Wdl),
        ("english", 4, Metric::Dtw),
        ("international", 3, Metric::Dtw),
    ] {
        let work = Work::new(variant, pieces, metric);
        work.group(&mut criterion, "solve").bench_function(work.name(), |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| work.build().1).sum());
        });
    }
    criterion.final_summary();
}
