//! What a solver tells while it works, and what it asks: how far it is, whether to stop, what its parts take.
//!
//! The library reads no clock of its own. Where the caller lends one, the time of each part of the work is taken: of
//! large blocks always, of small ones of one in `SAMPLE`, which stands for the others, as a block of one word takes
//! less than a look at the clock. How the time of conversions is shared between captures and advances is found from one
//! word in `WORDS`.

use std::sync::Mutex;
use std::time::Duration;

use crate::build::threads::lock;

/// Small blocks of which one is measured.
const SAMPLE: u32 = 64;
/// Words from which on every block is measured.
const LARGE: usize = 1024;
/// Words of which one is looked at more closely.
const WORDS: u32 = 64;

/// Time of all threads together, by what it went to.
#[derive(Clone, Copy, Default, Debug)]
pub struct Spent {
    /// Captures and advances, and what they settle.
    pub conversions: Duration,
    /// Of some words, their captures.
    pub captures_sampled: Duration,
    /// Of the same words, their advances.
    pub advances_sampled: Duration,
    /// Passes over reversible moves; of a block that threads share, once.
    pub reversible: Duration,
    /// The most passes that a block needed.
    pub passes: u32,
}

impl Spent {
    /// This and `other` together.
    fn add(&mut self, other: Spent) {
        self.conversions += other.conversions;
        self.captures_sampled += other.captures_sampled;
        self.advances_sampled += other.advances_sampled;
        self.reversible += other.reversible;
        self.passes = self.passes.max(other.passes);
    }

    /// The share of captures in the time of conversions, 0 to 1.
    #[must_use]
    pub fn captures_share(&self) -> f64 {
        let (captures, advances) = (self.captures_sampled.as_secs_f64(), self.advances_sampled.as_secs_f64());
        if captures + advances > 0.0 { captures / (captures + advances) } else { 1.0 }
    }
}

/// The caller of a solver.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Told the number of words that are done, from any thread.
    pub advance: &'a (dyn Fn(u64) + Sync),
    /// Asked now and then whether to give up.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// A clock, and where to note what was spent.
    pub clock: Option<Clock<'a>>,
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl<'a> Watch<'a> {
    /// One without a clock.
    #[must_use]
    pub fn new(advance: &'a (dyn Fn(u64) + Sync), stopped: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Watch { advance, stopped, clock: None }
    }
}

/// A clock, and where to note what was spent.
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    /// The time since some moment.
    pub now: &'a (dyn Fn() -> Duration + Sync),
    /// What was spent so far.
    pub spent: &'a Mutex<Spent>,
}

impl std::fmt::Debug for Clock<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clock").finish_non_exhaustive()
    }
}

/// What a thread has spent, and which of its blocks and words are measured.
#[derive(Debug, Default)]
pub struct Stopwatch {
    spent: Spent,
    blocks: u32,
    words: u32,
}

impl Stopwatch {
    /// For how many blocks the next one, of `words` words, stands if it is measured.
    pub fn stands_for(&mut self, words: usize) -> Option<u32> {
        self.blocks = self.blocks.wrapping_add(1);
        if words >= LARGE { Some(1) } else { self.blocks.is_multiple_of(SAMPLE).then_some(SAMPLE) }
    }

    /// Whether the next word is looked at more closely.
    #[inline]
    pub fn is_sampled(&mut self) -> bool {
        self.words = self.words.wrapping_add(1);
        self.words.is_multiple_of(WORDS)
    }

    /// Notes the captures and the advances of a word.
    pub fn note_word(&mut self, captures: Duration, advances: Duration) {
        self.spent.captures_sampled += captures;
        self.spent.advances_sampled += advances;
    }

    /// Notes the parts of blocks.
    pub fn note_block(&mut self, conversions: Duration, reversible: Duration) {
        self.spent.conversions += conversions;
        self.spent.reversible += reversible;
    }

    /// Notes how many passes a block needed.
    pub fn note_passes(&mut self, passes: u32) {
        self.spent.passes = self.spent.passes.max(passes);
    }

    /// Takes what another has noted.
    pub fn take(&mut self, other: &mut Stopwatch) {
        self.spent.add(std::mem::take(&mut other.spent));
    }

    /// Hands over what was spent.
    pub fn hand_over(&mut self, clock: Clock<'_>) {
        lock(clock.spent).add(std::mem::take(&mut self.spent));
    }
}
