//! Checking finished tables against the rules.
//!
//! Nothing is trusted because it was computed. The verifier reads the compressed files back and checks every value
//! against one ply of ordinary forward moves: a position is worth the best of what its moves lead to, and nothing if
//! it has none. It shares no code with the solver; what the two have in common is the numbering of positions, the
//! rules' facts, and the order in which slices need each other.
//!
//! ```text
//! for each pair of slices, after those that it leads to:
//!     read both tables; where a capture is due the value is that of the best one      values.rs, due.rs
//!     write the values as words, as the other side reads them                         cells.rs, lanes.rs
//!     for each row: the best of the quiet moves, as words, is what is stored          rows.rs
//! ```
//!
//! A word has the values of one piece on all squares, with the others fixed; so a move of any other piece, quiet or
//! not, is played once for the whole row. A seeded sample is checked the plainest way there is, position by position.
//!
//! With every value checked, the statistics of the header are counted again; a sample does not look at them.
//!
//! Where several draw rules count at once, outcomes are stored for fresh counts alone; after a move some counts are no
//! longer fresh, and no table holds what follows. So an outcome is checked on the board, and that it is no win where no
//! move keeps one with fresh counts; that a win is rightly a cursed one is not checked.

mod captures;
mod cells;
mod due;
mod images;
mod lanes;
mod pieces;
mod rows;
mod sample;
mod score;
mod slices;
mod statistics;
mod values;

use std::path::{Path, PathBuf};

use crate::build::plan::Step;
use crate::build::threads;
use crate::build::verify::cells::{Cell, Cells, Numbers};
use crate::build::verify::rows::check_row;
use crate::build::verify::sample::Sampler;
use crate::build::verify::score::{Score, ToConversion, UnderRules};
use crate::build::verify::slices::Slices;
use crate::build::verify::statistics::check_statistics;
use crate::build::verify::values::Values;
use crate::build::{BuildOptions, Plan, Progress};
use crate::index::{Indexer, Material, MaterialError, Order};
use crate::position::Fen;
use crate::rules::{Colour, DrawRule, MoveKind, Rules, Side, Variant, conversions, deciding_rule};
use crate::table::{Table, TableError};
use crate::tablebase::table_path;
use crate::value::Metric;

/// What a verification found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Tables read.
    pub tables: usize,
    /// Values compared with those of their moves.
    pub values: u64,
    /// Of the tables, those of outcomes that answer to several counts at once: that a win is rightly cut off is not
    /// checked.
    pub partly: usize,
    /// The first value that is wrong, by table and slot.
    pub fault: Option<Fault>,
}

/// A value that does not follow from the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The table.
    pub path: PathBuf,
    /// What is wrong, in a sentence.
    pub what: String,
    /// The position, White to move, where one value is wrong.
    pub fen: Option<String>,
}

/// Why tables could not be verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A material that does not exist in the variant.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A table that is needed is not there.
    #[error("the table of {0} is not there")]
    Missing(Material),
    /// A table cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Table {
        /// Which.
        path: PathBuf,
        /// Why.
        source: TableError,
    },
    /// The values of the slices do not fit the memory allowed.
    #[error("verifying needs {needed} bytes of memory, {allowed} are allowed")]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The threads cannot be started.
    #[error("the threads cannot be started: {0}")]
    Threads(String),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Checks the tables of `materials`: every value, or as many of each as `sample` says.
///
/// Checking every value reads what the slices lead to as well, and takes memory for it.
///
/// # Errors
/// See [`VerifyError`]; a wrong value is not an error but a [`Fault`].
pub fn verify<R: Rules>(
    tables: &Path,
    materials: &[Material],
    metric: Metric,
    sample: Option<u64>,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<Verified, VerifyError> {
    verify_variant(Variant::of::<R>(), tables, materials, metric, sample, options, progress)
}

/// As [`verify`], for a variant known only at run time; not generic, so that it is compiled once.
///
/// # Errors
/// As [`verify`].
pub fn verify_variant(
    variant: Variant,
    tables: &Path,
    materials: &[Material],
    metric: Metric,
    sample: Option<u64>,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<Verified, VerifyError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| VerifyError::Threads(error.to_string()))?;
    let job = Job { tables, materials, options, progress };
    pool.install(|| {
        with_rules!(variant, R => match metric {
            Metric::Wdl => job.check::<R, i8>(sample),
            Metric::Dtw => job.check::<R, i16>(sample),
            Metric::Dtc => job.check::<R, ToConversion>(sample),
            Metric::Outcome | Metric::Dtr => job.check::<R, UnderRules>(sample),
        })
    })
}

/// As [`verify`] with [`Metric::Outcome`], for rules that need not be those of a variant of the list.
///
/// Outcomes are checked together with their distances.
///
/// # Errors
/// As [`verify`].
pub fn verify_outcomes<R: Rules>(
    tables: &Path,
    materials: &[Material],
    sample: Option<u64>,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<Verified, VerifyError> {
    Job { tables, materials, options, progress }.check::<R, UnderRules>(sample)
}

/// What to check.
struct Job<'a> {
    tables: &'a Path,
    materials: &'a [Material],
    options: &'a BuildOptions,
    progress: &'a dyn Progress,
}

impl Job<'_> {
    fn check<R: Rules, S: Score>(&self, sample: Option<u64>) -> Result<Verified, VerifyError> {
        match sample {
            None => self.all::<R, S>(),
            Some(count) => self.some::<R, S>(count),
        }
    }

    fn all<R: Rules, S: Score>(&self) -> Result<Verified, VerifyError> {
        let plan = Plan::new::<R>(self.materials, S::METRIC, 1)?;
        let needed = memory_bytes::<R, S>(&plan);
        if let Some(allowed) = self.options.memory.filter(|&allowed| needed > allowed) {
            return Err(VerifyError::Memory { needed, allowed });
        }
        let mut slices: Slices<R, S> = Slices::default();
        let mut verified = Verified::default();
        for step in &plan.steps {
            self.progress.start(&step.materials[0].to_string(), step.positions);
            let mut opened = Vec::new();
            for &material in &step.materials {
                let tables = Opened::new::<R, S>(self.tables, material)?;
                let values = Values::read(&tables, Indexer::new(material), &slices)
                    .map_err(|source| VerifyError::Table { path: tables.path.clone(), source })?;
                opened.push((material, tables, values));
                if self.progress.stopped() {
                    return Err(VerifyError::Stopped);
                }
            }
            let cells = threads::map(&opened, |(_, _, values)| Cells::collect(values));
            for (&material, cells) in step.materials.iter().zip(cells) {
                slices.insert(material, cells);
            }
            for (material, tables, values) in opened {
                if !self.materials.contains(&material) {
                    continue;
                }
                let fault = check_slice(&tables, &values, &slices, self.progress)?;
                verified.tables += 1;
                verified.partly += usize::from(tables.several);
                verified.values += values.compared();
                if fault.is_some() {
                    verified.fault = fault;
                    return Ok(verified);
                }
            }
            for pair in &step.last_read {
                let material = Material::new(pair.sides[0], pair.sides[1])?;
                slices.remove(material);
                slices.remove(material.twin());
            }
        }
        Ok(verified)
    }

    fn some<R: Rules, S: Score>(&self, count: u64) -> Result<Verified, VerifyError> {
        let mut sampler = Sampler::<R>::new(self.tables);
        let mut verified = Verified::default();
        for &material in self.materials {
            self.progress.start(&material.to_string(), 0);
            let (values, fault) = sampler.check::<S>(material, count, &|| self.progress.stopped())?;
            verified.tables += 1;
            verified.partly += usize::from(sampler.is_several(material));
            verified.values += values;
            if fault.is_some() {
                verified.fault = fault;
                break;
            }
        }
        Ok(verified)
    }
}

/// Bytes in use at the largest step: the cells kept, and by slot the values of a pair and whether a capture is due.
fn memory_bytes<R: Rules, S: Score>(plan: &Plan) -> u64 {
    let cells = |step: &Step| -> u64 {
        let counts = step.materials.iter().map(|&material| Numbers::<R>::new(material).count());
        counts.fold(0u64, u64::saturating_add).saturating_mul(size_of::<Cell<R, S>>() as u64)
    };
    let (mut kept, mut most) = (0u64, 0u64);
    for step in &plan.steps {
        kept = kept.saturating_add(cells(step));
        let slots = step.positions.saturating_mul(8 * size_of::<S>() as u64 + 1).div_ceil(8);
        most = most.max(kept.saturating_add(slots));
        for pair in &step.last_read {
            kept = kept.saturating_sub(plan.steps.iter().find(|s| s.pair == *pair).map_or(0, cells));
        }
    }
    most.saturating_add(32 << 20)
}

/// The tables that hold the values of a material.
#[derive(Debug)]
struct Opened {
    /// The file of the first.
    path: PathBuf,
    table: Table,
    /// The second table, where the values need one.
    distances: Option<Table>,
    /// The draw rule that decides, for values that depend on one.
    rule: Option<&'static DrawRule>,
    /// Whether the values answer to several counts at once.
    several: bool,
}

impl Opened {
    fn new<R: Rules, S: Score>(tables: &Path, material: Material) -> Result<Opened, VerifyError> {
        let (path, table) = open::<R>(tables, material, S::METRIC)?;
        let Some(metric) = S::DISTANCES else {
            return Ok(Opened { path, table, distances: None, rule: None, several: false });
        };
        let deciding = deciding_rule::<R>(material.ours(), material.theirs());
        let several = deciding.is_err();
        let number = deciding.ok().flatten();
        let distances = number.map(|_| open::<R>(tables, material, metric)).transpose()?.map(|(_, table)| table);
        Ok(Opened { path, table, distances, rule: number.map(|number| &R::DRAW_RULES[number]), several })
    }
}

fn open<R: Rules>(tables: &Path, material: Material, metric: Metric) -> Result<(PathBuf, Table), VerifyError> {
    let path = table_path(tables, R::NAME, material, metric);
    let opened = Table::open(&path).and_then(|table| {
        table.header().expect(R::NAME, metric.facts_hash::<R>(), &material.to_string(), metric)?;
        table.check()?;
        let (indexer, header) = (Indexer::<R>::new(material), table.header());
        let expected = (Order::of::<R>().number(), indexer.slots(), indexer.placements());
        let got = (header.order, header.slots, header.positions);
        if expected == got {
            Ok(table)
        } else {
            let (expected, got) = (format!("{expected:?}"), format!("{got:?}"));
            Err(TableError::Foreign { what: "square order, slots and positions", expected, got })
        }
    });
    match opened {
        Ok(table) => Ok((path, table)),
        Err(TableError::Read(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(VerifyError::Missing(material))
        }
        Err(source) => Err(VerifyError::Table { path, source }),
    }
}

/// Slots that one task checks.
const TASK_SLOTS: u64 = 1 << 16;

/// Checks one slice; the slices it leads to are in `slices`.
fn check_slice<R: Rules, S: Score>(
    tables: &Opened,
    values: &Values<R, S>,
    slices: &Slices<R, S>,
    progress: &dyn Progress,
) -> Result<Option<Fault>, VerifyError> {
    let check = |(): &mut (), task: u64| {
        let (first, end) = (task * TASK_SLOTS, ((task + 1) * TASK_SLOTS).min(values.indexer.slots()));
        if progress.stopped() {
            return Ok(());
        }
        let rows = values.indexer.rows_from(first).take_while(|row| row.first_slot < end);
        let wrong =
            rows.filter_map(|row| check_row(values, &row, slices)).find(|wrong| (first..end).contains(&wrong.0));
        progress.advance(end - first);
        wrong.map_or(Ok(()), Err)
    };
    let wrong = threads::try_map_with(0..values.indexer.slots().div_ceil(TASK_SLOTS), || (), check).err();
    if progress.stopped() {
        return Err(VerifyError::Stopped);
    }
    let fault = |what, fen| Fault { path: tables.path.clone(), what, fen };
    if let Some((slot, expected)) = wrong {
        let (got, position) = (values.scores[slot as usize], values.indexer.from_slot(slot));
        let what = format!("slot {slot} says {}, its moves say {}", got.describe(), expected.describe());
        return Ok(Some(fault(what, Some(Fen { position, mover: Colour::White }.to_string()))));
    }
    // Where a capture carries a count on, its value is not stored and not known exactly.
    if values.several && captures_carry_counts::<R>(values.indexer.material()) {
        return Ok(None);
    }
    let is_timed = S::DISTANCES.is_none();
    let headers = [(Some(&tables.table), is_timed), (tables.distances.as_ref(), true)];
    let mut wrong = headers.into_iter().filter_map(|(table, timed)| {
        check_statistics(values, &table?.header().statistics, timed).map(|what| fault(what, None))
    });
    Ok(wrong.next())
}

/// Whether a capture out of a material leaves a count going on.
fn captures_carry_counts<R: Rules>(material: Material) -> bool {
    let [ours, theirs] = [material.ours(), material.theirs()];
    let captures = conversions([ours, theirs]).into_iter().filter(|(kind, _)| *kind == MoveKind::Capture);
    let goes_on = |after: [Side; 2]| {
        let mut rules = R::DRAW_RULES.iter();
        rules.any(|rule| rule.counts_in(ours, theirs) && rule.goes_on(MoveKind::Capture, after[0], after[1]))
    };
    captures.into_iter().any(|(_, after)| goes_on(after))
}
