//! Counting the leaves of the game tree, the usual check of a move generator.

use crate::position::{Move, Position};
use crate::rules::Rules;

/// The number of different lines of exactly `depth` plies from `position`.
///
/// A line is a sequence of moves, routes of one move being one; lines that end sooner count nothing, and draw rules
/// are ignored. The last ply is counted, not played.
///
/// # Examples
/// ```
/// use endame::position::{Position, perft};
/// use endame::rules::International;
/// assert_eq!(perft(Position::<International>::start(), 3), 658);
/// ```
#[must_use]
pub fn perft<R: Rules>(position: Position<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut buffers = vec![Vec::with_capacity(64); depth as usize];
    count(position, &mut buffers)
}

/// The number of lines of `buffers.len()` plies, at least one; each ply uses a buffer.
fn count<R: Rules>(position: Position<R>, buffers: &mut [Vec<Move>]) -> u64 {
    let (moves, rest) = buffers.split_first_mut().expect("a buffer for every ply left");
    let must_capture = position.must_capture();
    if rest.is_empty() && !must_capture {
        return u64::from(position.count_quiets());
    }
    if must_capture {
        position.captures_into(moves);
    } else {
        position.quiets_into(moves);
    }
    if rest.is_empty() {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| count(position.play(mv), rest)).sum()
}
