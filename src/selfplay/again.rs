//! Playing games again from their numbers, to see that they are what the run says, to the last score.

use rayon::prelude::*;

use crate::build::Progress;
use crate::dataset::export::Fraction;
use crate::dataset::{Dataset, DatasetError, EDITION, Fault, Metadata, Record, program, table_hashes};
use crate::engine::Tables;
use crate::rules::Rules;
use crate::selfplay::openings::Openings;
use crate::selfplay::player::{Conditions, GamePlayer};
use crate::selfplay::run::RunError;

/// Games that are compared at a time.
const BATCH: usize = 1024;

/// Why games could not be played again, or are not the same.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgainError {
    /// This program or these tables would play other games.
    #[error("these games cannot be played again: {0}")]
    Other(String),
    /// The dataset cannot be read, or a game is another one.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// There is no opening, or a table is damaged.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Plays this share of the games of `dataset` again, chosen by their numbers, with `openings`, which must have the name
/// that the run gives; returns how many.
///
/// # Errors
/// [`AgainError::Dataset`] with the first game that is not the same, [`AgainError::Other`] where this program would
/// play other games.
pub fn play_again<R: Rules>(
    dataset: &Dataset,
    openings: &Openings<R>,
    tables: Tables<'_, R>,
    share: Fraction,
    progress: &dyn Progress,
) -> Result<u64, AgainError> {
    dataset.expect::<R>()?;
    let metadata = dataset.metadata();
    same_conditions(metadata, openings, &tables)?;
    let conditions = Conditions { openings, settings: metadata.settings.clone(), seed: metadata.seed, tables };
    progress.start("replay", dataset.games());
    let mut checked = 0;
    let mut records = dataset.records().peekable();
    while records.peek().is_some() {
        let mut batch: Vec<(u64, Record)> = Vec::new();
        for record in records.by_ref().take(BATCH) {
            let (number, record) = record?;
            if share.takes_number(number) {
                batch.push((number, record));
            }
            progress.advance(1);
        }
        checked += batch.len() as u64;
        let compared: Vec<Result<(), AgainError>> = batch
            .par_iter()
            .map_init(
                || GamePlayer::new(&conditions),
                |player, (number, record)| {
                    if progress.stopped() {
                        return Err(DatasetError::Stopped.into());
                    }
                    let played = player.play(*number).map_err(RunError::from)?;
                    match difference(record, &played) {
                        None => Ok(()),
                        Some(fault) => {
                            let path = dataset.path_of(*number);
                            Err(DatasetError::Fault { path, game: *number, fault }.into())
                        }
                    }
                },
            )
            .collect();
        // Of several faults the first is told, whatever thread met it.
        compared.into_iter().collect::<Result<(), AgainError>>()?;
    }
    Ok(checked)
}

/// Checks that this program with these tables plays the games of the run.
fn same_conditions<R: Rules>(
    metadata: &Metadata,
    openings: &Openings<R>,
    tables: &Tables<'_, R>,
) -> Result<(), AgainError> {
    let other = |what: String| Err(AgainError::Other(what));
    if (metadata.program.as_str(), metadata.edition) != (program().as_str(), EDITION) {
        return other(format!("{}, edition {} of games, played them", metadata.program, metadata.edition));
    }
    if openings.name() != metadata.settings.openings {
        return other(format!("they begin with {}, not {}", metadata.settings.openings, openings.name()));
    }
    let pieces = tables.most_pieces();
    let hashes = table_hashes(tables.tablebase(), pieces).map_err(RunError::from)?;
    if (pieces, &hashes) != (metadata.table_pieces, &metadata.tables) {
        return other("the tables are others than those of the run".to_string());
    }
    Ok(())
}

/// Where two games differ first.
fn difference(stored: &Record, played: &Record) -> Option<Fault> {
    if stored == played {
        return None;
    }
    let ply = (0..stored.positions()).find(|&ply| {
        (stored.moves.get(ply), stored.scores.get(ply), stored.exact.get(ply))
            != (played.moves.get(ply), played.scores.get(ply), played.exact.get(ply))
    });
    let what = match ply {
        Some(_) => "played again, move, score or value are others from here on",
        None => "played again, its start, end or result are others",
    };
    Some(Fault { ply: ply.unwrap_or(0), what: what.to_string() })
}
