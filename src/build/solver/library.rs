//! Finished slices, as words, for those that are solved after them.
//!
//! A finished pair keeps one *view* for each side that has kings: the words in which a king of that side runs. The
//! solver makes the view of the second side; the other is its transpose, made where a later pair reads it. Where memory
//! is short, the first is packed and the other is not kept: see `reading.rs`. A reader asks for the word of a running king or for a single position, with the pieces as they stand on its own board; where
//! the pair is kept with its sides exchanged, the board is turned on the way in and the word on the way out. A pair
//! that is its own twin needs no second view: the board is turned instead.

use std::ops::Range;
use std::sync::Arc;

use crate::board::{Bitboard, Geometry, KeptSet, Square};
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Pair, Runner};
use crate::build::solver::packed::Packed;
use crate::build::solver::reading::Reading;
use crate::build::solver::sets::{Sets, binomial};
use crate::build::solver::transpose::other_view;
use crate::rules::{Rules, Side};

/// The values of all positions that differ only in the square of the running piece, for one side to move.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Word {
    /// Squares of the running piece for which the mover wins.
    pub won: Bitboard,
    /// Squares of the running piece for which the mover loses.
    pub lost: Bitboard,
}

/// A set of squares as it is kept in memory.
pub type Kept<R> = <<R as Rules>::Geometry as Geometry>::Kept;

/// A word as it is kept in memory.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct KeptWord<G: Geometry> {
    won: G::Kept,
    lost: G::Kept,
}

impl<G: Geometry> KeptWord<G> {
    /// The word, to be kept.
    #[inline(always)]
    #[must_use]
    pub fn keep(word: Word) -> Self {
        KeptWord { won: G::Kept::keep(word.won), lost: G::Kept::keep(word.lost) }
    }

    /// The word that was kept.
    #[inline(always)]
    #[must_use]
    pub fn word(self) -> Word {
        Word { won: self.won.set(), lost: self.lost.set() }
    }

    /// The squares won and lost, as they are kept.
    #[inline(always)]
    #[must_use]
    pub fn sets(self) -> [G::Kept; 2] {
        [self.won, self.lost]
    }

    /// The word with these squares won and lost.
    #[inline(always)]
    #[must_use]
    pub fn of_sets([won, lost]: [G::Kept; 2]) -> Self {
        KeptWord { won, lost }
    }

    /// The squares won.
    #[inline(always)]
    #[must_use]
    pub fn won(self) -> G::Kept {
        self.won
    }

    /// The squares lost.
    #[inline(always)]
    #[must_use]
    pub fn lost(self) -> G::Kept {
        self.lost
    }

    /// Adds to the squares won.
    #[inline(always)]
    pub fn add_won(&mut self, squares: G::Kept) {
        self.won |= squares;
    }

    /// Adds to the squares lost.
    #[inline(always)]
    pub fn add_lost(&mut self, squares: G::Kept) {
        self.lost |= squares;
    }

    /// Whether no square is won or lost.
    #[inline(always)]
    #[must_use]
    pub fn is_drawn(self) -> bool {
        !(self.won | self.lost).any()
    }
}

/// The pieces of both sides: the first side moves up.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Men of each side.
    pub men: [Bitboard; 2],
    /// Kings of each side.
    pub kings: [Bitboard; 2],
}

impl Pieces {
    /// All squares with a piece.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.men[0] | self.men[1] | self.kings[0] | self.kings[1]
    }

    /// The pieces of one side.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, side: usize) -> Bitboard {
        self.men[side] | self.kings[side]
    }

    /// The board turned by half a turn, so that the sides change places.
    #[inline]
    #[must_use]
    pub fn turned<G: Geometry>(&self) -> Self {
        Pieces {
            men: [G::rotate(self.men[1]), G::rotate(self.men[0])],
            kings: [G::rotate(self.kings[1]), G::rotate(self.kings[0])],
        }
    }
}

/// The words of a pair in which a piece of one side runs.
#[derive(Debug)]
pub struct View<R: Rules, L> {
    /// By placement, side to move, set of the other side's kings, and set of the running king's fellows.
    pub words: Vec<KeptWord<R::Geometry>>,
    /// The distances, in the same order.
    pub lanes: Vec<L>,
    /// The number of sets of the other side's kings, and of the running king's fellows.
    pub sets: [usize; 2],
}

/// A solved pair of slices.
#[derive(Debug)]
pub struct Finished<R: Rules, L> {
    /// Where its words lie.
    pub layout: Layout,
    views: [Option<View<R, L>>; 2],
    /// The words in which a piece of the second side runs, where they are not kept plain.
    packed: Option<Packed>,
    /// For each view, the number of sets of the other side's kings, and of the running king's fellows.
    sets: [[usize; 2]; 2],
}

/// A word found in a [`Library`].
#[derive(Clone, Copy, Debug)]
pub struct Found<L> {
    /// The word, as the reader's board stands.
    pub word: Word,
    /// Its distances, as the pair is kept.
    pub lanes: L,
    /// Whether the distances are those of the turned board.
    pub turned: bool,
}

impl<R: Rules, L: Lanes> Finished<R, L> {
    /// Takes the words that the solver made.
    #[must_use]
    pub fn new(layout: Layout, main: View<R, L>) -> Self {
        Finished { sets: Self::sets(&layout), layout, views: [None, Some(main)], packed: None }
    }

    /// Takes the words that the solver made, packed; they have no distances.
    #[must_use]
    pub fn new_packed(layout: Layout, packed: Packed) -> Self {
        Finished { sets: Self::sets(&layout), layout, views: [None, None], packed: Some(packed) }
    }

    fn sets(layout: &Layout) -> [[usize; 2]; 2] {
        let kings = layout.pair.sides.map(|side| side.kings as usize);
        let binomial = |k| binomial(R::Geometry::SQUARES, k);
        [[binomial(kings[1]), binomial(kings[0].saturating_sub(1))], layout.king_sets]
    }

    /// Adds the words in which a king of the first side runs, for those that read them; a pair that is its own twin
    /// needs none.
    pub fn add_first(&mut self) {
        let pair = self.layout.pair;
        if let [first @ None, Some(main)] = &mut self.views
            && pair.sides[0].kings > 0
            && pair.runner() == Runner::King
            && !pair.is_own_twin()
        {
            *first = Some(other_view(&self.layout, main));
        }
    }

    /// The view in which a piece of `side` runs.
    #[inline]
    #[must_use]
    pub fn view(&self, side: usize) -> Option<&View<R, L>> {
        self.views[side].as_ref()
    }

    /// The packed words, where there is no view of plain ones.
    #[must_use]
    pub fn packed(&self) -> Option<&Packed> {
        self.packed.as_ref()
    }

    /// Words in which a piece of the second side runs, where they are not packed, and their distances.
    #[must_use]
    pub fn kept(&self, words: Range<usize>) -> (&[KeptWord<R::Geometry>], &[L]) {
        let view = self.views[1].as_ref().expect("the words are kept plain");
        (&view.words[words.clone()], &view.lanes[words])
    }

    /// One of the words of a placement with one side to move.
    #[inline(always)]
    fn read(&self, reading: &mut Reading<R, L>, number: usize, running: usize, at: [usize; 4]) -> (Word, L) {
        let [place, mover, other, fellows] = at;
        let [others, all_fellows] = self.sets[running];
        let index = other * all_fellows + fellows;
        if let Some(view) = &self.views[running] {
            let index = (place * 2 + mover) * others * all_fellows + index;
            return (view.words[index].word(), view.lanes[index]);
        }
        let (at, sets) = (place * 2 + mover, [other, fellows]);
        if running == 1 { reading.unpacked(number, self, at, sets) } else { reading.turned(number, self, at, sets) }
    }

    /// The word in which a piece of side `running` runs; `fixed` are the other pieces. `number` is that of the pair among
    /// those that `reading` is for.
    #[inline]
    pub fn word(
        &self,
        reading: &mut Reading<R, L>,
        number: usize,
        fixed: &Pieces,
        running: usize,
        mover: usize,
    ) -> (Word, L) {
        let place = self.layout.place::<R>(fixed.men);
        let other = Sets::<R>::rank_kings(fixed.kings[1 - running]);
        let fellows = Sets::<R>::rank_kings(fixed.kings[running]);
        self.read(reading, number, running, [place, mover, other, fellows])
    }

    /// As [`Finished::word`], with the pieces, the running side and the mover as they are before the board is turned by
    /// half a turn and the sides change places; the word is that of the turned board.
    #[inline]
    pub fn word_turned(
        &self,
        reading: &mut Reading<R, L>,
        number: usize,
        fixed: &Pieces,
        running: usize,
        mover: usize,
    ) -> (Word, L) {
        let place = self.layout.place_turned::<R>(fixed.men);
        let other = Sets::<R>::rank_kings_turned(fixed.kings[1 - running]);
        let fellows = Sets::<R>::rank_kings_turned(fixed.kings[running]);
        self.read(reading, number, 1 - running, [place, 1 - mover, other, fellows])
    }

    /// The value of one position of the pair: whether the mover has won or lost, and its distance.
    #[inline]
    pub fn position(
        &self,
        reading: &mut Reading<R, L>,
        number: usize,
        pieces: &Pieces,
        mover: usize,
    ) -> (bool, bool, u16) {
        let (fixed, square) = self.without_runner(pieces, 1);
        let (word, lanes) = self.word(reading, number, &fixed, 1, mover);
        (word.won.contains(square), word.lost.contains(square), lanes.get(square))
    }

    /// As [`Finished::position`], with pieces and mover as they are before the board is turned.
    #[inline]
    pub fn position_turned(
        &self,
        reading: &mut Reading<R, L>,
        number: usize,
        pieces: &Pieces,
        mover: usize,
    ) -> (bool, bool, u16) {
        let (fixed, square) = self.without_runner(pieces, 0);
        let (word, lanes) = self.word_turned(reading, number, &fixed, 0, mover);
        let square = Square::from_bit(R::Geometry::TOP_BIT - square.bit());
        (word.won.contains(square), word.lost.contains(square), lanes.get(square))
    }

    /// The pieces without one that may run, of side `running`, and its square.
    #[inline(always)]
    fn without_runner(&self, pieces: &Pieces, running: usize) -> (Pieces, Square) {
        let mut fixed = *pieces;
        let set = match self.layout.pair.runner() {
            Runner::King => &mut fixed.kings[running],
            Runner::Man => &mut fixed.men[running],
        };
        let square = set.first();
        *set = set.minus(Bitboard::of(square));
        (fixed, square)
    }

    /// The same pair without its distances.
    #[must_use]
    pub fn without_distances(&self) -> Finished<R, ()> {
        let plain =
            |view: &View<R, L>| View { words: view.words.clone(), lanes: vec![(); view.words.len()], sets: view.sets };
        let views = [0, 1].map(|side| self.views[side].as_ref().map(plain));
        Finished { layout: self.layout.clone(), views, packed: None, sets: self.sets }
    }

    /// Whether some win or loss takes more than `plies` plies.
    #[must_use]
    pub fn has_longer(&self, plies: u16) -> bool {
        let main = self.views[1].iter();
        main.flat_map(|view| view.words.iter().zip(&view.lanes)).any(|(w, l)| {
            let Word { won, lost } = w.word();
            l.beyond(won | lost, plies).any()
        })
    }

    /// Whether the same positions are won and lost in both, which are of one pair.
    #[must_use]
    pub fn agrees_with<M: Lanes>(&self, other: &Finished<R, M>) -> bool {
        self.views[1].iter().zip(&other.views[1]).all(|(a, b)| a.words == b.words)
    }

    /// Bytes of its words, distances and places.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let each = size_of::<KeptWord<R::Geometry>>() + size_of::<L>();
        let plain = self.views.iter().flatten().map(|view| view.words.len() * each).sum::<usize>();
        plain + self.packed.as_ref().map_or(0, Packed::bytes)
    }
}

/// The finished slices of a build.
#[derive(Debug)]
pub struct Library<R: Rules, L> {
    slices: Vec<Option<Arc<Finished<R, L>>>>,
    /// By [`key`], the number of the slice plus one, negative where its sides are exchanged.
    by_material: Vec<i16>,
}

impl<R: Rules, L> Default for Library<R, L> {
    fn default() -> Self {
        Library { slices: Vec::new(), by_material: vec![0; 1 << 16] }
    }
}

#[inline(always)]
fn key(men: [usize; 2], kings: [usize; 2]) -> usize {
    (men[0] & 15) | (men[1] & 15) << 4 | (kings[0] & 15) << 8 | (kings[1] & 15) << 12
}

fn key_of(sides: [Side; 2]) -> usize {
    key(sides.map(|s| s.men as usize), sides.map(|s| s.kings as usize))
}

impl<R: Rules, L: Lanes> Library<R, L> {
    /// Adds a finished pair.
    pub fn add(&mut self, finished: Arc<Finished<R, L>>) {
        let [a, b] = finished.layout.pair.sides;
        self.slices.push(Some(finished));
        let number = self.slices.len() as i16;
        self.by_material[key_of([b, a])] = -number;
        self.by_material[key_of([a, b])] = number;
    }

    /// Forgets a pair that nobody will read any more.
    pub fn drop_pair(&mut self, pair: Pair) {
        let number = self.by_material[key_of(pair.sides)];
        if number > 0 {
            self.slices[number as usize - 1] = None;
        }
    }

    /// The pair, if it is there.
    #[must_use]
    pub fn get(&self, pair: Pair) -> Option<&Arc<Finished<R, L>>> {
        let number = self.by_material[key_of(pair.sides)];
        if number > 0 { self.slices[number as usize - 1].as_ref() } else { None }
    }

    /// The finished pair with these pieces, its number, and whether it is kept with its sides exchanged.
    #[inline(always)]
    fn find(&self, men: [usize; 2], kings: [usize; 2]) -> (&Finished<R, L>, usize, bool) {
        let signed = self.by_material[key(men, kings)];
        let number = (signed.unsigned_abs() as usize).wrapping_sub(1);
        let slice = self.slices.get(number).and_then(Option::as_ref);
        (slice.expect("what a slice leads to is solved before it and kept"), number, signed < 0)
    }

    /// The word in which a king of side `running` runs; `fixed` are the other pieces.
    #[inline]
    pub fn king_word(&self, reading: &mut Reading<R, L>, fixed: &Pieces, running: usize, mover: usize) -> Found<L> {
        let mut found = self.king_word_as_kept(reading, fixed, running, mover);
        if found.turned {
            let word = found.word;
            found.word = Word { won: R::Geometry::rotate(word.won), lost: R::Geometry::rotate(word.lost) };
        }
        found
    }

    /// As [`Library::king_word`], but the word too is that of the turned board where the pair is kept so.
    #[inline]
    pub fn king_word_as_kept(
        &self,
        reading: &mut Reading<R, L>,
        fixed: &Pieces,
        running: usize,
        mover: usize,
    ) -> Found<L> {
        let men = fixed.men.map(|s| s.len() as usize);
        let mut kings = fixed.kings.map(|s| s.len() as usize);
        kings[running] += 1;
        let (slice, number, exchanged) = self.find(men, kings);
        let turned = exchanged || (running == 0 && slice.layout.pair.is_own_twin());
        let (word, lanes) = if turned {
            slice.word_turned(reading, number, fixed, running, mover)
        } else {
            slice.word(reading, number, fixed, running, mover)
        };
        Found { word, lanes, turned }
    }

    /// The word in which a man of the second side runs, all other pieces being men; `None` where the pair is kept
    /// with a man of the first side running.
    #[inline]
    pub fn man_word(&self, reading: &mut Reading<R, L>, fixed: &Pieces, mover: usize) -> Option<Found<L>> {
        let mut men = fixed.men.map(|s| s.len() as usize);
        men[1] += 1;
        let (slice, number, exchanged) = self.find(men, [0, 0]);
        if exchanged {
            return None;
        }
        let (word, lanes) = slice.word(reading, number, fixed, 1, mover);
        Some(Found { word, lanes, turned: false })
    }

    /// The value of one position: whether the mover has won or lost, and its distance.
    #[inline]
    pub fn position(&self, reading: &mut Reading<R, L>, pieces: &Pieces, mover: usize) -> (bool, bool, u16) {
        let count = |sets: [Bitboard; 2]| sets.map(|s| s.len() as usize);
        let (slice, number, exchanged) = self.find(count(pieces.men), count(pieces.kings));
        if exchanged {
            slice.position_turned(reading, number, pieces, mover)
        } else {
            slice.position(reading, number, pieces, mover)
        }
    }
}
