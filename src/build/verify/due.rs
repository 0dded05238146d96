//! The captures of a row: for all squares of its runner at once.
//!
//! What another piece captures, beginning in one direction, does not depend on the runner unless that stands on one of
//! the squares that [`Search`] noted. On some of these it closes the way, on the others the piece is looked at again.
//! What a runner of the mover's captures in one direction depends on the victim it meets first, not on where it comes
//! from. So nearly every capture is played once and read as a cell.
//!
//! Of the captures on one square of the runner those of the greatest weight are legal.

use std::borrow::Borrow;

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::build::verify::captures::{Capture, Search, open};
use crate::build::verify::lanes::Lanes;
use crate::build::verify::pieces::{Kind, Pieces};
use crate::build::verify::score::Score;
use crate::build::verify::slices::{After, Conversion, Slices};
use crate::rules::{DrawRule, MoveKind, Rules};

/// Plays the captures of rows.
#[derive(Debug)]
pub struct Captures<'a, R: Rules, S: Score> {
    slices: &'a Slices<R, S>,
    conversion: Conversion<'a>,
    /// Those of one piece in one direction.
    found: Vec<Capture>,
    /// Those of the row so far: their weight, and the squares of the runner on which they are there.
    ways: Vec<(u32, Bitboard, Worth<S>)>,
}

/// What captures are worth.
#[derive(Clone, Copy, Debug)]
enum Worth<S> {
    /// The value of a position with these pieces beside the runner, the other side to move.
    After(Pieces),
    /// The same for all squares of the runner.
    Value(S),
}

impl<'a, R: Rules, S: Score> Captures<'a, R, S> {
    /// For a slice whose captures lead to `slices`.
    pub fn new(slices: &'a Slices<R, S>, rule: Option<&'a DrawRule>) -> Self {
        let conversion = Conversion { kind: MoveKind::Capture, rule };
        Captures { slices, conversion, found: Vec::new(), ways: Vec::new() }
    }

    /// The squares of the runner, among `squares`, on which a capture is due, and the values there.
    pub fn of_row(&mut self, pieces: &Pieces, runner: Kind, squares: Bitboard) -> (Bitboard, S::Lanes) {
        self.ways.clear();
        let empty = R::Geometry::BOARD.minus(pieces.occupied());
        for d in Direction::ALL {
            let back = R::Geometry::step(d.opposite());
            let exposed = pieces.theirs() & back.apply(empty);
            let beside = back.apply(exposed);
            for kind in [Kind::OurMan, Kind::OurKing] {
                for from in pieces[kind] {
                    let sees = match kind {
                        Kind::OurKing if R::FLYING_KINGS => R::Geometry::RAYS[d.index()][from.index()].meets(exposed),
                        _ => beside.contains(from),
                    };
                    // A runner of theirs may be what is taken.
                    if sees || runner != Kind::OurKing {
                        self.by_another(pieces, runner, squares, kind, from, d);
                    }
                }
            }
            if runner == Kind::OurKing {
                for victim in exposed {
                    let way = if R::FLYING_KINGS {
                        open::<R>(victim, d.opposite(), empty)
                    } else {
                        back.apply(Bitboard::of(victim)) & empty
                    };
                    self.by_runner(pieces, way & squares, d);
                }
            }
        }
        let (mut due, mut best) = (Bitboard::EMPTY, S::Lanes::LOST);
        let heaviest = self.ways.iter().map(|way| way.0).max().unwrap_or(0);
        for &(weight, on, worth) in &self.ways {
            let mut legal = on;
            if weight < heaviest {
                let heavier = self.ways.iter().filter(|other| other.0 > weight);
                legal = heavier.fold(on, |legal, other| legal.minus(other.1));
            }
            due |= on;
            match worth {
                Worth::After(after) => self.slices.raise(&mut best, &after, runner, legal, self.conversion),
                Worth::Value(value) => best.raise_all(value, legal),
            }
        }
        best.limit(due, self.conversion.rule.map(|rule| rule.plies));
        (due, best)
    }

    /// Finds the captures that another piece than the runner begins on `from` in direction `d`.
    #[inline]
    fn by_another(&mut self, pieces: &Pieces, runner: Kind, squares: Bitboard, kind: Kind, from: Square, d: Direction) {
        let mut search = Search::new::<R>(pieces, runner != Kind::OurKing, &mut self.found);
        let needed = search.visit::<R>(kind, from, d);
        let (weight, touched) = (search.weight, search.touched);
        let ray = |square: Square| R::Geometry::RAYS[d.index()][square.index()];
        let flies_once = kind == Kind::OurKing && R::FLYING_KINGS && self.found.iter().all(|c| !c.taken.many());
        for capture in &self.found {
            // A king that takes one piece goes straight: a runner farther on is not in its way.
            let closed = if flies_once { ray(from).minus(ray(capture.to)) } else { touched };
            self.ways.push((weight, squares.minus(closed), Worth::After(capture.play(pieces))));
        }
        if flies_once {
            return;
        }
        for square in touched.minus(needed) & squares {
            let before = pieces.with(runner, square);
            let mut search = Search::new::<R>(&before, false, &mut self.found);
            search.visit::<R>(kind, from, d);
            let weight = search.weight;
            let values = self.found.iter().map(|capture| self.slices.value(&capture.play(&before), self.conversion));
            if let Some(value) = values.max() {
                self.ways.push((weight, Bitboard::of(square), Worth::Value(value)));
            }
        }
    }

    /// Finds the captures that a runner of the mover's begins in direction `d`, standing on any of `squares` before the
    /// same victim.
    #[inline]
    fn by_runner(&mut self, pieces: &Pieces, squares: Bitboard, d: Direction) {
        if squares.any() {
            let mut search = Search::new::<R>(pieces, false, &mut self.found);
            search.visit::<R>(Kind::OurKing, squares.first(), d);
            let weight = search.weight;
            self.ways.push((weight, squares, Worth::Value(self.best_of_runner(pieces))));
        }
    }

    /// The best of the captures found of a runner of the mover's.
    fn best_of_runner(&self, pieces: &Pieces) -> S {
        let mut best = S::LOST;
        let (mut taken, mut after) = (Bitboard::EMPTY, After::Apart);
        for capture in &self.found {
            if capture.taken != taken {
                taken = capture.taken;
                let left = pieces.minus(Kind::TheirMan, taken).minus(Kind::TheirKing, taken);
                after = self.slices.lanes(&left, Kind::OurKing, self.conversion);
            }
            best = best.max(match after {
                After::Same(value) => value,
                After::Cell(cell, goes_on) => cell.borrow().get(capture.to).by_conversion(goes_on),
                After::Apart => unreachable!("slices are kept by a king of the side that has moved, if it has one"),
            });
            if best == S::BEST {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::verify::cells::Cells;
    use crate::build::verify::values::Due;
    use crate::build::verify::values::Values;
    use crate::index::{Indexer, Material};
    use crate::position::Position;
    use crate::rules::{English, International, Russian, Side, Turkish};

    /// A slice of values that no rules made.
    fn made_up<R: Rules>(material: Material) -> Values<R, i16> {
        let indexer = Indexer::<R>::new(material);
        let number = |slot: u64| (slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16 % 60;
        let scores: Vec<i16> = (0..indexer.slots()).map(|slot| i16::from_symbol(number(slot))).collect();
        Values { due: Due::none(scores.len()), indexer, scores, rule: None, several: false }
    }

    fn every_position_of_a_row_has_its_best_capture<R: Rules>(text: &str) {
        let material: Material = text.parse().expect("a material");
        let all: Vec<Values<R, i16>> = material
            .theirs()
            .reached()
            .filter(|theirs| theirs.pieces() < material.theirs().pieces())
            .flat_map(|theirs| material.ours().reached().map(move |ours| (theirs, ours)))
            .filter(|(_, ours)| ours.pieces() == material.ours().pieces())
            .map(|(theirs, ours)| made_up(Material::new(theirs, ours).expect("a smaller material")))
            .collect();
        let mut slices = Slices::<R, i16>::default();
        for values in &all {
            slices.insert(values.indexer.material(), Cells::collect(values));
        }
        let value = |position: &Position<R>| {
            if position.ours().is_empty() {
                return i16::LOST;
            }
            let (ours, theirs): (Side, Side) = position.sides();
            let is_of = |values: &&Values<R, i16>| {
                values.indexer.material().ours() == ours && values.indexer.material().theirs() == theirs
            };
            let values = all.iter().find(is_of).expect("every slice that a capture leads to");
            values.scores[values.indexer.slot(position) as usize]
        };
        let indexer = Indexer::<R>::new(material);
        let mut captures = Captures::new(&slices, None);
        let mut compared = 0;
        for row in indexer.rows_from(0).step_by(7) {
            let (due, best) = captures.of_row(&Pieces::of_row(&row), row.runner.into(), row.squares);
            assert!(due.minus(row.squares).is_empty());
            for (slot, square) in (row.first_slot..).zip(indexer.order().in_order::<R::Geometry>(row.squares)) {
                let position = indexer.from_slot(slot);
                let moves = position.captures();
                assert_eq!(due.contains(square), !moves.is_empty(), "{} {position:?}", R::NAME);
                if let Some(expected) = moves.iter().map(|mv| value(&position.play(mv)).back()).max() {
                    assert_eq!(best.get(square), expected, "{} {position:?}", R::NAME);
                    compared += 1;
                }
            }
        }
        assert!(compared > 0);
    }

    #[test]
    fn the_captures_of_a_row_are_those_of_its_positions() {
        every_position_of_a_row_has_its_best_capture::<International>("KMvKM");
        every_position_of_a_row_has_its_best_capture::<International>("KvKMM");
        every_position_of_a_row_has_its_best_capture::<International>("MMvKM");
        every_position_of_a_row_has_its_best_capture::<Russian>("KMvMM");
        every_position_of_a_row_has_its_best_capture::<Russian>("KKvKM");
        every_position_of_a_row_has_its_best_capture::<Russian>("MMvKM");
        every_position_of_a_row_has_its_best_capture::<Russian>("MvMMM");
        every_position_of_a_row_has_its_best_capture::<English>("KMvKM");
        every_position_of_a_row_has_its_best_capture::<English>("MMvMM");
        every_position_of_a_row_has_its_best_capture::<Turkish>("KvKMM");
        every_position_of_a_row_has_its_best_capture::<Turkish>("MvKMM");
    }

    #[cfg(feature = "related")]
    #[test]
    fn so_are_they_under_related_rules() {
        use crate::rules::{Brazilian, Czech, Spanish, Thai};
        every_position_of_a_row_has_its_best_capture::<Czech>("KMvKM");
        every_position_of_a_row_has_its_best_capture::<Spanish>("KMvKMM");
        every_position_of_a_row_has_its_best_capture::<Thai>("KMvMMM");
        every_position_of_a_row_has_its_best_capture::<Brazilian>("KMvKMM");
    }
}
