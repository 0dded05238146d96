//! Positions as JSON, one a line: text for people and for programs without a board.

use std::io::{self, Write};

use serde::Serialize;

use crate::dataset::export::row::{Row, sign};
use crate::dataset::replay::Labelled;
use crate::rules::Rules;

/// One position as it is written; everything is seen by its mover.
#[derive(Serialize)]
struct Line {
    /// The number of the game in the run.
    game: u64,
    /// Plies from the start of the game.
    ply: u32,
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
    flags: Vec<&'static str>,
}

/// Writes one line.
///
/// # Errors
/// Where `output` fails.
pub fn write_line<R: Rules>(row: &Row, labelled: &Labelled<R>, output: &mut dyn Write) -> io::Result<()> {
    let line = Line {
        game: row.game,
        ply: row.ply,
        fen: labelled.fen.to_string(),
        played_move: labelled.played_move.map(|mv| labelled.fen.move_text(&mv, &labelled.legal)),
        score: row.score,
        played: row.played.map(sign),
        corrected: row.corrected.map(sign),
        wdl: row.exact.map(|value| 2 * sign(value.wdl)),
        dtw: row.exact.and_then(|value| value.dtw).map(|dtw| dtw.0),
        flags: row.flag_names().collect(),
    };
    serde_json::to_writer(&mut *output, &line)?;
    output.write_all(b"\n")
}
