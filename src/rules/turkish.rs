//! Turkish draughts, all 64 squares.
//!
//! No federation text settles every point; the readings chosen are those of section 2.4 of the project's rules notes:
//! kings land on any free square beyond, may not turn half round, a man that reaches the last row while capturing goes
//! on as a man, and one piece each is played on.

use crate::board::Full8;
use crate::rules::{
    Colour, DrawRule, Expectation, Place, Priority, Promotion, ResetsOn, Rules, Saying, Showpiece, Side, SquareNames,
};

/// What becomes of one piece each. No federation text settles it, and sources differ; [`Turkish`] takes the first
/// reading: the values of the rules of play alone are of use to everybody, and a reader of another school can tell at a
/// glance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnePieceEach {
    /// Nothing: the game goes on until nobody can be taken any more.
    PlayedOn,
    /// A draw, unless the side to move can take at once.
    DrawnUnlessTaken,
    /// A draw on the spot.
    Drawn,
}

impl OnePieceEach {
    /// The reading that the variant takes; another one is another constant here.
    pub const CHOSEN: OnePieceEach = OnePieceEach::PlayedOn;

    /// The reading as draw rules.
    #[must_use]
    pub const fn draw_rules(self) -> &'static [DrawRule] {
        const UNLESS_TAKEN: DrawRule = DrawRule {
            name: "one-piece-each",
            says: "one piece each is a draw, unless the side to move can take at once",
            source: "a reading of several rule texts",
            scope: |ours, theirs| ours.pieces() == 1 && theirs.pieces() == 1,
            place: Place::Anywhere,
            plies: 1,
            resets_on: ResetsOn::Nothing,
        };
        match self {
            OnePieceEach::PlayedOn => &[],
            OnePieceEach::DrawnUnlessTaken => &[UNLESS_TAKEN],
            OnePieceEach::Drawn => {
                &[DrawRule { says: "one piece each is a draw on the spot", plies: 0, ..UNLESS_TAKEN }]
            }
        }
    }
}

/// Turkish draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Turkish;

impl Rules for Turkish {
    type Geometry = Full8;
    const NAME: &'static str = "turkish";
    const FIRST_MOVER: Colour = Colour::White;
    const START_ROWS: std::ops::Range<u32> = 1..3;
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const PRIORITY: Priority = Priority::MostPieces;
    const REMOVES_DURING_CAPTURE: bool = true;
    const FORBIDS_HALF_TURN: bool = true;
    const PROMOTION: Promotion = Promotion::AtEnd;
    const SQUARE_NAMES: SquareNames = SquareNames::Letters;
    const CAPTURE_SIGN: char = 'x';
    const PDN_GAME_TYPE: u32 = 30;
    const DRAW_RULES: &'static [DrawRule] = OnePieceEach::CHOSEN.draw_rules();
    const SAYINGS: &'static [Saying] = &[
        Saying {
            name: "king-king",
            says: "king against king is a draw, unless one can be taken at once",
            source: "common rule texts: a draw",
            scope: |ours, theirs| ours.is_lone_king() && theirs.is_lone_king(),
            place: Place::Anywhere,
            expects: Expectation::WinsWithin(1),
        },
        Saying {
            name: "king-man",
            says: "king against man is a draw, unless one can be taken at once",
            source: "sources differ: a draw, or won by rule",
            scope: |ours, theirs| {
                (ours.is_lone_king() && is_lone_man(theirs)) || (is_lone_man(ours) && theirs.is_lone_king())
            },
            place: Place::Anywhere,
            expects: Expectation::WinsWithin(1),
        },
    ];
    const SHOWPIECES: &'static [Showpiece] = &[
        Showpiece { fen: "W:WKg7,Kb7:BKa1", shows: "two kings against one win" },
        Showpiece { fen: "B:WKg7,Kb7:BKa1", shows: "the same with the lone king to play" },
        Showpiece { fen: "W:WKa1:BKh8", shows: "king against king is drawn" },
    ];
}

/// Whether the side is one man and nothing else.
const fn is_lone_man(side: Side) -> bool {
    side.kings == 0 && side.men == 1
}
