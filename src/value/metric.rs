//! The metrics a table can hold.

use std::fmt;
use std::str::FromStr;

/// What the values of a table mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Metric {
    /// Win, draw or loss, ignoring counts of moves.
    Wdl,
    /// Plies to the end of the game.
    Dtw,
    /// Plies to the next conversion by either side, or to the end.
    Dtc,
}

impl Metric {
    /// Every metric that can be built.
    pub const ALL: &'static [Metric] = &[Metric::Wdl, Metric::Dtw, Metric::Dtc];

    /// Its name on the command line and in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
            Metric::Dtc => "dtc",
        }
    }
}

/// The name is not that of a metric.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown metric {0:?}: expected wdl, dtw or dtc")]
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
