//! Distance to the end of the game.

use crate::value::Wdl;

/// Plies to the end of the game under best play: the winner hurries, the loser delays.
///
/// `Dtw(0)` is a position whose mover has lost already. Odd values are wins of the side to move, even values losses;
/// draws have no `Dtw`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Dtw(pub u16);

impl Dtw {
    /// Whether the side to move wins or loses.
    #[must_use]
    pub const fn wdl(self) -> Wdl {
        if self.0 % 2 == 1 { Wdl::Win } else { Wdl::Loss }
    }

    /// The distance of a position from which a move leads to one at this distance.
    #[must_use]
    pub const fn one_earlier(self) -> Dtw {
        Dtw(self.0 + 1)
    }
}
