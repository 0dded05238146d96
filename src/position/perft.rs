//! Counting the leaves of the game tree, the usual check of a move generator.

use std::hint::black_box;

use crate::position::downward::Downward;
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
    start::<R, false>(position, depth)
}

/// As [`perft`], but the last ply is played too: every leaf is a position that was made.
#[must_use]
pub fn perft_making_leaves<R: Rules>(position: Position<R>, depth: u32) -> u64 {
    start::<R, true>(position, depth)
}

fn start<R: Rules, const MAKES_LEAVES: bool>(position: Position<R>, depth: u32) -> u64 {
    let mut buffers = vec![Vec::with_capacity(64); depth as usize];
    if buffers.is_empty() { 1 } else { count::<R, Downward<R>, MAKES_LEAVES>(position, &mut buffers) }
}

/// The number of lines of `buffers.len()` plies, at least one; each ply uses a buffer. `S` are the rules of the other
/// side.
fn count<R: Rules, S: Rules, const MAKES_LEAVES: bool>(position: Position<R>, buffers: &mut [Vec<Move>]) -> u64 {
    let (moves, rest) = buffers.split_first_mut().expect("a buffer for every ply left");
    let is_last = rest.is_empty();
    if is_last && !MAKES_LEAVES {
        return u64::from(position.count_moves(moves));
    }
    let mut lines = 0;
    position.each_moved(moves, |moved| {
        let next: Position<S> = moved.handed_over();
        if is_last {
            black_box(&next);
            lines += 1;
        } else {
            lines += count::<S, R, MAKES_LEAVES>(next, rest);
        }
    });
    lines
}
