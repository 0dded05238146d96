//! `endame prove VARIANT [RULE]`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use endame::chart::{Panel, chart};
use endame::index::Material;
use endame::position::{Fen, Move};
use endame::proof::{Claim, Finding, Findings, ProofError, Verdict, prove, report, usual_materials};
use endame::rules::{Colour, Rules};
use endame::tablebase::ProbeError;
use endame::value::Metric;
use endame::with_rules;

use crate::cli::args::Prove;
use crate::cli::counted::counted;
use crate::cli::error::{Error, Kind};
use crate::cli::memory::show_count;
use crate::cli::on_demand::OnDemand;
use crate::cli::query::{changes, show_line};
use crate::cli::{Session, output_file, refuse_json_with, write_json};

/// The most pieces of tables that are looked for beyond the usual ones.
const MOST_AT_HAND: u32 = 6;
/// The most pieces that a rule is looked for in.
const MOST_LOOKED_FOR: u32 = 12;

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
    /// Wins that the rule takes away; `null` where the tables do not decide.
    cut_off: Option<u64>,
    /// Of all wins it speaks of, from 0 to 1.
    share: Option<f64>,
    /// By how many plies the longest win is longer than the rule allows.
    excess_plies: Option<u32>,
    /// The metric of `longest` and `samples`.
    by: &'static str,
    /// Some of the wins that are cut off.
    samples: Vec<WinJson>,
    longest: Option<LongestJson>,
    /// `null` where the tables do not decide.
    holds: Option<bool>,
    /// Positions of which the claim is not true.
    exceptions: Option<u64>,
    /// The first of them, or that of the longest win.
    counterexample: Option<String>,
}

#[derive(Serialize)]
struct WinJson {
    plies: u32,
    fen: String,
    line: Vec<String>,
}

#[derive(Serialize)]
struct LongestJson {
    #[serde(flatten)]
    first: WinJson,
    /// Positions whose win takes as many plies.
    count: u64,
}

/// Prints what the tables say about every claim of the variant, or about one rule.
pub fn run(arguments: &Prove, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => run_for::<R>(arguments, session, output))
}

fn run_for<R: Rules>(arguments: &Prove, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let claims = chosen::<R>(arguments.rule.as_deref())?;
    // What is in the way is told before the work.
    if let Some(path) = &arguments.all {
        refuse_json_with("--all", session)?;
        path.iter().try_for_each(|path| refuse_a_rule::<R>(path))?;
    }
    let page =
        arguments.all.as_ref().map(|path| path.clone().unwrap_or_else(|| format!("endame-{}.html", R::NAME).into()));
    if page.is_some() && page == arguments.plot {
        return Err(Error::input("--plot and --all name one file", "give each its own"));
    }
    for path in arguments.plot.iter().chain(&page) {
        output_file::refuse_to_overwrite(path, arguments.force)?;
    }
    let mut tables = OnDemand::<R>::open(session)?;
    let all = find_out(&claims, &mut tables, session)?;
    if let (Some(rule), [Findings { claim, findings }]) = (&arguments.rule, all.as_slice())
        && findings.is_empty()
    {
        let speaks_of_some = |pieces: &u32| Material::all_with(*pieces).iter().any(|m| claim.speaks_of(*m));
        let least = (2..=MOST_LOOKED_FOR).find(speaks_of_some).unwrap_or(MOST_LOOKED_FOR);
        let what = format!("no table at hand of what {rule} speaks of");
        let remedy = format!("endame build {} --pieces {least} --metric dtw,dtc makes the smallest", R::NAME);
        return Err(Error::new(Kind::TableMissing, what, remedy));
    }
    if let Some(path) = &page {
        output_file::write(path, &report(&all), arguments.force)?;
        writeln!(output, "{} of {} in {}", counted(all.len() as u64, "claim"), R::NAME, path.display())?;
    } else if session.common.json {
        let claims = all.iter().flat_map(|f| f.findings.iter().map(|finding| to_json(&f.claim, finding))).collect();
        write_json(output, &Answer { variant: R::NAME, claims })?;
    } else {
        for findings in &all {
            show(findings, output)?;
        }
    }
    if let Some(path) = &arguments.plot {
        let panels: Vec<Panel> = all.iter().flat_map(Findings::panels).collect();
        output_file::write(path, &chart(&panels), arguments.force)?;
    }
    match refuted(&all).as_slice() {
        [] => Ok(()),
        names => {
            Err(Error::check_failed(format_args!("false: {}; the counterexamples are in the report", names.join(", "))))
        }
    }
}

/// An error where `path`, the page of every claim, is the name of a rule, or all but is: that rule alone was meant.
fn refuse_a_rule<R: Rules>(path: &Path) -> Result<(), Error> {
    let name = path.to_string_lossy();
    match Claim::all::<R>().iter().map(|claim| claim.rule).find(|rule| changes(rule, &name) <= 2) {
        Some(rule) => {
            let what = format!("--all {name}: {rule} is a rule, and --all takes in every one");
            let remedy =
                format!("leave --all out: endame prove {} {rule}; or name a file such as {name}.html", R::NAME);
            Err(Error::input(what, remedy))
        }
        None => Ok(()),
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
            let nearest = names.iter().min_by_key(|name| changes(name, rule)).copied().unwrap_or_default();
            let what = format!("{} has no rule {rule:?}", R::NAME);
            Err(Error::input(what, format_args!("did you mean {nearest}? There are {}", names.join(", "))))
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
    if claims.iter().any(|claim| claim.draw_rule().is_some()) {
        tables.ensure_counts(&materials)?;
    }
    // Larger tables are taken where they are there.
    for material in Material::all_up_to(MOST_AT_HAND) {
        let table = |metric| tables.tablebase().table(material, metric);
        if !materials.contains(&material) && (table(Metric::Dtw)?.is_some() || table(Metric::Dtc)?.is_some()) {
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
            .filter_map(|&material| match prove(tables.tablebase(), &claim, material, &stopped) {
                // A table of conversions is there, but the claim is about the end.
                Err(ProofError::Probe(ProbeError::NoTable { material: missing, .. })) if missing == material => None,
                found => Some(found),
            })
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
    let Finding { material, tally, longest, by, line, cut_off, samples, verdict } = finding;
    let with_line = |plies, position, line: &[Move]| {
        let fen = white_to_move(position);
        WinJson { plies, fen: fen.to_string(), line: fen.line_text(line) }
    };
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
        cut_off: *cut_off,
        share: finding.share(claim),
        excess_plies: finding.excess(claim),
        by: by.name(),
        samples: samples.iter().map(|sample| with_line(sample.plies, sample.position, &sample.line)).collect(),
        longest: longest.map(|longest| LongestJson {
            first: with_line(longest.plies, longest.position, line),
            count: longest.count,
        }),
        holds,
        exceptions,
        counterexample,
    }
}

/// Prints a claim with the numbers behind it.
pub fn show<R: Rules>(findings: &Findings<R>, output: &mut dyn Write) -> Result<(), Error> {
    let Findings { claim, findings: all } = findings;
    writeln!(output, "{}: {} ({})", claim.rule, claim.says, claim.source)?;
    if all.is_empty() {
        return Ok(writeln!(output, "  no table at hand that it speaks of\n")?);
    }
    writeln!(
        output,
        "  {:<10} {:>12} {:>12} {:>12} {:>12} {:>8} {:>8} {:>8}  claim",
        "to move", "positions", "won", "drawn", "lost", "longest", "as long", "cut off"
    )?;
    for finding in all {
        let Finding { material, tally, longest, cut_off, verdict, .. } = finding;
        let [positions, won, drawn, lost] = [tally.positions(), tally.wins, tally.draws, tally.losses].map(show_count);
        let [longest, as_long] = longest.map_or_else(
            || ["-".to_string(), "-".to_string()],
            |longest| [longest.plies.to_string(), show_count(longest.count)],
        );
        let cut_off = cut_off.map_or_else(|| "?".to_string(), show_count);
        let holds = match verdict {
            Verdict::Holds => "holds".to_string(),
            Verdict::False(count, _) => format!("false in {}", show_count(*count)),
            Verdict::Open => "open: the count can start afresh or end, or another is full".to_string(),
        };
        let material = material.to_string();
        writeln!(
            output,
            "  {material:<10} {positions:>12} {won:>12} {drawn:>12} {lost:>12} {longest:>8} {as_long:>8} {cut_off:>8}  \
             {holds}"
        )?;
    }
    writeln!(output, "  {}", findings.summary())?;
    let longest = all.iter().filter_map(|f| Some((f.longest?, f))).max_by_key(|(longest, _)| longest.plies);
    if let Some((longest, finding)) = longest {
        let fen = white_to_move(longest.position);
        let limit = claim.limit_plies().map_or_else(String::new, |plies| format!(" (limit {plies})"));
        let to = if finding.by == Metric::Dtc { " to the next conversion" } else { "" };
        let (plies, positions) = (counted(longest.plies.into(), "ply"), counted(longest.count, "position"));
        writeln!(output, "  longest, {plies}{to}{limit}, {positions} of {}: {fen}", finding.material)?;
        writeln!(output, "{}", show_line(&fen, &fen.line_text(&finding.line)))?;
    }
    for finding in all {
        for sample in &finding.samples {
            let fen = white_to_move(sample.position);
            writeln!(output, "  cut off in {}, {}: {fen}", finding.material, counted(sample.plies.into(), "ply"))?;
            writeln!(output, "{}", show_line(&fen, &fen.line_text(&sample.line)))?;
        }
        if let (Verdict::False(_, position), true) = (&finding.verdict, finding.samples.is_empty()) {
            writeln!(output, "  not so in {}: {}", finding.material, white_to_move(*position))?;
        }
    }
    writeln!(output)?;
    Ok(())
}
