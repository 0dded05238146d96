//! Russian draughts, 8x8 (IDF / FMJD-64 rules).

use crate::board::Dark8;
use crate::rules::{
    Colour, DrawRule, Expectation, Place, Priority, Promotion, ResetsOn, Rules, Saying, Showpiece, SquareNames,
};

/// Russian draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Russian;

impl Rules for Russian {
    type Geometry = Dark8;
    const NAME: &'static str = "russian";
    const FIRST_MOVER: Colour = Colour::White;
    const START_ROWS: std::ops::Range<u32> = 0..3;
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARD: bool = true;
    const PRIORITY: Priority = Priority::Free; // FMJD-64 4.6
    const REMOVES_DURING_CAPTURE: bool = false;
    const FORBIDS_HALF_TURN: bool = false;
    const PROMOTION: Promotion = Promotion::InPassing;
    const SQUARE_NAMES: SquareNames = SquareNames::LettersOrNumbers; // 1 = b8, as in most numeric data
    const CAPTURE_SIGN: char = ':';
    const PDN_GAME_TYPE: u32 = 25;
    const DRAW_RULES: &'static [DrawRule] = &[
        DrawRule {
            name: "15-moves",
            says: "three or more kings against one king: drawn if it is not taken within 15 moves",
            source: "IDF 7.2.4",
            scope: |a, b| a.kings >= 3 && a.men == 0 && b.is_lone_king(),
            place: Place::Anywhere,
            plies: 30,
            resets_on: ResetsOn::Nothing,
        },
        DrawRule {
            name: "15-king-moves",
            says: "15 moves each of kings only, without a capture, draw the game",
            source: "IDF 7.2.5",
            scope: |_, _| true,
            place: Place::Anywhere,
            plies: 30,
            resets_on: ResetsOn::CaptureOrManMove,
        },
        DrawRule {
            name: "30-moves",
            says: "4 or 5 pieces, both sides with a king: drawn after 30 moves each without capture or promotion",
            source: "IDF 7.2.6",
            scope: |a, b| a.kings >= 1 && b.kings >= 1 && matches!(a.pieces() + b.pieces(), 4 | 5),
            place: Place::Anywhere,
            plies: 60,
            resets_on: ResetsOn::CaptureOrPromotion,
        },
        DrawRule {
            name: "60-moves",
            says: "6 or 7 pieces, both sides with a king: drawn after 60 moves each without capture or promotion",
            source: "IDF 7.2.6",
            scope: |a, b| a.kings >= 1 && b.kings >= 1 && matches!(a.pieces() + b.pieces(), 6 | 7),
            place: Place::Anywhere,
            plies: 120,
            resets_on: ResetsOn::CaptureOrPromotion,
        },
        DrawRule {
            name: "main-road",
            says: "three pieces, a king among them, against one king on the main road: drawn after 5 moves each",
            source: "IDF 7.2.7",
            scope: |a, b| a.pieces() == 3 && a.kings >= 1 && b.is_lone_king(),
            place: Place::OnMainRoad,
            plies: 10,
            resets_on: ResetsOn::Nothing,
        },
        DrawRule {
            name: "5-moves",
            says: "two kings, king and man, or one king against one king: drawn after 5 moves each",
            source: "IDF 7.2.8",
            scope: |a, b| a.pieces() <= 2 && a.kings >= 1 && b.is_lone_king(),
            place: Place::Anywhere,
            plies: 10,
            resets_on: ResetsOn::Nothing,
        },
    ];
    const SAYINGS: &'static [Saying] = &[Saying {
        name: "off-main-road",
        says: "three kings to move always catch a king that does not hold the main road, within 15 moves",
        source: "the teaching of Petrov's triangle",
        scope: |ours, theirs| ours.kings == 3 && ours.men == 0 && theirs.is_lone_king(),
        place: Place::OffMainRoad,
        expects: Expectation::AlwaysWon(Some(30)),
    }];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WKc7,Kd4:BKg1", shows: "two kings against one win only by a shot" },
        Showpiece { fen: "B:WKf2,Kg1:BKa7", shows: "Black to play is lost though the board is wide open" },
        Showpiece { fen: "W:WKa1:BKh8", shows: "one king each, and White to play loses" },
    ];
}
