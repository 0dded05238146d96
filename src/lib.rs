//! Solves draughts endgames completely, proves what the draw rules claim about them, and answers any position.

// Its macro `with_rules!` is used below.
#[macro_use]
pub mod rules;

pub mod board;
pub mod build;
pub mod index;
pub mod position;
pub mod proof;
pub mod table;
pub mod tablebase;
pub mod value;
