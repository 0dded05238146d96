//! `endame dataset info DIR.. [--svg FILE]`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use endame::chart::{Panel, chart};
use endame::dataset::{Dataset, Info, write_new};
use endame::rules::Rules;

use crate::cli::dataset::print_summary;
use crate::cli::error::Error;
use crate::cli::memory::{show_count, show_size};
use crate::cli::{Session, write_json};

#[derive(Serialize)]
struct Described<'a> {
    variant: &'static str,
    seed: u64,
    run_games: u64,
    settings: &'a endame::dataset::Settings,
    program: &'a str,
    table_pieces: u32,
    #[serde(flatten)]
    info: Info,
}

/// Says what the dataset holds, and draws it where asked to.
pub fn run<R: Rules>(
    dataset: &Dataset,
    svg: Option<&Path>,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let info = dataset.info::<R>()?;
    if let Some(path) = svg {
        draw(path, &info.panels())?;
    }
    let metadata = dataset.metadata();
    if session.common.json {
        let described = Described {
            variant: R::NAME,
            seed: metadata.seed,
            run_games: metadata.run_games,
            settings: &metadata.settings,
            program: &metadata.program,
            table_pieces: metadata.table_pieces,
            info,
        };
        return write_json(output, &described);
    }
    writeln!(output, "{} games of seed {}, by {}", R::NAME, metadata.seed, metadata.program)?;
    print_summary(&info.summary, output)?;
    let share = 100.0 * info.duplicates as f64 / info.summary.positions as f64;
    writeln!(output, "duplicates   {} ({share:.1} %)", show_count(info.duplicates))?;
    let phases = info.phases;
    let [opening, middle, ending] = [phases.opening, phases.middle, phases.ending].map(show_count);
    writeln!(output, "phases       opening {opening}, middle {middle}, ending {ending} positions")?;
    let (openings, settings) = (show_count(info.openings), &metadata.settings.openings);
    writeln!(output, "openings     {openings} different positions, from {settings}")?;
    let bytes = info.bytes as f64 / info.summary.positions as f64;
    writeln!(output, "size         {}, {bytes:.2} bytes a position", show_size(info.bytes))?;
    if let Some((first, last)) = dataset.missing() {
        writeln!(output, "not here     games {first} to {last}")?;
    }
    for panel in info.panels() {
        print_panel(&panel, output)?;
    }
    Ok(())
}

/// Characters of the longest bar.
const LONGEST: f64 = 50.0;

/// Prints a histogram, a line a bar.
fn print_panel(panel: &Panel, output: &mut dyn Write) -> Result<(), Error> {
    let most = panel.bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(1);
    writeln!(output, "\n{}", panel.title)?;
    for bar in &panel.bars {
        // What is there has a mark, however little it is.
        let marks = (LONGEST * bar.count as f64 / most as f64).ceil() as usize;
        writeln!(output, "{:>8} {:>12} {}", bar.at * panel.unit, show_count(bar.count), "#".repeat(marks))?;
    }
    Ok(())
}

/// Draws the histograms into the new file `path`.
pub fn draw(path: &Path, panels: &[Panel]) -> Result<(), Error> {
    write_new(path, |out| out.write_all(chart(panels).as_bytes())).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Error::input(format!("{}: already there", path.display()), "choose another file with --svg")
        }
        _ => Error::of_file(path, &error, "choose a file that can be written with --svg"),
    })
}
