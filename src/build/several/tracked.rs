//! Which counts matter in a material that is solved with several of them.
//!
//! A rule is left out where another hides it, as long as the two begin and go on together: wherever a conversion
//! carries the count of the hidden rule, it must carry that of the other too, and the same one must hide it there. All
//! counts that are carried into a material must be known to those that lead to it, and the other way round.

use std::collections::BTreeMap;

use crate::index::Material;
use crate::rules::{Rules, conversions, deciding_rule, unhidden};

/// The materials that are solved with several counts, one of each pair, and the rules that matter in each, a bit each.
#[derive(Clone, Default, Debug)]
pub struct Tracked(BTreeMap<Material, u8>);

impl Tracked {
    /// The materials among `pairs` that are solved with several counts, with the rules that matter there.
    ///
    /// They are those in which no single rule decides, and those that one of them carries a count into. `pairs` holds
    /// one material of each pair, and all that they lead to.
    #[must_use]
    pub fn new<R: Rules>(pairs: &[Material]) -> Tracked {
        let undecided = |m: &&Material| deciding_rule::<R>(m.ours(), m.theirs()).is_err();
        let mut hidden: BTreeMap<Material, Vec<Option<usize>>> = BTreeMap::new();
        let mut left: Vec<Material> = pairs.iter().filter(undecided).copied().collect();
        while let Some(material) = left.pop() {
            if hidden.insert(material, hiders::<R>(material)).is_none() {
                left.extend(carried::<R>(material).into_iter().map(|carried| carried.to));
            }
        }
        loop {
            let mut apart = Vec::new();
            for &from in hidden.keys() {
                for Carried { rule, others, to } in carried::<R>(from) {
                    let (here, there) = (hidden[&from][rule], hidden[&to][rule]);
                    let together = here == there && here.is_none_or(|hider| others >> hider & 1 != 0);
                    if !together {
                        apart.extend(
                            [(from, rule), (to, rule)].into_iter().filter(|&(m, rule)| hidden[&m][rule].is_some()),
                        );
                    }
                }
            }
            if apart.is_empty() {
                break;
            }
            for (material, rule) in apart {
                hidden.get_mut(&material).expect("it is one of them")[rule] = None;
            }
        }
        let rules = |(material, hidden): (&Material, &Vec<Option<usize>>)| {
            let counts = |&number: &usize| {
                hidden[number].is_none() && R::DRAW_RULES[number].counts_in(material.ours(), material.theirs())
            };
            (*material, (0..R::DRAW_RULES.len()).filter(counts).fold(0, |set, number| set | 1 << number))
        };
        Tracked(hidden.iter().map(rules).collect())
    }

    /// All of `pairs`, with all rules that count there: for counts that have not begun together.
    #[must_use]
    pub fn all<R: Rules>(pairs: &[Material]) -> Tracked {
        let counting = |material: &Material| {
            let counts = |&number: &usize| R::DRAW_RULES[number].counts_in(material.ours(), material.theirs());
            (0..R::DRAW_RULES.len()).filter(counts).fold(0, |set, number| set | 1 << number)
        };
        Tracked(pairs.iter().map(|material| (*material, counting(material))).collect())
    }

    /// The rules that matter in a material; `None` where it is not solved with several counts.
    #[must_use]
    pub fn rules(&self, material: Material) -> Option<u8> {
        self.0.get(&material.stronger_to_move()).copied()
    }

    /// The names of the rules that matter in a material.
    #[must_use]
    pub fn names<R: Rules>(&self, material: Material) -> Vec<&'static str> {
        let rules = self.rules(material).unwrap_or(0);
        R::DRAW_RULES.iter().enumerate().filter(|(n, _)| rules >> n & 1 != 0).map(|(_, rule)| rule.name).collect()
    }

    /// The materials, one of each pair.
    pub fn materials(&self) -> impl Iterator<Item = Material> {
        self.0.keys().copied()
    }
}

/// A count that a conversion carries.
struct Carried {
    /// The number of the rule.
    rule: usize,
    /// All rules whose counts go on there, itself included.
    others: u8,
    /// Where it is carried to: the one of the pair with the stronger side to move.
    to: Material,
}

/// The counts that conversions carry out of a material.
fn carried<R: Rules>(material: Material) -> Vec<Carried> {
    let sides = [material.ours(), material.theirs()];
    let mut all = Vec::new();
    for (kind, after) in conversions(sides) {
        let goes_on = |&number: &usize| {
            let rule = &R::DRAW_RULES[number];
            rule.counts_in(sides[0], sides[1]) && rule.goes_on(kind, after[0], after[1])
        };
        let go_on: Vec<usize> = (0..R::DRAW_RULES.len()).filter(goes_on).collect();
        let others = go_on.iter().fold(0, |set, number| set | 1 << number);
        let to = Material::new(after[0], after[1]).expect("a conversion leaves something of both sides");
        all.extend(go_on.into_iter().map(|rule| Carried { rule, others, to: to.stronger_to_move() }));
    }
    all
}

/// By number of the rule, the first rule that is not hidden itself and hides it in a material.
fn hiders<R: Rules>(material: Material) -> Vec<Option<usize>> {
    let (ours, theirs) = (material.ours(), material.theirs());
    let open = unhidden::<R>([ours, theirs]);
    let hider = |number: usize| {
        let rule = &R::DRAW_RULES[number];
        let hides = |&&other: &&usize| R::DRAW_RULES[other].hides(rule, ours, theirs);
        if open.contains(&number) || !rule.counts_in(ours, theirs) { None } else { open.iter().find(hides).copied() }
    };
    (0..R::DRAW_RULES.len()).map(hider).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Russian;

    #[test]
    fn in_russian_the_counts_that_matter_are_those_that_nothing_hides() {
        let tracked = Tracked::new::<Russian>(&Material::all_up_to(4));
        let material = |text: &str| text.parse::<Material>().expect("a material");
        let names = |text| tracked.names::<Russian>(material(text));
        assert_eq!(names("KKKvK"), ["15-moves", "main-road"]);
        assert_eq!(names("KvKKM"), ["15-king-moves", "30-moves", "main-road"]);
        assert_eq!(names("KMvKM"), ["15-king-moves", "30-moves"]);
        // One count, and what they lead to begins afresh.
        assert!(["MMMvK", "KKvKK", "KKvK"].map(|text| tracked.rules(material(text))).iter().all(Option::is_none));
    }
}
