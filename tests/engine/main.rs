//! Games and the search, against rule books, a plain twin, and the tables.

mod counts;
mod dice;
mod game;
mod limits;
mod tables;
mod twin;
