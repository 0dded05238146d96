//! Whole games in Portable Draughts Notation.

use std::io::{self, Write};

use crate::dataset::record::Record;
use crate::engine::Game;
use crate::pdn::{PdnGame, PdnResult};
use crate::rules::Rules;
use crate::value::Wdl;

/// Writes game `number` of the run, with the result as played; the result corrected by the tables is a tag where it is
/// another.
///
/// # Errors
/// Where `output` fails.
pub fn write_game<R: Rules>(number: u64, record: &Record, game: &Game<R>, output: &mut dyn Write) -> io::Result<()> {
    let result = |wdl: Option<Wdl>| match wdl {
        None => PdnResult::unknown(),
        Some(Wdl::Draw) => PdnResult::decided::<R>(None),
        Some(Wdl::Win) => PdnResult::decided::<R>(Some(game.start().mover)),
        Some(Wdl::Loss) => PdnResult::decided::<R>(Some(game.start().mover.other())),
    };
    let mut written = PdnGame::new(game.start(), game.moves().to_vec());
    written.result = result(record.played);
    let tag = |name: &str, value: String| (name.to_string(), value);
    written.tags =
        vec![tag("Round", (number + 1).to_string()), tag("Termination", record.ending.name::<R>().to_string())];
    if record.corrected != record.played {
        written.tags.push(tag("Corrected", result(record.corrected).text().to_string()));
    }
    write!(output, "{written}")
}
