//! The solver: a pair of slices, as words.
//!
//! See section 3 of the design: blocks of fixed men, most advanced first; conversions once a word; reversible moves as
//! synchronous passes over words.

mod block;
mod captures;
mod conversions;
mod dirty;
pub mod lanes;
pub mod layout;
pub mod library;
mod mirror;
pub mod obligation;
mod packed;
mod passes;
pub mod reading;
mod scratch;
pub mod sets;
pub mod transpose;
mod twin;
pub mod watch;

use std::sync::Mutex;

use rayon::prelude::*;

pub use crate::build::solver::block::Timing;
use crate::build::solver::block::{BlockSolver, BlockWords};
use crate::build::solver::conversions::Before;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Pair};
use crate::build::solver::library::{Finished, KeptWord, Library, View};
use crate::build::solver::packed::{Packed, Packer};
use crate::build::solver::scratch::Scratch;
use crate::build::solver::sets::Sets;
use crate::build::solver::twin::Twins;
use crate::build::solver::watch::Watch;
use crate::rules::Rules;

/// Words that a task has at least, so that threads do not wait for each other.
const TASK_WORDS: usize = 4096;

/// Why a pair was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// A distance does not fit the lanes: solve again with wider ones.
    TooLong,
    /// The caller asked to stop.
    Stopped,
}

/// How the words of a pair are kept once they are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// As they are.
    Plain,
    /// Packed, in a fraction of the memory; only two levels are in memory at once while the pair is solved. Distances
    /// are not packed.
    Packed,
}

impl Keep {
    /// Packed, if the pair has more than one word in a placement: single words are read all over, and every read would
    /// unpack many others.
    #[must_use]
    pub fn packed_if_worthwhile<R: Rules>(pair: Pair) -> Self {
        if Layout::fixed_kings(pair) == [0, 0] { Keep::Plain } else { Keep::Packed }
    }
}

/// Solves a pair of slices; everything it leads to must be in `library`.
///
/// # Errors
/// If a distance does not fit `L`, or `watch` said to stop.
pub fn solve<R: Rules, L: Lanes>(
    pair: Pair,
    sets: &Sets<R>,
    library: &Library<R, L>,
    timing: Timing,
    keep: Keep,
    watch: Watch<'_>,
) -> Result<Finished<R, L>, Unsolved> {
    let layout = Layout::new::<R>(pair);
    let levels = Levels {
        layout: &layout,
        solver: BlockSolver::<R, L>::new(&layout, sets, library, timing, watch),
        twins: Twins::new::<R>(&layout),
        watch,
        spare: Mutex::default(),
    };
    let per_place = 2 * layout.words_per_side();
    if keep == Keep::Packed && !L::TIMED {
        let packed = levels.solve_packed()?;
        drop(levels);
        return Ok(Finished::new_packed(layout, packed));
    }
    let total = layout.placements.len() * per_place;
    let (mut words, mut lanes) = (vec![KeptWord::default(); total], vec![L::empty(); total]);
    for level in 0..layout.level_count() {
        let places = layout.places_of_level(level);
        let (first, len) = (places.start * per_place, places.len() * per_place);
        let (before, rest) = words.split_at_mut(first);
        let (lanes_before, lanes_rest) = lanes.split_at_mut(first);
        let before = Before { first: 0, words: before, lanes: lanes_before };
        levels.solve(level, before, &mut rest[..len], &mut lanes_rest[..len])?;
    }
    let sets_of_view = layout.king_sets;
    Ok(Finished::new(layout, View { words, lanes, sets: sets_of_view }))
}

/// Solves a pair level by level.
struct Levels<'a, R: Rules, L: Lanes> {
    layout: &'a Layout,
    solver: BlockSolver<'a, R, L>,
    twins: Option<Twins<'a>>,
    watch: Watch<'a>,
    /// Working memory that no thread uses.
    spare: Mutex<Vec<Scratch<R, L>>>,
}

impl<R: Rules, L: Lanes> Levels<'_, R, L> {
    /// Solves a level, whose words are all zero before; `before` has those of the level before it at least.
    fn solve(
        &self,
        level: usize,
        before: Before<'_, R, L>,
        words: &mut [KeptWord<R::Geometry>],
        lanes: &mut [L],
    ) -> Result<(), Unsolved> {
        if (self.watch.stopped)() {
            return Err(Unsolved::Stopped);
        }
        let per_place = 2 * self.layout.words_per_side();
        let first = self.layout.places_of_level(level).start;
        let blocks = self.layout.level(level);
        let solved = (self.layout.block(blocks.end - 1).end - first) * per_place;
        let (words, images) = words.split_at_mut(solved);
        let (lanes, lanes_of_images) = lanes.split_at_mut(solved);
        let tasks = cut::<R, L>(self.layout, blocks, per_place, words, lanes);
        tasks.into_par_iter().map(|task| self.work(task, before)).collect::<Result<(), Unsolved>>()?;
        if let Some(twins) = &self.twins {
            let begins = self.layout.twins(level);
            if !begins.is_empty() {
                let begins = self.layout.block(begins.start).start;
                twins.fill::<R, L>(begins, (first, words, lanes), (images, lanes_of_images));
                (self.watch.advance)(images.len() as u64);
            }
        }
        Ok(())
    }

    /// Solves all levels and packs them; an advance reads no further back than the level before.
    fn solve_packed(&self) -> Result<Packed, Unsolved> {
        let per_place = 2 * self.layout.words_per_side();
        let mut packer = Packer::<R>::new(self.layout.king_sets[1]);
        let (mut words_before, mut words, mut first) = (Vec::new(), Vec::new(), 0);
        // There are no distances, which take no memory.
        let (mut lanes_before, mut lanes) = (Vec::new(), Vec::new());
        for level in 0..self.layout.level_count() {
            let places = self.layout.places_of_level(level);
            words.clear();
            words.resize(places.len() * per_place, KeptWord::default());
            lanes.resize(words.len(), L::empty());
            let before = Before { first, words: &words_before, lanes: &lanes_before };
            self.solve(level, before, &mut words, &mut lanes)?;
            packer.push(&words);
            first = places.start * per_place;
            std::mem::swap(&mut words_before, &mut words);
            std::mem::swap(&mut lanes_before, &mut lanes);
        }
        Ok(packer.finish())
    }

    /// Solves the blocks of a task.
    fn work(&self, mut task: Task<'_, R, L>, before: Before<'_, R, L>) -> Result<(), Unsolved> {
        let per_place = 2 * self.layout.words_per_side();
        let mut scratch = self.spare.lock().expect("no thread panics with the lock").pop().unwrap_or_default();
        let mut done = 0;
        for block in task.blocks {
            let len = self.layout.block(block).len() * per_place;
            let (now, later) = std::mem::take(&mut task.words).split_at_mut(len);
            let (lanes_now, lanes_later) = std::mem::take(&mut task.lanes).split_at_mut(len);
            self.solver.solve(block, &mut scratch, before, BlockWords { words: now, lanes: lanes_now })?;
            (task.words, task.lanes) = (later, lanes_later);
            done += len as u64;
        }
        (self.watch.advance)(done);
        if let Some(clock) = self.watch.clock {
            scratch.stopwatch.hand_over(clock);
        }
        self.spare.lock().expect("no thread panics with the lock").push(scratch);
        Ok(())
    }
}

/// Some blocks of a level and their words.
struct Task<'a, R: Rules, L> {
    blocks: std::ops::Range<usize>,
    words: &'a mut [KeptWord<R::Geometry>],
    lanes: &'a mut [L],
}

/// Cuts a level into tasks.
fn cut<'a, R: Rules, L>(
    layout: &Layout,
    blocks: std::ops::Range<usize>,
    per_place: usize,
    mut words: &'a mut [KeptWord<R::Geometry>],
    mut lanes: &'a mut [L],
) -> Vec<Task<'a, R, L>> {
    let mut tasks = Vec::new();
    let mut first = blocks.start;
    while first < blocks.end {
        let (mut last, mut len) = (first, 0);
        while last < blocks.end && (len == 0 || len < TASK_WORDS) {
            len += layout.block(last).len() * per_place;
            last += 1;
        }
        let (now, later) = words.split_at_mut(len);
        let (lanes_now, lanes_later) = lanes.split_at_mut(len);
        (words, lanes) = (later, lanes_later);
        tasks.push(Task { blocks: first..last, words: now, lanes: lanes_now });
        first = last;
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::build::solver::lanes::{Narrow, Wide};
    use crate::rules::{English, International, Side, Turkish};

    /// All pairs of up to three pieces, in solving order.
    fn solve_small<R: Rules, L: Lanes>(timing: Timing) -> Vec<Arc<Finished<R, L>>> {
        let side = |kings, men| Side { kings, men };
        let one = [side(1, 0), side(0, 1)];
        let two = [side(2, 0), side(1, 1), side(0, 2)];
        let pairs = [(one[0], one[0]), (one[0], one[1]), (one[1], one[1])]
            .into_iter()
            .chain(two.into_iter().flat_map(|a| one.map(|b| (a, b))));
        let (sets, mut library, mut all) = (Sets::<R>::new(2), Library::default(), Vec::new());
        for (a, b) in pairs {
            let pair = Pair::of(a, b).0;
            let mut finished =
                solve::<R, L>(pair, &sets, &library, timing, Keep::Plain, Watch::new(&|_| (), &|| false))
                    .expect("short distances");
            finished.add_first();
            let finished = Arc::new(finished);
            library.add(Arc::clone(&finished));
            all.push(finished);
        }
        all
    }

    fn wide_lanes_hold_what_narrow_ones_hold<R: Rules>() {
        for timing in [Timing::ToEnd, Timing::ToConversion] {
            let (narrow, wide) =
                (solve_small::<R, Narrow<R::Geometry>>(timing), solve_small::<R, Wide<R::Geometry>>(timing));
            for (narrow, wide) in narrow.iter().zip(&wide) {
                for side in 0..2 {
                    let (Some(narrow), Some(wide)) = (narrow.view(side), wide.view(side)) else { continue };
                    assert_eq!(narrow.words, wide.words);
                    for ((word, narrow), wide) in narrow.words.iter().zip(&narrow.lanes).zip(&wide.lanes) {
                        let word = word.word();
                        for square in word.won | word.lost {
                            assert_eq!(narrow.get(square), wide.get(square));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn wide_lanes_hold_what_narrow_ones_hold_in_every_geometry() {
        wide_lanes_hold_what_narrow_ones_hold::<English>();
        wide_lanes_hold_what_narrow_ones_hold::<International>();
        wide_lanes_hold_what_narrow_ones_hold::<Turkish>();
    }

    #[test]
    fn a_solver_that_is_stopped_says_so() {
        let pair = Pair::of(Side { kings: 1, men: 0 }, Side { kings: 1, men: 0 }).0;
        let (sets, library) = (Sets::<International>::new(1), Library::<_, ()>::default());
        let solved =
            solve::<International, ()>(pair, &sets, &library, Timing::None, Keep::Plain, Watch::new(&|_| (), &|| true));
        assert_eq!(solved.err(), Some(Unsolved::Stopped));
    }
}
