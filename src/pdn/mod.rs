//! Game files as text: PDN as it is met in the world, read and written.
//!
//! A file is a row of games; a game is tags, moves and a result:
//!
//! ```text
//! [White "Name"]
//! [Result "2-0"]
//!
//! 1. 32-28 {a remark} 19-23 2. 28x19 14x23 2-0
//! ```
//!
//! [`PdnReader`] gives the games of a file one after the other, each replayed by the rules, or the reason why it is
//! refused, with line and token. A refused game does not take the others with it. Start and end squares decide what was
//! played; the sign between them, move numbers and letter case do not. Text that fits two moves, or none, is refused:
//! no move is ever played that is not the one written. Variations, move strengths and line comments are passed over.
//!
//! Displaying a [`PdnGame`] writes it; what is written is read back equal.
//!
//! Squares are named as in [`Fen`](crate::position::Fen): numbers from the top left, so that 1 is b8 on the Russian
//! board, whatever the GameType tag says about numbering. Some programs count there from a1; such numbers are other
//! squares and mostly make no legal move.
//!
//! # Examples
//! ```
//! use endame::pdn::{PdnOutcome, PdnReader};
//! use endame::rules::{Colour, English};
//!
//! let file = b"[White \"A\"]\n1. 11-15 23-18 1-0\n[White \"B\"]\n1. 11-20 *";
//! let mut games = PdnReader::<English>::new(file);
//! let game = games.next().expect("there are two")?;
//! assert_eq!(game.moves.len(), 2);
//! assert_eq!(game.result.outcome(), PdnOutcome::Win(Colour::Black), "who begins has the first number");
//! let fault = games.next().expect("there are two").unwrap_err();
//! assert_eq!(fault.to_string(), "line 4: \"11-20\" is not a legal move here");
//! # Ok::<(), endame::pdn::PdnError>(())
//! ```

mod draft;
mod error;
mod game;
mod game_type;
mod marks;
mod reader;
mod result;
mod scan;
mod writer;

pub use error::{PdnError, PdnErrorKind};
pub use game::PdnGame;
pub use reader::PdnReader;
pub use result::{PdnOutcome, PdnResult};
