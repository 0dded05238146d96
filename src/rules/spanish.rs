//! Spanish draughts, whose rules are those of the Portuguese game too.
//!
//! The board has a dark corner at each player's right. It is kept as its mirror image, which has one at the left as
//! the other boards have; only the names of squares and drawn boards show it as it is.

use crate::board::Dark8;
use crate::rules::{Colour, DrawRule, Place, Priority, Promotion, ResetsOn, Rules, Saying, Showpiece, SquareNames};

/// Spanish draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spanish;

impl Rules for Spanish {
    type Geometry = Dark8;
    const NAME: &'static str = "spanish";
    const FIRST_MOVER: Colour = Colour::White;
    const START_ROWS: std::ops::Range<u32> = 0..3;
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const PRIORITY: Priority = Priority::MostPiecesThenKings;
    const REMOVES_DURING_CAPTURE: bool = false;
    const FORBIDS_HALF_TURN: bool = false;
    const PROMOTION: Promotion = Promotion::EndsMove;
    const SQUARE_NAMES: SquareNames = SquareNames::NumbersMirrored;
    const CAPTURE_SIGN: char = 'x';
    const PDN_GAME_TYPE: u32 = 24;
    const DRAW_RULES: &'static [DrawRule] = &[
        DrawRule {
            name: "12-moves",
            says: "three kings that own the long diagonal, for the lone king is off it: drawn after 12 moves each",
            source: "playstrategy.org forum; ru.wikipedia, Petrov's triangle",
            scope: |a, b| a.kings == 3 && a.men == 0 && b.is_lone_king(),
            place: Place::OffMainRoad,
            plies: 24,
            resets_on: ResetsOn::Nothing,
        },
        DrawRule {
            name: "20-king-moves",
            says: "20 moves each of kings only, without a capture, draw the game",
            source: "section64port",
            scope: |_, _| true,
            place: Place::Anywhere,
            plies: 40,
            resets_on: ResetsOn::CaptureOrManMove,
        },
    ];
    const SAYINGS: &'static [Saying] = &[];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WK26,K14:BK4", shows: "two kings against one win only by a shot" },
        Showpiece { fen: "W:WK1:BK32", shows: "one king each, and White to play loses" },
    ];
}
