//! Brazilian draughts: the international rules on the 8x8 board (IDF / FMJD-64 rules).

use crate::board::Dark8;
use crate::rules::{Colour, DrawRule, Priority, Promotion, Rules, Russian, Saying, Showpiece, SquareNames};

/// Brazilian draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Brazilian;

impl Rules for Brazilian {
    type Geometry = Dark8;
    const NAME: &'static str = "brazilian";
    const FIRST_MOVER: Colour = Colour::White;
    const START_ROWS: std::ops::Range<u32> = 0..3;
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARD: bool = true;
    const PRIORITY: Priority = Priority::MostPieces;
    const REMOVES_DURING_CAPTURE: bool = false;
    const FORBIDS_HALF_TURN: bool = false;
    const PROMOTION: Promotion = Promotion::AtEnd;
    const SQUARE_NAMES: SquareNames = SquareNames::LettersOrNumbers; // 1 = b8, as in most numeric data
    const CAPTURE_SIGN: char = 'x';
    const PDN_GAME_TYPE: u32 = 26;
    /// The draw rules of the IDF are those of both its games on 64 squares, and lidraughts plays them so. A summary by
    /// the Brazilian confederation gives 20 king moves instead of 15 and nothing on small endings: it is not a whole
    /// text.
    const DRAW_RULES: &'static [DrawRule] = Russian::DRAW_RULES;
    const SAYINGS: &'static [Saying] = &[];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WKc7,Kd4:BKg1", shows: "two kings against one win only by a shot" },
        Showpiece { fen: "W:WKa1:BKh8", shows: "one king each, and White to play loses" },
    ];
}
