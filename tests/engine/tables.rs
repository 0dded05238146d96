//! The search with tables, and the tables as a judge of the search without.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use endame::board::{Bitboard, Geometry};
use endame::build::{BuildOptions, Silent, build};
use endame::engine::{Found, Game, Limits, MaterialEvaluation, Options, Score, Searcher, Tables};
use endame::index::Material;
use endame::position::{Fen, Position};
use endame::rules::{Colour, English, International, Rules, Russian, Turkish};
use endame::tablebase::{ProbeError, Tablebase, Value};
use endame::value::{Metric, Wdl};

use crate::dice::Dice;

/// A folder with all tables of up to three pieces: distances, or only wins.
fn folder(metric: Metric) -> &'static Path {
    static FOLDERS: [OnceLock<tempfile::TempDir>; 2] = [OnceLock::new(), OnceLock::new()];
    let folder = FOLDERS[metric as usize].get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fn small<R: Rules>(folder: &Path, metric: Metric) {
            let all = Material::all_up_to(3);
            build::<R>(folder, &all, metric, &BuildOptions::default(), &Silent).expect("small tables are built");
        }
        small::<International>(folder.path(), metric);
        small::<English>(folder.path(), metric);
        small::<Russian>(folder.path(), metric);
        small::<Turkish>(folder.path(), metric);
        folder
    });
    folder.path()
}

fn open<R: Rules>(metric: Metric) -> Tablebase<R> {
    Tablebase::open(folder(metric)).expect("a folder")
}

/// A random position with these pieces: our kings and men, their kings and men.
fn position<R: Rules>(dice: &mut Dice, counts: [usize; 4]) -> Position<R> {
    let squares: Vec<_> = R::Geometry::BOARD.into_iter().collect();
    loop {
        let mut free = squares.clone();
        let sets = counts.map(|n| (0..n).map(|_| free.swap_remove(dice.below(free.len()))).collect::<Bitboard>());
        if let Ok(position) = Position::new(sets[0] | sets[1], sets[2] | sets[3], sets[0] | sets[2]) {
            return position;
        }
    }
}

const SMALL: [[usize; 4]; 6] = [[2, 0, 1, 0], [1, 0, 2, 0], [1, 1, 1, 0], [1, 0, 0, 2], [0, 2, 0, 1], [1, 0, 1, 0]];

fn game_at<R: Rules>(position: Position<R>) -> Game<R> {
    Game::new(Fen { position, mover: Colour::White })
}

fn search<R: Rules>(game: &Game<R>, tables: Option<Tables<'_, R>>, limits: Limits<'_>, options: Options) -> Found {
    let searcher = Searcher::new(MaterialEvaluation::of::<R>(), options);
    let mut searcher = match tables {
        Some(tables) => searcher.with_tables(tables),
        None => searcher,
    };
    searcher.search(game, &limits).expect("the tables are sound")
}

fn expected(value: Value) -> Score {
    match (value.wdl, value.dtw) {
        (Wdl::Draw, _) => Score::DRAW,
        (Wdl::Win, Some(dtw)) => Score::win_in(dtw.0.into()),
        (Wdl::Loss, Some(dtw)) => Score::loss_in(dtw.0.into()),
        (_, None) => panic!("no distance"),
    }
}

fn is_exact_inside<R: Rules>() {
    let tablebase = open::<R>(Metric::Dtw);
    let tables = Tables::new(&tablebase).expect("sound tables");
    assert_eq!(tables.most_pieces(), 3);
    let mut dice = Dice(21);
    for counts in SMALL.into_iter().cycle().take(120) {
        let game = game_at(position::<R>(&mut dice, counts));
        let value = tablebase.probe(&game.position()).expect("a table");
        if value.dtw.is_some_and(|dtw| u32::from(dtw.0) > game.counts().left()) {
            continue;
        }
        let found = search(&game, Some(tables), Limits::depth(3), Options::default());
        assert_eq!((found.score, found.is_exact), (expected(value), true), "{} {}", R::NAME, game.fen());
        // The line goes on to the end of the game.
        let mut end = game.clone();
        found.line.iter().for_each(|mv| end.play(mv));
        if let Some(plies) = found.score.plies() {
            assert_eq!(found.line.len(), plies as usize, "{} {}", R::NAME, game.fen());
            assert!(end.position().is_over());
        }
    }
}

#[test]
fn a_position_in_a_table_has_its_exact_value_and_a_line_to_the_end() {
    is_exact_inside::<International>();
    is_exact_inside::<English>();
    is_exact_inside::<Russian>();
    is_exact_inside::<Turkish>();
}

fn finds_what_tables_know<R: Rules>() {
    let tablebase = open::<R>(Metric::Dtw);
    let plain = Options { reductions: false, extensions: false, threats: false, quick: false, table_bytes: 1 << 20 };
    let mut dice = Dice(22);
    let mut decided = 0;
    for counts in SMALL.into_iter().cycle().take(300) {
        let game = game_at(position::<R>(&mut dice, counts));
        let value = tablebase.probe(&game.position()).expect("a table");
        if let Some(dtw) = value.dtw.filter(|dtw| dtw.0 <= 6) {
            let found = search(&game, None, Limits::depth(u32::from(dtw.0).max(1)), plain);
            assert_eq!(found.score, expected(value), "{} {}", R::NAME, game.fen());
            decided += 1;
        }
    }
    assert!(decided > 30, "{decided} short wins and losses");
}

#[test]
fn short_wins_and_losses_are_found_without_tables() {
    finds_what_tables_know::<International>();
    finds_what_tables_know::<English>();
    finds_what_tables_know::<Russian>();
    finds_what_tables_know::<Turkish>();
}

fn without_distances<R: Rules>() {
    let (with, without) = (open::<R>(Metric::Dtw), open::<R>(Metric::Wdl));
    let tables = Tables::new(&without).expect("sound tables");
    let mut dice = Dice(23);
    for counts in SMALL.into_iter().cycle().take(60) {
        let game = game_at(position::<R>(&mut dice, counts));
        let value = with.probe(&game.position()).expect("a table");
        let found = search(&game, Some(tables), Limits::depth(4), Options::default());
        let wdl = found.score.decided().unwrap_or(Wdl::Draw);
        assert_eq!((wdl, found.is_exact), (value.wdl, true), "{} {}", R::NAME, game.fen());
        // The move keeps the value.
        if let Some(mv) = found.line.first() {
            let after = with.probe(&game.position().play(mv)).expect("a table");
            assert_eq!(after.wdl, value.wdl.negated(), "{} {}", R::NAME, game.fen());
        }
    }
}

#[test]
fn tables_without_distances_decide_and_their_value_is_kept() {
    without_distances::<International>();
    without_distances::<English>();
    without_distances::<Russian>();
    without_distances::<Turkish>();
}

/// The English tables of distances, with a block of those of two kings against one damaged.
fn damaged() -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(copy.path().join("english")).expect("a folder");
    for file in fs::read_dir(folder(Metric::Dtw).join("english")).expect("a folder") {
        let path = file.expect("a file").path();
        let mut bytes = fs::read(&path).expect("a table");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if name.starts_with("KKvK.") || name.starts_with("KvKK.") {
            *bytes.last_mut().expect("a table is not empty") ^= 1;
        }
        fs::write(copy.path().join("english").join(name), bytes).expect("the copy can be written");
    }
    copy
}

#[test]
fn a_damaged_block_is_an_error_and_is_not_read_where_only_decoded_blocks_are() {
    let folder = damaged();
    let tablebase = Tablebase::<English>::open(folder.path()).expect("a folder");
    let tables = Tables::new(&tablebase).expect("headers are sound");
    // A man more on both sides: two exchanges lead to the damaged table.
    let game: Game<English> = Game::new("W:WK32,K31,18:BK2,11".parse().expect("a FEN"));
    let mut searcher = Searcher::new(MaterialEvaluation::of::<English>(), Options::default()).with_tables(tables);
    let error = searcher.search(&game, &Limits::depth(12)).expect_err("a block is damaged");
    assert!(matches!(error, ProbeError::Table { .. }), "{error}");
    let found = search(&game, Some(tables.cached_only()), Limits::depth(12), Options::default());
    assert!(!found.line.is_empty() && !found.is_exact);
}

/// Two moves each, there and back, so that the position stands again and the counts have gone on by four plies.
fn there_and_back<R: Rules>(game: &Game<R>) -> Option<Game<R>> {
    fn quiet<R: Rules>(position: Position<R>) -> bool {
        position.has_move() && !position.must_capture()
    }
    let moves = |game: &Game<R>| game.position().moves();
    for first in moves(game) {
        let mut one = game.clone();
        one.play(&first);
        for second in moves(&one).into_iter().filter(|_| quiet(one.position())) {
            let mut two = one.clone();
            two.play(&second);
            for third in
                moves(&two).into_iter().filter(|mv| quiet(two.position()) && (mv.from, mv.to) == (first.to, first.from))
            {
                let mut three = two.clone();
                three.play(&third);
                let back = |mv: &&endame::position::Move| (mv.from, mv.to) == (second.to, second.from);
                if quiet(three.position())
                    && let Some(fourth) = moves(&three).iter().find(back)
                {
                    three.play(fourth);
                    return Some(three);
                }
            }
        }
    }
    None
}

#[test]
fn a_win_for_which_the_count_leaves_no_time_is_a_draw() {
    // Two kings against one: 5 moves each. Wins in 7 plies are in time at first, and not after 4 plies.
    let tablebase = open::<International>(Metric::Dtw);
    let tables = Tables::new(&tablebase).expect("sound tables");
    let mut dice = Dice(24);
    let mut seen = 0;
    for _ in 0..200_000 {
        let game = game_at(position::<International>(&mut dice, [2, 0, 1, 0]));
        if game.position().must_capture()
            || tablebase.probe(&game.position()).expect("a table").dtw.map(|d| d.0) != Some(7)
        {
            continue;
        }
        let Some(late) = there_and_back(&game) else { continue };
        assert_eq!((late.position(), late.counts().left()), (game.position(), 6));
        for tables in [None, Some(tables)] {
            let limits = Limits::depth(8);
            let plain = Options { reductions: false, ..Options::default() };
            assert_eq!(search(&game, tables, limits, plain).score, Score::win_in(7), "{}", game.fen());
            let found = search(&late, tables, limits, plain);
            assert_eq!((found.score, found.is_exact), (Score::DRAW, false), "{}", game.fen());
        }
        seen += 1;
        if seen == 3 {
            return;
        }
    }
    panic!("{seen} such positions");
}

#[test]
fn searching_with_tables_beats_searching_without() {
    // Three against two: what the tables show beyond the horizon is seen at once.
    let tablebase = open::<English>(Metric::Dtw);
    let tables = Tables::new(&tablebase).expect("sound tables");
    let mut dice = Dice(25);
    let decided = |found: &Found| usize::from(found.score.decided().is_some());
    let (mut with, mut without) = (0, 0);
    for _ in 0..40 {
        let game = game_at(position::<English>(&mut dice, [2, 0, 2, 0]));
        with += decided(&search(&game, Some(tables), Limits::depth(4), Options::default()));
        without += decided(&search(&game, None, Limits::depth(4), Options::default()));
    }
    assert!(with > without, "{with} decided with tables, {without} without");
}
