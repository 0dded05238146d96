//! The command line, tested by running the program.

mod builds;
mod command;
mod positions;
mod prove;
mod tables;
