//! What a text begins with: functions of a text alone, none of which looks further than it must.

/// The tag that begins a text: its length, name and value, or what was expected where it goes wrong. It is all on one
/// line, and nothing behind it is looked at: there may be many on a long line.
pub(super) fn read_tag(text: &str) -> Result<(usize, String, String), &'static str> {
    let spaces = |text: &str| text.len() - text.trim_start_matches(|c| is_blank(c) && !is_line_end(c)).len();
    let mut at = 1 + spaces(&text[1..]);
    let name = &text[at..][..text[at..].find(ends_tag_name).unwrap_or(text.len() - at)];
    at += name.len() + spaces(&text[at + name.len()..]);
    if !text[at..].starts_with('"') {
        return Err("'\"' after its name");
    }
    at += 1;
    let mut value = String::new();
    let mut chars = text[at..].char_indices().peekable();
    while let Some((i, c)) = chars.next().filter(|&(_, c)| !is_line_end(c)) {
        match c {
            '\\' if chars.peek().is_some_and(|&(_, next)| matches!(next, '"' | '\\')) => {
                value.extend(chars.next().map(|(_, next)| next));
            }
            '"' => {
                let after = &text[at + i + 1..];
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

pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

pub(super) fn ends_tag_name(c: char) -> bool {
    is_blank(c) || matches!(c, '"' | '[' | ']')
}

/// Whether a text begins `[Name "`, which is beyond doubt a tag even where a remark was left open.
pub(super) fn starts_as_tag(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('[') else {
        return false;
    };
    let name = inner.trim_start_matches([' ', '\t']);
    let after = &name[name.find(ends_tag_name).unwrap_or(name.len())..];
    name.starts_with(char::is_alphabetic) && after.trim_start_matches([' ', '\t']).starts_with('"')
}

/// Where the first line after this one begins that begins with a tag.
pub(super) fn tag_line(text: &str) -> Option<usize> {
    text.match_indices(is_line_end).map(|(at, _)| at + 1).find(|&at| {
        let line = &text[at..];
        starts_as_tag(line.trim_start_matches([' ', '\t', '\u{feff}']))
    })
}

/// The length of what a remark passes over whose brace stands before this text: up to behind the brace that closes it,
/// those in it paired, or else up to the first line that begins with a tag, or to the end. Nothing behind that is read.
pub(super) fn remark_len(text: &str) -> usize {
    let (mut depth, mut at) = (1_usize, 0);
    while let Some(next) = text[at..].find(|c| matches!(c, '{' | '}') || is_line_end(c)) {
        let mark = at + next;
        at = mark + 1;
        match &text[mark..at] {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if starts_as_tag(text[at..].trim_start_matches([' ', '\t', '\u{feff}'])) => return at,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Whether a tag, the end of the file or move number 1 begins a text, apart from blanks and remarks.
pub(super) fn game_ends_with(text: &str) -> bool {
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
pub(super) fn number_at(text: &str) -> Option<u32> {
    let digits = &text[..text.find(|c| !is_digit(c)).unwrap_or(text.len())];
    let after = text[digits.len()..].trim_start_matches(is_blank);
    let is_number = !digits.is_empty() && after.starts_with(['.', '\u{2026}']);
    is_number.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// The length of what looks like a square at the beginning of a text: digits, or a letter and digits.
pub(super) fn square_len(text: &str) -> usize {
    let letters = usize::from(text.starts_with(|c: char| c.is_ascii_alphabetic()));
    let digits = text[letters..].find(|c| !is_digit(c)).unwrap_or(text.len() - letters);
    if digits == 0 { 0 } else { letters + digits }
}

/// A list of captured squares in brackets at the beginning of a text.
pub(super) fn captured_list(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let len = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == ',' || is_blank(c)))?;
    inner[len..].starts_with('>').then(|| &text[..len + 2])
}

/// The length of a result at the beginning of a text that cannot be a move: halves or decimals.
pub(super) fn score_len(text: &str) -> usize {
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
pub(super) fn excerpt(text: &str) -> String {
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
