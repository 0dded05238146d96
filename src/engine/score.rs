//! What the search thinks of a position.
//!
//! ```text
//!   30000 - n    the mover wins in n plies
//!   20000 - n    the mover wins: n plies on, a table says so without the distance
//!  -15000..15000 a guess, in hundredths of a man
//! -20000 + n, -30000 + n    the same as losses
//! ```

use std::fmt;
use std::ops::Neg;

use crate::value::Wdl;

/// The worth of a position to its mover: a guess in hundredths of a man ("centi-men"), or a win or loss that is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Score(i16);

/// A win in 0 plies, which nobody can have.
const WIN: i16 = 30_000;
/// A win by a table without distances, in 0 plies.
const TABLE_WIN: i16 = 20_000;
/// The largest guess.
const GUESS: i16 = 15_000;
/// The longest distance that a score can say.
const LONGEST: u32 = 9_000;
/// Farthest from the root that a table without distances is asked.
const DEEPEST: u32 = 4_000;

impl Score {
    /// Neither side is better.
    pub const DRAW: Score = Score(0);
    /// Better than any.
    pub const INFINITE: Score = Score(WIN + 1);

    /// A guess in hundredths of a man; what is beyond 15,000 becomes that.
    #[inline]
    #[must_use]
    pub fn guess(centi_men: i32) -> Score {
        Score(centi_men.clamp(-i32::from(GUESS), i32::from(GUESS)) as i16)
    }

    /// The mover wins in `plies` plies; 9,000 stands for more.
    #[inline]
    #[must_use]
    pub fn win_in(plies: u32) -> Score {
        Score(WIN - plies.min(LONGEST) as i16)
    }

    /// The mover loses in `plies` plies.
    #[inline]
    #[must_use]
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// The mover wins, as a table `plies` plies on says, which does not know how soon.
    #[inline]
    #[must_use]
    pub fn win_by_table(plies: u32) -> Score {
        Score(TABLE_WIN - plies.min(DEEPEST) as i16)
    }

    /// The guess in hundredths of a man, or `None` where the score is a win or a loss.
    #[must_use]
    pub fn centi_men(self) -> Option<i32> {
        (self.0.abs() <= GUESS).then_some(self.0.into())
    }

    /// Win or loss where it is known; `None` for a guess, which a draw is too.
    #[inline]
    #[must_use]
    pub fn decided(self) -> Option<Wdl> {
        match self.0 {
            score if score > GUESS => Some(Wdl::Win),
            score if score < -GUESS => Some(Wdl::Loss),
            _ => None,
        }
    }

    /// Plies to the end of the game, where win or loss is known with its distance.
    #[inline]
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        let left = (WIN - self.0.abs()) as u32;
        (left <= LONGEST).then_some(left)
    }

    /// As a number: see the scale at the top of this file.
    #[must_use]
    pub const fn value(self) -> i16 {
        self.0
    }

    /// The score of that number.
    ///
    /// # Panics
    /// In debug builds, if there is no such score.
    #[must_use]
    pub const fn from_value(value: i16) -> Score {
        debug_assert!(value.unsigned_abs() <= WIN as u16 + 1);
        Score(value)
    }

    /// A little better; by so many hundredths of a man.
    #[inline]
    pub(super) fn plus(self, centi_men: i32) -> Score {
        Score((i32::from(self.0) + centi_men).clamp(-i32::from(WIN) - 1, i32::from(WIN) + 1) as i16)
    }

    /// A score seen from the root, `ply` plies earlier, as seen from the position itself.
    #[inline]
    pub(super) fn below_root(self, ply: u32) -> Score {
        match self.decided() {
            Some(Wdl::Win) => Score(self.0 + ply as i16),
            Some(Wdl::Loss) => Score(self.0 - ply as i16),
            _ => self,
        }
    }

    /// The inverse of [`Score::below_root`].
    #[inline]
    pub(super) fn at_root(self, ply: u32) -> Score {
        match self.decided() {
            Some(Wdl::Win) => Score(self.0 - ply as i16),
            Some(Wdl::Loss) => Score(self.0 + ply as i16),
            _ => self,
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// In men with a sign: `+0.35`; or `win in 7 plies`, `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.centi_men(), self.plies()) {
            (Some(0), _) => f.pad("0.00"),
            (Some(guess), _) => f.pad(&format!("{:+.2}", f64::from(guess) / 100.0)),
            (None, plies) => {
                let side = if self.0 > 0 { "win" } else { "loss" };
                match plies {
                    Some(1) => f.pad(&format!("{side} in 1 ply")),
                    Some(plies) => f.pad(&format!("{side} in {plies} plies")),
                    None => f.pad(side),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_scores_are_in_order_and_do_not_mix() {
        let up = [
            Score::DRAW,
            Score::guess(35),
            Score::guess(i32::MAX),
            Score::win_by_table(9_999),
            Score::win_by_table(0),
            Score::win_in(u32::MAX),
            Score::win_in(7),
            Score::win_in(1),
            Score::INFINITE,
        ];
        assert!(up.windows(2).all(|pair| pair[0] < pair[1] && -pair[0] > -pair[1]));
        assert_eq!(
            up.map(|score| score.decided().is_some()),
            [false, false, false, true, true, true, true, true, true]
        );
        assert_eq!(Score::loss_in(6).plies(), Some(6));
        assert_eq!((Score::win_by_table(3).plies(), Score::guess(-20).plies()), (None, None));
        assert_eq!((Score::guess(-20).centi_men(), Score::win_in(3).centi_men()), (Some(-20), None));
    }

    #[test]
    fn distances_are_kept_from_any_ply() {
        for score in [Score::win_in(9), Score::loss_in(8), Score::win_by_table(5), Score::guess(14), Score::DRAW] {
            assert_eq!(score.below_root(4).at_root(4), score);
        }
        assert_eq!(Score::win_in(9).below_root(4), Score::win_in(5));
        assert_eq!(Score::loss_in(8).below_root(4), Score::loss_in(4));
    }

    #[test]
    fn scores_read_as_men_or_as_results() {
        let shown = [Score::guess(35), Score::guess(-120), Score::DRAW, Score::win_in(1), Score::loss_in(6)];
        assert_eq!(shown.map(|score| score.to_string()), ["+0.35", "-1.20", "0.00", "win in 1 ply", "loss in 6 plies"]);
        assert_eq!((-Score::win_by_table(2)).to_string(), "loss");
    }
}
