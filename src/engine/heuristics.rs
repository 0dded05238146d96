//! Which moves to look at first: what refuted other moves nearby, and what did so often.

use crate::position::Move;

/// The weight beyond which histories do not grow.
const MOST: i32 = 1 << 14;

/// What is remembered of quiet moves.
///
/// Moves are known by start and end in the frame of the side that makes them; `side` tells White's from Black's.
#[derive(Debug)]
pub(super) struct Heuristics {
    /// By ply: the two quiet moves that refuted last there, as [`name`] calls them.
    killers: Vec<[u16; 2]>,
    /// By side and by name.
    history: Box<[[i32; 64 * 64]; 2]>,
}

/// The name of no move: a quiet move never ends where it began.
const NONE: u16 = 0;

impl Heuristics {
    pub(super) fn new(plies: usize) -> Self {
        Heuristics { killers: vec![[NONE; 2]; plies], history: Box::new([[0; 64 * 64]; 2]) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([NONE; 2]);
        self.history.iter_mut().for_each(|side| side.fill(0));
    }

    /// A game went on: killers of other positions mean nothing, histories something.
    pub(super) fn age(&mut self) {
        self.killers.fill([NONE; 2]);
        self.history.iter_mut().flatten().for_each(|weight| *weight /= 2);
    }

    /// How promising a quiet move is, in `-MOST..=MOST + 2`.
    #[inline]
    pub(super) fn promise(&self, mv: &Move, ply: usize, side: usize) -> i32 {
        let name = name(mv);
        match self.killers[ply] {
            [first, _] if first == name => MOST + 2,
            [_, second] if second == name => MOST + 1,
            _ => self.history[side & 1][usize::from(name)],
        }
    }

    /// The quiet move `mv` refuted what led to `ply`, after `tried` had not.
    pub(super) fn refuted<'a>(
        &mut self,
        mv: &Move,
        tried: impl Iterator<Item = &'a Move>,
        (ply, side): (usize, usize),
        depth: i32,
    ) {
        let refuting = name(mv);
        let killers = &mut self.killers[ply];
        if killers[0] != refuting {
            *killers = [refuting, killers[0]];
        }
        let bonus = (depth * depth).min(400);
        let history = &mut self.history[side & 1];
        grow(&mut history[usize::from(refuting)], bonus);
        for mv in tried {
            grow(&mut history[usize::from(name(mv))], -bonus);
        }
    }
}

/// Moves a weight towards a bound, the less the nearer it is.
#[inline]
fn grow(weight: &mut i32, by: i32) {
    *weight += 16 * by - *weight * by.abs() * 16 / MOST;
}

#[inline]
fn name(mv: &Move) -> u16 {
    (mv.from.index() << 6 | mv.to.index()) as u16
}
