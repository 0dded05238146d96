//! The solver: a pair of slices, as words.
//!
//! See section 3 of the design: blocks of fixed men, most advanced first; conversions once a word; reversible moves as
//! synchronous passes over words.

mod block;
mod captures;
mod conversions;
mod dirty;
mod eyes;
pub mod lanes;
pub mod layout;
mod levels;
pub mod library;
mod mirror;
mod moves;
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

use crate::build::solver::block::BlockSolver;
pub use crate::build::solver::block::{PART_WORDS, Timing};
use crate::build::solver::conversions::Before;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Pair};
use crate::build::solver::levels::Levels;
use crate::build::solver::library::{Finished, KeptWord, Library, View};
pub use crate::build::solver::passes::WORDS_AT_A_TIME;
use crate::build::solver::sets::Sets;
use crate::build::solver::twin::Twins;
use crate::build::solver::watch::Watch;
use crate::rules::Rules;

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::build::solver::lanes::{Narrow, Wide};
    use crate::build::solver::library::Word;
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

    /// The kings-only pairs of up to two kings a side, the largest of which has words enough to be shared.
    fn kings_by_threads<L: Lanes>(timing: Timing, threads: usize) -> Vec<Finished<International, L>> {
        let kings = |kings| Side { kings, men: 0 };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let (sets, mut library) = (Sets::<International>::new(2), Library::default());
            let pairs = [(1, 1), (2, 1), (2, 2)].map(|(a, b)| Pair::of(kings(a), kings(b)).0);
            let solve = |pair, library: &_| {
                let watch = Watch::new(&|_| (), &|| false);
                solve::<_, L>(pair, &sets, library, timing, Keep::Plain, watch).expect("short distances")
            };
            for pair in pairs {
                library.add(Arc::new(solve(pair, &library)));
            }
            pairs.map(|pair| solve(pair, &library)).into()
        })
    }

    fn threads_that_share_a_block_find_what_one_finds<L: Lanes>(timing: Timing) {
        let [alone, shared] = [1, 3].map(|threads| kings_by_threads::<L>(timing, threads));
        for (alone, shared) in alone.iter().zip(&shared) {
            let (Some(alone), Some(shared)) = (alone.view(1), shared.view(1)) else { panic!("plain words") };
            assert_eq!(alone.words, shared.words);
            let mut timed = alone.words.iter().zip(alone.lanes.iter().zip(&shared.lanes));
            assert!(timed.all(|(word, (a, b))| {
                let Word { won, lost } = word.word();
                (won | lost).into_iter().all(|square| a.get(square) == b.get(square))
            }));
        }
    }

    #[test]
    fn threads_that_share_a_block_find_what_one_finds_with_and_without_distances() {
        threads_that_share_a_block_find_what_one_finds::<()>(Timing::None);
        threads_that_share_a_block_find_what_one_finds::<Narrow<<International as Rules>::Geometry>>(Timing::ToEnd);
        threads_that_share_a_block_find_what_one_finds::<Narrow<<International as Rules>::Geometry>>(
            Timing::ToConversion,
        );
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
