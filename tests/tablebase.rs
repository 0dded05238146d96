//! A folder of tables, made by the naive solver: every position answered, and everything that can go wrong with a file.

mod naive_solver;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use endame::board::{Bitboard, Geometry};
use endame::index::{Indexer, Material};
use endame::position::Position;
use endame::rules::{English, International, Rules, Russian, Turkish};
use endame::table::{BlockEncoder, Coding, Distance, FREE, Header, Longest, Statistics, TableError, TableWriter};
use endame::tablebase::{ProbeError, Tablebase, Value, table_path};
use endame::value::{Dtc, Dtw, Metric, Wdl};
use naive_solver::NaiveSolver;

const BLOCK_SLOTS: usize = 4096;

fn material(text: &str) -> Material {
    text.parse().expect("a material")
}

/// Counts over every placement of a slice.
fn statistics<R: Rules>(solver: &NaiveSolver<R>, indexer: &Indexer<R>, metric: Metric) -> Statistics {
    let mut statistics = Statistics::default();
    let mut histogram = Vec::<Distance>::new();
    for position in (0..indexer.placements()).map(|rank| indexer.unrank(rank)) {
        let Some(Dtw(plies)) = solver.dtw(&position) else {
            statistics.draws += 1;
            continue;
        };
        let is_win = Dtw(plies).wdl() == Wdl::Win;
        *(if is_win { &mut statistics.wins } else { &mut statistics.losses }) += 1;
        let longest = if is_win { &mut statistics.longest_win } else { &mut statistics.longest_loss };
        let slot = indexer.slot(&position);
        match longest {
            Some(longest) if longest.plies == plies => longest.count += 1,
            Some(longest) if longest.plies > plies => {}
            _ => *longest = Some(Longest { plies, count: 1, slot }),
        }
        match histogram.iter_mut().find(|distance| distance.plies == plies) {
            Some(distance) => *(if is_win { &mut distance.wins } else { &mut distance.losses }) += 1,
            None => histogram.push(Distance { plies, wins: is_win.into(), losses: (!is_win).into() }),
        }
    }
    if metric == Metric::Dtw {
        histogram.sort_by_key(|distance| distance.plies);
        statistics.histogram = histogram;
    } else {
        (statistics.longest_win, statistics.longest_loss) = (None, None);
    }
    statistics
}

fn header<R: Rules>(solver: &NaiveSolver<R>, indexer: &Indexer<R>, metric: Metric) -> Header {
    Header {
        variant: R::NAME.to_string(),
        facts_hash: R::facts_hash(),
        material: indexer.material().to_string(),
        metric,
        order: indexer.order().number(),
        positions: indexer.placements(),
        slots: indexer.slots(),
        block_slots: BLOCK_SLOTS as u32,
        coding: Coding::of(metric, 100),
        level: 3,
        statistics: statistics(solver, indexer, metric),
    }
}

fn write_table<R: Rules>(folder: &Path, solver: &NaiveSolver<R>, material: Material, metric: Metric) {
    let indexer = Indexer::<R>::new(material);
    let header = header(solver, &indexer, metric);
    let path = table_path(folder, R::NAME, material, metric);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
    let mut writer = TableWriter::create(&path, &header).expect("a new file");
    let mut encoder = BlockEncoder::new(header.coding, header.level);
    let symbols: Vec<u16> = (0..indexer.slots())
        .map(|slot| {
            let position = indexer.from_slot(slot);
            match (metric, solver.distances(&position)) {
                _ if position.must_capture() => FREE,
                (Metric::Wdl, value) => value.map_or(Wdl::Draw, |(dtw, _)| dtw.wdl()) as u16,
                (_, None) => 0,
                (Metric::Dtw, Some((Dtw(plies), _))) => plies + 1,
                (Metric::Outcome | Metric::Dtr, _) => unreachable!("outcomes are built, not written here"),
                (Metric::Dtc, Some((dtw, plies))) => Dtc { wins: dtw.wdl() == Wdl::Win, plies }.symbol(),
            }
        })
        .collect();
    for block in symbols.chunks(BLOCK_SLOTS) {
        writer.push_block(&encoder.encode(&mut block.to_vec())).expect("room on the disk");
    }
    writer.finish().expect("room on the disk");
}

fn write_tables<R: Rules>(folder: &Path, solver: &NaiveSolver<R>, pieces: u32, metric: Metric) {
    for material in Material::all_up_to(pieces) {
        write_table(folder, solver, material, metric);
    }
}

/// English positions of up to three pieces, solved once for all tests.
fn english() -> &'static NaiveSolver<English> {
    static SOLVER: OnceLock<NaiveSolver<English>> = OnceLock::new();
    SOLVER.get_or_init(|| NaiveSolver::solve(3))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A folder with the English tables of two pieces.
fn english_two() -> tempfile::TempDir {
    let folder = folder();
    write_tables(folder.path(), english(), 2, Metric::Dtw);
    folder
}

/// Numbers of squares from 1, as White sees the board, kings first: the English position with White to move.
fn white<R: Rules>(white: [&[u32]; 2], black: [&[u32]; 2]) -> Position<R> {
    let set = |squares: [&[u32]; 2]| -> Bitboard {
        squares.concat().into_iter().map(|number| R::Geometry::square(number - 1)).collect()
    };
    let kings = set([white[0], black[0]]);
    Position::new(set(white), set(black), kings).expect("a position")
}

/// Every position has the value of the naive solver, its moves are in order, and a sample of lines keeps its promise.
fn check_all<R: Rules>(tables: &Tablebase<R>, solver: &NaiveSolver<R>, pieces: u32, step: usize) {
    for material in Material::all_up_to(pieces) {
        let indexer = Indexer::<R>::new(material);
        for rank in (0..indexer.placements()).step_by(step) {
            let position = indexer.unrank(rank);
            let dtw = solver.dtw(&position);
            let value = tables.probe(&position).expect("the table is there");
            assert_eq!((value.wdl, value.dtw), (dtw.map_or(Wdl::Draw, Dtw::wdl), dtw), "{} {position:?}", R::NAME);
            if rank % 16 == 0 {
                check_moves(tables, &position, value);
            }
        }
    }
}

fn check_moves<R: Rules>(tables: &Tablebase<R>, position: &Position<R>, value: Value) {
    let moves = tables.moves(position).expect("every table is there");
    assert_eq!(moves.len(), position.moves().len());
    let values: Vec<Value> = moves.iter().map(|valued| valued.value.expect("every table is there")).collect();
    // Best first: the first move keeps the value, and none is better than the one before it.
    if let Some(best) = values.first() {
        assert_eq!((best.wdl.negated(), best.dtw.map(Dtw::one_earlier)), (value.wdl, value.dtw));
    }
    for pair in values.windows(2) {
        let in_order = match (pair[0].wdl, pair[1].wdl) {
            (Wdl::Loss, Wdl::Loss) => pair[0].dtw <= pair[1].dtw,
            (Wdl::Win, Wdl::Win) => pair[0].dtw >= pair[1].dtw,
            (a, b) => a <= b,
        };
        assert!(in_order, "{values:?}");
    }
    let line = tables.best_line(position).expect("every table is there");
    assert_eq!(line.len(), value.dtw.map_or(0, |Dtw(plies)| plies.into()));
    if value.dtw.is_some() {
        let end = line.iter().fold(*position, |position, mv| {
            assert!(position.moves().contains(mv));
            position.play(mv)
        });
        assert!(end.is_over());
    }
}

fn dtw_tables_answer_every_position<R: Rules>(pieces: u32, step: usize) {
    let (folder, solver) = (folder(), NaiveSolver::<R>::solve(pieces));
    write_tables(folder.path(), &solver, pieces, Metric::Dtw);
    check_all(&Tablebase::open(folder.path()).expect("a folder"), &solver, pieces, step);
}

#[test]
fn dtw_tables_answer_every_position_of_every_variant() {
    dtw_tables_answer_every_position::<International>(2, 1);
    dtw_tables_answer_every_position::<Russian>(3, 7);
    dtw_tables_answer_every_position::<Turkish>(2, 1);
    let folder = folder();
    write_tables(folder.path(), english(), 3, Metric::Dtw);
    check_all(&Tablebase::open(folder.path()).expect("a folder"), english(), 3, 1);
}

#[test]
fn the_naive_solver_counts_what_others_have_published() {
    fn counts<R: Rules>(solver: &NaiveSolver<R>, text: &str) -> (u64, u64, u64) {
        let statistics = statistics(solver, &Indexer::new(material(text)), Metric::Wdl);
        (statistics.wins, statistics.losses, statistics.draws)
    }
    // Trice, damforum thread 2603.
    assert_eq!(counts(english(), "KvK"), (230, 108, 654));
    // Endgame tables of mobydam, whose checksums agree.
    let international = NaiveSolver::<International>::solve(2);
    assert_eq!(counts(&international, "KvK"), (424, 2, 2024));
    assert_eq!(counts(&international, "MvM"), (736, 450, 799));
}

#[test]
fn wdl_tables_give_values_without_distances() {
    let folder = folder();
    write_tables(folder.path(), english(), 2, Metric::Wdl);
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    let indexer = Indexer::<English>::new(material("KvM"));
    for position in (0..indexer.placements()).map(|rank| indexer.unrank(rank)) {
        let value = tables.probe(&position).expect("the table is there");
        assert_eq!(value.wdl, english().dtw(&position).map_or(Wdl::Draw, Dtw::wdl));
        if !position.must_capture() && position.has_move() {
            assert_eq!(value.dtw, None);
            assert_eq!(tables.best_line(&position).expect("no error"), []);
        }
    }
}

#[test]
fn dtw_decides_where_both_metrics_are_there() {
    let folder = english_two();
    write_tables(folder.path(), english(), 2, Metric::Wdl);
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    check_all(&tables, english(), 2, 1);
    assert!(tables.table(material("KvK"), Metric::Wdl).expect("sound").is_some());
}

#[test]
fn a_side_without_a_piece_or_a_move_has_lost() {
    let folder = folder();
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    let probe = |position| tables.probe(&position).expect("no table is needed");
    assert_eq!(probe(white([&[], &[]], [&[5], &[]])), Value::at(Dtw(0)));
    assert_eq!(probe(white([&[5], &[]], [&[], &[]])), Value::at(Dtw(1)));
    // White's man on 21 is held up by the man on 17, and cannot take it: 14 is taken too.
    assert_eq!(probe(white([&[], &[21]], [&[], &[17, 14]])), Value::at(Dtw(0)));
    // White takes the only piece.
    assert_eq!(probe(white([&[], &[18]], [&[], &[15]])), Value::at(Dtw(1)));
    assert!(tables.best_line(&white([&[], &[18]], [&[], &[15]])).is_ok_and(|line| line.len() == 1));
}

#[test]
fn missing_tables_are_named_and_found_after_a_refresh() {
    let folder = english_two();
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    // The mover may advance the man on 6 to the last row, or not.
    let position = white::<English>([&[32], &[6]], [&[1], &[]]);
    let error = tables.probe(&position).expect_err("no tables of three pieces");
    assert!(matches!(error, ProbeError::NoTable { material, .. } if material.to_string() == "KMvK"));
    assert!(error.to_string().contains("endame build english --material KMvK"), "{error}");
    let names = |materials: Vec<Material>| materials.iter().map(Material::to_string).collect::<Vec<String>>();
    // Black must take the man if it stays; if it is crowned on 2, nothing is due.
    assert_eq!(names(tables.missing(&position).expect("no error")), ["KMvK", "KvKK"]);
    let moves = tables.moves(&position).expect("missing tables leave values open");
    assert!(moves.iter().any(|valued| valued.value.is_none() && names(valued.missing.clone()) == ["KvKK"]));
    assert!(moves.is_sorted_by_key(|valued| valued.value.is_none()));

    write_tables(folder.path(), english(), 3, Metric::Dtw);
    assert!(tables.probe(&position).is_err());
    tables.refresh();
    assert_eq!(tables.probe(&position).expect("built").dtw, english().dtw(&position));
    assert!(tables.missing(&position).expect("no error").is_empty());
}

/// Changes the bytes of a table and says what a probe of its material answers then.
fn error_after(change: impl Fn(&Path, Vec<u8>)) -> String {
    let folder = english_two();
    let path = table_path(folder.path(), English::NAME, material("KvK"), Metric::Dtw);
    change(&path, fs::read(&path).expect("a table"));
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    let error = tables.probe(&white([&[32], &[]], [&[1], &[]])).expect_err("the table is no good");
    assert!(matches!(error, ProbeError::Table { .. }), "{error}");
    // The others stay usable.
    let other = white([&[32], &[]], [&[], &[1]]);
    assert_eq!(tables.probe(&other).expect("sound").dtw, english().dtw(&other));
    let error = error.to_string();
    assert!(error.contains(&path.display().to_string()), "{error} names the file");
    error
}

#[test]
fn a_damaged_or_foreign_file_is_named_and_others_stay_usable() {
    let write = |path: &Path, bytes: &[u8]| fs::write(path, bytes).expect("a file");
    let is = |error: String, part: &str| assert!(error.contains(part), "{error}");
    is(error_after(|path, _| write(path, &[])), "empty");
    is(error_after(|path, bytes| write(path, &bytes[..bytes.len() / 2])), "ends early");
    is(error_after(|path, bytes| write(path, &bytes[..20])), "ends early");
    is(error_after(|path, _| write(path, b"draughts")), "not a table");
    is(
        error_after(|path, mut bytes| {
            *bytes.last_mut().expect("bytes") ^= 1;
            write(path, &bytes);
        }),
        "altered",
    );
    is(
        error_after(|path, _| {
            fs::remove_file(path).expect("a file");
            fs::create_dir(path).expect("a folder");
        }),
        "readable file",
    );
}

#[test]
fn a_sound_table_in_the_place_of_another_is_refused() {
    let folder = english_two();
    let path = |text: &str| table_path(folder.path(), English::NAME, material(text), Metric::Dtw);
    fs::copy(path("KvM"), path("KvK")).expect("a copy");
    let error = || {
        let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
        tables.probe(&white([&[32], &[]], [&[1], &[]])).expect_err("another table").to_string()
    };
    assert!(error().contains("expected material KvK, got KvM"), "{}", error());

    // The same but for one field of the header.
    let indexer = Indexer::<English>::new(material("KvK"));
    let refused = |change: fn(&mut Header)| {
        let mut header = header(english(), &indexer, Metric::Dtw);
        change(&mut header);
        let mut writer = TableWriter::create(&path("KvK"), &header).expect("a new file");
        writer
            .push_block(&BlockEncoder::new(header.coding, 3).encode(&mut vec![0; header.slots as usize]))
            .expect("room");
        writer.finish().expect("room");
        error()
    };
    assert!(refused(|header| header.variant = Russian::NAME.into()).contains("variant english, got russian"));
    assert!(refused(|header| header.facts_hash += 1).contains("rule facts"));
    assert!(refused(|header| header.order = 2).contains("square order"));
    assert!(refused(|header| header.slots -= 1).contains("slots"));
    let positions = refused(|header| (header.positions, header.statistics.draws) = (991, header.statistics.draws - 1));
    assert!(positions.contains("expected positions 992, got 991"), "{positions}");
}

#[test]
fn tables_that_contradict_each_other_are_found_out() {
    let folder = english_two();
    // All of KvK said to be won in 5, by either side to move.
    let indexer = Indexer::<English>::new(material("KvK"));
    let mut header = header(english(), &indexer, Metric::Dtw);
    let distance = Distance { plies: 5, wins: 992, losses: 0 };
    let longest_win = Some(Longest { plies: 5, count: 992, slot: 0 });
    header.statistics = Statistics { wins: 992, longest_win, histogram: vec![distance], ..Statistics::default() };
    let path = table_path(folder.path(), English::NAME, material("KvK"), Metric::Dtw);
    let mut writer = TableWriter::create(&path, &header).expect("a new file");
    writer.push_block(&BlockEncoder::new(header.coding, 3).encode(&mut vec![6; header.slots as usize])).expect("room");
    writer.finish().expect("room");
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    let error = tables.best_line(&white([&[32], &[]], [&[1], &[]])).expect_err("no move keeps the promise");
    assert!(matches!(error, ProbeError::Contradiction { .. }), "{error}");
}

#[test]
fn a_table_of_more_pieces_than_can_be_solved_is_missing() {
    let folder = folder();
    let tables = Tablebase::<International>::open(folder.path()).expect("no folder of the variant is needed");
    assert!(matches!(tables.probe(&Position::start()), Err(ProbeError::NoTable { .. })));
    let none = Tablebase::<International>::open(folder.path().join("none")).expect("a folder may be made later");
    assert!(matches!(none.probe(&Position::start()), Err(ProbeError::NoTable { .. })));
}

#[test]
fn a_file_in_the_place_of_the_folder_is_an_error() {
    let folder = folder();
    let file = folder.path().join("tables");
    fs::write(&file, "no folder").expect("a file");
    assert!(matches!(Tablebase::<English>::open(&file), Err(ProbeError::NotAFolder(path)) if path == file));
}

#[test]
fn a_read_only_folder_works() {
    let folder = english_two();
    let inner: PathBuf = folder.path().join(English::NAME);
    let mut permissions = fs::metadata(&inner).expect("a folder").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&inner, permissions.clone()).expect("its owner may");
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    let answer = tables.probe(&white([&[32], &[]], [&[1], &[]]));
    #[expect(clippy::permissions_set_readonly_false, reason = "as it was, so that it can be removed")]
    permissions.set_readonly(false);
    fs::set_permissions(&inner, permissions).expect("its owner may");
    assert!(answer.is_ok());
}

#[test]
fn a_small_cache_gives_the_same_answers() {
    let folder = english_two();
    for bytes in [0, 5000] {
        let tables = Tablebase::<English>::open(folder.path()).expect("a folder").with_cache_bytes(bytes);
        check_all(&tables, english(), 2, 1);
    }
}

#[test]
fn opening_and_closing_many_times_leaks_nothing() {
    let folder = english_two();
    let position = white::<English>([&[32], &[]], [&[1], &[]]);
    // Maps and open files of this process, where the system lists them. Other tests run meanwhile: they open a few.
    let held = || {
        let count = |list: &str| fs::read_dir(list).map_or(0, Iterator::count);
        let maps = fs::read_to_string("/proc/self/maps").map_or(0, |maps| maps.lines().count());
        count("/proc/self/fd") + maps
    };
    let before = held();
    for _ in 0..2000 {
        let tables = Tablebase::<English>::open(folder.path()).expect("a folder").with_cache_bytes(1 << 16);
        tables.probe(&position).expect("the table is there");
    }
    assert!(held() < before + 500, "{before} before, {} after", held());
}

#[test]
fn a_tablebase_can_be_shared_and_sent() {
    fn check<T: Send + Sync>() {}
    check::<Tablebase<English>>();
    check::<ProbeError>();
    check::<TableError>();
    let folder = english_two();
    let tables = Tablebase::<English>::open(folder.path()).expect("a folder");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| check_all(&tables, english(), 2, 3));
        }
    });
}
