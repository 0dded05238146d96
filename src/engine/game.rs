//! A game: where it began, its moves, and how it ends.

use crate::engine::DrawCounts;
use crate::position::{Fen, Move, Position};
use crate::rules::{Colour, DrawRule, Rules};

/// The occurrence of a position, with the same side to move, that draws the game.
pub const REPETITIONS: usize = 3; // FMJD 6.1, WCDF 1.32.1, IDF 7.2.3

/// Why a game is over. Of several reasons the first of this list counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum End {
    /// The side to move has no piece and has lost.
    NoPiece,
    /// The side to move has no move and has lost.
    NoMove,
    /// The count of a draw rule is full: the rule's number in [`Rules::DRAW_RULES`].
    DrawRule(usize),
    /// The position stands for the third time with the same side to move: a draw.
    Repetition,
    /// The number of plies agreed on has been played. That is no result: whoever agreed on it says how it counts.
    Limit,
}

impl End {
    /// Whether the game has ended in a draw; `None` where it was stopped without a result.
    #[must_use]
    pub const fn is_draw(self) -> Option<bool> {
        match self {
            End::NoPiece | End::NoMove => Some(false),
            End::DrawRule(_) | End::Repetition => Some(true),
            End::Limit => None,
        }
    }

    /// The draw rule that ended the game, if one did.
    #[must_use]
    pub fn draw_rule<R: Rules>(self) -> Option<&'static DrawRule> {
        match self {
            End::DrawRule(number) => R::DRAW_RULES.get(number),
            _ => None,
        }
    }
}

/// A game of variant `R` from any position on, with all it needs to know to end by the rules.
///
/// # Examples
/// ```
/// use endame::engine::{End, Game};
/// use endame::rules::International;
///
/// let mut game = Game::<International>::new("W:WK1:BK7".parse()?);
/// assert_eq!(game.end(), None);
/// game.play(&game.fen().read_move("1x12")?);
/// assert_eq!(game.end(), Some(End::NoPiece));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game<R: Rules> {
    first_mover: Colour,
    /// One more than moves, the present one last.
    positions: Vec<Position<R>>,
    moves: Vec<Move>,
    /// After each move, and at the beginning.
    counts: Vec<DrawCounts<R>>,
    /// The most plies, if agreed on.
    limit: Option<usize>,
}

impl<R: Rules> Game<R> {
    /// A game that begins at `start`, all counts at 0.
    #[must_use]
    pub fn new(start: Fen<R>) -> Self {
        Game {
            first_mover: start.mover,
            positions: vec![start.position],
            moves: Vec::new(),
            counts: vec![DrawCounts::new(&start.position)],
            limit: None,
        }
    }

    /// Agrees that the game is stopped after `plies` plies.
    #[must_use]
    pub fn with_limit(mut self, plies: usize) -> Self {
        self.limit = Some(plies);
        self
    }

    /// Plays `mv`, a legal move. A game that is over can be played on.
    ///
    /// # Panics
    /// In debug builds, if `mv` is not legal.
    pub fn play(&mut self, mv: &Move) {
        let before = self.position();
        debug_assert!(before.moves().contains(mv), "{mv:?} is not legal in {before:?}");
        let after = before.play(mv);
        self.counts.push(self.counts().after(&before, mv, &after));
        self.positions.push(after);
        self.moves.push(*mv);
    }

    /// Takes the last move back and returns it, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.counts.pop();
        Some(mv)
    }

    /// The present position, seen by the side to move.
    #[must_use]
    pub fn position(&self) -> Position<R> {
        *self.positions.last().expect("a game has a position")
    }

    /// The side to move.
    #[must_use]
    pub const fn mover(&self) -> Colour {
        if self.moves.len().is_multiple_of(2) { self.first_mover } else { self.first_mover.other() }
    }

    /// The present position with the side to move.
    #[must_use]
    pub fn fen(&self) -> Fen<R> {
        Fen { position: self.position(), mover: self.mover() }
    }

    /// Where the game began.
    #[must_use]
    pub fn start(&self) -> Fen<R> {
        Fen { position: self.positions[0], mover: self.first_mover }
    }

    /// The moves, each in the frame of the side that made it.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The positions, each seen by the side to move: one more than moves, the present one last.
    #[must_use]
    pub fn positions(&self) -> &[Position<R>] {
        &self.positions
    }

    /// The counts of the draw rules.
    #[must_use]
    pub fn counts(&self) -> &DrawCounts<R> {
        self.counts.last().expect("a game has a position")
    }

    /// How often the present position has stood with the same side to move, this time included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let present = self.position();
        self.positions.iter().rev().step_by(2).filter(|position| **position == present).count()
    }

    /// Why the game is over, or `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let position = self.position();
        if position.ours().is_empty() {
            Some(End::NoPiece)
        } else if position.is_over() {
            Some(End::NoMove)
        } else if let Some(number) = self.counts().full() {
            Some(End::DrawRule(number))
        } else if self.occurrences() >= REPETITIONS {
            Some(End::Repetition)
        } else {
            self.limit.filter(|&limit| self.moves.len() >= limit).map(|_| End::Limit)
        }
    }
}
