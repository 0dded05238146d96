//! Random numbers and positions from a seed.

use endame::engine::Game;
use endame::position::{Fen, Move};
use endame::rules::Rules;

/// A stream of random numbers (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    /// One of `moves`.
    pub fn one_of(&mut self, moves: &[Move]) -> Move {
        moves[self.below(moves.len())]
    }

    /// A game of `plies` random moves from the start; shorter if it ends before.
    pub fn game<R: Rules>(&mut self, plies: usize) -> Game<R> {
        let mut game = Game::new(Fen::start());
        while game.moves().len() < plies && game.end().is_none() {
            game.play(&self.one_of(&game.position().moves()));
        }
        game
    }
}

/// The game that begins at `fen`.
pub fn game<R: Rules>(fen: &str) -> Game<R> {
    Game::new(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}
