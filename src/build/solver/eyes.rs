//! What a thread looks at conversions with.

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
