//! A folder of tables: any position answered, not only those that are stored.
//!
//! The table of a material in a metric is the file `<folder>/<variant>/<material>.<metric>.end`. It is opened when it
//! is first needed and stays open; that it is missing is remembered too, until [`Tablebase::refresh`]. Where several
//! metrics are there, dtw decides: it answers everything wdl does.
//!
//! [`Tablebase::probe`] answers positions of every kind: a mover without a move has lost, one who must capture gets the
//! best of the captures, and all others are stored. Nothing here is ever read from the slot of a position with a
//! capture due: it holds a filler. [`Tablebase::outcome`] answers under the draw rules, in the middle of a count too.

mod conversion_line;
mod error;
mod open_table;
mod outcome;
mod probe;
mod value;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::index::Material;
use crate::rules::Rules;
use crate::table::BlockCache;
use crate::value::Metric;

pub use error::ProbeError;
pub use open_table::OpenTable;
pub use probe::ValuedMove;
pub use value::Value;

use open_table::Shelf;

/// Bytes of decoded blocks kept unless asked otherwise: some 300 million values of win, draw, loss.
const CACHE_BYTES: usize = 64 << 20;

/// Tables of positions with more pieces are never looked for: none that could be built has as many.
const MOST_PIECES: u32 = 12;

/// The file of a table in the folder `tables`: `<tables>/<variant>/<material>.<metric>.end`.
#[must_use]
pub fn table_path(tables: &Path, variant: &str, material: Material, metric: Metric) -> PathBuf {
    tables.join(variant).join(format!("{material}.{metric}.end"))
}

/// A folder of tables of one variant; share one among all threads.
///
/// # Examples
/// ```
/// use endame::position::Position;
/// use endame::rules::Russian;
/// use endame::tablebase::{ProbeError, Tablebase};
///
/// let tables = Tablebase::<Russian>::open("no-such-folder")?.with_cache_bytes(1 << 20);
/// let error = tables.probe(&Position::start()).expect_err("nobody has solved the whole game");
/// assert!(matches!(error, ProbeError::NoTable { .. }));
/// # Ok::<(), ProbeError>(())
/// ```
pub struct Tablebase<R> {
    folder: PathBuf,
    cache: BlockCache,
    /// By [`number`]: what is known of the tables of a material.
    shelves: Box<[Shelf<R>]>,
}

impl<R: Rules> Tablebase<R> {
    /// The tables in `folder`. It need not exist: then every table is missing. Reads no table yet.
    ///
    /// # Errors
    /// [`ProbeError::NotAFolder`].
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, ProbeError> {
        let folder = folder.into();
        if folder.exists() && !folder.is_dir() {
            return Err(ProbeError::NotAFolder(folder));
        }
        let count = number([0, 0, 0, MOST_PIECES + 1]);
        let shelves = (0..count).map(|_| Shelf::default()).collect();
        Ok(Tablebase { folder, cache: BlockCache::new(CACHE_BYTES), shelves })
    }

    /// Keeps at most `bytes` bytes of decoded blocks in memory, instead of 64 MiB. With 0 every probe decodes a block.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: usize) -> Self {
        self.cache = BlockCache::new(bytes);
        self
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Looks again for tables that were missing, after some have been built.
    pub fn refresh(&self) {
        self.shelves.iter().for_each(Shelf::refresh);
    }

    /// The table of `material` in `metric`, or `None` if there is no such file.
    ///
    /// # Errors
    /// [`ProbeError::Table`] where the file is damaged, foreign, or made under other rules.
    #[inline]
    pub fn table(&self, material: Material, metric: Metric) -> Result<Option<&OpenTable<R>>, ProbeError> {
        match self.shelf(material) {
            Some(shelf) => shelf.table(&self.folder, material, metric),
            None => Ok(None),
        }
    }

    /// The table of `material` that decides on the board: dtw, else wdl, dtc, outcome, else `None`.
    ///
    /// # Errors
    /// As for [`Tablebase::table`].
    #[inline]
    pub fn best_table(&self, material: Material) -> Result<Option<&OpenTable<R>>, ProbeError> {
        for metric in [Metric::Dtw, Metric::Wdl, Metric::Dtc] {
            if let Some(found) = self.table(material, metric)? {
                return Ok(Some(found));
            }
        }
        self.table(material, Metric::Outcome)
    }

    #[inline]
    fn shelf(&self, material: Material) -> Option<&Shelf<R>> {
        let (ours, theirs) = (material.ours(), material.theirs());
        self.shelves.get(number([ours.kings, ours.men, theirs.kings, theirs.men]))
    }
}

/// The number of a material: all with fewer pieces come before, without gaps (the colex rank of the sums of its
/// counts).
#[inline]
fn number(counts: [u32; 4]) -> usize {
    let a = counts[0] as usize;
    let b = a + counts[1] as usize + 1;
    let c = b + counts[2] as usize + 1;
    let d = c + counts[3] as usize + 1;
    a + b * (b - 1) / 2 + c * (c - 1) * (c - 2) / 6 + d * (d - 1) * (d - 2) * (d - 3) / 24
}

impl<R> fmt::Debug for Tablebase<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase").field("folder", &self.folder).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_are_numbered_by_pieces_without_gaps() {
        let mut numbers = Vec::new();
        for pieces in 0..=MOST_PIECES {
            let first = numbers.len();
            for a in 0..=pieces {
                for b in 0..=pieces - a {
                    for c in 0..=pieces - a - b {
                        numbers.push(number([a, b, c, pieces - a - b - c]));
                    }
                }
            }
            assert!(numbers[first..].iter().all(|&n| n >= first));
        }
        assert_eq!(number([0, 0, 0, MOST_PIECES + 1]), numbers.len());
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..1820));
    }
}
