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
    /// The longest win of either side, where there is one.
    pub longest: Option<Longest<R>>,
}

/// A position whose winner, whichever side, needs the most plies of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest<R> {
    /// Plies to the end.
    pub plies: u32,
    /// The position: of several the first.
    pub position: Position<R>,
}

impl<R: Rules> Default for Tally<R> {
    fn default() -> Self {
        Tally { wins: 0, draws: 0, losses: 0, lengths: Vec::new(), longest: None }
    }
}

impl<R: Rules> Tally<R> {
    /// The number of positions counted.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The number of positions in which a side wins, but only after more than `plies` plies.
    #[must_use]
    pub fn longer_than(&self, plies: u32) -> u64 {
        self.lengths.iter().filter(|l| u32::from(l.plies) > plies).map(|l| l.wins + l.losses).sum()
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
        if self.longest.is_none_or(|longest| u32::from(dtw.0) > longest.plies) {
            self.longest = Some(Longest { plies: dtw.0.into(), position });
        }
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
        let plies = |longest: Option<Longest<R>>| longest.map(|longest| longest.plies);
        if plies(other.longest) > plies(self.longest) {
            self.longest = other.longest;
        }
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
        assert_eq!(whole.longest, Some(Longest { plies: 7, position: position(3) }));
        assert_eq!((whole.longer_than(3), whole.longer_than(7), whole.won_within(3)), (2, 0, 2));
        for cut in 0..=values.len() {
            assert_eq!(count(0..cut).followed_by(count(cut..values.len())), whole);
        }
    }
}
