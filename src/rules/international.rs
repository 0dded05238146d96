//! International draughts, 10x10 (FMJD Annex 1).

use crate::board::Dark10;
use crate::rules::{Colour, DrawRule, Place, Priority, Promotion, ResetsOn, Rules, Saying, Showpiece, SquareNames};

/// International draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct International;

impl Rules for International {
    type Geometry = Dark10;
    const NAME: &'static str = "international";
    const FIRST_MOVER: Colour = Colour::White; // FMJD 2.4
    const START_ROWS: std::ops::Range<u32> = 0..4; // FMJD 2.4
    const FLYING_KINGS: bool = true; // FMJD 3.9, 4.3
    const MEN_CAPTURE_BACKWARD: bool = true; // FMJD 4.2
    const PRIORITY: Priority = Priority::MostPieces; // FMJD 4.13
    const REMOVES_DURING_CAPTURE: bool = false; // FMJD 4.8
    const FORBIDS_HALF_TURN: bool = false;
    const PROMOTION: Promotion = Promotion::AtEnd; // FMJD 4.15
    const SQUARE_NAMES: SquareNames = SquareNames::Numbers;
    const CAPTURE_SIGN: char = 'x';
    const PDN_GAME_TYPE: u32 = 20;
    const PDN_WIN_POINTS: u32 = 2;
    const DRAW_RULES: &'static [DrawRule] = &[
        DrawRule {
            name: "25-moves",
            says: "25 moves each of kings only, without a capture, draw the game",
            source: "FMJD 6.2",
            scope: |_, _| true,
            place: Place::Anywhere,
            plies: 50,
            resets_on: ResetsOn::CaptureOrManMove,
        },
        DrawRule {
            name: "16-moves",
            says: "three pieces, a king among them, against one king: drawn after 16 moves each",
            source: "FMJD 6.3",
            scope: |a, b| a.pieces() == 3 && a.kings >= 1 && b.is_lone_king(),
            place: Place::Anywhere,
            plies: 32,
            resets_on: ResetsOn::Nothing,
        },
        DrawRule {
            name: "5-moves",
            says: "two kings, king and man, or one king against one king: drawn after 5 moves each",
            source: "FMJD 6.4",
            scope: |a, b| a.pieces() <= 2 && a.kings >= 1 && b.is_lone_king(),
            place: Place::Anywhere,
            plies: 10,
            resets_on: ResetsOn::Nothing,
        },
    ];
    const SAYINGS: &'static [Saying] = &[];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WK40,K45,50:BK11", shows: "two kings and a man against a king: the longest win there is" },
        Showpiece { fen: "W:W6,K49,50:BK16", shows: "a king and two men against a king: the longest win there is" },
        Showpiece { fen: "W:WK12,K44:BK1", shows: "two kings against one win only by a shot" },
    ];
}
