//! English draughts, or checkers, 8x8 (WCDF; F.I.D. technical rules).

use crate::board::Dark8;
use crate::rules::{
    Colour, DrawRule, Expectation, Place, Priority, Promotion, ResetsOn, Rules, Saying, Showpiece, SquareNames,
};

/// English draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct English;

impl Rules for English {
    type Geometry = Dark8;
    const NAME: &'static str = "english";
    const FIRST_MOVER: Colour = Colour::Black; // WCDF 1.9
    const START_ROWS: std::ops::Range<u32> = 0..3;
    const FLYING_KINGS: bool = false; // WCDF 1.16
    const MEN_CAPTURE_BACKWARD: bool = false; // WCDF 1.17
    const PRIORITY: Priority = Priority::Free; // WCDF 1.20
    const REMOVES_DURING_CAPTURE: bool = false; // makes no difference with short kings
    const FORBIDS_HALF_TURN: bool = false;
    const PROMOTION: Promotion = Promotion::EndsMove; // WCDF 1.19
    const SQUARE_NAMES: SquareNames = SquareNames::Numbers;
    const CAPTURE_SIGN: char = 'x';
    const PDN_GAME_TYPE: u32 = 21;
    const DRAW_RULES: &'static [DrawRule] = &[DrawRule {
        name: "40-moves",
        says: "40 moves each without a capture or a man's move: a draw may be claimed",
        source: "WCDF 1.32.2",
        scope: |_, _| true,
        place: Place::Anywhere,
        plies: 80,
        resets_on: ResetsOn::CaptureOrManMove,
    }];
    const SAYINGS: &'static [Saying] = &[
        Saying {
            name: "two-kings",
            says: "two kings to move beat one king",
            source: "common teaching; E. Lasker counts exceptions",
            scope: |ours, theirs| ours.kings == 2 && ours.men == 0 && theirs.is_lone_king(),
            place: Place::Anywhere,
            expects: Expectation::AlwaysWon(None),
        },
        Saying {
            name: "three-kings",
            says: "three kings to move beat one king within 15 moves",
            source: "public notes on endgame tables",
            scope: |ours, theirs| ours.kings == 3 && ours.men == 0 && theirs.is_lone_king(),
            place: Place::Anywhere,
            expects: Expectation::AlwaysWon(Some(30)),
        },
    ];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WK19,K23:BK28,12", shows: "the First Position: White to play wins (Lasker, diagram 93)" },
        Showpiece { fen: "B:WK19,K23:BK28,12", shows: "the First Position with Black to play: a draw" },
        Showpiece { fen: "W:WK1,K2:BK31", shows: "two kings against one, as long as it can take" },
    ];
    const BALLOTS: &'static str = include_str!("../../data/ballots/english.txt");
}
