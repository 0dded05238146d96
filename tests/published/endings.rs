//! `data/endings.json`: values and longest games of endings, for either side to move.

use endame::rules::{English, International, Russian, Turkish};
use serde_json::Value;

use crate::solved::{Count, Longest, Solved, data, material_of, number};

fn check(row: &Value, published: &Value, count: &Count, longest: Option<Longest>) {
    let counts = ["wins", "draws", "losses"].map(|field| number(published, field));
    assert_eq!(counts, [count.wins, count.draws, count.losses].map(Some), "{row}");
    assert_eq!(number(published, "longest"), longest.map(|longest| longest.plies.into()), "{row}");
}

fn every_ending_has_the_published_values<R: Solved>(endings: usize) {
    check_all::<R>(include_str!("../../data/endings.json"), endings);
}

/// Checks the rows of the variant in a data file, of which there are `endings`.
pub fn check_all<R: Solved>(text: &str, endings: usize) {
    let rows = data(text, R::NAME);
    assert_eq!(rows.len(), endings);
    for row in &rows {
        let material = material_of(row);
        let strong = Count::all::<R>(material);
        check(row, &row["strong"], &strong, strong.longest_win);
        if material.is_own_twin() {
            assert!(row["weak"].is_null(), "{row}");
        } else {
            let weak = Count::all::<R>(material.twin());
            check(row, &row["weak"], &weak, weak.longest_loss);
        }
    }
}

#[test]
fn every_english_ending_has_the_published_values() {
    every_ending_has_the_published_values::<English>(7);
}

#[test]
fn every_russian_ending_has_the_published_values() {
    every_ending_has_the_published_values::<Russian>(8);
}

#[test]
fn every_international_ending_has_the_published_values() {
    every_ending_has_the_published_values::<International>(7);
}

#[test]
fn every_turkish_ending_has_the_published_values() {
    every_ending_has_the_published_values::<Turkish>(4);
}
