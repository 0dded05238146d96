//! Checking a row of slots: the quiet moves of all its positions at once.

use crate::board::{Bitboard, Direction, Geometry};
use crate::build::verify::cells::{Cells, Rest};
use crate::build::verify::score::Score;
use crate::build::verify::values::{Slices, Values, goes_on, positions, score_of};
use crate::index::{Row, Runner};
use crate::position::Position;
use crate::rules::{MoveKind, Rules};

/// The first slot of a row whose value does not follow from its moves, and the value that does.
pub fn check_row<R: Rules, S: Score>(
    values: &Values<R, S>,
    row: &Row,
    cells: &Cells<R, S>,
    slices: &Slices<R, S>,
) -> Option<(u64, S)> {
    let rest =
        Rest { our_men: row.our_men, our_kings: row.our_kings, their_men: row.their_men, their_kings: row.their_kings };
    let occupied = rest.occupied();
    let mut best = [S::LOST; 64];
    let advance_goes_on = values.rule.is_some_and(|rule| !rule.resets_on.is_reset_by(MoveKind::Man));
    let mut take = |cell: &[S; 64], barred: Bitboard, converts: bool| {
        // All lanes at once, and the few barred ones put back: the maximum alone is a handful of vector instructions.
        let before = best;
        for (best, &value) in best.iter_mut().zip(cell) {
            *best = (*best).max(if converts { value.by_conversion(advance_goes_on) } else { value });
        }
        for square in barred {
            best[square.index()] = before[square.index()];
        }
    };
    for king in rest.our_kings {
        for d in Direction::ALL {
            let mut path = Bitboard::EMPTY;
            for to in quiet_squares::<R>(Bitboard::of(king), d, occupied) {
                path |= to;
                let after = Rest { our_kings: rest.our_kings.minus(Bitboard::of(king)) | to, ..rest };
                take(cells.of(&after), path, false);
            }
        }
    }
    let mut promotions: [(Bitboard, Bitboard); 2 * 20] = [Default::default(); 40];
    let mut promoting = 0;
    for man in rest.our_men {
        for d in Direction::ALL {
            let to = R::Geometry::step(d).apply(Bitboard::of(man)).minus(occupied);
            if !R::MAN_MOVES[d.index()] || to.is_empty() {
                continue;
            }
            let our_men = rest.our_men.minus(Bitboard::of(man));
            if to.meets(R::Geometry::TOP_ROW) {
                promotions[promoting] = (Bitboard::of(man), to);
                promoting += 1;
            } else {
                let converts = !R::Geometry::SIDEWAYS.contains(&d);
                take(cells.of(&Rest { our_men: our_men | to, ..rest }), to, converts);
            }
        }
    }
    let own = (row.runner == Runner::OurKing).then(|| cells.of(&rest));
    for (slot, position) in positions::<R>(&values.indexer, row) {
        let square = runner_square(&position, &rest);
        let mut expected = best[square.first().index()];
        if let Some(cell) = own {
            for d in Direction::ALL {
                for to in quiet_squares::<R>(square, d, occupied) {
                    expected = expected.max(cell[to.first().index()]);
                }
            }
        }
        for &(from, to) in &promotions[..promoting] {
            if !to.meets(square) {
                let (ours, kings) = (position.ours().minus(from) | to, position.kings() | to);
                let after = Position::from_sets(ours, position.theirs(), kings).turned();
                let goes_on = goes_on(values.rule, MoveKind::Promotion, &after);
                expected = expected.max(score_of(&after, slices).back().by_conversion(goes_on));
            }
        }
        expected = expected.within(values.rule.map(|rule| rule.plies));
        // Where a capture is due no quiet move is legal, and nothing is stored.
        if !values.allows(expected, values.scores[slot as usize]) && !position.must_capture() {
            return Some((slot, expected));
        }
    }
    None
}

/// The squares to which a king moves in one direction without capturing, nearest first.
#[inline(always)]
fn quiet_squares<R: Rules>(king: Bitboard, d: Direction, occupied: Bitboard) -> impl Iterator<Item = Bitboard> {
    let step = R::Geometry::step(d);
    let mut at = king;
    let mut steps = 0;
    std::iter::from_fn(move || {
        if steps > 0 && !R::FLYING_KINGS {
            return None;
        }
        steps += 1;
        at = step.apply(at).minus(occupied);
        at.any().then_some(at)
    })
}

/// The square of the piece of `position` that is not in `rest`.
#[inline]
fn runner_square<R: Rules>(position: &Position<R>, rest: &Rest) -> Bitboard {
    position.occupied().minus(rest.occupied())
}
