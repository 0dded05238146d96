//! What a thread has made of finished slices to read them: unpacked words, and words of views that are not kept.
//!
//! Plain words in which a piece of the second side runs need nothing of this. Where they are packed, they are unpacked
//! here; where a king of the first side runs and that view is not kept, the words with the same fellows of that king are
//! turned here. Each slice has room for so many lots of words; a new one takes the place of another with the same low
//! bits of its key.

use zstd::bulk::Decompressor;

use crate::board::Geometry;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::library::{Finished, KeptWord, Word};
use crate::build::solver::sets::{Sets, binomial};
use crate::build::solver::transpose::{Rows, Turner};
use crate::rules::Rules;

/// How much a thread holds of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// For slices read here and there, of which there are many: what is read again soon.
    Little,
    /// For one slice that is read from end to end: the words of a placement with one side to move.
    WholePlacements,
}

impl Room {
    /// Bytes of the words of one slice that are held at most, unpacked and turned ones each, where those of a placement,
    /// with either side to move, take `place`; but four lots at least.
    #[must_use]
    pub fn bytes(self, place: u64) -> u64 {
        match self {
            Room::Little => place.saturating_mul(2).clamp(1 << 20, 1 << 22),
            Room::WholePlacements => place.max(1 << 20),
        }
    }
}

/// What one thread holds.
pub struct Reading<R: Rules, L> {
    /// By number of the slice in its library.
    slices: Vec<OfSlice<R, L>>,
    unpacker: Unpacker,
    room: Room,
    /// By square, the rows of a lot to be turned.
    rows: Vec<Lot<R, L>>,
}

impl<R: Rules, L> Default for Reading<R, L> {
    fn default() -> Self {
        Reading::new(Room::Little)
    }
}

impl<R: Rules, L> Reading<R, L> {
    /// Nothing is held yet.
    #[must_use]
    pub fn new(room: Room) -> Self {
        Reading { slices: Vec::new(), unpacker: Unpacker::default(), room, rows: Vec::new() }
    }
}

impl<R: Rules, L> std::fmt::Debug for Reading<R, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").field("slices", &self.slices.len()).finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Unpacker {
    decompressor: Option<Decompressor<'static>>,
    bytes: Vec<u8>,
}

/// What is held of one slice.
struct OfSlice<R: Rules, L> {
    unpacked: Held<R, L>,
    turned: Held<R, L>,
    turner: Option<Turner>,
}

impl<R: Rules, L> Default for OfSlice<R, L> {
    fn default() -> Self {
        OfSlice { unpacked: Held { lots: Vec::new() }, turned: Held { lots: Vec::new() }, turner: None }
    }
}

/// Some lots of words.
struct Held<R: Rules, L> {
    lots: Vec<Lot<R, L>>,
}

/// Words that were made together, and their distances.
struct Lot<R: Rules, L> {
    key: Option<usize>,
    words: Vec<KeptWord<R::Geometry>>,
    lanes: Vec<L>,
}

impl<R: Rules, L> Default for Lot<R, L> {
    fn default() -> Self {
        Lot { key: None, words: Vec::new(), lanes: Vec::new() }
    }
}

impl<R: Rules, L> Held<R, L> {
    /// The place of the lot with this key; each has so many words, and a placement with both sides to move so many lots.
    #[inline(always)]
    fn lot(&mut self, key: usize, words: usize, lots: usize, room: Room) -> &mut Lot<R, L> {
        if self.lots.is_empty() {
            let each = words * (size_of::<KeptWord<R::Geometry>>() + size_of::<L>());
            let bytes = room.bytes((lots * each) as u64) as usize;
            let count = (bytes / each.max(1)).clamp(4, 1 << 20);
            // The power of 2 below, so that it is no more.
            let count = 1 << count.ilog2();
            self.lots.resize_with(count, Lot::default);
        }
        let mask = self.lots.len() - 1;
        &mut self.lots[key & mask]
    }
}

impl<R: Rules, L: Lanes> OfSlice<R, L> {
    /// The words of a row in which a piece of the second side runs: all that differ in the fellows of that piece only.
    #[inline]
    fn row<'s>(
        &'s mut self,
        unpacker: &mut Unpacker,
        room: Room,
        slice: &'s Finished<R, L>,
        first: usize,
    ) -> (&'s [KeptWord<R::Geometry>], &'s [L]) {
        let row = slice.layout.king_sets[1];
        let Some(packed) = slice.packed() else { return slice.kept(first..first + row) };
        let (chunk, place) = packed.locate(first);
        let words = packed.words_of_chunk();
        let lot = self.unpacked.lot(chunk, words, (2 * slice.layout.words_per_side()).div_ceil(words), room);
        if lot.key != Some(chunk) {
            lot.key = Some(chunk);
            let Unpacker { decompressor, bytes } = unpacker;
            let decompressor =
                decompressor.get_or_insert_with(|| Decompressor::new().expect("zstd takes some kilobytes of memory"));
            packed.unpack::<R>(chunk, decompressor, bytes, &mut lot.words);
            lot.lanes.resize(lot.words.len(), L::empty());
        }
        (&lot.words[place..place + row], &lot.lanes[place..place + row])
    }
}

impl<R: Rules, L: Lanes> Reading<R, L> {
    /// A word in which a piece of the second side runs, where they are packed: that of a placement and side to move, an
    /// index that counts both, with these ranks of the sets of kings. `number` tells the slice from others that are read.
    pub fn unpacked(
        &mut self,
        number: usize,
        slice: &Finished<R, L>,
        at: usize,
        [other, fellows]: [usize; 2],
    ) -> (Word, L) {
        let [_, all_fellows] = slice.layout.king_sets;
        let first = at * slice.layout.words_per_side() + other * all_fellows;
        let (words, lanes) = of(&mut self.slices, number).row(&mut self.unpacker, self.room, slice, first);
        (words[fellows].word(), lanes[fellows])
    }

    /// A word in which a king of the first side runs, where that view is not kept; see [`Reading::unpacked`].
    pub fn turned(
        &mut self,
        number: usize,
        slice: &Finished<R, L>,
        at: usize,
        [other, fellows]: [usize; 2],
    ) -> (Word, L) {
        let Reading { slices, unpacker, room, rows } = self;
        let of_slice = of(slices, number);
        let turner = of_slice.turner.take().unwrap_or_else(|| Turner::new::<R>(slice.layout.pair));
        let key = at * turner.fellows().len() + fellows;
        let words = binomial(R::Geometry::SQUARES, slice.layout.pair.sides[1].kings as usize);
        let lots = 2 * turner.fellows().len();
        if of_slice.turned.lot(key, words, lots, *room).key != Some(key) {
            let men = slice.layout.placements[at / 2];
            let (men, fellows) = (men[0] | men[1], turner.fellows()[fellows]);
            let free = R::Geometry::BOARD.minus(men | fellows);
            rows.resize_with(64, Lot::default);
            for square in free {
                let kings = Sets::<R>::rank_kings(fellows.with(square));
                let first = at * slice.layout.words_per_side() + kings * slice.layout.king_sets[1];
                let (words, lanes) = of_slice.row(unpacker, *room, slice, first);
                let row = &mut rows[square.index()];
                row.words.clear();
                row.words.extend_from_slice(words);
                row.lanes.clear();
                row.lanes.extend_from_slice(lanes);
            }
            let rows: Rows<'_, R, L> = std::array::from_fn(|i| (&rows[i].words[..], &rows[i].lanes[..]));
            let lot = of_slice.turned.lot(key, words, lots, *room);
            lot.key = Some(key);
            lot.words.clear();
            lot.words.resize(words, KeptWord::default());
            lot.lanes.resize(words, L::empty());
            turner.one_set::<R, L>(men, fellows, &rows, |kings, word, lanes| {
                (lot.words[kings], lot.lanes[kings]) = (word, lanes);
            });
        }
        let lot = of_slice.turned.lot(key, words, lots, *room);
        let found = (lot.words[other].word(), lot.lanes[other]);
        of_slice.turner = Some(turner);
        found
    }

    /// The words of a placement and side to move in which a piece of the second side runs, one after the other.
    pub fn words_of<'s>(&'s mut self, slice: &'s Finished<R, L>, at: usize, mut visit: impl FnMut(Word, &L)) {
        let (per_side, row) = (slice.layout.words_per_side(), slice.layout.king_sets[1]);
        for first in (at * per_side..(at + 1) * per_side).step_by(row) {
            let (words, lanes) = of(&mut self.slices, 0).row(&mut self.unpacker, self.room, slice, first);
            words.iter().zip(lanes).for_each(|(word, lanes)| visit(word.word(), lanes));
        }
    }
}

/// What is held of a slice.
#[inline(always)]
fn of<R: Rules, L>(slices: &mut Vec<OfSlice<R, L>>, number: usize) -> &mut OfSlice<R, L> {
    if slices.len() <= number {
        slices.resize_with(number + 1, OfSlice::default);
    }
    &mut slices[number]
}
