//! The arguments of every command.

mod dataset;
mod variants;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use endame::dataset::AtLimit;
use endame::engine::Limits;
use endame::rules::Variant;
use endame::selfplay::Share;
use endame::value::Metric;

pub use dataset::{DatasetCommand, Export, Import};

use self::variants::variants;
use crate::cli::memory;
use crate::cli::query::Count;

/// Solves draughts endgames completely, proves what the draw rules claim about them, and answers any position.
#[derive(Parser, Debug)]
#[command(name = "endame", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "\
Examples:
  endame demo                                     see what the program does, in a minute
  endame query international W:WK12,K44:BK1       the value of a position and of every move
  endame build english --pieces 4                 all endgames of up to four pieces
  endame prove russian                            what each draw rule changes

Exit codes: 0 done, 1 a check failed, 2 bad input, 3 a table is missing, 4 memory or disk do not suffice,
5 a file is damaged, 130 interrupted.";

/// Options that every command takes, even where one changes nothing.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Folder of the tables [default: $ENDAME_TABLES, else the user's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Number of threads [default: one a processor]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Most memory to use, such as 8G or 512M [default: what is free]
    #[arg(long, global = true, value_name = "SIZE", value_parser = memory::parse_size)]
    pub memory: Option<u64>,
    /// Answer as JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Solve endgames and store them as tables
    #[command(after_help = "\
Examples:
  endame build english --pieces 4
  endame build international --material KKKvK,KKMvK --metric wdl,dtw
  endame build russian --pieces 5 --memory 2G --threads 4
  endame build english --pieces 5 --report build.json     what each slice took: seconds by phase, bytes, memory

A build that is interrupted goes on when the command is repeated: tables that are there stay, and
what the missing ones lead to is solved again, but not written.")]
    Build(BuildTables),
    /// Show what a build would do: slices in order, memory, disk, time
    #[command(after_help = "Example:\n  endame plan english --pieces 6 --json")]
    Plan(Build),
    /// What builds took, from files of 'build --report': every pair of slices, the largest first
    #[command(after_help = "\
Examples:
  endame report build.json
  endame report english.json russian.json --plot speed.svg

Captures, advances and reversible moves are seconds of all threads together, the others by the clock. Positions a second
are those of solving and turning; compressing and writing are no part of them. Memory is the most that the build had had
by then.")]
    Report(Reports),
    /// The value of a position and of every legal move
    #[command(after_help = "\
Examples:
  endame query english W:WK19,23:BK28,12 --line
  endame query russian 'W:WKc7,Kd4:BKg1' --json
  endame query international - < positions.txt      one FEN a line, one JSON object a line
  endame query international W:WK12,K44:BK1 --count 4

Values take in the draw rules that count moves where there are tables of outcomes ('build --metric outcome'), and are
those of the board elsewhere; repetitions are no part of them.
Endgames of up to four pieces are solved on the spot where their tables are not there.")]
    Query(Query),
    /// Positions, wins, draws, losses and longest wins of a material
    #[command(after_help = "Example:\n  endame stats international KKMvK")]
    Stats(Stats),
    /// The longest win of every material at hand, with its line; by dtc also losses that are longer
    #[command(after_help = "\
Examples:
  endame records international
  endame records english --pieces 3 --json
  endame records russian --pdn > records.pdn")]
    Records(Records),
    /// What each draw rule changes: every claim with the numbers behind it
    #[command(after_help = "\
Examples:
  endame prove international
  endame prove russian main-road --json
  endame prove english --plot claims.svg
  endame prove international --all                  everything as a page, endame-international.html

A rule is held against the tables of outcomes where one rule alone decides, else against the
distance to the end, or to the next conversion where that sets the count back. Each rule is held by
itself: the counts of the others are ignored, except where up to 2,000 wins longer than the count are
played out, under all counts.
Exit code 0 when no claim is false, 1 when one is. A claim that the tables do not decide is open (in
JSON 'holds' is null), and an open claim does not change the exit code.")]
    Prove(Prove),
    /// Check tables against the rules, by code that the solver does not use
    #[command(after_help = "\
Examples:
  endame verify english
  endame verify international --material KKMvKM --sample 100000

A position of a sample takes forty times as long as one of a full check, which needs more memory.")]
    Verify(Verify),
    /// Look ahead for the best move, with tables where they reach
    #[command(after_help = "\
Examples:
  endame search international W:W31-50:B1-20 --depth 14
  endame search russian 'W:Wc3,d2,Ke1:Bf6,g7,h8' --nodes 1000000 --json
  endame search english --time 2.5                  from the start position

The score is for the side to move, in men: +1.00 is a man more. A win or a loss is shown with its plies where it was
seen to the end or a table gives it. Repetition and the draw rules are played as in a game that begins here.")]
    Search(Search),
    /// Play games against itself, in parallel, and label every position
    #[command(after_help = "\
Examples:
  endame selfplay international --games 10000 --seed 1 --out games --depth 6
  endame selfplay russian --games 100000 --seed 2 --out endings --openings material:KKMvKM --play-on
  endame selfplay english --games 50000 --seed 3 --out part1 --shard 1/4       one of four machines

A game depends on rules, tables, settings, seed and its number alone. A run that is interrupted goes on where it stopped
when the command is repeated; 'dataset merge' joins the parts of several machines.")]
    Selfplay(Selfplay),
    /// Look into the games of self-play, check, join and export them
    #[command(subcommand)]
    Dataset(DatasetCommand),
    /// The legal moves of a position
    #[command(after_help = "Example:\n  endame moves international B:W14,19,31,38:BK47")]
    Moves(Moves),
    /// The number of move sequences of every length up to a depth
    #[command(after_help = "\
Examples:
  endame perft international --depth 8
  endame perft turkish W:WKa1,c3:Bd5,Kh8 --depth 5")]
    Perft(Perft),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  endame completions bash > ~/.local/share/bash-completion/completions/endame")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Solve small endgames, prove the draw rules, answer three positions and play labelled games, in about a minute
    Demo {
        /// The variant
        #[arg(default_value = "international", value_parser = variants())]
        variant: Variant,
    },
}

/// Arguments of `build`.
#[derive(Args, Debug)]
pub struct BuildTables {
    /// What to build.
    #[command(flatten)]
    pub build: Build,
    /// Write what each pair of slices took into FILE, as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write over the file of --report
    #[arg(long, requires = "report")]
    pub force: bool,
}

/// What to build, or to plan.
#[derive(Args, Debug)]
pub struct Build {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// What to build.
    #[command(flatten)]
    pub selection: Selection,
    /// What the tables hold
    #[arg(long, value_delimiter = ',', default_value = "wdl", value_parser = metrics())]
    pub metric: Vec<Metric>,
}

/// Which materials.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct Selection {
    /// Every material of 2 to N pieces in all, each side having one at least
    #[arg(long, value_name = "N")]
    pub pieces: Option<u32>,
    /// These materials, such as KKMvK, with their twins and whatever they lead to
    #[arg(long, value_name = "MATERIAL", value_delimiter = ',')]
    pub material: Vec<String>,
}

/// Arguments of `report`.
#[derive(Args, Debug)]
pub struct Reports {
    /// Files that 'build --report' has written
    #[arg(required = true, value_name = "FILE.json")]
    pub files: Vec<PathBuf>,
    /// Draw speed and memory against the size of the slices, as an SVG file, beside the answer
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Write over the file of --plot
    #[arg(long, requires = "plot")]
    pub force: bool,
}

/// Arguments of `query`.
#[derive(Args, Debug)]
pub struct Query {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// The position as FEN, or - to read one a line from the standard input
    pub fen: OsString,
    /// Add the best line to the end of the game
    #[arg(long)]
    pub line: bool,
    /// Plies that the draw rule which decides has counted already, or those of rules by name; needs tables of outcomes
    #[arg(long, value_name = "N|RULE=N,..", allow_negative_numbers = true, value_parser = str::parse::<Count>)]
    pub count: Option<Count>,
}

/// Arguments of `stats`.
#[derive(Args, Debug)]
pub struct Stats {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// The material, the side to move first, such as KKvK
    pub material: String,
}

/// Arguments of `records`.
#[derive(Args, Debug)]
pub struct Records {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// The most pieces
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=12))]
    pub pieces: u32,
    /// Write the lines as games in PDN
    #[arg(long)]
    pub pdn: bool,
}

/// Arguments of `prove`.
#[derive(Args, Debug)]
pub struct Prove {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// One rule by its name [default: all of them]
    pub rule: Option<String>,
    /// Draw the lengths of the wins as an SVG file, beside the answer
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Write every claim, with the pictures, as one page that a browser opens [default file: endame-VARIANT.html]
    #[arg(long, value_name = "FILE.html", num_args = 0..=1, conflicts_with = "rule")]
    pub all: Option<Option<PathBuf>>,
    /// Write over a file that is there
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// Only the tables of these materials
    #[arg(long, value_name = "MATERIAL", value_delimiter = ',')]
    pub material: Vec<String>,
    /// Check so many positions of each table, drawn by a fixed seed, instead of every one; those with a capture due
    /// hold no value of their own and are passed over
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
}

/// Arguments of `search`.
#[derive(Args, Debug)]
pub struct Search {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// The position as FEN [default: the start position]
    pub fen: Option<OsString>,
    /// When to end.
    #[command(flatten)]
    pub limits: SearchLimits,
}

/// When a search ends: the first limit that is reached counts.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub struct SearchLimits {
    /// Look so many plies ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=Limits::DEEPEST.into()))]
    pub depth: Option<u32>,
    /// Look at so many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Take so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
}

/// Arguments of `selfplay`.
#[derive(Args, Debug)]
pub struct Selfplay {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// Games of the whole run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Seed of the run [default: a fresh one, which is printed]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Folder for the games, new or of the same run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Look so many plies ahead; 0 plays at random [default: 4]
    #[arg(long, value_name = "D", conflicts_with = "nodes",
        value_parser = clap::value_parser!(u32).range(0..=Limits::DEEPEST.into()))]
    pub depth: Option<u32>,
    /// Look at so many positions a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// random:K quiet plies (captures come on top), material:KKMvKM[,..], ballots (English), or a file with a position
    /// or moves a line; +random:K after the last two adds random plies, so that a short list gives many games
    #[arg(long, value_name = "OPENINGS", default_value = "random:8")]
    pub openings: OsString,
    /// Play on where a game enters the tables, instead of ending there
    #[arg(long)]
    pub play_on: bool,
    /// Stop a game after so many plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_plies: u32,
    /// How a game counts that was stopped: unknown, by material, or by the children's counting (pieces, then kings)
    #[arg(long, value_name = "HOW", default_value = "unknown", value_parser = scorings())]
    pub at_limit: AtLimit,
    /// Play part I of N: every Nth shard
    #[arg(long, value_name = "I/N", value_parser = share)]
    pub shard: Option<Share>,
}

/// Arguments of `moves`.
#[derive(Args, Debug)]
pub struct Moves {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// The position as FEN
    pub fen: OsString,
}

/// Arguments of `perft`.
#[derive(Args, Debug)]
pub struct Perft {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// The position as FEN [default: the start position]
    pub fen: Option<OsString>,
    /// The longest sequence to count, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: u32,
    /// Play the last ply too, instead of counting its moves: slower, the same counts
    #[arg(long)]
    pub make_leaves: bool,
}

/// Reads a number of seconds above 0, with or without a fraction.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .filter(|&seconds| seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds above 0, such as 2.5".to_string())
}

/// Reads a scoring by name.
fn scorings() -> impl TypedValueParser<Value = AtLimit> {
    PossibleValuesParser::new(AtLimit::ALL.iter().map(|how| how.name())).map(|name| {
        let named = AtLimit::ALL.iter().copied().find(|how| how.name() == name);
        named.expect("only names of the list are accepted")
    })
}

/// Reads a part of a run, `2/3`.
fn share(text: &str) -> Result<Share, String> {
    let (part, parts) = text.split_once('/').ok_or("expected a part and the number of parts, such as 2/3")?;
    match (part.parse::<u64>(), parts.parse::<u64>()) {
        (Ok(part), Ok(parts)) if (1..=parts).contains(&part) => Ok(Share { part: part - 1, parts }),
        _ => Err("expected a part and the number of parts, from 1/N to N/N".to_string()),
    }
}

/// Reads a metric by name.
fn metrics() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(Metric::BUILT.iter().map(|m| m.name())).try_map(|name| name.parse::<Metric>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_takes_every_common_option() {
        let commands: &[&[&str]] = &[
            &["build", "english", "--pieces", "3"],
            &["plan", "english", "--pieces", "3"],
            &["report", "build.json"],
            &["query", "english", "-"],
            &["stats", "english", "KvK"],
            &["prove", "english"],
            &["records", "english"],
            &["verify", "english"],
            &["search", "english", "--depth", "3"],
            &["selfplay", "english", "--games", "3", "--out", "d"],
            &["dataset", "info", "d"],
            &["dataset", "export", "d", "--format", "jsonl", "--out", "f"],
            &["moves", "english", "W:WK1:BK32"],
            &["perft", "english", "--depth", "3"],
            &["completions", "bash"],
            &["demo"],
        ];
        for command in commands {
            let common = ["--tables", "t", "--threads", "2", "--memory", "1G", "--json"];
            let arguments = ["endame"].iter().chain(*command).chain(&common);
            let cli = Cli::try_parse_from(arguments).unwrap_or_else(|e| panic!("{command:?}: {e}"));
            assert!(cli.common.json && cli.common.threads == Some(2) && cli.common.memory == Some(1 << 30));
        }
    }
}
