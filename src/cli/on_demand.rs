//! The tables at hand, and small ones built where they are missing.

use std::collections::HashMap;
use std::path::PathBuf;

use endame::build::{AtCounts, build};
use endame::index::Material;
use endame::position::Position;
use endame::rules::{Rules, deciding_rule};
use endame::tablebase::{ProbeError, Tablebase};
use endame::value::Metric;

use crate::cli::Session;
use crate::cli::error::{Error, Kind};
use crate::cli::progress::progress;

/// Materials solved at any counts that are kept; of four pieces each takes some tens of megabytes.
const MOST_SOLVED: usize = 3;

/// The most pieces of a slice that is solved on the spot.
pub const SMALL: u32 = 4;

/// A folder of tables in which small slices appear when they are asked for.
#[derive(Debug)]
pub struct OnDemand<'a, R: Rules> {
    session: &'a Session,
    folder: PathBuf,
    tablebase: Tablebase<R>,
    /// What was solved at any counts, by material with the stronger side to move; `None` where it need not be.
    at_counts: HashMap<Material, Option<AtCounts<R>>>,
}

impl<'a, R: Rules> OnDemand<'a, R> {
    /// The tables of the session.
    pub fn open(session: &'a Session) -> Result<Self, Error> {
        let folder = session.tables()?;
        Ok(OnDemand { session, tablebase: Tablebase::open(&folder)?, folder, at_counts: HashMap::new() })
    }

    /// The tables that are there.
    pub fn tablebase(&self) -> &Tablebase<R> {
        &self.tablebase
    }

    /// Those of `materials` that are small.
    pub fn small<'m>(&self, materials: &'m [Material]) -> impl Iterator<Item = Material> + use<'m, R> {
        materials.iter().copied().filter(|material| material.pieces() <= SMALL)
    }

    /// Builds the dtw tables of `missing`, if there are any and all of them are small; whether anything was built.
    ///
    /// Where a large one is missing too, small ones would not give the answer, and nothing is built.
    pub fn build(&mut self, missing: &[Material]) -> Result<bool, Error> {
        if missing.is_empty() || missing.iter().any(|material| material.pieces() > SMALL) {
            return Ok(false);
        }
        let mut names: Vec<String> = missing.iter().map(ToString::to_string).collect();
        names.sort();
        names.dedup();
        self.ensure_saying(missing, Some(&format!("no table of {} yet: solving it", names.join(", "))))?;
        Ok(true)
    }

    /// Makes sure that the dtw tables of `materials` and of everything they lead to are there.
    pub fn ensure(&mut self, materials: &[Material]) -> Result<(), Error> {
        self.ensure_saying(materials, None)
    }

    /// Builds the outcomes that `position` needs, where they are missing, can be had, and the position is small;
    /// whether anything was built.
    pub fn ensure_outcomes(&mut self, position: &Position<R>) -> Result<bool, Error> {
        let (ours, theirs) = position.sides();
        // The distance of a fresh count needs every table that any count does.
        let known = self.tablebase.outcome(position).and_then(|_| self.tablebase.dtr(position));
        match (Material::new(ours, theirs), known) {
            (Ok(material), Err(ProbeError::NoOutcomes { .. })) if material.pieces() <= SMALL => {
                let why = format!("no outcomes of {material} yet: solving it");
                self.ensure_metric(&[material], Metric::Outcome, Some(&why))?;
                Ok(true)
            }
            (_, Err(error @ ProbeError::Table { .. })) => Err(error.into()),
            // Whoever asks next is told why there are none.
            _ => Ok(false),
        }
    }

    /// Solves the material of `position` at any counts, where several run at once, it is small and has outcomes;
    /// whether it did so now.
    pub fn ensure_at_counts(&mut self, position: &Position<R>) -> Result<bool, Error> {
        let (ours, theirs) = position.sides();
        let Ok(material) = Material::new(ours, theirs).map(Material::stronger_to_move) else { return Ok(false) };
        if material.pieces() > SMALL || self.at_counts.contains_key(&material) {
            return Ok(false);
        }
        if deciding_rule::<R>(ours, theirs).is_ok() {
            self.at_counts.insert(material, None);
            return Ok(false);
        }
        if self.tablebase.table(material, Metric::Outcome)?.is_none() {
            return Ok(false);
        }
        let progress = progress(&self.session.signals);
        progress.note(&format!("several draw rules count in {material}: solving it at any counts"));
        // A stream of many materials is not to fill the memory.
        if self.at_counts.values().flatten().count() == MOST_SOLVED {
            self.at_counts.retain(|_, solved| solved.is_none());
        }
        let solved = AtCounts::solve(material, &self.session.build_options(), &*progress);
        self.session.signals.end_at_once();
        self.at_counts.insert(material, Some(solved?));
        Ok(true)
    }

    /// What was solved at any counts for the material of `position`.
    pub fn at_counts(&self, position: &Position<R>) -> Option<&AtCounts<R>> {
        let (ours, theirs) = position.sides();
        let material = Material::new(ours, theirs).ok()?;
        self.at_counts.get(&material.stronger_to_move())?.as_ref()
    }

    /// Makes sure that outcomes of `materials` are there, and the distances to the next conversion where no draw rule
    /// decides alone, there or in what they lead to.
    pub fn ensure_counts(&mut self, materials: &[Material]) -> Result<(), Error> {
        let is_undecided = |m: Material| deciding_rule::<R>(m.ours(), m.theirs()).is_err();
        let undecided: Vec<Material> = materials.iter().copied().filter(|m| m.reached().any(is_undecided)).collect();
        self.ensure_metric(materials, Metric::Outcome, None)?;
        self.ensure_metric(&undecided, Metric::Dtc, None)
    }

    fn ensure_saying(&mut self, materials: &[Material], why: Option<&str>) -> Result<(), Error> {
        self.ensure_metric(materials, Metric::Dtw, why)
    }

    fn ensure_metric(&mut self, materials: &[Material], metric: Metric, why: Option<&str>) -> Result<(), Error> {
        let progress = progress(&self.session.signals);
        if let Some(why) = why {
            progress.note(why);
        }
        let built = build::<R>(&self.folder, materials, metric, &self.session.build_options(), &*progress);
        self.session.signals.end_at_once();
        built?;
        self.tablebase.refresh();
        Ok(())
    }

    /// The error that names the missing tables and how to make them.
    pub fn missing_error(&self, missing: &[Material]) -> Error {
        let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let what = format!("no table of {} in {}", names.join(", "), self.folder.join(R::NAME).display());
        let mut remedy = format!("make it with: endame build {} --material {}", R::NAME, names.join(","));
        if let Some(folder) = &self.session.common.tables {
            remedy.push_str(&format!(" --tables {}", folder.display()));
        }
        Error::new(Kind::TableMissing, what, remedy)
    }
}
