//! What holds for tables of any variant.

use std::collections::BTreeMap;
use std::path::Path;

use endame::board::{Bitboard, Geometry};
use endame::build::{BuildOptions, Silent, build};
use endame::index::Material;
use endame::position::{Fen, Position};
use endame::rules::{Colour, English, International, Rules, Russian, Turkish};
use endame::tablebase::Value;
use endame::value::{Dtw, Metric, Wdl};
use rayon::prelude::*;

use crate::solved::{Count, Solved, material, position, positions, value};

/// The value that the moves of a position give it: 1 ply more than the shortest of the opponent's losses, or the
/// longest of his wins.
fn value_by_moves<R: Solved>(position: &Position<R>) -> Value {
    let after = position.moves().into_iter().map(|mv| value(&position.play(&mv)));
    let (mut loss, mut win, mut drawn) = (None::<Dtw>, None::<Dtw>, false);
    for value in after {
        match value.wdl {
            Wdl::Loss => loss = Some(loss.map_or(value.dtw, |loss| value.dtw.min(Some(loss))).expect("a distance")),
            Wdl::Win => win = win.max(value.dtw),
            Wdl::Draw => drawn = true,
        }
    }
    match (loss, drawn, win) {
        (Some(loss), _, _) => Value::at(loss.one_earlier()),
        (None, true, _) => Value::DRAW,
        (None, false, Some(win)) => Value::at(win.one_earlier()),
        (None, false, None) => Value::at(Dtw(0)),
    }
}

/// RR-036.
fn every_value_follows_from_the_moves<R: Solved>() {
    for material in Material::all_up_to(3) {
        positions::<R>(material).for_each(|position| {
            assert_eq!(value(&position), value_by_moves(&position), "{} {position:?}", R::NAME);
        });
    }
}

#[test]
fn every_value_of_up_to_three_pieces_follows_from_the_moves() {
    every_value_follows_from_the_moves::<International>();
    every_value_follows_from_the_moves::<English>();
    every_value_follows_from_the_moves::<Russian>();
    every_value_follows_from_the_moves::<Turkish>();
}

/// A square as the other side numbers or names it.
fn turned_name(name: &str, squares: u32) -> String {
    match name.parse::<u32>() {
        Ok(number) => (squares + 1 - number).to_string(),
        Err(_) => name.bytes().map(|c| char::from(if c < b'a' { b'1' + b'8' - c } else { b'a' + b'h' - c })).collect(),
    }
}

/// The text of a position with the board turned by half a turn and the colours swapped.
fn turned_text(fen: &str, squares: u32) -> String {
    let swapped = |part: &str| if part.starts_with('W') { "B" } else { "W" }.to_string();
    let pieces = |part: &str| {
        let names = part[1..].split(',').map(|piece| match piece.strip_prefix('K') {
            Some(name) => format!("K{}", turned_name(name, squares)),
            None => turned_name(piece, squares),
        });
        swapped(part) + &names.collect::<Vec<_>>().join(",")
    };
    let parts: Vec<&str> = fen.split(':').collect();
    format!("{}:{}:{}", swapped(parts[0]), pieces(parts[1]), pieces(parts[2]))
}

/// RR-037.
fn colours_do_not_matter<R: Solved>() {
    for text in ["KMvK", "MvKM", "KKvM"] {
        positions::<R>(material(text)).for_each(|seen| {
            let fen = Fen { position: seen, mover: Colour::White }.to_string();
            let turned = turned_text(&fen, R::Geometry::SQUARES);
            assert!(turned.starts_with("B:"), "{turned}");
            assert_eq!(value(&position::<R>(&turned)), value(&seen), "{fen} {turned}");
        });
    }
}

#[test]
fn the_turned_position_with_the_other_colours_has_the_same_value() {
    assert_eq!(turned_text("W:WK1,2:B31", 32), "B:BK32,31:W2");
    assert_eq!(turned_text("B:Wa2:BKg7", 64), "W:Bh7:WKb2");
    colours_do_not_matter::<International>();
    colours_do_not_matter::<English>();
    colours_do_not_matter::<Russian>();
    colours_do_not_matter::<Turkish>();
}

/// Where only kings are left, neither side has a direction: every symmetry of the board keeps the value.
fn kings_have_no_direction<R: Solved>() {
    for text in ["KvK", "KKvK", "KvKK"] {
        positions::<R>(material(text)).for_each(|position| {
            for symmetry in <R::Geometry as Geometry>::SYMMETRIES {
                let image = |square| {
                    let (row, column) = symmetry(R::Geometry::row(square), R::Geometry::column(square));
                    R::Geometry::square_at(row, column).expect("a playing square")
                };
                let [ours, theirs] =
                    [position.ours(), position.theirs()].map(|set| set.into_iter().map(image).collect::<Bitboard>());
                let image = Position::from_sets(ours, theirs, ours | theirs);
                assert_eq!(value::<R>(&image), value(&position), "{} {position:?}", R::NAME);
            }
        });
    }
}

#[test]
fn positions_of_kings_have_the_value_of_their_images() {
    kings_have_no_direction::<International>();
    kings_have_no_direction::<English>();
    kings_have_no_direction::<Russian>();
    kings_have_no_direction::<Turkish>();
}

/// A position with one legal move is worth what the position after it is.
fn a_forced_move_changes_nothing<R: Solved>(text: &str) {
    let forced = positions::<R>(material(text))
        .filter(|position| {
            let moves = position.moves();
            let [only] = moves[..] else { return false };
            let (before, after) = (value(position), value(&position.play(&only)));
            assert_eq!(before.wdl, after.wdl.negated(), "{} {position:?}", R::NAME);
            assert_eq!(before.dtw, after.dtw.map(Dtw::one_earlier), "{} {position:?}", R::NAME);
            true
        })
        .count();
    assert!(forced > 100, "{forced} forced moves in {}", R::NAME);
}

#[test]
fn a_position_with_one_move_has_the_value_of_its_successor() {
    a_forced_move_changes_nothing::<International>("KMvKM");
    a_forced_move_changes_nothing::<English>("KMvKM");
    a_forced_move_changes_nothing::<Russian>("KMvKM");
    a_forced_move_changes_nothing::<Turkish>("KMvK");
}

/// The statistics in the headers are those of a scan, and a slice that is its own twin has one table for both sides.
fn headers_say_what_a_scan_counts<R: Solved>(materials: &[&str]) {
    for text in materials {
        let material = material(text);
        assert!(material.is_own_twin());
        let count = Count::all::<R>(material);
        let table = R::tables().table(material.twin(), Metric::Dtw).expect("sound").expect("there");
        let said = &table.table().header().statistics;
        assert_eq!([said.wins, said.draws, said.losses], [count.wins, count.draws, count.losses], "{text}");
        for (said, counted) in [(said.longest_win, count.longest_win), (said.longest_loss, count.longest_loss)] {
            let said = said.map(|longest| (longest.plies, longest.count));
            assert_eq!(said, counted.map(|longest| (longest.plies, longest.count)), "{} {text}", R::NAME);
        }
        let turned = Count::among(positions::<R>(material).map(|position| position.turned()));
        assert_eq!(turned, count, "{} {text}, the other side to move", R::NAME);
    }
}

#[test]
fn equal_sides_have_equal_statistics() {
    let all = ["KvK", "MvM", "KKvKK", "KMvKM", "MMvMM"];
    headers_say_what_a_scan_counts::<International>(&all[..2]);
    headers_say_what_a_scan_counts::<English>(&all);
    headers_say_what_a_scan_counts::<Russian>(&all);
    headers_say_what_a_scan_counts::<Turkish>(&all[..2]);
}

/// Name and bytes of every file in a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
    let name = |entry: &std::fs::DirEntry| entry.file_name().into_string().expect("a plain name");
    entries.map(|entry| (name(&entry), std::fs::read(entry.path()).expect("a table"))).collect()
}

/// RR-047.
fn threads_leave_no_trace<R: Rules>(materials: &[&str]) {
    let materials: Vec<Material> = materials.iter().map(|text| material(text)).collect();
    for &metric in Metric::BUILT {
        let built = |threads| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let options = BuildOptions { threads, ..BuildOptions::default() };
            build::<R>(folder.path(), &materials, metric, &options, &Silent).expect("a small build");
            files(&folder.path().join(R::NAME))
        };
        let one = built(1);
        assert!(one.len() >= 16, "{} files", one.len());
        for threads in [2, 7] {
            assert!(built(threads) == one, "{} {metric}: {threads} threads", R::NAME);
        }
    }
}

#[test]
fn files_are_the_same_for_any_number_of_threads() {
    threads_leave_no_trace::<English>(&["KKvK", "KMvK", "MMvK", "KKvM", "KMvM", "MMvM", "KMvKM"]);
    threads_leave_no_trace::<International>(&["KKvK", "KMvK", "MMvK", "KKvM", "KMvM", "MMvM", "KMMvK"]);
    threads_leave_no_trace::<Russian>(&["KKvK", "KMvK", "MMvK", "KKvM", "KMvM", "MMvM", "MMvMM"]);
    threads_leave_no_trace::<Turkish>(&["KKvK", "KMvK", "MMvK", "KKvM", "KMvM", "MMvM"]);
}
