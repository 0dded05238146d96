//! One block: all positions between which reversible moves lead.
//!
//! First every word is looked at for its conversions. Then news is pushed backward over reversible moves, pass by pass,
//! until nothing changes: see `passes.rs` and `moves.rs`.

use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

use crate::board::{Bitboard, Geometry, KeptSet};
use crate::build::solver::Unsolved;
use crate::build::solver::conversions::{At, Before, Conversions, GoesOn, Verdict};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Runner};
use crate::build::solver::library::{Kept, KeptWord, Library, Pieces, Word};
use crate::build::solver::scratch::{Buckets, Scratch};
use crate::build::solver::sets::{SIDES, Sets};
use crate::build::solver::watch::Watch;
use crate::build::threads::{self, lock};
use crate::rules::{DrawRule, Rules};

/// The words of a block, in storage order.
#[derive(Debug)]
pub struct BlockWords<'a, R: Rules, L> {
    /// By placement, side to move and word.
    pub words: &'a mut [KeptWord<R::Geometry>],
    /// Their distances.
    pub lanes: &'a mut [L],
}

/// Words of one side from which on a block is large: threads share it where there are not blocks for all, and news of
/// most of its words is gathered.
pub(super) const SHARED_WORDS: usize = 1 << 14;

/// Words that a thread takes of a block that is shared.
pub const PART_WORDS: usize = 1 << 11;

/// Sets of kings that are looked at before the caller is asked whether to stop.
const RANKS_BETWEEN_LOOKS: usize = 256;

/// Some words of a placement.
struct Part {
    men: [Bitboard; 2],
    /// Of the sets of kings of the first side.
    ranks: Range<usize>,
    /// What is added to the number of a word in its placement.
    base: usize,
}

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
    pub(super) const fn ends_at_advances(self) -> bool {
        self.is_timed() && !self.goes_on().after_an_advance()
    }
}

/// Solves the blocks of a pair.
#[derive(Clone, Copy)]
pub struct BlockSolver<'a, R: Rules, L: Lanes> {
    pub(super) layout: &'a Layout,
    pub(super) sets: &'a Sets<R>,
    conversions: Conversions<'a, R, L>,
    /// Kings that do not run, by side.
    pub(super) kings: [usize; 2],
    /// Words of one side to move in a placement.
    pub(super) per_side: usize,
    /// Sets of the running king's fellows.
    pub(super) fellows: usize,
    pub(super) runner: Runner,
    pub(super) timing: Timing,
    pub(super) watch: Watch<'a>,
    /// Where all threads work on the block, working memory of theirs that no thread uses: see [`BlockSolver::shared`].
    spare: Option<&'a Mutex<Vec<Scratch<R, L>>>>,
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
            spare: None,
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
        // What threads share of the conversions each has noted.
        let conversions = if self.is_shared() { Duration::ZERO } else { (middle - began) * blocks };
        scratch.stopwatch.note_block(conversions, (end - middle) * blocks);
        Ok(())
    }

    /// Whether blocks are large enough for threads to share one, and can be cut into parts, which are sets of kings of
    /// the first side.
    pub fn can_share(&self) -> bool {
        self.per_side >= SHARED_WORDS && self.layout.king_sets[0] > 1
    }

    /// The same, all threads of the pool working on each block with what is in `spare`.
    #[must_use]
    pub fn shared(&self, spare: &'a Mutex<Vec<Scratch<R, L>>>) -> Self {
        BlockSolver { spare: Some(spare), ..*self }
    }

    /// Whether all threads work on the block.
    pub(super) fn is_shared(&self) -> bool {
        self.spare.is_some()
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
        let sets = self.sets.kings(self.kings[0]).len();
        for (i, place) in self.layout.block(block).enumerate() {
            let men = self.layout.placements[place];
            self.conversions.list_advances(men, &mut scratch.advances);
            let part = Part { men, ranks: 0..sets, base: i * self.per_side };
            if let Some(spare) = self.spare {
                debug_assert!(known.is_none(), "where a man runs there is one word, which is not shared");
                self.convert_shared(&part, spare, scratch, before, out)?;
            } else {
                self.convert_part(&part, scratch, before, out, known)?;
            }
        }
        Ok(())
    }

    /// As [`BlockSolver::convert_part`], by all threads, each of which settles some words as if they were a block.
    fn convert_shared(
        &self,
        part: &Part,
        spare: &Mutex<Vec<Scratch<R, L>>>,
        scratch: &mut Scratch<R, L>,
        before: Before<'_, R, L>,
        out: &mut BlockWords<'_, R, L>,
    ) -> Result<(), Unsolved> {
        let advances = std::mem::take(&mut scratch.advances);
        let all = Mutex::new((&mut *scratch, out));
        let at_a_time = (PART_WORDS / self.fellows).max(1);
        let settle = |(): &mut (), first: usize| {
            let ranks = first..(first + at_a_time).min(part.ranks.end);
            let words = ranks.len() * self.fellows;
            let mut own = lock(spare).pop().unwrap_or_default();
            own.resize(words);
            own.advances.clone_from(&advances);
            let (mut kept, mut lanes) = (vec![KeptWord::default(); 2 * words], vec![L::empty(); 2 * words]);
            let mut own_out = BlockWords { words: &mut kept, lanes: &mut lanes };
            // The words of the part count from its first on.
            let base = (ranks.start * self.fellows).wrapping_neg();
            let begin = part.base + ranks.start * self.fellows;
            let alone = BlockSolver { per_side: words, spare: None, ..*self };
            let now = || self.watch.clock.map(|clock| (clock.now)()).unwrap_or_default();
            let began = now();
            alone.convert_part(&Part { ranks, base, ..*part }, &mut own, before, &mut own_out, None)?;
            own.stopwatch.note_block(now() - began, Duration::ZERO);
            let mut all = lock(&all);
            let (scratch, out) = &mut *all;
            scratch.take_part(begin, words, &mut own);
            for side in SIDES {
                let (to, from) = (self.stored(side, begin), side * words);
                out.words[to..to + words].copy_from_slice(&kept[from..from + words]);
                out.lanes[to..to + words].copy_from_slice(&lanes[from..from + words]);
            }
            drop(all);
            lock(spare).push(own);
            Ok(())
        };
        let solved = threads::try_map_with(part.ranks.clone().step_by(at_a_time), || (), settle);
        scratch.advances = advances;
        solved.map(|_| ())
    }

    /// The conversions of some words of a placement, whose advances are in `scratch`.
    #[inline]
    fn convert_part(
        &self,
        part: &Part,
        scratch: &mut Scratch<R, L>,
        before: Before<'_, R, L>,
        out: &mut BlockWords<'_, R, L>,
        known: Option<&[KeptWord<R::Geometry>]>,
    ) -> Result<(), Unsolved> {
        for rank in part.ranks.clone() {
            if rank % RANKS_BETWEEN_LOOKS == RANKS_BETWEEN_LOOKS - 1 && (self.watch.stopped)() {
                return Err(Unsolved::Stopped);
            }
            for at in self.words(part.men, rank) {
                let word = part.base.wrapping_add(at.word);
                for side in SIDES {
                    let (eyes, advances) = (&mut scratch.eyes, &scratch.advances[side]);
                    let clock = self.watch.clock.filter(|_| scratch.stopwatch.is_sampled());
                    let began = clock.map(|clock| (clock.now)());
                    let mut verdict = self.conversions.captures(eyes, &at, side);
                    let middle = clock.map(|clock| (clock.now)());
                    self.conversions.forward(&mut verdict, &mut eyes.reading, &at, side, before, advances);
                    if let Some(known) = known.filter(|_| side == 1) {
                        self.conversions.running_man_advances(&mut verdict, &at, known[self.stored(0, word)].word());
                    }
                    if let (Some(clock), Some(began), Some(middle)) = (clock, began, middle) {
                        scratch.stopwatch.note_word(middle - began, (clock.now)() - middle);
                    }
                    self.settle(&verdict, &at, side, word, scratch, out);
                }
            }
            if self.mirrors() {
                let first_word = part.base.wrapping_add(rank * self.fellows);
                self.mirror(part.men, rank, first_word, scratch, out);
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
        let losing = quiet.minus(verdict.safe | verdict.won);
        let kept_losing: Kept<R> = KeptSet::keep(losing);
        scratch.losing[side][word] = kept_losing;
        if self.is_timed() {
            scratch.open[side][word] = KeptSet::keep(quiet);
            scratch.waiting[side][word] = kept_losing;
            if !self.measures() {
                // Every conversion counts 1; where there is none, the mover may be stuck.
                let waiting = [(&mut scratch.due_won, 1, verdict.won), (&mut scratch.due_lost, 1, lost)];
                for (buckets, plies, squares) in waiting {
                    if squares.any() {
                        buckets.add(plies, side, word, KeptSet::keep(squares));
                    }
                }
                for (plies, squares) in [(1, losing & verdict.losing), (0, losing.minus(verdict.losing))] {
                    if squares.any() {
                        scratch.again.add(plies, side, word, KeptSet::keep(squares));
                    }
                }
                return;
            }
            // What is due too late for the count is not decided at all.
            let wait = |buckets: &mut Buckets<Kept<R>>, lanes: &L, squares: Bitboard| {
                for_each_distance(lanes, squares, |plies, mask| {
                    if plies <= self.timing.limit() {
                        buckets.add(plies, side, word, KeptSet::keep(mask));
                    }
                });
            };
            wait(&mut scratch.due_won, &verdict.soonest, verdict.won);
            wait(&mut scratch.due_lost, &verdict.latest, lost);
            wait(&mut scratch.again, &verdict.latest, losing);
        } else {
            let settled = KeptWord::<R::Geometry>::keep(Word { won: verdict.won, lost });
            out.words[self.stored(side, word)] = settled;
            scratch.open[side][word] = KeptSet::keep(quiet.minus(verdict.won));
            if losing.any() {
                scratch.candidates[side].add(word, kept_losing);
            }
            if lost.any() {
                scratch.lost[side].add(word, settled.lost());
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
