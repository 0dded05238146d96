//! What has to be solved for the slices asked for, in which order, and what it will cost.
//!
//! A pair of slices needs every slice that a capture or a promotion can lead to, and what those need in turn. Pairs are
//! solved by number of pieces, then by how these are shared between the sides, then by the men of the larger side and
//! those of the smaller: a capture lowers the first, a promotion one of the last, and what a promotion leads to is read
//! soon. A pair is kept in memory until its last reader is solved, the view of its first side only for those that read
//! it. All figures follow from the sizes of the slices, so that a plan that does
//! not fit is refused before it starts.

use std::collections::BTreeSet;

use crate::build::BuildError;
use crate::build::memory::{Saving, account, bytes_of, is_slow_to_turn, words};
use crate::build::several::{self, Tracked};
use crate::build::solver::Keep;
use crate::build::solver::lanes::Narrow;
use crate::build::solver::layout::{Layout, Pair};
use crate::build::solver::library::KeptWord;
use crate::index::{Indexer, Material, MaterialError};
use crate::rules::{Rules, Side};
use crate::value::Metric;

/// One pair of slices to solve.
#[derive(Clone, Debug)]
pub struct Step {
    /// The pair, as the solver sees it.
    pub pair: Pair,
    /// The slice of the pair and its twin; one where they are the same.
    pub materials: Vec<Material>,
    /// The slices that must be solved before, one of each pair.
    pub needs: Vec<Material>,
    /// Positions of all `materials` together.
    pub positions: u64,
    /// Words that the solver makes of them.
    pub words: u64,
    /// Bytes of memory in use while this pair is solved, those of slices kept for later ones included.
    pub memory_bytes: u64,
    /// Bytes of its tables on disk, roughly.
    pub disk_bytes: u64,
    /// Processor time, roughly.
    pub cpu_seconds: f64,
    /// How its words are kept for later steps.
    pub keep: Keep,
    /// Pairs that nobody reads any more once this one is solved.
    pub last_read: Vec<Pair>,
    /// Whether the words in which a king of the first side runs are kept: a later step reads them, and turning them
    /// where they are read would be slow.
    pub keeps_both: bool,
    /// For outcomes of a pair that is solved with several counts at once, the rules that matter, a bit each by number
    /// in [`Rules::DRAW_RULES`].
    pub several: Option<u8>,
}

/// A material of which there are no outcomes: it is, or leads to, one that would be solved with several counts at once
/// and is too large for that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// The material.
    pub material: Material,
    /// The one that is too large.
    pub too_large: Material,
    /// The names of the rules that count there.
    pub rules: Vec<&'static str>,
}

/// The steps of a build, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Pairs, each after everything it needs.
    pub steps: Vec<Step>,
    /// For outcomes, the materials asked for that have none, and why.
    pub left_out: Vec<LeftOut>,
    /// Bytes of distances beside each word.
    lanes: u64,
    threads: u64,
}

/// Positions that one core solves with several counts in a second.
const SEVERAL_PER_SECOND: f64 = 2e6;
impl Plan {
    /// The plan for `materials` and everything they lead to; `threads` is the number of threads that will work.
    ///
    /// # Errors
    /// If a material does not exist in the variant, or has more positions than can be numbered.
    pub fn new<R: Rules>(materials: &[Material], metric: Metric, threads: usize) -> Result<Plan, MaterialError> {
        let lanes = match metric {
            Metric::Wdl => 0,
            Metric::Dtw | Metric::Dtc => bytes_of::<Narrow<R::Geometry>>(),
            // Beside the words under the rules, those of the board.
            Metric::Outcome | Metric::Dtr => bytes_of::<Narrow<R::Geometry>>() + bytes_of::<KeptWord<R::Geometry>>(),
        };
        Self::with_lanes::<R>(materials, metric, lanes, threads)
    }

    /// This plan where it fits into `memory`, in bytes; otherwise the first of its savings that does, or the one that
    /// takes least. All make the same tables, the later ones more slowly.
    #[must_use]
    pub fn fitting<R: Rules>(self, memory: Option<u64>) -> Plan {
        let fits = |plan: &Plan| memory.is_none_or(|memory| plan.memory_bytes() <= memory);
        if fits(&self) {
            return self;
        }
        let largest = self.steps.iter().map(|step| step.materials[0].pieces()).max().unwrap_or(0);
        // Of the pairs with most pieces, which take most of the memory, and of the others.
        let mut savings = vec![[Saving::Views; 2]];
        if self.lanes == 0 && self.steps.iter().all(|step| step.several.is_none()) {
            savings.extend([Saving::Nothing, Saving::Views, Saving::Words].map(|others| [Saving::Words, others]));
        }
        let plans = savings.into_iter().map(|[most, others]| {
            let mut plan = self.clone();
            for step in &mut plan.steps {
                match if step.materials[0].pieces() == largest { most } else { others } {
                    Saving::Nothing => {}
                    Saving::Views => step.keeps_both = false,
                    Saving::Words => {
                        step.keeps_both = false;
                        step.keep = Keep::packed_if_worthwhile::<R>(step.pair);
                    }
                }
            }
            account::<R>(&mut plan.steps, plan.lanes, plan.threads);
            plan
        });
        let mut least = self.clone();
        for plan in plans {
            if plan.memory_bytes() < least.memory_bytes() {
                least = plan;
            }
            if fits(&least) {
                break;
            }
        }
        least
    }

    /// As [`Plan::new`], with `lanes` bytes of distances beside each word.
    pub(super) fn with_lanes<R: Rules>(
        materials: &[Material],
        metric: Metric,
        lanes: u64,
        threads: usize,
    ) -> Result<Plan, MaterialError> {
        let (mut left_out, mut asked) = (Vec::new(), materials.to_vec());
        loop {
            let order = reached::<R>(&asked)?;
            let tracked = if metric.counts_moves() { Tracked::new::<R>(&order) } else { Tracked::default() };
            let Some(too_large) = tracked.materials().find(|&m| positions::<R>(m) > several::MOST_POSITIONS) else {
                let mut steps = steps::<R>(&order, &tracked, metric, lanes)?;
                account::<R>(&mut steps, lanes, threads as u64);
                return Ok(Plan { steps, left_out, lanes, threads: threads as u64 });
            };
            let rules = tracked.names::<R>(too_large);
            let leads_there = |material: &Material| is_within(too_large, *material);
            let gone = asked.iter().filter(|m| leads_there(m));
            left_out.extend(gone.map(|&material| LeftOut { material, too_large, rules: rules.clone() }));
            asked.retain(|m| !leads_there(m));
        }
    }

    /// The plan for `material` at any counts: everything it leads to is solved with every rule that counts there.
    pub(super) fn for_any_counts<R: Rules>(material: Material, threads: usize) -> Result<Plan, BuildError> {
        let order = reached::<R>(&[material])?;
        if let Some(&too_large) = order.iter().find(|&&m| positions::<R>(m) > several::MOST_POSITIONS) {
            return Err(BuildError::TooLarge(too_large));
        }
        let mut steps = steps::<R>(&order, &Tracked::all::<R>(&order), Metric::Wdl, 0)?;
        // What a pair needs at any counts is asked for later.
        steps.iter_mut().for_each(|step| step.last_read.clear());
        account::<R>(&mut steps, 0, threads as u64);
        Ok(Plan { steps, left_out: Vec::new(), lanes: 0, threads: threads as u64 })
    }

    /// The most memory in use at any time, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.steps.iter().map(|s| s.memory_bytes).max().unwrap_or(0)
    }
}

/// Pieces, those of the larger side, and the men of the larger and the smaller side; and the material.
type SolvingKey = ([u32; 4], Material);

/// Where a pair comes in the order of solving.
fn solving_key(material: Material) -> SolvingKey {
    let (mut large, mut small) = (material.ours(), material.theirs());
    if large.pieces() < small.pieces() {
        std::mem::swap(&mut large, &mut small);
    }
    ([material.pieces(), large.pieces(), small.men, large.men], material)
}

/// The steps for the materials of `order`, those of `tracked` with several counts.
fn steps<R: Rules>(
    order: &[Material],
    tracked: &Tracked,
    metric: Metric,
    lanes: u64,
) -> Result<Vec<Step>, MaterialError> {
    let mut steps = order.iter().map(|&m| step::<R>(m, metric)).collect::<Result<Vec<Step>, _>>()?;
    for step in &mut steps {
        step.several = tracked.rules(step.materials[0]);
        step.cpu_seconds += step.several.map_or(0.0, |_| step.positions as f64 / SEVERAL_PER_SECOND);
    }
    find_readers::<R>(&mut steps, order, lanes);
    Ok(steps)
}

/// One material of each pair that `materials` are of or lead to, in the order in which they are solved.
fn reached<R: Rules>(materials: &[Material]) -> Result<Vec<Material>, MaterialError> {
    let mut pairs: BTreeSet<SolvingKey> = BTreeSet::new();
    let mut left: Vec<Material> = materials.iter().map(|material| material.stronger_to_move()).collect();
    while let Some(material) = left.pop() {
        Indexer::<R>::count_placements(material)?;
        if pairs.insert(solving_key(material)) {
            left.extend(one_piece_less(material).into_iter().chain(one_man_promoted(material)));
        }
    }
    Ok(pairs.into_iter().map(|key| key.1).collect())
}

/// Positions of the pair of a material, which can be numbered.
fn positions<R: Rules>(material: Material) -> u64 {
    let placements = Indexer::<R>::count_placements(material).unwrap_or(u64::MAX);
    if material.is_own_twin() { placements } else { placements.saturating_mul(2) }
}

/// The pairs left by a capture of one piece.
fn one_piece_less(material: Material) -> Vec<Material> {
    changes(material, |s| {
        let less_king = (s.kings > 0).then(|| Side { kings: s.kings - 1, ..s });
        let less_man = (s.men > 0).then(|| Side { men: s.men - 1, ..s });
        less_king.into_iter().chain(less_man).collect()
    })
}

/// The pairs left by a promotion.
fn one_man_promoted(material: Material) -> Vec<Material> {
    changes(material, |s| (s.men > 0).then(|| Side { kings: s.kings + 1, men: s.men - 1 }).into_iter().collect())
}

fn changes(material: Material, change: impl Fn(Side) -> Vec<Side>) -> Vec<Material> {
    let (ours, theirs) = (material.ours(), material.theirs());
    let mut changed: Vec<Material> = change(ours)
        .into_iter()
        .map(|s| Material::new(s, theirs))
        .chain(change(theirs).into_iter().map(|s| Material::new(ours, s)))
        .filter_map(|m| m.ok().map(Material::stronger_to_move))
        .collect();
    changed.sort();
    changed.dedup();
    changed
}

fn step<R: Rules>(material: Material, metric: Metric) -> Result<Step, MaterialError> {
    let placements = Indexer::<R>::count_placements(material)?;
    let own_twin = material.is_own_twin();
    let positions = if own_twin { Some(placements) } else { placements.checked_mul(2) };
    let positions = positions.ok_or(MaterialError::TooLarge(material))?;
    let pair = Pair::of(material.ours(), material.theirs()).0;
    let mut needs = one_piece_less(material);
    needs.extend(one_man_promoted(material));
    needs.sort();
    // Rates and densities of whole builds on one core; benches/RECORDS.md has the measurements.
    let (bits, per_second) = match metric {
        Metric::Wdl => (0.2, 25e6),
        Metric::Dtw => (1.1, 8e6),
        Metric::Dtc => (0.6, 10e6),
        Metric::Outcome | Metric::Dtr => (0.8, 6e6),
    };
    Ok(Step {
        pair,
        materials: if own_twin { vec![material] } else { vec![material, material.twin()] },
        needs,
        positions,
        words: words::<R>(pair),
        memory_bytes: 0,
        disk_bytes: 400 + (positions as f64 * bits / 8.0) as u64,
        cpu_seconds: positions as f64 / per_second,
        keep: Keep::Plain,
        last_read: Vec::new(),
        keeps_both: false,
        several: None,
    })
}

/// Fills in what can be dropped after each step, and what is kept until then.
fn find_readers<R: Rules>(steps: &mut [Step], order: &[Material], lanes: u64) {
    // A later step reads every pair with fewer pieces that it leads to, and those with a man promoted.
    let mut last_reader: Vec<usize> = (0..steps.len()).collect();
    for (reader, material) in order.iter().enumerate() {
        let promoted = one_man_promoted(*material);
        for (read, other) in order[..reader].iter().enumerate() {
            if (other.pieces() < material.pieces() && is_within(*other, *material)) || promoted.contains(other) {
                last_reader[read] = reader;
            }
        }
    }
    for (read, &reader) in last_reader.iter().enumerate() {
        let pair = steps[read].pair;
        steps[reader].last_read.push(pair);
    }
    for at in 0..steps.len() {
        let pair = steps[at].pair;
        let is_read = order[at + 1..].iter().any(|&reader| reads_both(reader, pair));
        steps[at].keeps_both = is_read && is_slow_to_turn::<R>(pair, lanes);
    }
}

/// Whether `reader` may read the words of `pair` in which a king of its first side runs.
fn reads_both(reader: Material, pair: Pair) -> bool {
    // The king of the second side that runs stays where it is: it is one of the first side of `pair` if the move
    // exchanges the sides. A man that runs becomes a king.
    let sides = Pair::of(reader.ours(), reader.theirs()).0.sides;
    let promoted = |side: Side| (side.men > 0).then(|| Side { kings: side.kings + 1, men: side.men - 1 });
    [0, 1].into_iter().any(|mover| {
        let (us, them) = (sides[mover], sides[1 - mover]);
        let ours = [Some(us), promoted(us)].into_iter().flatten();
        let left = (0..=them.kings).flat_map(|kings| (0..=them.men).map(move |men| Side { kings, men }));
        let left = left.filter(|side| side.pieces() > 0);
        ours.flat_map(|us| left.clone().map(move |them| (us, them))).any(|(us, them)| {
            let after = if mover == 0 { [us, them] } else { [them, us] };
            after[1].kings > 0 && Pair::of(after[0], after[1]) == (pair, true)
        })
    })
}

/// Whether captures and promotions can lead from `from` to `to`, with either side to move.
fn is_within(to: Material, from: Material) -> bool {
    let fits = |small: Side, large: Side| small.pieces() <= large.pieces() && small.men <= large.men;
    let both = |to: Material| fits(to.ours(), from.ours()) && fits(to.theirs(), from.theirs());
    both(to) || both(to.twin())
}

impl Step {
    /// As many positions as `words` words hold, on the average.
    #[must_use]
    pub fn positions_in(&self, words: u64) -> u64 {
        (u128::from(words) * u128::from(self.positions) / u128::from(self.words.max(1))) as u64
    }
}

impl Plan {
    /// The most kings of one side that do not run.
    #[must_use]
    pub fn most_fixed_kings(steps: &[Step]) -> usize {
        steps.iter().flat_map(|s| Layout::fixed_kings(s.pair)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International};

    fn material(text: &str) -> Material {
        text.parse().expect("a material")
    }

    #[test]
    fn every_pair_comes_after_what_it_needs() {
        let plan = Plan::new::<International>(&Material::all_up_to(5), Metric::Wdl, 1).expect("small slices");
        for (i, step) in plan.steps.iter().enumerate() {
            for need in &step.needs {
                assert!(
                    plan.steps[..i].iter().any(|s| s.materials.contains(need)),
                    "{need} before {:?}",
                    step.materials
                );
            }
        }
        let positions: u64 = plan.steps.iter().map(|s| s.positions).sum();
        assert_eq!(positions, 8_845 + 806_300 + 41_971_200 + 1_570_600_750);
    }

    fn every_count_can_be_planned<R: Rules>() {
        for pieces in 2..=2 * R::MOST_PIECES {
            let all: Vec<Material> =
                Material::all_with(pieces).into_iter().filter(|m| m.check::<R>().is_ok()).take(3).collect();
            match Plan::new::<R>(&all, Metric::Dtw, 2) {
                Ok(plan) => assert!(plan.memory_bytes() > 0),
                Err(error) => assert!(matches!(error, MaterialError::TooLarge(_)), "{error}"),
            }
        }
    }

    #[test]
    fn any_number_of_pieces_has_a_plan_or_is_too_large_to_number() {
        every_count_can_be_planned::<English>();
    }

    #[test]
    fn positions_of_a_pair_do_not_wrap() {
        let material = material("KKKKKKKKKKKKKvKKKKKKKK");
        assert!(matches!(Plan::new::<International>(&[material], Metric::Wdl, 1), Err(MaterialError::TooLarge(_))));
    }

    #[test]
    fn a_single_material_brings_only_what_it_leads_to() {
        let plan = Plan::new::<English>(&[material("KKvM")], Metric::Dtw, 1).expect("small slices");
        let names: Vec<String> = plan.steps.iter().map(|s| s.materials[0].to_string()).collect();
        assert_eq!(names, ["KvK", "KvM", "KKvK", "KKvM"]);
    }
}
