//! `endame query VARIANT FEN|-`.

mod answer;
mod count;
mod show;
mod stream;

use std::io::Write;

use endame::position::Fen;
use endame::rules::Rules;
use endame::tablebase::ProbeError;
use endame::with_rules;

use crate::cli::args::Query;
use crate::cli::error::{Error, Kind};
use crate::cli::on_demand::OnDemand;
use crate::cli::{Session, fen, write_json};

pub use answer::{Answer, best_line};

use answer::material_of;
pub use count::Count;
pub use count::changes;
pub use show::{show, show_line};

/// Answers one position, or one a line of the standard input.
pub fn run(arguments: &Query, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => {
        let mut tables = OnDemand::<R>::open(session)?;
        if arguments.fen == "-" {
            stream::run(&mut tables, arguments.line, arguments.count.as_ref(), output)
        } else {
            one(&mut tables, fen::read(&arguments.fen)?, arguments, session, output)
        }
    })
}

fn one<R: Rules>(
    tables: &mut OnDemand<'_, R>,
    fen: Fen<R>,
    Query { line, count, .. }: &Query,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let (with_line, count) = (*line, count.as_ref());
    if let Some(count) = count {
        // A count that cannot be is told before the work.
        if let Some(material) = material_of(&fen) {
            match tables.tablebase().deciding_rule(&fen.position) {
                Err(ProbeError::SeveralCounts { .. }) => count.of_several(&fen.position).map(|_| ())?,
                rule => count.of_deciding::<R>(material, rule?).map(|_| ())?,
            }
        }
        tables.ensure_outcomes(&fen.position)?;
    }
    match tables.ensure_at_counts(&fen.position) {
        // Tables answer fresh counts without it.
        Err(error) if count.is_none() && error.kind == Kind::OverBudget => {}
        solved => solved.map(|_| ())?,
    }
    let mut answer = Answer::new(fen, tables, with_line, count)?;
    let mut failure = None;
    let built = match tables.build(&answer.missing) {
        // A wdl table gives no line: where a small slice has no more, its distances are solved too.
        Ok(false) if with_line && answer.lacks_distance() => tables.build(&answer.material()),
        built => built,
    };
    match built {
        Ok(true) => answer = Answer::new(fen, tables, with_line, count)?,
        Ok(false) => {}
        Err(error) if error.kind == Kind::Interrupted => return Err(error),
        Err(error) => failure = Some(error),
    }
    if session.common.json {
        write_json(output, &answer.to_json())?;
    } else {
        show(&answer, output)?;
    }
    match answer.value {
        Some(_) => Ok(()),
        None => {
            let missing = tables.missing_error(&answer.missing);
            Err(failure.map_or(missing.clone(), |why| not_built(missing, &why)))
        }
    }
}

/// The error for a table that is missing and could not be built.
fn not_built(missing: Error, why: &Error) -> Error {
    Error { message: format!("{} (it cannot be built on the spot: {})", missing.message, why.message), ..missing }
}
