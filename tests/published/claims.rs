//! What books, forums and rules claim about endings.

use endame::board::Bitboard;
use endame::position::Position;
use endame::rules::{English, International, Russian, Turkish};
use endame::tablebase::Value;
use endame::value::Wdl;

use crate::solved::{Count, Longest, Solved, loss, material, position, probe, win};

fn count<R: Solved>(text: &str) -> Count {
    Count::all::<R>(material(text))
}

fn longest_win<R: Solved>(text: &str) -> u16 {
    count::<R>(text).longest_win.expect("some position is won").plies
}

/// M. Grimminck's statistics, as kept in the tests of dctl.
#[test]
fn the_longest_international_wins_are_those_grimminck_found() {
    for (material, plies) in [
        ("KvM", 7),
        ("MvM", 17),
        ("KKvM", 9),
        ("MMvM", 23),
        ("KMvM", 11),
        ("MvMM", 33),
        ("KKKvK", 15),
        ("KKMvK", 31),
        ("KMMvK", 29),
        ("MMMvK", 13),
    ] {
        assert_eq!(longest_win::<International>(material), plies, "{material}");
    }
    assert_eq!(probe::<International>("W:WK40,K45,50:BK11"), win(31));
    assert_eq!(probe::<International>("W:W6,K49,50:BK16"), win(29));
}

/// FMJD: 16 moves each for three pieces with a king against a king, 5 moves each for fewer.
#[test]
fn the_international_move_limits_suffice_and_are_needed() {
    for material in ["KKKvK", "KKMvK", "KMMvK"] {
        assert!(longest_win::<International>(material) < 32, "{material}");
    }
    for material in ["KKvK", "KMvK", "KvK"] {
        assert!(longest_win::<International>(material) < 10, "{material}");
    }
    assert_eq!(count::<International>("KKMvK").longest_win, Some(Longest { plies: 31, count: 5 }));
    assert_eq!(count::<International>("KMvK").longest_win, Some(Longest { plies: 9, count: 2 }));
}

/// Damforum, thread 3014: three kings against one is a draw barring tactics.
#[test]
fn three_international_kings_win_within_eight_moves_or_not_at_all() {
    assert_eq!(longest_win::<International>("KKKvK"), 15);
    assert_eq!(count::<International>("KvKKK").losses, 40_586);
}

/// Wikipedia: the corners 46 and 5 face each other, and the side to move loses.
#[test]
fn an_international_king_in_the_corner_can_lose_to_the_king_in_the_other() {
    assert_eq!(count::<International>("KvK").losses, 2);
    assert_eq!(probe::<International>("W:WK46:BK5").wdl, Wdl::Loss);
    assert_eq!(probe::<International>("W:WK5:BK46").wdl, Wdl::Loss);
}

/// Tests of dctl: "David and Goliath".
#[test]
fn the_international_man_beats_two_in_29_plies() {
    assert_eq!(probe::<International>("W:W23:B5,6"), win(29));
}

/// The squares of the main road, a1 to h8.
fn main_road() -> Bitboard {
    let kings = position::<Russian>("W:WKa1,Kb2,Kc3,Kd4,Ke5,Kf6,Kg7,Kh8:B");
    kings.ours()
}

fn is_lone_king_on_the_road(position: &Position<Russian>) -> bool {
    position.their_kings().meets(main_road())
}

/// Petrov's triangle: 13 moves in some books, 12 in others; 15 are allowed.
#[test]
fn three_russian_kings_need_at_most_13_moves() {
    let count = count::<Russian>("KKKvK");
    assert_eq!(count.longest_win, Some(Longest { plies: 25, count: 868 }));
}

#[test]
fn three_russian_kings_catch_a_king_off_the_main_road_unless_one_is_taken_at_once() {
    let off = Count::of::<Russian>(material("KKKvK"), |position| !is_lone_king_on_the_road(position));
    assert_eq!((off.draws, off.losses), (896, 0));
    // Strong kings that the lone king would take if it were its turn: in all the others White wins.
    let safe = Count::of::<Russian>(material("KKKvK"), |position| {
        !is_lone_king_on_the_road(position) && !position.turned().must_capture()
    });
    assert_eq!(safe.wins, safe.positions());
}

/// Russian rules, 7.2.7: 5 moves where the lone king holds the main road.
#[test]
fn five_moves_on_the_russian_main_road_suffice_for_kings_and_not_for_men() {
    let road = |text: &str| {
        let alone =
            |position: &Position<Russian>| is_lone_king_on_the_road(position) && !position.ours().meets(main_road());
        Count::of::<Russian>(material(text), alone)
    };
    let kings = road("KKKvK");
    assert_eq!((kings.positions(), kings.wins), (16_192, 5_488));
    assert!(kings.longest_win.is_some_and(|longest| longest.plies <= 9));
    for text in ["KKMvK", "KMMvK"] {
        // All that need more than 5 moves need 6.
        assert_eq!(road(text).longest_win, Some(Longest { plies: 11, count: 6 }), "{text}");
    }
}

/// E. Lasker, and the notes of a published tablebase: won but for 34 placements; the double corner is no refuge.
#[test]
fn two_english_kings_win_but_for_34_placements() {
    let count = count::<English>("KKvK");
    assert_eq!((count.draws, count.losses), (34, 0));
    assert_eq!(count.longest_win.map(|longest| longest.plies.div_ceil(2)), Some(17));
}

#[test]
fn three_english_kings_always_beat_one_within_15_moves() {
    let count = count::<English>("KKKvK");
    assert_eq!(count.wins, count.positions());
    assert_eq!(count.longest_win.map(|longest| longest.plies), Some(29));
}

/// Checker Maven: White wins whoever is to move.
#[test]
fn three_english_kings_beat_two_in_the_double_corners() {
    assert_eq!(probe::<English>("W:WK22,K23,K24:BK31,K32"), win(15));
    assert_eq!(probe::<English>("B:WK22,K23,K24:BK31,K32"), loss(36));
}

/// Lasker, diagram 93, and what wylliedraughts says of the black man's square.
#[test]
fn the_english_first_position_is_won_with_the_move() {
    let first = |mover: &str, man: u32| probe::<English>(&format!("{mover}:WK19,K23:BK28,{man}"));
    assert_eq!(first("W", 12), win(61));
    for man in [3, 4, 7, 10, 11, 16, 20] {
        assert_eq!(first("W", man).wdl, Wdl::Win, "man on {man}");
    }
    // Here White wins when Black has to move, and not otherwise.
    for (man, plies) in [(8, 66), (24, 4)] {
        assert_eq!((first("W", man), first("B", man)), (Value::DRAW, loss(plies)), "man on {man}");
    }
    assert_eq!((first("W", 3), first("W", 4), first("W", 20)), (win(69), win(69), win(25)));
    for man in [3, 12, 20] {
        assert_eq!(first("B", man).wdl, Wdl::Draw, "man on {man}");
    }
}

#[test]
fn turkish_king_against_king_is_drawn_unless_one_is_taken_at_once() {
    let count = count::<Turkish>("KvK");
    assert_eq!((count.wins, count.positions()), (672, 4_032));
    assert_eq!(Count::of::<Turkish>(material("KvK"), |position| position.must_capture()).wins, 672);
}

#[test]
fn turkish_king_against_man_is_drawn_unless_one_is_taken_at_once() {
    for (text, wins) in [("KvM", 630), ("MvK", 132)] {
        let count = count::<Turkish>(text);
        assert_eq!((count.wins, count.losses, count.positions()), (wins, 0, 3_528), "{text}");
        assert_eq!(Count::of::<Turkish>(material(text), |position| position.must_capture()).wins, wins, "{text}");
    }
}

/// mindsports.nl: two kings on b7 and g7 beat one.
#[test]
fn two_turkish_kings_beat_one_within_eight_moves_unless_one_is_taken_at_once() {
    assert_eq!(probe::<Turkish>("W:WKg7,Kb7:BKa1"), win(11));
    assert_eq!(probe::<Turkish>("B:WKg7,Kb7:BKa1"), loss(14));
    assert_eq!(longest_win::<Turkish>("KKvK"), 15);
    let safe = Count::of::<Turkish>(material("KKvK"), |position| !position.turned().must_capture());
    assert_eq!(safe.wins, safe.positions());
}

#[test]
fn two_turkish_kings_beat_a_man() {
    let count = count::<Turkish>("KKvM");
    assert_eq!((count.wins, count.draws, count.losses), (109_366, 2, 0));
}

/// mindsports.nl, tentatively.
#[test]
fn a_turkish_king_and_a_man_mostly_beat_a_king_in_up_to_27_moves() {
    let count = count::<Turkish>("KMvK");
    assert_eq!(count.wins * 1000 / count.positions(), 968);
    assert_eq!(count.longest_win.map(|longest| longest.plies.div_ceil(2)), Some(27));
}
