//! The command line: reads the arguments, runs one command, and turns its outcome into an exit code.

mod cli;

use std::io::Write;
use std::process::ExitCode;

use crate::cli::error::{Error, Kind};

/// The exit code of a kind of error; part of the command line's contract.
const fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::OutputClosed => 0,
        Kind::CheckFailed => 1,
        Kind::BadInput => 2,
        Kind::TableMissing => 3,
        Kind::OverBudget => 4,
        Kind::Damaged => 5,
        Kind::Interrupted => 130,
    }
}

fn main() -> ExitCode {
    let Err(Error { kind, message }) = cli::run() else { return ExitCode::SUCCESS };
    if kind != Kind::OutputClosed {
        // Nobody is left to tell if this fails too.
        let _ = writeln!(std::io::stderr(), "endame: {message}");
    }
    ExitCode::from(exit_code(kind))
}
