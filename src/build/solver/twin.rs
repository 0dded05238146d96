//! Slices that are their own twin: half of the blocks.
//!
//! In such a pair both sides have the same pieces, so every position is another one of the same pair with the board
//! turned by half a turn and the sides exchanged. Of a block and its image only one is solved. The words of the image
//! follow from it: where a king of the second side runs in the image, one of the first side runs in the block.

use crate::board::{Bitboard, Geometry};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::Layout;
use crate::build::solver::library::{KeptWord, View, Word};
use crate::build::solver::sets::{SIDES, Sets};
use crate::build::solver::transpose::Turner;
use crate::build::threads;
use crate::rules::Rules;

/// Makes the words of images from those of the blocks they are images of.
#[derive(Debug)]
pub struct Twins<'a> {
    layout: &'a Layout,
    turner: Turner,
    /// By rank of a set of all kings of a side, the rank of the turned set; then the same of all but one.
    turned: [Vec<u32>; 2],
}

impl<'a> Twins<'a> {
    /// For a pair laid out by `layout`; `None` if it is solved in full.
    pub fn new<R: Rules>(layout: &'a Layout) -> Option<Self> {
        let kings = layout.pair.sides[0].kings as usize;
        layout.has_twins().then(|| Twins {
            layout,
            turner: Turner::new::<R>(layout.pair),
            turned: [kings, kings - 1].map(|k| {
                let sets = Sets::<R>::subsets_of_board(k);
                sets.into_iter().map(|set| Sets::<R>::rank_kings_turned(set) as u32).collect()
            }),
        })
    }

    /// Fills the words of the placements from `first` on, which are `words` and `lanes`, from those solved before, which
    /// begin with those of the placement `solved_first`.
    pub fn fill<R: Rules, L: Lanes>(
        &self,
        first: usize,
        (solved_first, solved, solved_lanes): (usize, &[KeptWord<R::Geometry>], &[L]),
        (words, lanes): (&mut [KeptWord<R::Geometry>], &mut [L]),
    ) {
        let per_side = self.layout.words_per_side();
        let per_place = 2 * per_side;
        let images = words.chunks_mut(per_place).zip(lanes.chunks_mut(per_place)).enumerate();
        let other = || View::<R, L> {
            words: vec![KeptWord::default(); per_side],
            lanes: vec![L::empty(); per_side],
            sets: [0; 2],
        };
        threads::map_with(images, other, |other, (i, (words, lanes))| {
            let place = self.layout.place_turned::<R>(self.layout.placements[first + i]);
            let men = self.layout.placements[place];
            for side in SIDES {
                let from = ((place - solved_first) * 2 + side) * per_side;
                let from = from..from + per_side;
                other.words.fill(KeptWord::default());
                let main = (&solved[from.clone()], &solved_lanes[from]);
                self.turner.one_side::<R, L>(men[0] | men[1], main, (&mut other.words, &mut other.lanes));
                let to = (1 - side) * per_side..(2 - side) * per_side;
                self.turn::<R, L>(other, (&mut words[to.clone()], &mut lanes[to]));
            }
        });
    }

    /// Turns the words in which a king of the first side runs.
    fn turn<R: Rules, L: Lanes>(&self, other: &View<R, L>, (words, lanes): (&mut [KeptWord<R::Geometry>], &mut [L])) {
        let [all, fellows] = &self.turned;
        for (i, &row) in all.iter().enumerate() {
            for (j, &column) in fellows.iter().enumerate() {
                let (from, to) = (i * fellows.len() + j, row as usize * fellows.len() + column as usize);
                if !other.words[from].is_drawn() {
                    let Word { won, lost } = other.words[from].word();
                    let turned = |set: Bitboard| R::Geometry::rotate(set);
                    words[to] = KeptWord::keep(Word { won: turned(won), lost: turned(lost) });
                    if L::TIMED {
                        lanes[to] = other.lanes[from].turned();
                    }
                }
            }
        }
    }
}
