//! `endame moves VARIANT FEN`, and how a move is printed elsewhere.

use std::io::Write;

use serde::Serialize;

use endame::position::{Fen, Move};
use endame::rules::Rules;
use endame::with_rules;

use crate::cli::args::Moves;
use crate::cli::error::Error;
use crate::cli::{Session, board, fen, write_json};

/// A legal move, in words.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// The move in the variant's notation, unambiguous in its position.
    #[serde(rename = "move")]
    pub text: String,
    /// The squares of the pieces it takes, ascending.
    pub captures: Vec<String>,
    /// Whether a man becomes a king.
    pub promotes: bool,
    /// Whether it cannot be undone.
    pub conversion: bool,
    /// The position after it.
    pub fen: String,
}

#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    fen: String,
    material: String,
    pieces: u32,
    moves: Vec<MoveText>,
}

/// Prints the legal moves of a position.
pub fn run(arguments: &Moves, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(arguments.variant, R => print::<R>(fen::read(&arguments.fen)?, session, output))
}

fn print<R: Rules>(fen: Fen<R>, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let legal = fen.position.moves();
    let mut moves: Vec<MoveText> = legal.iter().map(|mv| describe(&fen, mv, &legal)).collect();
    moves.sort_by(|a, b| a.text.cmp(&b.text));
    if session.common.json {
        let (material, pieces) = (material(&fen), fen.position.occupied().len());
        return write_json(output, &Answer { variant: R::NAME, fen: fen.to_string(), material, pieces, moves });
    }
    writeln!(output, "{fen}\n\n{}", board::draw(fen.position, fen.mover))?;
    if moves.is_empty() {
        writeln!(output, "{} has no move and has lost", fen.mover)?;
    }
    for mv in &moves {
        let taken = if mv.captures.is_empty() { String::new() } else { format!("  takes {}", mv.captures.join(",")) };
        let promotes = if mv.promotes { "  promotes" } else { "" };
        writeln!(output, "{:<12} {}{taken}{promotes}", mv.text, mv.fen)?;
    }
    Ok(())
}

/// Puts `mv`, one of the `legal` moves of `fen`, into words.
pub fn describe<R: Rules>(fen: &Fen<R>, mv: &Move, legal: &[Move]) -> MoveText {
    MoveText {
        text: fen.move_text(mv, legal),
        captures: fen.captured_names(mv),
        promotes: mv.promotes,
        conversion: fen.position.converts(mv),
        fen: fen.play(mv).to_string(),
    }
}

/// The pieces of a position as `KMMvKM`, the side to move first; a side may be empty.
pub fn material<R: Rules>(fen: &Fen<R>) -> String {
    let (ours, theirs) = fen.position.sides();
    let side = |side: endame::rules::Side| "K".repeat(side.kings as usize) + &"M".repeat(side.men as usize);
    format!("{}v{}", side(ours), side(theirs))
}
