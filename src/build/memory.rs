//! What a build has in memory at each step.
//!
//! Slices kept for later steps, the one being solved, the working memory of the threads, and the table being written.
//! All of it follows from the sizes of slices, but for packed words, which take what they take: a plan guesses, and a
//! build whose words take so much more that its budget would not hold ends and says so.

use crate::board::Geometry;
use crate::build::plan::{Plan, Step};
use crate::build::several;
use crate::build::solver::layout::{Layout, Pair, Runner};
use crate::build::solver::library::{Kept, KeptWord};
use crate::build::solver::reading::Room;
use crate::build::solver::sets::KingMove;
use crate::build::solver::{Keep, PART_WORDS, WORDS_AT_A_TIME};
use crate::index::choose;
use crate::rules::Rules;

/// Memory that a build takes whatever it solves: the program, threads, buffers of the compressor.
const BASE_BYTES: u64 = 24 << 20;
/// Bits of eight positions where words are packed, as a plan guesses for boards of 32 squares: all English slices of 2
/// to 6 pieces take 0.72 bits a position.
const PACKED_BITS_OF_32: u64 = 6;
/// The same for other boards: all International slices of 2 to 5 pieces take 0.97 bits a position.
const PACKED_BITS: u64 = 8;

/// The size of a `T`, as a figure of a plan.
pub(super) const fn bytes_of<T>() -> u64 {
    size_of::<T>() as u64
}

/// What a plan does with pairs to take less memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Saving {
    /// Nothing: views are kept that would be slow to turn where they are read.
    Nothing,
    /// It keeps one view only: threads turn what they read of the other, and hold some of it.
    Views,
    /// As `Views`, and packs its words, two levels of a pair being in memory at a time while it is solved.
    Words,
}

/// Fills in what is in memory at each step.
pub(super) fn account<R: Rules>(steps: &mut [Step], lanes: u64, threads: u64) {
    let lists = king_lists::<R>(steps);
    let (mut kept, mut held) = (0u64, 0u64);
    let per_several = |step: &Step, bytes: u64| step.several.map_or(0, |_| step.positions.saturating_mul(bytes));
    let finished: Vec<u64> = steps.iter().map(|step| finished_bytes::<R>(step, lanes)).collect();
    let kept_bytes = |(step, &bytes): (&Step, &u64)| bytes.saturating_add(per_several(step, several::KEPT_BYTES));
    let sizes: Vec<u64> = steps.iter().zip(&finished).map(kept_bytes).collect();
    for at in 0..steps.len() {
        let several = per_several(&steps[at], several::WORKING_BYTES);
        let reading = threads.saturating_mul(held);
        let solving = scratch_bytes::<R>(steps[at].pair, lanes, threads).saturating_add(reading);
        let writing = threads.saturating_mul(held_in::<R>(&steps[at], lanes, Room::WholePlacements));
        let working = solving.max(writing).max(several);
        let levels = if steps[at].keep == Keep::Packed { level_bytes::<R>(steps[at].pair) } else { 0 };
        let now =
            kept.saturating_add(finished[at]).saturating_add(levels).saturating_add(working).saturating_add(lists);
        steps[at].memory_bytes =
            now.saturating_add(now / 16).saturating_add(BASE_BYTES).saturating_add(steps[at].disk_bytes);
        kept = kept.saturating_add(sizes[at]);
        held = held.saturating_add(held_bytes::<R>(&steps[at], lanes));
        for pair in &steps[at].last_read {
            let read = steps.iter().position(|step| step.pair == *pair).expect("a pair of the plan");
            kept = kept.saturating_sub(sizes[read]);
            held = held.saturating_sub(held_bytes::<R>(&steps[read], lanes));
        }
    }
}

/// Ways to place the fixed men.
fn placements<R: Rules>(pair: Pair) -> u64 {
    let [a, b] = Layout::fixed_men(pair).map(|m| m as u32);
    let (row, squares) = (R::Geometry::ROW, R::Geometry::SQUARES);
    (0..=a.min(row))
        .map(|home| {
            let inner = a - home;
            let ours = choose(row, home).saturating_mul(choose(squares - 2 * row, inner));
            ours.saturating_mul(choose(squares - row - inner, b))
        })
        .fold(0, u64::saturating_add)
}

/// Words of a pair in which a piece of the second side runs.
pub(super) fn words<R: Rules>(pair: Pair) -> u64 {
    placements::<R>(pair).saturating_mul(words_of_place::<R>(pair, 1))
}

/// Words of a placement, with either side to move, in which a piece of `running` runs.
fn words_of_place<R: Rules>(pair: Pair, running: usize) -> u64 {
    let kings = pair.sides.map(|side| side.kings);
    let sets = |kings| choose(R::Geometry::SQUARES, kings);
    sets(kings[1 - running]).saturating_mul(sets(kings[running].saturating_sub(1))).saturating_mul(2)
}

/// Whether kings of the first side run in words of their own.
fn has_other_view(pair: Pair) -> bool {
    pair.runner() == Runner::King && pair.sides[0].kings > 0 && !pair.is_own_twin()
}

/// Bytes of a finished pair: one view for the second side, and one for the kings of the first where both are kept.
fn finished_bytes<R: Rules>(step: &Step, lanes: u64) -> u64 {
    let pair = step.pair;
    let mut words = words_of_place::<R>(pair, 1);
    if step.keeps_both && has_other_view(pair) {
        words = words.saturating_add(words_of_place::<R>(pair, 0));
    }
    let [a, b] = Layout::fixed_men(pair).map(|m| m as u32);
    let men = R::Geometry::SQUARES - R::Geometry::ROW;
    let places = placements::<R>(pair);
    let words = places.saturating_mul(words);
    let index = choose(men, a).saturating_mul(choose(men, b)).saturating_mul(4);
    let words = match step.keep {
        Keep::Plain => words.saturating_mul(bytes_of::<KeptWord<R::Geometry>>() + lanes),
        Keep::Packed => packed_bytes::<R>(step),
    };
    words.saturating_add(places.saturating_mul(48)).saturating_add(index)
}

/// Bytes that the words of a pair take packed, as a plan guesses.
pub(super) fn packed_bytes<R: Rules>(step: &Step) -> u64 {
    let bits = if R::Geometry::SQUARES <= 32 { PACKED_BITS_OF_32 } else { PACKED_BITS };
    step.positions.saturating_mul(bits) / 64
}

/// Whether a thread that turns words of a pair to read them would turn the same ones again and again: those of a
/// placement are more than it holds. Few pairs are like that, those of many kings and few men.
pub(super) fn is_slow_to_turn<R: Rules>(pair: Pair, lanes: u64) -> bool {
    let place = words_of_place::<R>(pair, 0).saturating_mul(bytes_of::<KeptWord<R::Geometry>>() + lanes);
    has_other_view(pair) && place > Room::Little.bytes(place)
}

/// Bytes that a thread holds to read a finished pair: words unpacked and turned.
fn held_bytes<R: Rules>(step: &Step, lanes: u64) -> u64 {
    held_in::<R>(step, lanes, Room::Little)
}

/// Bytes of what is held of a pair in so much room.
fn held_in<R: Rules>(step: &Step, lanes: u64, room: Room) -> u64 {
    let places = placements::<R>(step.pair).max(1);
    let [unpacked, turned] = [1, 0].map(|running| {
        let place = words_of_place::<R>(step.pair, running).saturating_mul(bytes_of::<KeptWord<R::Geometry>>() + lanes);
        place.saturating_mul(places).min(room.bytes(place))
    });
    let needs_turning = !step.keeps_both && has_other_view(step.pair);
    let is_packed = step.keep == Keep::Packed;
    (if is_packed { unpacked } else { 0 }).saturating_add(if needs_turning { turned } else { 0 })
}

/// Bytes of the words of two neighbouring levels of a pair, the most there are.
fn level_bytes<R: Rules>(pair: Pair) -> u64 {
    let [a, b] = Layout::fixed_men(pair).map(ways_by_advance::<R>);
    let mut places = vec![0u64; a.len() + b.len()];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            places[i + j] = places[i + j].saturating_add(a.saturating_mul(*b));
        }
    }
    // Men of both sides on one square are counted too.
    let most = places.windows(2).map(|two| two[0].saturating_add(two[1])).max().unwrap_or(0);
    let words = most.min(placements::<R>(pair)).saturating_mul(words_of_place::<R>(pair, 1));
    words.saturating_mul(bytes_of::<KeptWord<R::Geometry>>())
}

/// Ways to place `men` of one side, by the rows they have to go.
fn ways_by_advance<R: Rules>(men: usize) -> Vec<u64> {
    let rows = R::Geometry::WIDTH as usize;
    let mut ways = vec![vec![0u64; men * rows + 1]; men + 1];
    ways[0][0] = 1;
    for row in 1..rows {
        for placed in (0..men).rev() {
            for advance in 0..=men * rows {
                let before = ways[placed][advance];
                for here in (1..=men - placed).take_while(|_| before > 0) {
                    if let Some(ways) = ways[placed + here].get_mut(advance + here * row) {
                        *ways = ways.saturating_add(before.saturating_mul(choose(R::Geometry::ROW, here as u32)));
                    }
                }
            }
        }
    }
    ways.swap_remove(men)
}

/// Bytes of the working memory of all threads.
fn scratch_bytes<R: Rules>(pair: Pair, lanes: u64, threads: u64) -> u64 {
    let fixed: usize = Layout::fixed_men(pair).iter().sum();
    let places = if R::Geometry::SIDEWAYS.is_empty() { 1 } else { 8u64.saturating_pow(fixed as u32) };
    let [a, b] = Layout::fixed_kings(pair).map(|k| choose(R::Geometry::SQUARES, k as u32));
    let words = places.saturating_mul(a).saturating_mul(b);
    // Two sides of: open, losing, three masks of news, their marks; with distances two masks more, and what waits for its
    // pass.
    let kept = bytes_of::<Kept<R>>();
    let each = 2 * (5 * kept + 1 + if lanes > 0 { 2 * kept + lanes + 64 } else { 0 });
    // A thread settles a part of a block that is shared, words included, and gathers what it finds in a pass, the more
    // the list has grown.
    let part = (PART_WORDS as u64).max(b).min(words).saturating_mul(each + 2 * (2 * kept + lanes));
    let gathered = words.min(WORDS_AT_A_TIME as u64).saturating_mul(2 * (4 + kept).next_multiple_of(kept));
    let blocks = if fixed > 0 { threads } else { 1 };
    let beside = threads.saturating_mul(part.saturating_add(gathered));
    words.saturating_mul(each).saturating_mul(blocks).saturating_add(beside)
}

/// Bytes of the lists of sets of kings and their moves.
fn king_lists<R: Rules>(steps: &[Step]) -> u64 {
    let most = Plan::most_fixed_kings(steps);
    let moves = match (R::FLYING_KINGS, R::Geometry::SQUARES) {
        (false, _) => 4,
        (true, squares) => squares / 4,
    };
    (0..=most as u32)
        .map(|k| {
            choose(R::Geometry::SQUARES, k)
                .saturating_mul(12 + u64::from(k * moves) * bytes_of::<KingMove<R::Geometry>>())
        })
        .fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Material;
    use crate::rules::{English, Turkish};

    fn pair(text: &str) -> Pair {
        let material: Material = text.parse().expect("a material");
        Pair::of(material.ours(), material.theirs()).0
    }

    #[test]
    fn placements_of_men_are_those_of_the_layout() {
        for text in ["KMMvKM", "MMvMM", "KKvMM", "MMMvKM"] {
            let pair = pair(text);
            assert_eq!(placements::<English>(pair), Layout::new::<English>(pair).placements.len() as u64);
            assert_eq!(placements::<Turkish>(pair), Layout::new::<Turkish>(pair).placements.len() as u64);
        }
    }

    fn two_levels_have_room<R: Rules>() {
        for text in ["KMMvKM", "MMvMM", "KKvMM", "MMMvKM", "KKvK"] {
            let pair = pair(text);
            let layout = Layout::new::<R>(pair);
            let levels: Vec<usize> = (0..layout.level_count()).map(|l| layout.places_of_level(l).len()).collect();
            let most = levels.windows(2).map(|two| two[0] + two[1]).max().unwrap_or(levels[0]);
            let bytes = (most * 2 * layout.words_per_side() * size_of::<KeptWord<R::Geometry>>()) as u64;
            let planned = level_bytes::<R>(pair);
            assert!((bytes..=bytes * 3 / 2).contains(&planned), "{text}: {bytes} bytes, {planned} planned");
        }
    }

    #[test]
    fn two_levels_have_room_on_every_board() {
        two_levels_have_room::<English>();
        two_levels_have_room::<Turkish>();
    }
}
