//! The same game with our men going down.
//!
//! Playing a move turns the board, which costs three reversals of bits. Where one side's moves and the other's follow
//! each other at once, as in [`crate::position::perft`], it is cheaper to leave the board as it is and to let the
//! second side play by rules in which the rows are the other way round: `Position<R>` and `Position<Downward<R>>` in
//! turn. All else is as in `R`.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::board::{Bitboard, Direction, Geometry, Step, Symmetry};
use crate::position::Position;
use crate::rules::{Colour, DrawRule, Priority, Promotion, Rules, Saying, Showpiece, SquareNames};

/// The board `T`, or the rules `T`, with our men going down; in `T` they go up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Downward<T>(PhantomData<T>);

impl<G: Geometry> Geometry for Downward<G> {
    // Tables are of positions whose men go up: nothing here is kept.
    type Kept = u64;
    type Lanes<T: Copy + Debug + Send + Sync + 'static> = [T; 64];
    const WIDTH: u32 = G::WIDTH;
    const ROW: u32 = G::ROW;
    const GHOST_AFTER: u32 = G::GHOST_AFTER;
    const STEPS: [Step; 4] = G::STEPS;
    const RAYS: &'static [[Bitboard; 64]; 4] = G::RAYS;
    const REACH: &'static [Bitboard; 64] = G::REACH;
    // Those that lead up come first among all, and those that lead down last.
    const FORWARD: &'static [Direction] = Direction::ALL.split_at(4 - G::FORWARD.len()).1;
    const SIDEWAYS: &'static [Direction] = G::SIDEWAYS;
    const DARK_SQUARES_ONLY: bool = G::DARK_SQUARES_ONLY;
    const SYMMETRIES: &'static [Symmetry] = G::SYMMETRIES;
    const MIRROR: Option<Symmetry> = G::MIRROR;
    const TOP_ROW: Bitboard = G::BOTTOM_ROW;
    const BOTTOM_ROW: Bitboard = G::TOP_ROW;
}

impl<R: Rules> Rules for Downward<R> {
    type Geometry = Downward<R::Geometry>;
    const NAME: &'static str = R::NAME;
    const FIRST_MOVER: Colour = R::FIRST_MOVER;
    const START_ROWS: std::ops::Range<u32> = R::START_ROWS;
    const FLYING_KINGS: bool = R::FLYING_KINGS;
    const MEN_CAPTURE_BACKWARD: bool = R::MEN_CAPTURE_BACKWARD;
    const PRIORITY: Priority = R::PRIORITY;
    const REMOVES_DURING_CAPTURE: bool = R::REMOVES_DURING_CAPTURE;
    const FORBIDS_HALF_TURN: bool = R::FORBIDS_HALF_TURN;
    const KINGS_LAND_BEHIND: bool = R::KINGS_LAND_BEHIND;
    const PROMOTION: Promotion = R::PROMOTION;
    const SQUARE_NAMES: SquareNames = R::SQUARE_NAMES;
    const CAPTURE_SIGN: char = R::CAPTURE_SIGN;
    const PDN_GAME_TYPE: u32 = R::PDN_GAME_TYPE;
    const DRAW_RULES: &'static [DrawRule] = R::DRAW_RULES;
    const SAYINGS: &'static [Saying] = R::SAYINGS;
    const SHOWPIECES: &'static [Showpiece] = R::SHOWPIECES;
}

impl<R: Rules> Position<R> {
    /// The same pieces with the other side to move, seen from where we sit: `S` is `Downward<R>`, or `R` is
    /// `Downward<S>`.
    #[inline]
    pub(super) fn handed_over<S: Rules>(self) -> Position<S> {
        Position::from_sets(self.theirs(), self.ours(), self.kings())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Dark8, Dark10, Full8};

    fn forward_is_what_was_backward<G: Geometry>() {
        let opposites: Vec<Direction> = G::FORWARD.iter().rev().map(|d| d.opposite()).collect();
        assert_eq!(<Downward<G> as Geometry>::FORWARD, opposites);
    }

    #[test]
    fn forward_is_what_was_backward_on_every_board() {
        forward_is_what_was_backward::<Dark10>();
        forward_is_what_was_backward::<Dark8>();
        forward_is_what_was_backward::<Full8>();
    }
}
