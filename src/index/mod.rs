#![doc = include_str!("INDEX.md")]

mod combination;
mod material;
mod order;
mod rows;
mod slice;
mod symmetry;

pub use combination::choose;
pub use material::{Material, MaterialError};
pub use order::{InOrder, Order};
pub use rows::{Row, Rows, Runner};
pub use slice::Indexer;
