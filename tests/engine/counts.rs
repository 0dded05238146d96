//! The draw rules, each on games made to fill its count. The numbers of plies are those of the rule books.

use endame::board::Geometry;
use endame::engine::{End, Game};
use endame::position::{Move, Position};
use endame::rules::{English, International, Rules, Russian, Turkish};

use crate::dice::{Dice, game};

/// Plays one random quiet move of those `allowed` after which no capture is due and the position is not repeated.
fn step<R: Rules>(game: &mut Game<R>, dice: &mut Dice, allowed: &dyn Fn(&Position<R>, &Move) -> bool) -> bool {
    let position = game.position();
    let mut moves = position.moves();
    moves.retain(|mv| !mv.is_capture() && !mv.promotes && allowed(&position, mv));
    while !moves.is_empty() {
        let mv = moves.swap_remove(dice.below(moves.len()));
        game.play(&mv);
        if !game.position().must_capture() && game.position().has_move() && game.occurrences() < 2 {
            return true;
        }
        game.undo();
    }
    false
}

/// Goes on with `plies` such moves; asserts that the game does not end before the last of them.
fn wander<R: Rules>(start: &Game<R>, plies: usize, allowed: &dyn Fn(usize, &Position<R>, &Move) -> bool) -> Game<R> {
    'seeds: for seed in 0..1000 {
        let (mut game, mut dice) = (start.clone(), Dice(seed));
        for ply in 1..=plies {
            if !step(&mut game, &mut dice, &|position, mv| allowed(ply, position, mv)) {
                continue 'seeds;
            }
            assert!(
                ply == plies || game.end().is_none(),
                "ended after {ply} plies: {:?} {:?}",
                game.end(),
                game.counts()
            );
        }
        return game;
    }
    panic!("no seed finds {plies} plies from {}", start.fen());
}

fn by_king<R: Rules>(position: &Position<R>, mv: &Move) -> bool {
    position.kings().contains(mv.from)
}

fn kings_only<R: Rules>(_: usize, position: &Position<R>, mv: &Move) -> bool {
    by_king(position, mv)
}

/// The name of the rule that ended the game.
fn ended_by<R: Rules>(game: &Game<R>) -> Option<&'static str> {
    game.end()?.draw_rule::<R>().map(|rule| rule.name)
}

/// Kings moving from `fen` on fill the count of `rule` with exactly `plies` plies.
fn kings_fill<R: Rules>(fen: &str, rule: &str, plies: usize) {
    let end = wander(&game::<R>(fen), plies, &kings_only);
    assert_eq!(ended_by(&end), Some(rule), "{fen}");
    assert_eq!(end.end().and_then(End::is_draw), Some(true));
}

#[test]
fn international_counts_are_25_16_and_5_moves_each() {
    kings_fill::<International>("W:WK46,K47,26:BK1,K4,25", "25-moves", 50);
    kings_fill::<International>("B:WK46,K47:BK1,K4", "25-moves", 50);
    kings_fill::<International>("W:WK46,K47,K48:BK1", "16-moves", 32);
    kings_fill::<International>("B:WK46:BK1,K4,25", "16-moves", 32);
    kings_fill::<International>("W:WK46,K47:BK1", "5-moves", 10);
    kings_fill::<International>("B:WK46,26:BK1", "5-moves", 10);
    kings_fill::<International>("W:WK46:BK1", "5-moves", 10);
}

#[test]
fn english_counts_40_moves_each() {
    kings_fill::<English>("W:WK32,K31,21:BK1,K2,12", "40-moves", 80);
    kings_fill::<English>("B:WK32,K31:BK1", "40-moves", 80);
}

#[test]
fn russian_counts_of_kings_are_15_and_5_moves_each() {
    kings_fill::<Russian>("W:WKc1,Ke1,Kg1:BKb8", "15-moves", 30);
    kings_fill::<Russian>("W:WKc1,Ke1:BKb8,Kd8", "15-king-moves", 30);
    kings_fill::<Russian>("W:WKc1,Ke1:BKb8", "5-moves", 10);
    kings_fill::<Russian>("B:WKc1,a3:BKb8", "5-moves", 10);
}

#[cfg(feature = "related")]
#[test]
fn related_counts_are_those_of_their_rules() {
    use endame::rules::{Czech, Pool, Spanish};
    kings_fill::<Pool>("B:WK30:BK1,K2,K3", "13-moves", 26);
    kings_fill::<Pool>("W:WK30,K31:BK1,K2", "15-king-moves", 30);
    kings_fill::<Czech>("W:WKc1,Ke1,Kg1:BKb8", "15-king-moves", 30);
    kings_fill::<Spanish>("W:WK2,K3:BK29,K30", "20-king-moves", 40);
    // Three kings own the long diagonal while the lone king is off it: the count begins again where it steps off.
    let stays = |on_road: bool| {
        move |_: usize, position: &Position<Spanish>, mv: &Move| {
            position.ours().many() || <Spanish as Rules>::Geometry::main_road().contains(mv.to) == on_road
        }
    };
    let end = wander(&game::<Spanish>("W:WK2,K3,K4:BK29"), 24, &stays(false));
    assert_eq!(ended_by(&end), Some("12-moves"));
    let end = wander(&game::<Spanish>("W:WK2,K3,K4:BK32"), 40, &stays(true));
    assert_eq!(ended_by(&end), Some("20-king-moves"));
}

#[test]
fn turkish_games_are_not_drawn_by_counts() {
    let end = wander(&game::<Turkish>("W:WKa1,Kb1:BKg8,Kh8"), 150, &kings_only);
    assert_eq!(end.end(), None);
}

/// Moves of men at these plies, of kings at all others.
fn men_at<R: Rules>(plies: &'static [usize]) -> impl Fn(usize, &Position<R>, &Move) -> bool {
    move |ply, position, mv| by_king(position, mv) != plies.contains(&ply)
}

#[test]
fn a_move_of_a_man_resets_the_count_of_king_moves_only() {
    let end = wander(&game::<International>("W:WK46,K47,36:BK1,K4"), 71, &men_at(&[21]));
    assert_eq!(ended_by(&end), Some("25-moves"));
    let end = wander(&game::<English>("W:WK32,K31,29:BK1,K2"), 91, &men_at(&[11]));
    assert_eq!(ended_by(&end), Some("40-moves"));
    // Russian 7.2.5 begins again, 7.2.6 goes on: 30 moves each with 4 or 5 pieces, 60 with 6 or 7.
    let end = wander(&game::<Russian>("W:WKc1,Ke1,a3:BKb8,Kd8"), 60, &men_at(&[21, 41]));
    assert_eq!(ended_by(&end), Some("30-moves"));
    let four = wander(&game::<Russian>("W:WKc1,a1:BKb8,Kd8"), 60, &men_at(&[21, 41]));
    assert_eq!(ended_by(&four), Some("30-moves"));
    let end = wander(&game::<Russian>("W:WKc1,Ke1,a3:BKb8,Kd8,h6"), 120, &men_at(&[29, 58, 87, 116]));
    assert_eq!(ended_by(&end), Some("60-moves"));
    let reset = wander(&game::<Russian>("W:WKc1,Ke1,a3:BKb8,Kd8"), 51, &men_at(&[21]));
    assert_eq!(ended_by(&reset), Some("15-king-moves"));
    // 16 and 5 moves run from the moment the material arises: men change nothing.
    let end = wander(&game::<International>("W:WK46,K47,36:BK1"), 32, &men_at(&[11]));
    assert_eq!(ended_by(&end), Some("16-moves"));
    let end = wander(&game::<International>("W:WK46,36:BK1"), 10, &men_at(&[3]));
    assert_eq!(ended_by(&end), Some("5-moves"));
}

fn play<R: Rules>(game: &mut Game<R>, moves: &str) {
    for text in moves.split(' ') {
        let mv = game.fen().read_move(text).unwrap_or_else(|error| panic!("{}: {error}", game.fen()));
        game.play(&mv);
    }
}

fn count_of<R: Rules>(game: &Game<R>, rule: &str) -> u32 {
    let number = R::DRAW_RULES.iter().position(|r| r.name == rule).expect("a rule");
    game.counts().count(number)
}

#[test]
fn a_promotion_within_the_class_of_materials_counts_on() {
    let mut game = game::<International>("W:WK46,7:BK26");
    play(&mut game, "46-41 26-3 7-1");
    assert_eq!((count_of(&game, "5-moves"), count_of(&game, "25-moves")), (3, 0));
}

#[test]
fn the_move_that_enters_the_class_is_not_counted() {
    // Three men and a king against a king: the capture leaves three pieces against one.
    let mut game = game::<International>("B:WK46,27,28,48:BK35");
    assert_eq!(game.counts().left(), 50);
    play(&mut game, "35-30 48-43 30x48");
    assert_eq!((count_of(&game, "16-moves"), game.counts().left()), (0, 32));
    play(&mut game, "27-21");
    assert_eq!((count_of(&game, "16-moves"), count_of(&game, "25-moves")), (1, 0));
}

#[test]
fn a_win_on_the_last_ply_of_the_count_is_in_time() {
    let eight = wander(&game::<International>("B:WK46,K47:BK1"), 8, &kings_only);
    let offers = |mv: &Move| eight.position().play(mv).must_capture();
    let mut game = eight.clone();
    let blunder = eight.position().moves().into_iter().find(offers).expect("a lone king can be put where it is taken");
    game.play(&blunder);
    assert_eq!((game.end(), count_of(&game, "5-moves")), (None, 9));
    game.play(&game.position().moves()[0]);
    assert_eq!((game.end(), game.end().and_then(End::is_draw)), (Some(End::NoPiece), Some(false)));
}

#[test]
fn the_count_of_the_main_road_runs_while_the_lone_king_is_on_it() {
    let road = <Russian as Rules>::Geometry::main_road();
    let stays = |_: usize, position: &Position<Russian>, mv: &Move| {
        by_king(position, mv) && (position.ours().many() || road.contains(mv.to))
    };
    let start = game::<Russian>("W:WKc1,Ke1,Kg1:BKh8");
    let end = wander(&start, 10, &stays);
    assert_eq!(ended_by(&end), Some("main-road"));
    // It leaves the road with ply 6 and comes back: the count begins again, that of 15 moves goes on.
    let leaves = |ply: usize, position: &Position<Russian>, mv: &Move| {
        by_king(position, mv) && (position.ours().many() || road.contains(mv.to) != (6..8).contains(&ply))
    };
    let back = wander(&start, 8, &leaves);
    assert_eq!((count_of(&back, "main-road"), count_of(&back, "15-moves")), (0, 8));
    assert_eq!(ended_by(&wander(&back, 10, &stays)), Some("main-road"));
}
