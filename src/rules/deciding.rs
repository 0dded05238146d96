//! Which draw rule decides in a material.
//!
//! Every rule in scope keeps a count of its own, and a win must beat them all. Mostly one of them hides the others: it
//! has no more plies and no more resets, so that no other count is ever full before its own. 16 moves hide 25. Where
//! one rule is left, an outcome under the rules is a question of one number, the plies to the next move that resets
//! this one count. It is a question of several where
//!
//! - two rules hide neither each other, as 15 king moves inside 30 moves, with men on the board;
//! - a rule is tied to squares, so that its count comes and goes within the material;
//! - a rule is reset by men that step sideways, so that a reset can be undone;
//! - or a conversion carries a count into a material where another rule decides, or several do.

use crate::board::Geometry;
use crate::rules::{DrawRule, MoveKind, Place, Rules, Side};

/// The pieces of two sides.
type Sides = [Side; 2];

/// A material in which no single rule decides: outcomes answer to several counts at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undecided {
    /// The pieces of its sides.
    pub sides: [Side; 2],
    /// The names of the rules that count there, or in what a count is carried into, and that no other rule hides.
    pub rules: Vec<&'static str>,
}

/// The rule that decides in the material of two sides, as a number in [`Rules::DRAW_RULES`]; `None` where no rule
/// counts.
///
/// # Errors
/// [`Undecided`] where a win is not a question of one count.
pub fn deciding_rule<R: Rules>(ours: Side, theirs: Side) -> Result<Option<usize>, Undecided> {
    let sides = [ours, theirs];
    let rules = unhidden::<R>(sides);
    let undecided = |rules: &[usize]| {
        Err(Undecided { sides, rules: rules.iter().map(|&number| R::DRAW_RULES[number].name).collect() })
    };
    let steps_reset = |rule: &DrawRule| {
        sides.iter().any(|s| s.men > 0)
            && !R::Geometry::SIDEWAYS.is_empty()
            && rule.resets_on.is_reset_by(MoveKind::Man)
    };
    let is_plain =
        |number: usize| R::DRAW_RULES[number].place == Place::Anywhere && !steps_reset(&R::DRAW_RULES[number]);
    if rules.len() > 1 || !rules.iter().all(|&number| is_plain(number)) {
        return undecided(&rules);
    }
    for (kind, after) in conversions(sides) {
        let go_on = |rule: &DrawRule| rule.counts_in(sides[0], sides[1]) && rule.goes_on(kind, after[0], after[1]);
        if !R::DRAW_RULES.iter().any(go_on) {
            continue;
        }
        let there = unhidden::<R>(after);
        let all_go_on = rules.iter().all(|&number| go_on(&R::DRAW_RULES[number]));
        if !all_go_on || there != rules || deciding_rule::<R>(after[0], after[1]).is_err() {
            let others = there.iter().filter(|number| !rules.contains(number));
            return undecided(&rules.iter().chain(others).copied().collect::<Vec<_>>());
        }
    }
    Ok(rules.first().copied())
}

/// The rules that count in a material and are not hidden by another.
pub(crate) fn unhidden<R: Rules>(sides: Sides) -> Vec<usize> {
    let in_scope = |&number: &usize| R::DRAW_RULES[number].counts_in(sides[0], sides[1]);
    let all: Vec<usize> = (0..R::DRAW_RULES.len()).filter(in_scope).collect();
    let hides = |a: usize, b: usize| R::DRAW_RULES[a].hides(&R::DRAW_RULES[b], sides[0], sides[1]);
    // Of two rules that say the same, the first stays.
    let is_hidden = |&b: &usize| all.iter().any(|&a| a != b && hides(a, b) && (a < b || !hides(b, a)));
    all.iter().copied().filter(|number| !is_hidden(number)).collect()
}

/// The captures and promotions that lead out of a material, and where they lead. Some may be impossible on the board.
pub(crate) fn conversions(sides: Sides) -> Vec<(MoveKind, Sides)> {
    let mut all = Vec::new();
    for mover in 0..2 {
        let (us, them) = (sides[mover], sides[1 - mover]);
        let crowned = (us.men > 0).then(|| Side { kings: us.kings + 1, men: us.men - 1 });
        let mut add = |kind, us, them| all.push((kind, if mover == 0 { [us, them] } else { [them, us] }));
        crowned.into_iter().for_each(|us| add(MoveKind::Promotion, us, them));
        for kings in 0..=them.kings {
            for men in 0..=them.men {
                let left = Side { kings, men };
                if left != them && left.pieces() > 0 {
                    add(MoveKind::Capture, us, left);
                    crowned.into_iter().for_each(|us| add(MoveKind::Capture, us, left));
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International, Russian, Turkish};

    /// The sides of `KMMvK`.
    fn sides(text: &str) -> Sides {
        let (ours, theirs) = text.split_once('v').expect("two sides");
        [ours, theirs].map(|side| {
            let count = |piece| side.chars().filter(|&c| c == piece).count() as u32;
            Side { kings: count('K'), men: count('M') }
        })
    }

    /// The name of the rule that decides, `none`, or those that do not let a single one decide.
    fn rule<R: Rules>(text: &str) -> String {
        let [ours, theirs] = sides(text);
        let name = |ours, theirs| match deciding_rule::<R>(ours, theirs) {
            Ok(number) => number.map_or("none", |number| R::DRAW_RULES[number].name).to_string(),
            Err(undecided) => undecided.rules.join("+"),
        };
        assert_eq!(name(ours, theirs), name(theirs, ours), "{text}");
        name(ours, theirs)
    }

    #[test]
    fn in_international_one_rule_decides_everywhere() {
        for (material, name) in [
            ("KKKvK", "16-moves"),
            ("KvKMM", "16-moves"),
            ("MMMvK", "25-moves"),
            ("KKvKK", "25-moves"),
            ("KMMMvKM", "25-moves"),
            ("KMvK", "5-moves"),
            ("KvK", "5-moves"),
            ("MMvK", "25-moves"),
        ] {
            assert_eq!(rule::<International>(material), name, "{material}");
        }
    }

    #[test]
    fn in_russian_men_beside_kings_and_the_main_road_leave_no_single_rule() {
        for (material, name) in [
            ("KvK", "5-moves"),
            ("KMvK", "5-moves"),
            ("MMvK", "15-king-moves"),
            ("KKvKK", "15-king-moves"),
            ("KKvKM", "15-king-moves+30-moves"),
            ("KKKvK", "15-moves+main-road"),
            // The count of fifteen moves goes on where three kings are left.
            ("KKKKvK", "15-moves+main-road"),
            // One count, and what it leads to begins with fresh ones.
            ("KKMvM", "15-king-moves"),
            ("MMMvK", "15-king-moves"),
        ] {
            assert_eq!(rule::<Russian>(material), name, "{material}");
        }
    }

    #[cfg(feature = "related")]
    #[test]
    fn of_the_related_variants_brazilian_and_spanish_have_materials_without_a_single_rule() {
        use crate::rules::{Brazilian, Czech, Pool, Spanish, Thai};
        assert_eq!((rule::<Pool>("KKKvK"), rule::<Pool>("KKMvK")), ("13-moves".into(), "15-king-moves".into()));
        assert_eq!((rule::<Czech>("KKKvKM"), rule::<Thai>("KKKvKM")), ("15-king-moves".into(), "none".into()));
        assert_eq!((rule::<Spanish>("KKvKM"), rule::<Brazilian>("KMvK")), ("20-king-moves".into(), "5-moves".into()));
        assert_eq!(
            (rule::<Spanish>("KKMvK"), rule::<Spanish>("KKKvK")),
            ("20-king-moves".into(), "12-moves+20-king-moves".into())
        );
        assert_eq!(rule::<Brazilian>("KKKvK"), "15-moves+main-road");
    }

    #[test]
    fn where_there_is_one_rule_or_none_it_decides() {
        assert_eq!(rule::<English>("KMMvKM"), "40-moves");
        assert_eq!(rule::<Turkish>("KMMvKM"), "none");
    }
}
