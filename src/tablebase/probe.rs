//! Values of positions, of moves, and the best line.

use std::cmp::Reverse;

use crate::index::Material;
use crate::position::{Move, Position};
use crate::rules::Rules;
use crate::tablebase::{OpenTable, ProbeError, Tablebase, Value};
use crate::value::{Dtc, Dtw, Metric, Wdl};

/// A legal move, and what the tables say of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuedMove<R> {
    /// The move.
    pub mv: Move,
    /// The position after it, seen by the opponent, who is to move.
    pub after: Position<R>,
    /// The value of `after`, *for the opponent*; `None` where a table is missing that would decide.
    pub value: Option<Value>,
    /// The materials without a table that the value of `after` depends on, in order.
    pub missing: Vec<Material>,
}

impl<R: Rules> Tablebase<R> {
    /// The value of `position` for its mover, whatever position it is.
    ///
    /// A mover without a piece or a move has lost, in 0 plies. Where a capture is due, its value is that of the best
    /// capture. An opponent without a piece loses to any move.
    ///
    /// # Errors
    /// [`ProbeError::NoTable`] where a table is missing that would decide, the first of them; [`ProbeError::Table`].
    #[inline]
    pub fn probe(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        if position.must_capture() {
            return self.best_capture(position);
        }
        match settled(position) {
            Some(value) => Ok(value),
            None => self.probe_raw(position),
        }
    }

    /// The value of a stored position: both sides have pieces, the mover has a move and need not capture.
    ///
    /// # Errors
    /// [`ProbeError::NoTable`] and [`ProbeError::Table`].
    ///
    /// # Panics
    /// In debug builds, if a capture is due: what is stored for such a position has no meaning.
    #[inline]
    pub fn probe_raw(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        debug_assert!(!position.must_capture(), "a position with a capture due is not stored");
        let Some(material) = material_of(position) else {
            return Ok(settled(position).expect("a game in which a side has no piece is over"));
        };
        match self.best_table(material)? {
            Some(table) => table.value(position, &self.cache),
            None => Err(ProbeError::NoTable { variant: R::NAME, material }),
        }
    }

    /// The distance of `position` to the next conversion, where a table of its material has it; `None` for draws too.
    ///
    /// # Errors
    /// [`ProbeError::Table`], and [`ProbeError::NoTable`] where a capture is due and leads to a missing table.
    pub fn dtc(&self, position: &Position<R>) -> Result<Option<Dtc>, ProbeError> {
        let Some(material) = material_of(position) else { return Ok(None) };
        let Some(table) = self.table(material, Metric::Dtc)? else { return Ok(None) };
        if position.must_capture() {
            // The capture is the conversion.
            let wdl = self.probe(position)?.wdl;
            return Ok((wdl != Wdl::Draw).then_some(Dtc { wins: wdl == Wdl::Win, plies: 1 }));
        }
        if !position.has_quiet() {
            return Ok(Some(Dtc { wins: false, plies: 0 }));
        }
        table.dtc(position, &self.cache)
    }

    /// As [`Tablebase::probe_raw`], for a position both of whose sides have pieces; `None` where there is no table.
    ///
    /// # Errors
    /// [`ProbeError::Table`].
    ///
    /// # Panics
    /// In debug builds, if a capture is due, or a side has no piece.
    #[inline]
    pub fn stored(&self, position: &Position<R>) -> Result<Option<Value>, ProbeError> {
        match self.table_of(position)? {
            Some(table) => table.value(position, &self.cache).map(Some),
            None => Ok(None),
        }
    }

    /// As [`Tablebase::stored`]; `None` also where a block would have to be decoded first.
    ///
    /// # Errors
    /// As for [`Tablebase::stored`], where a table must be opened first.
    ///
    /// # Panics
    /// As [`Tablebase::stored`].
    #[inline]
    pub fn stored_if_cached(&self, position: &Position<R>) -> Result<Option<Value>, ProbeError> {
        Ok(self.table_of(position)?.and_then(|table| table.value_if_cached(position, &self.cache)))
    }

    #[inline]
    fn table_of(&self, position: &Position<R>) -> Result<Option<&OpenTable<R>>, ProbeError> {
        debug_assert!(!position.must_capture(), "a position with a capture due is not stored");
        let material = material_of(position);
        debug_assert!(material.is_some(), "a position with an empty side is not stored");
        material.map_or(Ok(None), |material| self.best_table(material))
    }

    /// The value of a position whose mover must capture.
    fn best_capture(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        let mut missing = None;
        let mut values = Vec::new();
        for capture in position.captures() {
            values.push(match self.probe(&position.play(&capture)) {
                Ok(value) => Some(value),
                Err(error @ ProbeError::NoTable { .. }) => {
                    missing.get_or_insert(error);
                    None
                }
                Err(error) => return Err(error),
            });
        }
        match (Value::from_successors(values), missing) {
            (Some(value), _) => Ok(value),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("the value follows where that of every capture is known"),
        }
    }

    /// The legal moves with their values, best first: wins by the shortest, draws, losses by the longest, unknown.
    ///
    /// Moves of equal value are in order of their squares. Empty if the mover has lost.
    ///
    /// # Errors
    /// [`ProbeError::Table`]; a missing table leaves a move without a value.
    pub fn moves(&self, position: &Position<R>) -> Result<Vec<ValuedMove<R>>, ProbeError> {
        let mut moves = Vec::new();
        for mv in position.moves() {
            let after = position.play(&mv);
            let (value, missing) = match self.probe(&after) {
                Ok(value) => (Some(value), Vec::new()),
                Err(ProbeError::NoTable { .. }) => (None, self.missing_for_value(&after)?),
                Err(error) => return Err(error),
            };
            moves.push(ValuedMove { mv, after, value, missing });
        }
        moves.sort_by_key(|valued| (merit(valued.value), valued.mv.from, valued.mv.to, valued.mv.captured));
        Ok(moves)
    }

    /// A line of best play from `position` to the end of the game: one move a ply, as many as its distance.
    ///
    /// Of moves that are equally good the first of [`Tablebase::moves`] is played. Empty for a draw, and where the
    /// distance is not known all the way.
    ///
    /// # Errors
    /// As for [`Tablebase::probe`], for any position of the line; [`ProbeError::Contradiction`] where a promised
    /// distance is not kept.
    pub fn best_line(&self, position: &Position<R>) -> Result<Vec<Move>, ProbeError> {
        self.best_line_by(position, |_, _| 0)
    }

    /// As [`Tablebase::best_line`]; `choose` picks among equally good moves: it is given the position and the moves in
    /// order, at least one, and returns the number of one.
    ///
    /// # Errors
    /// As for [`Tablebase::best_line`].
    pub fn best_line_by(
        &self,
        position: &Position<R>,
        mut choose: impl FnMut(&Position<R>, &[&ValuedMove<R>]) -> usize,
    ) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut left = match self.probe(&position)?.dtw {
            Some(Dtw(plies)) => plies,
            None => return Ok(line),
        };
        while left > 0 {
            let moves = self.moves(&position)?;
            left -= 1;
            let promised = Some(Value::at(Dtw(left)));
            let best: Vec<&ValuedMove<R>> = moves.iter().filter(|valued| valued.value == promised).collect();
            if best.is_empty() {
                return self.broken_line(&position, &moves);
            }
            let played = best[choose(&position, &best)];
            line.push(played.mv);
            position = played.after;
        }
        Ok(line)
    }

    /// The answer where no move keeps the promised distance: no line, if some distance is not known.
    fn broken_line(&self, position: &Position<R>, moves: &[ValuedMove<R>]) -> Result<Vec<Move>, ProbeError> {
        if let Some(&material) = moves.iter().flat_map(|valued| &valued.missing).next() {
            return Err(ProbeError::NoTable { variant: R::NAME, material });
        }
        let is_unknown = |value: &Value| value.wdl != Wdl::Draw && value.dtw.is_none();
        match material_of(position) {
            Some(material) if !moves.iter().filter_map(|valued| valued.value.as_ref()).any(is_unknown) => {
                Err(ProbeError::Contradiction { variant: R::NAME, material })
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The materials without a table that `position` and the positions after its moves are valued from, in order.
    ///
    /// # Errors
    /// [`ProbeError::Table`].
    pub fn missing(&self, position: &Position<R>) -> Result<Vec<Material>, ProbeError> {
        let mut missing = Vec::new();
        self.collect_missing(position, &mut missing)?;
        for mv in position.moves() {
            self.collect_missing(&position.play(&mv), &mut missing)?;
        }
        missing.sort();
        Ok(missing)
    }

    fn missing_for_value(&self, position: &Position<R>) -> Result<Vec<Material>, ProbeError> {
        let mut missing = Vec::new();
        self.collect_missing(position, &mut missing)?;
        missing.sort();
        Ok(missing)
    }

    /// Adds what the value of `position` itself lacks.
    fn collect_missing(&self, position: &Position<R>, missing: &mut Vec<Material>) -> Result<(), ProbeError> {
        if position.must_capture() {
            for capture in position.captures() {
                self.collect_missing(&position.play(&capture), missing)?;
            }
        } else if settled(position).is_none() {
            let material = material_of(position).expect("a game that goes on has pieces on both sides");
            if !missing.contains(&material) && self.best_table(material)?.is_none() {
                missing.push(material);
            }
        }
        Ok(())
    }
}

/// The material of `position`, if both sides have pieces.
#[inline]
pub(super) fn material_of<R: Rules>(position: &Position<R>) -> Option<Material> {
    let (ours, theirs) = position.sides();
    Material::new(ours, theirs).ok()
}

/// The value of a position without a capture due in which the game is over, or ends with any move.
#[inline]
pub(super) fn settled<R: Rules>(position: &Position<R>) -> Option<Value> {
    if !position.has_quiet() {
        Some(Value::at(Dtw(0)))
    } else if position.theirs().is_empty() {
        Some(Value::at(Dtw(1)))
    } else {
        None
    }
}

/// Orders moves by the value after them, best first.
fn merit(value: Option<Value>) -> (u8, Reverse<u16>, u16) {
    match value {
        // Wins without a distance come after those with one, losses without a distance after the others.
        Some(Value { wdl: Wdl::Loss, dtw }) => (0, Reverse(0), dtw.map_or(u16::MAX, |Dtw(plies)| plies)),
        Some(Value { wdl: Wdl::Draw, .. }) => (1, Reverse(0), 0),
        Some(Value { wdl: Wdl::Win, dtw }) => (2, Reverse(dtw.map_or(0, |Dtw(plies)| plies)), 0),
        None => (3, Reverse(0), 0),
    }
}
