//! The marks of a game file: tags, move numbers, words that may be moves, results, remarks.
//!
//! What says nothing about the game is passed over here: blanks, line comments, variations, move strengths. Nothing is
//! scanned more than a few times and nothing recurses, so hostile files cost no more than long ones.

use crate::pdn::scan::{
    captured_list, ends_tag_name, excerpt, game_ends_with, is_blank, is_digit, is_line_end, number_at, read_tag,
    remark_len, score_len, square_len, starts_as_tag, tag_line,
};
use crate::pdn::{PdnError, PdnErrorKind};

/// A line and a column, both counted from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    pub(super) fn first_of(line: usize) -> Self {
        Place { line, column: 1 }
    }

    pub(super) fn line(self) -> usize {
        self.line
    }

    /// The error of kind `kind` for `token`, which begins here.
    pub(super) fn error(self, token: &str, kind: PdnErrorKind) -> PdnError {
        PdnError { line: self.line, column: self.column, token: excerpt(token), kind }
    }
}

/// One mark.
#[derive(Debug)]
pub(super) enum Mark {
    /// Name and value.
    Tag(String, String),
    /// A move number with one dot, or with several: `1...`.
    Number {
        /// The number; large ones are cut to the largest.
        number: u32,
        /// Whether one dot follows.
        one_dot: bool,
    },
    /// Squares with the signs between them, blanks left out: a move, or a result such as `1-0`.
    Word(String),
    /// A result that cannot be a move.
    Score(String),
    /// `*`, not glued to a move.
    Star,
    /// A remark, each run of blanks made one.
    Comment(String),
}

/// The marks of a text, one after the other.
#[derive(Debug)]
pub(super) struct Marks {
    text: String,
    at: usize,
    place: Place,
    /// Whether an empty line was passed since the last mark.
    after_empty_line: bool,
}

/// Where [`Marks`] stand, to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here(usize, Place);

impl Here {
    pub(super) fn line(self) -> usize {
        self.1.line
    }
}

impl Marks {
    /// UTF-8 is taken as such, any other byte as Latin-1: files are concatenated, and one name must not spoil the rest.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().copied().map(char::from));
        }
        Marks { text, at: 0, place: Place { line: 1, column: 1 }, after_empty_line: false }
    }

    pub(super) fn here(&self) -> Here {
        Here(self.at, self.place)
    }

    pub(super) fn return_to(&mut self, here: Here) {
        (self.at, self.place) = (here.0, here.1);
    }

    pub(super) fn after_empty_line(&self) -> bool {
        self.after_empty_line
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Passes over `len` bytes, counting lines and columns.
    fn pass(&mut self, len: usize) {
        let bytes = self.text.as_bytes();
        for at in self.at..self.at + len {
            match bytes[at] {
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => {}
                b'\n' | b'\r' => self.place = Place { line: self.place.line + 1, column: 1 },
                // A character counts at its first byte.
                byte => self.place.column += usize::from(byte & 0xc0 != 0x80),
            }
        }
        self.at += len;
    }

    /// Passes over what `is_in` accepts and returns it.
    fn take_while(&mut self, is_in: impl Fn(char) -> bool) -> String {
        let taken = self.rest().find(|c| !is_in(c)).map_or(self.rest(), |len| &self.rest()[..len]).to_string();
        self.pass(taken.len());
        taken
    }

    fn pass_while(&mut self, is_in: impl Fn(char) -> bool) {
        self.pass(self.rest().len() - self.rest().trim_start_matches(is_in).len());
    }

    /// Passes over what says nothing about the game: blanks, line comments, variations, move strengths, lone dots.
    pub(super) fn skip(&mut self) -> Result<(), PdnError> {
        loop {
            let before = self.place.line;
            self.pass_while(is_blank);
            self.after_empty_line |= self.place.line >= before + 2;
            let rest = self.rest();
            match rest.chars().next() {
                Some(';' | '%') => self.pass_while(|c| !is_line_end(c)),
                Some('!' | '?' | '.' | '\u{2026}') => self.pass_while(|c| matches!(c, '!' | '?' | '.' | '\u{2026}')),
                Some('$') if rest[1..].starts_with(is_digit) => {
                    self.pass(1);
                    self.pass_while(is_digit);
                }
                Some('(') => self.variation()?,
                _ => return Ok(()),
            }
        }
    }

    /// Passes over the blanks of this line; whether something stands on the rest of it.
    pub(super) fn is_line_left(&mut self) -> bool {
        self.pass_while(|c| is_blank(c) && !is_line_end(c));
        self.rest().chars().next().is_some_and(|c| !is_line_end(c))
    }

    /// The name of the tag that begins here, as far as it is one.
    pub(super) fn tag_name(&self) -> Option<&str> {
        let inner = self.rest().strip_prefix('[')?.trim_start_matches([' ', '\t']);
        let name = &inner[..inner.find(ends_tag_name).unwrap_or(inner.len())];
        name.starts_with(char::is_alphabetic).then_some(name)
    }

    /// Passes over `score` if it stands here alone and the game ends with it.
    pub(super) fn take_score(&mut self, score: &str) -> bool {
        let is_here = self.rest().strip_prefix(score).is_some_and(|after| {
            after.chars().next().is_none_or(|c| is_blank(c) || "{[;(*".contains(c)) && game_ends_with(after)
        });
        if is_here {
            self.pass(score.len());
        }
        is_here
    }

    /// Whether a tag, the end of the file or move number 1 comes next, apart from remarks.
    pub(super) fn at_end_of_game(&self) -> bool {
        game_ends_with(self.rest())
    }

    /// Whether a move number comes next, and this one.
    pub(super) fn at_number(&self, number: u32) -> bool {
        number_at(self.rest().trim_start_matches(is_blank)) == Some(number)
    }

    /// The next mark, with its place; none at the end. An error has passed over at least one character.
    pub(super) fn next(&mut self) -> Result<Option<(Place, Mark)>, PdnError> {
        self.skip()?;
        let place = self.place;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let mark = match first {
            '[' if self.tag_name().is_some() => self.tag()?,
            '{' => Mark::Comment(self.comment()?),
            '*' => {
                self.pass(1);
                Mark::Star
            }
            '/' if rest[1..].get(..3).is_some_and(|word| word.eq_ignore_ascii_case("FEN")) => {
                let line = self.take_while(|c| !is_line_end(c));
                return Err(place.error(&line, PdnErrorKind::SetUpCommand));
            }
            _ if score_len(rest) > 0 => {
                let score = rest[..score_len(rest)].to_string();
                self.pass(score.len());
                Mark::Score(score)
            }
            '0'..='9' => self.number_or_word(),
            _ if square_len(rest) > 0 => self.word(),
            _ => {
                let len = rest[first.len_utf8()..].find(|c| is_blank(c) || "{}()[];*".contains(c));
                let token = rest[..len.map_or(rest.len(), |len| len + first.len_utf8())].to_string();
                self.pass(token.len());
                return Err(place.error(&token, PdnErrorKind::Unexpected));
            }
        };
        self.after_empty_line = false;
        Ok(Some((place, mark)))
    }

    /// A tag, `[Name "value"]`; the value ends with the first quote that `]` follows. On a fault, its line is passed.
    fn tag(&mut self) -> Result<Mark, PdnError> {
        match read_tag(self.rest()) {
            Ok((len, name, value)) => {
                self.pass(len);
                Ok(Mark::Tag(name, value))
            }
            Err(expected) => {
                let error = self.place.error(self.rest(), PdnErrorKind::NotATag(expected));
                self.pass_while(|c| !is_line_end(c));
                Err(error)
            }
        }
    }

    /// A remark. If it holds another brace, all up to its own end is passed; if it is not closed, up to the next tag.
    fn comment(&mut self) -> Result<String, PdnError> {
        let inner = &self.rest()[1..];
        let end = inner.find(['{', '}']).unwrap_or(inner.len());
        let kind = if tag_line(&inner[..end]).is_some() || end == inner.len() {
            PdnErrorKind::OpenComment
        } else if inner[end..].starts_with('{') {
            PdnErrorKind::NestedComment
        } else {
            let words: Vec<&str> = inner[..end].split(is_blank).filter(|word| !word.is_empty()).collect();
            let text = words.join(" ");
            self.pass(end + 2);
            return Ok(text);
        };
        let error = self.place.error(self.rest(), kind);
        self.pass(1 + remark_len(inner));
        Err(error)
    }

    /// Passes over a variation and those within it.
    fn variation(&mut self) -> Result<(), PdnError> {
        let (start, place) = (self.at, self.place);
        let open = |text: &str| Err(place.error(&text[start..], PdnErrorKind::OpenVariation));
        let mut depth = 0_usize;
        loop {
            match self.rest().chars().next() {
                None => return open(&self.text),
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some('{') => {
                    self.comment()?;
                    continue;
                }
                Some(';') => {
                    self.pass_while(|c| !is_line_end(c));
                    continue;
                }
                Some(c) if is_line_end(c) => {
                    self.pass_while(is_blank);
                    if starts_as_tag(self.rest()) {
                        return open(&self.text);
                    }
                    if self.rest().starts_with('%') {
                        self.pass_while(|c| !is_line_end(c));
                    }
                    continue;
                }
                Some(_) => {
                    self.pass_while(|c| !is_line_end(c) && !"(){;".contains(c));
                    continue;
                }
            }
            self.pass(1);
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn number_or_word(&mut self) -> Mark {
        let Some(number) = number_at(self.rest()) else {
            return self.word();
        };
        self.pass_while(is_digit);
        self.pass_while(is_blank);
        let dots = self.take_while(|c| matches!(c, '.' | '\u{2026}'));
        Mark::Number { number, one_dot: dots == "." }
    }

    /// Squares and signs, as far as they go; move strengths glued to it are passed over.
    fn word(&mut self) -> Mark {
        let mut word = String::new();
        loop {
            let len = square_len(self.rest());
            let is_lettered = self.rest().starts_with(|c: char| c.is_ascii_alphabetic());
            word.push_str(&self.rest()[..len]);
            self.pass(len);
            let after = self.rest().trim_start_matches(is_blank);
            let blanks = self.rest().len() - after.len();
            if let Some(sign) = after.chars().next().filter(|c| matches!(c, '-' | 'x' | 'X' | ':')) {
                let behind = after[1..].trim_start_matches(is_blank);
                let (goes_on, blanks_behind) = (square_len(behind) > 0, after.len() - 1 - behind.len());
                word.push(sign);
                self.pass(blanks + 1);
                if goes_on {
                    self.pass(blanks_behind);
                    continue;
                }
                // A sign without a square is no move: left to the reader of moves to say so.
            } else if is_lettered && self.rest().starts_with(|c: char| c.is_ascii_alphabetic()) {
                if square_len(self.rest()) > 0 {
                    continue;
                }
            } else if let Some(list) = captured_list(after) {
                let len = blanks + list.len();
                word.push_str(list);
                self.pass(len);
            }
            break;
        }
        self.pass_while(|c| matches!(c, '!' | '?' | '*'));
        Mark::Word(word)
    }
}
