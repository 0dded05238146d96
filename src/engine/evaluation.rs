//! What a position seems to be worth, without looking ahead.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::board::{Bitboard, Geometry};
use crate::engine::Score;
use crate::position::Position;
use crate::rules::Rules;

/// A guess at the worth of a position.
///
/// The search asks only where no capture is due and the mover has a move. It must be a function of the position alone.
pub trait Evaluation<R: Rules>: Debug {
    /// The worth of `position` to its mover, in hundredths of a man.
    fn evaluate(&self, position: &Position<R>) -> i32;

    /// The same as a score.
    #[inline]
    fn score(&self, position: &Position<R>) -> Score {
        Score::guess(self.evaluate(position))
    }
}

/// Counts men, kings, how far the men have come, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialEvaluation {
    /// A king, in hundredths of a man.
    pub king: i32,
    /// A row that a man has come forward.
    pub row: i32,
    /// The right to move.
    pub turn: i32,
}

impl MaterialEvaluation {
    /// Usual weights for the variant: a flying king is worth three men, another one and a half.
    #[must_use]
    pub const fn of<R: Rules>() -> MaterialEvaluation {
        MaterialEvaluation { king: if R::FLYING_KINGS { 300 } else { 150 }, row: 2, turn: 3 }
    }
}

impl<R: Rules> Evaluation<R> for MaterialEvaluation {
    #[inline]
    fn evaluate(&self, position: &Position<R>) -> i32 {
        let difference = |ours: Bitboard, theirs: Bitboard| ours.len() as i32 - theirs.len() as i32;
        let (ours, theirs) = (position.our_men(), position.their_men());
        let men = difference(ours, theirs);
        let kings = difference(position.our_kings(), position.their_kings());
        // The rows of all men added up, a binary digit at a time. Their rows are counted from our side as ours are, so
        // a man of theirs has come as many rows as it stands down the board.
        let mut rows = 0;
        for digit in 0..4 {
            let (up, down) = (Rows::<R::Geometry>::UP[digit], Rows::<R::Geometry>::DOWN[digit]);
            rows += difference(ours & up, theirs & down) << digit;
        }
        100 * men + self.king * kings + self.row * rows + self.turn
    }
}

/// The squares of the rows whose number has a binary digit set, by the digit.
struct Rows<G>(PhantomData<G>);

impl<G: Geometry> Rows<G> {
    /// Rows counted from the bottom.
    const UP: [Bitboard; 4] = [Self::with(0, true), Self::with(1, true), Self::with(2, true), Self::with(3, true)];
    /// Rows counted from the top.
    const DOWN: [Bitboard; 4] =
        [Self::with(0, false), Self::with(1, false), Self::with(2, false), Self::with(3, false)];

    const fn with(digit: u32, from_bottom: bool) -> Bitboard {
        let (mut squares, mut bit) = (0u64, 0);
        while bit < 64 {
            if G::BOARD.bits() >> bit & 1 != 0 {
                let place = if G::GHOST_AFTER == 0 { bit } else { bit - bit / (G::ROW * G::GHOST_AFTER + 1) };
                let row = if from_bottom { G::WIDTH - 1 - place / G::ROW } else { place / G::ROW };
                if row >> digit & 1 != 0 {
                    squares |= 1 << bit;
                }
            }
            bit += 1;
        }
        Bitboard::from_bits(squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::rules::{English, International, Russian, Turkish};

    fn worth<R: Rules>(position: Position<R>) -> i32 {
        MaterialEvaluation::of::<R>().evaluate(&position)
    }

    fn counts_pieces_and_rows<R: Rules>() {
        let turn = MaterialEvaluation::of::<R>().turn;
        assert_eq!(worth(Position::<R>::start()), turn, "both sides have the same");
        for square in R::Geometry::BOARD.minus(R::Geometry::TOP_ROW) {
            let far = R::Geometry::square(R::Geometry::SQUARES - 1);
            if square == far {
                continue;
            }
            let kings = Bitboard::of(far);
            let position = Position::<R>::from_sets(Bitboard::of(square), kings, kings);
            let row = (R::Geometry::WIDTH - 1 - R::Geometry::row(square)) as i32;
            assert_eq!(worth(position), 100 - MaterialEvaluation::of::<R>().king + 2 * row + turn);
            assert_eq!(worth(position) - turn, turn - worth(position.turned()));
        }
        let both = Bitboard::of(Square::from_bit(0)).with(Square::from_bit(1));
        let kings = Position::<R>::from_sets(both, Bitboard::EMPTY, both);
        assert_eq!(worth(kings), 2 * MaterialEvaluation::of::<R>().king + turn);
    }

    #[test]
    fn men_kings_rows_and_the_turn_count_alike_for_both_sides() {
        counts_pieces_and_rows::<International>();
        counts_pieces_and_rows::<English>();
        counts_pieces_and_rows::<Russian>();
        counts_pieces_and_rows::<Turkish>();
    }
}
