//! Distance to the next reset of a count.

use crate::value::{Dtc, Wdl};

/// Plies to the next move that ends or resets the count of the draw rule that decides, under best play for a win in
/// time.
///
/// Such a move, or one that ends the game, counts 1, another 1 more than what follows; the winner takes the least over
/// the moves that win under the rules, the loser the most. 0 is a position whose mover has lost already. A position is
/// won or lost with a count of `c` plies already made if it is so by at most the plies of the rule less `c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Dtr {
    /// Whether the side to move wins; if not, it loses.
    pub wins: bool,
    /// Plies, at most those of the rule.
    pub plies: u16,
}

impl Dtr {
    /// Whether the side to move wins or loses, with a fresh count.
    #[must_use]
    pub const fn wdl(self) -> Wdl {
        if self.wins { Wdl::Win } else { Wdl::Loss }
    }

    /// The symbol that stands for it in tables: as for a [`Dtc`].
    #[must_use]
    pub const fn symbol(self) -> u16 {
        Dtc { wins: self.wins, plies: self.plies }.symbol()
    }

    /// What a symbol other than 0 (neither won nor lost under the rules) stands for.
    #[must_use]
    pub const fn from_symbol(symbol: u16) -> Dtr {
        let Dtc { wins, plies } = Dtc::from_symbol(symbol);
        Dtr { wins, plies }
    }
}
