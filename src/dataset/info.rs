//! What a dataset holds, position by position: what `dataset info` tells and draws.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::chart::{Bar, Panel, Scale};
use crate::dataset::collection::Dataset;
use crate::dataset::error::{DatasetError, Fault};
use crate::dataset::replay::{position_hash, replay};
use crate::dataset::summary::{Seen, Summary};
use crate::rules::Rules;

/// Plies that a bar of game lengths stands for.
const PLIES_A_BAR: u64 = 10;
/// What a bar of scores stands for, in hundredths of a man.
const SCORE_A_BAR: i64 = 50;
/// Scores beyond this many bars are counted in the last one: wins that are seen would be far away.
const MOST_SCORE_BARS: i64 = 20;

/// What `dataset info` tells.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Info {
    /// Counts.
    #[serde(flatten)]
    pub summary: Summary,
    /// Positions that stand before in the dataset, in order of games and plies.
    pub duplicates: u64,
    /// Different positions in which the openings end, or games begin where there is no opening.
    pub openings: u64,
    /// Positions by the phase of the game.
    pub phases: Phases,
    /// Positions by their number of pieces.
    pub pieces: BTreeMap<u32, u64>,
    /// Games by their length: under n those of n to n + 9 plies.
    pub plies: BTreeMap<u64, u64>,
    /// Positions by the score of the search, in hundredths of a man: under n those of n to n + 49; under the first and
    /// the last what is beyond too.
    pub scores: BTreeMap<i64, u64>,
    /// Positions by their distance to the end in plies, by the tables.
    pub distances: BTreeMap<u16, u64>,
    /// Bytes of the archives.
    pub bytes: u64,
}

/// Positions by how many pieces are left of those of the start position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Phases {
    /// More than three quarters.
    pub opening: u64,
    /// More than a third.
    pub middle: u64,
    /// A third or fewer.
    pub ending: u64,
}

impl Dataset {
    /// Counts what is here.
    ///
    /// # Errors
    /// [`DatasetError::Variant`], [`DatasetError::Archive`], and [`DatasetError::Fault`] for a game that cannot be
    /// played again.
    pub fn info<R: Rules>(&self) -> Result<Info, DatasetError> {
        self.expect::<R>()?;
        let mut info = Info {
            summary: Summary::default(),
            duplicates: 0,
            openings: 0,
            phases: Phases::default(),
            pieces: BTreeMap::new(),
            plies: BTreeMap::new(),
            scores: BTreeMap::new(),
            distances: BTreeMap::new(),
            bytes: self.len_bytes(),
        };
        let (mut seen, mut openings) = (Seen::default(), HashSet::new());
        let full = 2 * R::MOST_PIECES;
        for record in self.records() {
            let (number, record) = record?;
            info.summary.add::<R>(&record);
            *info.plies.entry(record.plies() as u64 / PLIES_A_BAR * PLIES_A_BAR).or_default() += 1;
            replay::<R, Fault>(&record, |labelled| {
                let position = &labelled.fen.position;
                let hash = position_hash(position);
                if labelled.ply == record.opening_plies as usize {
                    openings.insert(hash);
                }
                info.duplicates += u64::from(!seen.is_new(hash));
                let pieces = position.occupied().len();
                *info.pieces.entry(pieces).or_default() += 1;
                *match pieces {
                    pieces if 4 * pieces > 3 * full => &mut info.phases.opening,
                    pieces if 3 * pieces > full => &mut info.phases.middle,
                    _ => &mut info.phases.ending,
                } += 1;
                if let Some(score) = labelled.score {
                    let bar = i64::from(score.value()).div_euclid(SCORE_A_BAR);
                    let bar = bar.clamp(-MOST_SCORE_BARS, MOST_SCORE_BARS - 1);
                    *info.scores.entry(bar * SCORE_A_BAR).or_default() += 1;
                }
                if let Some(dtw) = labelled.exact.and_then(|value| value.dtw) {
                    *info.distances.entry(dtw.0).or_default() += 1;
                }
                Ok(())
            })
            .map_err(|fault| DatasetError::Fault { path: self.path_of(number), game: number, fault })?;
        }
        info.openings = openings.len() as u64;
        Ok(info)
    }
}

impl Info {
    /// The histograms: those that hold something.
    #[must_use]
    pub fn panels(&self) -> Vec<Panel> {
        let panel = |title: &str, unit: i64, scale, bars: Vec<Bar>| Panel {
            title: title.to_string(),
            bars,
            unit,
            scale,
            limit: None,
        };
        let plies_a_bar = PLIES_A_BAR as i64;
        let panels = [
            panel("positions by pieces", 1, Scale::Linear, bars(&self.pieces, 1)),
            panel("games by plies", plies_a_bar, Scale::Linear, bars(&self.plies, plies_a_bar)),
            panel(
                "positions by score, hundredths of a man",
                SCORE_A_BAR,
                Scale::Linear,
                bars(&self.scores, SCORE_A_BAR),
            ),
            panel("positions by plies to the end, as the tables know", 1, Scale::Logarithmic, bars(&self.distances, 1)),
        ];
        panels.into_iter().filter(|panel| !panel.bars.is_empty()).collect()
    }
}

/// The bars of counts whose keys are multiples of `unit`.
fn bars<K: Copy + TryInto<i64>>(counts: &BTreeMap<K, u64>, unit: i64) -> Vec<Bar> {
    counts.iter().filter_map(|(&at, &count)| Some(Bar { at: at.try_into().ok()? / unit, count })).collect()
}
