//! How games end, apart from counts.

use endame::engine::{End, Game};
use endame::rules::{English, International, Rules, Russian, Turkish};

use crate::dice::{Dice, game};

fn play<R: Rules>(game: &mut Game<R>, moves: &str) {
    for text in moves.split(' ') {
        assert_eq!(game.end(), None, "{}", game.fen());
        let mv = game.fen().read_move(text).unwrap_or_else(|error| panic!("{}: {error}", game.fen()));
        game.play(&mv);
    }
}

fn third_time_draws<R: Rules>(fen: &str, there_and_back: &str) {
    let mut game = game::<R>(fen);
    play(&mut game, there_and_back);
    assert_eq!((game.occurrences(), game.end()), (2, None));
    play(&mut game, there_and_back);
    assert_eq!((game.occurrences(), game.end()), (3, Some(End::Repetition)));
    game.undo();
    assert_eq!(game.end(), None);
}

#[test]
fn the_third_occurrence_with_the_same_side_to_move_draws() {
    third_time_draws::<International>("W:WK50,31:BK1,15", "50-44 1-7 44-50 7-1");
    third_time_draws::<English>("B:WK32,21:BK1,12", "1-6 32-27 6-1 27-32");
    third_time_draws::<Russian>("W:WKc1,a3:BKb8,h6", "c1-d2 b8-a7 d2-c1 a7-b8");
    third_time_draws::<Turkish>("W:WKa1,b2:BKh8,g7", "a1-b1 h8-g8 b1-a1 g8-h8");
}

#[test]
fn the_same_board_seen_by_the_other_side_is_another_position() {
    let mut game = game::<International>("W:WK50:BK12");
    play(&mut game, "50-44 12-1 44-39");
    assert_eq!(game.positions()[0], game.positions()[3], "seen by the mover they are alike");
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn a_side_without_a_piece_or_a_move_has_lost() {
    assert_eq!(game::<English>("W:W:BK1").end(), Some(End::NoPiece));
    assert_eq!(game::<International>("W:W46:B41").end(), None, "46x37 is there");
    assert_eq!(game::<International>("W:W46:B41,37").end(), Some(End::NoMove));
    assert_eq!(End::NoMove.is_draw(), Some(false));
}

#[test]
fn an_agreed_limit_ends_the_game_without_a_result() {
    let mut limited = game::<Turkish>("W:WKa1:BKh8").with_limit(2);
    play(&mut limited, "a1-a2 h8-h7");
    assert_eq!((limited.end(), End::Limit.is_draw()), (Some(End::Limit), None));
}

fn moves_can_be_taken_back<R: Rules>() {
    let mut dice = Dice(5);
    for _ in 0..20 {
        let game = dice.game::<R>(120);
        let mut again = Game::new(game.start());
        for mv in game.moves() {
            let before = again.clone();
            again.play(mv);
            let mut back = again.clone();
            assert_eq!(back.undo(), Some(*mv));
            assert_eq!(back, before);
        }
        assert_eq!(again, game);
        assert_eq!(game.positions().len(), game.moves().len() + 1);
    }
    assert_eq!(Game::<R>::new(dice.game::<R>(0).fen()).undo(), None);
}

#[test]
fn moves_can_be_taken_back_in_every_variant() {
    moves_can_be_taken_back::<International>();
    moves_can_be_taken_back::<English>();
    moves_can_be_taken_back::<Russian>();
    moves_can_be_taken_back::<Turkish>();
}
