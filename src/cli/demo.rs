//! `endame demo [VARIANT]`: what the program is for, in about a minute.

use std::io::Write;

use endame::position::Fen;
use endame::proof::{Claim, usual_materials};
use endame::rules::{Rules, Variant};
use endame::with_rules;

use crate::cli::Session;
use crate::cli::board::draw_line;
use crate::cli::error::Error;
use crate::cli::on_demand::OnDemand;
use crate::cli::prove::{find_out, show as show_claim};
use crate::cli::query::{Answer, show};

/// Solves small endgames, proves the draw rules, and answers three positions.
pub fn run(variant: Variant, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(variant, R => run_for::<R>(session, output))
}

fn run_for<R: Rules>(session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let mut tables = OnDemand::<R>::open(session)?;
    writeln!(output, "1. Solve every endgame of {} of up to 3 pieces, and 3 against 1.\n", R::NAME)?;
    output.flush()?;
    tables.ensure(&usual_materials())?;
    writeln!(output, "   The tables are in {}.\n", session.tables()?.join(R::NAME).display())?;

    writeln!(output, "2. Hold the draw rules and the sayings of books against them.\n")?;
    output.flush()?;
    for findings in find_out(&Claim::all::<R>(), &mut tables, session)? {
        show_claim(&findings, output)?;
    }

    writeln!(output, "3. Answer three positions.\n")?;
    for piece in R::SHOWPIECES {
        let fen: Fen<R> = piece.fen.parse().map_err(|error| Error::input(error, "this is a fault of the program"))?;
        let mut answer = Answer::new(fen, tables.tablebase(), true)?;
        if tables.build(&answer.missing)? {
            answer = Answer::new(fen, tables.tablebase(), true)?;
        }
        writeln!(output, "-- {}\n", piece.shows)?;
        show(&answer, output)?;
        write!(output, "\n{}", draw_line(fen, &answer.line.unwrap_or_default()))?;
    }

    let example = R::SHOWPIECES.first().map_or("FEN", |piece| piece.fen);
    Ok(writeln!(
        output,
        "Next:\n  endame query {name} {example} --line\n  endame build {name} --pieces 4\n  \
         endame stats {name} KKvKM\n  endame --help",
        name = R::NAME
    )?)
}
