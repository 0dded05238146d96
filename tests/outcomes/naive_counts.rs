//! Who wins under draw rules, solved the plainest way: on positions together with the counts of all rules.
//!
//! A state is a position and how far each rule in scope has counted. It is won if a move leads to a lost one, lost if
//! all moves lead to won ones, and drawn if a count is full while the mover has a move. Slices are taken in order of
//! pieces and men, each with its twin, and looked at again and again until nothing changes. Of the program it uses
//! moves, the main road and the ranks of positions, nothing of how draw rules are put together.

use endame::board::Geometry;
use endame::index::{Indexer, Material};
use endame::position::{Move, Position};
use endame::rules::{DrawRule, Place, ResetsOn, Rules};

/// More rules than any list here has.
const MOST_RULES: usize = 4;

/// How far each rule has counted, by number.
pub type Counts = [u32; MOST_RULES];

/// Whether a move sets a count back: what it takes, whether it promotes, whether a man moves.
pub type Resets = fn(ResetsOn, bool, bool, bool) -> bool;

/// As the rules say.
pub fn as_written(resets_on: ResetsOn, captures: bool, promotes: bool, by_man: bool) -> bool {
    match resets_on {
        ResetsOn::Nothing => false,
        ResetsOn::CaptureOrPromotion => captures || promotes,
        ResetsOn::CaptureOrManMove => captures || by_man,
    }
}

/// Wins, draws and losses (1, 0, -1) at every count.
pub struct NaiveCounts<R> {
    slices: Vec<Slice<R>>,
    resets: Resets,
}

/// The states of a material: by rank of the position, and within it by counts.
struct Slice<R> {
    material: Material,
    indexer: Indexer<R>,
    /// The rules in scope, by number.
    rules: Vec<usize>,
    values: Vec<i8>,
}

impl<R: Rules> Slice<R> {
    fn new(material: Material) -> Self {
        let indexer = Indexer::<R>::new(material);
        let in_scope = |&number: &usize| in_scope(&R::DRAW_RULES[number], material);
        let mut slice =
            Slice { material, indexer, rules: (0..R::DRAW_RULES.len()).filter(in_scope).collect(), values: Vec::new() };
        slice.values = vec![0; slice.indexer.placements() as usize * slice.states()];
        slice
    }

    /// States of a position.
    fn states(&self) -> usize {
        self.rules.iter().map(|&number| R::DRAW_RULES[number].plies as usize).product()
    }

    /// The counts of state `state`, by number of the rule.
    fn counts(&self, mut state: usize) -> Counts {
        let mut counts = Counts::default();
        for &number in &self.rules {
            let plies = R::DRAW_RULES[number].plies as usize;
            counts[number] = (state % plies) as u32;
            state /= plies;
        }
        counts
    }

    /// The state with these counts; `None` if one is full.
    fn state(&self, counts: &Counts) -> Option<usize> {
        self.rules.iter().rev().try_fold(0, |state, &number| {
            let (count, plies) = (counts[number], R::DRAW_RULES[number].plies);
            (count < plies).then_some(state * plies as usize + count as usize)
        })
    }
}

fn in_scope(rule: &DrawRule, material: Material) -> bool {
    let (a, b) = (material.ours(), material.theirs());
    (rule.scope)(a, b) || (rule.scope)(b, a)
}

/// Whether the rule counts in the position as far as squares go: where its only king of one side stands.
fn in_place<R: Rules>(rule: &DrawRule, position: &Position<R>) -> bool {
    let lone = if position.theirs().len() == 1 { position.theirs() } else { position.ours() };
    let is_on_road = lone.meets(R::Geometry::main_road());
    match rule.place {
        Place::Anywhere => true,
        Place::OnMainRoad => is_on_road,
        Place::OffMainRoad => !is_on_road,
    }
}

fn material_of<R: Rules>(position: &Position<R>) -> Option<Material> {
    let (ours, theirs) = position.sides();
    Material::new(ours, theirs).ok()
}

/// A move of a position: the slice it leads to, the rank there, whether the opponent has lost then, and per rule
/// whether its count goes on.
struct Step {
    slice: usize,
    rank: usize,
    is_over: bool,
    goes_on: [bool; MOST_RULES],
}

impl<R: Rules> NaiveCounts<R> {
    /// Solves every slice of 2 to `pieces` pieces.
    pub fn solve(pieces: u32, resets: Resets) -> Self {
        let mut solver = NaiveCounts { slices: Vec::new(), resets };
        let mut all = Material::all_up_to(pieces);
        all.sort_by_key(|m| (m.pieces(), m.men()));
        for material in all {
            if solver.slices.iter().any(|slice| slice.material == material) {
                continue;
            }
            let first = solver.slices.len();
            solver.slices.push(Slice::new(material));
            if !material.is_own_twin() {
                solver.slices.push(Slice::new(material.twin()));
            }
            solver.solve_from(first);
        }
        solver
    }

    /// Solves the slices from number `first` on; those before it are solved.
    fn solve_from(&mut self, first: usize) {
        let mut open: Vec<(usize, usize, Vec<Step>, bool)> = Vec::new();
        for number in first..self.slices.len() {
            let Slice { indexer, material, .. } = &self.slices[number];
            for rank in 0..indexer.placements() {
                let position = indexer.unrank(rank);
                let moves = position.moves();
                let wins = moves.iter().any(|mv| material_of(&position.play(mv)).is_none());
                let steps = moves.iter().filter_map(|mv| self.step(*material, &position, mv)).collect();
                open.push((number, rank as usize, steps, wins));
            }
        }
        loop {
            let mut changed = false;
            open.retain(|&(number, rank, ref steps, wins)| {
                let states = self.slices[number].states();
                let mut is_open = false;
                for state in 0..states {
                    let at = rank * states + state;
                    if self.slices[number].values[at] == 0 {
                        let value = self.value(number, steps, wins, state);
                        self.slices[number].values[at] = value;
                        changed |= value != 0;
                        is_open |= value == 0;
                    }
                }
                is_open
            });
            if !changed {
                return;
            }
        }
    }

    fn step(&self, material: Material, position: &Position<R>, mv: &Move) -> Option<Step> {
        let after = position.play(mv);
        let to = material_of(&after)?;
        let by_man = position.our_men().contains(mv.from);
        let goes_on = |rule: &DrawRule| {
            in_scope(rule, material)
                && in_scope(rule, to)
                && in_place(rule, position)
                && in_place(rule, &after)
                && !(self.resets)(rule.resets_on, mv.captured.any(), mv.promotes, by_man)
        };
        let slice = self.number_of(to);
        Some(Step {
            slice,
            rank: self.slices[slice].indexer.rank(&after) as usize,
            is_over: after.moves().is_empty(),
            goes_on: std::array::from_fn(|number| R::DRAW_RULES.get(number).is_some_and(goes_on)),
        })
    }

    fn number_of(&self, material: Material) -> usize {
        let number = self.slices.iter().position(|slice| slice.material == material);
        number.expect("slices are solved after those they lead to")
    }

    fn value(&self, number: usize, steps: &[Step], wins: bool, state: usize) -> i8 {
        let counts = self.slices[number].counts(state);
        let mut best = if wins { 1 } else { -1 };
        for step in steps {
            let after: Counts = std::array::from_fn(|number| if step.goes_on[number] { counts[number] + 1 } else { 0 });
            let to = &self.slices[step.slice];
            let value = match to.state(&after) {
                _ if step.is_over => -1,
                Some(state) => to.values[step.rank * to.states() + state],
                None => 0,
            };
            best = best.max(-value);
        }
        best
    }

    /// Whether the mover wins (1) or loses (-1) where every rule in scope has counted `count` plies.
    pub fn at(&self, position: &Position<R>, count: u32) -> i8 {
        self.at_counts(position, &[count; MOST_RULES])
    }

    /// Whether the mover wins (1) or loses (-1) where the rules have counted so far; those out of scope are not looked
    /// at.
    pub fn at_counts(&self, position: &Position<R>, counts: &Counts) -> i8 {
        let material = material_of(position).expect("both sides have pieces");
        let slice = &self.slices[self.number_of(material)];
        let counts: Counts = std::array::from_fn(|number| match R::DRAW_RULES.get(number) {
            Some(rule) if in_place(rule, position) => counts[number],
            _ => 0,
        });
        match slice.state(&counts) {
            Some(state) => slice.values[slice.indexer.rank(position) as usize * slice.states() + state],
            None if position.moves().is_empty() => -1,
            None => 0,
        }
    }

    /// All counts that are not full, of the rules in scope in the material of a position, squares included.
    pub fn counts_of(&self, position: &Position<R>) -> Vec<Counts> {
        let slice = &self.slices[self.number_of(material_of(position).expect("both sides have pieces"))];
        let is_met = |counts: &Counts| {
            let is_out = |number: &usize| !in_place(&R::DRAW_RULES[*number], position);
            slice.rules.iter().filter(|number| is_out(number)).all(|&number| counts[number] == 0)
        };
        (0..slice.states()).map(|state| slice.counts(state)).filter(is_met).collect()
    }
}
