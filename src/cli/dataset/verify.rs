//! `endame dataset verify DIR..`.

use std::ffi::{OsStr, OsString};
use std::io::Write;

use endame::dataset::Dataset;
use endame::dataset::export::Fraction;
use endame::engine::Tables;
use endame::rules::Rules;
use endame::selfplay::play_again;
use endame::tablebase::Tablebase;

use crate::cli::counted::counted;
use crate::cli::error::Error;
use crate::cli::progress::progress;
use crate::cli::{Session, selfplay, write_json};

/// Checks every game, and has the engine play the share `replay` of them again.
pub fn run<R: Rules>(
    dataset: &Dataset,
    replay: Option<Fraction>,
    openings: Option<&OsStr>,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let tables = Tablebase::<R>::open(session.tables()?)?;
    dataset.verify(&tables, &*progress(&session.signals))?;
    let replayed = match replay {
        Some(share) => Some(play::<R>(dataset, &tables, share, openings, session)?),
        None => None,
    };
    let (games, positions, missing) = (dataset.games(), dataset.positions(), dataset.missing());
    if let Some((first, last)) = missing {
        eprintln!("a part of the run: games {first} to {last}, at least, are not here");
    }
    if session.common.json {
        let answer = serde_json::json!({
            "games": games, "positions": positions, "faults": 0, "missing": missing, "replayed": replayed
        });
        return write_json(output, &answer);
    }
    let again = replayed.map_or_else(String::new, |games| format!(", {} played again", counted(games, "game")));
    Ok(writeln!(output, "{}, {}{again}: no fault", counted(games, "game"), counted(positions, "position"))?)
}

/// Plays the share of the games again and returns how many.
fn play<R: Rules>(
    dataset: &Dataset,
    tables: &Tablebase<R>,
    share: Fraction,
    file: Option<&OsStr>,
    session: &Session,
) -> Result<u64, Error> {
    let name = &dataset.metadata().settings.openings;
    if name.starts_with("pdn:") {
        return Err(Error::input("these games were read from files, not played", "leave --replay out"));
    }
    let openings = match (name.strip_prefix("file:"), file) {
        (None, _) => selfplay::openings::<R>(OsStr::new(name))?,
        (Some(_), None) => {
            return Err(Error::input(format!("the run has a list of openings, {name}"), "add --openings FILE"));
        }
        (Some(hash), Some(file)) => {
            let mut list = OsString::from(file);
            list.push(hash.find('+').map_or("", |at| &hash[at..]));
            selfplay::openings::<R>(&list)?
        }
    };
    Ok(play_again(dataset, &openings, Tables::new(tables)?, share, &*progress(&session.signals))?)
}
