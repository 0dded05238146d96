//! Thai draughts, Makhos (mindsports.nl).

use crate::board::Dark8;
use crate::rules::{Colour, DrawRule, Expectation, Place, Priority, Promotion, Rules, Saying, Showpiece, SquareNames};

/// Thai draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Thai;

impl Rules for Thai {
    type Geometry = Dark8;
    const NAME: &'static str = "thai";
    const FIRST_MOVER: Colour = Colour::Black; // as in PDN; players do not keep to one colour
    const START_ROWS: std::ops::Range<u32> = 0..2;
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const PRIORITY: Priority = Priority::Free;
    const REMOVES_DURING_CAPTURE: bool = true;
    const FORBIDS_HALF_TURN: bool = false;
    const KINGS_LAND_BEHIND: bool = true;
    const PROMOTION: Promotion = Promotion::EndsMove;
    const SQUARE_NAMES: SquareNames = SquareNames::Numbers;
    const CAPTURE_SIGN: char = '-';
    const PDN_GAME_TYPE: u32 = 31;
    const DRAW_RULES: &'static [DrawRule] = &[]; // none are known
    const SAYINGS: &'static [Saying] = &[Saying {
        name: "two-kings",
        says: "two kings to move catch one king",
        source: "mindsports.nl",
        scope: |ours, theirs| ours.kings == 2 && ours.men == 0 && theirs.is_lone_king(),
        place: Place::Anywhere,
        expects: Expectation::AlwaysWon(None),
    }];
    const SHOWPIECES: &'static [Showpiece] =
        &[Showpiece { fen: "W:WK30,K31:BK1", shows: "two kings against one, as long as it can take" }];
}
