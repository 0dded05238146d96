//! Verifying every value of finished tables, one thread: positions per second.

mod tables;

use criterion::Criterion;
use endame::build::{Silent, verify_variant};
use endame::value::Metric;

use tables::{OPTIONS, Work};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (variant, pieces, metric) in [
        ("english", 4, Metric::Wdl),
        ("international", 3, Metric::Wdl),
        ("russian", 4, Metric::Wdl),
        ("turkish", 3, Metric::Wdl),
        ("english", 4, Metric::Dtw),
    ] {
        let work = Work::new(variant, pieces, metric);
        let mut folder = None;
        work.group(&mut criterion, "verify").bench_function(work.name(), |bencher| {
            // Built only where the bench is chosen.
            let (folder, _) = folder.get_or_insert_with(|| work.build());
            let materials = work.materials();
            bencher.iter(|| {
                let verified = verify_variant(work.variant, folder.path(), &materials, metric, None, &OPTIONS, &Silent);
                let verified = verified.expect("sound tables");
                assert_eq!((verified.tables, verified.fault), (materials.len(), None));
                assert!(verified.values > 0 && verified.values < work.positions());
            });
        });
    }
    criterion.final_summary();
}
