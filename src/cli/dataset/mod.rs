//! `endame dataset info|verify|merge|export|import`.

mod export;
mod import;
mod info;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use endame::dataset::export::Fraction;
use endame::dataset::{Dataset, Summary};
use endame::rules::Variant;
use endame::with_rules;

use crate::cli::args::DatasetCommand;
use crate::cli::counted::counted;
use crate::cli::error::Error;
use crate::cli::memory::show_count;
use crate::cli::{Session, write_json};

/// Runs a command of `dataset`.
pub fn run(command: &DatasetCommand, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    match command {
        DatasetCommand::Info { paths, svg } => {
            let (variant, dataset) = open(paths)?;
            with_rules!(variant, R => info::run::<R>(&dataset, svg.as_deref(), session, output))
        }
        DatasetCommand::Verify { paths, replay, openings } => {
            let (variant, dataset) = open(paths)?;
            let share = replay.map(|share| share.unwrap_or(Fraction::ALL));
            with_rules!(variant, R => verify::run::<R>(&dataset, share, openings.as_deref(), session, output))
        }
        DatasetCommand::Merge { paths, out } => merge(&open(paths)?.1, out, session, output),
        DatasetCommand::Export(arguments) => {
            let (variant, dataset) = open(&arguments.paths)?;
            with_rules!(variant, R => export::run::<R>(&dataset, arguments, session, output))
        }
        DatasetCommand::Import(arguments) => {
            with_rules!(arguments.variant, R => import::run::<R>(arguments, session, output))
        }
    }
}

fn open(paths: &[PathBuf]) -> Result<(Variant, Dataset), Error> {
    let dataset = Dataset::open(paths)?;
    let variant = dataset.metadata().variant.parse().map_err(|error| Error::input(error, "use a newer program"))?;
    Ok((variant, dataset))
}

/// Prints counts over games.
pub fn print_summary(summary: &Summary, output: &mut dyn Write) -> Result<(), Error> {
    let results = summary.results;
    let exact = 100.0 * summary.exact as f64 / summary.positions.max(1) as f64;
    writeln!(output, "games        {}", show_count(summary.games))?;
    writeln!(
        output,
        "positions    {}, exact {} ({exact:.1} %)",
        show_count(summary.positions),
        show_count(summary.exact)
    )?;
    writeln!(
        output,
        "results      White {}, drawn {}, Black {}, none {}",
        show_count(results.white),
        show_count(results.drawn),
        show_count(results.black),
        show_count(results.unknown)
    )?;
    let endings: Vec<String> =
        summary.endings.iter().map(|(name, count)| format!("{name} {}", show_count(*count))).collect();
    writeln!(output, "ended by     {}", endings.join(", "))?;
    let (corrected, settled) = (show_count(summary.corrected), show_count(summary.settled));
    Ok(writeln!(output, "corrected    {corrected} results by the tables, {settled} more known only by them")?)
}

/// A file that was written.
#[derive(Serialize)]
struct Written {
    games: u64,
    positions: u64,
    file: String,
}

fn merge(dataset: &Dataset, out: &Path, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    dataset.merge(out)?;
    let (games, positions) = (dataset.games(), dataset.positions());
    said(Written { games, positions, file: out.display().to_string() }, session, output)
}

fn said(written: Written, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    if session.common.json {
        return write_json(output, &written);
    }
    let (games, positions) = (counted(written.games, "game"), counted(written.positions, "position"));
    Ok(writeln!(output, "{games}, {positions} in {}", written.file)?)
}
