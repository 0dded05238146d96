//! Building tables: plan, solve, store, verify. Threads live here.

mod progress;
pub mod solver;

pub use progress::{Progress, Silent};
