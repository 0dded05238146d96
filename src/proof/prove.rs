//! Holding a claim against the tables.
//!
//! Where the claim speaks of a whole slice, the statistics in the header of its table say all there is to say. Where it
//! speaks of some squares only, every position of the slice is looked up.

use rayon::prelude::*;

use crate::board::{Bitboard, Geometry};
use crate::engine::DrawCounts;
use crate::index::Material;
use crate::position::{Move, Position};
use crate::proof::{Claim, Longest, Tally, Winner};
use crate::rules::{DrawRule, Expectation, Place, Rules};
use crate::table;
use crate::tablebase::{OpenTable, ProbeError, Tablebase};
use crate::value::{Dtw, Metric, Outcome, Wdl};

/// Positions that a thread looks up before it asks whether to go on.
const CHUNK: u64 = 1 << 14;

/// Positions whose win is cut off that are shown.
const SAMPLES: usize = 5;
/// Wins longer than a count that are played out against every reply, to see whether they leave its scope in time.
const MOST_PLAYED_OUT: u64 = 2000;
/// Positions looked at for that in one material.
const MOST_NODES: u32 = 1 << 20;

/// What the tables say about one claim in one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding<R> {
    /// The material, the side to move first.
    pub material: Material,
    /// The positions the claim speaks of.
    pub tally: Tally<R>,
    /// The longest win of those the claim is about.
    pub longest: Option<Longest<R>>,
    /// The distance by which lengths are measured: to the end, or to the next conversion.
    pub by: Metric,
    /// The best line from the position of `longest`; empty where there is none.
    pub line: Vec<Move>,
    /// Wins, of those the claim is about, that the rule takes away, or a rule of what they lead to; `None` where the
    /// tables say nothing; where the verdict is [`Verdict::Open`], no more than so many, for another rule that counts
    /// in the material may take them away. For a saying, the wins that take more plies than it says.
    pub cut_off: Option<u64>,
    /// Some of them, with a line of best play.
    pub samples: Vec<Sample<R>>,
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
    /// There are wins longer than the rule's count, but the count can start afresh or end on the way, and nothing here
    /// says whether that saves them all; or some are cut off, and nothing says by which of several rules.
    Open,
}

/// A position whose win is cut off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample<R> {
    /// The position.
    pub position: Position<R>,
    /// Its distance, by the metric of the finding.
    pub plies: u32,
    /// A line of best play, counts ignored.
    pub line: Vec<Move>,
}

impl<R: Rules> Finding<R> {
    /// The wins that the claim is about.
    #[must_use]
    pub fn wins(&self, claim: &Claim) -> u64 {
        match claim.winner(self.material) {
            Winner::Mover => self.tally.wins,
            Winner::Opponent => self.tally.losses,
            Winner::Either => self.tally.wins + self.tally.losses,
        }
    }

    /// The share of these wins that is cut off, from 0 to 1; `None` where the tables do not decide.
    #[must_use]
    pub fn share(&self, claim: &Claim) -> Option<f64> {
        Some(self.cut_off? as f64 / self.wins(claim).max(1) as f64)
    }

    /// By how many plies the longest win is longer than the claim allows; `None` if it is not, or there is no number.
    #[must_use]
    pub fn excess(&self, claim: &Claim) -> Option<u32> {
        let (longest, limit) = (self.longest?.plies, claim.limit_plies()?);
        longest.checked_sub(limit).filter(|&plies| plies > 0)
    }
}

/// Holds `claim` against the tables of `material`, of which it must speak: those of the distance it is about, or else
/// those of dtw, and outcomes where they are there; `stopped` is asked now and then whether to give up.
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
    let (by, table) = match tablebase.table(material, claim.metric())? {
        Some(table) => (claim.metric(), table),
        None => (Metric::Dtw, tablebase.table(material, Metric::Dtw)?.ok_or_else(missing)?),
    };
    let slice = Slice { tablebase, table, claim, by, stopped };
    let tally = slice.tally()?;
    let winner = claim.winner(material);
    let longest = tally.longest(winner);
    let line = longest.map_or(Ok(Vec::new()), |longest| slice.line(&longest.position))?;
    let CutOff { count: cut_off, is_exact, samples } = slice.cut_off(&tally, winner)?;
    let verdict = match (claim.expects, cut_off) {
        (Expectation::WinsWithin(_), Some(_)) if !is_exact => Verdict::Open,
        (Expectation::WinsWithin(_), Some(0)) => Verdict::Holds,
        (Expectation::WinsWithin(_), None) => Verdict::Open,
        (Expectation::WinsWithin(_), Some(count)) => {
            let first = samples.first().map(|sample| sample.position).or(longest.map(|longest| longest.position));
            Verdict::False(count, first.expect("a win that is cut off is a win"))
        }
        (Expectation::AlwaysWon(plies), _) => {
            let exceptions = tally.positions() - plies.map_or(tally.wins, |plies| tally.won_within(plies));
            match slice.first_not_won(plies)? {
                Some(position) => Verdict::False(exceptions, position),
                None => Verdict::Holds,
            }
        }
    };
    Ok(Finding { material, tally, longest, by, line, cut_off, samples, verdict })
}

/// Wins that are cut off.
struct CutOff<R> {
    /// How many; `None` where nothing is known.
    count: Option<u64>,
    /// Whether that is their number, not only a bound.
    is_exact: bool,
    /// Some of them.
    samples: Vec<Sample<R>>,
}

impl<R> CutOff<R> {
    const fn none() -> Self {
        CutOff { count: Some(0), is_exact: true, samples: Vec::new() }
    }

    const fn unknown() -> Self {
        CutOff { count: None, is_exact: false, samples: Vec::new() }
    }
}

/// A slice under a claim.
struct Slice<'a, R: Rules> {
    tablebase: &'a Tablebase<R>,
    table: &'a OpenTable<R>,
    claim: &'a Claim,
    /// The metric of `table`.
    by: Metric,
    stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<R: Rules> Slice<'_, R> {
    /// The best line from a position of the slice, by the metric of the table.
    fn line(&self, position: &Position<R>) -> Result<Vec<Move>, ProofError> {
        Ok(match self.by {
            Metric::Dtc => self.tablebase.conversion_line(position)?,
            _ => self.tablebase.best_line(position)?,
        })
    }

    /// How many wins of `winner` are cut off, and some of them.
    fn cut_off(&self, tally: &Tally<R>, winner: Winner) -> Result<CutOff<R>, ProofError> {
        let material = self.table.indexer().material();
        let Some(limit) = self.claim.limit_plies() else { return Ok(CutOff::none()) };
        let Some(rule) = self.claim.draw_rule() else { return self.cut_off_alone(limit, tally, winner) };
        let Some(outcomes) = self.tablebase.table(material, Metric::Outcome)? else {
            return self.cut_off_alone(limit, tally, winner);
        };
        let (count, is_of_one) = match outcomes.rule() {
            Ok(deciding) if deciding.is_none_or(|deciding| deciding.name != rule.name) => {
                return self.cut_off_alone(limit, tally, winner);
            }
            Ok(_) => {
                let under_rules = &outcomes.table().header().statistics;
                let cut = [tally.wins.checked_sub(under_rules.wins), tally.losses.checked_sub(under_rules.losses)];
                let [Some(wins), Some(losses)] = cut else {
                    return Err(ProbeError::Contradiction { variant: R::NAME, material }.into());
                };
                let count = match winner {
                    Winner::Mover => wins,
                    Winner::Opponent => losses,
                    Winner::Either => wins + losses,
                };
                (count, true)
            }
            Err(_) => match self.cut_off_together(winner) {
                // A capture due carries a count on, which tables do not know.
                Err(ProofError::Probe(ProbeError::SeveralCounts { .. })) => {
                    return self.cut_off_alone(limit, tally, winner);
                }
                count => (count?, false),
            },
        };
        // A rule that takes nothing away alone is not the one that does here, or in what follows.
        if count == 0 || self.takes_nothing_alone(limit, tally, winner)? {
            return Ok(CutOff::none());
        }
        let is_exact = is_of_one || self.is_to_blame(rule)?;
        let samples = self.samples(count, SAMPLES, |position| self.is_cut_off(position, winner))?;
        Ok(CutOff { count: Some(count), is_exact, samples })
    }

    /// How many wins of `winner` all rules together cut off, of those that the claim speaks of.
    fn cut_off_together(&self, winner: Winner) -> Result<u64, ProofError> {
        let counts = self.chunks(|positions| {
            positions
                .map(|position| Ok(u64::from(self.is_cut_off(&position, winner)?)))
                .sum::<Result<u64, ProofError>>()
        });
        counts.try_reduce(|| 0, |a, b| Ok(a + b))
    }

    /// Whether a win of `winner` is cut off in a position with fresh counts.
    fn is_cut_off(&self, position: &Position<R>, winner: Winner) -> Result<bool, ProofError> {
        Ok(match self.tablebase.outcome(position)? {
            Outcome::CursedWin => winner != Winner::Opponent,
            Outcome::BlessedLoss => winner != Winner::Mover,
            _ => false,
        })
    }

    /// Whether but one other rule counts in the material that nothing hides, and it is known to take nothing away
    /// alone: then a win that is cut off would not be without this one. Of several none may take a win away that all of
    /// them do.
    fn is_to_blame(&self, rule: &DrawRule) -> Result<bool, ProofError> {
        let material = self.table.indexer().material();
        let is_other = |claim: &Claim| claim.draw_rule().is_some_and(|other| other.name != rule.name);
        let others = Claim::all::<R>().into_iter().filter(|claim| claim.speaks_of(material) && is_other(claim));
        let [other] = others.collect::<Vec<_>>()[..] else { return Ok(false) };
        let Some(limit) = other.limit_plies() else { return Ok(false) };
        let (by, table) = match self.tablebase.table(material, other.metric())? {
            Some(table) => (other.metric(), table),
            None => (self.by, self.table),
        };
        let slice = Slice { claim: &other, table, by, ..*self };
        slice.takes_nothing_alone(limit, &slice.tally()?, other.winner(material))
    }

    /// Whether the distances say that the rule alone, no other counting, cuts off no win.
    fn takes_nothing_alone(&self, limit: u32, tally: &Tally<R>, winner: Winner) -> Result<bool, ProofError> {
        let alone = self.cut_off_alone(limit, tally, winner)?;
        Ok(alone.is_exact && alone.count == Some(0))
    }

    /// As [`Slice::cut_off`], by distances, as far as they say it.
    fn cut_off_alone(&self, limit: u32, tally: &Tally<R>, winner: Winner) -> Result<CutOff<R>, ProofError> {
        // A win that needs no more plies to the end than the count has is in time, whatever sets it back.
        let too_long = tally.longer_than(limit, winner);
        if too_long == 0 && self.by == Metric::Dtw {
            return Ok(CutOff::none());
        }
        if self.claim.count_starts_afresh() {
            // One that is converted in time is so too, if that is so of everything it can be converted into.
            let in_time = self.by == Metric::Dtc && self.is_converted_in_time(limit)?;
            return Ok(if in_time { CutOff::none() } else { CutOff::unknown() });
        }
        let is_too_long = |position: &Position<R>| -> Result<bool, ProofError> {
            let Some(dtw) = self.dtw(position)? else { return Ok(false) };
            let is_meant = match winner {
                Winner::Mover => dtw.wdl() == Wdl::Win,
                Winner::Opponent => dtw.wdl() == Wdl::Loss,
                Winner::Either => true,
            };
            Ok(is_meant && u32::from(dtw.0) > limit)
        };
        if self.claim.draw_rule().is_none() {
            let samples = self.samples(too_long, SAMPLES, is_too_long)?;
            return Ok(CutOff { count: Some(too_long), is_exact: true, samples });
        }
        // A win that is longer than the count may leave the scope of the rule in time.
        if too_long > MOST_PLAYED_OUT {
            return Ok(CutOff::unknown());
        }
        let (mut budget, mut not_won, mut samples) = (MOST_NODES, 0, Vec::new());
        for sample in self.samples(too_long, MOST_PLAYED_OUT as usize, is_too_long)? {
            let counts = DrawCounts::new(&sample.position);
            if !is_won_in_time(self.tablebase, &sample.position, &counts, &mut budget)? {
                not_won += 1;
                if samples.len() < SAMPLES {
                    samples.push(sample);
                }
            }
        }
        // Another strategy may win where this one does not.
        Ok(CutOff { count: Some(not_won), is_exact: not_won == 0, samples })
    }

    /// The first of `count` positions that `is_cut_off`, `most` at most.
    fn samples(
        &self,
        count: u64,
        most: usize,
        is_cut_off: impl Fn(&Position<R>) -> Result<bool, ProofError>,
    ) -> Result<Vec<Sample<R>>, ProofError> {
        let mut samples = Vec::new();
        let wanted = most.min(usize::try_from(count).unwrap_or(most));
        for rank in 0..self.table.indexer().placements() {
            if samples.len() == wanted {
                break;
            }
            if rank % CHUNK == 0 && (self.stopped)() {
                return Err(ProofError::Stopped);
            }
            let position = self.table.indexer().unrank(rank);
            if self.is_meant(&position) && is_cut_off(&position)? {
                let plies = match self.by {
                    Metric::Dtc => self.tablebase.dtc(&position)?.map_or(0, |dtc| dtc.plies.into()),
                    _ => self.dtw(&position)?.map_or(0, |dtw| dtw.0.into()),
                };
                samples.push(Sample { position, plies, line: self.line(&position)? });
            }
        }
        Ok(samples)
    }

    /// Whether in this material, and in all that it leads to in which the rule counts, every win is converted within
    /// `limit` plies.
    fn is_converted_in_time(&self, limit: u32) -> Result<bool, ProofError> {
        // Either side may be to move.
        for material in self.table.indexer().material().reached().flat_map(|material| [material, material.twin()]) {
            if !self.claim.draw_rule().is_some_and(|rule| rule.counts_in(material.ours(), material.theirs())) {
                continue;
            }
            let Some(table) = self.tablebase.table(material, Metric::Dtc)? else { return Ok(false) };
            let histogram = &table.table().header().statistics.histogram;
            if histogram.last().is_some_and(|longest| u32::from(longest.plies) > limit) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The counts of the positions that the claim speaks of.
    fn tally(&self) -> Result<Tally<R>, ProofError> {
        match self.claim.place {
            Place::Anywhere => self.tally_of_header(),
            Place::OnMainRoad | Place::OffMainRoad => self.tally_of_squares(),
        }
    }

    /// The counts of the whole slice, from the header of its table.
    fn tally_of_header(&self) -> Result<Tally<R>, ProofError> {
        let statistics = &self.table.table().header().statistics;
        let longest = |longest: Option<table::Longest>| {
            longest.map(|l| Longest {
                plies: l.plies.into(),
                count: l.count,
                position: self.table.indexer().from_slot(l.slot),
            })
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
        let tallies = self.chunks(|positions| {
            let mut tally = Tally::default();
            for position in positions {
                tally.add(position, self.dtw(&position)?);
            }
            Ok(tally)
        });
        // An ordered reduction: the longest win shown is the first one, whatever the number of threads.
        tallies.try_reduce(Tally::default, |before, after| Ok(before.followed_by(after)))
    }

    /// What `look` says of the positions that the claim speaks of, some thousands at a time.
    fn chunks<T: Send>(
        &self,
        look: impl Fn(&mut dyn Iterator<Item = Position<R>>) -> Result<T, ProofError> + Send + Sync,
    ) -> impl IndexedParallelIterator<Item = Result<T, ProofError>> {
        let positions = self.table.indexer().placements();
        (0..positions.div_ceil(CHUNK) as usize).into_par_iter().map(move |chunk| {
            let ranks = chunk as u64 * CHUNK..((chunk as u64 + 1) * CHUNK).min(positions);
            let seen = look(&mut ranks.map(|rank| self.table.indexer().unrank(rank)).filter(|p| self.is_meant(p)))?;
            if (self.stopped)() { Err(ProofError::Stopped) } else { Ok(seen) }
        })
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

/// Whether the side that wins on the board wins before any count is full, by one strategy: of its moves the first of
/// best play, against every reply. False also where `budget`, of positions to look at, is used up.
fn is_won_in_time<R: Rules>(
    tablebase: &Tablebase<R>,
    position: &Position<R>,
    counts: &DrawCounts<R>,
    budget: &mut u32,
) -> Result<bool, ProofError> {
    if !position.has_move() {
        return Ok(true);
    }
    if counts.full().is_some() || *budget == 0 {
        return Ok(false);
    }
    *budget -= 1;
    let wins = tablebase.probe(position)?.wdl == Wdl::Win;
    let moves = tablebase.moves(position)?;
    let tried = if wins { &moves[..1] } else { &moves[..] };
    for valued in tried {
        let after = counts.after(position, &valued.mv, &valued.after);
        if !is_won_in_time(tablebase, &valued.after, &after, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
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
