//! `endame records VARIANT`: the longest win of every material at hand.

use std::io::Write;

use serde::Serialize;

use endame::index::Material;
use endame::pdn::{PdnGame, PdnResult};
use endame::position::{Fen, Move};
use endame::rules::{Colour, Rules};
use endame::tablebase::{ProbeError, Tablebase};
use endame::value::Metric;
use endame::with_rules;

use crate::cli::args::Records;
use crate::cli::counted::counted;
use crate::cli::error::{Error, Kind};
use crate::cli::query::{best_line, show_line};
use crate::cli::{Session, refuse_json_with, write_json};

/// The longest win of one material by one metric.
#[derive(Serialize)]
struct Record {
    material: String,
    metric: &'static str,
    /// Whether the side to move wins; else it is a loss that takes longer than any win of it, which dtc allows.
    wins: bool,
    plies: u16,
    /// Positions whose win takes as long.
    count: u64,
    fen: String,
    /// Its value under the draw rules with fresh counts; null where there are no outcomes.
    under_rules: Option<&'static str>,
    line: Vec<String>,
    pdn: String,
}

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    records: Vec<Record>,
}

/// Lists what the tables hold.
pub fn run(arguments: &Records, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => run_for::<R>(arguments, session, output))
}

fn run_for<R: Rules>(arguments: &Records, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    if arguments.pdn {
        refuse_json_with("--pdn", session)?;
    }
    let tables = Tablebase::<R>::open(session.tables()?)?;
    let mut records = Vec::new();
    for pieces in 2..=arguments.pieces {
        for material in Material::all_with(pieces) {
            for metric in [Metric::Dtw, Metric::Dtc] {
                records.extend(record(&tables, material, metric)?);
            }
        }
    }
    if records.is_empty() {
        let what = format!("no {} table with distances in {}", R::NAME, tables.folder().display());
        let remedy = format!("build them: endame build {} --pieces 4 --metric dtw,dtc", R::NAME);
        return Err(Error::new(Kind::TableMissing, what, remedy));
    }
    if session.common.json {
        return write_json(output, &Answer { variant: R::NAME, records });
    }
    for record in &records {
        if arguments.pdn {
            write!(output, "{}", record.pdn)?;
        } else {
            show::<R>(record, output)?;
        }
    }
    Ok(())
}

/// The record of a material, if there is such a table and a win in it.
fn record<R: Rules>(tables: &Tablebase<R>, material: Material, metric: Metric) -> Result<Option<Record>, Error> {
    let Some(table) = tables.table(material, metric)? else { return Ok(None) };
    let statistics = &table.table().header().statistics;
    let (win, loss) = (statistics.longest_win, statistics.longest_loss);
    // By dtw a loss is as long as the win that it leads to; by dtc it may be the longest of all.
    let is_loss = metric == Metric::Dtc && loss.map(|loss| loss.plies) > win.map(|win| win.plies);
    let Some(longest) = (if is_loss { loss } else { win }) else { return Ok(None) };
    let fen = Fen { position: table.indexer().from_slot(longest.slot), mover: Colour::White };
    let line = match metric {
        Metric::Dtc => tables.conversion_line(&fen.position)?,
        _ => best_line(fen, tables)?,
    };
    let under_rules = match tables.outcome(&fen.position) {
        Ok(outcome) => Some(outcome.category()),
        Err(ProbeError::NoOutcomes { .. } | ProbeError::SeveralCounts { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(Some(Record {
        material: material.to_string(),
        metric: metric.name(),
        wins: !is_loss,
        plies: longest.plies,
        count: longest.count,
        fen: fen.to_string(),
        under_rules,
        line: fen.line_text(&line),
        pdn: pdn(
            fen,
            line,
            &format!(
                "{material}: longest {}, {} by {metric}",
                if is_loss { "loss" } else { "win" },
                counted(longest.plies.into(), "ply")
            ),
        ),
    }))
}

/// The line as a game.
fn pdn<R: Rules>(fen: Fen<R>, line: Vec<Move>, event: &str) -> String {
    let mut game = PdnGame::new(fen, line);
    game.tags.push(("Event".to_string(), event.to_string()));
    // A line that stops early, for want of a table, says nothing of the end.
    let last = game.last_position();
    if last.position.is_over() {
        game.result = PdnResult::decided::<R>(Some(last.mover.other()));
    }
    game.to_string()
}

fn show<R: Rules>(record: &Record, output: &mut dyn Write) -> Result<(), Error> {
    let Record { material, metric, plies, count, fen, under_rules, line, wins, .. } = record;
    let to = if *metric == "dtc" { "to the next conversion" } else { "to the end" };
    let (plies, positions) = (counted((*plies).into(), "ply"), counted(*count, "position"));
    let rules = under_rules.map_or_else(String::new, |value| format!(", a {value} under the draw rules"));
    let lost = if *wins { "" } else { ", lost for the side to move" };
    writeln!(output, "{material:<10} {plies:>9} {to} ({metric}){lost}, {positions}{rules}: {fen}")?;
    let start: Fen<R> = fen.parse().map_err(|error| Error::input(error, "this is a fault of the program"))?;
    Ok(writeln!(output, "{}\n", show_line(&start, line))?)
}
