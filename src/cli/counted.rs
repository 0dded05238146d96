//! Numbers of things in words.

use crate::cli::memory::show_count;

/// A number with what it counts: `1 game`, `2,048 games`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = match noun {
        _ if count == 1 => noun.to_string(),
        noun => match noun.strip_suffix('y') {
            // Play, plays; but ply, plies.
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{noun}s"),
        },
    };
    format!("{} {plural}", show_count(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let texts =
            [counted(1, "ply"), counted(2, "ply"), counted(1, "game"), counted(0, "game"), counted(2048, "game")];
        assert_eq!(texts, ["1 ply", "2 plies", "1 game", "0 games", "2,048 games"]);
    }
}
