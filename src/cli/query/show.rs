//! An answer for people.

use std::io::Write;

use endame::position::Fen;
use endame::rules::{Colour, DrawRule, Rules};
use endame::tablebase::Value;
use endame::value::{Dtw, Outcome, Wdl};

use crate::cli::board::draw;
use crate::cli::counted::counted;
use crate::cli::error::Error;
use crate::cli::moves::material;
use crate::cli::query::answer::{Answer, AnswerMove};

/// The most characters of a line of moves.
const WIDTH: usize = 100;

/// Prints the board, the value, the moves best first, and the line if there is one.
pub fn show<R: Rules>(answer: &Answer<R>, output: &mut dyn Write) -> Result<(), Error> {
    let fen = &answer.fen;
    writeln!(output, "{fen}   {}, {} to move\n\n{}", material(fen), fen.mover, draw(fen.position, fen.mover))?;
    writeln!(output, "{}", verdict(fen.mover, answer.value))?;
    writeln!(output, "{}\n", under_rules(answer))?;
    for mv in &answer.moves {
        writeln!(output, "  {:<14} {:<22} {}", mv.text.text, worth(mv), mv.text.fen)?;
    }
    match &answer.line {
        Some(line) if !line.is_empty() => {
            let is_late = answer.outcome.is_some_and(|outcome| outcome.number().abs() == 1);
            let which = if is_late { "best line without the draw rules, too long for them" } else { "best line" };
            writeln!(output, "\n{which}:\n{}", show_line(fen, &fen.line_text(line)))?;
        }
        Some(_) if answer.lacks_distance() => {
            writeln!(output, "\nno line: the tables here hold no distances; build them with --metric dtw")?;
        }
        _ => {}
    }
    Ok(())
}

/// The value of a position in a sentence.
fn verdict(mover: Colour, value: Option<Value>) -> String {
    let Some(Value { wdl, dtw }) = value else { return "unknown: a table is missing".to_string() };
    match (wdl, dtw) {
        (Wdl::Loss, Some(Dtw(0))) => format!("{mover} has no move and has lost"),
        (Wdl::Draw, _) => "draw".to_string(),
        (Wdl::Win, dtw) => format!("{mover} wins{}", in_plies(dtw)),
        (Wdl::Loss, dtw) => format!("{} wins{}", mover.other(), in_plies(dtw)),
    }
}

/// What the draw rules make of the value, in a sentence.
fn under_rules<R: Rules>(answer: &Answer<R>) -> String {
    let Some(outcome) = answer.outcome else {
        return "by the rules of play: repetition and counts of moves are not part of the value".to_string();
    };
    let mover = answer.fen.mover;
    let value = match outcome {
        Outcome::Win => format!("{mover} wins"),
        Outcome::CursedWin => format!("a draw, the win of {mover} comes too late"),
        Outcome::Draw => "a draw".to_string(),
        Outcome::BlessedLoss => format!("a draw, the win of {} comes too late", mover.other()),
        Outcome::Loss => format!("{} wins", mover.other()),
    };
    if !answer.several.is_empty() {
        let one = |(rule, count): &(&DrawRule, u32)| format!("{} with {count} of {}", rule.name, rule.plies);
        let rules: Vec<String> = answer.several.iter().map(one).collect();
        return format!("under the draw rules: {value}; plies counted: {}", rules.join(", "));
    }
    let Some(rule) = answer.rule else {
        return format!("under the draw rules: {value}; no count of moves decides here");
    };
    let count = if answer.count == 0 { "a fresh count".to_string() } else { format!("{} plies counted", answer.count) };
    format!("under the draw rules: {value}; {} decides, with {count} of {}", rule.name, rule.plies)
}

fn in_plies(dtw: Option<Dtw>) -> String {
    match dtw {
        Some(Dtw(plies)) => format!(" in {}", counted(plies.into(), "ply")),
        None => String::new(),
    }
}

/// The worth of a move to the side that makes it.
fn worth(mv: &AnswerMove) -> String {
    match mv.outcome {
        Some(Outcome::BlessedLoss) => return "draws: a win too late".to_string(),
        Some(Outcome::CursedWin) => return "draws: a late loss".to_string(),
        _ => {}
    }
    let Some(Value { wdl, dtw }) = mv.value else { return "unknown".to_string() };
    let dtw = dtw.map(Dtw::one_earlier);
    match wdl {
        Wdl::Loss => format!("wins{}", in_plies(dtw)),
        Wdl::Draw => "draws".to_string(),
        Wdl::Win => format!("loses{}", in_plies(dtw)),
    }
}

/// A line of moves with their numbers, broken into several lines where it is long; no newline at the end.
pub fn show_line<R: Rules>(fen: &Fen<R>, moves: &[String]) -> String {
    let starts_late = usize::from(fen.mover != R::FIRST_MOVER);
    let mut text = String::new();
    let mut width = 0;
    for (i, mv) in moves.iter().enumerate() {
        let ply = i + starts_late;
        let number = match (ply % 2, i) {
            (0, _) => format!("{}. ", ply / 2 + 1),
            (_, 0) => format!("{}... ", ply / 2 + 1),
            _ => String::new(),
        };
        let word = number + mv;
        if width > 0 && width + word.len() + 1 > WIDTH {
            text.push('\n');
            width = 0;
        }
        text.push_str(if width == 0 { "  " } else { " " });
        text.push_str(&word);
        width += word.len() + 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use endame::rules::{English, International};

    #[test]
    fn lines_are_numbered_from_the_side_that_begins_a_game() {
        let moves: Vec<String> = ["1-6", "50-45", "6-1"].map(String::from).to_vec();
        let white: Fen<International> = "W:WK1:BK50".parse().expect("a FEN");
        let black: Fen<International> = "B:WK1:BK50".parse().expect("a FEN");
        assert_eq!(show_line(&white, &moves), "  1. 1-6 50-45 2. 6-1");
        assert_eq!(show_line(&black, &moves), "  1... 1-6 2. 50-45 6-1");
        let english: Fen<English> = "B:WK1:BK30".parse().expect("a FEN");
        assert_eq!(show_line(&english, &moves), "  1. 1-6 50-45 2. 6-1");
    }
}
