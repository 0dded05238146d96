//! `endame completions SHELL`.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::args::Cli;
use crate::cli::error::Error;

/// Prints the completion script of a shell.
pub fn run(shell: Shell, output: &mut dyn Write) -> Result<(), Error> {
    // By way of memory, because the generator panics where its output is closed.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "endame", &mut script);
    Ok(output.write_all(&script)?)
}
