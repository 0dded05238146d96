//! The tables that benches time or read: built by one thread in a folder of their own, and held against published
//! counts.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use endame::build::{BuildOptions, PairReport, Progress, build_variant};
use endame::index::{Indexer, Material};
use endame::rules::Variant;
use endame::table::Table;
use endame::tablebase::table_path;
use endame::value::Metric;
use endame::with_rules;
use serde_json::Value;
use tempfile::TempDir;

/// One thread, and all memory.
pub const OPTIONS: BuildOptions = BuildOptions { memory: None, threads: 1 };

/// All tables of a variant up to a number of pieces, in one metric.
pub struct Work {
    pub variant: Variant,
    pub pieces: u32,
    pub metric: Metric,
}

/// Keeps what solving took of each pair, without compressing and writing.
struct Stopwatch {
    began: Instant,
    solving: Mutex<Duration>,
}

impl Progress for Stopwatch {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}

    fn stopped(&self) -> bool {
        false
    }

    fn now(&self) -> Option<Duration> {
        Some(self.began.elapsed())
    }

    fn built(&self, pair: &PairReport) {
        *self.solving.lock().expect("no holder panics") += pair.solving + pair.turning;
    }
}

impl Work {
    /// The work of a variant by its name.
    pub fn new(variant: &str, pieces: u32, metric: Metric) -> Work {
        Work { variant: variant.parse().expect("a variant"), pieces, metric }
    }

    /// As in `english 2..4 wdl`.
    pub fn name(&self) -> String {
        format!("{} 2..{} {}", self.variant, self.pieces, self.metric)
    }

    pub fn materials(&self) -> Vec<Material> {
        Material::all_up_to(self.pieces)
    }

    /// Positions of all tables.
    pub fn positions(&self) -> u64 {
        with_rules!(self.variant, R => self.materials().into_iter().map(|m| Indexer::<R>::new(m).placements()).sum())
    }

    /// A group whose rates are positions per second.
    pub fn group<'a>(&self, criterion: &'a mut Criterion, kind: &str) -> BenchmarkGroup<'a, WallTime> {
        let mut group = criterion.benchmark_group(kind);
        group.throughput(Throughput::Elements(self.positions()));
        group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(2));
        group
    }

    /// Builds the tables, with what solving alone took.
    ///
    /// # Panics
    /// If a count differs from that of `data/endings.json`.
    pub fn build(&self) -> (TempDir, Duration) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let stopwatch = Stopwatch { began: Instant::now(), solving: Mutex::default() };
        build_variant(self.variant, folder.path(), &self.materials(), self.metric, &OPTIONS, &stopwatch)
            .expect("a small build");
        self.check(&folder);
        (folder, stopwatch.solving.into_inner().expect("no holder panics"))
    }

    /// Holds the headers against every published ending that is built, the weaker side to move too.
    fn check(&self, folder: &TempDir) {
        let data: Value = serde_json::from_str(include_str!("../../data/endings.json")).expect("the data is json");
        let mut checked = 0;
        for row in data[self.variant.name()].as_array().expect("a list of endings") {
            let material: Material = row["material"].as_str().expect("a text").parse().expect("a material");
            if material.pieces() > self.pieces {
                continue;
            }
            for (material, side) in [(material, "strong"), (material.twin(), "weak")] {
                if row[side].is_null() {
                    continue;
                }
                let path = table_path(folder.path(), self.variant.name(), material, self.metric);
                let table = Table::open(&path).expect("a sound table");
                let said = &table.header().statistics;
                let counts = ["wins", "draws", "losses"].map(|field| row[side][field].as_u64().expect("a number"));
                assert_eq!([said.wins, said.draws, said.losses], counts, "{} {material}", self.name());
                checked += 1;
            }
        }
        assert!(checked >= 5, "only {checked} slices of {} are published", self.name());
    }
}
