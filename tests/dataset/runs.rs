//! Threads, interruptions and machines leave no trace in the bytes; nothing foreign is touched.

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use endame::build::Progress;
use endame::dataset::{ArchiveError, Player, Record, shard_games, shard_path};
use endame::rules::{English, International, Rules, Russian, Turkish};
use endame::selfplay::{GamePlayer, RunError, Share, run};
use endame::tablebase::Tablebase;

use crate::setting::{Setting, files, folder, open, tables};

/// Games a shard of random games.
const SHARD_GAMES: u64 = shard_games(Player::Depth(0));

/// Random play, two shards and a half.
fn long_run() -> Setting<English> {
    Setting::new(Player::Depth(0), SHARD_GAMES * 5 / 2)
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

#[test]
fn one_two_and_seven_threads_write_the_same_bytes() {
    fn check<R: Rules>(setting: &Setting<R>, tables: &Tablebase<R>) {
        let written = [1, 2, 7].map(|threads| {
            let folder = folder();
            let summary = with_threads(threads, || setting.play(tables, folder.path())).expect("a run");
            (files(folder.path()), summary)
        });
        assert_eq!(written[0], written[1]);
        assert_eq!(written[0], written[2]);
    }
    let (_folder, tables) = tables::<Russian>();
    check(&Setting { play_on: true, ..Setting::new(Player::Depth(3), 40) }, &tables);
    check(&Setting::new(Player::Nodes(200), 20), &tables);
    let without = Tablebase::open(folder().path()).expect("an empty folder");
    check(&long_run(), &without);
}

/// Asks to stop after so many games.
struct StopAfter(AtomicU64);

impl Progress for StopAfter {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, done: u64) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| Some(left.saturating_sub(done)));
    }

    fn note(&self, _: &str) {}

    fn stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }
}

#[test]
fn a_run_that_is_stopped_or_loses_a_shard_comes_out_the_same() {
    let (whole, part) = (folder(), folder());
    let tables = Tablebase::open(whole.path().join("none")).expect("no tables");
    let setting = long_run();
    let summary = setting.play(&tables, whole.path()).expect("a run");
    for games in [1, SHARD_GAMES + 7] {
        let stop = StopAfter(AtomicU64::new(games));
        let stopped = run(&setting.conditions(&tables), setting.games, Share::ALL, part.path(), &stop);
        assert!(matches!(stopped, Err(RunError::Stopped)), "{stopped:?}");
    }
    assert_eq!(files(part.path()).len(), 1, "a shard that is not finished is not there");
    // What a killed program and a log leave behind is in nobody's way.
    fs::write(part.path().join(".unfinished-x1"), "torn").expect("written");
    fs::write(part.path().join("selfplay.log"), "fast").expect("written");
    assert_eq!(setting.play(&tables, part.path()).expect("a run"), summary);
    fs::remove_file(part.path().join(".unfinished-x1")).expect("still there");
    fs::remove_file(part.path().join("selfplay.log")).expect("still there");
    assert_eq!(files(part.path()), files(whole.path()));
    fs::remove_file(shard_path(part.path(), 1)).expect("the second shard");
    setting.play(&tables, part.path()).expect("a run");
    assert_eq!(files(part.path()), files(whole.path()));
}

#[test]
fn what_is_in_the_folder_is_never_overwritten() {
    let setting = Setting::<English> { games: 30, ..long_run() };
    let none = Tablebase::open("no-such-folder").expect("no tables");
    let folder = folder();
    setting.play(&none, folder.path()).expect("a run");
    let before = files(folder.path());
    let refused = |changed: &Setting<English>, expected: &str| {
        let error = changed.play(&none, folder.path()).expect_err(expected).to_string();
        assert!(error.contains("000000.games: of another run") && error.contains(expected), "{error}");
        assert_eq!(files(folder.path()), before);
    };
    refused(&Setting { seed: 2, ..Setting::new(Player::Depth(0), 30) }, "seed 1, not 2");
    refused(&Setting { games: 31, ..Setting::new(Player::Depth(0), 30) }, "games 30, not 31");
    refused(&Setting { max_plies: 99, ..Setting::new(Player::Depth(0), 30) }, "settings");
    let (_built, tables) = tables::<English>();
    let error = setting.play(&tables, folder.path()).expect_err("other tables").to_string();
    assert!(error.contains("other tables, first KK"), "{error}");

    let shard = shard_path(folder.path(), 0);
    let torn = before[0].1[..before[0].1.len() - 1].to_vec();
    fs::write(&shard, &torn).expect("written");
    let error = setting.play(&none, folder.path()).expect_err("torn");
    assert!(matches!(&error, RunError::Damaged { path, source: ArchiveError::Length { .. } } if *path == shard));
    assert_eq!(files(folder.path())[0].1, torn);
    fs::write(&shard, &before[0].1).expect("written");
    fs::write(folder.path().join("notes.txt"), "mine").expect("written");
    let error = setting.play(&none, folder.path()).expect_err("a foreign file").to_string();
    assert!(error.ends_with("notes.txt: not a file of a run"), "{error}");
}

#[test]
fn three_machines_merge_to_what_one_plays() {
    let tables = Tablebase::open("no-such-folder").expect("no tables");
    let setting = long_run();
    let (whole, out) = (folder(), folder());
    setting.play(&tables, whole.path()).expect("a run");
    let parts = [0, 1, 2].map(|part| {
        let folder = folder();
        setting.play_share(&tables, folder.path(), Share { part, parts: 3 }).expect("a part");
        folder
    });
    let paths = [out.path().join("whole.games"), out.path().join("parts.games")];
    open(&[whole.path()]).merge(&paths[0]).expect("merged");
    let together = open(&[parts[2].path(), parts[0].path(), parts[1].path()]);
    together.merge(&paths[1]).expect("merged");
    let [whole_bytes, parts_bytes] = paths.each_ref().map(|path| fs::read(path).expect("an archive"));
    assert!(whole_bytes == parts_bytes);
    assert!(open(&[&paths[0]]).records().eq_by_game(open(&[whole.path()]).records()));
    // Nothing is overwritten, and nothing left out.
    assert!(together.merge(&paths[1]).expect_err("there already").to_string().contains("already there"));
    let error = open(&[parts[0].path(), parts[2].path()]).merge(&out.path().join("x")).expect_err("a gap");
    assert_eq!(error.to_string(), "games 1024 to 2047 of the run are missing");
}

trait ByGame {
    fn eq_by_game(self, other: Self) -> bool;
}

impl<I: Iterator<Item = Result<(u64, Record), endame::dataset::DatasetError>>> ByGame for I {
    fn eq_by_game(self, other: Self) -> bool {
        self.map(|game| game.expect("a game")).eq(other.map(|game| game.expect("a game")))
    }
}

#[test]
fn seeds_shards_and_games_share_no_game() {
    let tables = Tablebase::<International>::open("no-such-folder").expect("no tables");
    let mut seen = HashSet::new();
    for (seed, player) in [(1, 0), (2, 0), (u64::MAX, 0), (1 << 32 | 1, 0)] {
        let setting = Setting { seed, ..Setting::new(Player::Depth(player), 1100) };
        let (_folder, dataset) = setting.dataset(&tables);
        for record in dataset.records() {
            let (number, record) = record.expect("a game");
            assert!(seen.insert(record.moves), "game {number} of seed {seed} has been before");
        }
    }
    assert_eq!(seen.len(), 4400);
}

#[test]
fn any_game_can_be_played_again_from_its_number() {
    let (_folder, tables) = tables::<Turkish>();
    let setting = Setting::<Turkish> { play_on: true, max_plies: 120, ..Setting::new(Player::Depth(2), 70) };
    let (_games, dataset) = setting.dataset(&tables);
    let conditions = setting.conditions(&tables);
    let mut player = GamePlayer::new(&conditions);
    for number in [69, 3, 64, 63, 3] {
        let stored = dataset.game(number).expect("an archive").expect("the game is here");
        assert_eq!(player.play(number).expect("a game"), stored);
    }
    assert!(dataset.game(70).expect("an archive").is_none());
}
