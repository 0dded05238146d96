//! Single positions with known moves: `data/movegen.json`, one a rule, and `data/reports.json`, faults of other programs.

use endame::position::{Fen, Move, square_name};
use endame::rules::{International, Rules, Russian, Turkish, Variant};
use serde_json::{Value, json};

fn data(text: &str, list: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(text).expect("the data is json");
    data[list].as_array().expect("a list of cases").clone()
}

fn text(case: &Value, field: &str) -> String {
    case[field].as_str().unwrap_or_else(|| panic!("{case} has no {field}")).to_string()
}

fn variant(case: &Value) -> Variant {
    text(case, "variant").parse().expect("a known variant")
}

fn parse<R: Rules>(fen: &str) -> Fen<R> {
    fen.parse().unwrap_or_else(|error| panic!("{} {fen}: {error}", R::NAME))
}

/// `32-28`, or from x to x each captured square; the names are numbers, as in the data, except on the Turkish board.
/// Where squares may have letters, a number counts them from the top left.
fn hub<R: Rules>(fen: &Fen<R>, mv: &Move, numbered: bool) -> String {
    use endame::board::Geometry;
    let name = |square| {
        let named = square_name::<R>(square, fen.mover);
        if !numbered || named.starts_with(|c: char| c.is_ascii_digit()) {
            return named;
        }
        (1..=R::Geometry::SQUARES)
            .find(|n| {
                let place = if fen.mover == endame::rules::Colour::White { n - 1 } else { R::Geometry::SQUARES - n };
                R::Geometry::square(place) == square
            })
            .expect("every square has a number")
            .to_string()
    };
    if !mv.is_capture() {
        return format!("{}-{}", name(mv.from), name(mv.to));
    }
    let mut captured: Vec<String> = mv.captured.into_iter().map(name).collect();
    captured.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    format!("{}x{}x{}", name(mv.from), name(mv.to), captured.join("x"))
}

/// The moves with their captured squares in the order of [`hub`]: the data orders letters by rank.
fn reordered(hubs: &Value) -> Vec<String> {
    let reorder = |hub: &Value| {
        let mut squares: Vec<&str> = hub.as_str().expect("a move").split('x').collect();
        if let Some(captured) = squares.get_mut(2..) {
            captured.sort_by_key(|name| (name.len(), *name));
        }
        squares.join("x")
    };
    let mut hubs: Vec<String> = hubs.as_array().expect("a list of moves").iter().map(reorder).collect();
    hubs.sort();
    hubs
}

fn check_case<R: Rules>(case: &Value) {
    let fen: Fen<R> = parse(&text(case, "fen"));
    if case["fen_alg"].is_string() {
        assert_eq!(fen, parse(&text(case, "fen_alg")), "{case}");
    }
    let numbered = !case["fen"].as_str().is_some_and(|fen| fen.contains(char::is_lowercase));
    let moves = fen.position.moves();
    let written = |promoting: bool| {
        let chosen = moves.iter().filter(|mv| !promoting || mv.promotes);
        let mut hubs: Vec<String> = chosen.map(|mv| hub(&fen, mv, numbered)).collect();
        hubs.sort();
        hubs
    };
    assert_eq!(written(false), reordered(&case["expected_hub"]), "{case}");
    assert_eq!(written(true), reordered(&case["promotes"]), "{case}");
}

/// The variants of the cases of a data file.
fn check_cases(text: &str) -> Vec<Variant> {
    let cases = data(text, "cases");
    for case in &cases {
        endame::with_rules!(variant(case), R => check_case::<R>(case));
    }
    cases.iter().map(variant).collect()
}

#[test]
fn every_rule_gives_the_moves_known_for_its_position() {
    let checked = check_cases(include_str!("../data/movegen.json"));
    assert!(Variant::ALL[..4].iter().all(|variant| checked.contains(variant)));
}

#[cfg(feature = "related")]
#[test]
fn every_rule_of_related_variants_gives_the_moves_known_for_its_position() {
    let checked = check_cases(include_str!("../data/related/movegen.json"));
    assert!(Variant::ALL[4..].iter().all(|variant| checked.contains(variant)));
}

fn check_report<R: Rules>(report: &Value) {
    let fen: Fen<R> = parse(&text(report, "fen"));
    let mut moves: Vec<Value> = fen
        .position
        .moves()
        .iter()
        .map(|mv| {
            json!({
                "from": square_name::<R>(mv.from, fen.mover),
                "to": square_name::<R>(mv.to, fen.mover),
                "captured": fen.captured_names(mv),
                "crowned": mv.promotes,
                "after": fen.play(mv).to_string(),
            })
        })
        .collect();
    let mut expected = report["moves"].as_array().expect("a list of moves").clone();
    moves.sort_by_key(Value::to_string);
    expected.sort_by_key(Value::to_string);
    assert_eq!(moves, expected, "{report}");
    for mv in fen.position.moves() {
        let after = fen.play(&mv);
        assert_eq!(parse::<R>(&after.to_string()), after, "{report}");
    }
}

#[test]
fn moves_reported_wrong_elsewhere_are_right() {
    for report in &data(include_str!("../data/reports.json"), "moves") {
        endame::with_rules!(variant(report), R => check_report::<R>(report));
    }
}

fn check_fen<R: Rules>(case: &Value) {
    let input = text(case, "fen");
    match Fen::<R>::parse(input.as_bytes()) {
        Ok(fen) => {
            assert_eq!(fen.to_string(), case["writes"], "{case}");
            if let Some(over) = case["over"].as_bool() {
                assert_eq!(fen.position.is_over(), over, "{case}");
            }
        }
        Err(error) => {
            assert_eq!(json!(error.at), case["at"], "{case}: {error}");
            assert!(error.to_string().contains(&text(case, "says")), "{case}: {error}");
        }
    }
}

#[test]
fn fens_reported_wrong_elsewhere_are_read_or_refused() {
    for case in &data(include_str!("../data/reports.json"), "fens") {
        endame::with_rules!(variant(case), R => check_fen::<R>(case));
    }
}

fn thousands_of_routes_are_few_moves<R: Rules>(text: &str, most: usize) {
    let fen: Fen<R> = parse(text);
    let moves = fen.position.moves();
    assert!((1..=most).contains(&moves.len()), "{text}: {} moves", moves.len());
    for mv in &moves {
        assert_eq!(fen.read_move(&fen.move_text(mv, &moves)).as_ref(), Ok(mv), "{text}");
    }
}

/// Kings that can take one set by a great many routes: found by climbing towards the positions that take longest.
#[test]
fn boards_full_of_kings_are_searched_in_no_time() {
    let board = "W:WK10,K22,K46,K47:BK1,K6,K8,K11,K14,K15,K17,K18,K24,K27,K28,K31,K33,K40,K41,K42,K43,K50";
    thousands_of_routes_are_few_moves::<International>(board, 100);
    let board = "W:WKb8,Kc5,Kd8,Kh8:BKb2,Kb4,Kb6,Kc7,Kd2,Kd4,Kd6,Kg1,Kg3,Kg5,Kg7";
    thousands_of_routes_are_few_moves::<Russian>(board, 100);
    let board = "W:WKf1:BKa5,Kb2,Kb5,Kc1,Kc6,Kc8,Kd3,Kd5,Ke7,Kf2,Kf4,Kg1,Kg3,Kg8,Kh2,Kh7";
    thousands_of_routes_are_few_moves::<Turkish>(board, 100);
}
