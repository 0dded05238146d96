//! Distance to the next conversion.

use crate::value::Wdl;

/// Plies to the next conversion by either side, or to the end of the game, under best play towards the value.
///
/// A conversion is a capture or a man's move forward. A converting or ending move counts 1, another 1 more than what
/// follows; the winner takes the least over the moves that win, the loser the most. 0 is a position whose mover has
/// lost already. Draws have no `Dtc`, and its parity says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Dtc {
    /// Whether the side to move wins; if not, it loses.
    pub wins: bool,
    /// Plies.
    pub plies: u16,
}

impl Dtc {
    /// Whether the side to move wins or loses.
    #[must_use]
    pub const fn wdl(self) -> Wdl {
        if self.wins { Wdl::Win } else { Wdl::Loss }
    }

    /// The symbol that stands for it in tables: twice the plies, and one more for a loss.
    #[must_use]
    pub const fn symbol(self) -> u16 {
        2 * self.plies + !self.wins as u16
    }

    /// What a symbol other than 0 (a draw) stands for.
    #[must_use]
    pub const fn from_symbol(symbol: u16) -> Dtc {
        Dtc { wins: symbol.is_multiple_of(2), plies: symbol / 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_says_who_wins_and_when() {
        for dtc in [Dtc { wins: false, plies: 0 }, Dtc { wins: true, plies: 1 }, Dtc { wins: false, plies: 7 }] {
            assert_eq!(Dtc::from_symbol(dtc.symbol()), dtc);
            assert_ne!(dtc.symbol(), 0);
        }
    }
}
