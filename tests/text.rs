//! FEN and moves as text: what is read, what is written, and what is refused where.

use endame::position::{Fen, MoveError};
use endame::rules::{English, International, Rules, Russian, Turkish};

fn fen<R: Rules>(text: &str) -> Fen<R> {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The legal moves as they are written, sorted.
fn moves<R: Rules>(text: &str) -> Vec<String> {
    let fen = fen::<R>(text);
    let legal = fen.position.moves();
    let mut texts: Vec<String> = legal.iter().map(|mv| fen.move_text(mv, &legal)).collect();
    texts.sort();
    texts
}

fn refused<R: Rules>(text: &[u8], at: usize, says: &str) {
    let error = Fen::<R>::parse(text).expect_err("a fault");
    let message = error.to_string();
    assert_eq!(error.at, at, "{message}");
    assert!(message.contains(says), "{message:?} does not say {says:?}");
    assert!(message.len() < 120 && message.is_ascii() && !message.contains('\n'), "{message:?}");
}

#[test]
fn what_is_written_is_read_back() {
    for text in ["W:W31,K32:B1,2,3", "B:W50:B", "W:W:BK50", "B:WK1,K50:B40"] {
        assert_eq!(fen::<International>(text).to_string(), text);
    }
    for text in ["W:Wa1,c3,Kb8:Bd4", "B:Wh2:BKa1,h8"] {
        let written = fen::<Russian>(text).to_string();
        assert_eq!(fen::<Russian>(&written), fen(text));
    }
    assert_eq!(fen::<Turkish>("W:Wc2,b3,Kb2:B").to_string(), "W:WKb2,b3,c2:B");
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    assert_eq!(Fen::<English>::start().to_string(), start);
}

#[test]
fn leniencies_change_nothing() {
    let plain = fen::<International>("W:WK31,K32,K33,40:B1,2");
    for text in [
        "W:WK31-33,40:B1-2",
        "W:B1,2:W40,K33,K32,K31",
        "W:WK31-33,40:B1,2.",
        " W : W K31 - 33 , 40 : B 1 , 2 . ",
        "W:WK31-33,40:B1,2\r\n",
        "W:WK31-33,40:B1,2.\r\n\r\n",
        "\tW:WK31-33,40:\n B01,02\t",
        "[FEN \"W:WK31-33,40:B1-2\"]",
        " [FEN  \"W:WK31-33,40:B1-2.\" ] \r\n",
    ] {
        assert_eq!(fen::<International>(text), plain, "{text:?}");
    }
    assert_eq!(fen::<Russian>("W:W22,K1:B11").to_string(), "W:WKb8,c3:Bf6");
    assert_eq!(fen::<Russian>("W:WC3:Bf6"), fen("W:Wc3:Bf6"));
}

#[test]
fn faults_are_pointed_at() {
    refused::<International>(b"", 0, "the end");
    refused::<International>(b"  \r\n", 4, "the end");
    refused::<International>(b"hello", 0, "hello");
    refused::<International>(b"?:W31:B1", 0, "the side to move is unknown");
    refused::<International>(b"w:W31:B1", 0, "W or B");
    refused::<International>(b"W", 1, "':'");
    refused::<International>(b"WW31:B1", 1, "':'");
    refused::<International>(b"W:31:B1", 2, "W or B");
    refused::<International>(b"W:W31", 5, "the other side");
    refused::<International>(b"W:W31:", 6, "W or B");
    refused::<International>(b"W:W31:W32", 6, "White are given twice");
    refused::<International>(b"W:W:B", 5, "no pieces");
    refused::<International>(b"W:W31:B0", 7, "\"0\"");
    refused::<International>(b"W:W51:B1", 3, "1 to 50");
    refused::<International>(b"W:W99999999999999999999999:B1", 3, "999999999999...");
    refused::<International>(b"W:W31,:B1", 6, "no square");
    refused::<International>(b"W:W31;32:B1", 5, "\";32\"");
    refused::<International>(b"W:WQ31:B1", 3, "Q31");
    refused::<International>(b"W:W31 32:B1", 6, "\"32\"");
    refused::<International>(b"W:W33-31:B1", 3, "33-31");
    refused::<International>(b"W:W31-:B1", 6, "no square");
    refused::<International>(b"W:W31-35,33:B1", 9, "33 is named twice");
    refused::<International>(b"W:WK31,31:B1", 7, "31 is named twice");
    refused::<International>(b"W:W31:B25-35", 7, "31 is named twice");
    refused::<International>(b"W:W6-25:B46,26", 9, "Black on 46");
    refused::<International>(b"W:W1-5:BK50", 3, "K1");
    refused::<International>(b"W:W6-26:BK50", 3, "more than 20 pieces of White");
    refused::<English>(b"W:W31:BK1-13", 8, "more than 12 pieces of Black");
    refused::<Turkish>(b"W:Wa1,b1,c1,d1,e1,f1,g1,h1,a2,b2,c2,d2,e2,f2,g2,h2,a3:B", 51, "more than 16");
    refused::<International>(b"W:W31:B1..", 9, "the end");
    refused::<International>(b"W:W31:B1:H0:F1", 8, "the end");
    refused::<International>(b"W:W31:B1 x", 9, "\"x\"");
    refused::<International>(b"[FEN W:W31:B1]", 5, "'\"'");
    refused::<International>(b"[FEN \"W:W31:B1", 14, "'\"'");
    refused::<International>(b"[FEN \"W:W31:B1\"", 15, "']'");
    refused::<International>(b"W:W\xff\x00:B1", 3, "\\xff\\x00");
    refused::<International>("W:W31:B\u{431}".as_bytes(), 7, "\\xd0");
}

#[test]
fn squares_of_another_board_are_refused() {
    refused::<International>(b"W:Wc3:Bf6", 3, "c3");
    refused::<English>(b"W:W33:B1", 3, "1 to 32");
    refused::<Russian>(b"W:Wa2:Bf6", 3, "dark ones only");
    refused::<Russian>(b"W:Wc3:Bi9", 7, "i9");
    refused::<Russian>(b"W:Wa1-c3:Bf6", 3, "a1-c3");
    refused::<Turkish>(b"W:W31:B1", 3, "a1 to h8");
}

#[test]
fn a_line_of_a_megabyte_is_refused_at_once_and_in_few_words() {
    for unit in ["9", "1,", " ", "W", ":", "-", "K", "\u{fffd}"] {
        let line = format!("W:W31,{}", unit.repeat((1 << 20) / unit.len()));
        let error = Fen::<International>::parse(line.as_bytes()).expect_err("garbage");
        assert!(error.to_string().len() < 120, "{error}");
        let error = fen::<International>("W:W31:B1").read_move(&line).expect_err("garbage");
        assert!(error.to_string().len() < 120, "{error}");
    }
}

#[test]
fn the_shortest_form_that_is_not_ambiguous_is_written() {
    assert_eq!(moves::<International>("W:W31:B1"), ["31-26", "31-27"]);
    assert_eq!(moves::<International>("W:W31:B27"), ["31x22"]);
    assert_eq!(moves::<Russian>("W:Wc3:Bd4"), ["c3:e5"]);
    assert_eq!(moves::<Turkish>("W:Wc3:Bc4"), ["c3xc5"]);
    assert_eq!(moves::<International>("W:W33:B27,28,37,38"), ["33x33"]);
}

#[test]
fn a_path_is_written_where_start_and_end_name_two_captures() {
    // The case of the PDN 3.0 description: two captures of four pieces from 47 to 36.
    assert_eq!(moves::<International>("B:W14,19,31,38:BK47"), ["47x20x9x36", "47x24x13x36"]);
}

#[test]
fn ambiguous_and_illegal_moves_are_refused() {
    let position = fen::<International>("B:W14,19,31,38:BK47");
    let Err(MoveError::Ambiguous { text, moves }) = position.read_move("47x36") else { panic!("47x36 is ambiguous") };
    assert_eq!((text.as_str(), moves.len()), ("47x36", 2));
    for form in &moves {
        assert!(position.read_move(form).is_ok(), "{form}");
    }
    let by_path = position.read_move(&moves[0]).expect("a legal move");
    let captured = position.captured_names(&by_path).join("x");
    assert_eq!(position.read_move(&format!("47x36x{captured}")), Ok(by_path), "as in the Hub protocol");

    let position = fen::<International>("W:WK3,30:B12,17");
    let after = position.play(&position.read_move("30-25").expect("legal"));
    assert!(matches!(after.read_move("30-25"), Err(MoveError::Illegal { capture_due: false, .. })));
    let due = fen::<International>("W:W31,40:B27").read_move("40-35").expect_err("a capture is due");
    assert_eq!(due.to_string(), "\"40-35\" is not a legal move here: a capture is due");
}

/// The path of a lone capture is its start and end, so a longer capture between the same squares leaves it unclear.
#[test]
fn the_captured_squares_are_written_where_the_path_says_too_little() {
    assert_eq!(moves::<Russian>("W:WKf4:Bb6,c3,d6,g5"), ["f4:c7:a5:d2:h6", "f4:h6<g5>"]);
    assert_eq!(moves::<English>("W:WK23:B17,18,25,26,27"), ["23x14x21x30x23x32", "23x32<27>"]);
    let fen = fen::<Russian>("W:WKf4:Bb6,c3,d6,g5");
    assert!(matches!(fen.read_move("f4:h6"), Err(MoveError::Ambiguous { .. })));
    for (text, captured) in [("f4:h6<g5>", 1), ("f4 : h6 < g5 >", 1), ("f4:h6<d6,b6,c3,g5>", 4), ("f4:h6<d6,b6,c3>", 0)]
    {
        let read = fen.read_move(text).map_or(0, |mv| mv.captured.len());
        assert_eq!(read, captured, "{text}");
    }
}

#[test]
fn signs_blanks_zeros_and_capitals_do_not_matter() {
    let quiet = fen::<International>("W:W31,6:B20");
    for text in ["6-1", "6x1", "06-01", " 6 - 1 ", "6:1", "6-1\r\n"] {
        assert!(quiet.read_move(text).is_ok_and(|mv| mv.promotes), "{text:?}");
    }
    let capture = fen::<Russian>("W:Wc3:Bd4");
    for text in ["c3:e5", "c3xe5", "c3-e5", "c3e5", "C3:E5", "22x15"] {
        assert!(capture.read_move(text).is_ok(), "{text:?}");
    }
    // A path may be given where none is needed.
    let long = fen::<English>("W:W22:B10,18");
    assert_eq!(long.read_move("22x15x6"), long.read_move("22x6"));
    assert!(matches!(long.read_move("22x13x6"), Err(MoveError::Illegal { .. })));
}

#[test]
fn text_that_is_no_move_is_pointed_at() {
    let position = fen::<International>("W:W31:B1");
    for (text, at) in
        [("", 0), ("31", 2), ("31-", 3), ("31-51", 3), ("31-26-", 6), ("x", 0), ("31+26", 2), ("31-26!", 5)]
    {
        let Err(MoveError::Syntax { at: found, .. }) = position.read_move(text) else { panic!("{text:?}") };
        assert_eq!(found, at, "{text:?}");
    }
}

#[test]
fn captured_squares_may_stand_for_landing_squares() {
    let man = fen::<International>("W:W39:B11,22,33,45");
    let short = man.read_move("39x6").expect("the only move");
    for text in ["39x33x22x11", "39x11x33x22", "39:22:33:11", "39x6x33x22x11"] {
        assert_eq!(man.read_move(text), Ok(short), "{text}");
    }
    // A quiet sign names squares where the piece lands, and all captured squares must be there.
    for text in ["39-33-22-11", "39x33x22", "39x33", "39x33x22x11x11", "39x33x22x45"] {
        assert!(matches!(man.read_move(text), Err(MoveError::Illegal { .. })), "{text}");
    }
    // One captured square may stand for several landing squares.
    let king = fen::<International>("W:WK46:B37");
    assert!(matches!(king.read_move("46x37"), Err(MoveError::Ambiguous { moves, .. }) if moves.len() == 7));
}

#[test]
fn landing_squares_may_stand_in_any_order_or_only_where_the_piece_turns() {
    let man = fen::<International>("W:W39:B11,22,33,45");
    let short = man.read_move("39x6");
    for text in ["39x28x17x6", "39x17x28x6", "39x17x6", "39x28x6"] {
        assert_eq!(man.read_move(text), short, "{text}");
    }
    for text in ["39x28x16x6", "39x28x17x17x6x1", "39x44x28x17x6"] {
        assert!(matches!(man.read_move(text), Err(MoveError::Illegal { .. })), "{text}");
    }
    // Two captures between the same squares: the order of stops still tells them apart, and is read first.
    let king = fen::<International>("B:W14,19,31,38:BK47");
    assert_ne!(king.read_move("47x24x13x36"), king.read_move("47x20x9x36"));
    assert!(king.read_move("47x24x9x36").is_err());
}
