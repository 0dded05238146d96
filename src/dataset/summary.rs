//! Games in numbers.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::dataset::record::{Record, seen_at};
use crate::rules::{Colour, Rules};
use crate::value::Wdl;

/// Counts over games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Positions, the last of every game included.
    pub positions: u64,
    /// Positions with an exact value.
    pub exact: u64,
    /// Games whose result as played the tables contradict.
    pub corrected: u64,
    /// Games stopped without a result whose result the tables know.
    pub settled: u64,
    /// Games won as played, by colour, drawn, and without a result.
    pub results: Results,
    /// Games by why they are over: `no-move`, `table`, the names of draw rules.
    pub endings: BTreeMap<String, u64>,
}

/// Games by their result as played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Results {
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub drawn: u64,
    /// Won by Black.
    pub black: u64,
    /// Stopped without a result.
    pub unknown: u64,
}

impl Summary {
    /// Counts one game more.
    pub fn add<R: Rules>(&mut self, record: &Record) {
        self.games += 1;
        self.positions += record.positions() as u64;
        self.exact += record.exact.iter().flatten().count() as u64;
        self.corrected += u64::from(record.is_corrected());
        self.settled += u64::from(record.is_settled());
        let first = record.start.map_or(R::FIRST_MOVER, |start| start.mover);
        // Seen by White.
        match record.played.map(|wdl| seen_at(wdl, usize::from(first == Colour::Black))) {
            None => self.results.unknown += 1,
            Some(Wdl::Win) => self.results.white += 1,
            Some(Wdl::Draw) => self.results.drawn += 1,
            Some(Wdl::Loss) => self.results.black += 1,
        }
        *self.endings.entry(record.ending.name::<R>().to_string()).or_default() += 1;
    }
}

/// Which positions have been, by [`position_hash`].
#[derive(Debug, Default)]
pub(super) struct Seen(HashSet<u64>);

impl Seen {
    /// Whether the position with this hash has not been before; from now on it has.
    pub(super) fn is_new(&mut self, hash: u64) -> bool {
        self.0.insert(hash)
    }
}
