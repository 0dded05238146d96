//! The slices read so far, and what a move to one of them is worth.

use std::borrow::Borrow;

use crate::board::Bitboard;
use crate::build::verify::cells::{Cells, Read};
use crate::build::verify::lanes::Lanes;
use crate::build::verify::pieces::{Kind, Pieces};
use crate::build::verify::score::Score;
use crate::index::Material;
use crate::rules::{DrawRule, MoveKind, Rules, Side};

/// Slices read so far.
#[derive(Debug)]
pub struct Slices<R: Rules, S: Score> {
    /// By [`key`].
    by_sides: Vec<Option<Cells<R, S>>>,
}

/// Four bits for each number of pieces, which is enough for any slice whose values fit in memory.
#[inline]
fn key(ours: Side, theirs: Side) -> usize {
    ((ours.kings & 15) << 12 | (ours.men & 15) << 8 | (theirs.kings & 15) << 4 | theirs.men & 15) as usize
}

impl<R: Rules, S: Score> Default for Slices<R, S> {
    fn default() -> Self {
        Slices { by_sides: (0..1 << 16).map(|_| None).collect() }
    }
}

/// A capture, or a promotion, by which the mover comes to another slice.
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'a> {
    /// What it is.
    pub kind: MoveKind,
    /// The draw rule that decides, for values that depend on one.
    pub rule: Option<&'a DrawRule>,
}

impl Conversion<'_> {
    /// Whether the count of the rule goes on, where the side to move then has `ours`.
    #[inline]
    pub fn goes_on(&self, ours: Side, theirs: Side) -> bool {
        self.rule.is_some_and(|rule| rule.goes_on(self.kind, ours, theirs))
    }
}

impl<R: Rules, S: Score> Slices<R, S> {
    /// Adds the slice of `material`.
    pub fn insert(&mut self, material: Material, cells: Cells<R, S>) {
        self.by_sides[key(material.ours(), material.theirs())] = Some(cells);
    }

    /// Forgets a slice.
    pub fn remove(&mut self, material: Material) {
        self.by_sides[key(material.ours(), material.theirs())] = None;
    }

    /// The values of the slice in which the side to move has `ours`, seen by the other.
    ///
    /// # Panics
    /// If it has not been read: slices are read after those they lead to.
    #[inline]
    #[must_use]
    pub fn get(&self, ours: Side, theirs: Side) -> &Cells<R, S> {
        self.by_sides[key(ours, theirs)].as_ref().expect("slices are read after those they lead to")
    }

    /// The value of a conversion that leads to `after`, all of its pieces.
    #[inline]
    pub fn value(&self, after: &Pieces, conversion: Conversion<'_>) -> S {
        let (ours, theirs) = after.sides();
        let value = if theirs.pieces() == 0 {
            S::LOST.back()
        } else {
            let cells = self.get(theirs, ours);
            let lane = after[cells.runner()].first();
            cells.of(&after.minus(cells.runner(), Bitboard::of(lane))).borrow().get(lane)
        };
        value.by_conversion(conversion.goes_on(theirs, ours))
    }

    /// Where the values are of a conversion of the other pieces that leads to `after`, for all squares of the runner.
    #[inline]
    pub fn lanes(&self, after: &Pieces, runner: Kind, conversion: Conversion<'_>) -> After<'_, S> {
        let (mut ours, mut theirs) = after.sides();
        match runner {
            Kind::OurKing => ours.kings += 1,
            Kind::OurMan => ours.men += 1,
            Kind::TheirKing => theirs.kings += 1,
            Kind::TheirMan => theirs.men += 1,
        }
        let goes_on = conversion.goes_on(theirs, ours);
        if theirs.pieces() == 0 {
            return After::Same(S::LOST.back().by_conversion(goes_on));
        }
        let cells = self.get(theirs, ours);
        if cells.runner() == runner { After::Cell(cells.of(after), goes_on) } else { After::Apart }
    }

    /// Raises the lanes of `on`, free squares of the runner, by a conversion of the other pieces that leads to `after`.
    #[inline]
    pub fn raise(&self, best: &mut S::Lanes, after: &Pieces, runner: Kind, on: Bitboard, conversion: Conversion<'_>) {
        match self.lanes(after, runner, conversion) {
            After::Same(value) => best.raise_all(value, on),
            After::Cell(cell, goes_on) => best.raise_converted(cell.borrow(), on, goes_on),
            After::Apart => {
                for square in on {
                    best.raise(square, self.value(&after.with(runner, square), conversion));
                }
            }
        }
    }
}

/// The values after a conversion, for all squares of a runner.
#[derive(Debug)]
pub enum After<'a, S: Score> {
    /// Nothing of the other side is left.
    Same(S),
    /// A cell, and whether the count of the draw rule goes on.
    Cell(Read<'a, S>, bool),
    /// The slice is kept by the squares of another piece.
    Apart,
}
