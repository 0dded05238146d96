//! What the draw rules of the variants do to small endings.

use std::sync::Mutex;

use endame::build::{BuildOptions, Progress, Silent, build, build_outcomes};
use endame::index::{Indexer, Material};
use endame::position::{Fen, Position};
use endame::rules::{English, International, Rules, Russian, Turkish};
use endame::table::Statistics;
use endame::tablebase::{ProbeError, Tablebase};
use endame::value::{Metric, Outcome};

use crate::short_rules::{DrawnTurkish, UnlessTakenTurkish};

/// Tables of outcomes and of wdl.
struct Built<R> {
    tables: Tablebase<R>,
    materials: Vec<Material>,
    _folder: tempfile::TempDir,
}

impl<R: Rules> Built<R> {
    fn new(materials: &[Material], progress: &dyn Progress) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = BuildOptions { threads: 2, ..BuildOptions::default() };
        for metric in [Metric::Outcome, Metric::Wdl] {
            build::<R>(folder.path(), materials, metric, &options, progress).expect("a small build");
        }
        let tables = Tablebase::open(folder.path()).expect("a folder");
        Built { tables, materials: materials.to_vec(), _folder: folder }
    }

    fn statistics(&self, material: Material, metric: Metric) -> Option<&Statistics> {
        Some(&self.tables.table(material, metric).expect("a sound table")?.table().header().statistics)
    }

    /// Materials in which a count changes a value, and how many positions there.
    fn changed(&self) -> Vec<(String, u64)> {
        let mut changed = Vec::new();
        for &material in &self.materials {
            let Some(under_rules) = self.statistics(material, Metric::Outcome) else { continue };
            let on_board = self.statistics(material, Metric::Wdl).expect("every wdl table is there");
            let cut = (on_board.wins - under_rules.wins) + (on_board.losses - under_rules.losses);
            if cut > 0 {
                changed.push((material.to_string(), cut));
            }
        }
        changed
    }
}

fn material(text: &str) -> Material {
    text.parse().expect("a material")
}

fn position<R: Rules>(fen: &str) -> Position<R> {
    fen.parse::<Fen<R>>().expect("a FEN").position
}

/// RULES 6.2: 16 and 5 moves suffice when the count starts with the ending, and no ending of three pieces is as long as
/// 25 moves without a reset.
#[test]
fn in_international_no_count_takes_a_small_win_away() {
    let classes = ["KKKvK", "KKMvK", "KMMvK"].map(material);
    let materials: Vec<Material> =
        Material::all_up_to(3).into_iter().chain(classes.iter().flat_map(|m| [*m, m.twin()])).collect();
    let built = Built::<International>::new(&materials, &Silent);
    assert_eq!(built.changed(), []);
    // Two kings and a man against a king: the longest win takes 31 plies to the end, and 28 to the end of the count. The
    // numbers are those of a plain solver written for this, which looks at every move of every position of the class once a
    // ply and takes the values on the board of what a capture leads to.
    for (text, win, loss) in [
        ("KKMvK", Some((28, 5)), None),
        ("KvKKM", Some((1, 122_349)), Some((29, 1))),
        ("KKKvK", Some((12, 88)), None),
        ("KvKKK", Some((1, 16_812)), Some((13, 4))),
    ] {
        let statistics = built.statistics(material(text), Metric::Dtr).expect("the table is there");
        let longest = [statistics.longest_win, statistics.longest_loss];
        assert_eq!(longest.map(|longest| longest.map(|l| (l.plies, l.count))), [win, loss], "{text}");
    }
    // King and man against king: two positions take all 5 moves, for the count goes on to the end.
    let longest = built.statistics(material("KMvK"), Metric::Dtr).expect("the table is there").longest_win;
    assert_eq!(longest.map(|longest| (longest.plies, longest.count)), Some((9, 2)));
}

/// The 7 plies of this win are published; 5 moves each are 10 plies.
#[test]
fn in_the_middle_of_a_count_a_win_has_the_plies_that_are_left() {
    let built = Built::<International>::new(&[material("KKvK")], &Silent);
    let won = position::<International>("W:WK12,K44:BK1");
    let at = |count| built.tables.outcome_at(&won, count).expect("every table is there");
    assert_eq!([0, 3, 4, 10].map(at), [Outcome::Win, Outcome::Win, Outcome::CursedWin, Outcome::CursedWin]);
    let error = built.tables.outcome_at(&won, 11).expect_err("no such count");
    assert_eq!(error.to_string(), "a count of 11 plies: 5-moves draws the game at 10");
    let best = won.moves().into_iter().map(|mv| built.tables.outcome_after(&won, &mv, 3).expect("tables")).min();
    assert_eq!(best, Some(Outcome::Loss));
    let best = won.moves().into_iter().map(|mv| built.tables.outcome_after(&won, &mv, 4).expect("tables")).min();
    assert_eq!(best, Some(Outcome::BlessedLoss));
    assert_eq!(built.tables.deciding_rule(&won).expect("one rule").map(|rule| rule.name), Some("5-moves"));
}

#[test]
fn in_english_no_count_takes_a_win_of_four_pieces_away() {
    let built = Built::<English>::new(&Material::all_up_to(4), &Silent);
    assert_eq!(built.changed(), []);
    // So the files are those of wdl: the same symbols, packed alike.
    for text in ["KMvKM", "KKKvK", "MMvK"] {
        let codings = [Metric::Outcome, Metric::Wdl].map(|metric| {
            let table = built.tables.table(material(text), metric).expect("sound").expect("there").table();
            (0..table.block_count())
                .map(|number| {
                    let mut symbols = Vec::new();
                    table.decode_block(number, &mut symbols).expect("a sound block");
                    symbols
                })
                .collect::<Vec<_>>()
        });
        assert!(codings[0] == codings[1], "{text}");
    }
}

#[test]
fn in_turkish_nothing_is_counted() {
    let built = Built::<Turkish>::new(&Material::all_up_to(3), &Silent);
    assert_eq!(built.changed(), []);
    assert!(built.statistics(material("KKvK"), Metric::Dtr).is_none());
}

/// Keeps what a build says.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Progress for Notes {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn note(&self, line: &str) {
        self.0.lock().expect("no thread panics").push(line.to_string());
    }
    fn stopped(&self) -> bool {
        false
    }
}

#[test]
fn in_russian_materials_without_a_single_rule_have_no_outcomes_and_the_build_says_so_once() {
    let notes = Notes::default();
    let materials: Vec<Material> = ["KKvKM", "KKKvK", "KKvKK", "MMvK", "KMvK"].into_iter().map(material).collect();
    let built = Built::<Russian>::new(&materials, &notes);
    let said = notes.0.lock().expect("no thread panics");
    let said: Vec<&String> = said.iter().filter(|line| line.starts_with("no outcomes of")).collect();
    assert_eq!(
        said,
        ["no outcomes of KKvKM, KKKvK: they are, or lead to, materials in which no single draw rule decides, such as \
          KKvKM (15-king-moves and 30-moves)"]
    );
    for (text, there) in [("KKvKM", false), ("KKKvK", false), ("KKvKK", true), ("MMvK", true), ("KvK", true)] {
        assert_eq!(built.statistics(material(text), Metric::Outcome).is_some(), there, "{text}");
    }
    let indexer = Indexer::<Russian>::new(material("KKKvK"));
    let error = built.tables.outcome(&indexer.from_slot(100)).expect_err("no outcomes");
    assert!(matches!(error, ProbeError::Undecided { .. }), "{error}");
}

/// RULES 2.4 and DESIGN 4: played on, one piece each is won only by a capture due at once; a draw on the spot takes 86,556
/// of the 124,784 wins of two kings against one away.
#[test]
fn readings_of_one_piece_each_in_turkish_draughts() {
    fn wins<R: Rules>() -> [u64; 3] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (kings, lone) = (material("KKvK"), material("KvK"));
        let options = BuildOptions { threads: 2, ..BuildOptions::default() };
        build::<R>(folder.path(), &[kings], Metric::Wdl, &options, &Silent).expect("a small build");
        build_outcomes::<R>(folder.path(), &[kings], &options, &Silent).expect("a small build");
        let tables = Tablebase::<R>::open(folder.path()).expect("a folder");
        [(kings, Metric::Wdl), (kings, Metric::Outcome), (lone, Metric::Outcome)].map(|(material, metric)| {
            tables.table(material, metric).expect("a sound table").expect("a table").table().header().statistics.wins
        })
    }
    assert_eq!(wins::<UnlessTakenTurkish>(), [124_784, 124_784, 672]);
    assert_eq!(wins::<DrawnTurkish>(), [124_784, 124_784 - 86_556, 0]);
}
