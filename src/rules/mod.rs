//! The rules of every variant, as facts.
//!
//! One file a variant holds constants, each with its source; no file here holds an algorithm. Adding a variant is one
//! file, one line in `variant.rs`, and its perft data.

mod deciding;
mod draw_rule;
mod english;
mod facts;
mod international;
mod russian;
mod theory;
mod turkish;
#[macro_use]
mod variant;

pub use deciding::{Undecided, deciding_rule};
pub use draw_rule::{DrawRule, MoveKind, ResetsOn, Side};
pub use english::English;
pub use facts::{Colour, Priority, Promotion, Rules, SquareNames};
pub use international::International;
pub use russian::Russian;
pub use theory::{Expectation, Place, Saying, Showpiece};
pub use turkish::{OnePieceEach, Turkish};
pub use variant::{UnknownVariant, Variant};
