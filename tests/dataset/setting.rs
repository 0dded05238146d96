//! Small tables and short runs.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use endame::build::{BuildOptions, Silent, build};
use endame::dataset::{AtLimit, Dataset, Player, Settings, Summary};
use endame::engine::Tables;
use endame::index::Material;
use endame::rules::Rules;
use endame::selfplay::{Conditions, Openings, RunError, Share, run};
use endame::tablebase::Tablebase;
use endame::value::Metric;

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The tables of up to three pieces, in a folder of their own.
pub fn tables<R: Rules>() -> (TempDir, Tablebase<R>) {
    let folder = folder();
    build::<R>(folder.path(), &Material::all_up_to(3), Metric::Dtw, &BuildOptions::default(), &Silent)
        .expect("small tables are built");
    let tables = Tablebase::open(folder.path()).expect("a folder");
    (folder, tables)
}

/// A run of a few games, to be changed and played.
pub struct Setting<R: Rules> {
    pub openings: Openings<R>,
    pub player: Player,
    pub play_on: bool,
    pub max_plies: u32,
    pub at_limit: AtLimit,
    pub seed: u64,
    pub games: u64,
}

impl<R: Rules> Setting<R> {
    pub fn new(player: Player, games: u64) -> Self {
        let openings = Openings::random(4);
        Setting { openings, player, play_on: false, max_plies: 200, at_limit: AtLimit::Unknown, seed: 1, games }
    }

    pub fn conditions<'t>(&'t self, tables: &'t Tablebase<R>) -> Conditions<'t, R> {
        let settings = Settings {
            openings: self.openings.name().to_string(),
            player: self.player,
            play_on: self.play_on,
            max_plies: self.max_plies,
            at_limit: self.at_limit,
        };
        let tables = Tables::new(tables).expect("sound tables");
        Conditions { openings: &self.openings, settings, seed: self.seed, tables }
    }

    pub fn play(&self, tables: &Tablebase<R>, folder: &Path) -> Result<Summary, RunError> {
        self.play_share(tables, folder, Share::ALL)
    }

    pub fn play_share(&self, tables: &Tablebase<R>, folder: &Path, share: Share) -> Result<Summary, RunError> {
        run(&self.conditions(tables), self.games, share, folder, &Silent)
    }

    /// Plays into a new folder and opens what is there.
    pub fn dataset(&self, tables: &Tablebase<R>) -> (TempDir, Dataset) {
        let folder = folder();
        self.play(tables, folder.path()).expect("a run");
        let dataset = open(&[folder.path()]);
        (folder, dataset)
    }
}

pub fn open(folders: &[&Path]) -> Dataset {
    let paths: Vec<PathBuf> = folders.iter().map(|path| path.to_path_buf()).collect();
    Dataset::open(&paths).expect("a dataset")
}

/// The files of a folder with their bytes, by name.
pub fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("ASCII");
            (name, std::fs::read(entry.path()).expect("a file"))
        })
        .collect();
    files.sort();
    files
}
