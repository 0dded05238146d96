//! `data/slices.json`: counts of whole slices.

use endame::index::Material;
use endame::position::Position;
use endame::rules::{English, International, Russian};
use serde_json::Value;

use crate::solved::{Count, Longest, Solved, data, material, material_of, number};

const DATA: &str = include_str!("../../data/slices.json");

fn wdl(case: &Value) -> [Option<u64>; 3] {
    ["wins", "draws", "losses"].map(|field| number(case, field))
}

fn wdl_of(count: &Count) -> [Option<u64>; 3] {
    [count.wins, count.draws, count.losses].map(Some)
}

fn plies(longest: Option<Longest>) -> Option<u64> {
    longest.map(|longest| longest.plies.into())
}

/// Whether neither the mover nor, if it were his turn, the opponent could capture.
fn is_quiet<R: Solved>(position: &Position<R>) -> bool {
    !position.must_capture() && !position.turned().must_capture()
}

fn every_slice_of_two_and_three_pieces_has_the_published_counts<R: Solved>() {
    let rows = data(DATA, R::NAME);
    assert_eq!(rows.len(), 16);
    for row in &rows {
        let material = material_of(row);
        let count = Count::all::<R>(material);
        assert_eq!(Some(count.positions()), number(row, "positions"), "{row}");
        assert_eq!(wdl_of(&count), wdl(row), "{row}");
        assert_eq!(plies(count.longest_win), number(row, "max_win_plies"), "{row}");
        assert_eq!(count.longest_win.map(|longest| longest.count), number(row, "max_win_count"), "{row}");
        assert_eq!(plies(count.longest_loss), number(row, "max_loss_plies"), "{row}");
        let stored = Count::of::<R>(material, |position| !position.must_capture());
        assert_eq!(wdl_of(&stored), wdl(&row["mover_cannot_capture"]), "{row}");
        let quiet = Count::of::<R>(material, is_quiet);
        assert_eq!(wdl_of(&quiet), wdl(&row["neither_can_capture"]), "{row}");
    }
}

#[test]
fn every_english_slice_of_two_and_three_pieces_has_the_published_counts() {
    every_slice_of_two_and_three_pieces_has_the_published_counts::<English>();
}

#[test]
fn every_international_slice_of_two_and_three_pieces_has_the_published_counts() {
    every_slice_of_two_and_three_pieces_has_the_published_counts::<International>();
}

#[test]
fn every_russian_slice_of_two_and_three_pieces_has_the_reported_counts() {
    let rows = data(DATA, "russian");
    // 16 slices; those of one piece each and equal come once for either colour.
    let mut materials: Vec<String> = rows.iter().map(|row| material_of(row).to_string()).collect();
    materials.sort();
    materials.dedup();
    assert_eq!(materials.len(), 16);
    for row in &rows {
        let count = Count::all::<Russian>(material_of(row));
        assert_eq!(wdl_of(&count), wdl(row), "{row}");
        assert_eq!(plies(count.longest_win).max(plies(count.longest_loss)), number(row, "max_plies"), "{row}");
    }
}

#[test]
fn english_slices_of_two_to_four_pieces_have_the_published_totals() {
    let data: Value = serde_json::from_str(DATA).expect("the data is json");
    let totals = &data["english_totals_2_to_4_pieces"];
    let count = Material::all_up_to(4).into_iter().map(Count::all::<English>).fold(Count::default(), Count::and);
    assert_eq!(Some(count.positions()), number(totals, "positions"));
    assert_eq!(wdl_of(&count), wdl(totals));
    assert_eq!(plies(count.longest_win), number(totals, "longest_win_plies"));
    // The longest is one of two men against two.
    assert_eq!(plies(Count::all::<English>(material("MMvMM")).longest_win), Some(109));
}

#[test]
fn english_king_against_king_is_as_trice_counted_it() {
    let data: Value = serde_json::from_str(DATA).expect("the data is json");
    let published = &data["english_king_against_king"];
    let count = Count::all::<English>(material("KvK"));
    assert_eq!(wdl_of(&count), wdl(published));
    let jumps = Count::of::<English>(material("KvK"), |position| position.must_capture());
    assert_eq!(Some(jumps.wins), number(published, "wins_by_jump"));
    assert_eq!(Some(count.wins - jumps.wins), number(published, "wins_by_move"));
    let longest = count.longest_win.expect("some position is won");
    assert_eq!(Some(longest.plies.into()), number(published, "longest_win_plies"));
    assert_eq!(Some(longest.count), number(published, "wins_of_that_length"));
}
