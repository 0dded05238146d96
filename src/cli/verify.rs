//! `endame verify VARIANT`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use endame::build::{Fault, Verified, VerifyError, verify};
use endame::index::Material;
use endame::rules::Rules;
use endame::tablebase::table_path;
use endame::value::Metric;
use endame::with_rules;

use crate::cli::args::Verify;
use crate::cli::counted::counted;
use crate::cli::error::{Error, Kind};
use crate::cli::progress::progress;
use crate::cli::{Session, materials, write_json};

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    tables: usize,
    values: u64,
    /// Of the tables, those of outcomes under several counts at once: not checked there is which wins counts cut off.
    partly: usize,
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
    let tables_option =
        session.common.tables.as_ref().map(|t| format!(" --tables {}", t.display())).unwrap_or_default();
    let remake = |material: Material, metric: Metric| {
        format!("endame build {} --material {material} --metric {metric}{tables_option}", R::NAME)
    };
    let progress = progress(&session.signals);
    let mut verified = Verified::default();
    for &metric in Metric::BUILT {
        let tables = tables_of::<R>(&folder, &asked, metric)?;
        if tables.is_empty() || verified.fault.is_some() {
            continue;
        }
        let options = session.build_options();
        let found =
            verify::<R>(&folder, &tables, metric, arguments.sample, &options, &*progress).map_err(
                |error| match error {
                    VerifyError::Missing(material) => {
                        let what = format!("no {metric} table of {material} in {}", folder.join(R::NAME).display());
                        let remedy =
                            format!("others cannot be checked without it; make it with: {}", remake(material, metric));
                        Error::new(Kind::TableMissing, what, remedy)
                    }
                    other => other.into(),
                },
            )?;
        verified.tables += found.tables;
        verified.values += found.values;
        verified.partly += found.partly;
        verified.fault = found.fault;
    }
    drop(progress);
    if verified.tables == 0 {
        let names: Vec<String> = asked.iter().map(ToString::to_string).collect();
        let of = if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) };
        let what = format!("no tables{of} in {}", folder.join(R::NAME).display());
        let make = if names.is_empty() { "--pieces 3".to_string() } else { format!("--material {}", names.join(",")) };
        return Err(Error::new(
            Kind::TableMissing,
            what,
            format!("make them with: endame build {} {make}{tables_option}", R::NAME),
        ));
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
            &Answer {
                variant: R::NAME,
                tables: verified.tables,
                values: verified.values,
                partly: verified.partly,
                fault: shown,
            },
        )?;
    }
    match fault {
        Some(fault) => Err(Error::check_failed(describe(&fault))),
        None if session.common.json => Ok(()),
        None => {
            let (values, tables) = (verified.values, verified.tables);
            writeln!(output, "{values} values stored in {tables} tables follow from their moves")?;
            if verified.partly > 0 {
                let those = counted(verified.partly as u64, "table");
                writeln!(
                    output,
                    "in {those} of outcomes several draw rules count at once: not checked there is which wins they cut off"
                )?;
            }
            Ok(())
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
fn tables_of<R: Rules>(folder: &Path, asked: &[Material], metric: Metric) -> Result<Vec<Material>, Error> {
    if !asked.is_empty() {
        let is_there = |m: &Material| table_path(folder, R::NAME, *m, metric).symlink_metadata().is_ok();
        return Ok(asked.iter().copied().filter(is_there).collect());
    }
    let folder = folder.join(R::NAME);
    let entries = match std::fs::read_dir(&folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            let what = format!("{}: {error}", folder.display());
            return Err(Error::new(Kind::Damaged, what, "check that it is a folder that can be read"));
        }
        Ok(entries) => entries,
    };
    let suffix = format!(".{metric}.end");
    let names = entries.flatten().map(|entry| entry.file_name());
    let mut found: Vec<Material> =
        names.filter_map(|name| name.to_str()?.strip_suffix(&suffix)?.parse::<Material>().ok()).collect();
    found.sort();
    found.dedup();
    Ok(found)
}
