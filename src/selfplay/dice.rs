//! Chance, the same on every machine: ChaCha8 with the number of the game as its stream.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The dice of one game.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice of game `game` of the run with seed `seed`.
    ///
    /// The key is the seed as eight bytes, little-endian, and then the words `endame selfplay games v1`.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Dice {
        let mut key = *b"........endame selfplay games v1";
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut chacha = ChaCha8Rng::from_seed(key);
        chacha.set_stream(game);
        Dice(chacha)
    }

    /// A number below `end`, each with the same chance but for `end` parts in 2^64.
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        assert!(end > 0, "there is no number below 0");
        ((u128::from(self.0.next_u64()) * u128::from(end)) >> 64) as u64
    }

    /// One of `items`, each with the same chance.
    ///
    /// # Panics
    /// If there are none.
    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_seeds_have_dice_of_their_own() {
        let first = |seed, game| Dice::new(seed, game).below(u64::MAX);
        let mut all: Vec<u64> = (0..40).flat_map(|seed| (0..40).map(move |game| first(seed, game))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 1600);
        assert_eq!(first(7, 3), first(7, 3));
    }

    #[test]
    fn every_number_below_the_end_comes_about_as_often() {
        let mut dice = Dice::new(1, 0);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[dice.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
