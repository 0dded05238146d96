//! Reading a position from the command line.

use std::ffi::OsStr;

use endame::position::{Fen, FenError};
use endame::rules::{Rules, SquareNames};

use crate::cli::error::Error;

/// The longest piece of a text that a message repeats, in characters.
const EXCERPT: usize = 60;

/// Reads a FEN that was given as an argument.
pub fn read<R: Rules>(text: &OsStr) -> Result<Fen<R>, Error> {
    Fen::parse(text.as_encoded_bytes()).map_err(|error| refused::<R>(&text.to_string_lossy(), &error))
}

/// The error for a text that is not a FEN.
pub fn refused<R: Rules>(text: &str, error: &FenError) -> Error {
    let mut excerpt: String = text.chars().take(EXCERPT).collect();
    if excerpt.len() < text.len() {
        excerpt.push_str("...");
    }
    let example = match R::SQUARE_NAMES {
        SquareNames::Numbers => "W:W31,K32:B1-3",
        SquareNames::NumbersMirrored => "W:W9,K10:B30-32",
        SquareNames::Letters | SquareNames::LettersOrNumbers => "W:Wc3,Kd4:Bf6,h8",
    };
    Error::input(format_args!("FEN {excerpt:?}, {error}"), format_args!("write it like {example}"))
}
