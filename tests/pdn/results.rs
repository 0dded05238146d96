//! Results: what they mean, which of two counts, and where they are told from moves.

use endame::pdn::{PdnOutcome, PdnResult};
use endame::rules::{Colour, English, International, Rules, Russian, Turkish};

use crate::{game, games, read, refused};

fn means<R: Rules>(text: &str) -> PdnOutcome {
    PdnResult::read::<R>(text).outcome()
}

#[test]
fn the_first_number_is_that_of_the_side_that_begins() {
    let (white, black) = (PdnOutcome::Win(Colour::White), PdnOutcome::Win(Colour::Black));
    for (first, second) in [("1-0", "0-1"), ("2-0", "0-2"), (" 2 - 0", "0 - 2 ")] {
        assert_eq!((means::<International>(first), means::<International>(second)), (white, black));
        assert_eq!((means::<English>(first), means::<English>(second)), (black, white));
        assert_eq!((means::<Russian>(first), means::<Russian>(second)), (white, black));
        assert_eq!((means::<Turkish>(first), means::<Turkish>(second)), (white, black));
    }
}

#[test]
fn draws_unknown_results_and_points() {
    for text in ["1-1", "1/2-1/2", "1/2 - 1/2", "\u{bd}-\u{bd}"] {
        assert_eq!(means::<International>(text), PdnOutcome::Draw, "{text}");
        assert_eq!(means::<English>(text), PdnOutcome::Draw, "{text}");
    }
    for text in ["*", "", "  ", "?", "0-0"] {
        assert_eq!(means::<Russian>(text), PdnOutcome::Unknown, "{text}");
    }
    for text in ["4-6", "1-9", "10-0", "1.5-0.5", "1+ - 1-", "White wins"] {
        assert_eq!(means::<International>(text), PdnOutcome::Other, "{text}");
        assert_eq!(PdnResult::read::<International>(text).text(), text);
    }
}

#[test]
fn a_decided_game_is_written_as_the_variant_does() {
    let text = |result: PdnResult| result.text().to_string();
    assert_eq!(text(PdnResult::decided::<International>(Some(Colour::White))), "2-0");
    assert_eq!(text(PdnResult::decided::<International>(None)), "1-1");
    assert_eq!(text(PdnResult::decided::<English>(Some(Colour::White))), "0-1");
    assert_eq!(text(PdnResult::decided::<Russian>(Some(Colour::Black))), "0-1");
    assert_eq!(text(PdnResult::decided::<Turkish>(None)), "1/2-1/2");
}

#[test]
fn the_result_after_the_moves_counts_before_the_tag() {
    let game = game::<International>("[Result \"0-2\"]\n1. 32-28 2-0");
    assert_eq!(game.result.outcome(), PdnOutcome::Win(Colour::White));
    assert_eq!(game.result_in_tag().outcome(), PdnOutcome::Win(Colour::Black));
    assert!(game.results_disagree());
}

#[test]
fn a_star_after_the_moves_states_nothing() {
    let game = game::<International>("[Result \"0-2\"]\n1. 32-28 *");
    assert_eq!(game.result.outcome(), PdnOutcome::Win(Colour::Black));
    assert!(!game.results_disagree());
}

#[test]
fn two_ways_to_write_one_result_agree() {
    assert!(!game::<International>("[Result \"1/2-1/2\"]\n1. 32-28 1-1").results_disagree());
    assert!(!game::<International>("[Result \"\"]\n1. 32-28 1-0").results_disagree());
    assert!(game::<International>("[Result \"4-6\"]\n1. 32-28 5-5").results_disagree());
    assert!(game::<International>("[Result \"1-0\"]\n1. 32-28 0-0").results_disagree());
}

#[test]
fn a_result_is_told_from_the_beginning_of_a_move() {
    let king = "[FEN \"W:WK1:B45\"]\n1. ";
    assert_eq!(game::<International>(format!("{king}1-18 *")).moves.len(), 1);
    assert_eq!(game::<International>(format!("{king}1-1")).result.outcome(), PdnOutcome::Draw);
    assert_eq!(game::<International>(format!("{king}1- 18 45-50 1-1")).moves.len(), 2);
    assert_eq!(game::<International>(format!("{king}1-7 2-0")).moves.len(), 1);
}

#[test]
fn points_are_a_result_at_the_end_of_a_game_only() {
    for text in
        ["1. 32-28 4-6", "1. 32-28 1-9 {hard fought}\n", "1. 32-28 10-0\n[White \"\"]\n*", "1. 32-28 4-6 1. 31-27"]
    {
        assert_eq!(games::<International>(text)[0].result.outcome(), PdnOutcome::Other, "{text}");
    }
    let message = refused::<International>("1. 32-28 4-6 2. 31-27 *");
    assert_eq!(message, "line 1: \"4-6\" is not a legal move here");
    // From 2 to 8 a man can go.
    assert_eq!(refused::<International>("1. 32-28 2-8"), "line 1: \"2-8\" is not a legal move here");
    assert_eq!(game::<International>("[Result \"2-8\"]\n1. 32-28 2-8\n").result.text(), "2-8");
}

#[test]
fn a_result_of_any_form_ends_the_game_if_the_tag_has_it() {
    for text in ["1+ - 1-", "1.5-0.5", "1 1/2 - 1/2", "12-8", "+-"] {
        let game = game::<International>(format!("[Result \"{text}\"]\n1. 32-28 18-23 {text}\n"));
        assert_eq!((game.result.text(), game.moves.len()), (text, 2));
    }
    assert_eq!(game::<Russian>("1. c3-d4 1.5-0.5").result.text(), "1.5-0.5");
}

#[test]
fn a_result_said_twice_on_a_line_ends_one_game() {
    assert_eq!(games::<International>("1. 32-28 2-0 2-0 *\n1. 31-27 0-2 {resigns} *").len(), 2);
    assert_eq!(games::<International>("1. 32-28 1/2-1/2 1/2-1/2").len(), 1);
}

#[test]
fn results_alone_are_games_without_moves() {
    let games = games::<English>("1-0\n0-1\n1/2-1/2\n*\n");
    let outcomes: Vec<PdnOutcome> = games.iter().map(|game| game.result.outcome()).collect();
    let (black, white) = (PdnOutcome::Win(Colour::Black), PdnOutcome::Win(Colour::White));
    assert_eq!(outcomes, [black, white, PdnOutcome::Draw, PdnOutcome::Unknown]);
}

#[test]
fn no_result_at_all_is_unknown() {
    assert_eq!(game::<International>("1. 32-28").result, PdnResult::unknown());
    assert!(read::<International>("").is_empty());
}
