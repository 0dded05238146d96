//! The rules of every variant, as facts.
//!
//! One file a variant holds constants, each with its source; no file here holds an algorithm. Adding a variant is one
//! file, one line in `variant.rs`, and its perft data. Related variants are compiled with the feature `related`.

#[cfg(feature = "related")]
mod brazilian;
#[cfg(feature = "related")]
mod czech;
mod deciding;
mod draw_rule;
mod english;
mod facts;
mod international;
#[cfg(feature = "related")]
mod pool;
mod russian;
#[cfg(feature = "related")]
mod spanish;
#[cfg(feature = "related")]
mod thai;
mod theory;
mod turkish;
#[macro_use]
mod variant;

#[cfg(feature = "related")]
pub use brazilian::Brazilian;
#[cfg(feature = "related")]
pub use czech::Czech;
pub use deciding::{Undecided, deciding_rule};
pub(crate) use deciding::{conversions, unhidden};
pub use draw_rule::{DrawRule, MoveKind, ResetsOn, Side};
pub use english::English;
pub use facts::{Colour, Priority, Promotion, Rules, SquareNames};
pub use international::International;
#[cfg(feature = "related")]
pub use pool::Pool;
pub use russian::Russian;
#[cfg(feature = "related")]
pub use spanish::Spanish;
#[cfg(feature = "related")]
pub use thai::Thai;
pub use theory::{Expectation, Place, Saying, Showpiece};
pub use turkish::{OnePieceEach, Turkish};
pub use variant::{UnknownVariant, Variant};
