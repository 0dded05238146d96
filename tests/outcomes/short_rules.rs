//! The four variants with draw rules so short that wins are cut off in slices of three pieces, and chains of them too.

use endame::rules::{
    Colour, DrawRule, English, International, OnePieceEach, Place, Priority, Promotion, ResetsOn, Rules, Russian,
    Saying, Showpiece, Side, SquareNames, Turkish,
};

/// The rules of a variant but for its draw rules.
macro_rules! with_draw_rules {
    ($name:ident, $base:ty, $rules:expr) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Rules for $name {
            type Geometry = <$base as Rules>::Geometry;
            const NAME: &'static str = <$base as Rules>::NAME;
            const FIRST_MOVER: Colour = <$base as Rules>::FIRST_MOVER;
            const START_ROWS: std::ops::Range<u32> = <$base as Rules>::START_ROWS;
            const FLYING_KINGS: bool = <$base as Rules>::FLYING_KINGS;
            const MEN_CAPTURE_BACKWARD: bool = <$base as Rules>::MEN_CAPTURE_BACKWARD;
            const PRIORITY: Priority = <$base as Rules>::PRIORITY;
            const REMOVES_DURING_CAPTURE: bool = <$base as Rules>::REMOVES_DURING_CAPTURE;
            const FORBIDS_HALF_TURN: bool = <$base as Rules>::FORBIDS_HALF_TURN;
            const PROMOTION: Promotion = <$base as Rules>::PROMOTION;
            const SQUARE_NAMES: SquareNames = <$base as Rules>::SQUARE_NAMES;
            const CAPTURE_SIGN: char = <$base as Rules>::CAPTURE_SIGN;
            const PDN_GAME_TYPE: u32 = <$base as Rules>::PDN_GAME_TYPE;
            const DRAW_RULES: &'static [DrawRule] = $rules;
            const SAYINGS: &'static [Saying] = &[];
            const SHOWPIECES: &'static [Showpiece] = &[];
        }
    };
}

const fn rule(name: &'static str, scope: fn(Side, Side) -> bool, plies: u32, resets_on: ResetsOn) -> DrawRule {
    DrawRule { name, says: "", source: "", scope, place: Place::Anywhere, plies, resets_on }
}

const fn rule_at(
    name: &'static str,
    place: Place,
    scope: fn(Side, Side) -> bool,
    plies: u32,
    resets_on: ResetsOn,
) -> DrawRule {
    DrawRule { place, ..rule(name, scope, plies, resets_on) }
}

/// A class of materials that captures, promotions and men's moves lead about in.
fn small(a: Side, b: Side) -> bool {
    a.pieces() <= 2 && a.kings >= 1 && b.is_lone_king()
}

fn three_others(a: Side, b: Side) -> bool {
    a.pieces() + b.pieces() == 3 && !small(a, b) && !small(b, a)
}

fn two_others(a: Side, b: Side) -> bool {
    a.pieces() + b.pieces() == 2 && !small(a, b) && !small(b, a)
}

with_draw_rules!(
    ShortInternational,
    International,
    &[
        rule("small", small, 6, ResetsOn::Nothing),
        rule("three", three_others, 4, ResetsOn::CaptureOrPromotion),
        rule("two", two_others, 2, ResetsOn::CaptureOrManMove),
    ]
);
with_draw_rules!(
    ShortEnglish,
    English,
    &[
        rule("small", small, 4, ResetsOn::Nothing),
        rule("three", three_others, 6, ResetsOn::CaptureOrPromotion),
        rule("two", two_others, 2, ResetsOn::CaptureOrManMove),
    ]
);
// The first is hidden by the second in its class.
with_draw_rules!(
    ShortRussian,
    Russian,
    &[rule("all", |_, _| true, 4, ResetsOn::CaptureOrManMove), rule("small", small, 2, ResetsOn::Nothing),]
);
// Two pieces that are not a king each are played without a rule.
with_draw_rules!(
    ShortTurkish,
    Turkish,
    &[rule("small", small, 6, ResetsOn::Nothing), rule("three", three_others, 4, ResetsOn::CaptureOrPromotion),]
);
with_draw_rules!(DrawnTurkish, Turkish, OnePieceEach::Drawn.draw_rules());
with_draw_rules!(UnlessTakenTurkish, Turkish, OnePieceEach::DrawnUnlessTaken.draw_rules());
// Men step sideways, so a count can be reset again and again; inside one that they do not reset.
with_draw_rules!(
    Sideways,
    Turkish,
    &[
        rule("king moves", |_, _| true, 2, ResetsOn::CaptureOrManMove),
        rule("no capture", |_, _| true, 6, ResetsOn::CaptureOrPromotion),
    ]
);

/// A lone king and what may catch it.
fn against_a_lone_king(a: Side, b: Side) -> bool {
    a.pieces() >= 2 && b.is_lone_king()
}

fn both_with_kings(a: Side, b: Side) -> bool {
    a.kings > 0 && b.kings > 0
}

// As in Russian: king moves inside a longer count, a count tied to squares, and one that goes on from three pieces to
// two.
with_draw_rules!(
    SeveralRussian,
    Russian,
    &[
        rule("king moves", |_, _| true, 4, ResetsOn::CaptureOrManMove),
        rule("both kings", both_with_kings, 6, ResetsOn::CaptureOrPromotion),
        rule_at("road", Place::OnMainRoad, against_a_lone_king, 2, ResetsOn::Nothing),
        rule("small", small, 6, ResetsOn::Nothing),
    ]
);
// As in Spanish: a count off the main road. Another goes on from three pieces to two, where a class begins that would
// hide it if the two began together.
with_draw_rules!(
    SeveralEnglish,
    English,
    &[
        rule_at("off the road", Place::OffMainRoad, against_a_lone_king, 4, ResetsOn::Nothing),
        rule("three or two", |_, _| true, 6, ResetsOn::Nothing),
        rule("small", small, 4, ResetsOn::Nothing),
        rule("king moves", |_, _| true, 2, ResetsOn::CaptureOrManMove),
    ]
);
