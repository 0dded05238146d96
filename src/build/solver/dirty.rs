//! Words with news, as one bitmap and one mask a word.
//!
//! The bitmap says which words have news, and is read in address order; the mask says for which squares. Scanning costs
//! nothing (64 words a load), and address order is what makes the passes fast.

use std::ops::Range;

use crate::board::Geometry;
use crate::build::threads;

/// Words with news.
#[derive(Debug)]
pub struct Dirty<G: Geometry> {
    marks: Vec<u64>,
    masks: Vec<G::Kept>,
}

impl<G: Geometry> Default for Dirty<G> {
    fn default() -> Self {
        Dirty { marks: Vec::new(), masks: Vec::new() }
    }
}

impl<G: Geometry> Dirty<G> {
    /// Makes room for `words` words; there is no news.
    pub fn resize(&mut self, words: usize) {
        if self.masks.len() < words {
            self.masks.resize(words, G::Kept::default());
            self.marks.resize(words.div_ceil(64), 0);
        }
    }

    /// Adds news for the squares of `mask` in `word`.
    #[inline(always)]
    pub fn add(&mut self, word: usize, mask: G::Kept) {
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
    pub fn take(&mut self, word: usize) -> G::Kept {
        std::mem::take(&mut self.masks[word])
    }

    /// Whether there is no news in the first `words` words.
    #[must_use]
    pub fn is_clear(&self, words: usize) -> bool {
        self.marks[..words.div_ceil(64)].iter().all(|&m| m == 0)
    }

    /// Whether more than half of the first `words` words have news.
    #[must_use]
    pub fn is_dense(&self, words: usize) -> bool {
        2 * self.marks[..words.div_ceil(64)].iter().map(|m| m.count_ones() as usize).sum::<usize>() > words
    }

    /// The news of a word.
    #[inline(always)]
    #[must_use]
    pub fn mask(&self, word: usize) -> G::Kept {
        self.masks[word]
    }

    /// Forgets the news of the first `words` words.
    pub fn clear(&mut self, words: usize) {
        self.marks[..words.div_ceil(64)].fill(0);
        self.masks[..words].fill(G::Kept::default());
    }

    /// Takes the news of `words`, which begin a group, part by part on several threads: what `look` makes of each word
    /// and its news, where it is anything, in order.
    pub fn take_shared<T: Send>(
        &mut self,
        words: Range<usize>,
        look: impl Fn(usize, G::Kept) -> Option<T> + Sync,
    ) -> Vec<Vec<T>> {
        /// Groups that a thread takes at a time.
        const GROUPS: usize = 64;
        let marks = self.marks[words.start / 64..words.end.div_ceil(64)].chunks_mut(GROUPS);
        let masks = self.masks[words.clone()].chunks_mut(64 * GROUPS);
        let parts = marks.zip(masks).enumerate();
        let take = |(part, (marks, masks)): (usize, (&mut [u64], &mut [G::Kept]))| {
            let mut found = Vec::new();
            for (group, marks) in marks.iter_mut().enumerate() {
                let mut left = std::mem::take(marks);
                while left != 0 {
                    let word = group * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let mask = std::mem::take(&mut masks[word]);
                    found.extend(look(words.start + part * 64 * GROUPS + word, mask));
                }
            }
            found
        };
        threads::map(parts, take)
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
