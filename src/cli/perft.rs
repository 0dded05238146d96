//! `endame perft VARIANT [FEN] --depth N`.

use std::io::Write;

use rayon::prelude::*;
use serde::Serialize;

use endame::position::{Fen, Position, perft};
use endame::rules::Rules;
use endame::with_rules;

use crate::cli::args::Perft;
use crate::cli::error::Error;
use crate::cli::{Session, fen, write_json};

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    fen: String,
    counts: Vec<u64>,
}

/// Prints the number of lines of every length up to the depth.
pub fn run(arguments: &Perft, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => {
        let fen = arguments.fen.as_deref().map_or_else(|| Ok(Fen::<R>::start()), fen::read)?;
        print(fen, arguments.depth, session, output)
    })
}

fn print<R: Rules>(fen: Fen<R>, depth: u32, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let counts = (1..=depth).map(|depth| count(fen.position, depth));
    if session.common.json {
        let counts = counts.collect();
        return write_json(output, &Answer { variant: R::NAME, fen: fen.to_string(), counts });
    }
    writeln!(output, "{fen}")?;
    for (depth, count) in (1..=depth).zip(counts) {
        writeln!(output, "{depth:>2} {count:>20}")?;
        output.flush()?;
    }
    Ok(())
}

/// Counts the lines after each first move at the same time.
fn count<R: Rules>(position: Position<R>, depth: u32) -> u64 {
    position.moves().par_iter().map(|mv| perft(position.play(mv), depth - 1)).sum()
}
