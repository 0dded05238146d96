//! Files that are no game files, damaged ones, and very long ones: no panic, an end, a line for every fault.

use std::fmt::Write as _;

use endame::pdn::PdnReader;
use endame::rules::{English, International, Rules, Russian, Turkish};
use proptest::prelude::*;

use crate::{games, read};

const CASES: &[&[u8]] = &[
    include_bytes!("../../data/pdn/int-variations-nags.pdn"),
    include_bytes!("../../data/pdn/int-fen-dot-range-unknown.pdn"),
    include_bytes!("../../data/pdn/int-zero-padded-mixed-eol.pdn"),
    include_bytes!("../../data/pdn/int-clock-comments.pdn"),
    include_bytes!("../../data/pdn/eng-result-only-endgames.pdn"),
    include_bytes!("../../data/pdn/eng-full-game-multijump.pdn"),
    include_bytes!("../../data/pdn/rus-colon-captures-cyrillic.pdn"),
    include_bytes!("../../data/pdn/rus-numeric-top-left.pdn"),
    include_bytes!("../../data/pdn/tur-tudaf-captured-squares.pdn"),
];

/// Reads a file to its end; every game and every fault lies on a line of it, one after the other.
fn holds<R: Rules>(bytes: &[u8]) {
    let lines = 1 + bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    let mut last = 1;
    let mut reader = PdnReader::<R>::new(bytes);
    for count in 0.. {
        assert!(count <= bytes.len(), "more games than bytes");
        let Some(game) = reader.next() else { break };
        let line = match game {
            Ok(game) => {
                let mut fen = game.start;
                for mv in &game.moves {
                    assert!(fen.position.moves().contains(mv), "only legal moves are played");
                    fen = fen.play(mv);
                }
                game.line
            }
            Err(error) => {
                let message = error.to_string();
                assert!(message.is_ascii() && message.len() < 400 && !message.contains('\n'), "{message:?}");
                assert!(error.column >= 1 && !error.token.is_empty(), "{message}");
                error.line
            }
        };
        assert!((last..=lines).contains(&line), "line {line} after {last} of {lines}");
        last = line;
    }
    assert!(reader.next().is_none(), "the end stays the end");
}

fn holds_everywhere(bytes: &[u8]) {
    holds::<International>(bytes);
    holds::<English>(bytes);
    holds::<Russian>(bytes);
    holds::<Turkish>(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn random_bytes_end_in_games_or_faults(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        holds_everywhere(&bytes);
    }

    #[test]
    fn random_marks_end_in_games_or_faults(
        marks in prop::collection::vec(prop::sample::select(vec![
            "[", "]", "\"", "[White \"", "\"]", "[FEN \"W:W31:B1\"]", "[Result \"4-6\"]", "{", "}", "(", ")", ";", "%", "\n",
            "\r\n", " ", "1.", "2.", "...", "32-28", "18x23", "c3-d4", "a3b4", "<", ">", "*", "1-0", "4-6", "1/2-1/2", "$3",
            "!", "?", "-", "x", ":", "/FEN \"", "\\", "\u{feff}", "\u{bd}", "\u{411}", "7", "0",
        ]), 0..60),
    ) {
        holds_everywhere(marks.concat().as_bytes());
    }

    #[test]
    fn damaged_files_end_in_games_or_faults(
        case in prop::sample::select(CASES),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
    ) {
        let mut bytes = case.to_vec();
        for (at, byte, kind) in edits {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        holds_everywhere(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_fault_costs_its_own_game_and_no_other(
        broken in 0..4_usize,
        at in any::<prop::sample::Index>(),
        fault in prop::sample::select(vec!["99-99", "foo", "}", ")", "{", "(", "{a {b} c}", "/FEN \"\"/", "1", "]", "\u{411}"]),
    ) {
        let texts: Vec<String> = (0..4).map(|number| {
            format!("[White \"{number}\"]\n[Result \"1-1\"]\n\n1. 32-28 18-23 2. 38-32\n12-18 3. 43-38 7-12 1-1\n\n")
        }).collect();
        let mut broken_texts = texts.clone();
        let body = texts[broken].find("1. ").expect("a first move");
        let end = texts[broken].rfind(" 1-1").expect("a result");
        let gaps: Vec<usize> = texts[broken][body..=end].match_indices([' ', '\n']).map(|(gap, _)| body + gap).collect();
        broken_texts[broken].insert_str(gaps[at.index(gaps.len())], &format!(" {fault} "));
        let games = read::<International>(broken_texts.concat());
        prop_assert_eq!(games.len(), 4);
        for (number, game) in games.iter().enumerate() {
            match game {
                Ok(game) => prop_assert!(number != broken && game.moves.len() == 6 && game.line == 1 + 6 * number),
                Err(error) => prop_assert!(number == broken && (4 + 6 * number..=5 + 6 * number).contains(&error.line)),
            }
        }
    }
}

/// Each of these was chosen to make a reader that looks ahead do so again and again.
#[test]
fn long_files_of_one_mark_are_read_at_once() {
    for unit in [
        "{",
        "}",
        "(",
        ")",
        "[",
        "[A",
        "[A \"",
        "\"",
        "*",
        "1.",
        "1. ",
        "1 ",
        "1-",
        "1-0 ",
        "4-6 ",
        "x",
        "a",
        "a1",
        "/FEN ",
        "\r",
        " ",
        ";",
        ";\n",
        "%",
        "$",
        "<",
        "1<",
        "1-2<",
        "\\",
        "!",
        "1/2",
        "1.1-",
        "(\n",
        "{\n[A \"b\"]\n",
        "(\n[A \"b\"]\n",
        "[Result \"a\"]\na {\n",
        "[Result \"a\"]\na ;\n",
        "a {b} ",
        "2-0 {",
        "{a{b} ",
        "{{}}\n",
        "{{\n",
        "{{\n[A \"b\"]\n",
        "4-6 {a} ",
        "[A \"b\"] ",
        "[A \"b\"]\n\n",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        holds::<International>(text.as_bytes());
        holds::<International>(format!("[Result \"a\"]\n1. 32-28 {text}").as_bytes());
    }
}

#[test]
fn a_long_file_is_read_to_its_end() {
    const GAMES: usize = 20_000;
    let mut text = String::new();
    for number in 0..GAMES {
        let moves = "1. 32-28 18-23 2. 38-32 12-18 3. 43-38 7-12 4. 49-43 1-7 5. 31-27 17-21";
        writeln!(text, "[White \"{number}\"]\n\n{moves} {{why}} 6. 36-31 21-26 1-1\n").expect("text takes all");
    }
    let games = games::<International>(&text);
    assert_eq!(games.len(), GAMES);
    assert!(games.iter().enumerate().all(|(i, game)| game.moves.len() == 12 && game.line == 1 + 4 * i));
    assert_eq!(games[GAMES - 1].tag("White"), Some("19999"));
    // One fault in every game, and still every game is named.
    let faults = read::<International>(text.replace("17-21", "17-20"));
    assert!(faults.iter().enumerate().all(|(i, fault)| fault.as_ref().is_err_and(|error| error.line == 3 + 4 * i)));
    assert_eq!(faults.len(), GAMES);
}
