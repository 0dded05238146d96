//! Values as numbers that grow with how well the mover stands.

use crate::build::verify::lanes::{Lanes, Words};
use crate::value::{Dtc, Dtr, Metric, Outcome};

/// A value for the side to move: the greater, the better.
pub trait Score: Copy + Ord + Default + Send + Sync + std::fmt::Debug + 'static {
    /// The metric whose symbols it is read from.
    const METRIC: Metric;
    /// 64 of them.
    type Lanes: Lanes<Self>;
    /// The mover has lost already.
    const LOST: Self;

    /// The best a move can do.
    const BEST: Self;

    /// The metric of a second table that it is read from, where a draw rule counts in the material.
    const DISTANCES: Option<Metric> = None;

    /// The value that a symbol of a table stands for.
    fn from_symbol(symbol: u16) -> Self;
    /// The value that the symbols of a table and of the second one stand for.
    #[inline]
    fn from_symbols(symbol: u16, _distance: Option<u16>) -> Self {
        Self::from_symbol(symbol)
    }
    /// The value of a move to a position of this value, for the side that makes the move.
    #[must_use]
    fn back(self) -> Self;
    /// The same value of a move, which is a capture or a man's move forward; whether the count of the draw rule that
    /// decides goes on after it.
    #[must_use]
    #[inline(always)]
    fn by_conversion(self, _goes_on: bool) -> Self {
        self
    }
    /// The best of a position's moves as its value, where the draw rule that decides draws the game after `limit`
    /// plies.
    #[must_use]
    #[inline(always)]
    fn within(self, _limit: Option<u32>) -> Self {
        self
    }
    /// Whether this value, of a position's moves with fresh counts, leaves room for the one in a table, where several
    /// counts run at once: plies counted may have made a draw of a win.
    #[must_use]
    fn leaves_room_for(self, stored: Self) -> bool {
        self == stored
    }
    /// The value in words.
    fn describe(self) -> String;
    /// Plies to the end, for wins and losses where they are known.
    fn plies(self) -> Option<u16>;
    /// Greater than 0 for a win, less for a loss.
    fn sign(self) -> i8;
    /// One more than the greatest [`Score::number`].
    const NUMBERS: usize;
    /// The value as a number from 0, in the order of values.
    fn number(self) -> usize;
    /// The value with this number.
    fn from_number(number: usize) -> Self;
}

/// Win, draw, loss.
impl Score for i8 {
    type Lanes = Words;
    const METRIC: Metric = Metric::Wdl;
    const LOST: i8 = -1;
    const BEST: i8 = 1;

    fn from_symbol(symbol: u16) -> i8 {
        symbol as i8 - 1
    }

    #[inline(always)]
    fn back(self) -> i8 {
        -self
    }

    fn describe(self) -> String {
        ["loss", "draw", "win"][(self + 1) as usize].to_string()
    }

    fn plies(self) -> Option<u16> {
        None
    }

    fn sign(self) -> i8 {
        self
    }

    const NUMBERS: usize = 3;

    fn number(self) -> usize {
        (self + 1) as usize
    }

    fn from_number(number: usize) -> i8 {
        number as i8 - 1
    }
}

/// More than any distance.
const FAR: i16 = 30_000;

/// Distance: a win in `d` plies is `FAR - d`, a loss `d - FAR`, a draw 0.
impl Score for i16 {
    type Lanes = [Self; 64];
    const METRIC: Metric = Metric::Dtw;
    const LOST: i16 = -FAR;
    const BEST: i16 = FAR - 1;

    fn from_symbol(symbol: u16) -> i16 {
        match symbol {
            0 => 0,
            _ if symbol.is_multiple_of(2) => FAR - (symbol as i16 - 1),
            _ => symbol as i16 - 1 - FAR,
        }
    }

    #[inline(always)]
    fn back(self) -> i16 {
        // One ply further from the end, whoever wins.
        -self + (self > 0) as i16 - (self < 0) as i16
    }

    fn describe(self) -> String {
        match (self.sign(), self.plies()) {
            (1, Some(plies)) => format!("win in {plies} plies"),
            (-1, Some(plies)) => format!("loss in {plies} plies"),
            _ => "draw".to_string(),
        }
    }

    fn plies(self) -> Option<u16> {
        (self != 0).then(|| (FAR - self.abs()) as u16)
    }

    fn sign(self) -> i8 {
        self.signum() as i8
    }

    const NUMBERS: usize = 2 * FAR as usize + 1;

    fn number(self) -> usize {
        (i32::from(self) + i32::from(FAR)) as usize
    }

    fn from_number(number: usize) -> i16 {
        (number as i32 - i32::from(FAR)) as i16
    }
}

/// Distance to the next conversion, as the distance to the end is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct ToConversion(i16);

impl Score for ToConversion {
    type Lanes = [Self; 64];
    const METRIC: Metric = Metric::Dtc;
    const LOST: Self = ToConversion(i16::LOST);
    const BEST: Self = ToConversion(i16::BEST);
    const NUMBERS: usize = i16::NUMBERS;

    fn from_symbol(symbol: u16) -> Self {
        if symbol == 0 {
            return ToConversion(0);
        }
        let Dtc { wins, plies } = Dtc::from_symbol(symbol);
        ToConversion(if wins { FAR - plies as i16 } else { plies as i16 - FAR })
    }

    #[inline(always)]
    fn back(self) -> Self {
        ToConversion(self.0.back())
    }

    #[inline(always)]
    fn by_conversion(self, _goes_on: bool) -> Self {
        ToConversion(self.0.signum() * (FAR - 1))
    }

    fn describe(self) -> String {
        match (self.sign(), self.plies()) {
            (1, Some(plies)) => format!("win, {plies} plies to a conversion"),
            (-1, Some(plies)) => format!("loss, {plies} plies to a conversion"),
            _ => "draw".to_string(),
        }
    }

    fn plies(self) -> Option<u16> {
        self.0.plies()
    }

    fn sign(self) -> i8 {
        self.0.sign()
    }

    fn number(self) -> usize {
        self.0.number()
    }

    fn from_number(number: usize) -> Self {
        ToConversion(i16::from_number(number))
    }
}

/// Outcome and distance to the next reset: a win in `d` plies is `FAR - d`, a cursed win 1, a draw 0, and so for
/// losses.
///
/// Where no rule counts all wins are as good as one in 1, all losses as one in 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct UnderRules(i16);

impl UnderRules {
    /// Of two tables that contradict each other: no moves lead to it.
    const CONTRADICTION: Self = UnderRules(2);

    /// Whether it is won or lost under the rules.
    const fn is_decided(self) -> bool {
        self.0.abs() > 2
    }
}

impl Score for UnderRules {
    type Lanes = [Self; 64];
    const METRIC: Metric = Metric::Outcome;
    const DISTANCES: Option<Metric> = Some(Metric::Dtr);
    const LOST: Self = UnderRules(i16::LOST);
    const BEST: Self = UnderRules(i16::BEST);
    const NUMBERS: usize = i16::NUMBERS;

    fn from_symbol(symbol: u16) -> Self {
        UnderRules(match Outcome::from_symbol(symbol).number() {
            2 => FAR - 1,
            -2 => 1 - FAR,
            undecided => undecided.into(),
        })
    }

    fn from_symbols(symbol: u16, distance: Option<u16>) -> Self {
        let outcome = Self::from_symbol(symbol);
        match distance {
            None => outcome,
            Some(0) if !outcome.is_decided() => outcome,
            Some(0) => Self::CONTRADICTION,
            Some(symbol) => {
                let Dtr { wins, plies } = Dtr::from_symbol(symbol);
                let score = if wins { FAR - plies as i16 } else { plies as i16 - FAR };
                if outcome.is_decided() && wins == (outcome.0 > 0) { UnderRules(score) } else { Self::CONTRADICTION }
            }
        }
    }

    #[inline(always)]
    fn back(self) -> Self {
        UnderRules(if self.is_decided() { self.0.back() } else { -self.0 })
    }

    #[inline(always)]
    fn by_conversion(self, goes_on: bool) -> Self {
        if goes_on || !self.is_decided() { self } else { UnderRules(self.0.signum() * (FAR - 1)) }
    }

    #[inline]
    fn within(self, limit: Option<u32>) -> Self {
        match limit {
            _ if !self.is_decided() => self,
            None => self.by_conversion(false),
            Some(limit) if i32::from(FAR - self.0.abs()) > limit as i32 => UnderRules(self.0.signum()),
            Some(_) => self,
        }
    }

    fn leaves_room_for(self, stored: Self) -> bool {
        self == stored || (self.is_decided() && stored.0 == self.0.signum())
    }

    fn describe(self) -> String {
        match self.0 {
            0 => "draw".to_string(),
            1 => "cursed win".to_string(),
            -1 => "blessed loss".to_string(),
            _ if !self.is_decided() => "one thing, and its distance to the next reset another".to_string(),
            score if score > 0 => format!("win, {} plies to a reset", FAR - score),
            score => format!("loss, {} plies to a reset", FAR + score),
        }
    }

    fn plies(self) -> Option<u16> {
        self.is_decided().then(|| (FAR - self.0.abs()) as u16)
    }

    fn sign(self) -> i8 {
        if self.is_decided() { self.0.signum() as i8 } else { 0 }
    }

    fn number(self) -> usize {
        self.0.number()
    }

    fn from_number(number: usize) -> Self {
        UnderRules(i16::from_number(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_beyond_the_limit_is_cursed_and_a_reset_begins_a_new_count() {
        let loss_in_four = UnderRules::from_symbols(Outcome::Loss.symbol(), Some(9));
        let win = loss_in_four.back();
        assert_eq!((win.plies(), win.sign()), (Some(5), 1));
        assert_eq!(win.within(Some(5)), win);
        assert_eq!(win.within(Some(4)), UnderRules::from_symbol(Outcome::CursedWin.symbol()));
        assert_eq!(win.by_conversion(false).plies(), Some(1));
        assert_eq!(win.by_conversion(true), win);
        assert_eq!(UnderRules::LOST.within(None).plies(), Some(1));
        assert_eq!(UnderRules::from_symbols(Outcome::Draw.symbol(), Some(9)), UnderRules::CONTRADICTION);
    }

    #[test]
    fn several_counts_may_make_a_draw_of_a_win_but_no_win_of_a_draw() {
        let of = |outcome: Outcome| UnderRules::from_symbol(outcome.symbol());
        assert!(of(Outcome::Win).leaves_room_for(of(Outcome::CursedWin)));
        assert!(of(Outcome::Loss).leaves_room_for(of(Outcome::BlessedLoss)));
        assert!(!of(Outcome::CursedWin).leaves_room_for(of(Outcome::Win)));
        assert!(!of(Outcome::Win).leaves_room_for(of(Outcome::BlessedLoss)));
        assert!(!of(Outcome::Win).leaves_room_for(of(Outcome::Draw)));
    }

    #[test]
    fn a_loss_in_four_makes_the_move_to_it_a_win_in_five() {
        let loss = i16::from_symbol(5);
        assert_eq!((loss.plies(), loss.sign()), (Some(4), -1));
        assert_eq!(loss.back(), i16::from_symbol(6));
        assert_eq!(loss.back().back().plies(), Some(6));
        assert!(i16::from_symbol(2) > i16::from_symbol(4), "a sooner win is better");
        assert!(i16::from_symbol(5) > i16::from_symbol(3), "a later loss is better");
        assert_eq!(i16::from_symbol(1), i16::LOST);
        assert_eq!(i8::from_symbol(2).back(), i8::from_symbol(0));
    }
}
