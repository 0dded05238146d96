//! Solves draughts endgames completely, proves what the draw rules claim about them, and answers any position.
//!
//! Four variants: [`International`](rules::International), [`English`](rules::English), [`Russian`](rules::Russian) and
//! [`Turkish`](rules::Turkish); the feature `related` adds Brazilian, pool, Czech, Spanish and Thai draughts. What a
//! program usually wants is a [`Tablebase`](tablebase::Tablebase): a folder of tables that answers any position it
//! reaches.
//!
//! ```
//! use endame::build::{BuildOptions, Silent, build};
//! use endame::position::Fen;
//! use endame::rules::International;
//! use endame::tablebase::Tablebase;
//! use endame::value::{Dtw, Metric, Wdl};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! build::<International>(folder, &["KKvK".parse()?], Metric::Dtw, &BuildOptions::default(), &Silent)?;
//! let tables = Tablebase::<International>::open(folder)?;
//! let fen: Fen<International> = "W:WK12,K44:BK1".parse()?;
//! let value = tables.probe(&fen.position)?;
//! assert_eq!((value.wdl, value.dtw), (Wdl::Win, Some(Dtw(7))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The house
//!
//! Every part has a floor and uses only what lies below it; a test reads the imports and says so.
//!
//! | floor | part | what it is | what it must not know |
//! |---|---|---|---|
//! | 1 | [`board`] | squares, sets of squares, steps | rules, pieces |
//! | 2 | [`rules`] | every variant as constants: no code | positions |
//! | 3 | [`position`] | positions, moves, FEN, notation, perft | tables |
//! | 4 | [`index`] | positions of a material as numbers | values |
//! | 4 | [`value`] | win, draw, loss; distances; metrics | positions |
//! | 4 | [`pdn`] | game files: read and written as text | files, datasets |
//! | 5 | [`table`] | the file format: bytes only | rules |
//! | 6 | [`tablebase`] | a folder of tables: any position answered | how tables are made |
//! | 7 | [`build`] | plan, solve, store, verify; threads live here | the terminal |
//! | 7 | [`proof`] | what draw rules and books claim, held against tables | the terminal |
//! | 7 | [`engine`] | games and their ends, evaluation, the search for the best move | the clock |
//! | 8 | [`dataset`] | whole games with labels: archive, checks, exports | how games are made |
//! | 8 | [`selfplay`] | seeded games in parallel, openings | the terminal |
//! | 9 | the program | arguments, output, exit codes | any algorithm |
//!
//! Nothing below floor 5 touches a file, nothing below floor 7 starts a thread, nothing below floor 9 prints or reads a
//! clock. A variant is chosen once, at the edge, by [`with_rules!`]; everything below is generic over
//! [`Rules`](rules::Rules).
//!
//! # Words
//!
//! A *material* such as `KMMvKM` names the pieces of the side to move, then the others, kings first; all its positions
//! are a *slice*, and a slice and its *twin* (the sides swapped) are solved together. A *ply* is one player's turn, a
//! *conversion* a move that cannot be undone: a capture, or a man's move forward. Positions are kept from the mover's
//! side: our men move up, and playing a move turns the board.

// Its macro `with_rules!` is used below.
#[macro_use]
pub mod rules;

pub mod board;
pub mod build;
pub mod chart;
pub mod dataset;
pub mod engine;
pub mod index;
pub mod pdn;
pub mod position;
pub mod proof;
pub mod selfplay;
pub mod table;
pub mod tablebase;
pub mod value;
