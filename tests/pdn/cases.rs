//! The files of `data/pdn`, held against the table in its README.

use std::fs;
use std::path::Path;

use endame::pdn::{PdnGame, PdnOutcome};
use endame::rules::{Colour, English, International, Rules, Russian, Turkish};

use crate::{game, games, read};

fn file(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/pdn").join(format!("{name}.pdn"));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The only game of a file, which has so many plies.
fn of_plies<R: Rules>(name: &str, plies: usize) -> PdnGame<R> {
    let game = game::<R>(file(name));
    assert_eq!(game.moves.len(), plies, "{name}");
    game
}

#[test]
fn every_file_of_the_folder_is_tested_here() {
    let tests = include_str!("cases.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/pdn");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "pdn") {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("an ASCII name");
            assert!(tests.contains(&format!("\"{stem}\"")), "{stem}");
            count += 1;
        }
    }
    assert_eq!(count, 18);
}

#[test]
fn clock_comments_are_remarks() {
    let game = of_plies::<International>("int-clock-comments", 20);
    assert_eq!(game.last_position().mover, Colour::White);
    let last = "W:W17,32,33,35,36,37,38,39,41,42,43,44,47,48,49,50:B1,3,4,5,6,7,8,9,11,12,13,14,15,16,18,20,45";
    assert_eq!(game.last_position().to_string(), last, "py-draughts says so too");
    assert_eq!(game.comments.len(), 20);
    assert_eq!(game.comments[19], (20, "[%clock W0:00:38 b0:00:39]".to_string()));
    assert_eq!(game.result.outcome(), PdnOutcome::Unknown);
}

#[test]
fn zeros_mixed_line_ends_and_a_result_in_points() {
    let game = of_plies::<International>("int-zero-padded-mixed-eol", 24);
    assert_eq!((game.result.text(), game.result.outcome()), ("4-6", PdnOutcome::Other));
    assert!(!game.results_disagree());
    let last =
        "W:W26,28,30,31,33,35,36,38,39,40,41,42,43,44,46,47,49,50:B2,3,4,5,6,7,8,9,12,14,15,16,17,18,19,22,24,27";
    assert_eq!(game.last_position().to_string(), last, "py-draughts says so too");
}

#[test]
fn variations_strengths_and_line_comments_are_passed_over() {
    let game = of_plies::<International>("int-variations-nags", 11);
    assert_eq!(game.result.outcome(), PdnOutcome::Draw);
    assert_eq!(game.comments, [(0, "opening remark".to_string())]);
}

#[test]
fn a_full_path_and_a_long_gametype() {
    let game = of_plies::<International>("int-full-path-long-gametype", 42);
    assert_eq!(game.moves[40].captured.len(), 3);
    let last = "W:W6,31,34,36,37,40,42,43,44,45,47,48,49:B1,2,3,5,7,8,12,15,18,19,20,23,25";
    assert_eq!(game.last_position().to_string(), last, "py-draughts says so too");
    assert_eq!(game.tag("TimeControl"), Some("60+5"));
}

#[test]
fn a_dotted_fen_ranges_and_an_unknown_side() {
    let games = read::<International>(file("int-fen-dot-range-unknown"));
    let [Ok(problem), Ok(ranges), Err(unknown)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!((problem.line, problem.moves.len()), (1, 5));
    assert_eq!(problem.result.outcome(), PdnOutcome::Win(Colour::White));
    assert_eq!((ranges.line, ranges.moves.len()), (13, 2));
    assert_eq!(
        ranges.start.to_string(),
        "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"
    );
    assert_eq!(
        unknown.to_string(),
        "line 20: \"?:WK29,13,11:B22,4\" is not a position of international draughts: \
         the side to move is unknown (?): write W or B"
    );
}

#[test]
fn a_byte_order_mark_an_escaped_quote_and_no_end() {
    let game = of_plies::<International>("int-bom-escape-no-terminator", 4);
    assert_eq!(game.tag("White"), Some("Name with a \" quote"));
    assert_eq!(game.tag("Site"), Some("Ville \u{e9}"));
    assert_eq!(game.tags.len(), 3);
}

#[test]
fn results_without_moves_and_black_wins_by_1_0() {
    let games = games::<English>(file("eng-result-only-endgames"));
    let (black, white) = (PdnOutcome::Win(Colour::Black), PdnOutcome::Win(Colour::White));
    let outcomes: Vec<PdnOutcome> = games.iter().map(|game| game.result.outcome()).collect();
    assert_eq!(outcomes, [black, white, white, white]);
    assert!(games.iter().all(|game| game.moves.is_empty() && !game.results_disagree()));
    let starts: Vec<String> = games.iter().map(|game| game.start.to_string()).collect();
    assert_eq!(starts, ["B:WK5,21:BK14,K17", "W:WK26,K27:B21,K25", "B:WK26,K27:B21,K25", "W:WK1,K16:BK3,K4"]);
}

/// RR-030 of the reports.
#[test]
fn x_for_quiet_moves_where_start_and_end_decide() {
    let game = of_plies::<English>("eng-x-used-for-quiet-moves", 20);
    let last = "B:W11,19,21,22,24,25,26,29,31,32:B1,2,3,5,8,9,10,12,15,23";
    assert_eq!(game.last_position().to_string(), last);
    assert!(!game.moves[6].is_capture(), "move 4 of Black is written 10x14");
}

#[test]
fn a_triple_jump_by_its_full_path() {
    let game = of_plies::<English>("eng-full-game-multijump", 44);
    assert_eq!(game.moves[43].captured.len(), 3);
    assert_eq!(game.result.outcome(), PdnOutcome::Win(Colour::White));
    assert_eq!(game.tag("Date"), Some("1841-??-??"));
}

#[test]
fn a_tag_and_a_star_on_one_line() {
    let games = games::<English>(file("eng-fen-star-one-line"));
    assert_eq!(games.iter().map(|game| (game.line, game.moves.len())).collect::<Vec<_>>(), [(1, 0), (2, 0), (3, 0)]);
    assert!(games[2].start.to_string().ends_with(":B1,2,3,4,5,6,7,8,10,11,13"));
}

#[test]
fn colons_cyrillic_names_and_the_start_as_a_fen() {
    let game = of_plies::<Russian>("rus-colon-captures-cyrillic", 20);
    assert_eq!(game.start, endame::position::Fen::start());
    assert_eq!(game.tag("White"), Some("\u{411}\u{435}\u{43b}\u{44b}\u{435}"));
    assert_eq!(game.result.outcome(), PdnOutcome::Win(Colour::White));
}

#[test]
fn x_for_captures_and_padded_tags() {
    let game = of_plies::<Russian>("rus-x-captures-padded-tags", 20);
    assert_eq!(game.tag("Date"), Some("1.1.1965"));
    assert_eq!(game.last_position().mover, Colour::White);
}

#[test]
fn upper_case_squares() {
    let game = of_plies::<Russian>("rus-uppercase-opening", 4);
    assert_eq!(
        game.last_position().to_string(),
        "W:Wa1,a3,b2,b4,c1,c3,e1,e3,f2,g1,g3,h2:Ba7,b8,c5,c7,d6,d8,e5,e7,f8,g7,h6,h8"
    );
}

#[test]
fn numbers_count_from_b8() {
    let game = of_plies::<Russian>("rus-numeric-top-left", 6);
    let lettered = crate::game::<Russian>("1. c3-d4 d6-e5 2. d4-c5 b6:d4 3. e3:c5 e5-d4 *");
    assert_eq!(game.moves, lettered.moves);
}

#[test]
fn a_turkish_game_with_2_0() {
    let game = of_plies::<Turkish>("tur-basic", 3);
    assert_eq!(game.result.outcome(), PdnOutcome::Win(Colour::White));
    assert_eq!(game.tag("White"), Some("\u{d6}\u{11f}renci"));
}

#[test]
fn captured_squares_and_landing_squares_tell_the_same_game() {
    let captured = of_plies::<Turkish>("tur-tudaf-captured-squares", 5);
    let landing = of_plies::<Turkish>("tur-landing-squares", 5);
    assert_eq!(captured.moves, landing.moves);
    assert_eq!(captured.last_position(), landing.last_position());
    assert_eq!(captured.moves[4].captured.len(), 3);
}

#[test]
fn black_begins_from_a_fen() {
    let game = of_plies::<Turkish>("tur-black-first-fen", 4);
    assert_eq!(game.start.mover, Colour::Black);
    assert_eq!(game.last_position().to_string(), "B:Wf4:Bc3,f6");
}
