//! Squares and ghosts: how a board is laid out in 64 bits.
//!
//! Dark-square boards are stored with one unused bit after every two rows, so that a diagonal step is one shift
//! wherever it starts. Bit numbers of the 10x10 board (numbers in brackets are unused):
//!
//! ```text
//!      0   1   2   3   4          square 1 is bit 0
//!    5   6   7   8   9   (10)     square 6 is bit 5
//!     11  12  13  14  15
//!   16  17  18  19  20   (21)
//!     ...                         square 50 is bit 53
//! ```
//!
//! The 8x8 dark-square board does the same with rows of four (35 bits), and the Turkish board is the plain 64 bits,
//! a8 = 0, b8 = 1 .. h1 = 63. A [`Step`] is a shift and the set of squares from which it stays on the board, so move
//! generation never branches on geometry. Half a turn of the board is a bit reversal and a shift.
//! This file knows nothing about pieces or captures.

use std::fmt::Debug;
use std::hash::Hash;

use crate::board::{Bitboard, KeptSet, PerSquare, Square};

/// One of the four directions in which pieces move on a board.
///
/// They are numbered so that `3 - d` is the opposite of `d`: on dark-square boards up-left, up-right, down-left,
/// down-right; on the Turkish board up, left, right, down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Direction(u8);

impl Direction {
    /// All four directions.
    pub const ALL: [Direction; 4] = [Direction(0), Direction(1), Direction(2), Direction(3)];

    /// Its number, in `0..4`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 3) as usize
    }

    /// What `f` says of each direction. The calls are written out, so that in each the direction is a constant: with
    /// moves found in loops over [`Direction::ALL`], which compilers leave as loops, perft takes 1.7 times as long.
    #[inline(always)]
    pub fn map<T>(mut f: impl FnMut(Direction) -> T) -> [T; 4] {
        [f(Direction(0)), f(Direction(1)), f(Direction(2)), f(Direction(3))]
    }

    /// Calls `f` with each direction, as [`Direction::map`].
    #[inline(always)]
    pub fn each(f: impl FnMut(Direction)) {
        Self::map(f);
    }

    /// The direction that leads back.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Direction(3 - self.0)
    }
}

/// One step of a piece: a shift, and the squares from which it stays on the board.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    shift: i32,
    from: u64,
}

impl Step {
    /// Moves every square of `set` one step; those that would leave the board are dropped.
    #[inline]
    #[must_use]
    pub const fn apply(self, set: Bitboard) -> Bitboard {
        let set = set.bits() & self.from;
        Bitboard::from_bits(if self.shift >= 0 { set << self.shift } else { set >> -self.shift })
    }

    /// Whether the step goes to higher bits.
    #[inline]
    #[must_use]
    pub const fn is_upward_in_bits(self) -> bool {
        self.shift > 0
    }
}

/// A map of the squares of a board onto each other, as (row, column) to (row, column).
pub type Symmetry = fn(u32, u32) -> (u32, u32);

/// The layout of one board.
pub trait Geometry: Copy + Clone + Debug + Default + PartialEq + Eq + Hash + Send + Sync + 'static {
    /// A set of squares, as it is kept in large tables.
    type Kept: KeptSet<Self>;
    /// A number for each square, by [`Geometry::lane`].
    type Lanes<T: Copy + Debug + Send + Sync + 'static>: PerSquare<T>;
    /// Columns and rows of the board as one sees it.
    const WIDTH: u32;
    /// Squares in a row.
    const ROW: u32;
    /// Rows after which one bit is left unused; 0 for none.
    const GHOST_AFTER: u32;
    /// Number of squares.
    const SQUARES: u32 = Self::ROW * Self::WIDTH;
    /// All squares.
    const BOARD: Bitboard = board(Self::SQUARES, Self::ROW * Self::GHOST_AFTER);
    /// The number of the highest bit in use.
    const TOP_BIT: u32 = 63 - Self::BOARD.bits().leading_zeros();
    /// The step in each direction, by [`Direction::index`].
    const STEPS: [Step; 4];
    /// For each direction and square, the squares one meets on the way to the edge.
    const RAYS: &'static [[Bitboard; 64]; 4];
    /// For each square, the squares on its four rays.
    const REACH: &'static [Bitboard; 64];
    /// The directions that lead up one row.
    const FORWARD: &'static [Direction];
    /// The directions that stay in the row.
    const SIDEWAYS: &'static [Direction];
    /// Whether a square is named by its place in the rows of all squares (`false`), or only dark ones count (`true`).
    const DARK_SQUARES_ONLY: bool;
    /// The symmetries of the board besides the identity that keep a direction a direction, as maps of squares.
    const SYMMETRIES: &'static [Symmetry];
    /// The mirror that keeps "up" as it is, where the board has one, as a map of (row, column).
    const MIRROR: Option<Symmetry>;

    /// The step in direction `d`.
    #[inline]
    #[must_use]
    fn step(d: Direction) -> Step {
        Self::STEPS[d.index()]
    }

    /// The square with place `place`, in `0..SQUARES`, counted row by row from the top left.
    #[inline]
    #[must_use]
    fn square(place: u32) -> Square {
        debug_assert!(place < Self::SQUARES);
        Square::from_bit(bit_of(place, Self::ROW * Self::GHOST_AFTER))
    }

    /// The place of `square`, in `0..SQUARES`: the inverse of [`Geometry::square`].
    #[inline]
    #[must_use]
    fn place(square: Square) -> u32 {
        let bit = square.bit();
        if Self::GHOST_AFTER == 0 { bit } else { bit - bit / (Self::ROW * Self::GHOST_AFTER + 1) }
    }

    /// Where the number of `square` is among those [kept](Geometry::Lanes) for each square.
    #[inline(always)]
    #[must_use]
    fn lane(square: Square) -> usize {
        if Self::SQUARES > 32 { square.index() } else { Self::place(square) as usize & 31 }
    }

    /// The row of `square`, 0 at the top.
    #[inline]
    #[must_use]
    fn row(square: Square) -> u32 {
        Self::place(square) / Self::ROW
    }

    /// The column of `square` on the board as one sees it, `0..WIDTH`, 0 at the left.
    #[inline]
    #[must_use]
    fn column(square: Square) -> u32 {
        let (row, place) = (Self::row(square), Self::place(square) % Self::ROW);
        if Self::DARK_SQUARES_ONLY { 2 * place + (row + 1) % 2 } else { place }
    }

    /// The square in `row` and `column`, or `None` if there is no playing square.
    #[must_use]
    fn square_at(row: u32, column: u32) -> Option<Square> {
        if row >= Self::WIDTH || column >= Self::WIDTH {
            return None;
        }
        let place = if !Self::DARK_SQUARES_ONLY {
            column
        } else if column % 2 == (row + 1) % 2 {
            column / 2
        } else {
            return None;
        };
        Some(Self::square(row * Self::ROW + place))
    }

    /// The squares of rows `from..to`, 0 at the top.
    #[must_use]
    fn rows(from: u32, to: u32) -> Bitboard {
        (from * Self::ROW..to * Self::ROW).map(Self::square).collect()
    }

    /// The long diagonal from the left corner of either side, a1-h8 or 46-5: the same seen from both ends.
    #[must_use]
    fn main_road() -> Bitboard {
        (0..Self::WIDTH).filter_map(|row| Self::square_at(row, Self::WIDTH - 1 - row)).collect()
    }

    /// The row on which our men become kings.
    const TOP_ROW: Bitboard = Bitboard::from_bits((1 << Self::ROW) - 1);
    /// The row on which their men become kings.
    const BOTTOM_ROW: Bitboard =
        Bitboard::from_bits(Self::BOARD.bits() & ((1 << Self::ROW) - 1) << (Self::TOP_BIT + 1 - Self::ROW));

    /// The board turned by half a turn.
    #[inline]
    #[must_use]
    fn rotate(set: Bitboard) -> Bitboard {
        Bitboard::from_bits(set.bits().reverse_bits() >> (63 - Self::TOP_BIT))
    }

    /// Asserts in debug builds that `set` has only squares of the board.
    #[inline]
    fn check(set: Bitboard) {
        debug_assert!(set.minus(Self::BOARD).is_empty(), "bits off the board: {set:?}");
    }
}

/// The bit of the square with place `place`, one bit being unused after every `ghost_every` squares; 0 for none.
pub const fn bit_of(place: u32, ghost_every: u32) -> u32 {
    match place.checked_div(ghost_every) {
        Some(ghosts) => place + ghosts,
        None => place,
    }
}

const fn board(squares: u32, ghost_every: u32) -> Bitboard {
    let (mut bits, mut place) = (0u64, 0);
    while place < squares {
        bits |= 1 << bit_of(place, ghost_every);
        place += 1;
    }
    Bitboard::from_bits(bits)
}

/// The step by `shift`, from the squares of `board` not in `edge`.
const fn step(board: u64, shift: i32, edge: u64) -> Step {
    let target = if shift >= 0 { board >> shift } else { board << -shift };
    Step { shift, from: board & target & !edge }
}

const fn rays(steps: [Step; 4], board: u64) -> [[Bitboard; 64]; 4] {
    let mut rays = [[Bitboard::EMPTY; 64]; 4];
    let mut d = 0;
    while d < 4 {
        let mut bit = 0;
        while bit < 64 {
            if board >> bit & 1 != 0 {
                let mut reached = steps[d].apply(Bitboard::from_bits(1 << bit));
                let mut ray = 0;
                while reached.any() {
                    ray |= reached.bits();
                    reached = steps[d].apply(reached);
                }
                rays[d][bit] = Bitboard::from_bits(ray);
            }
            bit += 1;
        }
        d += 1;
    }
    rays
}

const fn reach(rays: &[[Bitboard; 64]; 4]) -> [Bitboard; 64] {
    let mut reach = [Bitboard::EMPTY; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut d = 0;
        while d < 4 {
            reach[bit] = Bitboard::from_bits(reach[bit].bits() | rays[d][bit].bits());
            d += 1;
        }
        bit += 1;
    }
    reach
}

const fn dark_steps(board: u64, row: i32) -> [Step; 4] {
    [step(board, -row - 1, 0), step(board, -row, 0), step(board, row, 0), step(board, row + 1, 0)]
}

/// The 50 dark squares of the 10x10 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dark10;

impl Geometry for Dark10 {
    type Kept = u64;
    type Lanes<T: Copy + Debug + Send + Sync + 'static> = [T; 64];
    const WIDTH: u32 = 10;
    const ROW: u32 = 5;
    const GHOST_AFTER: u32 = 2;
    const STEPS: [Step; 4] = dark_steps(Self::BOARD.bits(), 5);
    const RAYS: &'static [[Bitboard; 64]; 4] = &rays(Self::STEPS, Self::BOARD.bits());
    const REACH: &'static [Bitboard; 64] = &reach(Self::RAYS);
    const FORWARD: &'static [Direction] = &[Direction(0), Direction(1)];
    const SIDEWAYS: &'static [Direction] = &[];
    const DARK_SQUARES_ONLY: bool = true;
    const SYMMETRIES: &'static [Symmetry] = &[|r, c| (9 - r, 9 - c), |r, c| (9 - c, 9 - r), |r, c| (c, r)];
    const MIRROR: Option<Symmetry> = None;
}

/// The 32 dark squares of the 8x8 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dark8;

impl Geometry for Dark8 {
    type Kept = u32;
    type Lanes<T: Copy + Debug + Send + Sync + 'static> = [T; 32];
    const WIDTH: u32 = 8;
    const ROW: u32 = 4;
    const GHOST_AFTER: u32 = 2;
    const STEPS: [Step; 4] = dark_steps(Self::BOARD.bits(), 4);
    const RAYS: &'static [[Bitboard; 64]; 4] = &rays(Self::STEPS, Self::BOARD.bits());
    const REACH: &'static [Bitboard; 64] = &reach(Self::RAYS);
    const FORWARD: &'static [Direction] = &[Direction(0), Direction(1)];
    const SIDEWAYS: &'static [Direction] = &[];
    const DARK_SQUARES_ONLY: bool = true;
    const SYMMETRIES: &'static [Symmetry] = &[|r, c| (7 - r, 7 - c), |r, c| (7 - c, 7 - r), |r, c| (c, r)];
    const MIRROR: Option<Symmetry> = None;
}

/// All 64 squares of the 8x8 board, with straight steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Full8;

const LEFT_FILE: u64 = 0x0101_0101_0101_0101;

impl Geometry for Full8 {
    type Kept = u64;
    type Lanes<T: Copy + Debug + Send + Sync + 'static> = [T; 64];
    const WIDTH: u32 = 8;
    const ROW: u32 = 8;
    const GHOST_AFTER: u32 = 0;
    const STEPS: [Step; 4] = [step(!0, -8, 0), step(!0, -1, LEFT_FILE), step(!0, 1, LEFT_FILE << 7), step(!0, 8, 0)];
    const RAYS: &'static [[Bitboard; 64]; 4] = &rays(Self::STEPS, Self::BOARD.bits());
    const REACH: &'static [Bitboard; 64] = &reach(Self::RAYS);
    const FORWARD: &'static [Direction] = &[Direction(0)];
    const SIDEWAYS: &'static [Direction] = &[Direction(1), Direction(2)];
    const DARK_SQUARES_ONLY: bool = false;
    const SYMMETRIES: &'static [Symmetry] = &[
        |r, c| (r, 7 - c),
        |r, c| (7 - r, c),
        |r, c| (7 - r, 7 - c),
        |r, c| (c, r),
        |r, c| (7 - c, r),
        |r, c| (c, 7 - r),
        |r, c| (7 - c, 7 - r),
    ];
    const MIRROR: Option<Symmetry> = Some(|r, c| (r, 7 - c));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares reached by walking over coordinates.
    fn walk<G: Geometry>(square: Square, d: Direction) -> Option<Square> {
        let (dr, dc): (i32, i32) = match (G::DARK_SQUARES_ONLY, d.index()) {
            (true, 0) => (-1, -1),
            (true, 1) => (-1, 1),
            (true, 2) => (1, -1),
            (true, _) => (1, 1),
            (false, 0) => (-1, 0),
            (false, 1) => (0, -1),
            (false, 2) => (0, 1),
            (false, _) => (1, 0),
        };
        let (r, c) = (G::row(square) as i32 + dr, G::column(square) as i32 + dc);
        if r < 0 || c < 0 { None } else { G::square_at(r as u32, c as u32) }
    }

    fn steps_and_rays_are_those_of_coordinates<G: Geometry>() {
        assert_eq!(G::BOARD.len(), G::SQUARES);
        for place in 0..G::SQUARES {
            let square = G::square(place);
            assert_eq!(G::place(square), place);
            assert_eq!(G::square_at(G::row(square), G::column(square)), Some(square));
            let turned = G::rotate(Bitboard::of(square));
            assert_eq!(G::place(turned.first()), G::SQUARES - 1 - place);
            for d in Direction::ALL {
                let next = walk::<G>(square, d);
                assert_eq!(G::step(d).apply(Bitboard::of(square)), next.map_or(Bitboard::EMPTY, Bitboard::of));
                if let Some(next) = next {
                    assert_eq!(walk::<G>(next, d.opposite()), Some(square));
                    assert_eq!(
                        G::RAYS[d.index()][square.index()],
                        G::RAYS[d.index()][next.index()] | Bitboard::of(next)
                    );
                } else {
                    assert!(G::RAYS[d.index()][square.index()].is_empty());
                }
            }
        }
        assert_eq!(G::rows(0, 1), G::TOP_ROW);
        assert_eq!(G::rows(G::WIDTH - 1, G::WIDTH), G::BOTTOM_ROW);
    }

    #[test]
    fn steps_and_rays_are_those_of_coordinates_on_every_board() {
        steps_and_rays_are_those_of_coordinates::<Dark10>();
        steps_and_rays_are_those_of_coordinates::<Dark8>();
        steps_and_rays_are_those_of_coordinates::<Full8>();
    }

    fn symmetries_keep_neighbours<G: Geometry>() {
        for symmetry in G::SYMMETRIES {
            let image = |s: Square| {
                let (r, c) = symmetry(G::row(s), G::column(s));
                G::square_at(r, c).expect("a symmetry maps playing squares to playing squares")
            };
            for place in 0..G::SQUARES {
                let square = G::square(place);
                let neighbours = |s: Square| -> Bitboard {
                    Direction::ALL
                        .into_iter()
                        .map(|d| G::step(d).apply(Bitboard::of(s)))
                        .fold(Bitboard::EMPTY, |a, b| a | b)
                };
                let mapped: Bitboard = neighbours(square).into_iter().map(image).collect();
                assert_eq!(mapped, neighbours(image(square)));
            }
        }
    }

    #[test]
    fn symmetries_keep_neighbours_on_every_board() {
        symmetries_keep_neighbours::<Dark10>();
        symmetries_keep_neighbours::<Dark8>();
        symmetries_keep_neighbours::<Full8>();
    }
}
