//! Checking finished tables against the rules.
//!
//! Nothing is trusted because it was computed. The verifier reads the compressed files back and checks every value
//! against one ply of ordinary forward moves: a position is worth the best of what its moves lead to, and nothing if
//! it has none. It shares no code with the solver; what it has in common with it is the numbering of positions and
//! the rules' facts. Captures are played with [`Position::captures_into`]; the quiet moves of all positions of a row
//! are compared at once, see `cells.rs`. A seeded sample is checked the plainest way there is, position by position.
//!
//! The statistics of every header are counted again.

mod cells;
mod sample;
mod score;
mod values;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::board::{Bitboard, Direction, Geometry, Symmetry};
use crate::build::verify::cells::{Cells, Rest};
use crate::build::verify::sample::Sampler;
use crate::build::verify::score::{Score, ToConversion};
use crate::build::verify::values::{Slices, Values, positions, score_of};
use crate::build::{BuildOptions, Plan, Progress};
use crate::index::{Indexer, Material, MaterialError, Order, Row, Runner};
use crate::position::{Fen, Position};
use crate::rules::{Colour, Rules, Variant};
use crate::table::{Longest, Statistics, Table, TableError};
use crate::tablebase::table_path;
use crate::value::Metric;

/// What a verification found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Tables read.
    pub tables: usize,
    /// Values compared with those of their moves.
    pub values: u64,
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
        with_rules!(variant, R => match (metric, sample) {
            (Metric::Wdl, None) => job.all::<R, i8>(),
            (Metric::Dtw, None) => job.all::<R, i16>(),
            (Metric::Wdl, Some(count)) => job.some::<R, i8>(count),
            (Metric::Dtw, Some(count)) => job.some::<R, i16>(count),
            (Metric::Dtc, None) => job.all::<R, ToConversion>(),
            (Metric::Dtc, Some(count)) => job.some::<R, ToConversion>(count),
        })
    })
}

/// What to check.
struct Job<'a> {
    tables: &'a Path,
    materials: &'a [Material],
    options: &'a BuildOptions,
    progress: &'a dyn Progress,
}

impl Job<'_> {
    fn all<R: Rules, S: Score>(&self) -> Result<Verified, VerifyError> {
        let plan = Plan::new::<R>(self.materials, S::METRIC, 1)?;
        let needed = memory_bytes::<S>(&plan);
        if let Some(allowed) = self.options.memory.filter(|&allowed| needed > allowed) {
            return Err(VerifyError::Memory { needed, allowed });
        }
        let mut slices: Slices<R, S> = Slices::default();
        let mut verified = Verified::default();
        for step in &plan.steps {
            self.progress.start(&step.materials[0].to_string(), step.positions);
            let mut opened = Vec::new();
            for &material in &step.materials {
                let (path, table) = open::<R, S>(self.tables, material)?;
                let values = Values::read(&table, Indexer::new(material), &slices)
                    .map_err(|source| VerifyError::Table { path: path.clone(), source })?;
                slices.insert(values);
                opened.push((material, path, table));
                if self.progress.stopped() {
                    return Err(VerifyError::Stopped);
                }
            }
            for (material, path, table) in opened {
                if !self.materials.contains(&material) {
                    continue;
                }
                let fault = check_slice(material, &path, &table.header().statistics, &slices, self.progress)?;
                verified.tables += 1;
                verified.values += slices.get(material.ours(), material.theirs()).compared();
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
            verified.values += values;
            if fault.is_some() {
                verified.fault = fault;
                break;
            }
        }
        Ok(verified)
    }
}

/// Bytes in use at the largest step: the values kept, and the cells of one slice, which hold a position once for each
/// of its like runners and overlaps besides.
fn memory_bytes<S>(plan: &Plan) -> u64 {
    let size = size_of::<S>() as u64;
    let (mut kept, mut most) = (0, 0);
    for step in &plan.steps {
        kept += step.positions * size;
        let alike = u64::from(step.pair.sides[0].kings.max(step.pair.sides[1].kings).max(1));
        most = most.max(kept + step.positions * size * alike * 3);
        for pair in &step.last_read {
            let read = plan.steps.iter().find(|s| s.pair == *pair).map_or(0, |s| s.positions);
            kept = kept.saturating_sub(read * size);
        }
    }
    most + (32 << 20)
}

fn open<R: Rules, S: Score>(tables: &Path, material: Material) -> Result<(PathBuf, Table), VerifyError> {
    let path = table_path(tables, R::NAME, material, S::METRIC);
    let opened = Table::open(&path).and_then(|table| {
        table.header().expect(R::NAME, R::facts_hash(), &material.to_string(), S::METRIC)?;
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
    material: Material,
    path: &Path,
    header: &Statistics,
    slices: &Slices<R, S>,
    progress: &dyn Progress,
) -> Result<Option<Fault>, VerifyError> {
    let (ours, theirs) = (material.ours(), material.theirs());
    let values = slices.get(ours, theirs);
    let runner = values.indexer.rows_from(0).next().expect("a slice has a position").runner;
    let cells = Cells::collect(slices.get(theirs, ours), ours, theirs, runner);
    let wrong = (0..values.indexer.slots().div_ceil(TASK_SLOTS)).into_par_iter().find_map_first(|task| {
        let (first, end) = (task * TASK_SLOTS, ((task + 1) * TASK_SLOTS).min(values.indexer.slots()));
        if progress.stopped() {
            return None;
        }
        let mut wrong = None;
        for row in values.indexer.rows_from(first) {
            if row.first_slot >= end || wrong.is_some() {
                break;
            }
            wrong = check_row(values, &row, &cells, slices).filter(|w| (first..end).contains(&w.0));
        }
        progress.advance(end - first);
        wrong
    });
    if progress.stopped() {
        return Err(VerifyError::Stopped);
    }
    let fault = |what, fen| Fault { path: path.to_path_buf(), what, fen };
    if let Some((slot, expected)) = wrong {
        let (got, position) = (values.scores[slot as usize], values.indexer.from_slot(slot));
        let what = format!("slot {slot} says {}, its moves say {}", got.describe(), expected.describe());
        return Ok(Some(fault(what, Some(Fen { position, mover: Colour::White }.to_string()))));
    }
    Ok(check_statistics(values, header).map(|what| fault(what, None)))
}

/// The first slot of a row whose value does not follow from its moves, and the value that does.
fn check_row<R: Rules, S: Score>(
    values: &Values<R, S>,
    row: &Row,
    cells: &Cells<R, S>,
    slices: &Slices<R, S>,
) -> Option<(u64, S)> {
    let rest =
        Rest { our_men: row.our_men, our_kings: row.our_kings, their_men: row.their_men, their_kings: row.their_kings };
    let occupied = rest.occupied();
    let mut best = [S::LOST; 64];
    let mut take = |cell: &[S; 64], barred: Bitboard, converts: bool| {
        // All lanes at once, and the few barred ones put back: the maximum alone is a handful of vector instructions.
        let before = best;
        for (best, &value) in best.iter_mut().zip(cell) {
            *best = (*best).max(if converts { value.by_conversion() } else { value });
        }
        for square in barred {
            best[square.index()] = before[square.index()];
        }
    };
    for king in rest.our_kings {
        for d in Direction::ALL {
            let mut path = Bitboard::EMPTY;
            for to in quiet_squares::<R>(Bitboard::of(king), d, occupied) {
                path |= to;
                let after = Rest { our_kings: rest.our_kings.minus(Bitboard::of(king)) | to, ..rest };
                take(cells.of(&after), path, false);
            }
        }
    }
    let mut promotions: [(Bitboard, Bitboard); 2 * 20] = [Default::default(); 40];
    let mut promoting = 0;
    for man in rest.our_men {
        for d in Direction::ALL {
            let to = R::Geometry::step(d).apply(Bitboard::of(man)).minus(occupied);
            if !R::MAN_MOVES[d.index()] || to.is_empty() {
                continue;
            }
            let our_men = rest.our_men.minus(Bitboard::of(man));
            if to.meets(R::Geometry::TOP_ROW) {
                promotions[promoting] = (Bitboard::of(man), to);
                promoting += 1;
            } else {
                let converts = !R::Geometry::SIDEWAYS.contains(&d);
                take(cells.of(&Rest { our_men: our_men | to, ..rest }), to, converts);
            }
        }
    }
    let own = (row.runner == Runner::OurKing).then(|| cells.of(&rest));
    for (slot, position) in positions::<R>(&values.indexer, row) {
        if values.is_due(slot) {
            continue;
        }
        let square = runner_square(&position, &rest);
        let mut expected = best[square.first().index()];
        if let Some(cell) = own {
            for d in Direction::ALL {
                for to in quiet_squares::<R>(square, d, occupied) {
                    expected = expected.max(cell[to.first().index()]);
                }
            }
        }
        for &(from, to) in &promotions[..promoting] {
            if !to.meets(square) {
                let (ours, kings) = (position.ours().minus(from) | to, position.kings() | to);
                let after = Position::from_sets(ours, position.theirs(), kings).turned();
                expected = expected.max(score_of(&after, slices).back().by_conversion());
            }
        }
        if expected != values.scores[slot as usize] {
            return Some((slot, expected));
        }
    }
    None
}

/// The squares to which a king moves in one direction without capturing, nearest first.
#[inline(always)]
fn quiet_squares<R: Rules>(king: Bitboard, d: Direction, occupied: Bitboard) -> impl Iterator<Item = Bitboard> {
    let step = R::Geometry::step(d);
    let mut at = king;
    let mut steps = 0;
    std::iter::from_fn(move || {
        if steps > 0 && !R::FLYING_KINGS {
            return None;
        }
        steps += 1;
        at = step.apply(at).minus(occupied);
        at.any().then_some(at)
    })
}

/// The square of the piece of `position` that is not in `rest`.
#[inline]
fn runner_square<R: Rules>(position: &Position<R>, rest: &Rest) -> Bitboard {
    position.occupied().minus(rest.occupied())
}

/// What the statistics of a header say wrong, if anything.
fn check_statistics<R: Rules, S: Score>(values: &Values<R, S>, header: &Statistics) -> Option<String> {
    let counts = count(values);
    let numbered = || (0..S::NUMBERS).map(S::from_number).zip(&counts);
    let total = |sign: i8| numbered().filter(|(s, _)| s.sign() == sign).map(|(_, &n)| n).sum::<u64>();
    let (expected, got) = ((total(1), total(0), total(-1)), (header.wins, header.draws, header.losses));
    if expected != got {
        return Some(format!("the header counts {got:?} wins, draws and losses, the values {expected:?}"));
    }
    let mut histogram: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
    for (score, &n) in numbered().filter(|(_, n)| **n > 0) {
        if let Some(plies) = score.plies() {
            let entry = histogram.entry(plies).or_default();
            *(if score.sign() > 0 { &mut entry.0 } else { &mut entry.1 }) += n;
        }
    }
    let counted = header.histogram.iter().map(|d| (d.plies, (d.wins, d.losses)));
    if !histogram.iter().map(|(&plies, &n)| (plies, n)).eq(counted) {
        return Some("the header counts wins and losses by distance that are not those of the values".to_string());
    }
    let longest = |sign: i8| {
        let last = numbered().filter(|(s, n)| s.sign() == sign && **n > 0).max_by_key(|(s, _)| s.plies())?;
        let (score, &count) = last;
        let slot = values.scores.iter().position(|&other| other == score)? as u64;
        Some(Longest { plies: score.plies()?, count, slot })
    };
    for (name, sign, got) in [("win", 1, header.longest_win), ("loss", -1, header.longest_loss)] {
        let expected = longest(sign);
        if expected != got {
            let tell = |longest: Option<Longest>| match longest {
                Some(Longest { plies, count, slot }) => format!("{count} of {plies} plies, the first in slot {slot}"),
                None => "none".to_string(),
            };
            return Some(format!("the header's longest {name}: {}; the values': {}", tell(got), tell(expected)));
        }
    }
    None
}

/// How many positions have each value, by its number; every placement counts.
fn count<R: Rules, S: Score>(values: &Values<R, S>) -> Vec<u64> {
    let indexer = &values.indexer;
    let symmetric = indexer.slots() != indexer.placements();
    let tasks = (0..indexer.slots().div_ceil(TASK_SLOTS)).into_par_iter();
    tasks
        .fold(
            || vec![0u64; S::NUMBERS],
            |mut counts, task| {
                let slots = task * TASK_SLOTS..((task + 1) * TASK_SLOTS).min(indexer.slots());
                if !symmetric {
                    for &score in &values.scores[slots.start as usize..slots.end as usize] {
                        counts[score.number()] += 1;
                    }
                    return counts;
                }
                let (mut lead, mut images) = (Bitboard::EMPTY, 0);
                for row in indexer.rows_from(slots.start).take_while(|row| row.first_slot < slots.end) {
                    let row_lead = lead_of(&row);
                    if row_lead != lead {
                        (lead, images) = (row_lead, count_images::<R>(row_lead, indexer.material().men() == 0));
                    }
                    for slot in row.first_slot.max(slots.start)..row.end_slot().min(slots.end) {
                        counts[values.scores[slot as usize].number()] += images;
                    }
                }
                counts
            },
        )
        .reduce(
            || vec![0u64; S::NUMBERS],
            |mut sum, more| {
                sum.iter_mut().zip(&more).for_each(|(a, b)| *a += b);
                sum
            },
        )
}

/// The set that symmetries are taken of: see "From position to slot" in FORMAT.md.
fn lead_of(row: &Row) -> Bitboard {
    if row.our_men.any() {
        row.our_men
    } else if row.their_men.any() {
        row.their_men
    } else {
        row.their_kings
    }
}

/// How many different sets the symmetries of a slice make of its lead set: so many placements share a slot.
fn count_images<R: Rules>(lead: Bitboard, kings_only: bool) -> u64 {
    let image = |map: Symmetry| -> Bitboard {
        lead.into_iter()
            .filter_map(|square| {
                let (row, column) = map(R::Geometry::row(square), R::Geometry::column(square));
                R::Geometry::square_at(row, column)
            })
            .collect()
    };
    let mut images = vec![lead];
    if kings_only {
        images.extend(R::Geometry::SYMMETRIES.iter().map(|&map| image(map)));
    } else {
        images.extend(R::Geometry::MIRROR.map(image));
    }
    images.sort();
    images.dedup();
    images.len() as u64
}
