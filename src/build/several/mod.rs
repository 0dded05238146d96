//! Solving materials in which several counts run at once.
//!
//! A win must beat every count, so it is a question of one number a draw rule: the plies that each must have left. More
//! plies left never hurt the winner. What a position needs is then a [`Staircase`]: the least vectors of plies left
//! with which its winner still wins. The side that wins on the board is the only one that can win under the rules, so
//! one staircase a position says all, at every count:
//!
//! ```text
//! the winner moves   what one of the moves needs: the union of the staircases
//! the loser moves    what all of the moves need: for every choice of one step from each, the greater in each count
//! before a move      one ply more where the count goes on; one ply where it starts afresh or ends
//! the loser is lost  nothing
//! ```
//!
//! A need of more plies than a rule has is dropped. Starting from nothing won, all positions one of whose moves has
//! changed are looked at again, pass after pass, until none changes: the passes are plies, so there are as many as the
//! longest win has. Nothing is assumed of which moves reset what, so that rules tied to squares, and resets that can be
//! undone, are no special case.
//!
//! A finished pair is kept by slot for what is solved after it: a conversion may carry a count into it.

mod graph;
mod need;
mod tracked;

use std::sync::Arc;

use crate::build::several::graph::{Graph, Winner};
pub use crate::build::several::need::{Need, Staircase};
pub use crate::build::several::tracked::Tracked;
use crate::build::solver::Unsolved;
use crate::build::solver::lanes::{Lanes, Narrow};
use crate::build::solver::layout::{Layout, Pair, Runner};
use crate::build::solver::library::{Finished, KeptWord, Library, Pieces, View, Word};
use crate::build::solver::reading::Reading;
use crate::build::solver::sets::Sets;
use crate::build::threads;
use crate::index::{Indexer, Material};
use crate::position::Position;
use crate::rules::Rules;

/// The most positions of a pair: they are numbered in 24 bits, and take some hundred bytes each while it is solved.
pub const MOST_POSITIONS: u64 = 1 << 24;
/// Bytes of a position while its pair is solved, roughly: its moves there and back, and what it needs.
pub const WORKING_BYTES: u64 = 180;
/// Bytes of a position of a finished pair.
pub const KEPT_BYTES: u64 = size_of::<Staircase>() as u64;

/// A solved pair: what its positions need.
#[derive(Debug)]
pub struct Needs<R> {
    /// The slice and its twin; one where they are the same.
    slices: Vec<Indexer<R>>,
    /// By slot, those of the first slice first.
    stairs: Vec<Staircase>,
}

impl<R: Rules> Needs<R> {
    /// Whether it is this pair.
    #[must_use]
    pub fn is_of(&self, pair: Pair) -> bool {
        let material = self.slices[0].material();
        Pair::of(material.ours(), material.theirs()).0 == pair
    }

    /// What the winner of a position of the pair needs.
    #[must_use]
    pub fn of(&self, position: &Position<R>) -> &Staircase {
        &self.stairs[number_of(&self.slices, position)]
    }

    /// The pair as words, with the wins that fresh counts leave of those of `board`; without distances.
    #[must_use]
    pub fn words<L: Lanes>(&self, board: &Finished<R, ()>, sets: &Sets<R>) -> Finished<R, L> {
        let layout = &board.layout;
        let view = board.view(1).expect("the solver makes the view of the second side");
        let [kings0, kings1] = Layout::fixed_kings(layout.pair);
        let per_side = layout.words_per_side();
        let left = |(index, word): (usize, &KeptWord<R::Geometry>)| {
            let word = word.word();
            let (place, at) = (index / per_side / 2, index % per_side);
            let fixed = Pieces {
                men: layout.placements[place],
                kings: [sets.kings(kings0)[at / view.sets[1]], sets.kings(kings1)[at % view.sets[1]]],
            };
            let mut left = Word::default();
            for square in word.won | word.lost {
                let mut pieces = fixed;
                match layout.pair.runner() {
                    Runner::King => pieces.kings[1] = pieces.kings[1].with(square),
                    Runner::Man => pieces.men[1] = pieces.men[1].with(square),
                }
                let kings = pieces.kings[0] | pieces.kings[1];
                let seen = Position::<R>::from_sets(pieces.of(0), pieces.of(1), kings);
                let position = if (index / per_side).is_multiple_of(2) { seen } else { seen.turned() };
                if !self.of(&position).is_never() {
                    let side = if word.won.contains(square) { &mut left.won } else { &mut left.lost };
                    *side = side.with(square);
                }
            }
            KeptWord::keep(left)
        };
        let parts = threads::map(threads::ranges(view.words.len() as u64, 1), |words| {
            let range = words.start as usize..words.end as usize;
            range.clone().zip(&view.words[range]).map(left).collect()
        });
        let mut words: Vec<KeptWord<R::Geometry>> = Vec::with_capacity(view.words.len());
        parts.into_iter().for_each(|part: Vec<_>| words.extend(part));
        let lanes = vec![L::empty(); words.len()];
        Finished::new(layout.clone(), View { words, lanes, sets: view.sets })
    }
}

/// Positions that a thread looks at again at a time.
const NUMBERS_AT_A_TIME: usize = 256;

/// The number of a position of a pair: slots, those of the first slice first.
fn number_of<R: Rules>(slices: &[Indexer<R>], position: &Position<R>) -> usize {
    let (ours, theirs) = position.sides();
    let first = &slices[0];
    if (first.material().ours(), first.material().theirs()) == (ours, theirs) {
        first.slot(position) as usize
    } else {
        (first.slots() + slices[1].slot(position)) as usize
    }
}

/// The solved pairs that a later one may read.
#[derive(Debug)]
pub struct Known<'a, R: Rules> {
    /// With counts ignored; the pair to be solved is among them.
    pub board: &'a Library<R, ()>,
    /// With fresh counts.
    pub fresh: &'a Library<R, Narrow<R::Geometry>>,
    /// At any count, where several run.
    pub needs: &'a [Arc<Needs<R>>],
}

impl<R: Rules> Known<'_, R> {
    /// The winner of a position on the board.
    fn winner(&self, position: &Position<R>) -> Winner {
        match self.board.position(&mut Reading::default(), &pieces(position), 0) {
            (true, ..) => Winner::Mover,
            (_, true, _) => Winner::Opponent,
            _ => Winner::Neither,
        }
    }

    /// What the winner of a position outside of the pair needs.
    fn stairs(&self, position: &Position<R>) -> Staircase {
        let (ours, theirs) = position.sides();
        if ours.pieces() == 0 {
            return Staircase::NOTHING;
        }
        let pair = Pair::of(ours, theirs).0;
        if let Some(needs) = self.needs.iter().find(|needs| needs.is_of(pair)) {
            return needs.of(position).clone();
        }
        // No count is carried there.
        let (won, lost, _) = self.fresh.position(&mut Reading::default(), &pieces(position), 0);
        if won || lost { Staircase::NOTHING } else { Staircase::NEVER }
    }
}

/// The pieces of a position, its mover first.
pub fn pieces<R: Rules>(position: &Position<R>) -> Pieces {
    Pieces { men: [position.our_men(), position.their_men()], kings: [position.our_kings(), position.their_kings()] }
}

/// Solves the slices of a pair, `materials`; `tracked` are the rules whose counts matter there.
///
/// # Errors
/// If `stopped` said so.
pub fn solve<R: Rules>(
    materials: &[Material],
    tracked: u8,
    known: &Known<'_, R>,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Needs<R>, Unsolved> {
    let slices: Vec<Indexer<R>> = materials.iter().map(|&material| Indexer::new(material)).collect();
    let graph = Graph::new(&slices, tracked, known, stopped)?;
    let mut stairs = graph.start();
    let before = graph.before();
    let mut changed: Vec<u32> = (0..).zip(&stairs).filter(|(_, s)| !s.is_never()).map(|(number, _)| number).collect();
    let mut is_due = vec![false; stairs.len()];
    while !changed.is_empty() {
        if stopped() {
            return Err(Unsolved::Stopped);
        }
        let mut due = Vec::new();
        for &number in &changed {
            for &earlier in before.of(number) {
                if !std::mem::replace(&mut is_due[earlier as usize], true) {
                    due.push(earlier);
                }
            }
        }
        let changes = |scratch: &mut _, numbers: &[u32]| -> Vec<(u32, Staircase)> {
            let values = numbers.iter().map(|&number| (number, graph.value(number, &stairs, scratch)));
            values.filter(|(number, value)| stairs[*number as usize] != *value).collect()
        };
        let news = threads::map_with(due.chunks(NUMBERS_AT_A_TIME), Default::default, changes);
        let news: Vec<(u32, Staircase)> = news.into_iter().flatten().collect();
        due.iter().for_each(|&number| is_due[number as usize] = false);
        changed = news.iter().map(|(number, _)| *number).collect();
        for (number, value) in news {
            stairs[number as usize] = value;
        }
    }
    Ok(Needs { slices, stairs })
}
