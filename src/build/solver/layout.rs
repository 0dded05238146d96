//! Where the words of a pair of slices lie.
//!
//! A *placement* fixes all men except a running one. A *block* is a set of placements between which reversible moves
//! lead: one placement on boards without sideways steps, all placements with the same number of men on each row on
//! others. Blocks are stored by *level*, the total advance of the fixed men, most advanced first: an advance leads to
//! a block of an earlier level, so levels are solved in storage order and a level reads only what lies before it.
//!
//! Within a placement there is one word for each side to move, set of kings of the side without the running king, and
//! set of the running king's fellows; the bits of a word are the squares of the running piece.

use std::ops::Range;

use crate::board::{Bitboard, Geometry};
use crate::build::solver::sets::{MOST_ALIKE, SIDES, Sets, binomial};
use crate::index::choose;
use crate::rules::{Rules, Side};

/// The piece whose squares are the bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    /// A king of the second side.
    King,
    /// A man of the second side, in slices without kings.
    Man,
}

/// A pair of slices: all positions of one material with either side to move.
///
/// The second side has the running piece: it has fewer kings, but one if there is any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Pair {
    /// The pieces of the first side (moving up) and of the second.
    pub sides: [Side; 2],
}

impl Pair {
    /// The pair of a material and its twin, and whether the sides of `ours` and `theirs` were exchanged.
    #[must_use]
    pub fn of(ours: Side, theirs: Side) -> (Pair, bool) {
        let exchange = if ours.kings == theirs.kings {
            theirs.men > ours.men
        } else {
            theirs.kings == 0 || (ours.kings != 0 && theirs.kings > ours.kings)
        };
        (Pair { sides: if exchange { [theirs, ours] } else { [ours, theirs] } }, exchange)
    }

    /// The running piece.
    #[must_use]
    pub fn runner(&self) -> Runner {
        if self.sides[1].kings > 0 { Runner::King } else { Runner::Man }
    }

    /// Whether both slices of the pair are the same slice.
    #[must_use]
    pub fn is_own_twin(&self) -> bool {
        self.sides[0] == self.sides[1]
    }
}

/// Where the words of a pair lie.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The pair.
    pub pair: Pair,
    /// The fixed men of each side, by placement.
    pub placements: Vec<[Bitboard; 2]>,
    /// The first placement of each block, in storage order, and the number of placements.
    blocks: Vec<u32>,
    /// The first block of each level, and the number of blocks.
    levels: Vec<u32>,
    /// By level, the first of the blocks at its end that are images of others: see `twin.rs`.
    twins: Vec<u32>,
    /// By rank of the fixed men of the first side times `men_sets` plus that of the second, the placement.
    place_of: Vec<u32>,
    men_sets: usize,
    /// Sets of kings of the first side, and of the running king's fellows.
    pub king_sets: [usize; 2],
}

const NO_PLACE: u32 = u32::MAX;

impl Layout {
    /// Whether the numbers of the solver, 32 bits wide inside a pair, are enough for `pair`, and its sets are not too
    /// large to be ranked.
    #[must_use]
    pub fn is_possible<R: Rules>(pair: Pair) -> bool {
        let [men0, men1] = Self::fixed_men(pair);
        let [kings0, kings1] = Self::fixed_kings(pair);
        if [men0, men1, kings0, kings1].iter().any(|&k| k > MOST_ALIKE) {
            return false;
        }
        let squares = R::Geometry::SQUARES;
        let men_squares = squares - R::Geometry::ROW;
        let fits = |n: u64| n < u64::from(u32::MAX);
        let sets = |k: usize, on: u32| choose(on, k as u32);
        let places = sets(men0, men_squares).saturating_mul(sets(men1, men_squares));
        let words = sets(kings0, squares).saturating_mul(sets(kings1, squares));
        // A block may hold as many placements as there are ways to shift its men within their rows.
        let in_block = if R::Geometry::SIDEWAYS.is_empty() {
            1
        } else {
            u64::from(R::Geometry::ROW).saturating_pow((men0 + men1) as u32)
        };
        let moves = |k: usize| sets(k, squares).saturating_mul(k as u64 * u64::from(squares) / 2);
        fits(places) && fits(words.saturating_mul(in_block)) && fits(moves(kings0)) && fits(moves(kings1))
    }

    /// Lays out `pair`.
    ///
    /// # Panics
    /// If it is not [possible](Layout::is_possible).
    #[must_use]
    pub fn new<R: Rules>(pair: Pair) -> Self {
        assert!(Self::is_possible::<R>(pair), "the slice was checked before it is laid out");
        let fixed = Self::fixed_men(pair);
        let men: [Vec<Bitboard>; 2] = SIDES.map(|side| Sets::<R>::men(side, fixed[side]));
        let alone = R::Geometry::SIDEWAYS.is_empty();
        let halved = pair.is_own_twin() && pair.runner() == Runner::King;
        let rows = |men| if alone { 0 } else { rows_of::<R>(men) };
        // Of a block and its image, the one that comes later by rows, or by ranks where placements are blocks.
        let is_image = |a: u32, b: u32, men: [Bitboard; 2]| {
            let image = || [R::Geometry::rotate(men[1]), R::Geometry::rotate(men[0])];
            let ranks = || [Sets::<R>::rank_men_turned(0, men[1]), Sets::<R>::rank_men_turned(1, men[0])];
            halved && if alone { [a as usize, b as usize] > ranks() } else { rows(men) > rows(image()) }
        };
        // Level, whether it is an image, rows of the men, and ranks: sorting by these puts blocks in solving order.
        let mut places: Vec<(u32, bool, u64, u32, u32)> = Vec::new();
        for (a, &first) in men[0].iter().enumerate() {
            for (b, &second) in men[1].iter().enumerate() {
                if !first.meets(second) {
                    let level = advance_left::<R>(0, first) + advance_left::<R>(1, second);
                    let (a, b, men) = (a as u32, b as u32, [first, second]);
                    places.push((level, is_image(a, b, men), rows(men), a, b));
                }
            }
        }
        places.sort_unstable();
        let mut layout = Layout {
            pair,
            placements: Vec::with_capacity(places.len()),
            blocks: Vec::new(),
            levels: Vec::new(),
            twins: Vec::new(),
            place_of: vec![NO_PLACE; men[0].len() * men[1].len()],
            men_sets: men[1].len(),
            king_sets: Self::king_sets::<R>(pair),
        };
        for (i, &(level, image, rows, a, b)) in places.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| places[i]);
            let block = layout.blocks.len() as u32;
            if before.is_none_or(|p| p.0 != level) {
                if i > 0 {
                    layout.twins.resize(layout.levels.len(), block);
                }
                layout.levels.push(block);
            }
            if image && layout.twins.len() < layout.levels.len() {
                layout.twins.push(block);
            }
            if alone || before.is_none_or(|p| (p.0, p.1, p.2) != (level, image, rows)) {
                layout.blocks.push(i as u32);
            }
            layout.placements.push([men[0][a as usize], men[1][b as usize]]);
            layout.place_of[a as usize * layout.men_sets + b as usize] = i as u32;
        }
        layout.twins.resize(layout.levels.len(), layout.blocks.len() as u32);
        layout.levels.push(layout.blocks.len() as u32);
        layout.blocks.push(layout.placements.len() as u32);
        layout
    }

    /// Men that do not run, by side.
    #[must_use]
    pub fn fixed_men(pair: Pair) -> [usize; 2] {
        let running = usize::from(pair.runner() == Runner::Man);
        [pair.sides[0].men as usize, pair.sides[1].men as usize - running]
    }

    /// Kings that do not run, by side.
    #[must_use]
    pub fn fixed_kings(pair: Pair) -> [usize; 2] {
        [pair.sides[0].kings as usize, pair.sides[1].kings.saturating_sub(1) as usize]
    }

    fn king_sets<R: Rules>(pair: Pair) -> [usize; 2] {
        Self::fixed_kings(pair).map(|k| binomial(R::Geometry::SQUARES, k))
    }

    /// Words of one side to move in a placement.
    #[inline]
    #[must_use]
    pub fn words_per_side(&self) -> usize {
        self.king_sets[0] * self.king_sets[1]
    }

    /// The number of levels.
    #[must_use]
    pub fn level_count(&self) -> usize {
        self.levels.len() - 1
    }

    /// The blocks of a level that are solved.
    #[must_use]
    pub fn level(&self, level: usize) -> Range<usize> {
        self.levels[level] as usize..self.twins[level] as usize
    }

    /// The blocks of a level, stored after the others, that are images of blocks of the level: see `twin.rs`.
    #[must_use]
    pub fn twins(&self, level: usize) -> Range<usize> {
        self.twins[level] as usize..self.levels[level + 1] as usize
    }

    /// The placements of a level, those of images last.
    #[must_use]
    pub fn places_of_level(&self, level: usize) -> Range<usize> {
        let blocks = self.levels[level]..self.levels[level + 1];
        self.blocks[blocks.start as usize] as usize..self.blocks[blocks.end as usize] as usize
    }

    /// Whether there are images.
    #[must_use]
    pub fn has_twins(&self) -> bool {
        (0..self.level_count()).any(|level| !self.twins(level).is_empty())
    }

    /// The placements of a block.
    #[inline]
    #[must_use]
    pub fn block(&self, block: usize) -> Range<usize> {
        self.blocks[block] as usize..self.blocks[block + 1] as usize
    }

    /// The placement of these fixed men, which must not overlap.
    #[inline(always)]
    #[must_use]
    pub fn place<R: Rules>(&self, men: [Bitboard; 2]) -> usize {
        self.place_of_rank(Sets::<R>::rank_men(0, men[0]) * self.men_sets + Sets::<R>::rank_men(1, men[1]))
    }

    /// The placement of these fixed men once the board is turned by half a turn and the sides have changed places.
    #[inline(always)]
    #[must_use]
    pub fn place_turned<R: Rules>(&self, men: [Bitboard; 2]) -> usize {
        let ranks = [Sets::<R>::rank_men_turned(0, men[1]), Sets::<R>::rank_men_turned(1, men[0])];
        self.place_of_rank(ranks[0] * self.men_sets + ranks[1])
    }

    #[inline(always)]
    fn place_of_rank(&self, rank: usize) -> usize {
        debug_assert_ne!(self.place_of[rank], NO_PLACE);
        self.place_of[rank] as usize
    }
}

/// Rows that men of `side` still have to go, added up.
fn advance_left<R: Rules>(side: usize, men: Bitboard) -> u32 {
    men.into_iter()
        .map(|sq| if side == 0 { R::Geometry::row(sq) } else { R::Geometry::WIDTH - 1 - R::Geometry::row(sq) })
        .sum()
}

/// How many men stand on each row, four bits a row and side.
fn rows_of<R: Rules>(men: [Bitboard; 2]) -> u64 {
    let mut rows = 0;
    for (side, set) in men.into_iter().enumerate() {
        for square in set {
            rows += 1u64 << (4 * (R::Geometry::row(square) + 8 * side as u32));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{International, Turkish};

    fn side(kings: u32, men: u32) -> Side {
        Side { kings, men }
    }

    #[test]
    fn an_advance_leads_to_an_earlier_level_and_a_sidestep_stays_in_the_block() {
        let layout = Layout::new::<Turkish>(Pair::of(side(1, 2), side(1, 1)).0);
        let mut level_of = vec![0; layout.placements.len()];
        let mut block_of = vec![0; layout.placements.len()];
        for level in 0..layout.level_count() {
            for block in layout.level(level) {
                for place in layout.block(block) {
                    level_of[place] = level;
                    block_of[place] = block;
                }
            }
        }
        for (place, &men) in layout.placements.iter().enumerate() {
            for sd in SIDES {
                for man in men[sd] {
                    for d in crate::board::Direction::ALL {
                        let to = <Turkish as Rules>::Geometry::step(d).apply(Bitboard::of(man));
                        if to.is_empty() || to.meets(men[0] | men[1] | Sets::<Turkish>::promotion_row(sd)) {
                            continue;
                        }
                        let mut after = men;
                        after[sd] = men[sd].minus(Bitboard::of(man)) | to;
                        let next = layout.place::<Turkish>(after);
                        if <Turkish as Rules>::Geometry::SIDEWAYS.contains(&d) {
                            assert_eq!(block_of[next], block_of[place]);
                        } else if Sets::<Turkish>::forward(sd).any(|f| f == d) {
                            assert_eq!(level_of[next] + 1, level_of[place]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_second_side_runs_with_fewer_kings_but_one() {
        assert_eq!(Pair::of(side(2, 0), side(1, 1)).0.sides, [side(2, 0), side(1, 1)]);
        assert_eq!(Pair::of(side(1, 0), side(0, 2)), (Pair { sides: [side(0, 2), side(1, 0)] }, true));
        assert_eq!(Pair::of(side(0, 1), side(0, 2)).0.sides[1], side(0, 1));
        let layout = Layout::new::<International>(Pair::of(side(1, 1), side(1, 0)).0);
        assert_eq!((layout.placements.len(), layout.words_per_side()), (45, 50));
    }
}
