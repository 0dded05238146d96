//! What a probe answers.

use crate::value::{Dtw, Wdl};

/// What a position is worth to its mover, as far as the tables that are present know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Value {
    /// Win, draw or loss, counts of moves ignored.
    pub wdl: Wdl,
    /// Plies to the end of the game: `None` for draws, and where only wdl tables decide.
    pub dtw: Option<Dtw>,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value { wdl: Wdl::Draw, dtw: None };

    /// The value of a position whose distance is known.
    #[must_use]
    pub const fn at(dtw: Dtw) -> Value {
        Value { wdl: dtw.wdl(), dtw: Some(dtw) }
    }

    /// The value of a position from those after each of its moves, which are seen by the opponent; `None` is a value
    /// that is not known. No moves at all are a loss in 0.
    ///
    /// Returns `None` where the unknown ones could change win, draw or loss. The distance is left out where the tables
    /// do not give that of every move that counts.
    pub(super) fn from_successors(successors: impl IntoIterator<Item = Option<Value>>) -> Option<Value> {
        let (mut all_known, mut drawn) = (true, false);
        let (mut won, mut shortest) = (false, Some(Dtw(u16::MAX)));
        let mut longest = Some(None);
        for successor in successors {
            match successor {
                None => all_known = false,
                Some(Value { wdl: Wdl::Draw, .. }) => drawn = true,
                Some(Value { wdl: Wdl::Loss, dtw }) => {
                    won = true;
                    shortest = shortest.zip(dtw).map(|(a, b)| a.min(b));
                }
                Some(Value { wdl: Wdl::Win, dtw }) => longest = longest.zip(dtw).map(|(a, b)| a.max(Some(b))),
            }
        }
        let later = |dtw: Dtw| dtw.one_earlier();
        match (won, all_known, drawn) {
            (true, all_known, _) => Some(Value { wdl: Wdl::Win, dtw: shortest.filter(|_| all_known).map(later) }),
            (false, false, _) => None,
            (false, true, true) => Some(Value::DRAW),
            (false, true, false) => {
                Some(Value { wdl: Wdl::Loss, dtw: longest.map(|longest| longest.map_or(Dtw(0), later)) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Value = Value { wdl: Wdl::Win, dtw: None };
    const LOSS: Value = Value { wdl: Wdl::Loss, dtw: None };

    fn at(plies: u16) -> Option<Value> {
        Some(Value::at(Dtw(plies)))
    }

    fn value(successors: &[Option<Value>]) -> Option<Value> {
        Value::from_successors(successors.iter().copied())
    }

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        assert_eq!(value(&[]), at(0));
        assert_eq!(value(&[at(4), at(2), Some(Value::DRAW), at(7)]), at(3));
        assert_eq!(value(&[at(7), Some(Value::DRAW)]), Some(Value::DRAW));
        assert_eq!(value(&[at(1), at(5), at(3)]), at(6));
    }

    #[test]
    fn an_unknown_distance_leaves_the_distance_out() {
        assert_eq!(value(&[at(4), Some(LOSS)]), Some(WIN));
        assert_eq!(value(&[at(5), Some(WIN)]), Some(LOSS));
    }

    #[test]
    fn an_unknown_value_counts_unless_there_is_a_win() {
        assert_eq!(value(&[at(4), None]), Some(WIN));
        assert_eq!(value(&[at(1), None]), None);
        assert_eq!(value(&[Some(Value::DRAW), None]), None);
    }
}
