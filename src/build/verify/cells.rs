//! The values of a slice as the side that has just moved reads them, 64 at a time.
//!
//! A *cell* holds, for fixed other pieces, the values of the positions of a slice, seen by the side that has just
//! moved, one for each square of one piece: of the *runner*, which is the piece that runs along the rows from which
//! those moves come. So what a move of any other piece leads to is one cell for all squares of the runner at once.
//!
//! Cells are numbered by the sets of their pieces, each set among all sets of as many squares:
//!
//! ```text
//! ((their men * sets of our men + our men) * sets of our kings + our kings) * sets of their kings + their kings
//! ```
//!
//! Where two pieces stand on one square there is a cell that nobody reads. Every placement has its lane, also those
//! that a table leaves out because a symmetry gives them.

use std::marker::PhantomData;

use crate::board::{Bitboard, Geometry, Square};
use crate::build::verify::images::{Images, Map, image};
use crate::build::verify::lanes::Lanes;
use crate::build::verify::pieces::{Kind, Pieces, places};
use crate::build::verify::score::Score;
use crate::build::verify::values::Values;
use crate::index::{Material, Row, choose};
use crate::rules::Rules;

/// How the cells of a slice are numbered.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<R> {
    /// The piece whose squares are lanes.
    runner: Kind,
    /// By kind, what the next set of that kind adds to the number of a cell.
    weights: [usize; 4],
    /// How many cells there are.
    count: u64,
    rules: PhantomData<R>,
}

/// The cells of a slice.
#[derive(Debug)]
pub struct Cells<R: Rules, S: Score> {
    numbers: Numbers<R>,
    cells: Vec<Cell<R, S>>,
}

/// The values of a cell, as they are kept.
pub type Cell<R, S> = <<S as Score>::Lanes as Lanes<S>>::Cell<<R as Rules>::Geometry>;
/// The values of a cell.
pub type Read<'a, S> = <<S as Score>::Lanes as Lanes<S>>::Read<'a>;

/// What the sets of some pieces, by kind, add to the number of their cell.
#[derive(Clone, Copy, Debug)]
pub struct Base([usize; 4]);

/// The numbers of the cells that differ in one piece.
#[derive(Debug)]
pub struct Along<R> {
    /// By how many pieces of the kind come before the one that differs.
    bases: [usize; 16],
    /// The other pieces of its kind.
    others: Bitboard,
    weight: usize,
    /// Places before the first on which the kind may stand.
    skipped: u32,
    rules: PhantomData<R>,
}

impl<R: Rules> Along<R> {
    /// The cell with the piece on `square`.
    #[inline(always)]
    pub fn number(&self, square: Square) -> usize {
        let before = (self.others & Bitboard::of(square).below_lowest()).len();
        let ordinal = R::Geometry::place(square) - self.skipped;
        self.bases[(before & 15) as usize] + self.weight * choose(ordinal, before + 1) as usize
    }
}

impl<R: Rules> Numbers<R> {
    /// The numbering of the cells of the slice of `material`, whose mover answers the moves that lead to it.
    pub fn new(material: Material) -> Self {
        let (ours, theirs) = (material.theirs(), material.ours());
        let runner = Kind::runner(ours, theirs);
        let sets =
            |kind: Kind, count: u32| choose(places::<R::Geometry>(kind).len(), count - u32::from(kind == runner));
        let our_men = sets(Kind::OurMan, ours.men);
        let our_kings = sets(Kind::OurKing, ours.kings);
        let their_kings = sets(Kind::TheirKing, theirs.kings);
        let kings = our_kings * their_kings;
        let weights = [kings, our_men.saturating_mul(kings), their_kings, 1].map(|weight| weight as usize);
        let count = sets(Kind::TheirMan, theirs.men).saturating_mul(our_men.saturating_mul(kings));
        Numbers { runner, weights, count, rules: PhantomData }
    }

    /// How many cells there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// What the sets of `pieces` add.
    #[inline(always)]
    fn base(&self, pieces: &Pieces) -> Base {
        let added = |kind: Kind| self.weights[kind as usize] * set_number::<R>(kind, pieces[kind], 1);
        Base([added(Kind::OurMan), added(Kind::TheirMan), added(Kind::OurKing), added(Kind::TheirKing)])
    }

    /// The number of a cell, by its pieces.
    #[inline]
    fn number(&self, pieces: &Pieces) -> usize {
        self.base(pieces).0.iter().sum()
    }

    /// The numbers of the cells with `others` and one more of `kind`, and pieces of the other kinds as in `base`.
    #[inline]
    fn along(&self, base: Base, kind: Kind, others: Bitboard) -> Along<R> {
        let weight = self.weights[kind as usize];
        let skipped = skipped::<R>(kind);
        let rest = base.0.iter().sum::<usize>() - base.0[kind as usize];
        // With the piece before all others they are second, third ..; each it passes becomes first, second ..
        let mut base = rest + weight * set_number::<R>(kind, others, 2);
        let mut bases = [base; 16];
        for (square, k) in others.into_iter().zip(1..) {
            let ordinal = R::Geometry::place(square) - skipped;
            base = base + weight * choose(ordinal, k) as usize - weight * choose(ordinal, k + 1) as usize;
            bases[(k & 15) as usize] = base;
        }
        Along { bases, others, weight, skipped, rules: PhantomData }
    }

    /// Writes the values of a row of the slice, and of the image of it that `map` gives, seen by the other side.
    #[inline]
    fn write<S: Score>(
        &self,
        cells: &mut [Cell<R, S>],
        row: &Row,
        map: &Map,
        scores: impl Iterator<Item = (Square, S)>,
    ) {
        let mapped = |square: Square| Square::from_bit(u32::from(map[square.index()]));
        let pieces = Pieces::of_row(row).turned(|set| image(set, map));
        let kind = Kind::from(row.runner).turned();
        let mut runs = [(Square::from_bit(0), S::LOST); 64];
        let mut count = 0;
        for (square, score) in scores {
            let value = score.back();
            runs[count & 63] = (mapped(square), value);
            // Cells begin as lost.
            count += usize::from(value != S::LOST);
        }
        let runs = &runs[..count];
        let base = self.base(&pieces);
        for lane in pieces[self.runner] {
            let others = pieces.minus(self.runner, Bitboard::of(lane));
            let mut base = base;
            base.0[self.runner as usize] =
                self.weights[self.runner as usize] * set_number::<R>(self.runner, others[self.runner], 1);
            let along = self.along(base, kind, others[kind]);
            for &(square, value) in runs {
                S::Lanes::raise_in::<R::Geometry>(&mut cells[along.number(square)], lane, value);
            }
        }
        if kind == self.runner {
            let cell = &mut cells[base.0.iter().sum::<usize>()];
            for &(square, value) in runs {
                S::Lanes::raise_in::<R::Geometry>(cell, square, value);
            }
        }
    }
}

/// The number of `set` among all sets of as many squares, its first square counting as the one with ordinal `first`.
#[inline(always)]
fn set_number<R: Rules>(kind: Kind, set: Bitboard, first: u32) -> usize {
    let skipped = skipped::<R>(kind);
    set.into_iter().zip(first..).map(|(square, k)| choose(R::Geometry::place(square) - skipped, k)).sum::<u64>()
        as usize
}

/// How many places come before the first on which a piece of the kind may stand.
#[inline(always)]
fn skipped<R: Rules>(kind: Kind) -> u32 {
    if kind == Kind::OurMan { R::Geometry::ROW } else { 0 }
}

impl<R: Rules, S: Score> Cells<R, S> {
    /// Collects the values of a slice.
    pub fn collect(values: &Values<R, S>) -> Self {
        let numbers = Numbers::new(values.indexer.material());
        let mut cells = vec![S::Lanes::lost_cell::<R::Geometry>(); numbers.count as usize];
        let mut images = Images::new(&values.indexer);
        for row in values.indexer.rows_from(0) {
            let squares = values.indexer.order().in_order::<R::Geometry>(row.squares);
            let scores = squares.zip(values.scores[row.first_slot as usize..].iter().copied());
            for map in images.of(&row) {
                numbers.write::<S>(&mut cells, &row, map, scores.clone());
            }
        }
        Cells { numbers, cells }
    }

    /// The piece whose squares are lanes.
    #[inline]
    pub fn runner(&self) -> Kind {
        self.numbers.runner
    }

    /// The cell of these pieces.
    #[inline]
    pub fn of(&self, pieces: &Pieces) -> Read<'_, S> {
        S::Lanes::read::<R::Geometry>(&self.cells[self.numbers.number(pieces)])
    }

    /// What the sets of `pieces` add to the numbers of cells.
    #[inline]
    pub fn base(&self, pieces: &Pieces) -> Base {
        self.numbers.base(pieces)
    }

    /// The cells of `others` and one more of `kind`, with pieces of other kinds as in `base`: see [`Cells::at`].
    #[inline]
    pub fn along(&self, base: Base, kind: Kind, others: Bitboard) -> Along<R> {
        self.numbers.along(base, kind, others)
    }

    /// The cell with the piece more on `square`.
    #[inline]
    pub fn at(&self, along: &Along<R>, square: Square) -> Read<'_, S> {
        S::Lanes::read::<R::Geometry>(&self.cells[along.number(square)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::verify::values::Due;
    use crate::index::Indexer;
    use crate::rules::{English, International, Turkish};

    fn every_placement_has_the_value_of_its_slot<R: Rules>(text: &str) {
        let indexer = Indexer::<R>::new(text.parse().expect("a material"));
        let scores: Vec<i8> = (0..indexer.slots()).map(|slot| (slot * slot / 7 % 3) as i8 - 1).collect();
        let values = Values { due: Due::none(scores.len()), indexer, scores, rule: None, several: false };
        let cells = Cells::collect(&values);
        for rank in 0..values.indexer.placements() {
            let position = values.indexer.unrank(rank);
            let turned = |set: Bitboard| R::Geometry::rotate(set);
            let pieces = Pieces::of_position(&position).turned(turned);
            let expected = values.scores[values.indexer.slot(&position) as usize].back();
            for lane in pieces[cells.runner()] {
                let rest = pieces.minus(cells.runner(), Bitboard::of(lane));
                assert_eq!(cells.of(&rest).get(lane), expected, "{} {text}: {position:?}", R::NAME);
            }
        }
    }

    #[test]
    fn every_placement_has_a_lane() {
        for text in ["KvK", "KKvKK", "KMvK", "KvKM", "KvMM", "MMvM"] {
            every_placement_has_the_value_of_its_slot::<English>(text);
        }
        for text in ["KvK", "KKvK", "KMvK", "KvKM", "KvM", "MvK", "MvMM"] {
            every_placement_has_the_value_of_its_slot::<Turkish>(text);
        }
        every_placement_has_the_value_of_its_slot::<International>("KKvK");
    }

    fn cells_are_numbered_one_by_one<R: Rules>(text: &str) {
        let numbers = Numbers::<R>::new(text.parse().expect("a material"));
        let mut seen = vec![false; numbers.count() as usize];
        let all = |kind| places::<R::Geometry>(kind).into_iter();
        // Theirs to move with two kings and a man, against a man that has moved, and no runner but a king of theirs.
        for man in all(Kind::OurMan) {
            for their_man in all(Kind::TheirMan) {
                for king in all(Kind::TheirKing) {
                    let men = Pieces::default().with(Kind::OurMan, man).with(Kind::TheirMan, their_man);
                    let number = numbers.number(&men.with(Kind::TheirKing, king));
                    assert!(!std::mem::replace(&mut seen[number], true));
                    assert_eq!(
                        numbers.along(numbers.base(&men), Kind::TheirKing, Bitboard::EMPTY).number(king),
                        number
                    );
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }

    #[test]
    fn every_set_of_pieces_has_a_cell() {
        cells_are_numbered_one_by_one::<English>("KKMvM");
        cells_are_numbered_one_by_one::<International>("KKMvM");
    }

    #[test]
    fn a_piece_among_others_of_its_kind_has_the_number_of_the_whole_set() {
        let numbers = Numbers::<English>::new("KvKKKK".parse().expect("a material"));
        let board = <English as Rules>::Geometry::BOARD;
        let at = |place| <English as Rules>::Geometry::square(place);
        let pieces =
            Pieces::default().with(Kind::OurKing, at(9)).with(Kind::OurKing, at(20)).with(Kind::TheirKing, at(0));
        let along = numbers.along(numbers.base(&pieces), Kind::OurKing, pieces[Kind::OurKing]);
        for square in board.minus(pieces[Kind::OurKing]) {
            assert_eq!(along.number(square), numbers.number(&pieces.with(Kind::OurKing, square)));
        }
    }
}
