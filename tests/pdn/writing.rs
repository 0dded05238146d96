//! What is written: its form, and that it is read back equal.

use endame::pdn::{PdnGame, PdnResult};
use endame::position::{Fen, Move};
use endame::rules::{Colour, English, International, Rules, Russian, Turkish};
use proptest::prelude::*;

use crate::game;

/// The first moves that can be played among `choices`, each taken modulo the number of legal moves.
fn play<R: Rules>(start: Fen<R>, choices: &[u16]) -> Vec<Move> {
    let mut fen = start;
    let mut moves = Vec::new();
    for choice in choices {
        let legal = fen.position.moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(*choice) % legal.len()];
        moves.push(mv);
        fen = fen.play(&mv);
    }
    moves
}

#[test]
fn a_game_is_written_as_games_are() {
    let mut game = game::<International>(
        "[Black \"B\"][Annotator \"me\"][Date \"2026.01.02\"][FEN \"\"][White \"A \\\"x\\\" \\\\\"] 32-28 {good\n one} 18-23 33-29 1-0",
    );
    game.comments.push((3, "an {ugly} end".to_string()));
    let text = "[Date \"2026.01.02\"]\n[White \"A \\\"x\\\" \\\\\"]\n[Black \"B\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\
                [Annotator \"me\"]\n\n1. 32-28 {good one} 18-23 2. 33-29 {an (ugly) end} 2-0\n\n";
    assert_eq!(game.to_string(), text);
}

#[test]
fn the_side_that_begins_has_the_number() {
    let black = game::<Turkish>("[FEN \"B:Wc3,f3:Bc6,f6\"] c6-c5 c3-c4 c5xc3 f3-f4");
    let text = "[Result \"*\"]\n[GameType \"30\"]\n[SetUp \"1\"]\n[FEN \"B:Wc3,f3:Bc6,f6\"]\n\n1... c6-c5 2. c3-c4 c5xc3 3. f3-f4 *\n\n";
    assert_eq!(black.to_string(), text);
    let english = game::<English>("11-15 23-18 8-11 0-1");
    assert_eq!(english.to_string(), "[Result \"0-1\"]\n[GameType \"21\"]\n\n1. 11-15 23-18 2. 8-11 0-1\n\n");
    let white = game::<English>("[FEN \"W:W23:B11\"] 23-18 11-15 18x11");
    assert!(white.to_string().ends_with("\n\n1... 23-18 2. 11-15 18x11 *\n\n"), "{white}");
}

#[test]
fn a_capture_has_the_sign_of_the_variant_and_its_path_where_needed() {
    let colon = game::<Russian>("c3-d4 d6-e5 b2-c3 e7-d6 e3-f4 b6-a5 f4-g5 f6xh4");
    assert!(colon.to_string().contains("4. f4-g5 f6:h4 *"), "{colon}");
    let path = game::<International>("[FEN \"B:W14,19,31,38:BK47\"] 47x36x14x31x38");
    assert!(path.to_string().contains("1... 47x20x9x36 *"), "{path}");
}

#[test]
fn a_result_that_is_not_of_the_variant_stands_in_the_tag_alone() {
    let points = game::<International>("32-28 4-6");
    assert_eq!(points.to_string(), "[Result \"4-6\"]\n[GameType \"20\"]\n\n1. 32-28 *\n\n");
    assert_eq!(game::<International>(points.to_string()).result, points.result);
}

#[test]
fn lines_stay_below_80_columns() {
    let start = Fen::<English>::start();
    let mut written = PdnGame::new(start, play(start, &[3; 60]));
    written.comments =
        (0..written.moves.len()).map(|ply| (ply, "[%eval -0.024] [Event \"x\"] and words".to_string())).collect();
    let text = written.to_string();
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    let read = game::<English>(&text);
    assert_eq!((read.moves, read.comments), (written.moves, written.comments));
}

fn is_read_back<R: Rules>(choices: &[u16], begin: usize, tags: &[(String, String)], remarks: &[String], winner: u8) {
    // A game that begins in the middle of another has a FEN, and half of them the other side to move.
    let moves = play::<R>(Fen::start(), choices);
    let begin = begin.min(moves.len());
    let start = moves[..begin].iter().fold(Fen::<R>::start(), |fen, mv| fen.play(mv));
    let mut written = PdnGame::new(start, moves[begin..].to_vec());
    written.tags = tags.to_vec();
    written.comments =
        remarks.iter().enumerate().map(|(i, text)| (written.moves.len() * i / 3, text.clone())).collect();
    written.result = match winner {
        0 => PdnResult::unknown(),
        1 => PdnResult::decided::<R>(None),
        2 => PdnResult::decided::<R>(Some(Colour::White)),
        _ => PdnResult::decided::<R>(Some(Colour::Black)),
    };
    let text = written.to_string();
    let read = game::<R>(&text);
    assert_eq!((read.start, &read.moves), (written.start, &written.moves), "{text}");
    assert_eq!((&read.result, &read.comments), (&written.result, &written.comments), "{text}");
    for (name, value) in tags {
        assert!(read.tags.contains(&(name.clone(), value.clone())), "{name} {value:?}: {text}");
    }
    assert_eq!(read.to_string(), text, "writing again changes nothing");
    // Two games in one file stay two.
    assert_eq!(crate::games::<R>(format!("{text}{text}")).len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read_back_equal(
        choices in prop::collection::vec(any::<u16>(), 0..120),
        begin in 0_usize..100,
        tags in prop::collection::vec(("X[A-Za-z0-9]{0,6}", "[^\r\n\u{feff}]{0,12}"), 0..4),
        remarks in prop::collection::vec("[a-z0-9;%()\\[\\]\"*$!.-]{1,9}( [a-zA-Z0-9;%()\\[\\]\"*$!.-]{1,9}){0,9}", 0..4),
        winner in 0_u8..4,
    ) {
        is_read_back::<International>(&choices, begin, &tags, &remarks, winner);
        is_read_back::<English>(&choices, begin, &tags, &remarks, winner);
        is_read_back::<Russian>(&choices, begin, &tags, &remarks, winner);
        is_read_back::<Turkish>(&choices, begin, &tags, &remarks, winner);
    }
}
