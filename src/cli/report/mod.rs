//! What builds took: `build --report FILE` writes it, `endame report FILE..` shows and draws it.

mod build;
mod picture;
mod reporting;

use std::io::Write;

use serde::Serialize;

use endame::chart::clouds;

use crate::cli::args::Reports;
use crate::cli::counted::counted;
use crate::cli::error::Error;
use crate::cli::memory::{show_count, show_size};
use crate::cli::{Session, output_file, write_json};

use build::{Build, Pair, Seconds};

pub use reporting::Reporting;

#[derive(Serialize)]
struct Answer<'a> {
    builds: Vec<BuildJson<'a>>,
}

/// A build and its sums.
#[derive(Serialize)]
struct BuildJson<'a> {
    file: String,
    variant: &'a str,
    version: &'a str,
    threads: usize,
    /// By the clock, all of the build.
    elapsed_seconds: f64,
    positions: u64,
    /// Of all pairs together.
    seconds: Seconds,
    /// Of solving and turning; null where that took no time.
    positions_per_second: Option<f64>,
    bytes: u64,
    peak_memory_bytes: Option<u64>,
    /// The largest first.
    pairs: Vec<PairJson<'a>>,
}

#[derive(Serialize)]
struct PairJson<'a> {
    #[serde(flatten)]
    pair: &'a Pair,
    positions_per_second: Option<f64>,
}

/// Prints what every pair of slices took, the largest first, and draws it if asked.
pub fn run(arguments: &Reports, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    if let Some(path) = &arguments.plot {
        if arguments.files.contains(path) {
            return Err(Error::input("--plot names a report", "give the picture a file of its own"));
        }
        output_file::refuse_to_overwrite(path, arguments.force)?;
    }
    let builds = arguments.files.iter().map(|path| Build::read(path)).collect::<Result<Vec<_>, _>>()?;
    if session.common.json {
        let files = arguments.files.iter().map(|path| path.display().to_string());
        let builds = files.zip(&builds).map(|(file, build)| to_json(file, build)).collect();
        write_json(output, &Answer { builds })?;
    } else {
        builds.iter().try_for_each(|build| show(build, output))?;
    }
    match &arguments.plot {
        Some(path) => output_file::write(path, &clouds(&picture::clouds_of(&builds)), arguments.force),
        None => Ok(()),
    }
}

fn to_json(file: String, build: &Build) -> BuildJson<'_> {
    let all = build.all();
    BuildJson {
        file,
        variant: &build.variant,
        version: &build.version,
        threads: build.threads,
        elapsed_seconds: build.seconds,
        positions: all.positions,
        positions_per_second: all.positions_per_second(),
        seconds: all.seconds,
        bytes: all.bytes,
        peak_memory_bytes: all.peak_memory_bytes,
        pairs: build
            .largest_first()
            .into_iter()
            .map(|pair| PairJson { pair, positions_per_second: pair.positions_per_second() })
            .collect(),
    }
}

fn show(build: &Build, output: &mut dyn Write) -> Result<(), Error> {
    let (threads, pairs) = (counted(build.threads as u64, "thread"), counted(build.pairs.len() as u64, "pair"));
    writeln!(output, "{}, {threads}: {pairs} of slices in {:.1} s by the clock", build.variant, build.seconds)?;
    writeln!(
        output,
        "  {:<16} {:<7} {:>15} {:>9} {:>9} {:>10} {:>9} {:>9} {:>9} {:>9} {:>6} {:>13} {:>15} {:>11}",
        "slices",
        "metric",
        "positions",
        "captures",
        "advances",
        "reversible",
        "solve",
        "turn",
        "compress",
        "write",
        "passes",
        "positions/s",
        "bytes",
        "memory"
    )?;
    for pair in build.largest_first().into_iter().chain([&build.all()]) {
        let Seconds { captures, advances, reversible, solve, turn, compress, write } = pair.seconds;
        let (names, positions, bytes) = (pair.materials.join(" "), show_count(pair.positions), show_count(pair.bytes));
        let rate = pair.positions_per_second().map_or_else(|| "-".to_string(), |rate| show_count(rate as u64));
        let memory = pair.peak_memory_bytes.map_or_else(|| "-".to_string(), show_size);
        writeln!(
            output,
            "  {names:<16} {:<7} {positions:>15} {captures:>9.3} {advances:>9.3} {reversible:>10.3} {solve:>9.3} \
             {turn:>9.3} {compress:>9.3} {write:>9.3} {:>6} {rate:>13} {bytes:>15} {memory:>11}",
            pair.metric, pair.passes
        )?;
    }
    Ok(writeln!(output)?)
}
