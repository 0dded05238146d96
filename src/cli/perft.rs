//! `endame perft VARIANT [FEN] --depth N [--make-leaves]`.

use std::io::Write;
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use endame::position::{Fen, Position, perft, perft_making_leaves};
use endame::rules::Rules;
use endame::with_rules;

use crate::cli::args::Perft;
use crate::cli::error::Error;
use crate::cli::{Session, fen, memory, write_json};

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
        print(fen, arguments, session, output)
    })
}

fn print<R: Rules>(fen: Fen<R>, arguments: &Perft, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let start = Instant::now();
    let counts = (1..=arguments.depth).map(|depth| count(fen.position, depth, arguments.make_leaves));
    if session.common.json {
        let counts = counts.collect();
        return write_json(output, &Answer { variant: R::NAME, fen: fen.to_string(), counts });
    }
    writeln!(output, "{fen}")?;
    let mut leaves = 0;
    for (depth, count) in (1..=arguments.depth).zip(counts) {
        writeln!(output, "{depth:>2} {count:>20}")?;
        output.flush()?;
        leaves += count;
    }
    let (seconds, done) = (start.elapsed().as_secs_f64(), if arguments.make_leaves { "made" } else { "counted" });
    let speed = leaves as f64 / seconds.max(1e-9) / 1e6;
    Ok(writeln!(output, "{} leaves {done} in {seconds:.2} s, {speed:.1} million a second", memory::show_count(leaves))?)
}

/// Counts the lines after each first move at the same time.
fn count<R: Rules>(position: Position<R>, depth: u32, make_leaves: bool) -> u64 {
    let perft = if make_leaves { perft_making_leaves } else { perft };
    position.moves().par_iter().map(|mv| perft(position.play(mv), depth - 1)).sum()
}
