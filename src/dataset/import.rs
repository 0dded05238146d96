//! Games of others: read from PDN and labelled like our own.
//!
//! A game that cannot be read, or whose moves are not legal, is refused by itself; the others are numbered in the order
//! of the files. The result as played is the one that the file states, unless the last position says it: there the
//! rules have the word. Nothing was searched, so there are no scores.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::build::Progress;
use crate::dataset::check::{ending_of_read, exact_value, move_place, result};
use crate::dataset::error::DatasetError;
use crate::dataset::metadata::{AtLimit, EDITION, Metadata, Player, Settings, hash_text, program, table_hashes};
use crate::dataset::new_file::write_error;
use crate::dataset::record::{Ending, Record, Start, seen_at};
use crate::dataset::staging::Staging;
use crate::dataset::summary::Summary;
use crate::dataset::writer::write_run;
use crate::engine::Game;
use crate::pdn::{PdnError, PdnGame, PdnOutcome, PdnReader};
use crate::position::Fen;
use crate::rules::Rules;
use crate::tablebase::{ProbeError, Tablebase};
use crate::value::Wdl;

/// What became of the games of some files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// The games that were read.
    pub summary: Summary,
    /// What is to be said of others, or of how a game was read, in order of the files.
    pub remarks: Vec<Remark>,
}

/// Something to know about a game of a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Remark {
    /// The game is not among those read.
    #[error("{}: {error}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why, with line and token.
        error: PdnError,
    },
    /// The game was read, but its result is not clear.
    #[error("{}: line {line}: {what}", path.display())]
    Result {
        /// The file.
        path: PathBuf,
        /// The line of the result, or where the game begins, from 1.
        line: usize,
        /// What is not clear, and what was taken.
        what: String,
    },
}

impl Remark {
    /// Whether a game was left out.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        matches!(self, Remark::Refused { .. })
    }
}

/// Reads the games of `files`, each with its content, labels them by the tables of up to `table_pieces` pieces and
/// writes them as a run into the new folder `folder`.
///
/// Without a game that can be read nothing is written.
///
/// # Errors
/// [`DatasetError::InTheWay`], [`DatasetError::Write`], [`DatasetError::Probe`], [`DatasetError::Stopped`].
pub fn import<R: Rules>(
    files: &[(PathBuf, Vec<u8>)],
    tables: &Tablebase<R>,
    table_pieces: u32,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Imported, DatasetError> {
    // What is in the way is told before the work.
    let staging = Staging::new(folder).map_err(|error| write_error(folder, error))?;
    let (mut games, mut remarks, mut held) = (Vec::new(), Vec::new(), 0);
    for (path, content) in files {
        for game in PdnReader::<R>::new(content) {
            held += 1;
            match game {
                // A forfeit, or a name without a game: there is nothing to label.
                Ok(game) if game.moves.is_empty() && game.start == Fen::start() => remarks.push(Remark::Result {
                    path: path.clone(),
                    line: game.line,
                    what: "no move and no position: left out".to_string(),
                }),
                Ok(game) => {
                    remarks.extend(doubt(&game).map(|what| Remark::Result {
                        path: path.clone(),
                        line: if game.result_line > 0 { game.result_line } else { game.line },
                        what,
                    }));
                    games.push(game);
                }
                Err(error) => remarks.push(Remark::Refused { path: path.clone(), error }),
            }
            if progress.stopped() {
                return Err(DatasetError::Stopped);
            }
        }
    }
    let mut imported = Imported { summary: Summary::default(), remarks };
    if games.is_empty() {
        return Ok(imported);
    }
    let content: Vec<u8> = files.iter().flat_map(|(_, content)| content).copied().collect();
    let metadata = Metadata {
        variant: R::NAME.to_string(),
        facts: hash_text(R::facts_hash()),
        seed: 0,
        run_games: games.len() as u64,
        settings: Settings {
            openings: format!("pdn:{}", hash_text(xxh3_64(&content))),
            player: Player::Read(held),
            play_on: true,
            max_plies: u32::MAX,
            at_limit: AtLimit::Unknown,
        },
        program: program(),
        edition: EDITION,
        table_pieces,
        tables: table_hashes(tables, table_pieces)?,
        shard: 0,
        shards: 1,
    };
    progress.start("label", games.len() as u64);
    let records: Vec<Result<Record, DatasetError>> = games
        .into_par_iter()
        .map(|game| {
            if progress.stopped() {
                return Err(DatasetError::Stopped);
            }
            let record = record(&game, tables, table_pieces, &metadata.settings)?;
            progress.advance(1);
            Ok(record)
        })
        .collect();
    let records: Vec<Record> = records.into_iter().collect::<Result<_, _>>()?;
    records.iter().for_each(|record| imported.summary.add::<R>(record));
    write_run(staging, folder, &metadata, records)?;
    Ok(imported)
}

/// The game with its labels.
fn record<R: Rules>(
    read: &PdnGame<R>,
    tables: &Tablebase<R>,
    table_pieces: u32,
    settings: &Settings,
) -> Result<Record, ProbeError> {
    let mut game = Game::new(read.start);
    let (mut moves, mut exact, mut legal) = (Vec::new(), Vec::new(), Vec::new());
    for mv in &read.moves {
        exact.push(exact_value(tables, table_pieces, &game.position())?);
        moves.push(move_place(&game.position(), mv, &mut legal));
        game.play(mv);
    }
    exact.push(exact_value(tables, table_pieces, &game.position())?);
    let stated = stated(read);
    let ending = ending_of_read(&game, stated);
    let played = match ending {
        Ending::Stated => stated,
        ending => result(&game, ending, None, settings),
    };
    let scores = vec![None; moves.len()];
    let start = (read.start != Fen::start()).then(|| Start::of(&read.start.position, read.start.mover));
    let mut record = Record { start, opening_plies: 0, moves, scores, exact, ending, played, corrected: None };
    record.corrected = record.corrected_results()[0];
    Ok(record)
}

/// The result that the file states, seen by the side to move at the start.
fn stated<R: Rules>(read: &PdnGame<R>) -> Option<Wdl> {
    match read.result.outcome() {
        PdnOutcome::Win(winner) if winner == read.start.mover => Some(Wdl::Win),
        PdnOutcome::Win(_) => Some(Wdl::Loss),
        PdnOutcome::Draw => Some(Wdl::Draw),
        PdnOutcome::Other | PdnOutcome::Unknown => None,
    }
}

/// What is not clear about the result of a game.
fn doubt<R: Rules>(read: &PdnGame<R>) -> Option<String> {
    let last = read.last_position();
    let text = read.result.text();
    let lost = seen_at(Wdl::Loss, read.moves.len());
    if last.position.is_over() && stated(read).is_some_and(|stated| stated != lost) {
        return Some(format!("result {text}, but {} cannot move and has lost; that was taken", last.mover));
    }
    if read.results_disagree() {
        return Some(format!(
            "result {} in the tag, {text} after the moves; the latter was taken",
            read.result_in_tag().text()
        ));
    }
    let is_neither = read.result.outcome() == PdnOutcome::Other || text == "0-0";
    is_neither.then(|| format!("result {text} is not a win, a draw or a loss; none was taken"))
}
