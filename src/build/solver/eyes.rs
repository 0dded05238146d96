//! What a thread looks at conversions with.

use std::sync::Mutex;

use crate::build::solver::captures::Captures;
use crate::build::solver::reading::Reading;
use crate::rules::Rules;

/// What a thread needs to look at conversions.
#[derive(Debug)]
pub struct Eyes<R: Rules, L> {
    /// The captures of the word looked at.
    pub captures: Captures,
    /// Finished slices.
    pub reading: Reading<R, L>,
}

impl<R: Rules, L> Default for Eyes<R, L> {
    fn default() -> Self {
        Eyes { captures: Captures::default(), reading: Reading::default() }
    }
}

/// The eyes of a thread, from a pool to which they go back.
pub struct Lent<'a, R: Rules, L> {
    pool: &'a Mutex<Vec<Eyes<R, L>>>,
    eyes: Option<Eyes<R, L>>,
}

impl<'a, R: Rules, L> Lent<'a, R, L> {
    /// Takes eyes from `pool`, or new ones.
    #[must_use]
    pub fn new(pool: &'a Mutex<Vec<Eyes<R, L>>>) -> Self {
        let eyes = pool.lock().expect("no thread panics with the lock").pop();
        Lent { pool, eyes: Some(eyes.unwrap_or_default()) }
    }

    /// The eyes.
    pub fn eyes(&mut self) -> &mut Eyes<R, L> {
        self.eyes.get_or_insert_default()
    }
}

impl<R: Rules, L> Drop for Lent<'_, R, L> {
    fn drop(&mut self) {
        if let (Ok(mut pool), Some(eyes)) = (self.pool.lock(), self.eyes.take()) {
            pool.push(eyes);
        }
    }
}
