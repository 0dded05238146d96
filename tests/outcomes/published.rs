//! What the draw rules of the variants do to small endings.

use endame::board::Geometry;
use endame::build::{BuildOptions, Silent, build, build_outcomes, verify};
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
    folder: tempfile::TempDir,
}

impl<R: Rules> Built<R> {
    fn new(materials: &[Material]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = BuildOptions { threads: 2, ..BuildOptions::default() };
        for metric in [Metric::Outcome, Metric::Wdl] {
            build::<R>(folder.path(), materials, metric, &options, &Silent).expect("a small build");
        }
        let tables = Tablebase::open(folder.path()).expect("a folder");
        Built { tables, materials: materials.to_vec(), folder }
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
    let built = Built::<International>::new(&materials);
    assert_eq!(built.changed(), []);
    // Two kings and a man against a king: the longest win takes 31 plies to the end, and 28 to the end of the count.
    // The numbers are those of a plain solver written for this, which looks at every move of every position of the
    // class once a ply and takes the values on the board of what a capture leads to.
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
    let built = Built::<International>::new(&[material("KKvK")]);
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
    let built = Built::<English>::new(&Material::all_up_to(4));
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
    let built = Built::<Turkish>::new(&Material::all_up_to(3));
    assert_eq!(built.changed(), []);
    assert!(built.statistics(material("KKvK"), Metric::Dtr).is_none());
}

/// RULES 6.2: Petrov's triangle takes 13 moves at most, and the main road, otherwise empty, is left in time.
#[test]
fn in_russian_several_counts_at_once_take_some_wins_of_two_men_away() {
    let materials: Vec<Material> =
        ["KKKvK", "KMMvK"].map(material).iter().flat_map(|m| [*m, m.twin()]).chain(Material::all_up_to(3)).collect();
    let built = Built::<Russian>::new(&materials);
    assert_eq!(built.changed(), [("KMMvK".to_string(), 7), ("KvKMM".to_string(), 62)]);
    // Those with a man on the road itself, which the lone king on it holds for more than 5 moves.
    let indexer = Indexer::<Russian>::new(material("KMMvK"));
    let (road, is_cut) = (<Russian as Rules>::Geometry::main_road(), |position: &Position<Russian>| {
        built.tables.outcome(position).expect("every table is there") == Outcome::CursedWin
    });
    for position in (0..indexer.placements()).map(|rank| indexer.unrank(rank)).filter(is_cut) {
        assert!(position.theirs().meets(road) && position.our_men().meets(road), "{position:?}");
    }
    // No single distance says how long they take.
    for (text, has_distances) in [("KKKvK", false), ("KMMvK", false), ("KKvK", true)] {
        assert!(built.statistics(material(text), Metric::Outcome).is_some(), "{text}");
        assert_eq!(built.statistics(material(text), Metric::Dtr).is_some(), has_distances, "{text}");
    }
    let won = position::<Russian>("W:WKa1,Kb2,Kd4:BKh2");
    assert_eq!(built.tables.outcome(&won).expect("every table is there"), Outcome::Win);
    let error = built.tables.outcome_at(&won, 1).expect_err("tables know fresh counts only");
    let says = "in KKKvK several draw rules count at once, 15-moves and main-road: its tables know fresh counts only";
    assert_eq!(error.to_string(), says);
    assert!(matches!(error, ProbeError::SeveralCounts { .. }));
    // A mover who is stuck has lost, whatever was counted.
    let stuck = position::<Russian>("W:WKa1:BKh2,b2,c3");
    assert_eq!(built.tables.outcome_at(&stuck, 5).expect("nothing to look up"), Outcome::Loss);
    let options = BuildOptions { threads: 2, ..BuildOptions::default() };
    for sample in [None, Some(2000)] {
        let folder = built.folder.path();
        let verified = verify::<Russian>(folder, &materials, Metric::Outcome, sample, &options, &Silent);
        let verified = verified.expect("a small check");
        assert_eq!((verified.fault, verified.tables, verified.partly), (None, materials.len(), 4));
    }
}

/// RULES 2.4 and DESIGN 4: played on, one piece each is won only by a capture due at once; a draw on the spot takes
/// 86,556 of the 124,784 wins of two kings against one away.
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
