//! The marks of a game file: tags, move numbers, words that may be moves, results, remarks.
//!
//! What says nothing about the game is passed over here: blanks, line comments, variations, move strengths. Nothing is
//! scanned more than a few times and nothing recurses, so hostile files cost no more than long ones.

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

    pub(super) fn skip_blanks(&mut self) {
        let before = self.place.line;
        self.pass_while(is_blank);
        self.after_empty_line |= self.place.line >= before + 2;
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
        loop {
            self.skip_blanks();
            let place = self.place;
            let rest = self.rest();
            let Some(first) = rest.chars().next() else {
                return Ok(None);
            };
            let mark = match first {
                ';' | '%' => {
                    self.pass_while(|c| !is_line_end(c));
                    continue;
                }
                '!' | '?' | '.' | '\u{2026}' => {
                    self.pass_while(|c| matches!(c, '!' | '?' | '.' | '\u{2026}'));
                    continue;
                }
                '$' if rest[1..].starts_with(is_digit) => {
                    self.pass(1);
                    self.pass_while(is_digit);
                    continue;
                }
                '(' => {
                    self.variation()?;
                    continue;
                }
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
            return Ok(Some((place, mark)));
        }
    }

    /// A tag, `[Name "value"]`; the value ends with the first quote that `]` follows. On a fault, its line is passed.
    fn tag(&mut self) -> Result<Mark, PdnError> {
        let line_len = self.rest().find(is_line_end).unwrap_or(self.rest().len());
        let line = &self.rest()[..line_len];
        match read_tag(line) {
            Ok((len, name, value)) => {
                self.pass(len);
                Ok(Mark::Tag(name, value))
            }
            Err(expected) => {
                let error = self.place.error(line, PdnErrorKind::NotATag(expected));
                self.pass(line_len);
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
        let before_tag = &inner[..tag_line(inner).unwrap_or(inner.len())];
        self.pass(1 + closing_brace(before_tag).unwrap_or(before_tag.len()));
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

/// A tag at the beginning of a line: its length, name and value, or what was expected where it goes wrong.
fn read_tag(line: &str) -> Result<(usize, String, String), &'static str> {
    let spaces = |text: &str| text.len() - text.trim_start_matches(is_blank).len();
    let mut at = 1 + spaces(&line[1..]);
    let name = &line[at..][..line[at..].find(ends_tag_name).unwrap_or(line.len() - at)];
    at += name.len() + spaces(&line[at + name.len()..]);
    if !line[at..].starts_with('"') {
        return Err("'\"' after its name");
    }
    at += 1;
    let mut value = String::new();
    let mut chars = line[at..].char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(|&(_, next)| matches!(next, '"' | '\\')) => {
                value.extend(chars.next().map(|(_, next)| next));
            }
            '"' => {
                let after = &line[at + i + 1..];
                if after[spaces(after)..].starts_with(']') {
                    return Ok((at + i + 2 + spaces(after), name.to_string(), value));
                }
                value.push('"');
            }
            _ => value.push(c),
        }
    }
    Err("'\"]' at its end")
}

pub(super) fn is_blank(c: char) -> bool {
    // Files with a byte order mark are concatenated too.
    c.is_whitespace() || c == '\u{feff}'
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn ends_tag_name(c: char) -> bool {
    is_blank(c) || matches!(c, '"' | '[' | ']')
}

/// Whether a text begins `[Name "`, which is beyond doubt a tag even where a remark was left open.
fn starts_as_tag(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('[') else {
        return false;
    };
    let name = inner.trim_start_matches([' ', '\t']);
    let after = &name[name.find(ends_tag_name).unwrap_or(name.len())..];
    name.starts_with(char::is_alphabetic) && after.trim_start_matches([' ', '\t']).starts_with('"')
}

/// Where the first line after this one begins that begins with a tag.
fn tag_line(text: &str) -> Option<usize> {
    text.match_indices(is_line_end).map(|(at, _)| at + 1).find(|&at| {
        let line = &text[at..];
        starts_as_tag(line.trim_start_matches([' ', '\t', '\u{feff}']))
    })
}

/// Where the text behind the brace begins that closes one before this text, those in it paired.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, brace) in text.match_indices(['{', '}']) {
        depth = if brace == "{" { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Whether a tag, the end of the file or move number 1 begins a text, apart from blanks and remarks.
fn game_ends_with(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(is_blank);
        let brace = rest.strip_prefix('{').and_then(|inner| inner.find(['{', '}']));
        match (brace, rest.strip_prefix(';')) {
            (Some(end), _) if rest[end + 1..].starts_with('}') => rest = &rest[end + 2..],
            (_, Some(line)) => rest = &line[line.find(is_line_end).unwrap_or(line.len())..],
            _ => return rest.is_empty() || starts_as_tag(rest) || number_at(rest) == Some(1),
        }
    }
}

/// The move number at the beginning of a text: digits and a dot, blanks between them or not.
fn number_at(text: &str) -> Option<u32> {
    let digits = &text[..text.find(|c| !is_digit(c)).unwrap_or(text.len())];
    let after = text[digits.len()..].trim_start_matches(is_blank);
    let is_number = !digits.is_empty() && after.starts_with(['.', '\u{2026}']);
    is_number.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// The length of what looks like a square at the beginning of a text: digits, or a letter and digits.
fn square_len(text: &str) -> usize {
    let letters = usize::from(text.starts_with(|c: char| c.is_ascii_alphabetic()));
    let digits = text[letters..].find(|c| !is_digit(c)).unwrap_or(text.len() - letters);
    if digits == 0 { 0 } else { letters + digits }
}

/// A list of captured squares in brackets at the beginning of a text.
fn captured_list(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let len = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == ',' || is_blank(c)))?;
    inner[len..].starts_with('>').then(|| &text[..len + 2])
}

/// The length of a result at the beginning of a text that cannot be a move: halves or decimals.
fn score_len(text: &str) -> usize {
    const HALVES: [&str; 4] = ["1/2-1/2", "1/2 - 1/2", "\u{bd}-\u{bd}", "\u{bd} - \u{bd}"];
    if let Some(score) = HALVES.iter().find(|score| text.starts_with(**score)) {
        return score.len();
    }
    // 1.5-0.5: a number, and behind the sign a number again.
    let decimal = |text: &str| {
        let whole = text.find(|c| !is_digit(c)).filter(|&len| len > 0 && text[len..].starts_with('.'))?;
        let part = text[whole + 1..].find(|c| !is_digit(c)).unwrap_or(text.len() - whole - 1);
        (part > 0).then_some(whole + 1 + part)
    };
    let length = || {
        let first = decimal(text)?;
        let second = decimal(text[first..].strip_prefix('-')?)?;
        Some(first + 1 + second)
    };
    length().unwrap_or(0)
}

/// The beginning of `text`, short enough for a message and on one line; what is not printable ASCII is escaped.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short = String::new();
    for (i, c) in text.chars().take_while(|&c| !is_line_end(c)).enumerate() {
        if i == LONGEST {
            short.push_str("...");
            break;
        }
        if c == ' ' || c.is_ascii_graphic() { short.push(c) } else { short.extend(c.escape_default()) }
    }
    short
}
