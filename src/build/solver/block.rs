//! One block: all positions between which reversible moves lead.
//!
//! First every word is looked at for its conversions. Then news is pushed backward over reversible moves, pass by
//! pass, until nothing changes:
//!
//! ```text
//! losses at p:  every candidate none of whose moves escapes: conversions all lose (by p), reversible moves all lead
//!               to positions won already
//! wins at p+1:  every open position with a reversible move to a loss at p
//! candidates:   every position with a reversible move to a win at p+1
//! ```
//!
//! Passes are synchronous, so with distances the pass number *is* the distance: what a conversion settles waits in a
//! bucket for the pass in which it is due. Without distances everything is due at once.
//! A reversible move of a fixed piece is one load for all squares of the running piece that are not in its way; a move
//! of the running piece stays within the word and is a fill.

use rayon::prelude::*;

use crate::board::{Bitboard, Direction, Geometry};
use crate::build::solver::Unsolved;
use crate::build::solver::captures::Captures;
use crate::build::solver::conversions::{At, Before, Conversions, Verdict};
use crate::build::solver::dirty::{Dirty, for_each_dirty};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Runner};
use crate::build::solver::library::{Library, Pieces, Word};
use crate::build::solver::scratch::{Scratch, Sidestep};
use crate::build::solver::sets::{SIDES, Sets};
use crate::rules::Rules;

/// The words of a block, in storage order.
#[derive(Debug)]
pub struct BlockWords<'a, L> {
    /// By placement, side to move and word.
    pub words: &'a mut [Word],
    /// Their distances.
    pub lanes: &'a mut [L],
}

/// Words of one side in a placement from which on threads share them, and words looked at before any is noted.
const SHARED_WORDS: usize = 1 << 14;

/// What is known of a position besides who wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// Nothing: everything is due at once.
    None,
    /// Plies to the end of the game. Wins and losses alternate, so what a loss decides is one ply later.
    ToEnd,
    /// Plies to the next conversion, which is 1 for a conversion, whatever follows it.
    ToConversion,
}

/// Solves the blocks of a pair.
#[derive(Clone, Copy)]
pub struct BlockSolver<'a, R: Rules, L: Lanes> {
    layout: &'a Layout,
    sets: &'a Sets<R>,
    conversions: Conversions<'a, R, L>,
    kings: [usize; 2],
    /// Words of one side to move in a placement.
    per_side: usize,
    /// Sets of the running king's fellows.
    fellows: usize,
    runner: Runner,
    timing: Timing,
    stopped: &'a (dyn Fn() -> bool + Sync),
    /// Whether no level has a block for every thread.
    few_blocks: bool,
}

/// A word of a block: its placement in the block, and the ranks of its sets of kings.
#[derive(Clone, Copy)]
struct Here {
    place: usize,
    ranks: [usize; 2],
    kings: [Bitboard; 2],
    men: Bitboard,
}

impl<'a, R: Rules, L: Lanes> BlockSolver<'a, R, L> {
    /// For the pair laid out by `layout`, reading finished slices from `library`.
    #[must_use]
    pub fn new(
        layout: &'a Layout,
        sets: &'a Sets<R>,
        library: &'a Library<L>,
        timing: Timing,
        stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        BlockSolver {
            layout,
            sets,
            conversions: Conversions::new(layout, library),
            kings: Layout::fixed_kings(layout.pair),
            per_side: layout.words_per_side(),
            fellows: layout.king_sets[1],
            runner: layout.pair.runner(),
            timing,
            stopped,
            few_blocks: (0..layout.level_count()).all(|level| layout.level(level).len() < rayon::current_num_threads()),
        }
    }

    /// Solves `block`, whose words are all zero before.
    ///
    /// # Errors
    /// If a distance is longer than the lanes can keep, or the caller asked to stop.
    pub fn solve(
        &self,
        block: usize,
        scratch: &mut Scratch<L>,
        before: Before<'_, L>,
        mut out: BlockWords<'_, L>,
    ) -> Result<(), Unsolved> {
        let places = self.layout.block(block);
        let words = places.len() * self.per_side;
        scratch.resize(words);
        self.list_sidesteps(block, scratch);
        if self.timing == Timing::ToConversion && self.runner == Runner::Man {
            // The running man's advance is a conversion within the word: who wins must be known before it is timed.
            let plain = BlockSolver { timing: Timing::None, ..*self };
            plain.run(block, words, scratch, before, &mut out, None)?;
            let known = out.words.to_vec();
            out.words.fill(Word::default());
            return self.run(block, words, scratch, before, &mut out, Some(&known));
        }
        self.run(block, words, scratch, before, &mut out, None)
    }

    fn run(
        &self,
        block: usize,
        words: usize,
        scratch: &mut Scratch<L>,
        before: Before<'_, L>,
        out: &mut BlockWords<'_, L>,
        known: Option<&[Word]>,
    ) -> Result<(), Unsolved> {
        self.convert(block, scratch, before, out, known)?;
        self.pass(block, words, scratch, out)
    }

    /// Whether distances are kept.
    #[inline(always)]
    fn is_timed(&self) -> bool {
        L::TIMED && self.timing != Timing::None
    }

    /// Where the word of a block lies in storage.
    #[inline(always)]
    fn stored(&self, side: usize, word: usize) -> usize {
        if self.per_side == 1 {
            return word * 2 + side;
        }
        let place = if R::Geometry::SIDEWAYS.is_empty() { 0 } else { word / self.per_side };
        word + (place + side) * self.per_side
    }

    /// All conversions of the block; what they settle is due.
    ///
    /// `known` are the words of the block where who wins is known already, and only conversions are to be timed.
    fn convert(
        &self,
        block: usize,
        scratch: &mut Scratch<L>,
        before: Before<'_, L>,
        out: &mut BlockWords<'_, L>,
        known: Option<&[Word]>,
    ) -> Result<(), Unsolved> {
        let sets = self.sets.kings(self.kings[0]);
        // A block of few words is looked at by one thread, as others have blocks of their own; the words of a large one
        // are shared, some sets at a time, so that the verdicts that wait to be noted do not take much memory.
        let is_large = self.per_side >= SHARED_WORDS;
        let is_shared = is_large && self.few_blocks;
        let at_a_time = if is_large { (SHARED_WORDS / self.fellows).max(1) } else { sets.len() };
        for (i, place) in self.layout.block(block).enumerate() {
            let men = self.layout.placements[place];
            let base = i * self.per_side;
            for first in (0..sets.len()).step_by(at_a_time) {
                if is_large && (self.stopped)() {
                    return Err(Unsolved::Stopped);
                }
                let ranks = first..(first + at_a_time).min(sets.len());
                if is_shared {
                    let verdicts: Vec<Vec<(At, [Verdict<L>; 2])>> = ranks
                        .into_par_iter()
                        .map_init(Captures::default, |captures, rank| {
                            self.words(men, rank)
                                .map(|at| (at, SIDES.map(|side| self.look(captures, &at, side, base, before, known))))
                                .collect()
                        })
                        .collect();
                    for (at, verdicts) in verdicts.iter().flatten() {
                        for side in SIDES {
                            self.settle(&verdicts[side], at, side, base + at.word, scratch, out);
                        }
                    }
                    continue;
                }
                for at in ranks.flat_map(|rank| self.words(men, rank)) {
                    for side in SIDES {
                        let verdict = self.look(&mut scratch.captures, &at, side, base, before, known);
                        self.settle(&verdict, &at, side, base + at.word, scratch, out);
                    }
                }
            }
        }
        Ok(())
    }

    /// The words of a placement with the set of kings of the first side that has this rank.
    #[inline(always)]
    fn words(&self, men: [Bitboard; 2], rank: usize) -> impl Iterator<Item = At> {
        let board = match self.runner {
            Runner::King => R::Geometry::BOARD,
            Runner::Man => Sets::<R>::men_squares(1),
        };
        let first = self.sets.kings(self.kings[0])[rank];
        let all_men = men[0] | men[1];
        let seconds = if first.meets(all_men) { &[] } else { self.sets.kings(self.kings[1]) };
        let fellows = self.fellows;
        seconds.iter().enumerate().filter(move |(_, second)| !second.meets(all_men | first)).map(move |(i, &second)| {
            let fixed = Pieces { men, kings: [first, second] };
            At { fixed, squares: board.minus(fixed.occupied()), word: rank * fellows + i }
        })
    }

    /// What the conversions of `side` say about a word.
    #[inline(always)]
    fn look(
        &self,
        captures: &mut Captures,
        at: &At,
        side: usize,
        base: usize,
        before: Before<'_, L>,
        known: Option<&[Word]>,
    ) -> Verdict<L> {
        let mut verdict = self.conversions.look(captures, at, side, before);
        if let Some(known) = known.filter(|_| side == 1) {
            self.conversions.running_man_advances(&mut verdict, at, known[self.stored(0, base + at.word)]);
        }
        verdict
    }

    /// Notes what conversions say about a word.
    #[inline]
    fn settle(
        &self,
        verdict: &Verdict<L>,
        at: &At,
        side: usize,
        word: usize,
        scratch: &mut Scratch<L>,
        out: &mut BlockWords<'_, L>,
    ) {
        let lost = verdict.captures.minus(verdict.safe);
        let quiet = at.squares.minus(verdict.captures);
        if self.is_timed() {
            let losing = quiet.minus(verdict.safe | verdict.won);
            let (mut soonest, mut latest) = (verdict.soonest, verdict.latest);
            if self.timing == Timing::ToConversion {
                // A conversion counts 1, whatever follows it.
                soonest = L::all(verdict.won, 1);
                latest = L::all(verdict.latest.beyond(lost | losing, 0), 1);
            }
            scratch.open[side][word] = quiet;
            scratch.losing[side][word] = losing;
            scratch.latest[side][word] = latest;
            for_each_distance(&soonest, verdict.won, |plies, mask| scratch.due_won.add(plies, side, word, mask));
            for_each_distance(&latest, lost, |plies, mask| scratch.due_lost.add(plies, side, word, mask));
            for_each_distance(&latest, losing, |plies, mask| scratch.again.add(plies, side, word, mask));
        } else {
            let stored = self.stored(side, word);
            out.words[stored] = Word { won: verdict.won, lost };
            scratch.open[side][word] = quiet.minus(verdict.won);
            let losing = quiet.minus(verdict.safe | verdict.won);
            scratch.losing[side][word] = losing;
            if losing.any() {
                scratch.candidates[side].add(word, losing);
            }
            if lost.any() {
                scratch.lost[side].add(word, lost);
            }
        }
    }

    fn pass(
        &self,
        block: usize,
        words: usize,
        scratch: &mut Scratch<L>,
        out: &mut BlockWords<'_, L>,
    ) -> Result<(), Unsolved> {
        let mut plies = 0u16;
        loop {
            if words >= SHARED_WORDS && (self.stopped)() {
                return Err(Unsolved::Stopped);
            }
            if self.is_timed() && plies >= L::LONGEST {
                return Err(Unsolved::TooLong);
            }
            if self.timing == Timing::ToConversion {
                // Wins and losses of one pass follow from those of the pass before, not from each other.
                std::mem::swap(&mut scratch.lost, &mut scratch.lost_before);
                self.losses(block, words, plies, scratch, out);
                std::mem::swap(&mut scratch.lost, &mut scratch.lost_before);
                self.wins(block, words, plies, scratch, out);
                std::mem::swap(&mut scratch.lost, &mut scratch.lost_before);
                plies += 1;
            } else {
                self.losses(block, words, plies, scratch, out);
                self.wins(block, words, plies + 1, scratch, out);
                plies += 2;
            }
            self.new_candidates(block, words, scratch);
            let last = scratch.due_won.latest.max(scratch.due_lost.latest).max(scratch.again.latest);
            let pending = |dirty: &[Dirty; 2]| SIDES.iter().any(|&side| !dirty[side].is_clear(words));
            if !pending(&scratch.candidates) && !pending(&scratch.lost) && (!self.is_timed() || last < plies as usize) {
                for buckets in [&mut scratch.due_won, &mut scratch.due_lost, &mut scratch.again] {
                    buckets.latest = 0;
                }
                return Ok(());
            }
        }
    }

    /// Losses at `plies`.
    fn losses(&self, block: usize, words: usize, plies: u16, scratch: &mut Scratch<L>, out: &mut BlockWords<'_, L>) {
        if self.is_timed() {
            let again = scratch.again.take(plies as usize);
            for &(side, word, mask) in &again {
                scratch.candidates[side as usize].add(word as usize, mask);
            }
            scratch.again.give_back(plies as usize, again);
        }
        for side in SIDES {
            for_each_dirty!(scratch.candidates[side], words, |word, mask| {
                let mut mask = mask & scratch.losing[side][word];
                if self.is_timed() {
                    // An advance that loses later brings the position back in time.
                    mask = mask.minus(scratch.latest[side][word].beyond(mask, plies));
                }
                if mask.any() {
                    let here = self.here(block, word);
                    let lost = self.without_escape(side, &here, mask, scratch, out);
                    if lost.any() {
                        self.set_lost(side, word, lost, plies, scratch, out);
                    }
                }
            });
        }
        if self.is_timed() {
            // Positions whose captures all lose.
            let due = scratch.due_lost.take(plies as usize);
            for &(side, word, mask) in &due {
                self.set_lost(side as usize, word as usize, mask, plies, scratch, out);
            }
            scratch.due_lost.give_back(plies as usize, due);
        }
    }

    #[inline(always)]
    fn set_lost(
        &self,
        side: usize,
        word: usize,
        mask: Bitboard,
        plies: u16,
        scratch: &mut Scratch<L>,
        out: &mut BlockWords<'_, L>,
    ) {
        scratch.open[side][word] = scratch.open[side][word].minus(mask);
        scratch.losing[side][word] = scratch.losing[side][word].minus(mask);
        scratch.lost[side].add(word, mask);
        let stored = self.stored(side, word);
        out.words[stored].lost |= mask;
        if self.is_timed() {
            for square in mask {
                out.lanes[stored].set(square, plies);
            }
        }
    }

    /// Wins at `plies`: those due, and those by a reversible move to a loss of the pass before.
    fn wins(&self, block: usize, words: usize, plies: u16, scratch: &mut Scratch<L>, out: &mut BlockWords<'_, L>) {
        for side in SIDES {
            let winner = 1 - side;
            for_each_dirty!(scratch.lost[side], words, |word, mask| {
                let here = self.here(block, word);
                if winner == 1 {
                    let from = self.into(mask, &here) & scratch.open[1][word];
                    if from.any() {
                        self.set_won(1, word, from, plies, scratch, out);
                    }
                }
                let sidesteps = std::mem::take(&mut scratch.sidesteps);
                self.neighbours(winner, &here, &sidesteps, |next, path| {
                    let from = mask.minus(path) & scratch.open[winner][next];
                    if from.any() {
                        self.set_won(winner, next, from, plies, scratch, out);
                    }
                    true
                });
                scratch.sidesteps = sidesteps;
            });
        }
        if self.is_timed() {
            let due = scratch.due_won.take(plies as usize);
            for &(side, word, mask) in &due {
                let stored = self.stored(side as usize, word as usize);
                let mask = mask.minus(out.words[stored].won);
                if mask.any() {
                    self.set_won(side as usize, word as usize, mask, plies, scratch, out);
                }
            }
            scratch.due_won.give_back(plies as usize, due);
        }
    }

    #[inline(always)]
    fn set_won(
        &self,
        side: usize,
        word: usize,
        mask: Bitboard,
        plies: u16,
        scratch: &mut Scratch<L>,
        out: &mut BlockWords<'_, L>,
    ) {
        scratch.open[side][word] = scratch.open[side][word].minus(mask);
        scratch.losing[side][word] = scratch.losing[side][word].minus(mask);
        scratch.won[side].add(word, mask);
        let stored = self.stored(side, word);
        out.words[stored].won |= mask;
        if self.is_timed() {
            for square in mask {
                out.lanes[stored].set(square, plies);
            }
        }
    }

    /// Positions with a reversible move to a new win may be lost.
    fn new_candidates(&self, block: usize, words: usize, scratch: &mut Scratch<L>) {
        for side in SIDES {
            let loser = 1 - side;
            for_each_dirty!(scratch.won[side], words, |word, mask| {
                let here = self.here(block, word);
                if loser == 1 && scratch.losing[1][word].any() {
                    let from = self.into(mask, &here) & scratch.losing[1][word];
                    if from.any() {
                        scratch.candidates[1].add(word, from);
                    }
                }
                let (losing, candidates) = (&scratch.losing[loser], &mut scratch.candidates[loser]);
                self.neighbours(loser, &here, &scratch.sidesteps, |next, path| {
                    let from = mask.minus(path) & losing[next];
                    if from.any() {
                        candidates.add(next, from);
                    }
                    true
                });
            });
        }
    }

    /// The squares of `mask` for which every reversible move of `side` leads to a position won by the other.
    #[inline]
    fn without_escape(
        &self,
        side: usize,
        here: &Here,
        mask: Bitboard,
        scratch: &Scratch<L>,
        out: &BlockWords<'_, L>,
    ) -> Bitboard {
        let (mut mask, other) = (mask, 1 - side);
        if side == 1 {
            let free = self.free(here);
            let won = out.words[self.stored(0, self.word(here))].won;
            mask = mask.minus(self.into(free.minus(won), here));
        }
        if mask.any() {
            self.neighbours(side, here, &scratch.sidesteps, |next, path| {
                mask &= out.words[self.stored(other, next)].won | path;
                mask.any()
            });
        }
        mask
    }

    #[inline(always)]
    fn word(&self, here: &Here) -> usize {
        here.place * self.per_side + here.ranks[0] * self.fellows + here.ranks[1]
    }

    #[inline(always)]
    fn here(&self, block: usize, word: usize) -> Here {
        let (place, rest) =
            if R::Geometry::SIDEWAYS.is_empty() { (0, word) } else { (word / self.per_side, word % self.per_side) };
        let ranks = if self.fellows == 1 { [rest, 0] } else { [rest / self.fellows, rest % self.fellows] };
        let men = self.layout.placements[self.layout.block(block).start + place];
        let kings = [self.sets.kings(self.kings[0])[ranks[0]], self.sets.kings(self.kings[1])[ranks[1]]];
        Here { place, ranks, kings, men: men[0] | men[1] }
    }

    /// The squares to which the running piece may move reversibly, if it can get there.
    #[inline(always)]
    fn free(&self, here: &Here) -> Bitboard {
        let free = R::Geometry::BOARD.minus(here.men | here.kings[0] | here.kings[1]);
        match self.runner {
            Runner::King => free,
            Runner::Man => free.minus(Sets::<R>::promotion_row(1)),
        }
    }

    /// The squares from which one quiet move of the running piece leads to a square of `targets`.
    #[inline(always)]
    fn into(&self, targets: Bitboard, here: &Here) -> Bitboard {
        let free = self.free(here);
        let mut from = Bitboard::EMPTY;
        for d in Direction::ALL {
            let back = R::Geometry::step(d.opposite());
            match self.runner {
                Runner::King if R::FLYING_KINGS => {
                    let mut reached = back.apply(targets) & free;
                    while reached.any() {
                        from |= reached;
                        reached = back.apply(reached) & free;
                    }
                }
                Runner::King => from |= back.apply(targets) & free,
                Runner::Man => {
                    // The second side's men move down, which is up for the first.
                    let is_reversible = R::Geometry::SIDEWAYS.contains(&d);
                    if R::MAN_MOVES[d.opposite().index()] && (is_reversible || self.timing != Timing::ToConversion) {
                        from |= back.apply(targets) & free;
                    }
                }
            }
        }
        from
    }

    /// Calls `visit` with every word to which a reversible move of a fixed piece of `side` leads, and the squares
    /// that must be free of the running piece; stops when it returns `false`.
    #[inline(always)]
    fn neighbours(
        &self,
        side: usize,
        here: &Here,
        sidesteps: &[[Vec<Sidestep>; 2]],
        mut visit: impl FnMut(usize, Bitboard) -> bool,
    ) {
        let base = here.place * self.per_side;
        let (scale, rest) =
            if side == 0 { (self.fellows, base + here.ranks[1]) } else { (1, base + here.ranks[0] * self.fellows) };
        let obstacles = here.men | here.kings[1 - side];
        let moves = self.sets.king_moves(self.kings[side], here.ranks[side]);
        let mut i = 0;
        while let Some(m) = moves.get(i) {
            if m.path.meets(obstacles) {
                i += 1 + m.beyond as usize;
                continue;
            }
            i += 1;
            if !visit(rest + m.next as usize * scale, m.path) {
                return;
            }
        }
        if !R::Geometry::SIDEWAYS.is_empty() {
            let kings = here.kings[0] | here.kings[1];
            let word = here.ranks[0] * self.fellows + here.ranks[1];
            for m in &sidesteps[here.place][side] {
                if !m.to.meets(kings) && !visit(m.place as usize * self.per_side + word, m.to) {
                    return;
                }
            }
        }
    }

    /// Lists the men's reversible moves between the placements of a block.
    fn list_sidesteps(&self, block: usize, scratch: &mut Scratch<L>) {
        if R::Geometry::SIDEWAYS.is_empty() {
            return;
        }
        let places = self.layout.block(block);
        scratch.sidesteps.resize_with(places.len().max(scratch.sidesteps.len()), Default::default);
        for (i, place) in places.clone().enumerate() {
            let men = self.layout.placements[place];
            for side in SIDES {
                let list = &mut scratch.sidesteps[i][side];
                list.clear();
                for man in men[side] {
                    for &d in R::Geometry::SIDEWAYS {
                        let to = R::Geometry::step(d).apply(Bitboard::of(man)).minus(men[0] | men[1]);
                        if to.any() {
                            let mut after = men;
                            after[side] = men[side].minus(Bitboard::of(man)) | to;
                            let place = (self.layout.place::<R>(after) - places.start) as u32;
                            list.push(Sidestep { to, place });
                        }
                    }
                }
            }
        }
    }
}

/// Calls `visit` with every distance that occurs among the squares of `mask`, and those squares.
fn for_each_distance<L: Lanes>(lanes: &L, mut mask: Bitboard, mut visit: impl FnMut(u16, Bitboard)) {
    while mask.any() {
        let plies = lanes.get(mask.first());
        let equal = lanes.equal(mask, plies);
        visit(plies, equal);
        mask = mask.minus(equal);
    }
}
