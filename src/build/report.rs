//! What a build spent on a pair of slices.

use std::time::Duration;

use crate::build::solver::watch::Spent;
use crate::index::Material;
use crate::value::Metric;

/// What a build spent on a pair of slices; times are those of all threads together where threads share the work.
#[derive(Clone, Debug)]
pub struct PairReport {
    /// The slice and its twin; one where they are the same.
    pub materials: Vec<Material>,
    /// The metric solved for.
    pub metric: Metric,
    /// Positions of all of them together.
    pub positions: u64,
    /// What solving took, by its parts; zero where the pair was solved in another way, as with several counts at once.
    pub spent: Spent,
    /// From beginning to end of the solution, by the clock.
    pub solving: Duration,
    /// Turning words for later readers, by the clock.
    pub turning: Duration,
    /// Encoding blocks, by the clock, all threads working on it.
    pub compressing: Duration,
    /// Writing and syncing files, by the clock.
    pub writing: Duration,
    /// Bytes of the files written.
    pub bytes: u64,
}
