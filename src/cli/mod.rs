//! The command line: chooses the variant, prints, and says how it went. No algorithm lives here.

mod args;
mod board;
mod build;
mod completions;
mod counted;
mod dataset;
mod demo;
pub mod error;
mod fen;
mod folder;
mod materials;
mod memory;
mod moves;
mod on_demand;
mod output_file;
mod perft;
mod plan;
mod progress;
mod prove;
mod query;
mod records;
mod report;
mod search;
mod selfplay;
mod signals;
mod stats;
mod verify;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Parser;
use clap::error::ErrorKind;
use serde::Serialize;

use endame::build::BuildOptions;

use crate::cli::args::{Cli, Command, Common};
use crate::cli::error::{Error, Kind};
use crate::cli::signals::Signals;

pub use memory::show_size;

/// What every command is given: its common options made ready.
#[derive(Debug)]
struct Session {
    /// As on the command line.
    common: Common,
    /// Signals that ask to stop.
    signals: Signals,
}

impl Session {
    /// The folder of the tables.
    fn tables(&self) -> Result<PathBuf, Error> {
        folder::tables(self.common.tables.clone())
    }

    /// What a build may use.
    fn build_options(&self) -> BuildOptions {
        BuildOptions {
            memory: memory::allowed(self.common.memory, rayon::current_num_threads()),
            threads: self.common.threads.map_or(0, usize::from),
        }
    }
}

/// Reads the arguments and runs the command.
pub fn run() -> Result<(), Error> {
    let Some(cli) = arguments()? else { return Ok(()) };
    let threads = cli.common.threads.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| Error::input(error, "ask for fewer --threads"))?;
    let signals = Signals::catch().map_err(|e| Error::input(e, "signals cannot be caught on this system"))?;
    let session = Session { common: cli.common, signals };
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let outcome = dispatch(cli.command, &session, &mut output);
    // What was answered before an error is part of the answer.
    let flushed = output.flush();
    outcome?;
    Ok(flushed?)
}

fn dispatch(command: Command, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    match command {
        Command::Build(arguments) => build::run(&arguments, session, output),
        Command::Plan(arguments) => plan::run(&arguments, session, output),
        Command::Query(arguments) => query::run(&arguments, session, output),
        Command::Stats(arguments) => stats::run(&arguments, session, output),
        Command::Records(arguments) => records::run(&arguments, session, output),
        Command::Prove(arguments) => prove::run(&arguments, session, output),
        Command::Search(arguments) => search::run(&arguments, session, output),
        Command::Selfplay(arguments) => selfplay::run(&arguments, session, output),
        Command::Dataset(command) => dataset::run(&command, session, output),
        Command::Moves(arguments) => moves::run(&arguments, session, output),
        Command::Perft(arguments) => perft::run(&arguments, session, output),
        Command::Report(arguments) => report::run(&arguments, session, output),
        Command::Completions { shell } => completions::run(shell, output),
        Command::Demo { variant } => demo::run(variant, session, output),
        Command::Verify(arguments) => verify::run(&arguments, session, output),
    }
}

/// The parsed arguments; `None` when they asked for help or the version, which has been printed.
fn arguments() -> Result<Option<Cli>, Error> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(Some(cli)),
        Err(error) => error,
    };
    if !error.use_stderr() {
        // Colours only where they are seen.
        error.print()?;
        return Ok(None);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let is_dataset = error.render().to_string().contains("Usage: endame dataset");
        return Err(match is_dataset {
            true => Error::input("no command of dataset given", "endame dataset --help lists them"),
            false => Error::input("no command given", "endame --help lists them, endame demo shows what they do"),
        });
    }
    Err(Error { kind: Kind::BadInput, message: one_line(&error.render().to_string()) })
}

/// The several lines of a usage error as one: what is wrong, then what to do.
fn one_line(rendered: &str) -> String {
    let mut what: Vec<&str> = Vec::new();
    for line in rendered.lines().map(str::trim) {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        // Advice of the parser that seldom fits; the usage says enough.
        if !line.is_empty() && !line.starts_with("tip: to pass") {
            what.push(line.strip_prefix("error: ").unwrap_or(line));
        }
    }
    let usage = rendered.lines().find_map(|line| line.strip_prefix("Usage: "));
    let remedy = usage.map_or_else(|| "see endame --help".to_string(), |usage| format!("usage: {usage}"));
    format!("{}; {remedy}", what.join(" "))
}

/// An error where the answer is asked for in two forms: as JSON, and as what `option` writes to the standard output.
///
/// `--json` may stand before the command, where the parser does not see the conflict.
fn refuse_json_with(option: &str, session: &Session) -> Result<(), Error> {
    match session.common.json {
        true => Err(Error::input(format_args!("{option} cannot be used with --json"), "leave one of them out")),
        false => Ok(()),
    }
}

/// Writes `answer` as one line of JSON.
fn write_json(output: &mut dyn Write, answer: &impl Serialize) -> Result<(), Error> {
    serde_json::to_writer(&mut *output, answer).map_err(std::io::Error::from)?;
    Ok(output.write_all(b"\n")?)
}
