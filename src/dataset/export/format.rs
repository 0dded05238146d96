//! The formats that there are.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter};

use crate::dataset::export::jsonl::write_line;
use crate::dataset::export::npy::NpyWriter;
#[cfg(feature = "parquet")]
use crate::dataset::export::parquet::ParquetWriter;
use crate::dataset::export::pdn::write_game;
use crate::dataset::export::row::Row;
use crate::dataset::record::Record;
use crate::dataset::replay::Labelled;
use crate::engine::Game;
use crate::rules::Rules;

/// How positions or games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Columns of integers, compressed, for pandas, DuckDB and their like.
    #[cfg(feature = "parquet")]
    Parquet,
    /// A structured array for NumPy, to be mapped into memory.
    Npy,
    /// Whole games in Portable Draughts Notation.
    Pdn,
    /// A line of JSON a position, with FEN and move as text.
    Jsonl,
}

/// What a format is a list of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// Positions, as many as the filter lets pass.
    Positions,
    /// Whole games: filters of positions do not apply.
    Games,
}

impl Format {
    /// Every format of this build.
    pub const ALL: &'static [Format] = &[
        #[cfg(feature = "parquet")]
        Format::Parquet,
        Format::Npy,
        Format::Pdn,
        Format::Jsonl,
    ];

    /// Its name, which is also the ending of its files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "parquet")]
            Format::Parquet => "parquet",
            Format::Npy => "npy",
            Format::Pdn => "pdn",
            Format::Jsonl => "jsonl",
        }
    }

    /// What it is a list of.
    #[must_use]
    pub const fn holds(self) -> Holds {
        match self {
            Format::Pdn => Holds::Games,
            _ => Holds::Positions,
        }
    }

    /// A line or two of Python that open a file of this format.
    #[must_use]
    pub fn opens_in_python(self, file: &str) -> String {
        match self {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                format!("import pandas; rows = pandas.read_parquet(\"{file}\", dtype_backend=\"pyarrow\")")
            }
            Format::Npy => format!("import numpy; rows = numpy.load(\"{file}\", mmap_mode=\"r\")"),
            Format::Pdn => format!("games = open(\"{file}\", encoding=\"utf-8\").read()"),
            Format::Jsonl => format!("import pandas; rows = pandas.read_json(\"{file}\", lines=True)"),
        }
    }

    /// Begins a file of this format.
    pub(super) fn begin<R: Rules>(self, file: File) -> io::Result<Box<dyn Sink<R>>> {
        let out = BufWriter::with_capacity(1 << 18, file);
        Ok(match self {
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(ParquetWriter::new(out)?),
            Format::Npy => Box::new(NpyWriter::new(out)?),
            Format::Pdn => Box::new(GamesSink(out)),
            Format::Jsonl => Box::new(LinesSink(out)),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A file that is being written.
pub(super) trait Sink<R: Rules> {
    /// Adds a position, where the format holds positions.
    fn position(&mut self, row: &Row, labelled: &Labelled<R>) -> io::Result<()>;
    /// Adds a game, where the format holds games.
    fn game(&mut self, _number: u64, _record: &Record, _game: &Game<R>) -> io::Result<()> {
        Ok(())
    }
    /// Ends the file; everything is written then.
    fn finish(self: Box<Self>) -> io::Result<File>;
}

type Out = BufWriter<File>;

fn file_of(out: Out) -> io::Result<File> {
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

#[cfg(feature = "parquet")]
impl<R: Rules> Sink<R> for ParquetWriter<Out> {
    fn position(&mut self, row: &Row, _: &Labelled<R>) -> io::Result<()> {
        self.push(row)
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        file_of(ParquetWriter::finish(*self)?)
    }
}

impl<R: Rules> Sink<R> for NpyWriter<Out> {
    fn position(&mut self, row: &Row, _: &Labelled<R>) -> io::Result<()> {
        self.push(row)
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        file_of(NpyWriter::finish(*self)?)
    }
}

struct LinesSink(Out);

impl<R: Rules> Sink<R> for LinesSink {
    fn position(&mut self, row: &Row, labelled: &Labelled<R>) -> io::Result<()> {
        write_line(row, labelled, &mut self.0)
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        file_of(self.0)
    }
}

struct GamesSink(Out);

impl<R: Rules> Sink<R> for GamesSink {
    fn position(&mut self, _: &Row, _: &Labelled<R>) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, number: u64, record: &Record, game: &Game<R>) -> io::Result<()> {
        write_game(number, record, game, &mut self.0)
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        file_of(self.0)
    }
}
