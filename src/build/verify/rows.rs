//! Checking a row of slots: the quiet moves of all its positions at once.

use std::borrow::Borrow;

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::build::verify::lanes::Lanes;
use crate::build::verify::pieces::{Kind, Pieces};
use crate::build::verify::score::Score;
use crate::build::verify::slices::{Conversion, Slices};
use crate::build::verify::values::Values;
use crate::index::Row;
use crate::rules::{MoveKind, Rules};

/// The first slot of a row whose value does not follow from its moves, and the value that does.
pub fn check_row<R: Rules, S: Score>(values: &Values<R, S>, row: &Row, slices: &Slices<R, S>) -> Option<(u64, S)> {
    let (slots, in_order) = (Values::<R, S>::slots(row), values.indexer.order().in_order::<R::Geometry>(row.squares));
    let mut stored = S::Lanes::LOST;
    let mut on = Bitboard::EMPTY;
    let scores = values.scores[slots.clone()].iter().zip(slots.map(|slot| values.due.is_set(slot)));
    for (square, (&score, due)) in in_order.zip(scores) {
        stored.raise(square, score);
        on |= Bitboard::from_bits(u64::from(!due) << square.index());
    }
    if on.is_empty() {
        return None;
    }
    let expected = by_quiet_moves(values, row, on, slices);
    let wrong = |square: Square| on.contains(square) && !values.allows(expected.get(square), stored.get(square));
    if stored.differs(&expected, on) {
        let mut slots = (row.first_slot..).zip(in_order);
        return slots.find(|&(_, square)| wrong(square)).map(|(slot, square)| (slot, expected.get(square)));
    }
    None
}

/// What the quiet moves lead to, with the runner on the squares `on`.
#[inline]
fn by_quiet_moves<R: Rules, S: Score>(
    values: &Values<R, S>,
    row: &Row,
    on: Bitboard,
    slices: &Slices<R, S>,
) -> S::Lanes {
    let (pieces, runner) = (Pieces::of_row(row), Kind::from(row.runner));
    let (ours, theirs) = (values.indexer.material().ours(), values.indexer.material().theirs());
    let twin = slices.get(theirs, ours);
    let empty = R::Geometry::BOARD.minus(pieces.occupied());
    let base = twin.base(&pieces);
    let mut best = S::Lanes::LOST;
    for king in pieces[Kind::OurKing] {
        let along = twin.along(base, Kind::OurKing, pieces[Kind::OurKing].minus(Bitboard::of(king)));
        for d in Direction::ALL {
            let step = R::Geometry::step(d);
            let mut path = Bitboard::EMPTY;
            let mut to = step.apply(Bitboard::of(king)) & empty;
            while to.any() {
                // A runner on the way is in the way.
                path |= to;
                best.raise_from(twin.at(&along, to.first()).borrow(), !path);
                to = if R::FLYING_KINGS { step.apply(to) & empty } else { Bitboard::EMPTY };
            }
        }
    }
    let advance_goes_on = values.rule.is_some_and(|rule| !rule.resets_on.is_reset_by(MoveKind::Man));
    let promotion = Conversion { kind: MoveKind::Promotion, rule: values.rule };
    for man in pieces[Kind::OurMan] {
        let others = pieces.minus(Kind::OurMan, Bitboard::of(man));
        let mut along = None;
        for d in Direction::ALL {
            let to = R::Geometry::step(d).apply(Bitboard::of(man)) & empty;
            if !R::MAN_MOVES[d.index()] || to.is_empty() {
                continue;
            }
            if to.meets(R::Geometry::TOP_ROW) {
                slices.raise(&mut best, &others.with(Kind::OurKing, to.first()), runner, on.minus(to), promotion);
                continue;
            }
            let along = along.get_or_insert_with(|| twin.along(base, Kind::OurMan, others[Kind::OurMan]));
            let cell = twin.at(along, to.first());
            if R::Geometry::SIDEWAYS.contains(&d) {
                best.raise_from(cell.borrow(), !to);
            } else {
                best.raise_converted(cell.borrow(), !to, advance_goes_on);
            }
        }
    }
    if runner == Kind::OurKing {
        best.raise_by_king::<R>(twin.of(&pieces).borrow(), empty, on);
    }
    best.limit(on, values.rule.map(|rule| rule.plies));
    best
}
