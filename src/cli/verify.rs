//! `endame verify VARIANT`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use endame::build::{Fault, Verified, verify};
use endame::index::Material;
use endame::rules::Rules;
use endame::tablebase::table_path;
use endame::value::Metric;
use endame::with_rules;

use crate::cli::args::Verify;
use crate::cli::progress::progress;
use crate::cli::{Session, materials, write_json};
use crate::error::{Error, Kind};

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    tables: usize,
    values: u64,
    fault: Option<ShownFault>,
}

#[derive(Serialize)]
struct ShownFault {
    table: String,
    what: String,
    fen: Option<String>,
}

/// Checks the tables that are there against the rules.
pub fn run(arguments: &Verify, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => run_for::<R>(arguments, session, output))
}

fn run_for<R: Rules>(arguments: &Verify, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let folder = session.tables()?;
    let asked = arguments.material.iter().map(|text| materials::read::<R>(text)).collect::<Result<Vec<_>, _>>()?;
    let progress = progress(&session.signals);
    let mut verified = Verified::default();
    for &metric in Metric::ALL {
        let tables = tables_of::<R>(&folder, &asked, metric);
        if tables.is_empty() || verified.fault.is_some() {
            continue;
        }
        let found = verify::<R>(&folder, &tables, metric, arguments.sample, &session.build_options(), &*progress)?;
        verified.tables += found.tables;
        verified.values += found.values;
        verified.fault = found.fault;
    }
    drop(progress);
    if verified.tables == 0 {
        let names: Vec<String> = asked.iter().map(ToString::to_string).collect();
        let of = if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) };
        let what = format!("no tables{of} in {}", folder.join(R::NAME).display());
        let make = if names.is_empty() { "--pieces 3".to_string() } else { format!("--material {}", names.join(",")) };
        return Err(Error::new(Kind::TableMissing, what, format!("make them with: endame build {} {make}", R::NAME)));
    }
    let fault = verified.fault.clone();
    if session.common.json {
        let shown = fault.as_ref().map(|f| ShownFault {
            table: f.path.display().to_string(),
            what: f.what.clone(),
            fen: f.fen.clone(),
        });
        write_json(
            output,
            &Answer { variant: R::NAME, tables: verified.tables, values: verified.values, fault: shown },
        )?;
    }
    match fault {
        Some(fault) => Err(Error::check_failed(describe(&fault))),
        None if session.common.json => Ok(()),
        None => {
            Ok(writeln!(output, "{} values in {} tables follow from their moves", verified.values, verified.tables)?)
        }
    }
}

fn describe(fault: &Fault) -> String {
    let position = fault.fen.as_ref().map(|fen| format!(" ({fen})")).unwrap_or_default();
    format!("{}: {}{position}; the table is wrong: remove it and build it again", fault.path.display(), fault.what)
}

/// The materials with a table of `metric` in the folder: those asked for, or all.
///
/// A table that is there under its name but cannot be opened counts, so that it is reported.
fn tables_of<R: Rules>(folder: &Path, asked: &[Material], metric: Metric) -> Vec<Material> {
    let mut found: Vec<Material> = if asked.is_empty() {
        let names =
            std::fs::read_dir(folder.join(R::NAME)).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let suffix = format!(".{metric}.end");
        names.filter_map(|name| name.to_str()?.strip_suffix(&suffix)?.parse::<Material>().ok()).collect()
    } else {
        asked.iter().copied().filter(|m| table_path(folder, R::NAME, *m, metric).exists()).collect()
    };
    found.sort();
    found.dedup();
    found
}
