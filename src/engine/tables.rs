//! The tables as the search sees them.

use crate::index::Material;
use crate::position::Position;
use crate::rules::Rules;
use crate::tablebase::{ProbeError, Tablebase, Value};

/// The tables that a search may ask, and at what cost.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'t, R> {
    tablebase: &'t Tablebase<R>,
    most_pieces: u32,
    cached_only: bool,
}

impl<'t, R: Rules> Tables<'t, R> {
    /// All tables of `tablebase` that are there now; opens them.
    ///
    /// # Errors
    /// [`ProbeError::Table`] for a table that is damaged, foreign, or made under other rules.
    pub fn new(tablebase: &'t Tablebase<R>) -> Result<Self, ProbeError> {
        let mut most_pieces = 0;
        for pieces in 2.. {
            let mut found = false;
            for material in Material::all_with(pieces) {
                found |= tablebase.best_table(material)?.is_some();
            }
            // A build makes all that a material leads to, so there are no larger ones either.
            if !found {
                break;
            }
            most_pieces = pieces;
        }
        Ok(Tables { tablebase, most_pieces, cached_only: false })
    }

    /// Beyond the first ply, reads only blocks that are decoded already, so that no probe takes long.
    ///
    /// What a search finds then depends on what was read before.
    #[must_use]
    pub const fn cached_only(mut self) -> Self {
        self.cached_only = true;
        self
    }

    /// The tables.
    #[must_use]
    pub const fn tablebase(&self) -> &'t Tablebase<R> {
        self.tablebase
    }

    /// Positions with more pieces are in no table.
    #[must_use]
    pub const fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// The value of a position `ply` plies from the root, if a table holds it.
    ///
    /// Both sides have pieces, the mover has a move and need not capture.
    #[inline]
    pub(super) fn probe(&self, position: &Position<R>, ply: u32) -> Result<Option<Value>, ProbeError> {
        if position.occupied().len() > self.most_pieces {
            Ok(None)
        } else if self.cached_only && ply > 1 {
            self.tablebase.stored_if_cached(position)
        } else {
            self.tablebase.stored(position)
        }
    }
}
