//! The command line, tested by running the program.

#[cfg(target_os = "linux")]
mod budgets;
mod builds;
mod command;
mod limits;
mod positions;
mod prove;
mod records;
mod report;
mod search;
mod selfplay;
mod tables;
