//! One test for each oddity met in game files.

use endame::position::Fen;
use endame::rules::{English, International, Russian, Turkish};

use crate::{game, games, read, refused};

/// Plies of the only game of an international file.
fn plies(text: &str) -> usize {
    game::<International>(text).moves.len()
}

#[test]
fn every_line_end_counts_once() {
    for (end, name) in [("\n", "LF"), ("\r", "CR"), ("\r\n", "CR LF")] {
        let text = ["[White \"A\"]", "", "1. 32-28", "18-23 33-33 *"].join(end);
        assert_eq!(refused::<International>(&text), "line 4: \"33-33\" is not a legal move here", "{name}");
    }
    assert_eq!(read::<International>("\r\r\n\n1. 7 *")[0].as_ref().expect_err("no move").line, 4);
}

#[test]
fn bytes_that_are_not_utf_8_are_latin_1() {
    let games = games::<International>(b"[White \"Andr\xe9\"] *\n[White \"\xd0\x91\"] *\n[White \"\xff\xfe\"] *");
    let names: Vec<_> = games.iter().map(|game| game.tag("White").expect("a name")).collect();
    assert_eq!(names, ["Andr\u{e9}", "\u{411}", "\u{ff}\u{fe}"]);
}

#[test]
fn byte_order_marks_of_concatenated_files_are_blanks() {
    assert_eq!(games::<International>("\u{feff}1. 32-28 *\n\u{feff}[White \"\"]\n1. 31-27 *").len(), 2);
}

#[test]
fn tags_may_be_padded_or_share_a_line() {
    let game = game::<International>(" [ White   \"A\"  ][Black \"B\" ]\t[Site\"C\"] 1. 32-28 *");
    let tags: Vec<_> = game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(tags, [("White", "A"), ("Black", "B"), ("Site", "C")]);
    assert_eq!(game.moves.len(), 1);
}

#[test]
fn quotes_and_backslashes_in_tags() {
    for (text, value) in [
        (r#"a \"b\" c"#, "a \"b\" c"),
        (r#"a "b" c"#, "a \"b\" c"),
        (r"C:\games\x", r"C:\games\x"),
        (r"two \\ of them", r"two \ of them"),
        ("brackets ] and [", "brackets ] and ["),
        (" blanks ", " blanks "),
    ] {
        assert_eq!(game::<International>(format!("[Event \"{text}\"]\n*")).tag("event"), Some(value));
    }
}

#[test]
fn a_tag_that_is_none_is_refused_with_the_tags_after_it() {
    let text = "[Event no quote]\n[White \"A\"]\n1. 32-28 *\n[White \"B]\n*\n[White \"C\"]\n*";
    let games = read::<International>(text);
    let [Err(first), Err(second), Ok(third)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(first.to_string(), "line 1: \"[Event no quote]\" is not a tag: expected '\"' after its name");
    assert_eq!(second.to_string(), "line 4: \"[White \"B]\" is not a tag: expected '\"]' at its end");
    assert_eq!(third.tag("White"), Some("C"));
}

#[test]
fn move_numbers_of_every_form() {
    for text in [
        "1. 32-28 18-23 2. 38-32 12-18 *",
        "1.32-28 18-23 2.38-32 12-18",
        "1. 32-28 1... 18-23 2. 38-32 2... 12-18",
        "1.32-28 1...18-23 2. ... 38-32 12-18",
        "01. 32-28 18-23 02. 38-32 12-18",
        "1 . 32-28 18-23 77. ... 38-32 12-18",
        "1.\n32-28\n18-23\n2.\n38-32\n12-18",
        "32-28 18-23 38-32 12-18",
        "1. 32-28 18-23 2. 38-32 12-18 3.",
        "1. 32-28 18-23 2. 38-32 12-18 40. *",
        "1\u{2026} 32-28 18-23 38-32 12-18",
    ] {
        assert_eq!(plies(text), 4, "{text}");
    }
}

#[test]
fn a_number_without_a_dot_is_not_passed_over() {
    // It may be half of a move.
    let message = "line 1: \"18\" is not a move: expected one of - x : and a square, found its end";
    assert_eq!(refused::<International>("1. 32-28 18 23 2. 38-32 *"), message);
    let games = read::<International>("1. 32-28 2-0\n2.");
    assert_eq!(games[1].as_ref().expect_err("no game").to_string(), "line 2: \"2.\" is a move number without a game");
}

#[test]
fn moves_with_blanks_zeros_capitals_or_without_sign() {
    for text in
        ["1. 32 - 28 18 -23", "1. 32- 28 18-\n23", "1. 32x28 18:23", "1. 32-28! 18-23!?", "1. 32-28 (!) 18-23 (?!)"]
    {
        assert_eq!(plies(text), 2, "{text}");
    }
    let letters = game::<Russian>("1. c3-d4 f6-g5");
    for text in ["1. c3d4 f6g5", "1. C3-D4 F6xG5", "1. c3:d4 f6 - g5 *", "1. 22-18 11-16"] {
        assert_eq!(game::<Russian>(text).moves, letters.moves, "{text}");
    }
}

#[test]
fn every_listing_of_a_capture_is_the_same_move() {
    // The man on 39 takes 33, 22 and 11 by way of 28 and 17.
    let start = "[FEN \"W:W39:B11,22,33,45\"]\n1. ";
    let short = game::<International>(format!("{start}39x6 *"));
    assert_eq!(short.moves[0].captured.len(), 3);
    for text in [
        "39x28x17x6",
        "39x17x28x6",
        "39-28-17-6",
        "39x6x33x22x11",
        "39x6x11x33x22",
        "39x33x22x11",
        "39x22x11x33",
        "39 x 6 x 33 x 22 x 11",
        "39x6<11,22,33>",
        "39x28x6",
        "39x17x6",
    ] {
        assert_eq!(game::<International>(format!("{start}{text} *")).moves, short.moves, "{text}");
    }
    for text in ["39x29x17x6", "39x28x18x6", "39x6x33x22", "39x33x22", "39-33-22-11", "39x6<11,22>", "39x28x17x6x1"] {
        assert_eq!(
            refused::<International>(format!("{start}{text} *")),
            format!("line 2: \"{text}\" is not a legal move here: a capture is due")
        );
    }
}

#[test]
fn a_turkish_capture_may_be_listed_by_what_it_takes() {
    let start = "[FEN \"W:We4:Be5,f6,g7\"]\n1. ";
    let landing = game::<Turkish>(format!("{start}e4xe6xg6xg8"));
    for text in ["e4xe5xf6xg7", "e4xg7xf6xe5", "e4xg8", "e4:e5:f6:g7", "E4xG8<e5,f6,g7>"] {
        assert_eq!(game::<Turkish>(format!("{start}{text}")).moves, landing.moves, "{text}");
    }
    let one = game::<Turkish>("[FEN \"W:Wc3:Bc4\"]\n1. c3xc4");
    assert_eq!(one.moves, game::<Turkish>("[FEN \"W:Wc3:Bc4\"]\n1. c3xc5").moves);
    // A king has several squares behind the piece it takes.
    let message = refused::<Turkish>("[FEN \"W:WKc3:Bc4\"]\n1. c3xc4");
    assert!(message.starts_with("line 2: \"c3xc4\" is ambiguous: write "), "{message}");
}

#[test]
fn an_ambiguous_move_is_refused_with_both_it_may_be() {
    let start = "[FEN \"B:W14,19,31,38:BK47\"]\n1... ";
    let message = refused::<International>(format!("{start}47x36 *"));
    assert_eq!(message, "line 2: \"47x36\" is ambiguous: write 47x24x13x36 or 47x20x9x36");
    assert_eq!(plies(&format!("{start}47x20x9x36 *")), 1);
}

#[test]
fn a_path_that_is_not_that_of_the_only_move_is_refused() {
    let message = refused::<English>("[FEN \"W:W22:B10,18\"]\n1... 22x13x6 *");
    assert_eq!(message, "line 2: \"22x13x6\" is not a legal move here: a capture is due");
    assert_eq!(game::<English>("[FEN \"W:W22:B10,18\"]\n1... 22x15x6 *").moves.len(), 1);
}

#[test]
fn comments_of_every_form_are_no_moves() {
    let text = "{31-26 1.}1. 32-28{a}{b\nc} ; 31-27 *\n% 31-27 {\n 18-23 $1 $139 *{d}";
    let game = game::<International>(text);
    assert_eq!(game.moves.len(), 2);
    let comments: Vec<_> = game.comments.iter().map(|(before, text)| (*before, text.as_str())).collect();
    assert_eq!(comments, [(0, "31-26 1."), (1, "a"), (1, "b c"), (2, "d")]);
}

#[test]
fn a_comment_that_is_not_closed_does_not_take_the_next_game() {
    let text = "[White \"A\"]\n1. 32-28 {no end\n18-23 *\n\n[White \"B\"]\n1. 32-28 {x} *";
    let games = read::<International>(text);
    let [Err(error), Ok(next)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(error.to_string(), "line 2: \"{no end\" begins a comment that is not closed");
    assert_eq!((error.line, error.column), (2, 10));
    assert_eq!((next.line, next.tag("White")), (5, Some("B")));
    // Not even where a later brace would close it.
    let games = read::<International>("1. 32-28 {no end\n[White \"B\"]\n1. 31-27 } *\n[White \"C\"] *");
    assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn nested_braces_are_refused_by_line() {
    let games = read::<International>("1. 32-28\n{a {b} c} 18-23 2-0\n1. 31-27 *");
    let [Err(error), Ok(next)] = games.as_slice() else { panic!("{games:?}") };
    let message = "line 2: \"{a {b} c} 18-23 2-0\" begins a comment with a second { in it: comments do not nest";
    assert_eq!(error.to_string(), message);
    assert_eq!(next.line, 3);
    assert_eq!(refused::<International>("1. 32-28 } *"), "line 1: \"}\" is neither a tag nor a move nor a result");
}

#[test]
fn variations_may_nest_and_hold_anything() {
    assert_eq!(plies("1. 32-28 (1. 31-27 (1. 33-28 {:-)} *) 1-0 ; :-(\n $1 ) 18-23 *"), 2);
    let deep = format!("1. 32-28 {}{} 18-23 *", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(plies(&deep), 2);
}

#[test]
fn a_variation_that_is_not_closed_does_not_take_the_next_game() {
    let games = read::<International>("1. 32-28\n(31-27 (\n[White \"B\"]\n1. 32-28 *");
    let [Err(error), Ok(next)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(error.to_string(), "line 2: \"(31-27 (\" begins a variation that is not closed");
    assert_eq!(next.moves.len(), 1);
    assert_eq!(refused::<International>("1. 32-28 ) *"), "line 1: \")\" is neither a tag nor a move nor a result");
}

#[test]
fn a_star_is_a_strength_or_the_end() {
    // Glued to a move, or with the next move number behind it, it says that the move was forced.
    assert_eq!(plies("1. 32-28* 18-23*!\n2. 38-32 *"), 3);
    assert_eq!(plies("1. 32-28 18-23 * 2. 38-32 12-18"), 4);
    assert_eq!(games::<International>("1. 32-28 18-23 *\n1. 31-27 *").len(), 2);
}

#[test]
fn games_without_anything_between_them() {
    let games = games::<International>(
        "1. 32-28 18-23 1. 31-27\n2-0 1. 33-28 [White \"A\"] 1. 34-29\n[White \"B\"] [White \"C\"]\n\n[White \"D\"]",
    );
    assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 1, 1, 1, 0, 0]);
    assert_eq!(games[4].tags.len(), 2, "no empty line: one game");
}

#[test]
fn an_empty_fen_is_the_start() {
    for tags in ["[SetUp \"0\"][FEN \"\"]", "[Setup \"1\"]\n[FEN \" \"]", ""] {
        assert_eq!(game::<English>(format!("{tags}\n1. 11-15 *")).start, Fen::start(), "{tags}");
    }
}

#[test]
fn a_fen_may_be_written_otherwise_than_the_moves() {
    let numbers = game::<Russian>("[FEN \"W:W22,29:B11.\"]\n1. c3-d4");
    let letters = game::<Russian>("[FEN \"W:Wc3,b2:Bf6:H0:F1\"]\n1. 22-18");
    assert_ne!(numbers.start, letters.start);
    assert_eq!(
        game::<Russian>("[FEN \"W:W22,25:B11:H3:F12\"]\n1. 22-18").start.to_string(),
        "W:Wa1,c3:Bf6".replace("a1", "b2")
    );
    assert_eq!(numbers.start.to_string(), "W:Wa1,c3:Bf6");
}

#[test]
fn a_position_that_is_none_is_refused_and_the_next_game_read() {
    let games = read::<International>("[FEN \"W:W51:B1\"]\n1. 32-28 *\n[FEN \"W:W31:B1\"]\n1. 31-26 *");
    let [Err(error), Ok(_)] = games.as_slice() else { panic!("{games:?}") };
    let message = "line 1: \"W:W51:B1\" is not a position of international draughts: no square \"51\" on this board: squares are 1 to 50";
    assert_eq!(error.to_string(), message);
    let message = refused::<International>("[FEN \"W:W31:B1\"]\n[FEN \"W:W32:B1\"]\n*");
    assert_eq!(message, "line 2: \"W:W32:B1\" is a second position for the same game");
}

#[test]
fn a_position_among_the_moves_is_refused() {
    let games = read::<International>("1. 32-28\n/FEN \"W:W31:B1\"/ 1. 31-26 *\n[White \"B\"]\n*");
    let [Err(error), Ok(_)] = games.as_slice() else { panic!("{games:?}") };
    let says = "line 2: \"/FEN \"W:W31:B1\"/ 1. 31-26 *\" sets up a position among the moves, which is not read: begin another game with a FEN tag";
    assert_eq!(error.to_string(), says);
}

#[test]
fn the_gametype_must_be_that_of_the_variant() {
    for kind in ["20", "20,W,10,10,N1,0", "20,W,10,10,N2,0", " 20 ", "", "?"] {
        assert_eq!(plies(&format!("[GameType \"{kind}\"]\n1. 32-28 *")), 1, "{kind}");
    }
    let message = refused::<International>("[Event \"\"]\n[GameType \"25,W,8,8,A0,0\"]\n1. c3-d4 *");
    assert_eq!(
        message,
        "line 2: \"25,W,8,8,A0,0\" is the GameType of russian draughts, and international draughts (20) is read"
    );
    assert!(refused::<English>("[GameType \"20\"]\n*").contains("english draughts (21)"));
    assert!(refused::<Turkish>("[GameType \"999\"]\n*").contains("another variant"));
    assert!(refused::<Turkish>("[GameType \"Dama\"]\n*").contains("a number such as 30"));
}

#[test]
fn squares_of_another_variant_are_named() {
    let message = refused::<International>("1. c3-d4 *");
    assert_eq!(message, "line 1: \"c3-d4\" is not a move: expected a square, 1 to 50, found \"c3-d4\"");
    assert!(refused::<Turkish>("1. 22-18 *").contains("a1 to h8"));
}

#[test]
fn the_first_fault_of_a_game_is_told_and_every_other_game_read() {
    let text = "[White \"A\"]\n1. 32-28 18-23\n2. 28x20 foo {x} 31-27 2-0\n1. 31-27 bar *\n1. 31-27 *";
    let games = read::<International>(text);
    let [Err(first), Err(second), Ok(third)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(first.to_string(), "line 3: \"28x20\" is not a legal move here");
    assert_eq!((first.line, first.column, first.token.as_str()), (3, 4, "28x20"));
    assert_eq!(second.to_string(), "line 4: \"bar\" is neither a tag nor a move nor a result");
    assert_eq!(third.line, 5);
}

#[test]
fn what_is_not_ascii_is_escaped_in_messages() {
    let message = refused::<International>("1. \u{411}\u{7}\n");
    assert_eq!(message, "line 1: \"\\u{411}\\u{7}\" is neither a tag nor a move nor a result");
}

/// The tag was once taken for one of the game before it, where something was passed over in front of it.
#[test]
fn what_is_passed_over_hides_no_end_of_a_game() {
    for between in ["", ";x\n", "%x\n", "...", "(31-27)", "$1", "!?"] {
        let games = games::<International>(format!(
            "1. 32-28 {between}[White \"B\"]\n1. 31-27 {between}\n1... 18-23 2. 33-29 {between} 1. 33-28"
        ));
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [1, 3, 1], "{between}");
    }
    let game = game::<International>("[Result \"1+ - 1-\"]\n1. 32-28 ;x\n1+ - 1-");
    assert_eq!(game.result.text(), "1+ - 1-");
}
