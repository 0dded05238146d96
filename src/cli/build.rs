//! `endame build VARIANT --pieces N`.

use std::io::Write;

use serde::Serialize;

use endame::build::{Plan, build};
use endame::rules::Rules;
use endame::tablebase::Tablebase;
use endame::with_rules;

use crate::cli::args::BuildTables;
use crate::cli::error::Error;
use crate::cli::progress::progress;
use crate::cli::report::Reporting;
use crate::cli::{Session, materials, output_file, write_json};

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    metrics: Vec<&'static str>,
    folder: String,
}

/// Builds what is missing of the tables asked for and of what they lead to.
pub fn run(arguments: &BuildTables, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.build.variant, R => run_for::<R>(arguments, session, output))
}

fn run_for<R: Rules>(
    BuildTables { build: arguments, report, force }: &BuildTables,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    if let Some(path) = report {
        output_file::refuse_to_overwrite(path, *force)?;
    }
    let materials = materials::selected::<R>(&arguments.selection)?;
    let folder = session.tables()?;
    // A file in place of the folder is not a damaged table.
    Tablebase::<R>::open(&folder)?;
    let progress = Reporting::new(progress(&session.signals), report.is_some());
    let built = arguments.metric.iter().try_for_each(|&metric| {
        let plan = Plan::new::<R>(&materials, metric, rayon::current_num_threads())
            .map_err(|error| Error::input(error, "ask for materials that the variant has"))?;
        if let (true, Some(left)) = (plan.steps.is_empty(), plan.left_out.first()) {
            let (material, too_large, rules) = (left.material, left.too_large, left.rules.join(" and "));
            let what =
                format!("{material} has no outcomes: {too_large} is too large for several counts at once, {rules}");
            return Err(Error::input(what, "build dtw and dtc, which prove uses"));
        }
        Ok(build::<R>(&folder, &materials, metric, &session.build_options(), &progress)?)
    });
    let reported = progress.end();
    // A build that is stopped tells what it did so far.
    if let Some(path) = report.as_ref().filter(|_| built.is_ok() || !reported.is_empty()) {
        output_file::write(path, &reported.into_json::<R>(rayon::current_num_threads())?, *force)?;
    }
    built?;
    let metrics: Vec<&str> = arguments.metric.iter().map(|metric| metric.name()).collect();
    let folder = folder.join(R::NAME).display().to_string();
    if session.common.json {
        return write_json(output, &Answer { variant: R::NAME, metrics, folder });
    }
    Ok(writeln!(output, "the {} tables are in {folder}", metrics.join(" and "))?)
}
