//! Holding a claim against the tables.
//!
//! Where the claim speaks of a whole slice, the statistics in the header of its table say all there is to say. Where it
//! speaks of some squares only, every position of the slice is looked up.

use rayon::prelude::*;

use crate::board::{Bitboard, Geometry};
use crate::index::Material;
use crate::position::{Move, Position};
use crate::proof::{Claim, Longest, Tally};
use crate::rules::{Expectation, Place, Rules};
use crate::table;
use crate::tablebase::{OpenTable, ProbeError, Tablebase};
use crate::value::{Dtw, Metric, Wdl};

/// Positions that a thread looks up before it asks whether to go on.
const CHUNK: u64 = 1 << 14;

/// What the tables say about one claim in one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding<R> {
    /// The material, the side to move first.
    pub material: Material,
    /// The positions the claim speaks of.
    pub tally: Tally<R>,
    /// The longest win of those the claim is about.
    pub longest: Option<Longest<R>>,
    /// The best line from the position of `longest`; empty where there is none.
    pub line: Vec<Move>,
    /// Wins, of those the claim is about, that take more plies than it allows. They are counted by the distance to the
    /// end: whether a win leaves the scope of a rule on its way, in time, is not asked.
    pub too_long: u64,
    /// Whether the claim holds, and a position that says no.
    pub verdict: Verdict<R>,
}

/// Whether a claim holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<R> {
    /// In every position.
    Holds,
    /// Not in this many positions, of which this is one.
    False(u64, Position<R>),
    /// There are wins longer than the rule's count, but the count can start afresh on the way.
    Open,
}

/// Holds `claim` against the dtw table of `material`, of which it must speak; `stopped` is asked now and then whether to
/// give up.
///
/// # Errors
/// If a table is missing or damaged, or `stopped` says so ([`ProofError::Stopped`]).
pub fn prove<R: Rules>(
    tablebase: &Tablebase<R>,
    claim: &Claim,
    material: Material,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Finding<R>, ProofError> {
    debug_assert!(claim.speaks_of(material));
    let missing = || ProbeError::NoTable { variant: R::NAME, material };
    let table = tablebase.table(material, Metric::Dtw)?.ok_or_else(missing)?;
    let slice = Slice { tablebase, table, claim, stopped };
    let tally = match claim.place {
        Place::Anywhere => slice.tally_of_header()?,
        Place::OnMainRoad | Place::OffMainRoad => slice.tally_of_squares()?,
    };
    let winner = claim.winner(material);
    let longest = tally.longest(winner);
    let line = match &longest {
        Some(longest) => tablebase.best_line(&longest.position)?,
        None => Vec::new(),
    };
    let too_long = claim.limit_plies().map_or(0, |plies| tally.longer_than(plies, winner));
    let verdict = match (claim.expects, &longest) {
        (Expectation::WinsWithin(_), _) if too_long == 0 => Verdict::Holds,
        (Expectation::WinsWithin(_), _) if claim.count_starts_afresh() => Verdict::Open,
        (Expectation::WinsWithin(_), Some(longest)) => Verdict::False(too_long, longest.position),
        (Expectation::WinsWithin(_), None) => Verdict::Holds,
        (Expectation::AlwaysWon(plies), _) => {
            let exceptions = tally.positions() - plies.map_or(tally.wins, |plies| tally.won_within(plies));
            match slice.first_not_won(plies)? {
                Some(position) => Verdict::False(exceptions, position),
                None => Verdict::Holds,
            }
        }
    };
    Ok(Finding { material, tally, longest, line, too_long, verdict })
}

/// A slice under a claim.
struct Slice<'a, R: Rules> {
    tablebase: &'a Tablebase<R>,
    table: &'a OpenTable<R>,
    claim: &'a Claim,
    stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<R: Rules> Slice<'_, R> {
    /// The counts of the whole slice, from the header of its table.
    fn tally_of_header(&self) -> Result<Tally<R>, ProofError> {
        let statistics = &self.table.table().header().statistics;
        let longest = |longest: Option<table::Longest>| {
            longest.map(|l| Longest { plies: l.plies.into(), position: self.table.indexer().from_slot(l.slot) })
        };
        Ok(Tally {
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            lengths: statistics.histogram.clone(),
            longest_win: longest(statistics.longest_win),
            longest_loss: longest(statistics.longest_loss),
        })
    }

    /// The counts of the positions whose lone king stands where the claim says.
    fn tally_of_squares(&self) -> Result<Tally<R>, ProofError> {
        let positions = self.table.indexer().placements();
        (0..positions.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let ranks = chunk * CHUNK..((chunk + 1) * CHUNK).min(positions);
                let mut tally = Tally::default();
                for position in ranks.map(|rank| self.table.indexer().unrank(rank)).filter(|p| self.is_meant(p)) {
                    tally.add(position, self.dtw(&position)?);
                }
                if (self.stopped)() { Err(ProofError::Stopped) } else { Ok(tally) }
            })
            // An ordered reduction: the longest win shown is the first one, whatever the number of threads.
            .try_reduce(Tally::default, |before, after| Ok(before.followed_by(after)))
    }

    /// The first position the claim speaks of that the mover does not win, or not within `plies`.
    fn first_not_won(&self, plies: Option<u32>) -> Result<Option<Position<R>>, ProofError> {
        for rank in 0..self.table.indexer().placements() {
            let position = self.table.indexer().unrank(rank);
            if !self.is_meant(&position) {
                continue;
            }
            let dtw = self.dtw(&position)?;
            let is_won = |dtw: Dtw| dtw.wdl() == Wdl::Win && plies.is_none_or(|plies| u32::from(dtw.0) <= plies);
            if !dtw.is_some_and(is_won) {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// The distance of a position of the slice; `None` for a draw.
    fn dtw(&self, position: &Position<R>) -> Result<Option<Dtw>, ProofError> {
        let value = self.tablebase.probe(position)?;
        match (value.wdl, value.dtw) {
            (Wdl::Draw, _) => Ok(None),
            (_, Some(dtw)) => Ok(Some(dtw)),
            // Only where a capture leads to a slice of which there is but a wdl table.
            (_, None) => Err(ProofError::NoDistance(self.table.indexer().material())),
        }
    }

    /// Whether the claim speaks of the position, as far as squares go.
    fn is_meant(&self, position: &Position<R>) -> bool {
        match self.claim.place {
            Place::Anywhere => true,
            // With another piece on the road too, one of the two is taken or the king gives way: it does not hold it.
            Place::OnMainRoad => (position.occupied() & R::Geometry::main_road()) == lone_king(position),
            Place::OffMainRoad => !lone_king(position).meets(R::Geometry::main_road()),
        }
    }
}

/// The only piece of a side that has one; a claim about squares speaks of materials with one such side.
fn lone_king<R: Rules>(position: &Position<R>) -> Bitboard {
    if position.theirs().many() { position.ours() } else { position.theirs() }
}

/// Why a claim could not be decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A slice that this one leads to has a table of wdl, but none of distances.
    #[error("no distances of what {0} leads to; build it with --metric dtw")]
    NoDistance(Material),
    /// The caller asked to stop.
    #[error("stopped before the claim was decided")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Russian;

    #[test]
    fn the_main_road_is_the_long_diagonal() {
        let road = <Russian as Rules>::Geometry::main_road();
        assert_eq!(road.len(), 8);
        let names = crate::position::square_names::<Russian>(road, crate::rules::Colour::White);
        assert_eq!(names, ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]);
        let turned = <Russian as Rules>::Geometry::rotate(road);
        assert_eq!(turned, road);
    }
}
