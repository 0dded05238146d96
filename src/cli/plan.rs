//! `endame plan VARIANT --pieces N`.

use std::io::Write;

use serde::Serialize;

use endame::build::Plan;
use endame::rules::Rules;
use endame::with_rules;

use crate::cli::args::Build;
use crate::cli::error::Error;
use crate::cli::memory::{show_count, show_size};
use crate::cli::{Session, materials, write_json};

#[derive(Serialize)]
struct Answer {
    slices: Vec<Slice>,
}

/// A pair of slices, or one that is its own twin, solved in one go.
#[derive(Serialize)]
struct Slice {
    materials: Vec<String>,
    needs: Vec<String>,
    positions: u64,
    memory_bytes: u64,
    disk_bytes: u64,
    cpu_seconds: f64,
}

/// Prints what a build would do.
pub fn run(arguments: &Build, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let slices = with_rules!(arguments.variant, R => slices::<R>(arguments, session.common.memory)?);
    if session.common.json {
        return write_json(output, &Answer { slices });
    }
    writeln!(output, "{:<24} {:>16} {:>12} {:>12} {:>10}", "slices", "positions", "memory", "disk", "cpu time")?;
    for slice in &slices {
        let (memory, disk) = (show_size(slice.memory_bytes), show_size(slice.disk_bytes));
        let (names, positions) = (slice.materials.join(" "), show_count(slice.positions));
        writeln!(output, "{names:<24} {positions:>16} {memory:>12} {disk:>12} {:>8.1} s", slice.cpu_seconds)?;
    }
    let positions = slices
        .iter()
        .try_fold(0u64, |sum, slice| sum.checked_add(slice.positions))
        .map_or_else(|| "2^64 or more".to_string(), show_count);
    let most = slices.iter().map(|s| s.memory_bytes).max().unwrap_or(0);
    let memory = show_size(most);
    let disk = show_size(slices.iter().map(|s| s.disk_bytes).fold(0, u64::saturating_add));
    let seconds: f64 = slices.iter().map(|s| s.cpu_seconds).sum();
    writeln!(output, "{:<24} {positions:>16} {memory:>12} {disk:>12} {seconds:>8.1} s", "all")?;
    if let Some(allowed) = session.common.memory.filter(|&allowed| most > allowed) {
        eprintln!(
            "more than the {} allowed, and no way to take less is known: a build would not begin",
            show_size(allowed)
        );
    }
    Ok(())
}

/// The steps of the build, those of several metrics taken together.
fn slices<R: Rules>(arguments: &Build, memory: Option<u64>) -> Result<Vec<Slice>, Error> {
    let asked = materials::selected::<R>(&arguments.selection)?;
    let mut slices: Vec<Slice> = Vec::new();
    for &metric in &arguments.metric {
        let plan = Plan::new::<R>(&asked, metric, rayon::current_num_threads())
            .map_err(|error| Error::input(error, "ask for fewer pieces"))?
            .fitting::<R>(memory);
        if !plan.left_out.is_empty() {
            let names: Vec<String> = plan.left_out.iter().map(|left| left.material.to_string()).collect();
            eprintln!("without outcomes, too large for several counts at once: {}", names.join(", "));
        }
        for step in &plan.steps {
            let materials: Vec<String> = step.materials.iter().map(ToString::to_string).collect();
            if let Some(slice) = slices.iter_mut().find(|slice| slice.materials == materials) {
                // The same pair for another metric: solved after the first, so memory is not added.
                slice.memory_bytes = slice.memory_bytes.max(step.memory_bytes);
                slice.disk_bytes += step.disk_bytes;
                slice.cpu_seconds += step.cpu_seconds;
                continue;
            }
            slices.push(Slice {
                materials,
                needs: step.needs.iter().map(ToString::to_string).collect(),
                positions: step.positions,
                memory_bytes: step.memory_bytes,
                disk_bytes: step.disk_bytes,
                cpu_seconds: step.cpu_seconds,
            });
        }
    }
    Ok(slices)
}
