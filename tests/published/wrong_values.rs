//! A verification finds a value that was altered, and statistics that were.

use std::path::{Path, PathBuf};

use endame::build::{BuildOptions, Fault, Silent, build, verify};
use endame::index::{Indexer, Material};
use endame::position::{Fen, Position};
use endame::rules::{Colour, English, International, Rules, Russian, Turkish};
use endame::table::{BlockEncoder, Distance, Header, Table, TableWriter};
use endame::tablebase::table_path;
use endame::value::Metric;

use crate::solved::material;

/// A sample larger than any table here: every slot is checked, one by one.
const EVERY_SLOT: Option<u64> = Some(1 << 40);

fn built<R: Rules>(material: Material, metric: Metric) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    build::<R>(folder.path(), &[material], metric, &BuildOptions::default(), &Silent).expect("a small build");
    folder
}

/// Writes a table again with another header or other symbols; its checksums are right.
fn rewrite(path: &Path, change: impl FnOnce(&mut Header, &mut [u16])) {
    let table = Table::open(path).expect("a table");
    let mut header = table.header().clone();
    let mut symbols = Vec::new();
    let mut block = Vec::new();
    for number in 0..table.block_count() {
        table.decode_block(number, &mut block).expect("a sound block");
        symbols.append(&mut block);
    }
    change(&mut header, &mut symbols);
    let mut writer = TableWriter::create(path, &header).expect("a new file");
    let mut encoder = BlockEncoder::new(header.coding, header.level);
    for block in symbols.chunks_mut(header.block_slots as usize) {
        writer.push_block(&encoder.encode(block)).expect("room on the disk");
    }
    writer.finish().expect("room on the disk");
}

/// What a verification of one table finds.
fn fault<R: Rules>(folder: &Path, material: Material, metric: Metric, sample: Option<u64>) -> Option<Fault> {
    let options = BuildOptions::default();
    let verified = verify::<R>(folder, &[material], metric, sample, &options, &Silent).expect("sound files");
    assert_eq!(verified.tables, 1);
    assert!(verified.values > 0);
    verified.fault
}

/// Some slots that hold a value, with their positions: the first, the last, and two between.
fn some_stored<R: Rules>(material: Material) -> Vec<(u64, Position<R>)> {
    let indexer = Indexer::<R>::new(material);
    let all = (0..indexer.slots()).map(|slot| (slot, indexer.from_slot(slot)));
    let stored: Vec<_> = all.filter(|(_, position)| !position.must_capture()).collect();
    let last = stored.len() - 1;
    [0, last / 3, last / 2, last].map(|number| stored[number]).to_vec()
}

fn an_altered_value_is_found<R: Rules>(text: &str, metric: Metric) {
    let material = material(text);
    let folder = built::<R>(material, metric);
    let path = table_path(folder.path(), R::NAME, material, metric);
    let sound = std::fs::read(&path).expect("a table");
    let check = |sample| fault::<R>(folder.path(), material, metric, sample);
    assert_eq!((check(None), check(EVERY_SLOT)), (None, None));
    for (slot, position) in some_stored::<R>(material) {
        rewrite(&path, |_, symbols| {
            let symbol = &mut symbols[slot as usize];
            // Another value; for distances the same winner, two plies later, or a draw won at once.
            *symbol = if metric == Metric::Dtw { *symbol + 2 } else { (*symbol + 1) % 3 };
        });
        for sample in [None, EVERY_SLOT] {
            let fault = check(sample).unwrap_or_else(|| panic!("{} {text} {metric}: slot {slot} passes", R::NAME));
            // The first wrong slot may be one that a move leads from here; its position is named as well.
            let named: u64 = fault.what.split(' ').nth(1).and_then(|slot| slot.parse().ok()).expect("a slot");
            assert!(named <= slot, "{fault:?}, {slot} was altered");
            let position = if named == slot { position } else { Indexer::<R>::new(material).from_slot(named) };
            let fen = Fen { position, mover: Colour::White }.to_string();
            assert_eq!((fault.fen, fault.path), (Some(fen), path.clone()));
        }
        std::fs::write(&path, &sound).expect("room on the disk");
    }
}

#[test]
fn an_altered_value_is_found_in_every_variant_and_metric() {
    for &metric in Metric::BUILT {
        an_altered_value_is_found::<International>("KMvK", metric);
        an_altered_value_is_found::<English>("KvKM", metric);
        an_altered_value_is_found::<Russian>("MMvM", metric);
        an_altered_value_is_found::<Turkish>("KMvM", metric);
    }
}

fn altered_statistics_are_found<R: Rules>(text: &str) {
    type Change = fn(&mut Header);
    let material = material(text);
    let changes: [(Metric, Change); 5] = [
        (Metric::Wdl, |header| (header.statistics.wins, header.statistics.draws) = swapped(header)),
        (Metric::Dtw, |header| {
            // A draw counted as a win in the shortest time.
            header.statistics.draws -= 1;
            header.statistics.wins += 1;
            winning(header).first_mut().expect("some position is won").wins += 1;
        }),
        (Metric::Dtw, |header| {
            // A win counted at another distance.
            let mut distances = winning(header);
            assert!(distances.len() > 2 && distances[1].wins > 1, "wins at three distances");
            distances[0].wins += 1;
            distances[1].wins -= 1;
        }),
        (Metric::Dtw, |header| {
            // The longest win two plies longer.
            let last = winning(header).pop().expect("some position is won");
            let (plies, wins) = (last.plies, last.wins);
            last.wins = 0;
            let longer = Distance { plies: plies + 2, wins, losses: 0 };
            header.statistics.histogram.retain(|d| d.wins + d.losses > 0);
            header.statistics.histogram.push(longer);
            header.statistics.histogram.sort_by_key(|d| d.plies);
            header.statistics.longest_win.as_mut().expect("some position is won").plies += 2;
        }),
        (Metric::Dtw, |header| header.statistics.longest_win.as_mut().expect("some position is won").slot += 1),
    ];
    for (number, (metric, change)) in changes.into_iter().enumerate() {
        let folder = built::<R>(material, metric);
        let path: PathBuf = table_path(folder.path(), R::NAME, material, metric);
        rewrite(&path, |header, _| change(header));
        let fault = fault::<R>(folder.path(), material, metric, None);
        let fault = fault.unwrap_or_else(|| panic!("{} {text}: change {number} of the header passes", R::NAME));
        assert_eq!((fault.path, fault.fen), (path, None), "{}", fault.what);
    }
}

fn swapped(header: &Header) -> (u64, u64) {
    assert_ne!(header.statistics.wins, header.statistics.draws);
    (header.statistics.draws, header.statistics.wins)
}

/// The distances at which positions are won, shortest first.
fn winning(header: &mut Header) -> Vec<&mut Distance> {
    header.statistics.histogram.iter_mut().filter(|d| d.wins > 0).collect()
}

#[test]
fn altered_statistics_are_found_in_every_variant() {
    altered_statistics_are_found::<International>("KMvK");
    altered_statistics_are_found::<English>("KMvK");
    altered_statistics_are_found::<Russian>("MMvM");
    altered_statistics_are_found::<Turkish>("KKvM");
}
