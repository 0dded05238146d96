//! Solves draughts endgames completely, proves what the draw rules claim about them, and answers any position.

pub mod board;
pub mod build;
pub mod index;
pub mod position;
pub mod proof;
pub mod rules;
pub mod table;
pub mod tablebase;
pub mod value;
