//! The metrics a table can hold.

use std::fmt;
use std::str::FromStr;

use crate::rules::Rules;

/// What the values of a table mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Metric {
    /// Win, draw or loss, ignoring counts of moves.
    Wdl,
    /// Plies to the end of the game.
    Dtw,
    /// Plies to the next conversion by either side, or to the end.
    Dtc,
    /// Win, draw or loss under the draw rules, and on the board.
    Outcome,
    /// Plies to the next reset of the count of the draw rule that decides. Built together with [`Metric::Outcome`].
    Dtr,
}

impl Metric {
    /// Every metric.
    pub const ALL: &'static [Metric] = &[Metric::Wdl, Metric::Dtw, Metric::Dtc, Metric::Outcome, Metric::Dtr];
    /// Those that ignore counts of moves.
    pub const ON_BOARD: &'static [Metric] = &[Metric::Wdl, Metric::Dtw, Metric::Dtc];
    /// Those that can be asked for: outcomes bring their distances.
    pub const BUILT: &'static [Metric] = &[Metric::Wdl, Metric::Dtw, Metric::Dtc, Metric::Outcome];

    /// Its name on the command line and in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
            Metric::Dtc => "dtc",
            Metric::Outcome => "outcome",
            Metric::Dtr => "dtr",
        }
    }

    /// Whether its values depend on the draw rules.
    #[must_use]
    pub const fn counts_moves(self) -> bool {
        matches!(self, Metric::Outcome | Metric::Dtr)
    }

    /// A hash of the facts of `R` that its values depend on: a table made under other facts is refused.
    #[must_use]
    pub fn facts_hash<R: Rules>(self) -> u64 {
        if self.counts_moves() { R::counted_facts_hash() } else { R::facts_hash() }
    }
}

/// The name is not that of a metric.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown metric {0:?}: expected wdl, dtw, dtc, outcome or dtr")]
pub struct UnknownMetric(pub String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Self, UnknownMetric> {
        Metric::ALL.iter().copied().find(|m| m.name() == name).ok_or_else(|| UnknownMetric(name.to_string()))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
