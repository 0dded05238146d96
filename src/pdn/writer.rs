//! From a game to text.

use std::fmt;

use crate::pdn::PdnGame;
use crate::rules::Rules;

impl<R: Rules> fmt::Display for PdnGame<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.result.text())
    }
}
