//! Limits, and that a search by depth or nodes is the same every time.

use std::cell::Cell;
use std::time::Duration;

use endame::engine::{Found, Game, Limits, MaterialEvaluation, Options, Searcher, TimeLimit};
use endame::position::Fen;
use endame::rules::{English, International, Rules, Russian, Turkish};

use crate::dice::Dice;

fn searcher<R: Rules>() -> Searcher<'static, R, MaterialEvaluation> {
    Searcher::new(MaterialEvaluation::of::<R>(), Options { table_bytes: 1 << 18, ..Options::default() })
}

fn find<R: Rules>(searcher: &mut Searcher<'_, R, MaterialEvaluation>, game: &Game<R>, limits: &Limits<'_>) -> Found {
    searcher.search(game, limits).expect("without tables nothing fails")
}

fn is_the_same_every_time<R: Rules>() {
    let mut dice = Dice(7);
    let mut used = searcher::<R>();
    for plies in [0, 9, 22, 41] {
        let game = dice.game::<R>(plies);
        for limits in [Limits::depth(6), Limits::nodes(5000), Limits::nodes(1)] {
            used.clear();
            let found = find(&mut used, &game, &limits);
            assert_eq!(found, find(&mut searcher(), &game, &limits));
            assert!(game.position().is_over() || found.depth == 0 || !found.line.is_empty());
        }
    }
}

#[test]
fn a_search_by_depth_or_nodes_is_the_same_every_time() {
    is_the_same_every_time::<International>();
    is_the_same_every_time::<English>();
    is_the_same_every_time::<Russian>();
    is_the_same_every_time::<Turkish>();
}

#[test]
fn nodes_are_counted_to_the_last() {
    let game = Game::<International>::new(Fen::start());
    for nodes in [100, 1234, 50_000] {
        let found = find(&mut searcher(), &game, &Limits::nodes(nodes));
        assert_eq!(found.nodes, nodes);
        let deeper = find(&mut searcher(), &game, &Limits::depth(found.depth + 1));
        assert!(deeper.nodes >= nodes, "the next depth does not fit");
    }
    assert!(!find(&mut searcher(), &game, &Limits::nodes(1)).line.is_empty(), "there is always a move");
}

#[test]
fn the_clock_is_the_callers() {
    let game = Game::<International>::new(Fen::start());
    let ticks = Cell::new(0);
    let now = || {
        ticks.set(ticks.get() + 1);
        Duration::from_secs(ticks.get())
    };
    let time = Some(TimeLimit { now: &now, until: Duration::from_secs(20) });
    let found = find(&mut searcher(), &game, &Limits { time, ..Limits::none() });
    assert!(ticks.get() >= 10 && ticks.get() < 30, "{} looks at the clock", ticks.get());
    assert!(found.depth > 1 && !found.line.is_empty());
}

#[test]
fn a_call_to_stop_ends_the_search_with_a_move() {
    let game = Game::<International>::new(Fen::start());
    let found = find(&mut searcher(), &game, &Limits { stop: Some(&|| true), ..Limits::none() });
    assert!(!found.line.is_empty() && found.nodes < 10_000);
}
