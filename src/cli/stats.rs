//! `endame stats VARIANT MATERIAL`: what the header of a table says.

use std::io::Write;

use serde::Serialize;

use endame::index::Material;
use endame::position::Fen;
use endame::rules::{Colour, Rules};
use endame::table::{Longest, Statistics};
use endame::tablebase::OpenTable;
use endame::with_rules;

use crate::cli::args::Stats;
use crate::cli::counted::counted;
use crate::cli::error::Error;
use crate::cli::memory::show_count;
use crate::cli::on_demand::OnDemand;
use crate::cli::{Session, materials, write_json};

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    material: String,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    longest_win: Option<LongestText>,
    longest_loss: Option<LongestText>,
    histogram: Vec<Length>,
}

#[derive(Serialize)]
struct LongestText {
    plies: u16,
    count: u64,
    fen: String,
}

#[derive(Serialize)]
struct Length {
    plies: u16,
    wins: u64,
    losses: u64,
}

/// Prints the statistics of a material.
pub fn run(arguments: &Stats, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let answer = with_rules!(arguments.variant, R => answer::<R>(&arguments.material, session)?);
    if session.common.json { write_json(output, &answer) } else { show(&answer, output) }
}

fn answer<R: Rules>(material: &str, session: &Session) -> Result<Answer, Error> {
    let material: Material = materials::read::<R>(material)?;
    let tables = OnDemand::<R>::open(session)?;
    // Statistics are those of the board.
    let table = tables.tablebase().best_table(material)?.filter(|t| !t.table().header().metric.counts_moves());
    let table = table.ok_or_else(|| tables.missing_error(&[material]))?;
    let header = table.table().header();
    let Statistics { wins, draws, losses, longest_win, longest_loss, histogram } = &header.statistics;
    Ok(Answer {
        variant: R::NAME,
        material: material.to_string(),
        positions: header.positions,
        wins: *wins,
        draws: *draws,
        losses: *losses,
        longest_win: longest_win.map(|longest| longest_text(table, longest)),
        longest_loss: longest_loss.map(|longest| longest_text(table, longest)),
        histogram: histogram.iter().map(|l| Length { plies: l.plies, wins: l.wins, losses: l.losses }).collect(),
    })
}

fn longest_text<R: Rules>(table: &OpenTable<R>, longest: Longest) -> LongestText {
    let position = table.indexer().from_slot(longest.slot);
    let fen = Fen { position, mover: Colour::White }.to_string();
    LongestText { plies: longest.plies, count: longest.count, fen }
}

fn show(answer: &Answer, output: &mut dyn Write) -> Result<(), Error> {
    writeln!(output, "{} {}, for the side to move", answer.variant, answer.material)?;
    for (what, count) in
        [("positions", answer.positions), ("won", answer.wins), ("drawn", answer.draws), ("lost", answer.losses)]
    {
        writeln!(output, "{what:<10} {:>20}", show_count(count))?;
    }
    for (what, longest) in [("win", &answer.longest_win), ("loss", &answer.longest_loss)] {
        if let Some(LongestText { plies, count, fen }) = longest {
            let (plies, positions) = (counted((*plies).into(), "ply"), counted(*count, "position"));
            writeln!(output, "longest {what}: {plies}, {positions}, {fen}")?;
        }
    }
    if answer.histogram.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n{:>5} {:>16} {:>16}", "plies", "won", "lost")?;
    for length in &answer.histogram {
        writeln!(output, "{:>5} {:>16} {:>16}", length.plies, show_count(length.wins), show_count(length.losses))?;
    }
    Ok(())
}
