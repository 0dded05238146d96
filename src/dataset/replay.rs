//! A stored game played again: its positions, and what is to be said of each.

use xxhash_rust::xxh3::xxh3_64;

use crate::board::Bitboard;
use crate::dataset::error::Fault;
use crate::dataset::record::{Ending, Record, Start};
use crate::engine::{Game, Score};
use crate::position::{Fen, Move, Position};
use crate::rules::Rules;
use crate::tablebase::Value;
use crate::value::Wdl;

/// Puts the legal moves into `moves` in the order by which archives number them: by the bit of the square where the
/// piece starts, then where it ends, then the set of captured squares as a number; all in the mover's frame.
pub fn ordered_moves<R: Rules>(position: &Position<R>, moves: &mut Vec<Move>) {
    position.moves_into(moves);
    moves.sort_unstable_by_key(|mv| (mv.from.bit(), mv.to.bit(), mv.captured.bits()));
}

/// A number for a position seen by its mover, the same for either colour: duplicates are positions with the same one.
///
/// XXH3-64 of the sets of our pieces, their pieces and kings, each as eight bytes, little-endian.
#[must_use]
pub fn position_hash<R: Rules>(position: &Position<R>) -> u64 {
    let mut bytes = [0; 24];
    for (i, set) in [position.ours(), position.theirs(), position.kings()].into_iter().enumerate() {
        bytes[8 * i..8 * i + 8].copy_from_slice(&set.bits().to_le_bytes());
    }
    xxh3_64(&bytes)
}

impl Start {
    /// The position, if it is one of variant `R`.
    pub(super) fn fen<R: Rules>(&self) -> Option<Fen<R>> {
        let [ours, theirs, kings] = self.sets.map(Bitboard::from_bits);
        let position = Position::new(ours, theirs, kings).ok()?;
        let most = ours.len().max(theirs.len());
        (most <= R::MOST_PIECES).then_some(Fen { position, mover: self.mover })
    }
}

/// What is to be said of one position of a game, from its mover's side.
#[derive(Clone, Debug)]
pub struct Labelled<R: Rules> {
    /// Plies from the start of the game.
    pub ply: usize,
    /// The position, with the side to move.
    pub fen: Fen<R>,
    /// The move that was played; `None` in the last position.
    pub played_move: Option<Move>,
    /// The legal moves, in the order of [`ordered_moves`].
    pub legal: Vec<Move>,
    /// The score of the search.
    pub score: Option<Score>,
    /// The result as played.
    pub played: Option<Wdl>,
    /// The result corrected by the tables.
    pub corrected: Option<Wdl>,
    /// The value by the tables, counts of moves ignored.
    pub exact: Option<Value>,
    /// Whether the move played belongs to the opening.
    pub is_opening: bool,
    /// Whether this position, or one before it in the game, has an exact value.
    pub is_after_table_entry: bool,
    /// How the game ended.
    pub ending: Ending,
}

impl<R: Rules> Labelled<R> {
    /// Whether a capture is due.
    #[must_use]
    pub fn is_capture_due(&self) -> bool {
        self.legal.first().is_some_and(Move::is_capture)
    }

    /// Whether there is but one legal move.
    #[must_use]
    pub fn is_only_move(&self) -> bool {
        self.legal.len() == 1
    }
}

/// Plays a stored game again and calls `visit` with each of its positions in order; returns the game.
///
/// Only that the moves exist is checked here; [`Checker`](super::Checker) checks the rest.
///
/// # Errors
/// [`Fault`] where the start is no position or a move does not exist, or what `visit` returns.
pub fn replay<R: Rules, E: From<Fault>>(
    record: &Record,
    mut visit: impl FnMut(Labelled<R>) -> Result<(), E>,
) -> Result<Game<R>, E> {
    let start = match &record.start {
        None => Fen::start(),
        Some(start) => start.fen().ok_or_else(|| Fault::new(0, "the start is not a position of the variant"))?,
    };
    let off_scale =
        |score: &Option<i16>| score.is_some_and(|s| s.unsigned_abs() >= Score::INFINITE.value().unsigned_abs());
    if let Some(ply) = record.scores.iter().position(off_scale) {
        return Err(Fault::new(ply, "a score off the scale").into());
    }
    let mut game = Game::new(start);
    let corrected = record.corrected_results();
    let entry = record.table_entry().unwrap_or(usize::MAX);
    for (ply, &corrected) in corrected.iter().enumerate() {
        let mut legal = Vec::new();
        ordered_moves(&game.position(), &mut legal);
        let played_move =
            match record.moves.get(ply) {
                None => None,
                Some(&place) => Some(*legal.get(usize::from(place)).ok_or_else(|| {
                    Fault::new(ply, format!("move {place} of {} legal moves is not legal", legal.len()))
                })?),
            };
        visit(Labelled {
            ply,
            fen: game.fen(),
            played_move,
            legal,
            score: record.scores.get(ply).copied().flatten().map(Score::from_value),
            played: record.played_at(ply),
            corrected,
            exact: record.exact[ply],
            is_opening: ply < record.opening_plies as usize,
            is_after_table_entry: ply >= entry,
            ending: record.ending,
        })?;
        if let Some(mv) = played_move {
            game.play(&mv);
        }
    }
    Ok(game)
}
