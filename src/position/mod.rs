//! Positions and moves, in memory and as text.
//!
//! A position is kept from the mover's side: our men go up. Playing a move turns the board, so that it is the other
//! side's turn to be "us". Colour lives only in text.

mod captures;
mod downward;
mod fen;
mod moves;
mod names;
mod notation;
mod perft;
#[expect(clippy::module_inception, reason = "one noun a file: the position is the main one of its folder")]
mod position;
mod quiets;
mod rays;
mod route;
mod scope;
mod unlisted;

pub use fen::{Fen, FenError, FenErrorKind};
pub use moves::Move;
pub(crate) use names::numbered_square;
pub use names::{square_name, square_names};
pub use notation::MoveError;
pub use perft::{perft, perft_making_leaves};
pub use position::{Position, PositionError};
pub use scope::MOST_RULES;
