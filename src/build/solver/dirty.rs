//! Words with news, as one bitmap and one mask a word.
//!
//! The bitmap says which words have news, and is read in address order; the mask says for which squares. Scanning costs
//! nothing (64 words a load), and address order is what makes the passes fast.

use crate::board::Bitboard;

/// Words with news.
#[derive(Debug, Default)]
pub struct Dirty {
    marks: Vec<u64>,
    masks: Vec<Bitboard>,
}

impl Dirty {
    /// Makes room for `words` words; there is no news.
    pub fn resize(&mut self, words: usize) {
        if self.masks.len() < words {
            self.masks.resize(words, Bitboard::EMPTY);
            self.marks.resize(words.div_ceil(64), 0);
        }
    }

    /// Adds news for the squares of `mask` in `word`.
    #[inline(always)]
    pub fn add(&mut self, word: usize, mask: Bitboard) {
        self.marks[word >> 6] |= 1 << (word & 63);
        self.masks[word] |= mask;
    }

    /// The number of 64-word groups.
    #[inline]
    #[must_use]
    pub fn groups(&self, words: usize) -> usize {
        words.div_ceil(64)
    }

    /// Takes the marks of a group.
    #[inline(always)]
    pub fn take_group(&mut self, group: usize) -> u64 {
        std::mem::take(&mut self.marks[group])
    }

    /// Takes the news of a word.
    #[inline(always)]
    pub fn take(&mut self, word: usize) -> Bitboard {
        std::mem::take(&mut self.masks[word])
    }

    /// Whether there is no news in the first `words` words.
    #[must_use]
    pub fn is_clear(&self, words: usize) -> bool {
        self.marks[..words.div_ceil(64)].iter().all(|&m| m == 0)
    }
}

/// Runs a body for every word with news, in order, taking the news; the body may use everything else mutably.
macro_rules! for_each_dirty {
    ($dirty:expr, $words:expr, |$word:ident, $mask:ident| $body:block) => {
        for group in 0..$dirty.groups($words) {
            let mut marks = $dirty.take_group(group);
            while marks != 0 {
                let $word = group * 64 + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                let $mask = $dirty.take($word);
                $body
            }
        }
    };
}
pub(super) use for_each_dirty;
