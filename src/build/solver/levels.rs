//! A pair level by level.

use std::sync::Mutex;

use crate::build::solver::Unsolved;
use crate::build::solver::block::{BlockSolver, BlockWords};
use crate::build::solver::conversions::Before;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::Layout;
use crate::build::solver::library::KeptWord;
use crate::build::solver::packed::{Packed, Packer};
use crate::build::solver::scratch::Scratch;
use crate::build::solver::twin::Twins;
use crate::build::solver::watch::Watch;
use crate::build::threads::{self, lock};
use crate::rules::Rules;

/// Words that a task has at least, so that threads do not wait for each other.
const TASK_WORDS: usize = 4096;

/// Solves a pair level by level.
pub struct Levels<'a, R: Rules, L: Lanes> {
    /// Where the words lie.
    pub layout: &'a Layout,
    /// What solves the blocks.
    pub solver: BlockSolver<'a, R, L>,
    /// What makes images of blocks.
    pub twins: Option<Twins<'a>>,
    /// Who is told, and may stop it.
    pub watch: Watch<'a>,
    /// Working memory that no thread uses.
    pub spare: Mutex<Vec<Scratch<R, L>>>,
}

impl<R: Rules, L: Lanes> Levels<'_, R, L> {
    /// Solves a level, whose words are all zero before; `before` has those of the level before it at least.
    ///
    /// # Errors
    /// If a distance does not fit `L`, or the caller asked to stop.
    pub fn solve(
        &self,
        level: usize,
        before: Before<'_, R, L>,
        words: &mut [KeptWord<R::Geometry>],
        lanes: &mut [L],
    ) -> Result<(), Unsolved> {
        if (self.watch.stopped)() {
            return Err(Unsolved::Stopped);
        }
        let per_place = 2 * self.layout.words_per_side();
        let first = self.layout.places_of_level(level).start;
        let blocks = self.layout.level(level);
        let solved = (self.layout.block(blocks.end - 1).end - first) * per_place;
        let (words, images) = words.split_at_mut(solved);
        let (lanes, lanes_of_images) = lanes.split_at_mut(solved);
        // Large blocks that would leave half of the threads idle are solved by all threads together.
        let threads = rayon::current_num_threads();
        let left = blocks.len() % threads;
        let left = if self.solver.can_share() && 2 * left <= threads { left } else { 0 };
        let alone = blocks.start..blocks.end - left;
        let all = Task { blocks: blocks.clone(), words: &mut *words, lanes: &mut *lanes };
        let (all, together) = all.split_at(alone.end, self.layout, per_place);
        let tasks = all.cut(self.layout, per_place);
        threads::try_map_with(tasks, || (), |(), task| self.work(&self.solver, task, before))?;
        self.work(&self.solver.shared(&self.spare), together, before)?;
        if let Some(twins) = &self.twins {
            let begins = self.layout.twins(level);
            if !begins.is_empty() {
                let begins = self.layout.block(begins.start).start;
                twins.fill::<R, L>(begins, (first, words, lanes), (images, lanes_of_images));
                (self.watch.advance)(images.len() as u64);
            }
        }
        Ok(())
    }

    /// Solves all levels and packs them; an advance reads no further back than the level before.
    ///
    /// # Errors
    /// If the caller asked to stop.
    pub fn solve_packed(&self) -> Result<Packed, Unsolved> {
        let per_place = 2 * self.layout.words_per_side();
        let mut packer = Packer::<R>::new(Layout::fixed_kings(self.layout.pair)[1]);
        let (mut words_before, mut words, mut first) = (Vec::new(), Vec::new(), 0);
        // There are no distances, which take no memory.
        let (mut lanes_before, mut lanes) = (Vec::new(), Vec::new());
        for level in 0..self.layout.level_count() {
            let places = self.layout.places_of_level(level);
            words.clear();
            words.resize(places.len() * per_place, KeptWord::default());
            lanes.resize(words.len(), L::empty());
            let before = Before { first, words: &words_before, lanes: &lanes_before };
            self.solve(level, before, &mut words, &mut lanes)?;
            packer.push(&words);
            first = places.start * per_place;
            std::mem::swap(&mut words_before, &mut words);
            std::mem::swap(&mut lanes_before, &mut lanes);
        }
        Ok(packer.finish())
    }

    /// Solves the blocks of a task.
    fn work(
        &self,
        solver: &BlockSolver<'_, R, L>,
        mut task: Task<'_, R, L>,
        before: Before<'_, R, L>,
    ) -> Result<(), Unsolved> {
        let per_place = 2 * self.layout.words_per_side();
        let mut scratch = lock(&self.spare).pop().unwrap_or_default();
        let mut done = 0;
        for block in task.blocks {
            let len = self.layout.block(block).len() * per_place;
            let (now, later) = std::mem::take(&mut task.words).split_at_mut(len);
            let (lanes_now, lanes_later) = std::mem::take(&mut task.lanes).split_at_mut(len);
            solver.solve(block, &mut scratch, before, BlockWords { words: now, lanes: lanes_now })?;
            (task.words, task.lanes) = (later, lanes_later);
            done += len as u64;
        }
        (self.watch.advance)(done);
        if let Some(clock) = self.watch.clock {
            scratch.stopwatch.hand_over(clock);
        }
        lock(&self.spare).push(scratch);
        Ok(())
    }
}

/// Some blocks of a level and their words.
struct Task<'a, R: Rules, L> {
    blocks: std::ops::Range<usize>,
    words: &'a mut [KeptWord<R::Geometry>],
    lanes: &'a mut [L],
}

impl<'a, R: Rules, L> Task<'a, R, L> {
    /// The blocks before `block`, and the others.
    fn split_at(self, block: usize, layout: &Layout, per_place: usize) -> (Self, Self) {
        let Task { blocks, words, lanes } = self;
        let len = (blocks.start..block).map(|block| layout.block(block).len() * per_place).sum();
        let (words, later_words) = words.split_at_mut(len);
        let (lanes, later_lanes) = lanes.split_at_mut(len);
        let later = Task { blocks: block..blocks.end, words: later_words, lanes: later_lanes };
        (Task { blocks: blocks.start..block, words, lanes }, later)
    }

    /// Cuts it into tasks of some thousand words.
    fn cut(mut self, layout: &Layout, per_place: usize) -> Vec<Self> {
        let mut tasks = Vec::new();
        while !self.blocks.is_empty() {
            let (mut last, mut len) = (self.blocks.start, 0);
            while last < self.blocks.end && (len == 0 || len < TASK_WORDS) {
                len += layout.block(last).len() * per_place;
                last += 1;
            }
            let (task, rest) = self.split_at(last, layout, per_place);
            tasks.push(task);
            self = rest;
        }
        tasks
    }
}
