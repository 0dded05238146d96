//! Which positions are written, and into which part.
//!
//! Chance is a hash of what is chosen and a seed: the same for every format, machine and order.

use std::ops::RangeInclusive;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::dataset::export::row::Row;

/// What a position must be to be written; the default lets all pass.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// No capture is due.
    pub quiet: bool,
    /// The position does not stand before in the dataset, whether or not it was written there.
    pub no_duplicates: bool,
    /// The move does not belong to the opening.
    pub no_opening: bool,
    /// The tables know its value.
    pub exact: bool,
    /// Its number of pieces.
    pub pieces: Option<RangeInclusive<u32>>,
    /// The share of positions to take by chance.
    pub sample: Option<Fraction>,
}

/// A part of a whole, above 0 and at most 1.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Fraction(f64);

impl Fraction {
    /// The whole.
    pub const ALL: Fraction = Fraction(1.0);

    /// The fraction, if it is one.
    #[must_use]
    pub fn new(share: f64) -> Option<Fraction> {
        (share > 0.0 && share <= 1.0).then_some(Fraction(share))
    }

    /// As a number, above 0 and at most 1.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Whether number `number` is taken, by chance.
    #[must_use]
    pub fn takes_number(self, number: u64) -> bool {
        self.takes(hash(&[number], 0))
    }

    fn takes(self, hash: u64) -> bool {
        self.0 >= 1.0 || (hash as f64) < self.0 * 2f64.powi(64)
    }
}

impl Filter {
    /// Whether `row` is to be written; `seed` makes the chance.
    #[must_use]
    pub fn takes(&self, row: &Row, seed: u64) -> bool {
        !(self.quiet && row.is_capture_due()
            || self.no_duplicates && row.is_duplicate()
            || self.no_opening && row.is_opening()
            || self.exact && row.exact.is_none()
            || self.pieces.as_ref().is_some_and(|pieces| !pieces.contains(&row.pieces()))
            || self.sample.is_some_and(|share| !share.takes(hash(&[row.game, row.ply.into()], seed))))
    }

    /// Whether anything can be refused.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Filter::default()
    }
}

/// Cuts a dataset by whole games: every game belongs to one part, by chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// Weights of the parts, in the order of [`Split::NAMES`]; 2 or 3, not all 0.
    weights: Vec<u32>,
}

impl Split {
    /// The names of the parts.
    pub const NAMES: [&'static str; 3] = ["train", "validation", "test"];

    /// A split by these weights, such as 90, 5, 5; `None` if they are not two or three, or one is 0.
    #[must_use]
    pub fn new(weights: &[u32]) -> Option<Split> {
        let is_split = (2..=3).contains(&weights.len()) && !weights.contains(&0);
        is_split.then(|| Split { weights: weights.to_vec() })
    }

    /// The weights.
    #[must_use]
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The part of game `game`, as a place in [`Split::NAMES`].
    #[must_use]
    pub fn part(&self, game: u64, seed: u64) -> usize {
        let total: u64 = self.weights.iter().copied().map(u64::from).sum();
        let mut place = (u128::from(hash(&[game], seed)) * u128::from(total)) >> 64;
        for (part, &weight) in self.weights.iter().enumerate() {
            if place < weight.into() {
                return part;
            }
            place -= u128::from(weight);
        }
        unreachable!("the place is below the sum of the weights")
    }
}

/// XXH3-64 of `numbers`, each as eight bytes, little-endian.
fn hash(numbers: &[u64], seed: u64) -> u64 {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    xxh3_64_with_seed(&bytes, seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_about_their_weights_and_depend_on_the_seed() {
        let split = Split::new(&[80, 15, 5]).expect("three weights");
        let mut counts = [0u32; 3];
        for game in 0..10_000 {
            counts[split.part(game, 1)] += 1;
        }
        assert!(counts[0].abs_diff(8000) < 200 && counts[1].abs_diff(1500) < 200 && counts[2].abs_diff(500) < 100);
        assert!((0..100).any(|game| split.part(game, 1) != split.part(game, 2)));
        assert_eq!([Split::new(&[1]), Split::new(&[1, 0]), Split::new(&[1; 4])], [None, None, None]);
    }

    #[test]
    fn a_share_is_above_nothing_and_at_most_all() {
        assert!([0.0, -0.5, 1.5, f64::NAN].iter().all(|&share| Fraction::new(share).is_none()));
        let taken =
            |share: f64| (0..10_000).filter(|&n| Fraction::new(share).expect("a share").takes(hash(&[n], 7))).count();
        assert_eq!(taken(1.0), 10_000);
        assert!(taken(0.1).abs_diff(1000) < 100);
    }
}
