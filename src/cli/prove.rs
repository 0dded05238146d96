//! `endame prove VARIANT [RULE]`.

use std::io::Write;

use serde::Serialize;

use endame::chart::{Bar, Panel, Scale, chart};
use endame::index::Material;
use endame::position::Fen;
use endame::proof::{Claim, Finding, Verdict, prove, usual_materials};
use endame::rules::{Colour, Rules};
use endame::value::Metric;
use endame::with_rules;

use crate::cli::args::Prove;
use crate::cli::error::Error;
use crate::cli::memory::show_count;
use crate::cli::on_demand::OnDemand;
use crate::cli::query::{line_text, show_line};
use crate::cli::{Session, write_json};

/// The most pieces of tables that are looked for beyond the usual ones.
const MOST_AT_HAND: u32 = 6;

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    claims: Vec<ClaimJson>,
}

/// A claim in one material, one side to move.
#[derive(Serialize)]
struct ClaimJson {
    rule: &'static str,
    material: String,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    limit_plies: Option<u32>,
    /// Wins of either side that come too late; `null` where the count can start afresh on the way.
    cut_off: Option<u64>,
    longest: Option<LongestJson>,
    /// `null` where distances to the end do not decide.
    holds: Option<bool>,
    /// Positions of which the claim is not true.
    exceptions: Option<u64>,
    /// The first of them, or that of the longest win.
    counterexample: Option<String>,
}

#[derive(Serialize)]
struct LongestJson {
    plies: u32,
    fen: String,
    line: Vec<String>,
}

/// What was found out about one claim in all its materials.
pub struct Findings<R> {
    /// The claim.
    pub claim: Claim,
    /// One a material and side to move.
    pub findings: Vec<Finding<R>>,
}

/// Prints what the tables say about every claim of the variant, or about one rule.
pub fn run(arguments: &Prove, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => run_for::<R>(arguments, session, output))
}

fn run_for<R: Rules>(arguments: &Prove, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let claims = chosen::<R>(arguments.rule.as_deref())?;
    let mut tables = OnDemand::<R>::open(session)?;
    let all = find_out(&claims, &mut tables, session)?;
    if session.common.json {
        let claims = all.iter().flat_map(|f| f.findings.iter().map(|finding| to_json(&f.claim, finding))).collect();
        write_json(output, &Answer { variant: R::NAME, claims })?;
    } else {
        for findings in &all {
            show(findings, output)?;
        }
    }
    if let Some(path) = &arguments.plot {
        std::fs::write(path, chart(&panels(&all))).map_err(|error| {
            Error::input(format_args!("{}: {error}", path.display()), "name a file that can be written")
        })?;
    }
    match refuted(&all).as_slice() {
        [] => Ok(()),
        names => {
            Err(Error::check_failed(format_args!("false: {}; the counterexamples are in the report", names.join(", "))))
        }
    }
}

/// The claims of the variant, or the one named.
fn chosen<R: Rules>(rule: Option<&str>) -> Result<Vec<Claim>, Error> {
    let claims = Claim::all::<R>();
    let Some(rule) = rule else { return Ok(claims) };
    let names: Vec<&str> = claims.iter().map(|claim| claim.rule).collect();
    match claims.iter().find(|claim| claim.rule == rule) {
        Some(claim) => Ok(vec![*claim]),
        None => {
            let what = format!("{} has no rule {rule:?}", R::NAME);
            Err(Error::input(what, format_args!("choose one of {}", names.join(", "))))
        }
    }
}

/// Holds the claims against the tables, those of the usual materials being built where they are missing.
pub fn find_out<R: Rules>(
    claims: &[Claim],
    tables: &mut OnDemand<'_, R>,
    session: &Session,
) -> Result<Vec<Findings<R>>, Error> {
    let spoken_of = |material: &Material| claims.iter().any(|claim| claim.speaks_of(*material));
    let mut materials: Vec<Material> = usual_materials().into_iter().filter(spoken_of).collect();
    tables.ensure(&materials)?;
    // Larger tables are taken where they are there.
    for material in Material::all_up_to(MOST_AT_HAND) {
        if !materials.contains(&material) && tables.tablebase().table(material, Metric::Dtw)?.is_some() {
            materials.push(material);
        }
    }
    session.signals.poll();
    let stopped = || session.signals.stopped();
    let mut all = Vec::new();
    for &claim in claims {
        let findings = materials
            .iter()
            .filter(|material| claim.speaks_of(**material))
            .map(|&material| prove(tables.tablebase(), &claim, material, &stopped))
            .collect::<Result<Vec<_>, _>>()?;
        all.push(Findings { claim, findings });
    }
    session.signals.end_at_once();
    Ok(all)
}

/// The names of the claims that are false in some material.
fn refuted<R>(all: &[Findings<R>]) -> Vec<&'static str> {
    let is_false = |f: &&Findings<R>| f.findings.iter().any(|f| matches!(f.verdict, Verdict::False(..)));
    all.iter().filter(is_false).map(|f| f.claim.rule).collect()
}

fn white_to_move<R: Rules>(position: endame::position::Position<R>) -> Fen<R> {
    Fen { position, mover: Colour::White }
}

fn to_json<R: Rules>(claim: &Claim, finding: &Finding<R>) -> ClaimJson {
    let Finding { material, tally, longest, line, too_long, verdict } = finding;
    let longest = longest.map(|longest| {
        let fen = white_to_move(longest.position);
        LongestJson { plies: longest.plies, fen: fen.to_string(), line: line_text(fen, line) }
    });
    let (holds, exceptions, counterexample) = match verdict {
        Verdict::Holds => (Some(true), Some(0), None),
        Verdict::False(count, position) => (Some(false), Some(*count), Some(white_to_move(*position).to_string())),
        Verdict::Open => (None, None, None),
    };
    ClaimJson {
        rule: claim.rule,
        material: material.to_string(),
        positions: tally.positions(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        limit_plies: claim.limit_plies(),
        cut_off: holds.map(|_| *too_long),
        longest,
        holds,
        exceptions,
        counterexample,
    }
}

/// Prints a claim with the numbers behind it.
pub fn show<R: Rules>(findings: &Findings<R>, output: &mut dyn Write) -> Result<(), Error> {
    let Findings { claim, findings } = findings;
    writeln!(output, "{}: {} ({})", claim.rule, claim.says, claim.source)?;
    if findings.is_empty() {
        return Ok(writeln!(output, "  no table at hand that it speaks of\n")?);
    }
    writeln!(
        output,
        "  {:<10} {:>12} {:>12} {:>12} {:>12} {:>8} {:>8}  claim",
        "to move", "positions", "won", "drawn", "lost", "longest", "cut off"
    )?;
    for Finding { material, tally, longest, too_long, verdict, .. } in findings {
        let [positions, won, drawn, lost] = [tally.positions(), tally.wins, tally.draws, tally.losses].map(show_count);
        let longest = longest.map_or_else(|| "-".to_string(), |longest| longest.plies.to_string());
        let (cut_off, holds) = match verdict {
            Verdict::Holds => (show_count(*too_long), "holds".to_string()),
            Verdict::False(count, _) => (show_count(*too_long), format!("false in {}", show_count(*count))),
            Verdict::Open => ("?".to_string(), "open: the count can start afresh".to_string()),
        };
        let material = material.to_string();
        writeln!(
            output,
            "  {material:<10} {positions:>12} {won:>12} {drawn:>12} {lost:>12} {longest:>8} {cut_off:>8}  {holds}"
        )?;
    }
    let longest = findings.iter().filter_map(|f| Some((f.longest?, &f.line))).max_by_key(|(longest, _)| longest.plies);
    if let Some((longest, line)) = longest {
        let fen = white_to_move(longest.position);
        let limit = claim.limit_plies().map_or_else(String::new, |plies| format!(" (limit {plies})"));
        writeln!(output, "  longest, {} plies{limit}: {fen}", longest.plies)?;
        writeln!(output, "{}", show_line(&fen, &line_text(fen, line)))?;
    }
    for Finding { material, verdict, .. } in findings {
        if let Verdict::False(_, position) = verdict {
            writeln!(output, "  not so in {material}: {}", white_to_move(*position))?;
        }
    }
    writeln!(output)?;
    Ok(())
}

fn panels<R: Rules>(all: &[Findings<R>]) -> Vec<Panel> {
    let mut panels = Vec::new();
    for Findings { claim, findings } in all {
        for finding in findings.iter().filter(|finding| !finding.tally.lengths.is_empty()) {
            let lengths = finding.tally.lengths.iter();
            panels.push(Panel {
                title: format!("{} {}: positions won, by plies to the end", claim.rule, finding.material),
                bars: lengths.map(|l| Bar { at: l.plies.into(), count: l.wins + l.losses }).collect(),
                unit: 1,
                scale: Scale::Logarithmic,
                limit: claim.limit_plies().map(|plies| (plies.into(), format!("{plies} plies"))),
            });
        }
    }
    panels
}
