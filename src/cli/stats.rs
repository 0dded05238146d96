//! `endame stats VARIANT MATERIAL`: what the headers of its tables say, on the board and under the draw rules.

use std::io::Write;

use serde::Serialize;

use endame::index::Material;
use endame::position::Fen;
use endame::proof::{Census, census};
use endame::rules::{Colour, Rules, deciding_rule};
use endame::table::{Longest, Statistics};
use endame::tablebase::{OpenTable, Tablebase};
use endame::value::Metric;
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
    /// The table whose distances these are, `dtw` or `dtc`; null where it has none.
    metric: Option<&'static str>,
    longest_win: Option<LongestText>,
    longest_loss: Option<LongestText>,
    histogram: Vec<Length>,
    /// The same with counts of moves taken in; null where there are no outcomes.
    under_rules: Option<UnderRules>,
}

#[derive(Serialize)]
struct UnderRules {
    /// The rule that decides; null where none counts, or several at once.
    rule: Option<&'static str>,
    /// The rules that count, where several do at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<&'static str>,
    limit_plies: Option<u32>,
    wins: u64,
    cursed_wins: u64,
    draws: u64,
    blessed_losses: u64,
    losses: u64,
    /// By plies to the next reset of the count, no more than the rule allows.
    longest_win: Option<LongestText>,
    longest_loss: Option<LongestText>,
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
    let table = tables.tablebase().best_table(material)?.ok_or_else(|| tables.missing_error(&[material]))?;
    let under_rules = under_rules(tables.tablebase(), material, session)?;
    let header = table.table().header();
    let Statistics { wins, draws, losses, longest_win, longest_loss, histogram } = &header.statistics;
    // With a table of outcomes alone, what is cut off is won on the board too.
    let (cursed_wins, blessed_losses) = match &under_rules {
        Some(under_rules) if header.metric.counts_moves() => (under_rules.cursed_wins, under_rules.blessed_losses),
        _ => (0, 0),
    };
    Ok(Answer {
        variant: R::NAME,
        material: material.to_string(),
        positions: header.positions,
        wins: wins + cursed_wins,
        draws: draws - cursed_wins - blessed_losses,
        losses: losses + blessed_losses,
        metric: (!histogram.is_empty()).then(|| header.metric.name()),
        longest_win: longest_win.map(|longest| longest_text(table, longest)),
        longest_loss: longest_loss.map(|longest| longest_text(table, longest)),
        histogram: histogram.iter().map(|l| Length { plies: l.plies, wins: l.wins, losses: l.losses }).collect(),
        under_rules,
    })
}

fn under_rules<R: Rules>(
    tables: &Tablebase<R>,
    material: Material,
    session: &Session,
) -> Result<Option<UnderRules>, Error> {
    session.signals.poll();
    let census = census(tables, material, &|| session.signals.stopped())?;
    session.signals.end_at_once();
    let Some(Census { rule, wins, cursed_wins, draws, blessed_losses, losses }) = census else { return Ok(None) };
    let resets = tables.table(material, Metric::Dtr)?;
    let longest = |side: fn(&Statistics) -> Option<Longest>| {
        resets.and_then(|table| Some(longest_text(table, side(&table.table().header().statistics)?)))
    };
    Ok(Some(UnderRules {
        rule: rule.map(|rule| rule.name),
        rules: deciding_rule::<R>(material.ours(), material.theirs())
            .err()
            .map_or_else(Vec::new, |several| several.rules),
        limit_plies: rule.map(|rule| rule.plies),
        wins,
        cursed_wins,
        draws,
        blessed_losses,
        losses,
        longest_win: longest(|statistics| statistics.longest_win),
        longest_loss: longest(|statistics| statistics.longest_loss),
    }))
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
    let to = if answer.metric == Some(Metric::Dtc.name()) { " to the next conversion" } else { "" };
    show_longest([&answer.longest_win, &answer.longest_loss], to, output)?;
    if let Some(under_rules) = &answer.under_rules {
        show_under_rules(under_rules, output)?;
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

fn show_longest(longest: [&Option<LongestText>; 2], to: &str, output: &mut dyn Write) -> Result<(), Error> {
    for (what, longest) in ["win", "loss"].iter().zip(longest) {
        if let Some(LongestText { plies, count, fen }) = longest {
            let (plies, positions) = (counted((*plies).into(), "ply"), counted(*count, "position"));
            writeln!(output, "longest {what}: {plies}{to}, {positions}, {fen}")?;
        }
    }
    Ok(())
}

fn show_under_rules(under_rules: &UnderRules, output: &mut dyn Write) -> Result<(), Error> {
    let rule = match (under_rules.rule, under_rules.limit_plies) {
        (Some(rule), Some(plies)) => format!("{rule} decides, {plies} plies"),
        _ if under_rules.rules.is_empty() => "no rule counts here".to_string(),
        _ => format!("{} count at once", under_rules.rules.join(", ")),
    };
    writeln!(output, "\nunder the draw rules: {rule}")?;
    for (what, count) in [
        ("won", under_rules.wins),
        ("won too late", under_rules.cursed_wins),
        ("drawn", under_rules.draws),
        ("lost too late", under_rules.blessed_losses),
        ("lost", under_rules.losses),
    ] {
        writeln!(output, "{what:<13} {:>17}", show_count(count))?;
    }
    show_longest([&under_rules.longest_win, &under_rules.longest_loss], " to the next reset of the count", output)
}
