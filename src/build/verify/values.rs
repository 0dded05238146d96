//! The values of a slice by slot, read from its table; where a capture is due, found by playing the captures.

use crate::build::threads;
use crate::build::verify::Opened;
use crate::build::verify::due::Captures;
use crate::build::verify::lanes::Lanes;
use crate::build::verify::pieces::Pieces;
use crate::build::verify::score::Score;
use crate::build::verify::slices::Slices;
use crate::index::{Indexer, Row};
use crate::rules::{DrawRule, Rules};
use crate::table::{Table, TableError};

/// The values of a slice by slot.
#[derive(Debug)]
pub struct Values<R: Rules, S> {
    /// How positions are numbered.
    pub indexer: Indexer<R>,
    /// By slot.
    pub scores: Vec<S>,
    /// The slots where a capture is due: no quiet move is legal, and nothing is stored.
    pub due: Due,
    /// The draw rule that decides, for values that depend on one.
    pub rule: Option<&'static DrawRule>,
    /// Whether they answer to several counts at once.
    pub several: bool,
}

/// Some of the slots of a slice.
#[derive(Debug)]
pub struct Due(Vec<u64>);

impl Due {
    /// None of so many slots.
    #[must_use]
    pub fn none(slots: usize) -> Self {
        Due(vec![0; slots.div_ceil(64)])
    }

    /// Whether a slot is among them.
    #[inline(always)]
    #[must_use]
    pub fn is_set(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 != 0
    }

    /// How many there are.
    fn count(&self) -> u64 {
        self.0.iter().map(|bits| u64::from(bits.count_ones())).sum()
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
        let block_slots = table.header().block_slots as usize;
        // Blocks of fewer slots than a word has bits are read together.
        let part_slots = block_slots.max(64);
        let slots = indexer.slots() as usize;
        let (mut scores, mut due) = (vec![S::default(); slots], Due::none(slots));
        let parts = scores.chunks_mut(part_slots).zip(due.0.chunks_mut(part_slots / 64)).enumerate();
        threads::try_map_with(
            parts,
            || (Vec::new(), Captures::new(lower, rule)),
            |(symbols, captures): &mut (Vec<u16>, Captures<'_, R, S>), (part, (scores, due))| {
                let first = part * part_slots;
                for (i, scores) in scores.chunks_mut(block_slots).enumerate() {
                    let begin = first + i * block_slots;
                    table.decode_block((begin / block_slots) as u64, symbols)?;
                    match &distances {
                        None => scores.iter_mut().zip(&*symbols).for_each(|(score, &s)| *score = S::from_symbol(s)),
                        Some(distances) => {
                            for ((score, &symbol), &distance) in
                                scores.iter_mut().zip(&*symbols).zip(&distances[begin..])
                            {
                                *score = S::from_symbols(symbol, Some(distance));
                            }
                        }
                    }
                }
                let end = first + scores.len();
                for row in indexer.rows_from(first as u64).take_while(|row| row.first_slot < end as u64) {
                    let (squares, values) = captures.of_row(&Pieces::of_row(&row), row.runner.into(), row.squares);
                    if squares.is_empty() {
                        continue;
                    }
                    for (slot, square) in (row.first_slot..).zip(indexer.order().in_order::<R::Geometry>(row.squares)) {
                        let at = (slot as usize).wrapping_sub(first);
                        if squares.contains(square) && at < scores.len() {
                            scores[at] = values.get(square);
                            due[at / 64] |= 1 << (at % 64);
                        }
                    }
                }
                Ok::<(), TableError>(())
            },
        )?;
        Ok(Values { indexer, scores, due, rule, several: *several })
    }

    /// How many slots hold a value: those where no capture is due.
    pub fn compared(&self) -> u64 {
        self.scores.len() as u64 - self.due.count()
    }

    /// Whether a value of the slice can be the stored one, where its moves say `expected`.
    #[inline]
    pub fn allows(&self, expected: S, stored: S) -> bool {
        expected == stored || (self.several && expected.leaves_room_for(stored))
    }

    /// The slots of a row.
    #[inline]
    pub fn slots(row: &Row) -> std::ops::Range<usize> {
        row.first_slot as usize..row.end_slot() as usize
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
