//! Czech draughts (FMJD brief rules).

use crate::board::Dark8;
use crate::rules::{Colour, DrawRule, Place, Priority, Promotion, ResetsOn, Rules, Saying, Showpiece, SquareNames};

/// Czech draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Czech;

impl Rules for Czech {
    type Geometry = Dark8;
    const NAME: &'static str = "czech";
    const FIRST_MOVER: Colour = Colour::White;
    const START_ROWS: std::ops::Range<u32> = 0..3;
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const PRIORITY: Priority = Priority::KingsFirst;
    const REMOVES_DURING_CAPTURE: bool = false;
    const FORBIDS_HALF_TURN: bool = false;
    const PROMOTION: Promotion = Promotion::EndsMove;
    const SQUARE_NAMES: SquareNames = SquareNames::LettersOrNumbers; // 1 = b8, as in most numeric data
    const CAPTURE_SIGN: char = 'x';
    const PDN_GAME_TYPE: u32 = 29;
    const DRAW_RULES: &'static [DrawRule] = &[DrawRule {
        name: "15-king-moves",
        says: "15 moves each without a capture or a man's move draw the game",
        source: "FMJD, Czech brief rules",
        scope: |_, _| true,
        place: Place::Anywhere,
        plies: 30,
        resets_on: ResetsOn::CaptureOrManMove,
    }];
    const SAYINGS: &'static [Saying] = &[];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WKc7,Kd4:BKg1", shows: "two kings against one win only by a shot" },
        Showpiece { fen: "W:WKa1:BKh8", shows: "one king each, and White to play loses" },
    ];
}
