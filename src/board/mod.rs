//! The board, without rules: squares, sets of squares, directions and steps.
//!
//! Everything here is seen from the side that is to move: *up* is where its men go. Colour lives only in text.

mod bitboard;
mod geometry;
mod kept;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use geometry::{Dark8, Dark10, Direction, Full8, Geometry, Step, Symmetry, bit_of};
pub use kept::{KeptSet, PerSquare};
pub use square::Square;
