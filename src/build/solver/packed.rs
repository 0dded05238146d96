//! Finished slices in little memory: words compressed, some thousand at a time.
//!
//! Where plain words would not fit, neighbouring ones are compressed together, and unpacked again when one of them is
//! read. A block reads few placements of each slice, those that its captures and promotions leave, and so do the blocks
//! after it: see `reading.rs`. What is won comes before what is lost, as neighbours of a kind are more alike.

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};

use crate::board::{Geometry, KeptSet};
use crate::build::solver::library::KeptWord;
use crate::rules::Rules;

/// Words that are compressed together, at least.
const CHUNK_WORDS: usize = 1 << 11;
/// Speed counts here: the words are read many times, and soon forgotten.
const LEVEL: i32 = 1;

/// Words of a pair, compressed.
#[derive(Debug)]
pub struct Packed {
    /// Words of a chunk: whole rows.
    words: usize,
    chunks: Vec<Box<[u8]>>,
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
        let size = size_of::<<R::Geometry as Geometry>::Kept>();
        let (won, lost) = bytes.split_at(bytes.len() / 2);
        let set = |bytes: &[u8]| <R::Geometry as Geometry>::Kept::from_le_bytes(bytes);
        words.clear();
        words.extend(
            won.chunks_exact(size)
                .zip(lost.chunks_exact(size))
                .map(|(won, lost)| KeptWord::of_sets([set(won), set(lost)])),
        );
    }

    /// Bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len() + 32).sum()
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
    /// For a pair that has so many words in a row, which stay together.
    #[must_use]
    pub fn new(row: usize) -> Self {
        let packed = Packed { words: CHUNK_WORDS.next_multiple_of(row), chunks: Vec::new() };
        Packer { packed, waiting: Vec::new() }
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
        let packed: Vec<Box<[u8]>> =
            whole.par_iter().map_init(compressor, |compressor, words| pack::<R>(compressor, words)).collect();
        self.packed.chunks.extend(packed);
    }

    fn pack_waiting(&mut self) {
        let mut compressor = Compressor::new(LEVEL).expect("zstd has this level");
        self.packed.chunks.push(pack::<R>(&mut compressor, &self.waiting));
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

fn pack<R: Rules>(compressor: &mut Compressor<'static>, words: &[KeptWord<R::Geometry>]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(size_of_val(words));
    for kind in 0..2 {
        for word in words {
            word.sets()[kind].extend_le_bytes(&mut bytes);
        }
    }
    compressor.compress(&bytes).expect("the buffer has zstd's own bound").into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::build::solver::library::Word;
    use crate::rules::{English, International};

    fn what_is_packed_comes_back<R: Rules>(row: usize, pushes: &[usize]) {
        let board = R::Geometry::BOARD.bits();
        let random = |i: u64| Bitboard::from_bits(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & board);
        let words: Vec<_> = (0..pushes.iter().sum::<usize>() as u64)
            .map(|i| KeptWord::<R::Geometry>::keep(Word { won: random(i), lost: random(i + 1).minus(random(i)) }))
            .collect();
        let (mut packer, mut rest) = (Packer::<R>::new(row), &words[..]);
        for &push in pushes {
            let (now, later) = rest.split_at(push);
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
        what_is_packed_comes_back::<English>(64, &[64, 0, 1920, 128, 2048, 9984, 64]);
        what_is_packed_comes_back::<International>(700, &[700, 700, 3500, 700]);
        what_is_packed_comes_back::<International>(1, &[6000, 1, 2047]);
    }
}
