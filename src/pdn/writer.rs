//! From a game to text: the tags, the moves in lines below 80 columns, the result, an empty line.

use std::fmt;

use crate::pdn::scan::is_blank;
use crate::pdn::{PdnGame, PdnOutcome, PdnResult};
use crate::position::Fen;
use crate::rules::Rules;

/// The tags that come first, in this order.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
/// The tags that are written from the game itself.
const OWN_TAGS: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];
/// The most characters of a line, if its words allow.
const LINE: usize = 79;

/// Writes the game as a game of a file, an empty line behind it: the reader gives it back equal.
///
/// Two things have no writing in PDN and are changed: braces within remarks become round, and line ends within tags
/// become blanks. Names of tags must be single words. A result that is neither a win nor a draw stands in the tag, and
/// a `*` ends the moves.
///
/// # Panics
/// In debug builds, if a move is not legal where it is played.
impl<R: Rules> fmt::Display for PdnGame<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.result.outcome() {
            PdnOutcome::Win(winner) => PdnResult::decided::<R>(Some(winner)),
            PdnOutcome::Draw => PdnResult::decided::<R>(None),
            PdnOutcome::Other | PdnOutcome::Unknown => self.result.clone(),
        };
        let score = if result.is_decided() { result.text() } else { "*" };
        self.write_tags(f, result.text())?;
        writeln!(f)?;
        let mut lines = Lines { f, column: 0 };
        self.write_moves(&mut lines)?;
        lines.word(score)?;
        f.write_str("\n\n")
    }
}

impl<R: Rules> PdnGame<R> {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>, result: &str) -> fmt::Result {
        let is = |name: &str, list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(name));
        for first in FIRST_TAGS {
            for (name, value) in self.tags.iter().filter(|(name, _)| is(name, &[first])) {
                write_tag(f, name, value)?;
            }
        }
        write_tag(f, "Result", result)?;
        write_tag(f, "GameType", &R::PDN_GAME_TYPE.to_string())?;
        if self.start != Fen::start() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start.to_string())?;
        }
        for (name, value) in self.tags.iter().filter(|(name, _)| !is(name, &FIRST_TAGS) && !is(name, &OWN_TAGS)) {
            write_tag(f, name, value)?;
        }
        Ok(())
    }

    fn write_moves(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        let mut fen = self.start;
        let mut number = 1;
        let mut comments = self.comments.iter().peekable();
        for (ply, mv) in self.moves.iter().enumerate() {
            while let Some((_, text)) = comments.next_if(|(before, _)| *before <= ply) {
                lines.comment(text)?;
            }
            let legal = fen.position.moves();
            debug_assert!(legal.contains(mv), "the moves of a game are legal");
            let text = fen.move_text(mv, &legal);
            match (fen.mover == R::FIRST_MOVER, ply) {
                (true, _) => lines.word(&format!("{number}. {text}"))?,
                (false, 0) => lines.word(&format!("{number}... {text}"))?,
                (false, _) => lines.word(&text)?,
            }
            number += u32::from(fen.mover != R::FIRST_MOVER);
            fen = fen.play(mv);
        }
        comments.try_for_each(|(_, text)| lines.comment(text))
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
    writeln!(f, "[{name} \"{value}\"]")
}

/// Words with blanks between them, or line ends where a line is full.
struct Lines<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    /// Characters on this line.
    column: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let len = word.chars().count();
        if self.column > 0 && self.column + 1 + len <= LINE {
            self.f.write_str(" ")?;
            self.column += 1;
        } else if self.column > 0 {
            self.f.write_str("\n")?;
            self.column = 0;
        }
        self.column += len;
        self.f.write_str(word)
    }

    fn comment(&mut self, text: &str) -> fmt::Result {
        let text = format!("{{{}}}", text.trim_matches(is_blank).replace('{', "(").replace('}', ")"));
        let mut words: Vec<String> = Vec::new();
        for word in text.split(is_blank).filter(|word| !word.is_empty()) {
            match words.last_mut() {
                // At the beginning of a line it would be a tag.
                Some(before) if word.starts_with('[') => *before += &format!(" {word}"),
                _ => words.push(word.to_string()),
            }
        }
        words.iter().try_for_each(|word| self.word(word))
    }
}
