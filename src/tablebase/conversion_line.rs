//! Lines of best play by the distance to the next conversion.

use crate::position::{Move, Position};
use crate::rules::Rules;
use crate::tablebase::{ProbeError, Tablebase};
use crate::value::{Dtc, Wdl};

impl<R: Rules> Tablebase<R> {
    /// A line of best play to the end of the game: the winner makes for the next conversion that keeps the win, the
    /// loser puts it off; after a conversion both begin anew.
    ///
    /// Of moves that are equally good the first by squares is played. It stops where a distance is not known; empty for
    /// a draw.
    ///
    /// # Errors
    /// [`ProbeError::Table`].
    pub fn conversion_line(&self, position: &Position<R>) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        // Every step comes nearer to a conversion, and no game has more than so many.
        while let Some(mv) = self.conversion_move(&position)? {
            line.push(mv);
            position = position.play(&mv);
        }
        Ok(line)
    }

    /// The best move by the distance to conversion, where it is known and the game is not over or drawn.
    fn conversion_move(&self, position: &Position<R>) -> Result<Option<Move>, ProbeError> {
        let here = match self.dtc(position) {
            Ok(Some(dtc)) if dtc.plies > 0 => dtc,
            Ok(_) | Err(ProbeError::NoTable { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut moves = position.moves();
        moves.sort_unstable_by_key(|mv| (mv.from, mv.to, mv.captured));
        // The value that the opponent has after a move that keeps what is promised.
        let kept = if here.wins { Wdl::Loss } else { Wdl::Win };
        for mv in moves {
            let after = position.play(&mv);
            let keeps = if position.converts(&mv) || after.is_over() {
                here.plies == 1
                    && match self.probe(&after) {
                        Ok(value) => value.wdl == kept,
                        Err(ProbeError::NoTable { .. }) => false,
                        Err(error) => return Err(error),
                    }
            } else {
                let promised = Dtc { wins: !here.wins, plies: here.plies - 1 };
                // A position whose game is not over is not at distance 0.
                here.plies > 1 && self.dtc(&after)? == Some(promised)
            };
            if keeps {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}
