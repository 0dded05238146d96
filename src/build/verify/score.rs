//! Values as numbers that grow with how well the mover stands.

use crate::value::{Dtc, Metric};

/// A value for the side to move: the greater, the better.
pub trait Score: Copy + Ord + Default + Send + Sync + std::fmt::Debug + 'static {
    /// The metric whose symbols it is read from.
    const METRIC: Metric;
    /// The mover has lost already.
    const LOST: Self;

    /// The best a move can do.
    const BEST: Self;

    /// The value that a symbol of a table stands for.
    fn from_symbol(symbol: u16) -> Self;
    /// The value of a move to a position of this value, for the side that makes the move.
    #[must_use]
    fn back(self) -> Self;
    /// The same value of a move, which is a capture or a man's move forward.
    #[must_use]
    #[inline(always)]
    fn by_conversion(self) -> Self {
        self
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
    fn by_conversion(self) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

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
