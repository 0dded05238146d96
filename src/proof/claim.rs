//! What is to be proved: draw rules and sayings as claims about materials.
//!
//! A draw rule claims that it takes no win away: wherever it counts, a win takes no more plies than the rule allows. A
//! saying claims what it says. Both come from the facts of a variant; nothing here knows one.

use crate::index::Material;
use crate::proof::Winner;
use crate::rules::{DrawRule, Expectation, Place, ResetsOn, Rules, Saying};
use crate::value::Metric;

/// One claim about all positions of some materials.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The name of the rule or the saying.
    pub rule: &'static str,
    /// What it says, in one sentence.
    pub says: &'static str,
    /// Where it is written.
    pub source: &'static str,
    /// Where the lone king stands.
    pub place: Place,
    /// What is claimed of every position.
    pub expects: Expectation,
    /// What sets the count back, for a draw rule.
    resets_on: ResetsOn,
    scope: Scope,
}

#[derive(Clone, Copy, Debug)]
enum Scope {
    Rule(&'static DrawRule, &'static [DrawRule]),
    Saying(&'static Saying),
}

impl Claim {
    /// The claims of a variant: its draw rules first, then its sayings.
    #[must_use]
    pub fn all<R: Rules>() -> Vec<Claim> {
        let rules = R::DRAW_RULES.iter().map(|rule| Claim::of_rule(rule, R::DRAW_RULES));
        rules.chain(R::SAYINGS.iter().map(Claim::of_saying)).collect()
    }

    fn of_rule(rule: &'static DrawRule, among: &'static [DrawRule]) -> Claim {
        Claim {
            rule: rule.name,
            says: rule.says,
            source: rule.source,
            place: rule.place,
            expects: Expectation::WinsWithin(rule.plies),
            resets_on: rule.resets_on,
            scope: Scope::Rule(rule, among),
        }
    }

    fn of_saying(saying: &'static Saying) -> Claim {
        Claim {
            rule: saying.name,
            says: saying.says,
            source: saying.source,
            place: saying.place,
            expects: saying.expects,
            resets_on: ResetsOn::Nothing,
            scope: Scope::Saying(saying),
        }
    }

    /// Whether the claim speaks of positions of `material`.
    ///
    /// A draw rule is left out where another one counts everywhere in the material too, with no more plies and no more
    /// resets: it could never be the one that draws the game.
    #[must_use]
    pub fn speaks_of(&self, material: Material) -> bool {
        let (ours, theirs) = (material.ours(), material.theirs());
        match self.scope {
            Scope::Saying(saying) => (saying.scope)(ours, theirs),
            Scope::Rule(rule, among) => {
                let hides = |other: &DrawRule| {
                    other.name != rule.name
                        && other.counts_in(ours, theirs)
                        && other.place == Place::Anywhere
                        && other.hides(rule, ours, theirs)
                };
                rule.counts_in(ours, theirs) && !among.iter().any(hides)
            }
        }
    }

    /// The plies within which a win must come, where the claim gives a number.
    #[must_use]
    pub const fn limit_plies(&self) -> Option<u32> {
        match self.expects {
            Expectation::WinsWithin(plies) => Some(plies),
            Expectation::AlwaysWon(plies) => plies,
        }
    }

    /// The distance that the claim is about: to the next conversion where every conversion sets the count back, else to
    /// the end.
    #[must_use]
    pub const fn metric(&self) -> Metric {
        match self.resets_on {
            ResetsOn::CaptureOrManMove => Metric::Dtc,
            ResetsOn::Nothing | ResetsOn::CaptureOrPromotion => Metric::Dtw,
        }
    }

    /// The draw rule that makes the claim; `None` for a saying.
    #[must_use]
    pub const fn draw_rule(&self) -> Option<&'static DrawRule> {
        match self.scope {
            Scope::Rule(rule, _) => Some(rule),
            Scope::Saying(_) => None,
        }
    }

    /// The sides whose wins the claim is about in `material`.
    ///
    /// A rule against a lone king, whose count nothing sets back, is about the wins of the other side: a lone king wins
    /// by capturing, and a capture of his takes the game out of the material the rule speaks of. Any other rule is
    /// about both sides; a saying that a side always wins, about that side.
    #[must_use]
    pub fn winner(&self, material: Material) -> Winner {
        let lone = [material.ours(), material.theirs()].map(|side| side.is_lone_king());
        match (self.expects, self.count_starts_afresh(), lone) {
            (Expectation::AlwaysWon(_), ..) => Winner::Mover,
            (_, false, [true, false]) if material.theirs().kings > 0 => Winner::Opponent,
            (_, false, [false, true]) if material.ours().kings > 0 => Winner::Mover,
            _ => Winner::Either,
        }
    }

    /// Whether the count can start afresh while the claim speaks of the position. Then a win that takes more plies than
    /// the limit need not be cut off, and distances to the end alone do not decide.
    #[must_use]
    pub fn count_starts_afresh(&self) -> bool {
        self.resets_on != ResetsOn::Nothing
    }
}

/// The materials that claims are about and that are solved in no time: up to three pieces, and three against one.
#[must_use]
pub fn usual_materials() -> Vec<Material> {
    let lone = |material: &Material| material.ours().pieces() == 1 || material.theirs().pieces() == 1;
    Material::all_up_to(4).into_iter().filter(lone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International, Russian, Turkish};

    fn named<R: Rules>(material: &str) -> Vec<&'static str> {
        let material: Material = material.parse().expect("a material");
        Claim::all::<R>().iter().filter(|claim| claim.speaks_of(material)).map(|claim| claim.rule).collect()
    }

    #[test]
    fn a_rule_hidden_by_a_stricter_one_is_left_out() {
        assert_eq!(named::<International>("KKMvK"), ["16-moves"]);
        assert_eq!(named::<International>("KvKMM"), ["16-moves"]);
        assert_eq!(named::<International>("KMvK"), ["5-moves"]);
        assert_eq!(named::<International>("KKvKK"), ["25-moves"]);
        assert_eq!(named::<Russian>("KKKvK"), ["15-moves", "main-road", "off-main-road"]);
        assert_eq!(named::<Russian>("KvKKK"), ["15-moves", "main-road"]);
        assert_eq!(named::<Russian>("KKMvK"), ["15-king-moves", "30-moves", "main-road"]);
        assert_eq!(named::<Russian>("KKvK"), ["5-moves"]);
    }

    #[test]
    fn sayings_speak_of_the_side_to_move_they_name() {
        assert_eq!(named::<English>("KKvK"), ["40-moves", "two-kings"]);
        assert_eq!(named::<English>("KvKK"), ["40-moves"]);
        assert_eq!(named::<Turkish>("KvK"), ["king-king"]);
        assert_eq!(named::<Turkish>("MvK"), ["king-man"]);
        assert_eq!(named::<Turkish>("KKvK"), [""; 0]);
    }
}
