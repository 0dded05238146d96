//! `endame search VARIANT [FEN] --depth N | --nodes N | --time S`.

use std::io::Write;
use std::time::{Duration, Instant};

use serde::Serialize;

use endame::engine::{Found, Game, Limits, MaterialEvaluation, Options, Searcher, Tables, TimeLimit};
use endame::position::Fen;
use endame::rules::Rules;
use endame::tablebase::Tablebase;
use endame::value::Wdl;
use endame::with_rules;

use crate::cli::args::{Search, SearchLimits};
use crate::cli::error::{Error, Kind};
use crate::cli::moves::material;
use crate::cli::query::show_line;
use crate::cli::{Session, board, fen, memory, write_json};

/// Bytes of the transposition table, unless `--memory` says otherwise.
const TABLE_BYTES: u64 = 64 << 20;

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    fen: String,
    material: String,
    pieces: u32,
    /// `win`, `draw`, `loss`, or `unknown` where the score is a guess.
    category: &'static str,
    /// In hundredths of a man, for the side to move; null for a win or a loss.
    score: Option<i32>,
    /// Plies to the end of the game, where it is in sight.
    plies: Option<u32>,
    /// Whether a table holds the value of the position.
    exact: bool,
    depth: u32,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

/// Searches a position and prints what it is worth and the best line.
pub fn run(arguments: &Search, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => {
        let fen = arguments.fen.as_deref().map_or_else(|| Ok(Fen::<R>::start()), fen::read)?;
        search(fen, &arguments.limits, session, output)
    })
}

fn search<R: Rules>(
    fen: Fen<R>,
    limits: &SearchLimits,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let tablebase = Tablebase::<R>::open(session.tables()?)?;
    let options = Options { table_bytes: table_bytes(session.common.memory), ..Options::default() };
    let mut searcher = Searcher::new(MaterialEvaluation::of::<R>(), options).with_tables(Tables::new(&tablebase)?);
    let start = Instant::now();
    let now = || start.elapsed();
    let stop = || session.signals.stopped();
    let limits = Limits {
        depth: limits.depth.unwrap_or(Limits::DEEPEST),
        nodes: limits.nodes.unwrap_or(u64::MAX),
        time: limits.time.map(|until| TimeLimit { now: &now, until }),
        stop: Some(&stop),
    };
    session.signals.poll();
    let found = searcher.search(&Game::new(fen), &limits);
    let took = start.elapsed();
    session.signals.end_at_once();
    print(&fen, &found?, took, session, output)?;
    if session.signals.stopped() {
        return Err(Error::new(Kind::Interrupted, "interrupted", "the answer is what had been found by then"));
    }
    Ok(())
}

fn print<R: Rules>(
    fen: &Fen<R>,
    found: &Found,
    took: Duration,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let line = fen.line_text(&found.line);
    let nodes_per_second = found.nodes as f64 / took.as_secs_f64().max(1e-9);
    if session.common.json {
        let answer = Answer {
            variant: R::NAME,
            fen: fen.to_string(),
            material: material(fen),
            pieces: fen.position.occupied().len(),
            category: category(found),
            score: found.score.centi_men(),
            plies: found.score.plies(),
            exact: found.is_exact,
            depth: found.depth,
            line,
            nodes: found.nodes,
            seconds: took.as_secs_f64(),
            nodes_per_second: nodes_per_second.round(),
        };
        return write_json(output, &answer);
    }
    writeln!(output, "{fen}   {}, {} to move\n\n{}", material(fen), fen.mover, board::draw(fen.position, fen.mover))?;
    let basis =
        if found.is_exact { "by the tables".to_string() } else { format!("looking {} plies ahead", found.depth) };
    let score = if category(found) == "draw" { "draw".to_string() } else { found.score.to_string() };
    writeln!(output, "{score} for {}, {basis}", fen.mover)?;
    if !line.is_empty() {
        writeln!(output, "{}", show_line(fen, &line))?;
    }
    let (seconds, speed) = (took.as_secs_f64(), nodes_per_second / 1e6);
    Ok(writeln!(output, "{} nodes in {seconds:.2} s, {speed:.2} million a second", memory::show_count(found.nodes))?)
}

fn category(found: &Found) -> &'static str {
    match (found.score.decided(), found.is_exact) {
        (Some(Wdl::Win), _) => "win",
        (Some(Wdl::Loss), _) => "loss",
        (_, true) => "draw",
        _ => "unknown",
    }
}

/// Half of what may be used, but no more than there is, for the transposition table.
fn table_bytes(asked: Option<u64>) -> usize {
    let bytes = match asked {
        Some(asked) => asked.min(memory::allowed(None, 1).unwrap_or(TABLE_BYTES)) / 2,
        None => TABLE_BYTES,
    };
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
