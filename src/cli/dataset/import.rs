//! `endame dataset import VARIANT FILE.. --out DIR`.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use endame::dataset::{Summary, import};
use endame::engine::Tables;
use endame::rules::Rules;
use endame::tablebase::Tablebase;

use crate::cli::args::Import;
use crate::cli::counted::counted;
use crate::cli::dataset::print_summary;
use crate::cli::error::Error;
use crate::cli::progress::progress;
use crate::cli::{Session, write_json};

#[derive(Serialize)]
struct Answer<'a> {
    variant: &'static str,
    /// Null if there was nothing to write.
    folder: Option<String>,
    refused: usize,
    remarks: &'a [String],
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Reads the games of the files and says what could not be read.
pub fn run<R: Rules>(arguments: &Import, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let mut files = Vec::new();
    for path in &arguments.files {
        files.push(read(path)?);
    }
    let tablebase = Tablebase::<R>::open(session.tables()?)?;
    let table_pieces = Tables::new(&tablebase)?.most_pieces();
    let progress = progress(&session.signals);
    let imported = import(&files, &tablebase, table_pieces, &arguments.out, &*progress)?;
    drop(progress);
    let refused = imported.remarks.iter().filter(|remark| remark.is_refusal()).count();
    let remarks: Vec<String> = imported.remarks.iter().map(ToString::to_string).collect();
    remarks.iter().for_each(|remark| eprintln!("{remark}"));
    let (folder, summary) = (arguments.out.display().to_string(), &imported.summary);
    if session.common.json {
        write_json(
            output,
            &Answer {
                variant: R::NAME,
                folder: (summary.games > 0).then_some(folder),
                refused,
                remarks: &remarks,
                summary,
            },
        )?;
    } else if summary.games > 0 {
        writeln!(output, "{} games read into {folder}, tables of {table_pieces} pieces", R::NAME)?;
        print_summary(summary, output)?;
    }
    match (refused, summary.games) {
        (0, 0) => Err(Error::input("no game in the files", "name PDN files with games")),
        (0, _) => Ok(()),
        (_, games) => {
            let what = format!("{} refused, {} read", counted(refused as u64, "game"), counted(games, "game"));
            Err(Error::input(what, "the lines above say where and why"))
        }
    }
}

/// The name of a file and its content.
fn read(path: &Path) -> Result<(PathBuf, Vec<u8>), Error> {
    let mut content = Vec::new();
    let result = match path {
        path if path == Path::new("-") => io::stdin().lock().read_to_end(&mut content).map(|_| ()),
        path => fs::read(path).map(|bytes| content = bytes),
    };
    result
        .map_err(|error| Error::input(format!("{}: {error}", path.display()), "name PDN files, or - for the input"))?;
    Ok((path.to_path_buf(), content))
}
