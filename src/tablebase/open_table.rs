//! Tables that are open, with the numbering of their positions.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::index::{Indexer, Material, Order};
use crate::position::Position;
use crate::rules::{DrawRule, Rules, Undecided, deciding_rule};
use crate::table::{BlockCache, Header, Table, TableError};
use crate::tablebase::{ProbeError, Value, table_path};
use crate::value::{Dtc, Dtr, Dtw, Metric, Outcome, Wdl};

/// A table of a [`crate::tablebase::Tablebase`], and the numbering of its positions.
pub struct OpenTable<R> {
    path: PathBuf,
    table: Table,
    indexer: Indexer<R>,
    /// The draw rule that decides in the material, by number; found for tables of outcomes alone.
    deciding: Result<Option<usize>, Undecided>,
}

impl<R: Rules> OpenTable<R> {
    /// The table in the file `path`, or `None` if there is no such file.
    fn open(path: PathBuf, material: Material, metric: Metric) -> Result<Option<Self>, ProbeError> {
        let opened = match Table::open(&path) {
            Err(TableError::Read(error)) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => Err(error),
            Ok(table) => Self::numbering(table.header(), material, metric).map(|indexer| (table, indexer)),
        };
        match opened {
            Ok((table, indexer)) => {
                let decided = || deciding_rule::<R>(material.ours(), material.theirs());
                let deciding = if metric == Metric::Outcome { decided() } else { Ok(None) };
                Ok(Some(OpenTable { path, table, indexer, deciding }))
            }
            Err(source) => Err(ProbeError::Table { path, source }),
        }
    }

    /// Checks that a table is the one meant, and returns how its positions are numbered.
    fn numbering(header: &Header, material: Material, metric: Metric) -> Result<Indexer<R>, TableError> {
        header.expect(R::NAME, metric.facts_hash::<R>(), &material.to_string(), metric)?;
        let foreign = |what, expected: String, got: u64| TableError::Foreign { what, expected, got: got.to_string() };
        let order = Order::from_number(header.order)
            .ok_or_else(|| foreign("square order", "0 or 1".to_string(), header.order.into()))?;
        let indexer = Indexer::with_order(material, order)
            .map_err(|error| TableError::Corrupt { offset: 0, what: error.to_string() })?;
        for (what, expected, got) in
            [("positions", indexer.placements(), header.positions), ("slots", indexer.slots(), header.slots)]
        {
            if expected != got {
                return Err(foreign(what, expected.to_string(), got));
            }
        }
        Ok(indexer)
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The table as symbols.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The draw rule that decides in the material of a table of outcomes; `None` where no rule counts.
    ///
    /// # Errors
    /// [`Undecided`] where several counts run at once.
    pub fn rule(&self) -> Result<Option<&'static DrawRule>, &Undecided> {
        self.deciding.as_ref().map(|number| number.map(|number| &R::DRAW_RULES[number]))
    }

    /// The numbering of its positions.
    #[must_use]
    pub const fn indexer(&self) -> &Indexer<R> {
        &self.indexer
    }

    /// The distance to conversion of a stored position, in a table of such distances; `None` for a draw.
    pub(super) fn dtc(&self, position: &Position<R>, cache: &BlockCache) -> Result<Option<Dtc>, ProbeError> {
        match self.table.symbol(self.indexer.slot(position), cache) {
            Ok(symbol) => Ok((symbol != 0).then(|| Dtc::from_symbol(symbol))),
            Err(source) => Err(ProbeError::Table { path: self.path.clone(), source }),
        }
    }

    /// The outcome of a stored position with a fresh count, in a table of outcomes.
    pub(super) fn outcome(&self, position: &Position<R>, cache: &BlockCache) -> Result<Outcome, ProbeError> {
        match self.table.symbol(self.indexer.slot(position), cache) {
            Ok(symbol) => Ok(Outcome::from_symbol(symbol)),
            Err(source) => Err(ProbeError::Table { path: self.path.clone(), source }),
        }
    }

    /// The distance to the next reset of a stored position, in a table of such distances; `None` where neither side
    /// wins under the rules.
    pub(super) fn dtr(&self, position: &Position<R>, cache: &BlockCache) -> Result<Option<Dtr>, ProbeError> {
        match self.table.symbol(self.indexer.slot(position), cache) {
            Ok(symbol) => Ok((symbol != 0).then(|| Dtr::from_symbol(symbol))),
            Err(source) => Err(ProbeError::Table { path: self.path.clone(), source }),
        }
    }

    /// The value of a stored position: one of this material without a capture due.
    #[inline]
    pub(super) fn value(&self, position: &Position<R>, cache: &BlockCache) -> Result<Value, ProbeError> {
        match self.table.symbol(self.indexer.slot(position), cache) {
            Ok(symbol) => Ok(value_of(symbol, self.table.header().metric)),
            Err(source) => Err(ProbeError::Table { path: self.path.clone(), source }),
        }
    }

    /// As [`OpenTable::value`], or `None` where a block would have to be decoded.
    #[inline]
    pub(super) fn value_if_cached(&self, position: &Position<R>, cache: &BlockCache) -> Option<Value> {
        let symbol = self.table.symbol_if_cached(self.indexer.slot(position), cache)?;
        Some(value_of(symbol, self.table.header().metric))
    }
}

/// What a symbol means: FORMAT.md, "Blocks".
#[inline]
const fn value_of(symbol: u16, metric: Metric) -> Value {
    match (metric, symbol) {
        (Metric::Wdl, 0) => Value { wdl: Wdl::Loss, dtw: None },
        (Metric::Wdl, 1) | (Metric::Dtw | Metric::Dtc | Metric::Dtr, 0) => Value::DRAW,
        (Metric::Wdl, _) => Value { wdl: Wdl::Win, dtw: None },
        (Metric::Dtw, plies) => Value::at(Dtw(plies - 1)),
        (Metric::Dtc, symbol) => Value { wdl: Dtc::from_symbol(symbol).wdl(), dtw: None },
        (Metric::Outcome, symbol) => Value { wdl: Outcome::from_symbol(symbol).on_board(), dtw: None },
        (Metric::Dtr, symbol) => Value { wdl: Dtr::from_symbol(symbol).wdl(), dtw: None },
    }
}

impl<R> fmt::Debug for OpenTable<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenTable").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The tables of one material.
pub(super) struct Shelf<R> {
    /// By the number of the metric.
    places: [Place<R>; Metric::ALL.len()],
}

/// What is known of a table.
struct Place<R> {
    open: OnceLock<Box<OpenTable<R>>>,
    is_missing: AtomicBool,
}

impl<R> Default for Shelf<R> {
    fn default() -> Self {
        let place = || Place { open: OnceLock::new(), is_missing: AtomicBool::new(false) };
        Shelf { places: std::array::from_fn(|_| place()) }
    }
}

impl<R> Shelf<R> {
    /// Forgets which tables are missing.
    pub fn refresh(&self) {
        for place in &self.places {
            place.is_missing.store(false, Ordering::Relaxed);
        }
    }
}

impl<R: Rules> Shelf<R> {
    #[inline]
    pub fn table(
        &self,
        folder: &Path,
        material: Material,
        metric: Metric,
    ) -> Result<Option<&OpenTable<R>>, ProbeError> {
        let place = &self.places[metric as usize];
        match place.open.get() {
            Some(table) => Ok(Some(table)),
            None if place.is_missing.load(Ordering::Relaxed) => Ok(None),
            None => place.look(table_path(folder, R::NAME, material, metric), material, metric),
        }
    }
}

impl<R: Rules> Place<R> {
    #[cold]
    fn look(&self, path: PathBuf, material: Material, metric: Metric) -> Result<Option<&OpenTable<R>>, ProbeError> {
        let table = if material.check::<R>().is_ok() { OpenTable::open(path, material, metric)? } else { None };
        match table {
            // Another thread may have opened it meanwhile; then its table stays and this one is closed again.
            Some(table) => Ok(Some(self.open.get_or_init(|| Box::new(table)))),
            None => {
                self.is_missing.store(true, Ordering::Relaxed);
                Ok(None)
            }
        }
    }
}
