//! A solver that iterates until nothing changes, for checking the real one and for making small tables.
//!
//! All slices of up to so many pieces are solved at once. Pass `d` looks at every position without a value: it is won
//! in `d` if a move leads to one lost in `d - 1`, and lost in `d` if all moves lead to ones that are won, the longest
//! in `d - 1`. Positions that never get a value are drawn. Of the program it uses only moves and the ranks of
//! positions.

use endame::board::Geometry;
use endame::index::{Indexer, Material};
use endame::position::Position;
use endame::rules::Rules;
use endame::value::Dtw;

/// Stands for every position in which the mover has no piece.
const NO_PIECE: usize = 0;
const UNKNOWN: u16 = u16::MAX;

/// The distances of all positions of up to so many pieces.
pub struct NaiveSolver<R> {
    /// Every material with the number of its first position.
    slices: Vec<(Indexer<R>, usize)>,
    /// By number: plies to the end, or [`UNKNOWN`] for a draw.
    plies: Vec<u16>,
    /// By number: plies to the next conversion, or [`UNKNOWN`] for a draw.
    to_conversion: Vec<u16>,
}

impl<R: Rules> NaiveSolver<R> {
    /// Solves every slice of 2 to `pieces` pieces.
    pub fn solve(pieces: u32) -> Self {
        let mut count = NO_PIECE + 1;
        let mut slices = Vec::new();
        for material in Material::all_up_to(pieces) {
            let indexer = Indexer::<R>::new(material);
            let first = count;
            count += indexer.placements() as usize;
            slices.push((indexer, first));
        }
        let mut solver = NaiveSolver { slices, plies: vec![UNKNOWN; count], to_conversion: vec![UNKNOWN; count] };
        solver.plies[NO_PIECE] = 0;
        solver.iterate();
        solver
    }

    fn iterate(&mut self) {
        let (mut successors, mut converts, mut ends) = (Vec::<u32>::new(), Vec::<bool>::new(), vec![0]);
        let mut moves = Vec::new();
        for (indexer, _) in &self.slices {
            for rank in 0..indexer.placements() {
                let position = indexer.unrank(rank);
                position.moves_into(&mut moves);
                successors.extend(moves.iter().map(|mv| self.number(&position.play(mv)) as u32));
                converts.extend(moves.iter().map(|mv| {
                    let is_man = position.our_men().contains(mv.from);
                    mv.is_capture() || is_man && R::Geometry::row(mv.from) != R::Geometry::row(mv.to)
                }));
                ends.push(successors.len());
            }
        }
        let (mut pass, mut quiet_passes) = (0, 0);
        while quiet_passes < 2 {
            let mut found = Vec::new();
            for number in NO_PIECE + 1..self.plies.len() {
                if self.plies[number] != UNKNOWN {
                    continue;
                }
                let after = || successors[ends[number - 1]..ends[number]].iter().map(|&next| self.plies[next as usize]);
                let decided = if pass % 2 == 1 {
                    after().any(|plies| plies == pass - 1)
                } else {
                    after().all(|plies| plies % 2 == 1 && plies < pass)
                };
                if decided {
                    found.push(number);
                }
            }
            quiet_passes = if found.is_empty() { quiet_passes + 1 } else { 0 };
            found.into_iter().for_each(|number| self.plies[number] = pass);
            pass += 1;
        }
        self.time_conversions(&successors, &converts, &ends);
    }

    /// Once it is known who wins: pass `d` finds the positions with `d` plies to the next conversion.
    fn time_conversions(&mut self, successors: &[u32], converts: &[bool], ends: &[usize]) {
        let (mut pass, mut last_found) = (0, 0);
        // A pass that finds nothing leaves nothing for the next but one.
        while pass < last_found + 3 {
            let mut found = Vec::new();
            for number in NO_PIECE + 1..self.plies.len() {
                let plies = self.plies[number];
                if plies == UNKNOWN || self.to_conversion[number] != UNKNOWN {
                    continue;
                }
                // A move's own count: 1 if it converts, else 1 more than what follows it, if that is known.
                let count = |i: usize| match (converts[i], self.to_conversion[successors[i] as usize]) {
                    (true, _) => Some(1),
                    (false, UNKNOWN) => None,
                    (false, after) => Some(after + 1),
                };
                let moves = ends[number - 1]..ends[number];
                let wins = |i: &usize| {
                    let after = self.plies[successors[*i] as usize];
                    after != UNKNOWN && after.is_multiple_of(2)
                };
                let counted = if plies % 2 == 1 {
                    moves.filter(wins).filter_map(count).min()
                } else {
                    moves.map(count).try_fold(0, |most, plies| plies.map(|plies| most.max(plies)))
                };
                if counted == Some(pass) {
                    found.push(number);
                }
            }
            if !found.is_empty() {
                last_found = pass;
            }
            found.into_iter().for_each(|number| self.to_conversion[number] = pass);
            pass += 1;
        }
    }

    fn number(&self, position: &Position<R>) -> usize {
        let (ours, theirs) = position.sides();
        let Ok(material) = Material::new(ours, theirs) else { return NO_PIECE };
        let place = self.slices.iter().position(|(indexer, _)| indexer.material() == material);
        let (indexer, first) = &self.slices[place.expect("moves never add pieces")];
        first + indexer.rank(position) as usize
    }

    /// The distance of `position`; `None` for a draw.
    pub fn dtw(&self, position: &Position<R>) -> Option<Dtw> {
        self.distances(position).map(|(dtw, _)| dtw)
    }

    /// The distance of `position` to the end, and its plies to the next conversion; `None` for a draw.
    pub fn distances(&self, position: &Position<R>) -> Option<(Dtw, u16)> {
        let number = self.number(position);
        (self.plies[number] != UNKNOWN).then(|| (Dtw(self.plies[number]), self.to_conversion[number]))
    }
}
