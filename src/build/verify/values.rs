//! All values of a slice, read from its table; where a capture is due, found by playing the captures.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::board::{Bitboard, Direction, Geometry};
use crate::build::verify::Opened;
use crate::build::verify::score::Score;
use crate::index::{Indexer, Material, Row, Runner};
use crate::position::{Move, Position};
use crate::rules::{DrawRule, MoveKind, Rules, Side};
use crate::table::{Table, TableError};

/// The values of a slice by slot.
#[derive(Debug)]
pub struct Values<R: Rules, S> {
    /// How positions are numbered.
    pub indexer: Indexer<R>,
    /// By slot.
    pub scores: Vec<S>,
    /// How many slots hold a value: those where no capture is due.
    pub compared: u64,
    /// The draw rule that decides, for values that depend on one.
    pub rule: Option<&'static DrawRule>,
    /// Whether they answer to several counts at once.
    pub several: bool,
}

/// Slices read so far.
#[derive(Debug)]
pub struct Slices<R: Rules, S> {
    /// By [`key`].
    by_sides: Vec<Option<Arc<Values<R, S>>>>,
}

/// Four bits for each number of pieces, which is enough for any slice whose values fit in memory.
#[inline]
fn key(ours: Side, theirs: Side) -> usize {
    ((ours.kings & 15) << 12 | (ours.men & 15) << 8 | (theirs.kings & 15) << 4 | theirs.men & 15) as usize
}

impl<R: Rules, S> Default for Slices<R, S> {
    fn default() -> Self {
        Slices { by_sides: (0..1 << 16).map(|_| None).collect() }
    }
}

impl<R: Rules, S> Slices<R, S> {
    /// Adds a slice.
    pub fn insert(&mut self, values: Values<R, S>) {
        let material = values.indexer.material();
        self.by_sides[key(material.ours(), material.theirs())] = Some(Arc::new(values));
    }

    /// Forgets a slice.
    pub fn remove(&mut self, material: Material) {
        self.by_sides[key(material.ours(), material.theirs())] = None;
    }

    /// The values of the slice with these sides.
    ///
    /// # Panics
    /// If it has not been read: slices are read after those they lead to.
    #[inline]
    #[must_use]
    pub fn get(&self, ours: Side, theirs: Side) -> &Arc<Values<R, S>> {
        self.by_sides[key(ours, theirs)].as_ref().expect("slices are read after those they lead to")
    }
}

impl<R: Rules, S: Score> Values<R, S> {
    /// Reads a table, and the second one where there is one; `lower` has every slice that a capture leads to.
    ///
    /// # Errors
    /// If a block of the table is damaged.
    pub fn read(opened: &Opened, indexer: Indexer<R>, lower: &Slices<R, S>) -> Result<Self, TableError> {
        let Opened { table, distances, rule, several, .. } = opened;
        let (distances, rule) = (distances.as_ref().map(all_symbols).transpose()?, *rule);
        let header = table.header();
        let block_slots = header.block_slots as usize;
        let mut scores = vec![S::default(); indexer.slots() as usize];
        let due = AtomicU64::new(0);
        scores.par_chunks_mut(block_slots).enumerate().try_for_each_init(
            || (Vec::new(), Vec::new()),
            |(symbols, moves), (number, scores)| {
                let mut captures = 0;
                table.decode_block(number as u64, symbols)?;
                let first = number as u64 * block_slots as u64;
                for row in indexer.rows_from(first) {
                    if row.first_slot >= first + scores.len() as u64 {
                        break;
                    }
                    let near = may_capture::<R>(&row);
                    for (slot, position) in positions::<R>(&indexer, &row) {
                        let Some(at) = slot.checked_sub(first).map(|at| at as usize).filter(|&at| at < scores.len())
                        else {
                            continue;
                        };
                        let is_near = near.meets(runner_of(&position, &row));
                        scores[at] = if is_near && position.must_capture() {
                            captures += 1;
                            by_captures(&position, rule, lower, moves)
                        } else {
                            S::from_symbols(symbols[at], distances.as_ref().map(|all| all[slot as usize]))
                        };
                    }
                }
                due.fetch_add(captures, Ordering::Relaxed);
                Ok::<(), TableError>(())
            },
        )?;
        let compared = scores.len() as u64 - due.into_inner();
        Ok(Values { indexer, scores, compared, rule, several: *several })
    }
}

impl<R: Rules, S: Score> Values<R, S> {
    /// Whether a value of the slice can be the stored one, where its moves say `expected`.
    #[inline]
    pub fn allows(&self, expected: S, stored: S) -> bool {
        expected == stored || (self.several && expected.leaves_room_for(stored))
    }
}

/// All symbols of a table, in order of slots.
fn all_symbols(table: &Table) -> Result<Vec<u16>, TableError> {
    let (mut all, mut symbols) = (Vec::with_capacity(table.header().slots as usize), Vec::new());
    for number in 0..table.header().block_count() {
        table.decode_block(number, &mut symbols)?;
        all.extend_from_slice(&symbols);
    }
    Ok(all)
}

/// Whether the count of `rule` goes on after a move of this kind that leads to `after`.
#[inline]
pub fn goes_on<R: Rules>(rule: Option<&DrawRule>, kind: MoveKind, after: &Position<R>) -> bool {
    rule.is_some_and(|rule| {
        let (ours, theirs) = after.sides();
        rule.goes_on(kind, ours, theirs)
    })
}

/// The squares of the runner of a row for which the mover may have a capture; for all others it has none.
///
/// A capture that the other pieces have among themselves may be there for any square of the runner. One that the
/// runner takes part in needs it in line with a piece of the other side.
fn may_capture<R: Rules>(row: &Row) -> Bitboard {
    let (ours, theirs) = (row.our_men | row.our_kings, row.their_men | row.their_kings);
    if Position::<R>::from_sets(ours, theirs, row.our_kings | row.their_kings).must_capture() {
        return R::Geometry::BOARD;
    }
    let others = if row.runner == Runner::OurKing { theirs } else { ours };
    let mut near = Bitboard::EMPTY;
    for square in others {
        if R::FLYING_KINGS {
            near |= R::Geometry::REACH[square.index()];
        } else {
            for d in Direction::ALL {
                near |= R::Geometry::step(d).apply(Bitboard::of(square));
            }
        }
    }
    near
}

/// The runner of a row in a position of it.
#[inline]
fn runner_of<R: Rules>(position: &Position<R>, row: &Row) -> Bitboard {
    position.occupied().minus(row.our_men | row.our_kings | row.their_men | row.their_kings)
}

/// The value of a position whose mover must capture.
fn by_captures<R: Rules, S: Score>(
    position: &Position<R>,
    rule: Option<&DrawRule>,
    lower: &Slices<R, S>,
    moves: &mut Vec<Move>,
) -> S {
    moves.clear();
    position.captures_into(moves);
    let mut best = S::LOST;
    for mv in moves.iter() {
        let after = position.play(mv);
        let goes_on = goes_on(rule, MoveKind::Capture, &after);
        best = best.max(score_of(&after, lower).back().by_conversion(goes_on));
        if best == S::BEST {
            break;
        }
    }
    best.within(rule.map(|rule| rule.plies))
}

/// The value of any position of the slices read.
pub fn score_of<R: Rules, S: Score>(position: &Position<R>, slices: &Slices<R, S>) -> S {
    if position.ours().is_empty() {
        return S::LOST;
    }
    let (ours, theirs) = position.sides();
    let values = slices.get(ours, theirs);
    values.scores[values.indexer.slot(position) as usize]
}

/// The positions of a row with their slots.
pub fn positions<R: Rules>(indexer: &Indexer<R>, row: &Row) -> impl Iterator<Item = (u64, Position<R>)> {
    let row = *row;
    let squares = indexer.order().in_order::<R::Geometry>(row.squares);
    (row.first_slot..).zip(squares).map(move |(slot, square)| {
        let (mut ours, mut theirs) = (row.our_men | row.our_kings, row.their_men | row.their_kings);
        let mut kings = row.our_kings | row.their_kings;
        match row.runner {
            Runner::OurKing => (ours, kings) = (ours.with(square), kings.with(square)),
            Runner::TheirKing => (theirs, kings) = (theirs.with(square), kings.with(square)),
            Runner::TheirMan => theirs = theirs.with(square),
        }
        (slot, Position::from_sets(ours, theirs, kings))
    })
}
