//! How games begin and end, and what is said of them.

use std::collections::HashSet;

use endame::build::Silent;
use endame::dataset::{AtLimit, Ending, Fault, Player, Record, replay};
use endame::position::{Fen, Position};
use endame::rules::{English, International, Rules, Russian, Turkish};
use endame::selfplay::Openings;
use endame::tablebase::{Tablebase, Value};
use endame::value::{Dtw, Wdl};

use crate::setting::{Setting, tables};

#[test]
fn no_label_is_wrong_in_any_variant() {
    fn check<R: Rules>() {
        let (_folder, tables) = tables::<R>();
        let endings = |player| Setting::<R> {
            openings: Openings::material("KMvM,KKvK,MMvK,MvKM,KvK").expect("materials"),
            play_on: true,
            ..Setting::new(player, 300)
        };
        let settings = [
            Setting { max_plies: 1000, ..Setting::new(Player::Depth(0), 300) },
            Setting { play_on: true, ..Setting::new(Player::Depth(2), 20) },
            endings(Player::Depth(0)),
            endings(Player::Depth(2)),
        ];
        for (i, setting) in settings.iter().enumerate() {
            let (_games, dataset) = setting.dataset(&tables);
            dataset.verify(&tables, &Silent).expect("no fault");
            let info = dataset.info::<R>().expect("counts");
            assert_eq!(info.summary.games, setting.games);
            // From the start position few games come so far.
            assert!(i < 2 || info.summary.exact == info.summary.positions, "{info:?}");
            let results = info.summary.results;
            assert_eq!(results.white + results.drawn + results.black + results.unknown, setting.games);
        }
    }
    check::<International>();
    check::<English>();
    check::<Russian>();
    check::<Turkish>();
}

#[test]
fn tables_correct_the_results_of_random_play() {
    let (_folder, tables) = tables::<English>();
    let openings = Openings::material("KKvK").expect("a material");
    let setting = Setting { openings, play_on: true, max_plies: 20, ..Setting::new(Player::Depth(0), 400) };
    let (_games, dataset) = setting.dataset(&tables);
    let info = dataset.info::<English>().expect("counts");
    assert!(info.summary.corrected > 0 && info.summary.settled > 0, "{info:?}");
    assert_eq!(info.summary.exact, info.summary.positions);
    for record in dataset.records() {
        let (_, record) = record.expect("a game");
        let first = record.exact[0].expect("all positions are in the tables");
        assert_eq!(record.corrected, Some(first.wdl));
        for (ply, corrected) in record.corrected_results().into_iter().enumerate() {
            assert_eq!(corrected, record.exact[ply].map(|value| value.wdl));
        }
    }
}

#[test]
fn a_game_stopped_at_the_limit_has_no_result_unless_agreed() {
    let tables = Tablebase::<International>::open("no-such-folder").expect("no tables");
    for at_limit in AtLimit::ALL {
        let setting = Setting { max_plies: 20, at_limit: *at_limit, ..Setting::new(Player::Depth(0), 50) };
        let (_games, dataset) = setting.dataset(&tables);
        dataset.verify(&tables, &Silent).expect("no fault");
        for record in dataset.records() {
            let (_, record) = record.expect("a game");
            assert_eq!((record.ending, record.plies()), (Ending::Limit, 20));
            assert_eq!(record.played.is_none(), *at_limit == AtLimit::Unknown);
            assert_eq!(record.played, record.corrected);
        }
    }
}

fn position<R: Rules>(fen: &str) -> Position<R> {
    fen.parse::<Fen<R>>().expect(fen).position
}

#[test]
fn stopped_games_are_counted_as_agreed() {
    let result = |how: AtLimit, fen| how.result(&position::<English>(fen));
    assert_eq!(result(AtLimit::Unknown, "W:W10:BK1,K2"), None);
    // Two men are worth more than a king where it does not fly; a child counts pieces first.
    assert_eq!(result(AtLimit::Material, "W:W20,21:BK1"), Some(Wdl::Win));
    assert_eq!(result(AtLimit::Children, "W:W20,21:BK1"), Some(Wdl::Win));
    assert_eq!(result(AtLimit::Children, "B:W20,21:BK1,2"), Some(Wdl::Win));
    assert_eq!(result(AtLimit::Children, "W:W20,K21:BK1,2"), Some(Wdl::Draw));
    assert_eq!(AtLimit::Material.result(&position::<International>("W:W20,21:BK1")), Some(Wdl::Loss));
}

#[test]
fn openings_are_played_as_listed() {
    let tables = Tablebase::<International>::open("no-such-folder").expect("no tables");
    let openings = Openings::list("32-28 19-23 28x19\nB:W31,32,K40:B9,10\n").expect("openings");
    let setting = Setting { openings, ..Setting::new(Player::Depth(1), 5) };
    let (_games, dataset) = setting.dataset(&tables);
    for record in dataset.records() {
        let (number, record) = record.expect("a game");
        let mut texts = Vec::new();
        let game = replay::<International, Fault>(&record, |labelled| {
            if labelled.is_opening {
                assert_eq!(labelled.score, None);
                texts.push(labelled.fen.move_text(&labelled.played_move.expect("a move"), &labelled.legal));
            } else {
                assert_eq!(labelled.score.is_some(), labelled.played_move.is_some());
            }
            Ok(())
        });
        let start = game.expect("a game").start().to_string();
        if number % 2 == 0 {
            assert_eq!(
                (texts.join(" "), start),
                ("32-28 19-23 28x19".to_string(), Fen::<International>::start().to_string())
            );
        } else {
            assert_eq!((texts.len(), start.as_str()), (0, "B:W31,32,K40:B9,10"));
        }
    }
}

#[test]
fn the_first_exact_value_decides_what_went_before() {
    let lost_in = |plies| Some(Value::at(Dtw(plies)));
    let record = Record {
        start: None,
        opening_plies: 0,
        moves: vec![0; 4],
        scores: vec![None; 4],
        exact: vec![None, None, lost_in(4), Some(Value::DRAW), None],
        ending: Ending::Limit,
        played: Some(Wdl::Win),
        corrected: Some(Wdl::Loss),
    };
    use Wdl::{Draw, Loss, Win};
    assert_eq!(record.corrected_results(), [Some(Loss), Some(Win), Some(Loss), Some(Draw), Some(Win)]);
    assert_eq!((record.played_at(1), record.table_entry(), record.is_corrected()), (Some(Loss), Some(2), true));
}

#[test]
fn a_short_list_with_random_plies_gives_no_game_twice() {
    let (_tables, tables) = tables::<English>();
    let openings = Openings::ballots().expect("English has ballots").and_random(3);
    let setting = Setting::<English> { openings, ..Setting::new(Player::Depth(1), 400) };
    let (_games, dataset) = setting.dataset(&tables);
    let games: Vec<Vec<u16>> = dataset.records().map(|record| record.expect("a game").1.moves).collect();
    let different: HashSet<&Vec<u16>> = games.iter().collect();
    assert_eq!(different.len(), games.len());
    // Game 157 begins with the first ballot again.
    assert_eq!(games[0][..3], games[157][..3]);
    assert_ne!(games[0][..3], games[1][..3]);
}
