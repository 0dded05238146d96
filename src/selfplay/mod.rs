//! Games of the program against itself, with labels, as data to learn from.
//!
//! Game g of a run is a function of rules, settings, seed and g, and of nothing else: its dice are a stream of their
//! own, and what the search remembers is cleared before it. So games can be played in any order, by any number of
//! threads and machines, and the files are the same to the byte. A run is cut into shards; a shard is written once,
//! whole, and is what a run that goes on finds finished.

mod again;
mod dice;
mod openings;
mod player;
mod run;

pub use again::{AgainError, play_again};
pub use dice::Dice;
pub use openings::{Opening, OpeningError, Openings};
pub use player::{Conditions, GamePlayer};
pub use run::{RunError, Share, run};
