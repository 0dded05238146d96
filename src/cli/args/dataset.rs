//! The arguments of `dataset`.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use endame::dataset::export::{Format, Fraction, Split};
use endame::rules::Variant;

use super::variants;

/// The commands of `dataset`.
#[derive(Subcommand, Debug)]
pub enum DatasetCommand {
    /// Games, positions, results, share of exact labels, duplicates, histograms
    #[command(
        after_help = "Examples:\n  endame dataset info games --svg games.svg\n  endame dataset info games --json"
    )]
    Info {
        /// Folders or archives of one run
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Draw the histograms too, into a new file
        #[arg(long, value_name = "FILE.svg")]
        svg: Option<PathBuf>,
    },
    /// Play every game again and compare every label with rules and tables
    #[command(after_help = "\
Example:
  endame dataset verify games
  endame dataset verify games --replay 1%           the scores too, of every hundredth game

Scores come from searches: only --replay checks them, and whether a game is the one that seed and number make. Exit code 0 when there is no fault, 1 with the first one, 3 where a table is missing that the labels come from.")]
    Verify {
        /// Folders or archives of one run
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Have the engine play this share of the games again too, and compare every move and score [default share: 1]
        #[arg(long, value_name = "SHARE", num_args = 0..=1, value_parser = fraction)]
        replay: Option<Option<Fraction>>,
        /// For --replay: the file of openings, where the run has a list of them
        #[arg(long, value_name = "FILE", requires = "replay")]
        openings: Option<OsString>,
    },
    /// Join all games of a run into one archive
    #[command(after_help = "Example:\n  endame dataset merge part1 part2 part3 --out all.games")]
    Merge {
        /// Folders or archives of one run
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// The archive to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write positions or games for other programs, with a card and checksums
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(Export),
    /// Read games from PDN files and label them like our own
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(Import),
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  endame dataset export games --format parquet --out positions.parquet
  endame dataset export games --format npy --quiet --no-duplicates --split 90/5/5 --out learn
  endame dataset export games --format jsonl --pieces 2-6 --sample 0.1 --out -
  endame dataset export games --format pdn --out games.pdn

With --split or --shard-rows, --out is a folder with card.md and SHA256SUMS; else a file, and these stand beside it.";

const IMPORT_EXAMPLES: &str = "\
Examples:
  endame dataset import international tournament.pdn --out games
  endame dataset export games --format parquet --out positions.parquet

A game that cannot be read is named with its line and left out; the others are read, and the exit code is 2.";

/// Arguments of `dataset export`.
#[derive(Args, Debug)]
pub struct Export {
    /// Folders or archives of one run
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// The format
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub format: Format,
    /// The file or folder to write; - for the standard output (jsonl and pdn)
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Only positions in which no capture is due
    #[arg(long)]
    pub quiet: bool,
    /// Only the first of positions that stand several times in the dataset
    #[arg(long)]
    pub no_duplicates: bool,
    /// Without the positions whose move belongs to the opening
    #[arg(long)]
    pub no_opening: bool,
    /// Only positions whose value the tables know
    #[arg(long)]
    pub exact: bool,
    /// Only positions of so many pieces, such as 5-12 or 8
    #[arg(long, value_name = "LEAST-MOST", value_parser = pieces)]
    pub pieces: Option<RangeInclusive<u32>>,
    /// Only this share of the positions, by chance: 0.1 or 10%
    #[arg(long, value_name = "SHARE", value_parser = fraction)]
    pub sample: Option<Fraction>,
    /// Split by whole games into train, validation and test (or the first two), by chance, with these weights
    #[arg(long, value_name = "A/B[/C]", value_parser = split)]
    pub split: Option<Split>,
    /// Cut into files of so many rows: positions, or games for pdn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub shard_rows: Option<u64>,
    /// Seed of the chance in --sample and --split
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

/// Arguments of `dataset import`.
#[derive(Args, Debug)]
pub struct Import {
    /// The variant
    #[arg(value_parser = variants())]
    pub variant: Variant,
    /// PDN files; - for the standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Folder for the games, which must not be there yet
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Reads a format by name.
fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name())).map(|name| {
        let named = Format::ALL.iter().copied().find(|format| format.name() == name);
        named.expect("only names of the list are accepted")
    })
}

/// Reads a range of pieces, `5-12`.
fn pieces(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        _ => Err("expected a number of pieces or two, the smaller first, such as 5-12".to_string()),
    }
}

/// Reads a share, `0.1` or `10%`.
fn fraction(text: &str) -> Result<Fraction, String> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    share.ok().and_then(Fraction::new).ok_or_else(|| "expected a share above 0 and at most 1, or percent".to_string())
}

/// Reads the weights of a split, `90/5/5`.
fn split(text: &str) -> Result<Split, String> {
    let weights: Result<Vec<u32>, _> = text.split('/').map(str::parse).collect();
    let split = weights.ok().and_then(|weights| Split::new(&weights));
    split.ok_or_else(|| "expected two or three whole numbers above 0, such as 90/5/5".to_string())
}
