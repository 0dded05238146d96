//! Values for all squares of a runner at once.
//!
//! A value is kept a lane, the bit of the runner's square being its number, and what moves lead to is the maximum of
//! lanes. Of wins, draws and losses two words are enough, and the maximum is one `or` for 64 of them; other values are
//! an array. Words are kept without the unused bits of a board.

use std::borrow::Borrow;
use std::fmt::Debug;

use crate::board::{Bitboard, Direction, Geometry, KeptSet, Square};
use crate::build::verify::score::Score;
use crate::rules::Rules;

/// 64 values.
pub trait Lanes<S>: Copy + Send + Sync + Debug {
    /// 64 values on the board `G`, as they are kept.
    type Cell<G: Geometry>: Copy + Send + Sync + Debug;
    /// The lanes of a cell.
    type Read<'a>: Borrow<Self> + Copy + Debug;
    /// All lost.
    const LOST: Self;

    /// A cell with all values lost.
    fn lost_cell<G: Geometry>() -> Self::Cell<G>;

    /// The lanes of a cell.
    fn read<G: Geometry>(cell: &Self::Cell<G>) -> Self::Read<'_>;

    /// As [`Lanes::raise`], for a lane of a cell.
    fn raise_in<G: Geometry>(cell: &mut Self::Cell<G>, square: Square, value: S);

    /// The value of a lane.
    fn get(&self, square: Square) -> S;

    /// Whether a lane of `on` differs.
    fn differs(&self, other: &Self, on: Bitboard) -> bool;

    /// Makes a lane `value`, if it is worse.
    fn raise(&mut self, square: Square, value: S);

    /// Makes the lanes of `on` `value`, where they are worse.
    #[inline(always)]
    fn raise_all(&mut self, value: S, on: Bitboard)
    where
        S: Copy,
    {
        for square in on {
            self.raise(square, value);
        }
    }

    /// Makes the lanes of `on` those of `other`, where they are worse.
    fn raise_from(&mut self, other: &Self, on: Bitboard);

    /// As [`Lanes::raise_from`], with the values of `other` by conversion: see [`Score::by_conversion`].
    fn raise_converted(&mut self, other: &Self, on: Bitboard, goes_on: bool);

    /// Raises each lane of `on` by the lanes that a king on its square reaches over `empty` squares.
    fn raise_by_king<R: Rules>(&mut self, other: &Self, empty: Bitboard, on: Bitboard);

    /// Each lane of `on` within the limit: see [`Score::within`].
    fn limit(&mut self, on: Bitboard, limit: Option<u32>);
}

/// Wins, draws and losses: a draw is safe, a win is safe and won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    won: Bitboard,
    safe: Bitboard,
}

/// [`Words`] as they are kept.
#[derive(Clone, Copy, Debug)]
pub struct KeptWords<G: Geometry> {
    won: G::Kept,
    safe: G::Kept,
}

impl Lanes<i8> for Words {
    type Cell<G: Geometry> = KeptWords<G>;
    type Read<'a> = Words;
    const LOST: Words = Words { won: Bitboard::EMPTY, safe: Bitboard::EMPTY };

    #[inline(always)]
    fn lost_cell<G: Geometry>() -> KeptWords<G> {
        KeptWords { won: G::Kept::default(), safe: G::Kept::default() }
    }

    #[inline(always)]
    fn read<G: Geometry>(cell: &KeptWords<G>) -> Words {
        Words { won: cell.won.set(), safe: cell.safe.set() }
    }

    #[inline(always)]
    fn raise_in<G: Geometry>(cell: &mut KeptWords<G>, square: Square, value: i8) {
        cell.won |= G::Kept::from_bits(u64::from(value > 0) << G::lane(square));
        cell.safe |= G::Kept::from_bits(u64::from(value >= 0) << G::lane(square));
    }

    #[inline(always)]
    fn get(&self, square: Square) -> i8 {
        i8::from(self.won.contains(square)) + i8::from(self.safe.contains(square)) - 1
    }

    #[inline(always)]
    fn differs(&self, other: &Words, on: Bitboard) -> bool {
        ((self.won ^ other.won) | (self.safe ^ other.safe)).meets(on)
    }

    #[inline(always)]
    fn raise(&mut self, square: Square, value: i8) {
        self.won |= Bitboard::from_bits(u64::from(value > 0) << square.index());
        self.safe |= Bitboard::from_bits(u64::from(value >= 0) << square.index());
    }

    #[inline(always)]
    fn raise_all(&mut self, value: i8, on: Bitboard) {
        self.won |= if value > 0 { on } else { Bitboard::EMPTY };
        self.safe |= if value >= 0 { on } else { Bitboard::EMPTY };
    }

    #[inline(always)]
    fn raise_from(&mut self, other: &Words, on: Bitboard) {
        self.won |= other.won & on;
        self.safe |= other.safe & on;
    }

    #[inline(always)]
    fn raise_converted(&mut self, other: &Words, on: Bitboard, _goes_on: bool) {
        self.raise_from(other, on);
    }

    #[inline(always)]
    fn raise_by_king<R: Rules>(&mut self, other: &Words, empty: Bitboard, on: Bitboard) {
        self.won |= on & reaching::<R>(other.won & empty, empty);
        self.safe |= on & reaching::<R>(other.safe & empty, empty);
    }

    #[inline(always)]
    fn limit(&mut self, _on: Bitboard, _limit: Option<u32>) {}
}

/// The squares from which a king reaches one of `goals`, all of them `empty`, without capturing.
#[inline(always)]
fn reaching<R: Rules>(goals: Bitboard, empty: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for d in Direction::ALL {
        let back = R::Geometry::step(d);
        let mut reached = back.apply(goals);
        if R::FLYING_KINGS {
            // Goals have been stepped from already, so that a full board of them takes one step.
            let mut front = reached & empty.minus(goals);
            while front.any() {
                let more = back.apply(front);
                reached |= more;
                front = more & empty.minus(goals);
            }
        }
        all |= reached;
    }
    all
}

impl<S: Score> Lanes<S> for [S; 64] {
    type Cell<G: Geometry> = Self;
    type Read<'a> = &'a Self;
    const LOST: Self = [S::LOST; 64];

    #[inline(always)]
    fn lost_cell<G: Geometry>() -> Self {
        Self::LOST
    }

    #[inline(always)]
    fn read<G: Geometry>(cell: &Self) -> &Self {
        cell
    }

    #[inline(always)]
    fn raise_in<G: Geometry>(cell: &mut Self, square: Square, value: S) {
        cell.raise(square, value);
    }

    #[inline(always)]
    fn get(&self, square: Square) -> S {
        self[square.index()]
    }

    #[inline(always)]
    fn differs(&self, other: &Self, on: Bitboard) -> bool {
        on.into_iter().any(|square| self[square.index()] != other[square.index()])
    }

    #[inline(always)]
    fn raise(&mut self, square: Square, value: S) {
        self[square.index()] = self[square.index()].max(value);
    }

    #[inline(always)]
    fn raise_from(&mut self, other: &Self, on: Bitboard) {
        raise(self, other, on, |value| value);
    }

    #[inline(always)]
    fn raise_converted(&mut self, other: &Self, on: Bitboard, goes_on: bool) {
        raise(self, other, on, |value| value.by_conversion(goes_on));
    }

    #[inline(always)]
    fn raise_by_king<R: Rules>(&mut self, other: &Self, empty: Bitboard, on: Bitboard) {
        for square in on {
            let mut best = self[square.index()];
            for d in Direction::ALL {
                let step = R::Geometry::step(d);
                let mut to = step.apply(Bitboard::of(square)) & empty;
                while to.any() {
                    best = best.max(other[to.first().index()]);
                    to = if R::FLYING_KINGS { step.apply(to) & empty } else { Bitboard::EMPTY };
                }
            }
            self[square.index()] = best;
        }
    }

    #[inline(always)]
    fn limit(&mut self, on: Bitboard, limit: Option<u32>) {
        for square in on {
            self[square.index()] = self[square.index()].within(limit);
        }
    }
}

/// Few lanes one by one; many all at once, with those not wanted put back: the maximum alone is a handful of vector
/// instructions.
#[inline(always)]
fn raise<S: Score>(lanes: &mut [S; 64], other: &[S; 64], on: Bitboard, value: impl Fn(S) -> S) {
    if on.len() < 8 {
        for square in on {
            lanes[square.index()] = lanes[square.index()].max(value(other[square.index()]));
        }
        return;
    }
    let before = *lanes;
    for (lane, &other) in lanes.iter_mut().zip(other) {
        *lane = (*lane).max(value(other));
    }
    for square in !on {
        lanes[square.index()] = before[square.index()];
    }
}
