//! `--count`: how far the draw rules have counted already.

use std::str::FromStr;

use endame::index::Material;
use endame::position::Position;
use endame::rules::{DrawRule, Rules};

use crate::cli::error::Error;

/// Plies counted, as given: `12` for the rule that decides, or `5-moves=4,25-moves=12`.
///
/// Where no rule decides alone they must be named; those that are not have counted nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// Of the rule that decides.
    Plain(u32),
    /// Of the rules of these names.
    Named(Vec<(String, u32)>),
}

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plies = |text: &str| text.parse().map_err(|_| format!("expected a number of plies, got {text:?}"));
        if !text.contains('=') {
            return plies(text).map(Count::Plain);
        }
        let named = text.split(',').map(|part| match part.split_once('=') {
            Some((name, count)) => Ok((name.to_string(), plies(count)?)),
            None => Err(format!("expected RULE=N, got {part:?}")),
        });
        let named = named.collect::<Result<Vec<_>, String>>()?;
        for (i, (name, _)) in named.iter().enumerate() {
            if named[..i].iter().any(|(before, _)| before == name) {
                return Err(format!("two counts of {name}"));
            }
        }
        Ok(Count::Named(named))
    }
}

impl Count {
    /// The plies that the rule which decides in `material` has counted.
    ///
    /// # Errors
    /// If a rule is unknown, does not count here, or counts no further; and if another rule's count would be full
    /// first.
    pub fn of_deciding<R: Rules>(&self, material: Material, deciding: Option<&DrawRule>) -> Result<u32, Error> {
        let Some(deciding) = deciding else {
            let what = format!("--count: no draw rule of {} counts in {material}", R::NAME);
            return Err(Error::input(what, "leave it out"));
        };
        let named = match self {
            Count::Plain(count) => return checked(deciding, *count),
            Count::Named(named) => named,
        };
        let mut counted = 0;
        for (name, count) in named {
            let rule = rule_of::<R>(name)?;
            if !rule.counts_in(material.ours(), material.theirs()) {
                let what = format!("--count: {name} does not count in {material}");
                return Err(Error::input(what, format_args!("{} decides there", deciding.name)));
            }
            let count = checked(rule, *count)?;
            if rule.name == deciding.name {
                counted = count;
            }
        }
        // The others are hidden as long as they have no fewer plies left.
        for (name, count) in named {
            let rule = rule_of::<R>(name)?;
            if rule.plies - count < deciding.plies - counted {
                let what = format!(
                    "--count: {name} has {} plies left, {} has {}: tables answer one count, not two",
                    rule.plies - count,
                    deciding.name,
                    deciding.plies - counted
                );
                return Err(Error::input(what, format_args!("give the count of {}", deciding.name)));
            }
        }
        Ok(counted)
    }
}

impl Count {
    /// The plies that the rules have counted in a position in whose material several count at once, by number of the
    /// rule.
    ///
    /// # Errors
    /// If a rule is unknown, does not count here, or counts no further; and if none is named.
    pub fn of_several<R: Rules>(&self, position: &Position<R>) -> Result<Vec<u32>, Error> {
        let counting = position.rules_in_scope(position.rules_of_material());
        let names: Vec<&str> =
            (0..).zip(R::DRAW_RULES).filter(|(n, _)| counting >> n & 1 != 0).map(|(_, rule)| rule.name).collect();
        let Count::Named(named) = self else {
            let what = format!("--count: several draw rules count at once here, {}", names.join(", "));
            return Err(Error::input(what, format_args!("name them, as in --count {}=1", names[0])));
        };
        let mut counts = vec![0; R::DRAW_RULES.len()];
        for (name, count) in named {
            let rule = rule_of::<R>(name)?;
            if !names.contains(&rule.name) {
                let what = format!("--count: {name} does not count in this position");
                return Err(Error::input(what, format_args!("these do: {}", names.join(", "))));
            }
            let number = R::DRAW_RULES.iter().position(|other| other.name == rule.name).expect("it is one of them");
            counts[number] = checked(rule, *count)?;
        }
        Ok(counts)
    }
}

fn checked(rule: &DrawRule, count: u32) -> Result<u32, Error> {
    if count <= rule.plies {
        return Ok(count);
    }
    let what = format!("--count {count}: {} draws the game at {} plies", rule.name, rule.plies);
    Err(Error::input(what, "count plies of both sides together"))
}

fn rule_of<R: Rules>(name: &str) -> Result<&'static DrawRule, Error> {
    if let Some(rule) = R::DRAW_RULES.iter().find(|rule| rule.name == name) {
        return Ok(rule);
    }
    let what = format!("--count: {} has no draw rule {name:?}", R::NAME);
    match R::DRAW_RULES.iter().min_by_key(|rule| changes(rule.name, name)) {
        Some(nearest) => Err(Error::input(what, format_args!("did you mean {}?", nearest.name))),
        None => Err(Error::input(what, "it has none at all: leave --count out")),
    }
}

/// The letters to change, add or leave out to make one text of the other (Levenshtein).
pub fn changes(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &other) in b.iter().enumerate() {
            let replaced = corner + usize::from(letter != other);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use endame::position::Fen;
    use endame::rules::{International, Russian, Turkish};

    /// The count of the rule that decides, or the message.
    fn count<R: Rules>(text: &str, material: &str) -> Result<u32, String> {
        let material: Material = material.parse().expect("a material");
        let number = endame::rules::deciding_rule::<R>(material.ours(), material.theirs()).expect("one rule decides");
        let count: Count = text.parse()?;
        let deciding = number.map(|number| &R::DRAW_RULES[number]);
        count.of_deciding::<R>(material, deciding).map_err(|error| error.message)
    }

    #[test]
    fn a_count_is_that_of_the_rule_that_decides_or_of_a_named_one() {
        assert_eq!(count::<International>("7", "KKvK"), Ok(7));
        assert_eq!(count::<International>("5-moves=4", "KKvK"), Ok(4));
        assert_eq!(count::<International>("5-moves=4,25-moves=44", "KKvK"), Ok(4));
        assert_eq!(count::<International>("16-moves=32", "KMMvK"), Ok(32));
        assert_eq!(count::<Russian>("30-moves=30", "KKvKK"), Ok(0));
    }

    #[test]
    fn counts_of_several_rules_are_named() {
        let counts = |text: &str, fen: &str| {
            let position = fen.parse::<Fen<Russian>>().expect("a FEN").position;
            text.parse::<Count>()?.of_several(&position).map_err(|error| error.message)
        };
        let (off_road, on_road) = ("W:WKb2,Kd2,Ke1:BKh2", "W:WKb2,Kd2,Ke1:BKh8");
        assert_eq!(counts("15-moves=4,30-moves=6", off_road), Ok(vec![4, 0, 6, 0, 0, 0]));
        assert_eq!(counts("main-road=9", on_road), Ok(vec![0, 0, 0, 0, 9, 0]));
        let error = |text, fen| counts(text, fen).expect_err("no such count");
        assert!(error("4", off_road).contains("several draw rules count at once here, 15-moves, 15-king-moves"));
        assert!(error("main-road=1", off_road).contains("main-road does not count in this position"));
        assert!(error("main-road=11", on_road).contains("main-road draws the game at 10 plies"));
    }

    #[test]
    fn a_count_that_cannot_be_says_why() {
        let error = |text, material| count::<International>(text, material).expect_err("no such count");
        assert!(error("11", "KKvK").contains("5-moves draws the game at 10 plies"));
        assert!(error("5-moes=1", "KKvK").contains("did you mean 5-moves?"));
        assert!(error("16-moves=1", "KKvK").contains("16-moves does not count in KKvK; 5-moves decides there"));
        assert!(error("25-moves=45", "KKvK").contains("25-moves has 5 plies left, 5-moves has 10"));
        assert!(error("x", "KKvK").contains("expected a number of plies"));
        assert!(error("5-moves=1,2", "KKvK").contains("expected RULE=N"));
        assert!(count::<Turkish>("1", "KKvK").expect_err("none").contains("no draw rule of turkish counts in KKvK"));
    }
}
