//! Checks games against the rules and their labels against the tables.
//!
//! Everything but the scores of searches follows from start, moves, rules and tables, and is worked out again here:
//! that each move is legal, that the game is over where it ends and nowhere before, its result, every exact value.

use std::collections::HashSet;

use crate::dataset::error::{DatasetError, Fault};
use crate::dataset::metadata::{Metadata, Player, Settings, table_hashes};
use crate::dataset::record::{Ending, Record, seen_at};
use crate::dataset::replay::{ordered_moves, replay};
use crate::engine::{End, Game};
use crate::index::Material;
use crate::position::{Move, Position};
use crate::rules::Rules;
use crate::tablebase::{ProbeError, Tablebase, Value};
use crate::value::Wdl;

/// The value of any position of at most `pieces` pieces, where the tables have what it needs; else `None`.
///
/// # Errors
/// [`ProbeError::Table`].
pub fn exact_value<R: Rules>(
    tables: &Tablebase<R>,
    pieces: u32,
    position: &Position<R>,
) -> Result<Option<Value>, ProbeError> {
    if position.occupied().len() > pieces {
        return Ok(None);
    }
    match tables.probe(position) {
        Ok(value) => Ok(Some(value)),
        Err(ProbeError::NoTable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Why `game` is over at its present position, whose exact value is `exact`; `None` while it goes on.
///
/// The rules come first, then the tables, then the limit of plies. A value of the tables ends the game only if it is in
/// time: they ignore counts of moves, and one may have begun before (fifteen moves of three or more kings against one).
#[must_use]
pub fn ending<R: Rules>(game: &Game<R>, exact: Option<Value>, settings: &Settings) -> Option<Ending> {
    match game.end() {
        Some(End::NoPiece) => Some(Ending::NoPiece),
        Some(End::NoMove) => Some(Ending::NoMove),
        Some(End::Repetition) => Some(Ending::Repetition),
        Some(End::DrawRule(number)) => Some(Ending::DrawRule(number as u8)),
        None | Some(End::Limit) if !settings.play_on && exact.is_some_and(|value| is_in_time(value, game)) => {
            Some(Ending::Table)
        }
        None | Some(End::Limit) => (game.moves().len() >= settings.max_plies as usize).then_some(Ending::Limit),
    }
}

/// Whether no count of a draw rule can be full before `value` comes true.
fn is_in_time<R: Rules>(value: Value, game: &Game<R>) -> bool {
    match value {
        Value { wdl: Wdl::Draw, .. } => true,
        Value { dtw: Some(dtw), .. } => u32::from(dtw.0) <= game.counts().left(),
        // How long the win takes nobody knows.
        Value { dtw: None, .. } => game.counts().is_fresh(),
    }
}

/// Why a game that was read, and whose file states the result `stated`, is over at `game`'s present position.
///
/// What the rules say comes before what the file says, unless a win is stated for a drawn game: players need not claim
/// a draw.
#[must_use]
pub fn ending_of_read<R: Rules>(game: &Game<R>, stated: Option<Wdl>) -> Ending {
    match game.end() {
        Some(End::NoPiece) => Ending::NoPiece,
        Some(End::NoMove) => Ending::NoMove,
        Some(End::Repetition) if stated == Some(Wdl::Draw) => Ending::Repetition,
        Some(End::DrawRule(number)) if stated == Some(Wdl::Draw) => Ending::DrawRule(number as u8),
        _ => Ending::Stated,
    }
}

/// The result of a game that is over at `game`'s present position, seen by the side to move at the start.
#[must_use]
pub fn result<R: Rules>(game: &Game<R>, ending: Ending, exact: Option<Value>, settings: &Settings) -> Option<Wdl> {
    let for_mover = match ending {
        Ending::NoPiece | Ending::NoMove => Some(Wdl::Loss),
        Ending::Repetition | Ending::DrawRule(_) => Some(Wdl::Draw),
        Ending::Table => exact.map(|value| value.wdl),
        Ending::Limit => settings.at_limit.result(&game.position()),
        Ending::Stated => None,
    };
    for_mover.map(|wdl| seen_at(wdl, game.moves().len()))
}

/// The tables that labels are checked against.
#[derive(Debug)]
pub struct Checker<'t, R> {
    tables: &'t Tablebase<R>,
    metadata: Metadata,
    /// Whether the tables are those of the run, to the byte: then a position without a value must have none.
    same_tables: bool,
    /// The materials of the tables of the run.
    materials: HashSet<Material>,
}

impl<'t, R: Rules> Checker<'t, R> {
    /// A checker for the games of the run that `metadata` describes.
    ///
    /// Tables of another edition will do, as long as none is missing: their values are compared, not their bytes.
    ///
    /// # Errors
    /// [`DatasetError::NoTable`] for a table of the run that is not there, or lacks the distances it had;
    /// [`DatasetError::Probe`].
    pub fn new(tables: &'t Tablebase<R>, metadata: &Metadata) -> Result<Self, DatasetError> {
        let present = table_hashes(tables, metadata.table_pieces)?;
        // Distances answer for win, draw and loss too.
        let answers = |name: &str| present.contains_key(name) || present.contains_key(&name.replace(".wdl", ".dtw"));
        if let Some(name) = metadata.tables.keys().find(|name| !answers(name)) {
            return Err(DatasetError::NoTable(name.clone()));
        }
        let same_tables = present == metadata.tables;
        let materials = metadata.tables.keys().filter_map(|name| name.split('.').next()?.parse().ok()).collect();
        Ok(Checker { tables, metadata: metadata.clone(), same_tables, materials })
    }

    /// Whether the run had a table that answers for the position by itself.
    fn had_table(&self, position: &Position<R>) -> bool {
        let (ours, theirs) = position.sides();
        Material::new(ours, theirs).is_ok_and(|material| self.materials.contains(&material)) && !position.must_capture()
    }

    /// Checks a game from its first position to its last.
    ///
    /// # Errors
    /// The first [`Fault`], or an error of a table.
    pub fn check(&self, record: &Record) -> Result<(), CheckError> {
        check_game(record, &self.metadata.settings, |position, stored| {
            let found = exact_value(self.tables, self.metadata.table_pieces, position)?;
            Ok(match (stored, found) {
                (Some(stored), Some(found)) => {
                    let same_distance = stored.dtw == found.dtw || !self.same_tables && stored.dtw.is_none();
                    if stored.wdl == found.wdl && same_distance { None } else { Some(Some(found)) }
                }
                (None, Some(found)) if self.same_tables || self.had_table(position) => Some(Some(found)),
                (None, _) => None,
                (Some(_), None) => Some(None),
            })
        })
    }
}

/// Why a game did not pass its check.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Something is wrong with it.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A table cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Checks a game against the rules. `differs` compares a stored value with the tables and returns theirs if it is
/// wrong.
fn check_game<R: Rules>(
    record: &Record,
    settings: &Settings,
    differs: impl Fn(&Position<R>, Option<Value>) -> Result<Option<Option<Value>>, ProbeError>,
) -> Result<(), CheckError> {
    let last = record.plies();
    if record.opening_plies as usize > last {
        return Err(Fault::new(last, format!("an opening of {} plies", record.opening_plies)).into());
    }
    let (mut quiets, is_random) = (0, random_plies(&settings.openings));
    // The game so far, to ask at every position whether it is over there.
    let mut so_far: Option<Game<R>> = None;
    replay(record, |labelled| -> Result<(), CheckError> {
        let ply = labelled.ply;
        let position = labelled.fen.position;
        let game = so_far.get_or_insert_with(|| Game::new(labelled.fen));
        if let Some(found) = differs(&position, labelled.exact)? {
            let (stored, found) = (show(labelled.exact), show(found));
            return Err(Fault::new(ply, format!("labelled {stored}, the tables say {found}")).into());
        }
        let ending = match settings.player {
            // Others play on where the rules let them, and end where they like.
            Player::Read(_) => (ply == last).then(|| ending_of_read(game, record.played)),
            _ => ending(game, labelled.exact, settings),
        };
        let is_searched = labelled.played_move.is_some() && !labelled.is_opening && settings.player.searches();
        if labelled.score.is_some() != is_searched {
            let what =
                if is_searched { "no score, but the move was searched" } else { "a score, but nothing was searched" };
            return Err(Fault::new(ply, what).into());
        }
        if ply < last && ending.is_some() {
            let name = ending.map_or("", Ending::name::<R>);
            return Err(Fault::new(ply, format!("the game is over here ({name}) and goes on")).into());
        }
        if ply == last {
            if ending != Some(record.ending) {
                let (stored, found) = (record.ending.name::<R>(), ending.map_or("not over", Ending::name::<R>));
                return Err(Fault::new(ply, format!("ended by {stored}, by the rules it is {found}")).into());
            }
            let played = match record.ending {
                Ending::Stated => record.played,
                ending => result(game, ending, labelled.exact, settings),
            };
            if played != record.played {
                let (stored, found) = (show_result(record.played), show_result(played));
                return Err(Fault::new(ply, format!("result {stored} as played, by the rules {found}")).into());
            }
        }
        if let Some(mv) = labelled.played_move {
            quiets += u32::from(labelled.is_opening && !mv.is_capture());
            game.play(&mv);
        }
        Ok(())
    })?;
    if is_random.is_some_and(|plies| plies != quiets) {
        let ply = record.opening_plies as usize;
        return Err(Fault::new(ply, format!("an opening of {quiets} quiet plies, not of {}", settings.openings)).into());
    }
    let corrected = record.corrected_results()[0];
    if corrected != record.corrected {
        let (stored, found) = (show_result(record.corrected), show_result(corrected));
        let ply = record.table_entry().unwrap_or(last);
        return Err(Fault::new(ply, format!("corrected result {stored}, by the tables {found}")).into());
    }
    Ok(())
}

/// The quiet plies of openings that are nothing but random.
fn random_plies(openings: &str) -> Option<u32> {
    openings.strip_prefix("random:")?.parse().ok()
}

fn show(value: Option<Value>) -> String {
    match value {
        None => "nothing".to_string(),
        Some(Value { wdl, dtw: None }) => show_result(Some(wdl)).to_string(),
        Some(Value { wdl, dtw: Some(dtw) }) => format!("{} in {} plies", show_result(Some(wdl)), dtw.0),
    }
}

const fn show_result(result: Option<Wdl>) -> &'static str {
    match result {
        None => "unknown",
        Some(Wdl::Loss) => "loss",
        Some(Wdl::Draw) => "draw",
        Some(Wdl::Win) => "win",
    }
}

/// The place of `mv` among the legal moves of `position`, in the order of archives; `buffer` is overwritten.
///
/// # Panics
/// If `mv` is not legal.
#[must_use]
pub fn move_place<R: Rules>(position: &Position<R>, mv: &Move, buffer: &mut Vec<Move>) -> u16 {
    ordered_moves(position, buffer);
    let place = buffer.iter().position(|legal| legal == mv).expect("only legal moves are stored");
    u16::try_from(place).expect("no position has 2^16 moves")
}
