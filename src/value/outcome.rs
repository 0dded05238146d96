//! What a position is worth under the variant's draw rules.

use crate::value::Wdl;

/// The value of a position for the side to move, under the draw rules that count moves, and on the board.
///
/// Greater is better, and the value of a position is that of its best move, seen by the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Outcome {
    /// The side to move loses before a count is full.
    Loss,
    /// Lost on the board, but a count is full before.
    BlessedLoss,
    /// Drawn on the board.
    Draw,
    /// Won on the board, but a count is full before.
    CursedWin,
    /// The side to move wins before a count is full.
    Win,
}

impl Outcome {
    /// Its name.
    #[must_use]
    pub const fn category(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::BlessedLoss => "blessed-loss",
            Outcome::Draw => "draw",
            Outcome::CursedWin => "cursed-win",
            Outcome::Win => "win",
        }
    }

    /// Its number, -2 for a loss to 2 for a win; the sign is the value on the board.
    #[must_use]
    pub const fn number(self) -> i8 {
        match self {
            Outcome::Loss => -2,
            Outcome::BlessedLoss => -1,
            Outcome::Draw => 0,
            Outcome::CursedWin => 1,
            Outcome::Win => 2,
        }
    }

    /// The same value seen by the other side.
    #[must_use]
    pub const fn negated(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::BlessedLoss => Outcome::CursedWin,
            Outcome::Draw => Outcome::Draw,
            Outcome::CursedWin => Outcome::BlessedLoss,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The value where a count is full before anything is decided.
    #[must_use]
    pub const fn drawn_by_count(self) -> Outcome {
        match self.on_board() {
            Wdl::Loss => Outcome::BlessedLoss,
            Wdl::Draw => Outcome::Draw,
            Wdl::Win => Outcome::CursedWin,
        }
    }

    /// Win, draw or loss with counts ignored.
    #[must_use]
    pub const fn on_board(self) -> Wdl {
        match self {
            Outcome::Loss | Outcome::BlessedLoss => Wdl::Loss,
            Outcome::Draw => Wdl::Draw,
            Outcome::CursedWin | Outcome::Win => Wdl::Win,
        }
    }

    /// The symbol that stands for it in tables: 0 loss, 1 draw, 2 win as in tables of wdl, 3 cursed win, 4 blessed
    /// loss.
    #[must_use]
    pub const fn symbol(self) -> u16 {
        match self {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
            Outcome::CursedWin => 3,
            Outcome::BlessedLoss => 4,
        }
    }

    /// What a symbol stands for; those that no writer writes for a blessed loss.
    #[must_use]
    pub const fn from_symbol(symbol: u16) -> Outcome {
        match symbol {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            2 => Outcome::Win,
            3 => Outcome::CursedWin,
            _ => Outcome::BlessedLoss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Outcome; 5] = [Outcome::Loss, Outcome::BlessedLoss, Outcome::Draw, Outcome::CursedWin, Outcome::Win];

    #[test]
    fn numbers_ascend_and_change_their_sign_with_the_side() {
        assert_eq!(ALL.map(Outcome::number), [-2, -1, 0, 1, 2]);
        assert!(ALL.is_sorted());
        for outcome in ALL {
            assert_eq!(outcome.negated().number(), -outcome.number());
            assert_eq!(outcome.negated().on_board(), outcome.on_board().negated());
            assert_eq!(Outcome::from_symbol(outcome.symbol()), outcome);
            assert_eq!(outcome.drawn_by_count().number(), outcome.number().signum());
        }
    }
}
