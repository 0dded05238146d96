//! When a search ends.

use std::fmt;
use std::time::Duration;

/// When a search ends; the first limit that is reached counts. A search of one ply is always finished.
///
/// Limits by depth and by nodes give the same answer every time. Time and the call to stop depend on the machine.
///
/// # Examples
/// ```
/// use endame::engine::Limits;
/// let limits = Limits { nodes: 100_000, ..Limits::depth(12) };
/// assert_eq!(limits.depth, 12);
/// ```
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The most plies to look ahead, captures and forced replies not counted; at least 1.
    pub depth: u32,
    /// The most positions to look at.
    pub nodes: u64,
    /// A time to end at.
    pub time: Option<TimeLimit<'a>>,
    /// Asked now and then: true ends the search.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

/// A time to end at, by a clock of the caller.
#[derive(Clone, Copy)]
pub struct TimeLimit<'a> {
    /// The clock.
    pub now: &'a dyn Fn() -> Duration,
    /// When the clock shows this, the search ends. No deeper search is begun in the second half of the time.
    pub until: Duration,
}

impl Limits<'_> {
    /// The most plies that any search looks ahead.
    pub const DEEPEST: u32 = 96;

    /// No limit but the deepest search there is.
    #[must_use]
    pub const fn none() -> Self {
        Limits { depth: Self::DEEPEST, nodes: u64::MAX, time: None, stop: None }
    }

    /// To look `depth` plies ahead.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Limits { depth, ..Self::none() }
    }

    /// To look at `nodes` positions.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Limits { nodes, ..Self::none() }
    }
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self::none()
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("depth", &self.depth).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl fmt::Debug for TimeLimit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimeLimit").field("until", &self.until).finish_non_exhaustive()
    }
}
