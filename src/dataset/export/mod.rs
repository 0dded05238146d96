//! Datasets written out for others: which positions, into which files, in which format.
//!
//! An export is one file, or a folder where it is split or cut. Beside the data there are always a card, which says
//! what the fields mean and where they come from, and the SHA-256 of every file. Everything is written under another
//! name and renamed when it is whole; nothing that is there is overwritten.
//!
//! A new format is one file with a writer, and one entry in [`Format`].

mod card;
mod column;
mod files;
mod filter;
mod format;
mod jsonl;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod pdn;
mod row;

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::build::Progress;
use crate::dataset::collection::Dataset;
use crate::dataset::error::{DatasetError, Fault};
use crate::dataset::export::files::Files;
use crate::dataset::record::Record;
use crate::dataset::replay::{Labelled, position_hash, replay};
use crate::dataset::summary::Seen;
use crate::engine::Game;
use crate::rules::Rules;
use crate::value::Wdl;

pub use column::{COLUMNS, Column, Kind};
pub use filter::{Filter, Fraction, Split};
pub use format::{Format, Holds};
pub use row::{FLAGS, Row, RowMove};

/// What is to be written, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// The format.
    pub format: Format,
    /// Which positions.
    pub filter: Filter,
    /// Into which parts, by game.
    pub split: Option<Split>,
    /// How many rows a file holds at most: positions, or games where the format holds games.
    pub shard_rows: Option<u64>,
    /// The seed of the chance in sample and split.
    pub seed: u64,
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exported {
    /// Counts over all files.
    #[serde(flatten)]
    pub counts: Counts,
    /// The files with data, in order.
    pub files: Vec<ExportedFile>,
    /// Parts of the split into which no game fell; they have no file.
    pub empty_parts: Vec<&'static str>,
    /// The first games of the run that the dataset lacks, as first and last.
    pub missing: Option<(u64, u64)>,
}

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExportedFile {
    /// Its name, without its folder.
    pub name: String,
    /// Counts over its rows.
    #[serde(flatten)]
    pub counts: Counts,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Counts over positions; results are the corrected ones, seen by the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Games that have a position here.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Positions with an exact value.
    pub exact: u64,
    /// Positions that stand before in the dataset.
    pub duplicates: u64,
    /// Positions won for their mover.
    pub won: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// Lost positions.
    pub lost: u64,
    /// Positions of games without a result.
    pub unknown: u64,
}

impl Counts {
    fn add(&mut self, row: &Row) {
        self.positions += 1;
        self.exact += u64::from(row.exact.is_some());
        self.duplicates += u64::from(row.is_duplicate());
        *match row.corrected {
            Some(Wdl::Win) => &mut self.won,
            Some(Wdl::Draw) => &mut self.drawn,
            Some(Wdl::Loss) => &mut self.lost,
            None => &mut self.unknown,
        } += 1;
    }

    fn join(&mut self, other: &Counts) {
        self.games += other.games;
        self.positions += other.positions;
        self.exact += other.exact;
        self.duplicates += other.duplicates;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.unknown += other.unknown;
    }
}

/// Takes the positions and games of a dataset, in order.
trait Visitor<R: Rules> {
    /// A position that the filter lets pass.
    fn position(&mut self, row: &Row, labelled: &Labelled<R>) -> Result<(), DatasetError>;
    /// A game, after its positions.
    fn game(&mut self, number: u64, record: &Record, game: &Game<R>) -> Result<(), DatasetError>;
}

impl Dataset {
    /// Writes what `export` asks for to `out`: a new file, or with a split or a number of rows a new folder.
    ///
    /// # Errors
    /// [`DatasetError::InTheWay`] where something is there, [`DatasetError::NothingLeft`] where the filter lets nothing
    /// pass, [`DatasetError::Write`], [`DatasetError::Stopped`], and where the games cannot be read.
    pub fn export<R: Rules>(
        &self,
        export: &Export,
        out: &Path,
        progress: &dyn Progress,
    ) -> Result<Exported, DatasetError> {
        let mut files = Files::<R>::new(export, out)?;
        self.visit(export, &mut files, progress)?;
        files.finish(self.missing(), |exported| card::card::<R>(self.metadata(), export, exported))
    }

    /// Writes the rows of `export` as text, its format being [`Format::Jsonl`] or [`Format::Pdn`], without a card.
    ///
    /// # Errors
    /// [`DatasetError::NothingLeft`], [`DatasetError::Output`] where `output` fails, and where the games cannot be
    /// read.
    ///
    /// # Panics
    /// If the format is not text.
    pub fn write_text<R: Rules>(
        &self,
        export: &Export,
        output: &mut dyn Write,
        progress: &dyn Progress,
    ) -> Result<(), DatasetError> {
        assert!(matches!(export.format, Format::Jsonl | Format::Pdn), "{} is not text", export.format);
        let mut text = Text { format: export.format, output, rows: 0 };
        self.visit::<R>(export, &mut text, progress)?;
        if text.rows == 0 { Err(DatasetError::NothingLeft) } else { Ok(()) }
    }

    fn visit<R: Rules>(
        &self,
        export: &Export,
        visitor: &mut dyn Visitor<R>,
        progress: &dyn Progress,
    ) -> Result<(), DatasetError> {
        self.expect::<R>()?;
        progress.start("export", self.games());
        let mut seen = Seen::default();
        for record in self.records() {
            let (number, record) = record?;
            if progress.stopped() {
                return Err(DatasetError::Stopped);
            }
            let at = |fault| DatasetError::Fault { path: self.path_of(number), game: number, fault };
            let game = replay::<R, Stop>(&record, |labelled| {
                let is_new = seen.is_new(position_hash(&labelled.fen.position));
                let row = Row::new(number, &labelled, is_new);
                if export.filter.takes(&row, export.seed) {
                    visitor.position(&row, &labelled)?;
                }
                Ok(())
            })
            .map_err(|stop| match stop {
                Stop::Fault(fault) => at(fault),
                Stop::Error(error) => error,
            })?;
            visitor.game(number, &record, &game)?;
            progress.advance(1);
        }
        Ok(())
    }
}

/// Rows as text, one after the other.
struct Text<'o> {
    format: Format,
    output: &'o mut dyn Write,
    rows: u64,
}

impl<R: Rules> Visitor<R> for Text<'_> {
    fn position(&mut self, row: &Row, labelled: &Labelled<R>) -> Result<(), DatasetError> {
        self.rows += 1;
        match self.format.holds() {
            Holds::Positions => jsonl::write_line(row, labelled, self.output).map_err(DatasetError::Output),
            Holds::Games => Ok(()),
        }
    }

    fn game(&mut self, number: u64, record: &Record, game: &Game<R>) -> Result<(), DatasetError> {
        match self.format.holds() {
            Holds::Positions => Ok(()),
            Holds::Games => pdn::write_game(number, record, game, self.output).map_err(DatasetError::Output),
        }
    }
}

/// Why a game was not visited to its end.
enum Stop {
    Fault(Fault),
    Error(DatasetError),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

impl From<DatasetError> for Stop {
    fn from(error: DatasetError) -> Self {
        Stop::Error(error)
    }
}
