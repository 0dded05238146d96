//! Reversible moves between the words of a block.
//!
//! A move of a fixed piece leads from word to word, for all squares of the running piece that are not in its way; a move
//! of the running piece stays within the word and is a fill.

use crate::board::{Bitboard, Direction, Geometry, KeptSet};
use crate::build::solver::block::BlockSolver;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::Runner;
use crate::build::solver::library::Kept;
use crate::build::solver::scratch::{Scratch, Sidestep, Sidesteps};
use crate::build::solver::sets::{SIDES, Sets};
use crate::rules::Rules;

/// A word of a block: its placement in the block, and the ranks of its sets of kings.
#[derive(Clone, Copy)]
pub(super) struct Here {
    place: usize,
    ranks: [usize; 2],
    kings: [Bitboard; 2],
    men: Bitboard,
}

impl Here {
    /// Whether no two pieces stand on one square.
    #[inline(always)]
    pub(super) fn is_possible(&self) -> bool {
        !self.kings[0].meets(self.kings[1]) && !self.men.meets(self.kings[0] | self.kings[1])
    }
}

impl<R: Rules, L: Lanes> BlockSolver<'_, R, L> {
    #[inline(always)]
    pub(super) fn word(&self, here: &Here) -> usize {
        here.place * self.per_side + here.ranks[0] * self.fellows + here.ranks[1]
    }

    #[inline(always)]
    pub(super) fn here(&self, block: usize, word: usize) -> Here {
        let (place, rest) =
            if R::Geometry::SIDEWAYS.is_empty() { (0, word) } else { (word / self.per_side, word % self.per_side) };
        // A number known to the compiler divides faster.
        let one_fellow = R::Geometry::SQUARES as usize;
        let ranks = match self.fellows {
            1 => [rest, 0],
            fellows if fellows == one_fellow => [rest / one_fellow, rest % one_fellow],
            fellows => [rest / fellows, rest % fellows],
        };
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
    pub(super) fn into(&self, targets: Kept<R>, here: &Here) -> Kept<R> {
        KeptSet::keep(self.leading_into(targets.set(), here))
    }

    #[inline(always)]
    fn leading_into(&self, targets: Bitboard, here: &Here) -> Bitboard {
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
        sidesteps: &Sidesteps<R>,
        mut visit: impl FnMut(usize, Kept<R>) -> bool,
    ) {
        let base = here.place * self.per_side;
        let (scale, rest) =
            if side == 0 { (self.fellows, base + here.ranks[1]) } else { (1, base + here.ranks[0] * self.fellows) };
        let obstacles = Kept::<R>::keep(here.men | here.kings[1 - side]);
        let moves = self.sets.king_moves(self.kings[side], here.ranks[side]);
        let mut i = 0;
        while let Some(m) = moves.get(i) {
            if m.path.meets(obstacles) {
                i += 1 + m.beyond();
                continue;
            }
            i += 1;
            if !visit(rest + m.next() * scale, m.path) {
                return;
            }
        }
        if !R::Geometry::SIDEWAYS.is_empty() {
            let kings = Kept::<R>::keep(here.kings[0] | here.kings[1]);
            let word = here.ranks[0] * self.fellows + here.ranks[1];
            for m in &sidesteps[here.place][side] {
                if !m.to.meets(kings) && !visit(m.place as usize * self.per_side + word, m.to) {
                    return;
                }
            }
        }
    }

    /// Lists the men's reversible moves between the placements of a block.
    pub(super) fn list_sidesteps(&self, block: usize, scratch: &mut Scratch<R, L>) {
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
                            list.push(Sidestep { to: KeptSet::keep(to), place });
                        }
                    }
                }
            }
        }
    }
}
