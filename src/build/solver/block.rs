//! One block: all positions between which reversible moves lead.
//!
//! First every word is looked at for its conversions. Then news is pushed backward over reversible moves, pass by pass,
//! until nothing changes: see `passes.rs`.
//! A reversible move of a fixed piece is one load for all squares of the running piece that are not in its way; a move
//! of the running piece stays within the word and is a fill.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::board::{Bitboard, Direction, Geometry};
use crate::build::solver::Unsolved;
use crate::build::solver::conversions::{Advance, At, Before, Conversions, Eyes, GoesOn, Verdict};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Runner};
use crate::build::solver::library::{KeptWord, Library, Pieces, Word};
use crate::build::solver::reading::Reading;
use crate::build::solver::scratch::{Buckets, Scratch, Sidestep};
use crate::build::solver::sets::{SIDES, Sets};
use crate::build::solver::watch::Watch;
use crate::rules::{DrawRule, Rules};

/// The words of a block, in storage order.
#[derive(Debug)]
pub struct BlockWords<'a, R: Rules, L> {
    /// By placement, side to move and word.
    pub words: &'a mut [KeptWord<R::Geometry>],
    /// Their distances.
    pub lanes: &'a mut [L],
}

/// Words of one side in a placement from which on threads share them, and words looked at before any is noted.
pub(super) const SHARED_WORDS: usize = 1 << 14;

/// What is known of a position besides who wins.
#[derive(Clone, Copy, Debug)]
pub enum Timing {
    /// Nothing: everything is due at once.
    None,
    /// Plies to the end of the game. Wins and losses alternate, so what a loss decides is one ply later.
    ToEnd,
    /// Plies to the next conversion, which is 1 for a conversion, whatever follows it.
    ToConversion,
    /// Plies to the next move that ends or resets the count of a draw rule: who wins is judged by the count. A win that
    /// takes more plies than `limit` is a draw, and so is what follows from it.
    ToReset {
        /// The rule that decides in the material.
        rule: &'static DrawRule,
        /// [`Timing::NO_LIMIT`], or the plies of the rule.
        limit: u16,
    },
}

impl Timing {
    /// More plies than any win takes.
    pub const NO_LIMIT: u16 = u16::MAX;

    /// After which conversions the count of plies goes on.
    const fn goes_on(self) -> GoesOn {
        match self {
            Timing::ToEnd => GoesOn::Always,
            Timing::None | Timing::ToConversion => GoesOn::Never,
            Timing::ToReset { rule, .. } => GoesOn::Under(rule),
        }
    }

    /// Whether distances are kept.
    pub(super) const fn is_timed(self) -> bool {
        !matches!(self, Timing::None)
    }

    /// Whether wins are an odd number of plies from what is timed, losses an even one.
    pub(super) const fn alternates(self) -> bool {
        matches!(self, Timing::None | Timing::ToEnd)
    }

    /// The most plies of a win.
    pub(super) const fn limit(self) -> u16 {
        if let Timing::ToReset { limit, .. } = self { limit } else { Timing::NO_LIMIT }
    }

    /// Whether a man's move forward counts 1, whatever follows it.
    const fn ends_at_advances(self) -> bool {
        self.is_timed() && !self.goes_on().after_an_advance()
    }
}

/// Solves the blocks of a pair.
#[derive(Clone, Copy)]
pub struct BlockSolver<'a, R: Rules, L: Lanes> {
    layout: &'a Layout,
    pub(super) sets: &'a Sets<R>,
    conversions: Conversions<'a, R, L>,
    /// Kings that do not run, by side.
    pub(super) kings: [usize; 2],
    /// Words of one side to move in a placement.
    per_side: usize,
    /// Sets of the running king's fellows.
    pub(super) fellows: usize,
    runner: Runner,
    pub(super) timing: Timing,
    pub(super) watch: Watch<'a>,
    /// Whether no level has a block for every thread.
    few_blocks: bool,
}

/// A word of a block: its placement in the block, and the ranks of its sets of kings.
#[derive(Clone, Copy)]
pub(super) struct Here {
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
        library: &'a Library<R, L>,
        timing: Timing,
        watch: Watch<'a>,
    ) -> Self {
        BlockSolver {
            layout,
            sets,
            conversions: Conversions::new(layout, library, timing.goes_on()),
            kings: Layout::fixed_kings(layout.pair),
            per_side: layout.words_per_side(),
            fellows: layout.king_sets[1],
            runner: layout.pair.runner(),
            timing,
            watch,
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
        scratch: &mut Scratch<R, L>,
        before: Before<'_, R, L>,
        mut out: BlockWords<'_, R, L>,
    ) -> Result<(), Unsolved> {
        let places = self.layout.block(block);
        let words = places.len() * self.per_side;
        scratch.resize(words);
        self.list_sidesteps(block, scratch);
        if self.timing.ends_at_advances() && self.runner == Runner::Man {
            // The running man's advance is a conversion within the word: who wins must be known before it is timed.
            let plain = BlockSolver { timing: Timing::None, ..*self };
            plain.run(block, words, scratch, before, &mut out, None)?;
            let known = out.words.to_vec();
            out.words.fill(KeptWord::default());
            return self.run(block, words, scratch, before, &mut out, Some(&known));
        }
        self.run(block, words, scratch, before, &mut out, None)
    }

    fn run(
        &self,
        block: usize,
        words: usize,
        scratch: &mut Scratch<R, L>,
        before: Before<'_, R, L>,
        out: &mut BlockWords<'_, R, L>,
        known: Option<&[KeptWord<R::Geometry>]>,
    ) -> Result<(), Unsolved> {
        let clock = self.watch.clock.and_then(|clock| Some((clock, scratch.stopwatch.stands_for(words)?)));
        let Some((clock, blocks)) = clock else {
            self.convert(block, scratch, before, out, known)?;
            return self.pass(block, words, scratch, out);
        };
        let began = (clock.now)();
        self.convert(block, scratch, before, out, known)?;
        let middle = (clock.now)();
        self.pass(block, words, scratch, out)?;
        let end = (clock.now)();
        // All threads work on conversions that are shared.
        let threads = if self.is_shared() { rayon::current_num_threads() as u32 } else { 1 };
        scratch.stopwatch.note_block((middle - began) * blocks * threads, (end - middle) * blocks);
        Ok(())
    }

    /// Whether threads share the conversions of a block.
    fn is_shared(&self) -> bool {
        self.per_side >= SHARED_WORDS && self.few_blocks
    }

    /// Whether distances are kept.
    #[inline(always)]
    pub(super) fn is_timed(&self) -> bool {
        L::TIMED && self.timing.is_timed()
    }

    /// Whether distances of conversions differ.
    #[inline(always)]
    pub(super) fn measures(&self) -> bool {
        self.timing.goes_on().measures()
    }

    /// Where the word of a block lies in storage.
    #[inline(always)]
    pub(super) fn stored(&self, side: usize, word: usize) -> usize {
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
        scratch: &mut Scratch<R, L>,
        before: Before<'_, R, L>,
        out: &mut BlockWords<'_, R, L>,
        known: Option<&[KeptWord<R::Geometry>]>,
    ) -> Result<(), Unsolved> {
        let sets = self.sets.kings(self.kings[0]);
        // A block of few words is looked at by one thread, as others have blocks of their own; the words of a large one
        // are shared, some sets at a time, so that the verdicts that wait to be noted do not take much memory.
        let is_large = self.per_side >= SHARED_WORDS;
        let is_shared = self.is_shared();
        let at_a_time = if is_large { (SHARED_WORDS / self.fellows).max(1) } else { sets.len() };
        for (i, place) in self.layout.block(block).enumerate() {
            let men = self.layout.placements[place];
            let base = i * self.per_side;
            self.conversions.list_advances(men, &mut scratch.advances);
            for first in (0..sets.len()).step_by(at_a_time) {
                if is_large && (self.watch.stopped)() {
                    return Err(Unsolved::Stopped);
                }
                let ranks = first..(first + at_a_time).min(sets.len());
                if is_shared {
                    let advances = &scratch.advances;
                    let lend = || Lent::new(&scratch.other_eyes);
                    let verdicts: Vec<Vec<(At, [Verdict<L>; 2])>> = ranks
                        .clone()
                        .into_par_iter()
                        .map_init(lend, |lent, rank| {
                            let eyes = lent.eyes();
                            self.words(men, rank)
                                .map(|at| {
                                    let look = |side| {
                                        let mut verdict = self.conversions.captures(eyes, &at, side);
                                        let reading = &mut eyes.reading;
                                        self.forward(
                                            &mut verdict,
                                            reading,
                                            &at,
                                            side,
                                            base,
                                            before,
                                            known,
                                            &advances[side],
                                        );
                                        verdict
                                    };
                                    (at, SIDES.map(look))
                                })
                                .collect()
                        })
                        .collect();
                    for (at, verdicts) in verdicts.iter().flatten() {
                        for side in SIDES {
                            self.settle(&verdicts[side], at, side, base + at.word, scratch, out);
                        }
                    }
                } else {
                    for at in ranks.clone().flat_map(|rank| self.words(men, rank)) {
                        for side in SIDES {
                            let (eyes, advances) = (&mut scratch.eyes, &scratch.advances[side]);
                            let clock = self.watch.clock.filter(|_| scratch.stopwatch.is_sampled());
                            let began = clock.map(|clock| (clock.now)());
                            let mut verdict = self.conversions.captures(eyes, &at, side);
                            let middle = clock.map(|clock| (clock.now)());
                            self.forward(&mut verdict, &mut eyes.reading, &at, side, base, before, known, advances);
                            if let (Some(clock), Some(began), Some(middle)) = (clock, began, middle) {
                                scratch.stopwatch.note_word(middle - began, (clock.now)() - middle);
                            }
                            self.settle(&verdict, &at, side, base + at.word, scratch, out);
                        }
                    }
                }
                if self.mirrors() {
                    ranks.for_each(|rank| self.mirror(men, rank, base, scratch, out));
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
            let squares = self.above_fellows(board.minus(fixed.occupied()), second);
            At { fixed, squares, word: rank * fellows + i }
        })
    }

    /// Adds what moves of men forward say about a word.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the words of a placement share all but three of them")]
    fn forward(
        &self,
        verdict: &mut Verdict<L>,
        reading: &mut Reading<R, L>,
        at: &At,
        side: usize,
        base: usize,
        before: Before<'_, R, L>,
        known: Option<&[KeptWord<R::Geometry>]>,
        advances: &[Advance],
    ) {
        self.conversions.forward(verdict, reading, at, side, before, advances);
        if let Some(known) = known.filter(|_| side == 1) {
            self.conversions.running_man_advances(verdict, at, known[self.stored(0, base + at.word)].word());
        }
    }

    /// Notes what conversions say about a word.
    #[inline]
    fn settle(
        &self,
        verdict: &Verdict<L>,
        at: &At,
        side: usize,
        word: usize,
        scratch: &mut Scratch<R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) {
        let lost = verdict.captures.minus(verdict.safe);
        let quiet = at.squares.minus(verdict.captures);
        if self.is_timed() {
            let losing = quiet.minus(verdict.safe | verdict.won);
            scratch.open[side][word] = quiet;
            scratch.losing[side][word] = losing;
            if !self.measures() {
                // Every conversion counts 1; where there is none, the mover may be stuck.
                let waiting = [(&mut scratch.due_won, 1, verdict.won), (&mut scratch.due_lost, 1, lost)];
                for (buckets, plies, squares) in waiting {
                    if squares.any() {
                        buckets.add(plies, side, word, squares);
                    }
                }
                for (plies, squares) in [(1, losing & verdict.losing), (0, losing.minus(verdict.losing))] {
                    if squares.any() {
                        scratch.again.add(plies, side, word, squares);
                    }
                }
                return;
            }
            scratch.latest[side][word] = verdict.latest;
            // What is due too late for the count is not decided at all.
            let wait = |buckets: &mut Buckets, lanes: &L, squares: Bitboard| {
                for_each_distance(lanes, squares, |plies, mask| {
                    if plies <= self.timing.limit() {
                        buckets.add(plies, side, word, mask);
                    }
                });
            };
            wait(&mut scratch.due_won, &verdict.soonest, verdict.won);
            wait(&mut scratch.due_lost, &verdict.latest, lost);
            wait(&mut scratch.again, &verdict.latest, losing);
        } else {
            let stored = self.stored(side, word);
            out.words[stored] = KeptWord::keep(Word { won: verdict.won, lost });
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

    #[inline(always)]
    pub(super) fn word(&self, here: &Here) -> usize {
        here.place * self.per_side + here.ranks[0] * self.fellows + here.ranks[1]
    }

    #[inline(always)]
    pub(super) fn here(&self, block: usize, word: usize) -> Here {
        let (place, rest) =
            if R::Geometry::SIDEWAYS.is_empty() { (0, word) } else { (word / self.per_side, word % self.per_side) };
        let ranks = if self.fellows == 1 { [rest, 0] } else { [rest / self.fellows, rest % self.fellows] };
        let men = self.layout.placements[self.layout.block(block).start + place];
        let kings = [self.sets.kings(self.kings[0])[ranks[0]], self.sets.kings(self.kings[1])[ranks[1]]];
        Here { place, ranks, kings, men: men[0] | men[1] }
    }

    /// The squares to which the running piece may move reversibly, if it can get there.
    #[inline(always)]
    pub(super) fn free(&self, here: &Here) -> Bitboard {
        let free = R::Geometry::BOARD.minus(here.men | here.kings[0] | here.kings[1]);
        match self.runner {
            Runner::King => free,
            Runner::Man => free.minus(Sets::<R>::promotion_row(1)),
        }
    }

    /// The squares from which one quiet move of the running piece leads to a square of `targets`.
    #[inline(always)]
    pub(super) fn into(&self, targets: Bitboard, here: &Here) -> Bitboard {
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
                    if R::MAN_MOVES[d.opposite().index()] && (is_reversible || !self.timing.ends_at_advances()) {
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
    pub(super) fn neighbours(
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
    fn list_sidesteps(&self, block: usize, scratch: &mut Scratch<R, L>) {
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

/// The eyes of a thread, from a pool to which they go back.
struct Lent<'a, R: Rules, L> {
    pool: &'a Mutex<Vec<Eyes<R, L>>>,
    eyes: Option<Eyes<R, L>>,
}

impl<'a, R: Rules, L> Lent<'a, R, L> {
    fn new(pool: &'a Mutex<Vec<Eyes<R, L>>>) -> Self {
        let eyes = pool.lock().expect("no thread panics with the lock").pop();
        Lent { pool, eyes: Some(eyes.unwrap_or_default()) }
    }

    fn eyes(&mut self) -> &mut Eyes<R, L> {
        self.eyes.get_or_insert_default()
    }
}

impl<R: Rules, L> Drop for Lent<'_, R, L> {
    fn drop(&mut self) {
        if let (Ok(mut pool), Some(eyes)) = (self.pool.lock(), self.eyes.take()) {
            pool.push(eyes);
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
