//! American pool checkers: the Russian rules without promotion in passing (APCA).

use crate::board::Dark8;
use crate::rules::{Colour, DrawRule, Place, Priority, Promotion, ResetsOn, Rules, Saying, Showpiece, SquareNames};

/// American pool checkers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pool;

impl Rules for Pool {
    type Geometry = Dark8;
    const NAME: &'static str = "pool";
    const FIRST_MOVER: Colour = Colour::Black;
    const START_ROWS: std::ops::Range<u32> = 0..3;
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARD: bool = true;
    const PRIORITY: Priority = Priority::Free;
    const REMOVES_DURING_CAPTURE: bool = false;
    const FORBIDS_HALF_TURN: bool = false;
    const PROMOTION: Promotion = Promotion::AtEnd;
    const SQUARE_NAMES: SquareNames = SquareNames::Numbers;
    const CAPTURE_SIGN: char = 'x';
    const PDN_GAME_TYPE: u32 = 23;
    const DRAW_RULES: &'static [DrawRule] = &[
        DrawRule {
            name: "13-moves",
            says: "three kings against one king: drawn after 13 moves of the three, even if the 14th would take it",
            source: "APCA; Black & Waters, rule 31",
            scope: |a, b| a.kings == 3 && a.men == 0 && b.is_lone_king(),
            place: Place::Anywhere,
            plies: 26,
            resets_on: ResetsOn::Nothing,
        },
        DrawRule {
            name: "15-king-moves",
            says: "30 plies of kings only, without a capture, draw the game",
            source: "APCA 26, as dctl counts it",
            scope: |_, _| true,
            place: Place::Anywhere,
            plies: 30,
            resets_on: ResetsOn::CaptureOrManMove,
        },
    ];
    const SAYINGS: &'static [Saying] = &[];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WK6,K18:BK32", shows: "two kings against one win only by a shot" },
        Showpiece { fen: "W:WK29:BK4", shows: "one king each, and White to play loses" },
    ];
}
