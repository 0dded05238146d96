//! `endame build --report FILE`: listens to a build and keeps what each pair of slices took.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use endame::build::{PairReport, Progress};
use endame::rules::Rules;

use super::build::{Build, Pair, Seconds};
use crate::cli::error::Error;

/// A progress that also keeps what it is told of each pair, where a report is wanted.
pub struct Reporting {
    inner: Box<dyn Progress>,
    clock: Option<Instant>,
    pairs: Mutex<Vec<Pair>>,
}

/// What a build took, until it is known of which variant.
#[derive(Debug)]
pub struct Reported {
    pairs: Vec<Pair>,
    seconds: f64,
}

impl Reporting {
    /// Shows what `inner` shows, and keeps what was spent if it `is_wanted`.
    pub fn new(inner: Box<dyn Progress>, is_wanted: bool) -> Self {
        Reporting { inner, clock: is_wanted.then(Instant::now), pairs: Mutex::default() }
    }

    /// Ends the progress.
    pub fn end(self) -> Reported {
        let seconds = self.clock.map_or(0.0, |clock| clock.elapsed().as_secs_f64());
        Reported { pairs: self.pairs.into_inner().expect("no holder panics"), seconds }
    }
}

impl Reported {
    /// Whether no pair was built.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The report as JSON.
    pub fn into_json<R: Rules>(self, threads: usize) -> Result<String, Error> {
        let build = Build {
            variant: R::NAME.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            threads,
            seconds: self.seconds,
            pairs: self.pairs,
        };
        let text = serde_json::to_string_pretty(&build);
        text.map(|text| text + "\n").map_err(|error| Error::input(error, "report this as an error of the program"))
    }
}

impl Progress for Reporting {
    fn start(&self, what: &str, total: u64) {
        self.inner.start(what, total);
    }

    fn advance(&self, done: u64) {
        self.inner.advance(done);
    }

    fn note(&self, line: &str) {
        self.inner.note(line);
    }

    fn stopped(&self) -> bool {
        self.inner.stopped()
    }

    fn now(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.elapsed())
    }

    fn built(&self, pair: &PairReport) {
        let spent = &pair.spent;
        let conversions = spent.conversions.as_secs_f64();
        let captures = conversions * spent.captures_share();
        self.pairs.lock().expect("no holder panics").push(Pair {
            materials: pair.materials.iter().map(ToString::to_string).collect(),
            metric: pair.metric.name().to_string(),
            positions: pair.positions,
            seconds: Seconds {
                captures,
                advances: conversions - captures,
                reversible: spent.reversible.as_secs_f64(),
                solve: pair.solving.as_secs_f64(),
                turn: pair.turning.as_secs_f64(),
                compress: pair.compressing.as_secs_f64(),
                write: pair.writing.as_secs_f64(),
            },
            passes: spent.passes,
            bytes: pair.bytes,
            peak_memory_bytes: peak_memory(),
        });
    }
}

/// The most memory that the program has had, as Linux tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
