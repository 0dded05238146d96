//! Lines seen from a square: the free squares up to the nearest piece, and that piece.

use crate::board::{Bitboard, Direction, Geometry, Square};

/// The square of `set` that is nearest to the start of a ray in direction `d` on which all of `set` lies; empty if
/// `set` is.
#[inline(always)]
pub(super) fn nearest<G: Geometry>(set: Bitboard, d: Direction) -> Bitboard {
    if G::step(d).is_upward_in_bits() { set.lowest() } else { set.highest() }
}

/// The squares from `square` in direction `d`, without it, up to the first that is not in `empty`.
#[inline(always)]
pub(super) fn open_ray<G: Geometry>(square: Square, d: Direction, empty: Bitboard) -> Bitboard {
    let ray = G::RAYS[d.index()][square.index()];
    let blockers = ray.minus(empty);
    if G::step(d).is_upward_in_bits() {
        ray & blockers.below_lowest()
    } else {
        let highest = blockers.highest().bits();
        // Squares of the ray above the highest blocker; all of them if there is none.
        ray.minus(Bitboard::from_bits((highest << 1).wrapping_sub(u64::from(highest != 0))))
    }
}
