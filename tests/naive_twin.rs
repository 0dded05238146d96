//! The move generator against its naive twin, on random positions and games of every variant.

mod naive;

use std::collections::BTreeSet;

use endame::board::Geometry;
use endame::position::{Fen, Position, perft, perft_making_leaves, square_name};
use endame::rules::{Rules, Variant};
use naive::{Board, Game, Random};

/// Routes beyond which the twin, which tries every one, gives up on a position.
const MOST_ROUTES: usize = 20_000;

/// From, to, captured squares, whether a man is crowned, and the position after the move.
type MoveAsText = (String, String, Vec<String>, bool, String);

fn naive_moves(game: Game, board: &Board, white: bool) -> Option<BTreeSet<MoveAsText>> {
    let moves = naive::moves_within(game, board, white, MOST_ROUTES)?;
    let as_text = |mv: &naive::Move| {
        let after = naive::fen(game, &naive::play(board, mv), !white);
        let name = |at| naive::square_name(game, at);
        (name(mv.from), name(mv.to), naive::names(game, mv.taken.iter().copied()), mv.crowned, after)
    };
    Some(moves.iter().map(as_text).collect())
}

/// Whether the position was compared.
fn compare<R: Rules>(game: Game, board: &Board, white: bool, seed: u64) -> bool {
    let text = naive::fen(game, board, white);
    let context = format!("{} {text}, seed {seed}", R::NAME);
    let fen: Fen<R> = text.parse().unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(fen.to_string(), text);
    let Some(expected) = naive_moves(game, board, white) else { return false };

    let position = fen.position;
    let legal = position.moves();
    let found: Vec<MoveAsText> = legal
        .iter()
        .map(|mv| {
            let name = |square| square_name::<R>(square, fen.mover);
            (name(mv.from), name(mv.to), fen.captured_names(mv), mv.promotes, fen.play(mv).to_string())
        })
        .collect();
    assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), expected, "{context}");
    assert_eq!(found.len(), expected.len(), "{context}: a move is given twice");
    assert_eq!(position.must_capture(), expected.iter().any(|mv| !mv.2.is_empty()), "{context}");
    assert_eq!(position.has_move(), !expected.is_empty(), "{context}");
    assert_eq!(position.count_moves(&mut Vec::new()) as usize, expected.len(), "{context}");
    assert_eq!(perft_making_leaves(position, 2), perft(position, 2), "{context}");
    assert_eq!(perft(position, 2), lines_of_two(position), "{context}");
    if !position.must_capture() {
        assert_eq!(position.count_quiets() as usize, expected.len(), "{context}");
        assert!(position.captures().is_empty(), "{context}");
    }
    for mv in &legal {
        R::Geometry::check(position.play(mv).occupied());
        let text = fen.move_text(mv, &legal);
        assert_eq!(fen.read_move(&text).as_ref(), Ok(mv), "{context}: {text}");
    }
    true
}

/// The lines of two plies, the second side playing on a board that was turned: perft leaves it as it is.
fn lines_of_two<R: Rules>(position: Position<R>) -> u64 {
    position.moves().iter().map(|mv| position.play(mv).moves().len() as u64).sum()
}

fn compare_in(variant: Variant, game: Game, board: &Board, white: bool, seed: u64) -> bool {
    assert_eq!(variant.name(), game.name());
    endame::with_rules!(variant, R => compare::<R>(game, board, white, seed))
}

fn compare_random_boards(seed: u64, boards: usize, most: usize, kings: usize) {
    for (&variant, &game) in Variant::ALL.iter().zip(naive::GAMES) {
        let mut random = Random(seed);
        let mut compared = 0;
        for _ in 0..boards {
            let board = naive::random_board(game, &mut random, most, kings);
            let white = random.below(2) == 0;
            compared += usize::from(compare_in(variant, game, &board, white, seed));
        }
        assert!(compared * 10 >= boards * 9, "{}: only {compared} of {boards} were compared", game.name());
    }
}

#[test]
fn moves_are_those_of_the_twin_on_sparse_boards_of_kings() {
    compare_random_boards(1, 3000, 6, 8);
}

#[test]
fn moves_are_those_of_the_twin_on_boards_of_few_pieces() {
    compare_random_boards(2, 3000, 4, 4);
}

#[test]
fn moves_are_those_of_the_twin_on_dense_boards() {
    compare_random_boards(3, 1000, 20, 1);
}

#[test]
fn moves_are_those_of_the_twin_on_dense_boards_of_kings() {
    compare_random_boards(4, 500, 20, 5);
}

#[test]
fn moves_are_those_of_the_twin_in_random_games() {
    let seed = 5;
    for (&variant, &game) in Variant::ALL.iter().zip(naive::GAMES) {
        let mut random = Random(seed);
        for _ in 0..30 {
            let (mut board, mut white) = (naive::start(game), !matches!(game, Game::English | Game::Pool | Game::Thai));
            for _ in 0..120 {
                assert!(compare_in(variant, game, &board, white, seed), "a game has few routes");
                let moves: Vec<naive::Move> = naive::moves(game, &board, white).into_iter().collect();
                if moves.is_empty() {
                    break;
                }
                board = naive::play(&board, &moves[random.below(moves.len())]);
                white = !white;
            }
        }
    }
}
