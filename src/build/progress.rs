//! How long work tells what it is doing, and hears that it should stop.
//!
//! The library neither prints nor reads a clock: whoever calls it passes a [`Progress`] and shows what it is told. The
//! same object carries the wish to stop in the other direction, so that one argument serves every long function.

use std::time::Duration;

use crate::build::report::PairReport;

/// A listener to long work, shared by its threads.
pub trait Progress: Sync {
    /// A new task begins: `what` is one line for the reader, `total` the amount of work in units of the task's own
    /// choice (positions, blocks), 0 where it is not known.
    fn start(&self, what: &str, total: u64);

    /// `done` more units of the task are finished.
    fn advance(&self, done: u64);

    /// Something worth a line of its own: a table written, a table found.
    fn note(&self, line: &str);

    /// Whether the work should stop soon, leaving finished files and nothing half written. Cheap enough for inner
    /// loops.
    fn stopped(&self) -> bool;

    /// The time since some moment, where a report is wanted; it may slow the work down a little.
    fn now(&self) -> Option<Duration> {
        None
    }

    /// A pair of slices is solved and its tables are written; only told where [`Progress::now`] gives the time.
    fn built(&self, _: &PairReport) {}
}

/// A listener that shows nothing and never asks to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}

    fn stopped(&self) -> bool {
        false
    }
}
