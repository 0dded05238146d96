//! Game files: what is read, what is refused and where, what is written.

mod cases;
mod hostile;
mod oddities;
mod results;
mod writing;

use endame::pdn::{PdnError, PdnGame, PdnReader};
use endame::rules::Rules;

/// All games of a file, or why they are refused.
fn read<R: Rules>(text: impl AsRef<[u8]>) -> Vec<Result<PdnGame<R>, PdnError>> {
    PdnReader::new(text.as_ref()).collect()
}

/// The games of a file in which none is refused.
fn games<R: Rules>(text: impl AsRef<[u8]>) -> Vec<PdnGame<R>> {
    read(text).into_iter().map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// The only game of a file.
fn game<R: Rules>(text: impl AsRef<[u8]>) -> PdnGame<R> {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0)
}

/// The message for the only game of a file, which is refused.
fn refused<R: Rules>(text: impl AsRef<[u8]>) -> String {
    let games = read::<R>(text);
    let [Err(error)] = games.as_slice() else { panic!("{games:?}") };
    error.to_string()
}
