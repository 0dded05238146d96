//! The search against a plain one: every move, no window, no memory.

use endame::engine::{Evaluation, Found, Game, Limits, MaterialEvaluation, Options, Score, Searcher};
use endame::rules::{English, International, Rules, Russian, Turkish};

use crate::dice::{Dice, game};

/// No reductions, so that every move is searched to the full depth.
const PLAIN: Options =
    Options { table_bytes: 1 << 20, reductions: false, extensions: true, threats: true, quick: false };

fn search<R: Rules>(game: &Game<R>, depth: u32, options: Options) -> Found {
    let mut searcher = Searcher::new(MaterialEvaluation::of::<R>(), options);
    searcher.search(game, &Limits::depth(depth)).expect("without tables nothing fails")
}

/// The worth of the present position of `game`, which began `ply` plies ago at a root that was searched `root_depth`
/// deep.
fn twin<R: Rules>(game: &mut Game<R>, depth: i32, ply: u32, root_depth: u32, options: Options) -> Score {
    let position = game.position();
    let moves = position.moves();
    if moves.is_empty() {
        return Score::loss_in(ply);
    }
    let since_root = &game.positions()[game.positions().len() - ply as usize..];
    let repeats = |position| since_root.iter().rev().skip(1).step_by(2).filter(|p| **p == position).count() > 0;
    if ply > 0 && (game.counts().full().is_some() || repeats(position) || game.occurrences() >= 3) {
        return Score::DRAW;
    }
    let quiet = !moves[0].is_capture();
    let is_threatened = options.threats && depth == 0 && position.turned().must_capture();
    if depth <= 0 && quiet && !is_threatened {
        return MaterialEvaluation::of::<R>().score(&position);
    }
    let is_spent = options.quick && depth <= 1 && ply >= root_depth;
    let is_free = moves.len() == 1 && options.extensions && ply < 2 * root_depth && !is_spent;
    let next = if is_free { depth } else { depth - 1 };
    let mut best = -Score::INFINITE;
    for mv in &moves {
        game.play(mv);
        best = best.max(-twin(game, next, ply + 1, root_depth, options));
        game.undo();
    }
    best
}

fn agrees<R: Rules>(depth: u32, games: usize, ways: &[Options]) {
    let mut dice = Dice(11);
    for number in 0..games {
        let mut game = dice.game::<R>(number * 3 % 60);
        for &options in ways {
            let expected = twin(&mut game, depth as i32, 0, depth, options);
            let found = search(&game, depth, options);
            assert_eq!(found.score, expected, "{} {} {options:?}", R::NAME, game.fen());
        }
    }
}

#[test]
fn the_search_finds_what_a_plain_one_finds() {
    let ways = [PLAIN, Options { table_bytes: 0, ..PLAIN }, Options { extensions: false, threats: false, ..PLAIN }];
    agrees::<International>(4, 40, &ways);
    agrees::<English>(5, 40, &ways);
    agrees::<Russian>(4, 40, &ways);
    agrees::<Turkish>(3, 30, &ways);
}

#[test]
fn a_quick_search_of_one_ply_searches_captures_out() {
    // Deeper it believes guesses off the best line, which no plain search does.
    let ways = [Options { threats: false, quick: true, ..PLAIN }];
    agrees::<International>(1, 80, &ways);
    agrees::<English>(1, 80, &ways);
    agrees::<Russian>(1, 80, &ways);
    agrees::<Turkish>(1, 80, &ways);
}

/// Of positions late in random games, how many a quick search decides: all of them as a full one does.
fn decided_alike<R: Rules>(depth: u32) -> usize {
    let mut dice = Dice(12);
    let mut decided = 0;
    for number in 0..60 {
        let game = dice.game::<R>(40 + 2 * number);
        let quick = search(&game, depth, Options { threats: false, quick: true, ..Options::default() });
        if let Some(plies) = quick.score.plies().filter(|&plies| (1..8).contains(&plies)) {
            let full = search(&game, plies, PLAIN);
            assert_eq!(full.score.decided(), quick.score.decided(), "{} {}", R::NAME, game.fen());
            decided += 1;
        }
    }
    decided
}

#[test]
fn what_a_quick_search_calls_won_or_lost_is_so() {
    let decided = decided_alike::<International>(4)
        + decided_alike::<English>(5)
        + decided_alike::<Russian>(4)
        + decided_alike::<Turkish>(3);
    assert!(decided > 3, "{decided} positions");
}

#[test]
fn kings_that_can_repeat_are_worth_what_a_plain_search_says() {
    let mut game = game::<International>("W:WK50,31:BK1,15");
    for text in ["50-44", "1-7", "44-50", "7-1", "50-44", "1-7"] {
        game.play(&game.fen().read_move(text).expect("a move"));
    }
    let expected = twin(&mut game, 4, 0, 4, PLAIN);
    assert_eq!(search(&game, 4, PLAIN).score, expected);
}

fn lines_are_legal<R: Rules>(depth: u32, quick: bool) {
    let mut dice = Dice(3);
    let mut searcher = Searcher::new(MaterialEvaluation::of::<R>(), Options { quick, ..Options::default() });
    for number in 0..25 {
        let game = dice.game::<R>(number * 4);
        let found = searcher.search(&game, &Limits::depth(depth)).expect("without tables nothing fails");
        let mut played = game.clone();
        for mv in &found.line {
            assert!(played.position().moves().contains(mv), "{} {}", R::NAME, game.fen());
            played.play(mv);
        }
        assert_eq!(found.line.is_empty(), game.position().is_over());
        if let Some(plies) = found.score.plies() {
            assert!(found.line.len() <= plies as usize);
            assert_eq!(found.line.len() == plies as usize, played.position().is_over());
        }
    }
}

#[test]
fn every_line_is_legal_and_ends_where_the_score_says() {
    for quick in [false, true] {
        lines_are_legal::<International>(8, quick);
        lines_are_legal::<English>(8, quick);
        lines_are_legal::<Russian>(8, quick);
        lines_are_legal::<Turkish>(6, quick);
    }
}

#[test]
fn shots_are_found_without_tables() {
    // 7 plies: facts of the rules notes, the longest win of two kings against one.
    let found = search(&game::<International>("W:WK12,K44:BK1"), 8, Options::default());
    assert_eq!((found.score, found.line.len()), (Score::win_in(7), 7));
    // A capture that takes the last piece.
    let found = search(&game::<English>("B:WK8:BK4"), 3, Options::default());
    assert_eq!((found.score, found.line.len()), (Score::win_in(1), 1));
    // The same notes: two Turkish kings against one, 11 plies.
    let found = search(&game::<Turkish>("W:WKg7,Kb7:BKa1"), 12, Options::default());
    assert_eq!((found.score, found.line.len()), (Score::win_in(11), 11));
}

#[test]
fn a_game_that_is_lost_has_no_line() {
    let found = search(&game::<International>("W:W46:B41,37"), 3, PLAIN);
    assert_eq!((found.score, found.line.len()), (Score::loss_in(0), 0));
}
