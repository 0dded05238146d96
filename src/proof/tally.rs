//! Counting the values of many positions.

use crate::position::Position;
use crate::rules::Rules;
use crate::table::Distance;
use crate::value::{Dtw, Wdl};

/// How many positions of a set are won, drawn and lost for the side to move, and after how many plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally<R> {
    /// Positions won by the side to move.
    pub wins: u64,
    /// Positions drawn.
    pub draws: u64,
    /// Positions lost by the side to move.
    pub losses: u64,
    /// How many positions are won and lost at each distance, ascending, distances without any left out.
    pub lengths: Vec<Distance>,
    /// The longest win of the side to move, where there is one.
    pub longest_win: Option<Longest<R>>,
    /// The longest loss of the side to move, where there is one.
    pub longest_loss: Option<Longest<R>>,
}

/// The sides whose wins are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// The side to move.
    Mover,
    /// The other side.
    Opponent,
    /// Both.
    Either,
}

/// A position whose winner needs the most plies of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest<R> {
    /// Plies to the end, or to the next conversion where the tally is by that.
    pub plies: u32,
    /// Positions whose winner needs as many.
    pub count: u64,
    /// The position: of several the first.
    pub position: Position<R>,
}

impl<R: Rules> Default for Tally<R> {
    fn default() -> Self {
        Tally { wins: 0, draws: 0, losses: 0, lengths: Vec::new(), longest_win: None, longest_loss: None }
    }
}

impl<R: Rules> Tally<R> {
    /// The number of positions counted.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The number of positions in which `winner` wins, but only after more than `plies` plies.
    #[must_use]
    pub fn longer_than(&self, plies: u32, winner: Winner) -> u64 {
        let count = |length: &Distance| match winner {
            Winner::Mover => length.wins,
            Winner::Opponent => length.losses,
            Winner::Either => length.wins + length.losses,
        };
        self.lengths.iter().filter(|l| u32::from(l.plies) > plies).map(count).sum()
    }

    /// The longest win of `winner`, where there is one.
    #[must_use]
    pub fn longest(&self, winner: Winner) -> Option<Longest<R>> {
        match winner {
            Winner::Mover => self.longest_win,
            Winner::Opponent => self.longest_loss,
            Winner::Either => longer(self.longest_win, self.longest_loss),
        }
    }

    /// The number of positions the side to move wins within `plies` plies.
    #[must_use]
    pub fn won_within(&self, plies: u32) -> u64 {
        self.lengths.iter().filter(|l| u32::from(l.plies) <= plies).map(|l| l.wins).sum()
    }

    /// Counts one more position, whose value is `dtw`; `None` is a draw.
    pub fn add(&mut self, position: Position<R>, dtw: Option<Dtw>) {
        let Some(dtw) = dtw else {
            self.draws += 1;
            return;
        };
        let won = dtw.wdl() == Wdl::Win;
        self.wins += u64::from(won);
        self.losses += u64::from(!won);
        self.add_length(Distance { plies: dtw.0, wins: u64::from(won), losses: u64::from(!won) });
        let longest = if won { &mut self.longest_win } else { &mut self.longest_loss };
        *longest = longer(*longest, Some(Longest { plies: dtw.0.into(), count: 1, position }));
    }

    /// Adds what was counted of other positions, which come after these.
    #[must_use]
    pub fn followed_by(mut self, other: Tally<R>) -> Tally<R> {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for length in other.lengths {
            self.add_length(length);
        }
        self.longest_win = longer(self.longest_win, other.longest_win);
        self.longest_loss = longer(self.longest_loss, other.longest_loss);
        self
    }

    fn add_length(&mut self, length: Distance) {
        match self.lengths.binary_search_by_key(&length.plies, |l| l.plies) {
            Ok(at) => {
                self.lengths[at].wins += length.wins;
                self.lengths[at].losses += length.losses;
            }
            Err(at) => self.lengths.insert(at, length),
        }
    }
}

/// The longer of two wins; where they are as long the first, with the positions of both.
fn longer<R>(first: Option<Longest<R>>, second: Option<Longest<R>>) -> Option<Longest<R>> {
    match (first, second) {
        (Some(first), Some(second)) if first.plies == second.plies => {
            Some(Longest { count: first.count + second.count, ..first })
        }
        (Some(first), Some(second)) if first.plies < second.plies => Some(second),
        (first, second) => first.or(second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::rules::English;

    fn position(bit: u64) -> Position<English> {
        let king = Bitboard::from_bits(1 << bit);
        Position::new(king, Bitboard::EMPTY, king).expect("a lone king")
    }

    #[test]
    fn counting_in_parts_gives_the_same_as_counting_at_once() {
        let values = [Some(Dtw(3)), None, Some(Dtw(0)), Some(Dtw(7)), Some(Dtw(3)), Some(Dtw(7)), None];
        let count = |range: std::ops::Range<usize>| {
            let mut tally = Tally::default();
            for i in range {
                tally.add(position(i as u64), values[i]);
            }
            tally
        };
        let whole = count(0..values.len());
        assert_eq!((whole.wins, whole.draws, whole.losses, whole.positions()), (4, 2, 1, 7));
        assert_eq!(whole.longest(Winner::Mover), Some(Longest { plies: 7, count: 2, position: position(3) }));
        assert_eq!(whole.longest(Winner::Opponent), Some(Longest { plies: 0, count: 1, position: position(2) }));
        assert_eq!(whole.longest(Winner::Either), whole.longest_win);
        let longer = [Winner::Mover, Winner::Opponent, Winner::Either].map(|w| whole.longer_than(3, w));
        assert_eq!((longer, whole.longer_than(7, Winner::Either), whole.won_within(3)), ([2, 0, 2], 0, 2));
        for cut in 0..=values.len() {
            assert_eq!(count(0..cut).followed_by(count(cut..values.len())), whole);
        }
    }
}
