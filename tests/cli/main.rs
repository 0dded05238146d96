//! The command line, tested by running the program.

mod builds;
mod command;
mod limits;
mod positions;
mod prove;
mod records;
mod search;
mod selfplay;
mod tables;
