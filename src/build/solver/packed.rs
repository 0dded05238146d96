//! Finished slices in little memory: words compressed, some thousand at a time.
//!
//! Where plain words would not fit, neighbouring ones are compressed together, and unpacked again when one of them is
//! read. A block reads few placements of each slice, those that its captures and promotions leave, and so do the blocks
//! after it: see `reading.rs`. What is won comes before what is lost, as neighbours of a kind are more alike. A position
//! of like kings lies in a word for each of them, of which the one where the highest runs is kept.

use zstd::bulk::{Compressor, Decompressor};

use crate::board::{Bitboard, Geometry, KeptSet, PerSquare};
use crate::build::solver::library::{Kept, KeptWord};
use crate::build::solver::sets::Sets;
use crate::build::threads;
use crate::rules::Rules;

/// Words that are compressed together, at least.
const CHUNK_WORDS: usize = 1 << 11;
/// Bytes that a chunk takes besides its own: its address and length, and what the allocator needs.
const CHUNK_OVERHEAD: usize = 32;
/// Speed counts here: the words are read many times, and soon forgotten.
const LEVEL: i32 = 1;

/// Words of a pair, compressed.
#[derive(Debug)]
pub struct Packed {
    /// Words of a chunk: whole rows.
    words: usize,
    chunks: Vec<Box<[u8]>>,
    /// The sets of the running piece's fellows, a word of a row each, and those of all but one of them.
    fellows: Vec<Bitboard>,
    rests: Vec<Bitboard>,
}

impl Packed {
    /// The chunk with a word, and its number there.
    #[inline(always)]
    #[must_use]
    pub fn locate(&self, word: usize) -> (usize, usize) {
        (word / self.words, word % self.words)
    }

    /// Words of a whole chunk.
    #[must_use]
    pub fn words_of_chunk(&self) -> usize {
        self.words
    }

    /// Unpacks a chunk; `bytes` is used on the way.
    pub fn unpack<R: Rules>(
        &self,
        chunk: usize,
        decompressor: &mut Decompressor<'static>,
        bytes: &mut Vec<u8>,
        words: &mut Vec<KeptWord<R::Geometry>>,
    ) {
        bytes.clear();
        bytes.reserve(self.words * size_of::<KeptWord<R::Geometry>>());
        decompressor.decompress_to_buffer(&self.chunks[chunk], bytes).expect("what was compressed here fits");
        let (won, lost) = bytes.split_at(bytes.len() / 2);
        words.clear();
        let (won, lost) = (Kept::<R>::read_run(won), Kept::<R>::read_run(lost));
        words.extend(won.into_iter().zip(lost).map(|(won, lost)| KeptWord::of_sets([won, lost])));
        if !self.rests.is_empty() {
            words.chunks_exact_mut(self.fellows.len()).for_each(|row| self.complete::<R>(row));
        }
    }

    /// Copies what is known with the highest of like kings running to the words in which the others run.
    fn complete<R: Rules>(&self, row: &mut [KeptWord<R::Geometry>]) {
        for &rest in &self.rests {
            let empty = || <R::Geometry as Geometry>::Lanes::filled(Kept::<R>::default());
            let (mut won, mut lost, mut word_of) = (empty(), empty(), [0; 64]);
            let squares = R::Geometry::BOARD.minus(rest);
            for square in squares {
                let lane = R::Geometry::lane(square);
                word_of[square.index()] = Sets::<R>::rank_kings(rest.with(square));
                [won.as_mut()[lane], lost.as_mut()[lane]] = row[word_of[square.index()]].sets();
            }
            Kept::<R>::transpose_both(&mut won, &mut lost);
            for square in squares {
                let lane = R::Geometry::lane(square);
                let word = &mut row[word_of[square.index()]];
                word.add_won(won.as_ref()[lane]);
                word.add_lost(lost.as_ref()[lane]);
            }
        }
    }

    /// Bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len() + CHUNK_OVERHEAD).sum()
    }
}

/// Packs the words of a pair as they are made.
#[derive(Debug)]
pub struct Packer<R: Rules> {
    packed: Packed,
    /// Words that do not fill a chunk yet.
    waiting: Vec<KeptWord<R::Geometry>>,
}

impl<R: Rules> Packer<R> {
    /// For a pair in which a king runs that has so many fellows; the words of a row, in order of these, stay together.
    #[must_use]
    pub fn new(fellows: usize) -> Self {
        let rests = fellows.checked_sub(1).map(Sets::<R>::subsets_of_board).unwrap_or_default();
        let fellows = Sets::<R>::subsets_of_board(fellows);
        let words = CHUNK_WORDS.next_multiple_of(fellows.len());
        Packer { packed: Packed { words, chunks: Vec::new(), fellows, rests }, waiting: Vec::new() }
    }

    /// Packs the next words.
    pub fn push(&mut self, words: &[KeptWord<R::Geometry>]) {
        let len = self.packed.words;
        let missing = if self.waiting.is_empty() { 0 } else { (len - self.waiting.len()).min(words.len()) };
        let (first, rest) = words.split_at(missing);
        self.waiting.extend_from_slice(first);
        if self.waiting.len() == len {
            self.pack_waiting();
        }
        let whole = rest.chunks_exact(len);
        self.waiting.extend_from_slice(whole.remainder());
        let whole: Vec<&[KeptWord<R::Geometry>]> = whole.collect();
        let compressor = || Compressor::new(LEVEL).expect("zstd has this level");
        let fellows = &self.packed.fellows;
        let pack = |compressor: &mut _, words| pack::<R>(compressor, fellows, words);
        self.packed.chunks.extend(threads::map_with(whole, compressor, pack));
    }

    fn pack_waiting(&mut self) {
        let mut compressor = Compressor::new(LEVEL).expect("zstd has this level");
        self.packed.chunks.push(pack::<R>(&mut compressor, &self.packed.fellows, &self.waiting));
        self.waiting.clear();
    }

    /// All words have been pushed.
    #[must_use]
    pub fn finish(mut self) -> Packed {
        if !self.waiting.is_empty() {
            self.pack_waiting();
        }
        self.packed
    }
}

/// Compresses rows of words, one for each of `fellows`.
fn pack<R: Rules>(
    compressor: &mut Compressor<'static>,
    fellows: &[Bitboard],
    words: &[KeptWord<R::Geometry>],
) -> Box<[u8]> {
    let below = || fellows.iter().map(|fellows| KeptSet::keep(fellows.up_to())).cycle();
    let above = |of: fn([Kept<R>; 2]) -> Kept<R>| -> Vec<Kept<R>> {
        words.iter().zip(below()).map(|(word, below)| of(word.sets()).minus(below)).collect()
    };
    let mut bytes = Vec::with_capacity(size_of_val(words));
    Kept::<R>::write_run(&above(|[won, _]| won), &mut bytes);
    Kept::<R>::write_run(&above(|[_, lost]| lost), &mut bytes);
    compressor.compress(&bytes).expect("the buffer has zstd's own bound").into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::solver::library::Word;
    use crate::rules::{English, International};

    /// Words of so many rows, the same for like kings in every order.
    fn words<R: Rules>(fellows: usize, rows: u64) -> Vec<KeptWord<R::Geometry>> {
        let value = |row: u64, kings: Bitboard| {
            let mixed = (kings.bits() ^ row.wrapping_mul(0xff51_afd7_ed55_8ccd)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed >> 62
        };
        let sets = Sets::<R>::subsets_of_board(fellows);
        let word = |row, set: Bitboard| {
            let where_is =
                |is| R::Geometry::BOARD.minus(set).into_iter().filter(move |&s| value(row, set.with(s)) == is);
            KeptWord::keep(Word { won: where_is(1).collect(), lost: where_is(2).collect() })
        };
        (0..rows).flat_map(|row| sets.iter().map(move |&set| word(row, set)).collect::<Vec<_>>()).collect()
    }

    fn what_is_packed_comes_back<R: Rules>(fellows: usize, pushes: &[usize]) {
        let words = words::<R>(fellows, pushes.iter().sum::<usize>() as u64);
        let (mut packer, mut rest) = (Packer::<R>::new(fellows), &words[..]);
        for &push in pushes {
            let (now, later) = rest.split_at(push * packer.packed.fellows.len());
            packer.push(now);
            rest = later;
        }
        let packed = packer.finish();
        let mut decompressor = Decompressor::new().expect("zstd needs memory only");
        let (mut bytes, mut unpacked) = (Vec::new(), Vec::new());
        for (i, word) in words.iter().enumerate() {
            let (chunk, place) = packed.locate(i);
            if place == 0 {
                packed.unpack::<R>(chunk, &mut decompressor, &mut bytes, &mut unpacked);
            }
            assert_eq!(unpacked[place], *word);
        }
    }

    #[test]
    fn what_is_packed_comes_back_however_it_was_pushed() {
        what_is_packed_comes_back::<English>(0, &[2048, 0, 1, 2047, 3000, 7000, 1]);
        what_is_packed_comes_back::<English>(1, &[64, 0, 1, 63, 65, 128, 7]);
        what_is_packed_comes_back::<English>(2, &[4, 1, 5, 1]);
        what_is_packed_comes_back::<International>(1, &[100, 1, 41]);
        what_is_packed_comes_back::<International>(2, &[1, 2]);
    }
}
