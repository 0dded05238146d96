//! The values after a quiet move of a slice's mover, 64 at a time.
//!
//! A *cell* holds, for fixed other pieces, the values of the positions with the other side to move, seen by the mover
//! who has just moved, one for each square of the runner of the slice's rows. A quiet move of any other piece leads
//! from one cell to another and takes the values of all squares of the runner at once.

use rayon::prelude::*;

use crate::board::{Bitboard, Geometry, Square};
use crate::build::verify::score::Score;
use crate::build::verify::values::Values;
use crate::index::{Runner, choose};
use crate::position::Position;
use crate::rules::{Rules, Side};

/// The pieces that do not run, from the side of the mover of the slice.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    /// The mover's men.
    pub our_men: Bitboard,
    /// The mover's kings.
    pub our_kings: Bitboard,
    /// The other side's men.
    pub their_men: Bitboard,
    /// The other side's kings.
    pub their_kings: Bitboard,
}

impl Rest {
    /// All of them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.our_men | self.our_kings | self.their_men | self.their_kings
    }

    /// The position with the runner on `square`, the mover to move.
    pub fn position<R: Rules>(&self, runner: Runner, square: Square) -> Position<R> {
        let (mut ours, mut theirs) = (self.our_men | self.our_kings, self.their_men | self.their_kings);
        let mut kings = self.our_kings | self.their_kings;
        match runner {
            Runner::OurKing => (ours, kings) = (ours.with(square), kings.with(square)),
            Runner::TheirKing => (theirs, kings) = (theirs.with(square), kings.with(square)),
            Runner::TheirMan => theirs = theirs.with(square),
        }
        Position::from_sets(ours, theirs, kings)
    }
}

/// The cells of a slice.
#[derive(Debug)]
pub struct Cells<R, S> {
    cells: Vec<[S; 64]>,
    /// Numbers of sets: our men, their men, our kings, their kings.
    sizes: [usize; 4],
    rules: std::marker::PhantomData<R>,
}

/// The number of `set` among all sets of as many squares, row by row.
#[inline]
fn number<R: Rules>(set: Bitboard) -> usize {
    set.into_iter().zip(1..).map(|(square, k)| choose(R::Geometry::place(square), k)).sum::<u64>() as usize
}

impl<R: Rules, S: Score> Cells<R, S> {
    /// Collects the values of `twin`, the slice with the other side to move, for the slice of `ours` against `theirs`.
    pub fn collect(twin: &Values<R, S>, ours: Side, theirs: Side, runner: Runner) -> Self {
        let count = |n: u32, runs: bool| n - u32::from(runs);
        let counts = [
            ours.men,
            count(theirs.men, runner == Runner::TheirMan),
            count(ours.kings, runner == Runner::OurKing),
            count(theirs.kings, runner == Runner::TheirKing),
        ];
        let lists = counts.map(sets::<R::Geometry>);
        let sizes = [lists[0].len(), lists[1].len(), lists[2].len(), lists[3].len()];
        let mut cells = vec![[S::LOST; 64]; sizes.iter().product()];
        let per_men = sizes[2] * sizes[3];
        cells.par_chunks_mut(per_men).enumerate().for_each(|(number, cells)| {
            let (our_men, their_men) = (lists[0][number / sizes[1]], lists[1][number % sizes[1]]);
            let standing = our_men.minus(R::Geometry::TOP_ROW) == our_men
                && their_men.minus(R::Geometry::BOTTOM_ROW) == their_men
                && !our_men.meets(their_men);
            if !standing {
                return;
            }
            let block = Block::new(twin, runner, our_men, their_men);
            for (i, &our_kings) in lists[2].iter().enumerate() {
                for (j, &their_kings) in lists[3].iter().enumerate() {
                    let rest = Rest { our_men, our_kings, their_men, their_kings };
                    if (our_men | their_men).meets(our_kings | their_kings) || our_kings.meets(their_kings) {
                        continue;
                    }
                    let cell = &mut cells[i * sizes[3] + j];
                    for square in block.runs(&rest) {
                        cell[square.index()] = block.score(&rest, square).back();
                    }
                }
            }
        });
        Cells { cells, sizes, rules: std::marker::PhantomData }
    }

    /// The cell of `rest`.
    #[inline]
    pub fn of(&self, rest: &Rest) -> &[S; 64] {
        let men = number::<R>(rest.our_men) * self.sizes[1] + number::<R>(rest.their_men);
        let kings = number::<R>(rest.our_kings) * self.sizes[3] + number::<R>(rest.their_kings);
        &self.cells[men * self.sizes[2] * self.sizes[3] + kings]
    }
}

/// All sets of `k` squares, by [`number`].
fn sets<G: Geometry>(k: u32) -> Vec<Bitboard> {
    let mut all = vec![Bitboard::EMPTY];
    for _ in 0..k {
        // A set of one square more comes after all sets below that square.
        let smaller = std::mem::take(&mut all);
        for square in G::BOARD {
            let below = Bitboard::of(square).below_lowest();
            all.extend(smaller.iter().take_while(|s| s.minus(below).is_empty()).map(|s| s.with(square)));
        }
    }
    all
}

/// The slots of the twin whose men stand alike.
struct Block<'a, R: Rules, S> {
    twin: &'a Values<R, S>,
    runner: Runner,
    /// Squares without men, as the twin's mover sees them; and by square, how many of them come before it.
    free: Bitboard,
    before: [u8; 64],
    /// The first slot, where slots of the block follow each other as ranks do.
    start: Option<u64>,
    /// Sets of the twin mover's kings.
    mover_sets: u64,
}

impl<'a, R: Rules, S: Score> Block<'a, R, S> {
    fn new(twin: &'a Values<R, S>, runner: Runner, our_men: Bitboard, their_men: Bitboard) -> Self {
        let (ours, theirs) = (twin.indexer.material().ours(), twin.indexer.material().theirs());
        let turned = R::Geometry::rotate;
        let free = R::Geometry::BOARD.minus(turned(our_men | their_men));
        let mut before = [0; 64];
        for (ordinal, square) in twin.indexer.order().in_order::<R::Geometry>(free).enumerate() {
            before[square.index()] = ordinal as u8;
        }
        let mut block = Block { twin, runner, free, before, start: None, mover_sets: 0 };
        let plain = twin.indexer.slots() == twin.indexer.placements();
        if plain && runner != Runner::TheirMan {
            // The first slot of the block has all kings on the first squares, those that wait before those to move.
            let mut squares = twin.indexer.order().in_order::<R::Geometry>(free);
            let mut take = |n: u32| squares.by_ref().take(n as usize).collect::<Bitboard>();
            let (waiting, moving) = (take(theirs.kings), take(ours.kings));
            let (ours, theirs) = (turned(their_men) | moving, turned(our_men) | waiting);
            block.start = Some(twin.indexer.slot(&Position::from_sets(ours, theirs, moving | waiting)));
            block.mover_sets = choose(free.len() - waiting.len(), moving.len());
        }
        block
    }

    /// The squares on which the runner may stand.
    fn runs(&self, rest: &Rest) -> Bitboard {
        let free = R::Geometry::BOARD.minus(rest.occupied());
        if self.runner == Runner::TheirMan { free.minus(R::Geometry::BOTTOM_ROW) } else { free }
    }

    /// The value for the twin's mover with the runner on `square`.
    #[inline]
    fn score(&self, rest: &Rest, square: Square) -> S {
        let Some(start) = self.start else {
            let position = rest.position::<R>(self.runner, square).turned();
            return self.twin.scores[self.twin.indexer.slot(&position) as usize];
        };
        let (mut waiting, mut moving) = (rest.our_kings, rest.their_kings);
        match self.runner {
            Runner::OurKing => waiting = waiting.with(square),
            _ => moving = moving.with(square),
        }
        let (waiting, moving) = (R::Geometry::rotate(waiting), R::Geometry::rotate(moving));
        let outer = self.rank(waiting, [].into_iter());
        let inner = self.rank(moving, self.ordinals(waiting));
        self.twin.scores[(start + outer * self.mover_sets + inner) as usize]
    }

    /// The ordinals of a set of kings among the squares without men, ascending.
    #[inline]
    fn ordinals(&self, set: Bitboard) -> impl Iterator<Item = u8> + Clone {
        self.twin.indexer.order().in_order::<R::Geometry>(set & self.free).map(|square| self.before[square.index()])
    }

    /// The rank of a set of kings among the squares without men and without pieces of the ordinals `taken`.
    #[inline]
    fn rank(&self, set: Bitboard, taken: impl Iterator<Item = u8> + Clone) -> u64 {
        self.ordinals(set)
            .zip(1..)
            .map(|(ordinal, k)| {
                let below = taken.clone().filter(|&t| t < ordinal).count() as u32;
                choose(u32::from(ordinal) - below, k)
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::International;

    #[test]
    fn sets_come_by_number() {
        for k in 0..=3 {
            for (i, &set) in sets::<<International as Rules>::Geometry>(k).iter().enumerate() {
                assert_eq!(number::<International>(set), i);
                assert_eq!(set.len(), k);
            }
        }
    }
}
