//! For which squares of the running piece a side must capture, without walking the captures.
//!
//! Slots whose mover must capture are left out of a table. Only the first jump matters: a victim next in line, and a
//! free square behind it.

use crate::board::{Bitboard, Direction, Geometry};
use crate::build::solver::layout::Runner;
use crate::build::solver::library::Pieces;
use crate::rules::Rules;

/// The squares of `squares` on which the running piece of the second side leaves `side` a capture.
#[must_use]
pub fn must_capture<R: Rules>(fixed: &Pieces, side: usize, runner: Runner, squares: Bitboard) -> Bitboard {
    let victims = fixed.of(1 - side);
    let free = R::Geometry::BOARD.minus(fixed.occupied());
    let theirs = if side == 0 { squares } else { Bitboard::EMPTY };
    let mut must = Bitboard::EMPTY;
    for d in Direction::ALL {
        let (forth, back) = (R::Geometry::step(d), R::Geometry::step(d.opposite()));
        let man_captures = R::MAN_CAPTURES[if side == 0 { d } else { d.opposite() }.index()];
        let mut near = Bitboard::EMPTY;
        if man_captures {
            near |= fixed.men[side];
        }
        if R::FLYING_KINGS {
            for king in fixed.kings[side] {
                must |= over_by_flight::<R>(Bitboard::of(king), d, victims, free, squares, theirs);
            }
        } else {
            near |= fixed.kings[side];
        }
        let over = forth.apply(near);
        // The running piece may stand in the way of one capture, never of two that end on different squares.
        let behind = forth.apply(over & victims) & free;
        must |= if behind.many() {
            squares
        } else if behind.any() {
            squares.minus(behind)
        } else {
            behind
        };
        must |= over & theirs & back.apply(free);
        if side == 1 {
            let attacked = victims & back.apply(free);
            if runner == Runner::King && R::FLYING_KINGS {
                let mut from = back.apply(attacked) & free;
                while from.any() {
                    must |= from & squares;
                    from = back.apply(from) & free;
                }
            } else if runner == Runner::King || man_captures {
                must |= back.apply(attacked) & squares;
            }
        }
    }
    must
}

/// As [`must_capture`], for one flying king and direction.
#[inline]
fn over_by_flight<R: Rules>(
    king: Bitboard,
    d: Direction,
    victims: Bitboard,
    free: Bitboard,
    squares: Bitboard,
    theirs: Bitboard,
) -> Bitboard {
    let ray = R::Geometry::RAYS[d.index()][king.first().index()];
    if !ray.meets(victims | theirs) {
        return Bitboard::EMPTY;
    }
    let (forth, back) = (R::Geometry::step(d), R::Geometry::step(d.opposite()));
    let blockers = ray.minus(free);
    let first = if forth.is_upward_in_bits() { blockers.lowest() } else { blockers.highest() };
    let path = if first.is_empty() {
        ray
    } else if forth.is_upward_in_bits() {
        ray & first.below_lowest()
    } else {
        ray.minus(first.up_to())
    };
    let mut must = theirs & path & back.apply(path);
    if first.meets(victims) {
        let behind = forth.apply(first) & free;
        if behind.any() {
            must |= squares.minus(path | behind);
        }
    }
    must
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::build::solver::captures::Captures;
    use crate::rules::{English, International, Russian, Turkish};

    /// Random pieces, by a linear congruential generator.
    fn agrees_with_the_captures_found<R: Rules>() {
        let mut state = 0x1234_5678_u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut captures = Captures::default();
        for _ in 0..20_000 {
            let mut fixed = Pieces::default();
            for _ in 0..1 + random(6) {
                let square: Square = R::Geometry::square(random(u64::from(R::Geometry::SQUARES)) as u32);
                if fixed.occupied().contains(square) {
                    continue;
                }
                let side = random(2) as usize;
                let row = R::Geometry::row(square);
                let man = random(2) == 0 && row != 0 && row != R::Geometry::WIDTH - 1;
                let set = if man { &mut fixed.men[side] } else { &mut fixed.kings[side] };
                *set = set.with(square);
            }
            let runner = if random(2) == 0 { Runner::King } else { Runner::Man };
            let mut squares = R::Geometry::BOARD.minus(fixed.occupied());
            if runner == Runner::Man {
                squares = squares.minus(R::Geometry::BOTTOM_ROW);
            }
            for side in 0..2 {
                captures.find::<R>(&fixed, side, runner, squares);
                assert_eq!(must_capture::<R>(&fixed, side, runner, squares), captures.obligatory(), "{fixed:?} {side}");
            }
        }
    }

    #[test]
    fn the_first_jump_decides_in_every_variant() {
        agrees_with_the_captures_found::<International>();
        agrees_with_the_captures_found::<English>();
        agrees_with_the_captures_found::<Russian>();
        agrees_with_the_captures_found::<Turkish>();
    }

    #[cfg(feature = "related")]
    #[test]
    fn the_first_jump_decides_in_every_related_variant() {
        use crate::rules::{Brazilian, Czech, Pool, Spanish, Thai};
        agrees_with_the_captures_found::<Brazilian>();
        agrees_with_the_captures_found::<Pool>();
        agrees_with_the_captures_found::<Czech>();
        agrees_with_the_captures_found::<Spanish>();
        agrees_with_the_captures_found::<Thai>();
    }
}
