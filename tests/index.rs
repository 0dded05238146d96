//! The numbering of positions, through the public interface only.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use endame::board::{Bitboard, Geometry, Square};
use endame::index::{Indexer, Material, MaterialError, Order, Row, Runner};
use endame::position::Position;
use endame::rules::{English, International, Rules, Russian, Turkish, Variant};
use endame::with_rules;

fn material(text: &str) -> Material {
    text.parse().expect("a material")
}

fn published(key: &str) -> serde_json::Map<String, serde_json::Value> {
    let all: serde_json::Value = serde_json::from_str(include_str!("../data/published.json")).expect("JSON");
    all["position_counts"][key].as_object().expect("counts by pieces").clone()
}

fn counts_are_those_published<R: Rules>(pieces: u32) {
    let counts = published(R::NAME);
    for n in 2..=pieces {
        let sum: u64 = Material::all_with(n)
            .into_iter()
            .filter(|m| m.check::<R>().is_ok())
            .map(|m| Indexer::<R>::count_placements(m).expect("fits 64 bits"))
            .sum();
        assert_eq!(Some(sum), counts[&n.to_string()].as_u64(), "{} with {n} pieces", R::NAME);
    }
}

#[test]
fn counts_are_those_published_for_english_and_international() {
    counts_are_those_published::<English>(10);
    counts_are_those_published::<International>(9);
    for (split, count) in published("english_kings_only") {
        if let Some(count) = count.as_u64() {
            let kings: Vec<usize> = split.split('v').map(|n| n.parse().expect("a number")).collect();
            let text = format!("{}v{}", "K".repeat(kings[0]), "K".repeat(kings[1]));
            assert_eq!(Indexer::<English>::count_placements(material(&text)), Ok(count), "{text}");
        }
    }
}

#[test]
fn a_slice_too_large_for_64_bits_is_refused() {
    let huge = material("KKKKKMMMMMMMMMMMMMMMvKKKKKMMMMMMMMMMMMMMM");
    assert_eq!(Indexer::<International>::count_placements(huge), Err(MaterialError::TooLarge(huge)));
    let many = Indexer::<English>::with_order(material("KKKKKKKKKKKKKvK"), Order::RowMajor);
    assert!(matches!(many, Err(MaterialError::TooManyPieces { pieces: 13, most: 12, .. })));
}

/// The images of `position` under the symmetries that its slice has.
fn images<R: Rules>(position: &Position<R>) -> Vec<Position<R>> {
    let men = position.occupied().minus(position.kings()).any();
    let (mirror, all) = (R::Geometry::MIRROR, <R::Geometry as Geometry>::SYMMETRIES);
    let symmetries = if men { mirror.as_slice() } else { all };
    let map = |set: Bitboard, symmetry: fn(u32, u32) -> (u32, u32)| -> Bitboard {
        let image = |s: Square| {
            let (row, column) = symmetry(R::Geometry::row(s), R::Geometry::column(s));
            R::Geometry::square_at(row, column).expect("a playing square")
        };
        set.into_iter().map(image).collect()
    };
    let image =
        |&s: &_| Position::from_sets(map(position.ours(), s), map(position.theirs(), s), map(position.kings(), s));
    symmetries.iter().map(image).collect()
}

/// Every position of the slice has its own rank, and a slot that leads back to it or to an image of it.
fn check_whole_slice<R: Rules>(material: Material, order: Order) {
    let indexer = Indexer::<R>::with_order(material, order).expect("small");
    let mut seen = vec![false; indexer.slots() as usize];
    for rank in 0..indexer.placements() {
        let position = indexer.unrank(rank);
        assert_eq!(indexer.rank(&position), rank, "{material} {position:?}");
        assert_eq!(position.sides(), (material.ours(), material.theirs()));
        let slot = indexer.slot(&position);
        let stored = indexer.from_slot(slot);
        assert!(stored == position || images(&position).contains(&stored), "{material} {position:?} {stored:?}");
        assert_eq!(indexer.slot(&stored), slot);
        seen[slot as usize] = true;
    }
    assert!(seen.into_iter().all(|seen| seen), "{material}: a slot without a position");
}

#[test]
fn every_slice_up_to_three_pieces_is_numbered_without_gaps() {
    for &variant in Variant::ALL {
        for material in Material::all_up_to(3) {
            for order in [Order::RowMajor, Order::RowParity] {
                with_rules!(variant, R => check_whole_slice::<R>(material, order));
            }
        }
    }
}

#[test]
fn some_slices_of_four_pieces_are_numbered_without_gaps() {
    check_whole_slice::<English>(material("KMvKM"), Order::RowParity);
    check_whole_slice::<Russian>(material("MMvMM"), Order::RowMajor);
    check_whole_slice::<Russian>(material("KKvKK"), Order::RowParity);
    check_whole_slice::<Russian>(material("KMMvM"), Order::RowMajor);
}

fn position_of<R: Rules>(row: &Row, square: Square) -> Position<R> {
    let runner = Bitboard::of(square);
    let (mut ours, mut theirs) = (row.our_men | row.our_kings, row.their_men | row.their_kings);
    let mut kings = row.our_kings | row.their_kings;
    match row.runner {
        Runner::OurKing => (ours, kings) = (ours | runner, kings | runner),
        Runner::TheirKing => (theirs, kings) = (theirs | runner, kings | runner),
        Runner::TheirMan => theirs |= runner,
    }
    Position::from_sets(ours, theirs, kings)
}

/// Rows give the slots `from..to` in order, each with its position; `from` may be in the middle of a row.
fn check_rows<R: Rules>(indexer: &Indexer<R>, from: u64, to: u64) {
    let mut expected = None;
    for row in indexer.rows_from(from) {
        assert!(row.squares.any());
        assert_eq!(row.first_slot, expected.unwrap_or(row.first_slot), "{}: a gap", indexer.material());
        assert!(expected.is_some() || (row.first_slot..row.end_slot()).contains(&from), "starts elsewhere");
        for (slot, square) in (row.first_slot..).zip(indexer.order().in_order::<R::Geometry>(row.squares)) {
            assert_eq!(position_of(&row, square), indexer.from_slot(slot), "{} {slot}", indexer.material());
        }
        expected = Some(row.end_slot());
        if row.end_slot() >= to {
            return;
        }
    }
    assert_eq!(expected, Some(indexer.slots()), "{}: slots beyond the last row", indexer.material());
}

#[test]
fn rows_cover_every_slot_of_small_slices_once_and_in_order() {
    for &variant in Variant::ALL {
        for material in Material::all_up_to(3) {
            for order in [Order::RowMajor, Order::RowParity] {
                with_rules!(variant, R => {
                    let indexer = Indexer::<R>::with_order(material, order).expect("small");
                    check_rows(&indexer, 0, indexer.slots());
                    check_rows(&indexer, indexer.slots() - 1, indexer.slots());
                });
            }
        }
    }
    for text in ["KMvKM", "MMvMM", "KMMvM", "KKvKK", "MvKKM"] {
        let indexer = Indexer::<English>::new(material(text));
        check_rows(&indexer, 0, indexer.slots());
    }
}

/// A fixed sequence of numbers (SplitMix64).
fn random(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |i: u64| {
        let mut z = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}

fn check_samples<R: Rules>(text: &str) -> Indexer<R> {
    let indexer = Indexer::<R>::new(material(text));
    let ends = |size: u64| [0, 1, size / 2, size - 2, size - 1];
    let limits = [1u64 << 31, 1 << 32].into_iter().flat_map(|limit| [limit - 1, limit, limit + 1]);
    let (placements, slots) = (indexer.placements(), indexer.slots());
    let samples = limits.chain(random(48).take(500)).collect::<Vec<u64>>();
    for rank in samples.iter().map(|n| n % placements).chain(ends(placements)) {
        let position = indexer.unrank(rank);
        assert_eq!(indexer.rank(&position), rank, "{} {text}, seed 48", R::NAME);
        let stored = indexer.from_slot(indexer.slot(&position));
        assert!(stored == position || images(&position).contains(&stored), "{} {text} {position:?}", R::NAME);
    }
    for slot in samples.iter().map(|n| n % slots).chain(ends(slots)) {
        assert_eq!(indexer.slot(&indexer.from_slot(slot)), slot, "{} {text}, seed 48", R::NAME);
        check_rows(&indexer, slot, (slot + 200).min(slots));
    }
    indexer
}

#[test]
fn large_slices_are_numbered_both_ways_at_samples() {
    assert_eq!(check_samples::<International>("KKKKvKKKK").placements(), 37_581_505_500);
    assert_eq!(check_samples::<International>("KKKvKKK").placements(), 317_814_000);
    assert_eq!(check_samples::<Russian>("KKKKvKKKK").placements(), 736_281_000);
    assert_eq!(check_samples::<English>("KKKKvKKKK").placements(), 736_281_000);
    assert_eq!(check_samples::<Turkish>("KKKKvKKKK").placements(), 309_831_575_760);
    check_samples::<International>("KKMMMvKKMMM");
    check_samples::<International>("MMMMMvMMMMM");
    check_samples::<English>("KKMMMvKKKMM");
    check_samples::<English>("MMMMMMvKKKKKK");
    check_samples::<English>("KKKKKKvKKKKKK");
    check_samples::<Turkish>("KMMMvKKMM");
    check_samples::<Turkish>("KKKvKKMMM");
    check_samples::<Turkish>("MMMMMMvKKMMM");
    check_samples::<Turkish>("MMMvMM");
    check_samples::<Turkish>("MMMvKK");
}

/// Of positions that are alike, those whose lead is alone in its orbit under one symmetry may keep more than one slot.
fn alike_positions_share_a_slot<R: Rules>(text: &str, smallest_share: f64) {
    let indexer = Indexer::<R>::new(material(text));
    let mut slots_of: HashMap<Position<R>, Vec<u64>> = HashMap::new();
    for rank in 0..indexer.placements() {
        let position = indexer.unrank(rank);
        let orbit = images(&position)
            .into_iter()
            .chain([position])
            .min_by_key(|p| (p.ours(), p.theirs(), p.kings()))
            .expect("one at least");
        let slots = slots_of.entry(orbit).or_default();
        let slot = indexer.slot(&position);
        if !slots.contains(&slot) {
            slots.push(slot);
        }
    }
    let orbits = slots_of.len() as f64;
    let share = orbits / indexer.slots() as f64;
    assert!(share > smallest_share && share <= 1.0, "{} {text}: {orbits} orbits, {} slots", R::NAME, indexer.slots());
}

#[test]
fn alike_positions_share_a_slot_but_for_symmetric_leads() {
    alike_positions_share_a_slot::<English>("KKvKK", 0.85);
    alike_positions_share_a_slot::<International>("KvKK", 0.85);
    alike_positions_share_a_slot::<Turkish>("KvKK", 0.85);
    alike_positions_share_a_slot::<Turkish>("KMvK", 0.999); // One man is never its own mirror image.
    alike_positions_share_a_slot::<Turkish>("KvMM", 0.95);
}

#[test]
fn english_slices_count_by_row_parity_and_others_row_by_row() {
    assert_eq!(Indexer::<English>::new(material("KvK")).order(), Order::RowParity);
    assert_eq!(Indexer::<International>::new(material("KvK")).order(), Order::RowMajor);
    // Slot 1 of one man each: our man stands on the first square below the top row, theirs on its second place.
    let position = Indexer::<International>::new(material("MvM")).unrank(1);
    assert_eq!(position.our_men(), Bitboard::of(<International as Rules>::Geometry::square(5)));
    assert_eq!(position.their_men(), Bitboard::of(<International as Rules>::Geometry::square(1)));
    // In row parity the squares 9..12 of row 2 come before those of row 1.
    let position = Indexer::<English>::new(material("MvK")).unrank(0);
    assert_eq!(position.our_men(), Bitboard::of(<English as Rules>::Geometry::square(8)));
}

/// Ranks and slots of samples, as a program in Python computes them that was written from INDEX.md alone.
#[test]
fn a_reader_in_python_written_from_the_text_finds_the_same_slots() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: python3 is not here");
        return;
    }
    let (mut lines, mut expected) = (String::new(), Vec::new());
    let mut sample = |variant: Variant, text: &str, order: Order| {
        with_rules!(variant, R => {
            let indexer = Indexer::<R>::with_order(material(text), order).expect("fits 64 bits");
            let last = indexer.placements() - 1;
            for rank in [0, last].into_iter().chain(random(last).take(12).map(|n| n % last)) {
                let position = indexer.unrank(rank);
                let places = |set: Bitboard| set.into_iter().map(<R as Rules>::Geometry::place).collect::<Vec<u32>>();
                lines += &format!("[\"{variant}\", \"{text}\", {}", order.number());
                for set in [position.our_men(), position.their_men(), position.their_kings(), position.our_kings()] {
                    lines += &format!(", {:?}", places(set));
                }
                lines += "]\n";
                expected.push(format!("{rank} {}", indexer.slot(&position)));
            }
        });
    };
    for &variant in Variant::ALL {
        for order in [Order::RowMajor, Order::RowParity] {
            for text in ["KvK", "MvM", "KKvKK", "KvMM", "MMvK", "KMMvKM", "KKMMMvKKMMM", "KKvKKKKKK"] {
                sample(variant, text, order);
            }
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/endame_index.py");
    let mut python = Command::new("python3");
    let mut python = python.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python runs");
    let mut input = python.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().expect("python ends");
    writer.join().expect("no panic").expect("python reads all");
    assert!(output.status.success());
    let found: Vec<&str> = std::str::from_utf8(&output.stdout).expect("ASCII").lines().collect();
    assert_eq!(found, expected);
}
