//! `endame selfplay VARIANT --games N --seed S --out DIR`.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{Instant, SystemTime};

use serde::Serialize;

use endame::dataset::{Player, Settings, Summary, run_in, shard_games};
use endame::engine::Tables;
use endame::rules::Rules;
use endame::selfplay::{Conditions, Openings, Share, run as play};
use endame::tablebase::Tablebase;
use endame::with_rules;

use crate::cli::args::Selfplay;
use crate::cli::counted::counted;
use crate::cli::error::Error;
use crate::cli::memory::show_count;
use crate::cli::progress::progress;
use crate::cli::{Session, dataset, write_json};

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    seed: u64,
    table_pieces: u32,
    folder: String,
    #[serde(flatten)]
    summary: Summary,
}

/// Plays what is missing of a run and prints what it holds.
pub fn run(arguments: &Selfplay, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => run_for::<R>(arguments, session, output))
}

fn run_for<R: Rules>(arguments: &Selfplay, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let openings = openings::<R>(&arguments.openings)?;
    let player = match (arguments.nodes, arguments.depth) {
        (Some(nodes), _) => Player::Nodes(nodes),
        (None, depth) => Player::Depth(depth.unwrap_or(4)),
    };
    let settings = Settings {
        openings: openings.name().to_string(),
        player,
        play_on: arguments.play_on,
        max_plies: arguments.max_plies,
        at_limit: arguments.at_limit,
    };
    let tablebase = Tablebase::<R>::open(session.tables()?)?;
    let tables = Tables::new(&tablebase)?;
    let seed = match (arguments.seed, run_in(&arguments.out)?) {
        (Some(seed), _) => seed,
        // A run that goes on, without having been told its seed.
        (None, Some(metadata)) => metadata.seed,
        (None, None) => fresh_seed(),
    };
    let share = arguments.shard.unwrap_or(Share::ALL);
    hint::<R>(arguments, &openings, tables.most_pieces(), share, player);
    let conditions = Conditions { openings: &openings, settings, seed, tables };
    let progress = progress(&session.signals);
    let start = Instant::now();
    let summary = play(&conditions, arguments.games, share, &arguments.out, &*progress)?;
    drop(progress);
    log(arguments, &summary, start.elapsed().as_secs_f64());
    let folder = arguments.out.display().to_string();
    let table_pieces = tables.most_pieces();
    if session.common.json {
        return write_json(output, &Answer { variant: R::NAME, seed, table_pieces, folder, summary });
    }
    match table_pieces {
        0 => writeln!(output, "{} games of seed {seed} in {folder}, without tables", R::NAME)?,
        pieces => writeln!(output, "{} games of seed {seed} in {folder}, tables of {pieces} pieces", R::NAME)?,
    }
    dataset::print_summary(&summary, output)
}

/// Says on the standard error what somebody may not have meant.
fn hint<R: Rules>(arguments: &Selfplay, openings: &Openings<R>, table_pieces: u32, share: Share, player: Player) {
    if table_pieces == 0 {
        eprintln!("no tables: no value will be exact; endame build {} --pieces 4 makes some", R::NAME);
    }
    // Random moves make different games of one opening.
    if let Some(different) = openings.different().filter(|&n| n < arguments.games && player != Player::Depth(0)) {
        let (games, openings) = (counted(arguments.games, "game"), counted(different, "opening"));
        eprintln!("{games} from {openings}: games will repeat; add +random:4 to the openings");
    }
    let shards = arguments.games.div_ceil(shard_games(player));
    if share.part >= shards {
        let (part, parts) = (share.part + 1, share.parts);
        eprintln!("part {part} of {parts} has nothing to play: the run has only {}", counted(shards, "shard"));
    }
}

/// The openings that `name` stands for: a known word, or a file of lines.
pub fn openings<R: Rules>(name: &OsStr) -> Result<Openings<R>, Error> {
    let read = |list: &Path| {
        let remedy = "give random:K, material:KKMvKM, ballots or a file with a position or moves a line";
        let wrong = |error: &dyn Display| Error::input(format!("{}: {error}", list.display()), remedy);
        let content = fs::read_to_string(list).map_err(|error| wrong(&error))?;
        Openings::list(&content).map_err(|error| wrong(&error))
    };
    match name.to_str() {
        Some(name) => Openings::named(name, |list| read(Path::new(list))),
        None => read(Path::new(name)),
    }
}

/// A seed that no run before had, as far as the clock can tell.
fn fresh_seed() -> u64 {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    time.as_nanos() as u64 ^ u64::from(std::process::id()) << 32
}

/// Notes time and threads beside the games; nobody needs to know if that fails.
fn log(arguments: &Selfplay, summary: &Summary, seconds: f64) {
    let path = arguments.out.join("selfplay.log");
    let threads = rayon::current_num_threads();
    let rate = (summary.positions as f64 / seconds.max(1e-9)) as u64;
    let line = format!(
        "{}, {}, those found there included; {}, {seconds:.1} s, {} positions a second\n",
        counted(summary.games, "game"),
        counted(summary.positions, "position"),
        counted(threads as u64, "thread"),
        show_count(rate)
    );
    let _ =
        OpenOptions::new().create(true).append(true).open(path).and_then(|mut file| file.write_all(line.as_bytes()));
}
