//! `endame dataset export DIR.. --format FORMAT --out FILE`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use endame::dataset::Dataset;
use endame::dataset::export::{Export, Exported, Filter, Format, Holds};
use endame::rules::Rules;

use crate::cli::args;
use crate::cli::counted::counted;
use crate::cli::error::Error;
use crate::cli::memory::show_size;
use crate::cli::progress::progress;
use crate::cli::{Session, write_json};

#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    #[serde(flatten)]
    exported: &'a Exported,
}

/// Writes what is asked for and says what was written.
pub fn run<R: Rules>(
    dataset: &Dataset,
    arguments: &args::Export,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let export = Export {
        format: arguments.format,
        filter: Filter {
            quiet: arguments.quiet,
            no_duplicates: arguments.no_duplicates,
            no_opening: arguments.no_opening,
            exact: arguments.exact,
            pieces: arguments.pieces.clone(),
            sample: arguments.sample,
        },
        split: arguments.split.clone(),
        shard_rows: arguments.shard_rows,
        seed: arguments.seed,
    };
    if export.format.holds() == Holds::Games && !export.filter.is_open() {
        let what = format!("{} holds whole games, and this asks for some positions of them", export.format);
        return Err(Error::input(what, "leave the options out that choose positions, or take another format"));
    }
    if arguments.out == Path::new("-") {
        return to_output::<R>(dataset, &export, session, output);
    }
    let progress = progress(&session.signals);
    let exported = dataset.export::<R>(&export, &arguments.out, &*progress)?;
    drop(progress);
    if let Some((first, last)) = exported.missing {
        eprintln!("a part of the run: games {first} to {last}, at least, are not here");
    }
    for part in &exported.empty_parts {
        eprintln!("no game fell into {part}: it has no file");
    }
    let file = arguments.out.display().to_string();
    if session.common.json {
        return write_json(output, &Answer { file, exported: &exported });
    }
    let counts = &exported.counts;
    let (games, positions) = (counted(counts.games, "game"), counted(counts.positions, "position"));
    writeln!(output, "{games}, {positions} in {file}")?;
    for written in &exported.files {
        let (positions, games) = (counted(written.counts.positions, "position"), counted(written.counts.games, "game"));
        let size = show_size(written.bytes);
        writeln!(output, "{}  {positions} of {games}, {size}", written.name)?;
    }
    Ok(())
}

/// Writes the rows alone to the standard output: no card, and nothing said.
fn to_output<R: Rules>(
    dataset: &Dataset,
    export: &Export,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    if export.split.is_some() || export.shard_rows.is_some() {
        return Err(Error::input("several files do not go into the standard output", "name a folder with --out"));
    }
    if !matches!(export.format, Format::Jsonl | Format::Pdn) {
        let what = format!("{} is not text for the standard output", export.format);
        return Err(Error::input(what, "name a file with --out"));
    }
    let progress = progress(&session.signals);
    Ok(dataset.write_text::<R>(export, output, &*progress)?)
}
