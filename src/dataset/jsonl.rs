//! Positions as JSON, one a line.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::dataset::collection::{Dataset, write_error};
use crate::dataset::error::{DatasetError, Fault};
use crate::dataset::record::Ending;
use crate::dataset::replay::{Labelled, position_hash, replay};
use crate::dataset::summary::Seen;
use crate::dataset::writer::write_new;
use crate::rules::Rules;
use crate::value::Wdl;

/// One position as it is written; everything is seen by its mover.
#[derive(Serialize)]
struct Line<'a> {
    /// The number of the game in the run.
    game: u64,
    /// Plies from the start of the game.
    ply: usize,
    fen: String,
    /// The move played; null in the last position.
    #[serde(rename = "move")]
    played_move: Option<String>,
    /// On the scale of `Score`, hundredths of a man; null where nothing was searched.
    score: Option<i16>,
    /// 1, 0, -1; null for a game stopped without a result.
    played: Option<i8>,
    /// 1, 0, -1; null likewise, where no table knows better.
    corrected: Option<i8>,
    /// 2, 0, -2 as in the answers of `query`; null outside the tables.
    wdl: Option<i8>,
    /// Plies to the end; null for draws and where no table knows.
    dtw: Option<u16>,
    flags: &'a [&'static str],
}

/// Why lines could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The dataset cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The output fails.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// A game cannot be played again.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Dataset {
    /// Writes every position as a line of JSON into the new file `path`, all or nothing; returns how many.
    ///
    /// # Errors
    /// As for [`Dataset::write_jsonl`], [`DatasetError::InTheWay`] and [`DatasetError::Write`].
    pub fn export_jsonl<R: Rules>(&self, path: &Path) -> Result<u64, DatasetError> {
        write_new(path, |out| self.write_jsonl::<R>(out)).map_err(|error| match error {
            ExportError::Dataset(error) => error,
            ExportError::Write(error) => write_error(path, error),
            ExportError::Fault(fault) => unreachable!("a fault is told with its game: {fault}"),
        })
    }

    /// Writes every position as a line of JSON, in order of games and plies; returns how many.
    ///
    /// # Errors
    /// Where the games cannot be read or `output` fails.
    pub fn write_jsonl<R: Rules>(&self, output: &mut dyn Write) -> Result<u64, ExportError> {
        self.expect::<R>()?;
        let mut seen = Seen::default();
        let mut count = 0;
        for record in self.records() {
            let (game, record) = record?;
            let played = replay::<R, ExportError>(&record, |labelled| {
                let is_new = seen.is_new(position_hash(&labelled.fen.position));
                count += 1;
                Ok(write_line(game, &labelled, is_new, output)?)
            });
            played.map_err(|error| match error {
                ExportError::Fault(fault) => DatasetError::Fault { path: self.path_of(game), game, fault }.into(),
                other => other,
            })?;
        }
        Ok(count)
    }
}

fn write_line<R: Rules>(game: u64, labelled: &Labelled<R>, is_new: bool, output: &mut dyn Write) -> io::Result<()> {
    let flags: Vec<&'static str> = [
        ("capture", labelled.is_capture_due()),
        ("only-move", labelled.is_only_move()),
        ("opening", labelled.is_opening),
        ("duplicate", !is_new),
        ("table", labelled.is_after_table_entry),
        ("by-repetition", labelled.ending == Ending::Repetition),
        ("by-count", matches!(labelled.ending, Ending::DrawRule(_))),
        ("by-limit", labelled.ending == Ending::Limit),
    ]
    .into_iter()
    .filter_map(|(name, is_set)| is_set.then_some(name))
    .collect();
    let line = Line {
        game,
        ply: labelled.ply,
        fen: labelled.fen.to_string(),
        played_move: labelled.played_move.map(|mv| labelled.fen.move_text(&mv, &labelled.legal)),
        score: labelled.score.map(|score| score.value()),
        played: labelled.played.map(sign),
        corrected: labelled.corrected.map(sign),
        wdl: labelled.exact.map(|value| 2 * sign(value.wdl)),
        dtw: labelled.exact.and_then(|value| value.dtw).map(|dtw| dtw.0),
        flags: &flags,
    };
    serde_json::to_writer(&mut *output, &line)?;
    output.write_all(b"\n")
}

const fn sign(wdl: Wdl) -> i8 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::Draw => 0,
        Wdl::Win => 1,
    }
}
