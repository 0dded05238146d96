//! Playing: what a game remembers, what a position seems worth, and the search for the best move.
//!
//! [`Game`] keeps the positions of a game and the counts of its draw rules, and says how it ends. An [`Evaluation`]
//! guesses what a position is worth. A [`Searcher`] looks ahead from the end of a game: a principal variation search
//! whose leaves are exact where a table reaches. Nothing here reads a clock or starts a thread; the same search by
//! depth or by nodes gives the same answer on every machine.

mod counts;
mod evaluation;
mod game;
mod heuristics;
mod limits;
mod score;
mod searcher;
mod tables;
mod transposition;
mod tree;

pub use counts::DrawCounts;
pub use evaluation::{Evaluation, MaterialEvaluation};
pub use game::{End, Game};
pub use limits::{Limits, TimeLimit};
pub use score::Score;
pub use searcher::{Found, Options, Searcher};
pub use tables::Tables;
