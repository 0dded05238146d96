//! A seeded sample of a table, position by position: the plainest check there is, and a twin of the full one.

use std::collections::HashMap;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::build::verify::score::Score;
use crate::build::verify::slices::Conversion;
use crate::build::verify::{Fault, Opened, VerifyError};
use crate::index::{Indexer, Material};
use crate::position::{Fen, Position};
use crate::rules::{Colour, Rules};
use crate::table::{BlockCache, Table};

/// Decoded blocks kept, in bytes.
const CACHE_BYTES: usize = 256 << 20;

/// Tables opened as they are needed.
pub struct Sampler<'a, R: Rules> {
    tables: &'a Path,
    opened: HashMap<Material, (Opened, Indexer<R>)>,
    cache: BlockCache,
}

impl<'a, R: Rules> Sampler<'a, R> {
    /// Reads from the folder `tables`.
    pub fn new(tables: &'a Path) -> Self {
        Sampler { tables, opened: HashMap::new(), cache: BlockCache::new(CACHE_BYTES) }
    }

    /// Checks `count` slots of the table of `material`, drawn by their number; returns how many held a value, and the
    /// first that is wrong.
    ///
    /// # Errors
    /// If a table that is needed is missing or damaged.
    pub fn check<S: Score>(
        &mut self,
        material: Material,
        count: u64,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(u64, Option<Fault>), VerifyError> {
        let seed = xxh3_64_with_seed(format!("{} {material} {}", R::NAME, S::METRIC).as_bytes(), 0);
        let slots = self.table::<S>(material)?.1.slots();
        let mut compared = 0;
        for number in 0..count {
            if stopped() {
                return Err(VerifyError::Stopped);
            }
            let slot = if count >= slots { number } else { xxh3_64_with_seed(&number.to_le_bytes(), seed) % slots };
            if slot >= slots {
                break;
            }
            let position = self.table::<S>(material)?.1.from_slot(slot);
            if position.must_capture() {
                continue;
            }
            compared += 1;
            let got = self.value::<S>(&position)?;
            let expected = self.best_move::<S>(&position)?;
            let several = self.table::<S>(material)?.0.several;
            if got != expected && !(several && expected.leaves_room_for(got)) {
                let what = format!("slot {slot} says {}, its moves say {}", got.describe(), expected.describe());
                let fen = Some(Fen { position, mover: Colour::White }.to_string());
                return Ok((compared, Some(Fault { path: self.table::<S>(material)?.0.path.clone(), what, fen })));
            }
        }
        Ok((compared, None))
    }

    /// Whether the values of a material, which was checked, answer to several counts at once.
    pub fn is_several(&self, material: Material) -> bool {
        self.opened.get(&material).is_some_and(|(opened, _)| opened.several)
    }

    /// The value of a position by its moves.
    fn best_move<S: Score>(&mut self, position: &Position<R>) -> Result<S, VerifyError> {
        let (ours, theirs) = position.sides();
        let rule = self.table::<S>(Material::new(ours, theirs)?)?.0.rule;
        let mut best = S::LOST;
        for mv in position.moves() {
            let after = position.play(&mv);
            let (theirs, ours) = after.sides();
            let goes_on = Conversion { kind: position.kind(&mv), rule }.goes_on(theirs, ours);
            let value = self.value::<S>(&after)?.back();
            best = best.max(if position.converts(&mv) { value.by_conversion(goes_on) } else { value });
        }
        Ok(best.within(rule.map(|rule| rule.plies)))
    }

    fn table<S: Score>(&mut self, material: Material) -> Result<&(Opened, Indexer<R>), VerifyError> {
        if !self.opened.contains_key(&material) {
            let opened = Opened::new::<R, S>(self.tables, material)?;
            self.opened.insert(material, (opened, Indexer::new(material)));
        }
        Ok(&self.opened[&material])
    }

    /// The value of any position: stored, or that of its best capture.
    fn value<S: Score>(&mut self, position: &Position<R>) -> Result<S, VerifyError> {
        if position.ours().is_empty() {
            return Ok(S::LOST);
        }
        if position.must_capture() {
            return self.best_move::<S>(position);
        }
        let (ours, theirs) = position.sides();
        let material = Material::new(ours, theirs)?;
        self.table::<S>(material)?;
        let (Opened { path, table, distances, .. }, indexer) = &self.opened[&material];
        let slot = indexer.slot(position);
        let symbol = |table: &Table| {
            table.symbol(slot, &self.cache).map_err(|source| VerifyError::Table { path: path.clone(), source })
        };
        Ok(S::from_symbols(symbol(table)?, distances.as_ref().map(symbol).transpose()?))
    }
}
