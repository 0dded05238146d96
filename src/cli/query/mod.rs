//! `endame query VARIANT FEN|-`.

mod answer;
mod show;
mod stream;

use std::io::Write;

use endame::position::Fen;
use endame::rules::Rules;
use endame::with_rules;

use crate::cli::args::Query;
use crate::cli::on_demand::OnDemand;
use crate::cli::{Session, fen, write_json};
use crate::error::Error;

pub use answer::{Answer, line_text};
pub use show::{show, show_line};

/// Answers one position, or one a line of the standard input.
pub fn run(arguments: &Query, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => {
        let mut tables = OnDemand::<R>::open(session)?;
        if arguments.fen == "-" {
            stream::run(&mut tables, arguments.line, output)
        } else {
            one(&mut tables, fen::read(&arguments.fen)?, arguments.line, session, output)
        }
    })
}

fn one<R: Rules>(
    tables: &mut OnDemand<'_, R>,
    fen: Fen<R>,
    with_line: bool,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let mut answer = Answer::new(fen, tables.tablebase(), with_line)?;
    if tables.build(&answer.missing)? {
        answer = Answer::new(fen, tables.tablebase(), with_line)?;
    }
    if session.common.json {
        write_json(output, &answer.to_json())?;
    } else {
        show(&answer, output)?;
    }
    match answer.value {
        Some(_) => Ok(()),
        None => Err(tables.missing_error(&answer.missing)),
    }
}
