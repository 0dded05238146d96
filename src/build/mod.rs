//! Building tables: plan, solve, store. Threads live here.
//!
//! [`build`] makes the tables of the slices asked for and of everything they lead to. What is already there is not
//! written again; what it takes to solve the rest is solved again in memory, which is much faster than reading it
//! back. Each file appears whole under its name or not at all, so a build can be stopped and started at any time.

mod at_counts;
mod memory;
mod outcomes;
mod plan;
mod progress;
mod report;
mod several;
pub mod solver;
mod store;
mod threads;
mod verify;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use at_counts::AtCounts;
pub use plan::{LeftOut, Plan, Step};
pub use progress::{Progress, Silent};
pub use report::PairReport;
pub use verify::{Fault, Verified, VerifyError, verify, verify_outcomes, verify_variant};

use crate::build::solver::lanes::{Lanes, Narrow, Wide};
use crate::build::solver::layout::Layout;
use crate::build::solver::library::{Finished, Library};
use crate::build::solver::sets::Sets;
use crate::build::solver::watch::{Clock, Spent, Watch};
use crate::build::solver::{Timing, Unsolved, solve};
use crate::index::{Material, MaterialError};
use crate::rules::{Rules, Variant};
use crate::table::{Table, TableError};
use crate::tablebase::table_path;
use crate::value::Metric;

/// What a build may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildOptions {
    /// The most memory, in bytes; `None` for no limit.
    pub memory: Option<u64>,
    /// Threads; 0 for one a processor.
    pub threads: usize,
}

/// Why a build ended before all its tables were there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A material that does not exist in the variant.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The plan needs more memory than is allowed.
    #[error("the build needs {needed} bytes of memory for {material} and what it reads, {allowed} are allowed")]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
        /// The slice whose step needs them.
        material: Material,
    },
    /// A slice with more like pieces, or more words in a block, than the solver can number.
    #[error("the slice {0} is too large to be solved")]
    TooLarge(Material),
    /// A file or folder cannot be written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that is no table of this program, or of a newer one, stands where a table should be written.
    #[error("{path} is in the way of a new table: {source}", path = path.display())]
    InTheWay {
        /// Which.
        path: PathBuf,
        /// What it is.
        source: TableError,
    },
    /// The threads cannot be started.
    #[error("the threads cannot be started: {0}")]
    Threads(String),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// For solutions without distances and those to the next reset of a count, which fit their lanes.
impl From<Unsolved> for BuildError {
    fn from(unsolved: Unsolved) -> Self {
        match unsolved {
            Unsolved::TooLong => unreachable!("a count is shorter than the longest distance"),
            Unsolved::Stopped => BuildError::Stopped,
        }
    }
}

/// Builds the tables of `materials` and of every slice they lead to, in the folder `tables`.
///
/// Tables that are there already are kept; one that is damaged is written again. The bytes written do not depend on
/// the number of threads.
///
/// # Errors
/// See [`BuildError`]. Tables finished before the error are whole and stay.
pub fn build<R: Rules>(
    tables: &Path,
    materials: &[Material],
    metric: Metric,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<(), BuildError> {
    build_variant(Variant::of::<R>(), tables, materials, metric, options, progress)
}

/// As [`build`], for a variant known only at run time.
///
/// Not generic, so that the solver is compiled once, here, and not again in every program that calls it.
///
/// # Errors
/// As [`build`].
pub fn build_variant(
    variant: Variant,
    tables: &Path,
    materials: &[Material],
    metric: Metric,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<(), BuildError> {
    with_rules!(variant, R => if metric.counts_moves() {
        build_outcomes::<R>(tables, materials, options, progress)
    } else {
        build_on_board::<R>(tables, materials, metric, options, progress)
    })
}

/// As [`build`] with [`Metric::Outcome`], for rules that need not be those of a variant of the list: the solver is
/// compiled for them.
///
/// Writes the distances of outcomes as well. Materials without outcomes are left out, and `progress` is told which.
///
/// # Errors
/// As [`build`].
pub fn build_outcomes<R: Rules>(
    tables: &Path,
    materials: &[Material],
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<(), BuildError> {
    let Some(site) = Site::new::<R>(tables, materials, Metric::Outcome, options, progress)? else { return Ok(()) };
    let todo = site.todo(Metric::Outcome, progress);
    site.pool.install(|| {
        if R::DRAW_RULES.is_empty() {
            return todo.run::<R, ()>(Timing::None).map(|_| ());
        }
        todo.run_outcomes::<R>()
    })
}

fn build_on_board<R: Rules>(
    tables: &Path,
    materials: &[Material],
    metric: Metric,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<(), BuildError> {
    let Some(site) = Site::new::<R>(tables, materials, metric, options, progress)? else { return Ok(()) };
    let todo = site.todo(metric, progress);
    let timing = match metric {
        Metric::Dtw => Timing::ToEnd,
        Metric::Dtc => Timing::ToConversion,
        _ => return site.pool.install(|| todo.run::<R, ()>(Timing::None)).map(|_| ()),
    };
    // A distance that does not fit a byte is rare, and known only when it is met.
    if let Ended::Done = site.pool.install(|| todo.run::<R, Narrow<R::Geometry>>(timing))? {
        return Ok(());
    }
    let missing: Vec<Material> = site.missing.iter().map(|m| m.0).collect();
    let wide = Plan::with_lanes::<R>(
        &missing,
        metric,
        memory::bytes_of::<Wide<R::Geometry>>(),
        site.pool.current_num_threads(),
    )?;
    let plan = within_budget::<R>(wide, options)?;
    let site = Site { plan, ..site };
    let todo = site.todo(metric, progress);
    progress.note("distances of more than a byte: starting again with two");
    site.pool.install(|| todo.run::<R, Wide<R::Geometry>>(timing)).map(|_| ())
}

/// Where a build works, and what it has to do.
struct Site {
    tables: PathBuf,
    pool: rayon::ThreadPool,
    plan: Plan,
    missing: Vec<(Material, Metric)>,
    /// The most memory, in bytes.
    memory: Option<u64>,
}

impl Site {
    /// Looks at what is there; `None` if nothing is missing.
    fn new<R: Rules>(
        tables: &Path,
        materials: &[Material],
        metric: Metric,
        options: &BuildOptions,
        progress: &dyn Progress,
    ) -> Result<Option<Site>, BuildError> {
        let pool = pool(options)?;
        let threads = pool.current_num_threads();
        let all = Plan::new::<R>(materials, metric, threads)?;
        outcomes::tell_left_out(&all.left_out, progress);
        let mut missing = Vec::new();
        for &material in all.steps.iter().flat_map(|step| &step.materials) {
            for &metric in outcomes::files::<R>(metric, material) {
                if is_missing::<R>(tables, material, metric, progress)? {
                    missing.push((material, metric));
                }
            }
        }
        let folder = tables.join(R::NAME);
        sweep(&folder);
        if missing.is_empty() {
            if !all.steps.is_empty() {
                progress.note("all tables are there");
            }
            return Ok(None);
        }
        let wanted: Vec<Material> = missing.iter().map(|m| m.0).collect();
        let plan = within_budget::<R>(Plan::new::<R>(&wanted, metric, threads)?, options)?;
        if let Some(step) = plan.steps.iter().find(|step| !Layout::is_possible::<R>(step.pair)) {
            return Err(BuildError::TooLarge(step.materials[0]));
        }
        std::fs::create_dir_all(&folder).map_err(|source| BuildError::Io { path: folder.clone(), source })?;
        Ok(Some(Site { tables: tables.to_path_buf(), pool, plan, missing, memory: options.memory }))
    }

    fn todo<'a>(&'a self, metric: Metric, progress: &'a dyn Progress) -> Todo<'a> {
        let Site { tables, plan, missing, memory, .. } = self;
        Todo { tables, metric, plan, missing, memory: *memory, progress }
    }
}

/// The threads of a build.
fn pool(options: &BuildOptions) -> Result<rayon::ThreadPool, BuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    pool.map_err(|error| BuildError::Threads(error.to_string()))
}

/// The plan that fits the memory allowed; refused where there is none.
fn within_budget<R: Rules>(plan: Plan, options: &BuildOptions) -> Result<Plan, BuildError> {
    let plan = plan.fitting::<R>(options.memory);
    let Some(allowed) = options.memory else { return Ok(plan) };
    match plan.steps.iter().max_by_key(|step| step.memory_bytes) {
        Some(step) if step.memory_bytes > allowed => {
            Err(BuildError::Memory { needed: step.memory_bytes, allowed, material: step.materials[0] })
        }
        _ => Ok(plan),
    }
}

/// Whether a table has to be written.
fn is_missing<R: Rules>(
    tables: &Path,
    material: Material,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<bool, BuildError> {
    let path = table_path(tables, R::NAME, material, metric);
    let found = Table::open(&path).and_then(|table| {
        table.header().expect(R::NAME, metric.facts_hash::<R>(), &material.to_string(), metric)?;
        table.check()
    });
    match found {
        Ok(()) => Ok(false),
        Err(TableError::Read(source)) if source.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(TableError::Read(source)) if source.kind() == io::ErrorKind::NotADirectory => {
            Err(BuildError::Io { path, source })
        }
        Err(error) if error.is_damage() => {
            progress.note(&format!("{}: {error}; it is written again", path.display()));
            Ok(true)
        }
        Err(source) => Err(BuildError::InTheWay { path, source }),
    }
}

/// Removes the unfinished tables that killed builds have left; those of a running build are locked by it.
fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().to_str().is_some_and(crate::table::is_unfinished) {
            continue;
        }
        let Ok(file) = std::fs::File::open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            // Whether it goes or stays, no build reads it. The lock is held until it is gone, so that a build that has
            // just made it sees that.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// How a run over the plan ended.
enum Ended {
    Done,
    TooLong,
}

/// What writing the tables of a step took.
#[derive(Default)]
struct Written {
    compressing: Duration,
    writing: Duration,
    bytes: u64,
}

/// A plan to run.
struct Todo<'a> {
    tables: &'a Path,
    metric: Metric,
    plan: &'a Plan,
    missing: &'a [(Material, Metric)],
    memory: Option<u64>,
    progress: &'a dyn Progress,
}

impl Todo<'_> {
    fn run<R: Rules, L: Lanes>(&self, timing: Timing) -> Result<Ended, BuildError> {
        let sets = Sets::<R>::new(Plan::most_fixed_kings(&self.plan.steps));
        let mut library = Library::<R, L>::default();
        // Bytes that packed words have taken beyond what was planned, less than none where they took less.
        let mut beyond = 0i64;
        for step in &self.plan.steps {
            if self.progress.stopped() {
                return Err(BuildError::Stopped);
            }
            // A plan has some memory to spare, see `memory.rs`.
            let missing = (beyond - (step.memory_bytes / 17) as i64).max(0) as u64;
            let needed = step.memory_bytes + missing;
            if let Some(allowed) = self.memory.filter(|&allowed| missing > 0 && needed > allowed) {
                return Err(BuildError::Memory { needed, allowed, material: step.materials[0] });
            }
            self.progress.start(&step.materials[0].to_string(), step.positions * 2);
            let advance = |words: u64| self.progress.advance(step.positions_in(words));
            let (now, spent) = (|| self.progress.now().unwrap_or_default(), Mutex::default());
            let clock = self.progress.now().map(|_| Clock { now: &now, spent: &spent });
            let watch = Watch { advance: &advance, stopped: &|| self.progress.stopped(), clock };
            let began = now();
            let solved = solve::<R, L>(step.pair, &sets, &library, timing, step.keep, watch);
            let mut finished = match solved {
                Ok(finished) => finished,
                Err(Unsolved::TooLong) => return Ok(Ended::TooLong),
                Err(Unsolved::Stopped) => return Err(BuildError::Stopped),
            };
            let solved = now();
            if step.keeps_both {
                finished.add_first();
            }
            let turned = now();
            let written = self.write::<R, L>(step, &finished, None, &[self.metric])?;
            if clock.is_some() {
                let spent = *spent.lock().expect("no thread panics with the lock");
                self.report(step, spent, [solved - began, turned - solved], &written);
            }
            if let Some(packed) = finished.packed() {
                beyond += packed.bytes() as i64 - memory::packed_bytes::<R>(step) as i64;
            }
            library.add(Arc::new(finished));
            for &pair in &step.last_read {
                library.drop_pair(pair);
            }
        }
        Ok(Ended::Done)
    }

    /// Tells what a step took.
    fn report(&self, step: &Step, spent: Spent, [solving, turning]: [Duration; 2], written: &Written) {
        self.progress.built(&PairReport {
            materials: step.materials.clone(),
            metric: self.metric,
            positions: step.positions,
            spent,
            solving,
            turning,
            compressing: written.compressing,
            writing: written.writing,
            bytes: written.bytes,
        });
    }

    /// Writes the tables of a step in `metrics`, as far as they are missing, and says so once a material.
    ///
    /// `board` is the solution with counts ignored, for outcomes.
    fn write<R: Rules, L: Lanes>(
        &self,
        step: &Step,
        finished: &Finished<R, L>,
        board: Option<&Finished<R, ()>>,
        metrics: &[Metric],
    ) -> Result<Written, BuildError> {
        let mut written = Written::default();
        for &material in &step.materials {
            let (mut values, mut files) = (String::new(), Vec::new());
            for &metric in metrics.iter().filter(|&&metric| self.missing.contains(&(material, metric))) {
                if self.progress.stopped() {
                    return Err(BuildError::Stopped);
                }
                let path = table_path(self.tables, R::NAME, material, metric);
                let board = board.filter(|_| metric == Metric::Outcome);
                let stored = store::store::<R, L>(finished, board, material, metric, &path, self.progress)
                    .and_then(|stored| Ok((stored, std::fs::metadata(&path)?.len())));
                let (stored, bytes) = stored.map_err(|source| BuildError::Io { path, source })?;
                written.compressing += stored.compressing;
                written.writing += stored.writing;
                written.bytes += bytes;
                let s = stored.header.statistics;
                values = format!("{} won, {} drawn, {} lost", s.wins, s.draws, s.losses);
                files.push(format!("{metric} {bytes} bytes"));
            }
            if !files.is_empty() {
                self.progress.note(&format!("{material}: {values}; {}", files.join(", ")));
            }
        }
        Ok(written)
    }
}
