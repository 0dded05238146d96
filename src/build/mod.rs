//! Building tables: plan, solve, store, verify. Threads live here.

pub mod solver;
