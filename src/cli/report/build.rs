//! The report of a build as a file: written by `build --report`, read back here.

use std::path::Path;

use serde::{Deserialize, Serialize};

use endame::index::Material;

use crate::cli::error::{Error, Kind};

/// What a build took.
#[derive(Serialize, Deserialize, Debug)]
pub struct Build {
    pub variant: String,
    /// Of the program.
    pub version: String,
    pub threads: usize,
    /// By the clock, from the first pair to the last.
    pub seconds: f64,
    /// In the order in which they were solved.
    pub pairs: Vec<Pair>,
}

/// A pair of slices, or one that is its own twin, solved in one go.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Pair {
    pub materials: Vec<String>,
    pub metric: String,
    pub positions: u64,
    pub seconds: Seconds,
    /// The most passes over reversible moves that a block needed.
    pub passes: u32,
    /// Of the files written.
    pub bytes: u64,
    /// Most memory in use so far, where the system tells.
    pub peak_memory_bytes: Option<u64>,
}

/// Captures, advances and reversible moves: of all threads together, partly from samples. The others by the clock.
#[derive(Serialize, Deserialize, Clone, Copy, Default, Debug)]
pub struct Seconds {
    pub captures: f64,
    pub advances: f64,
    pub reversible: f64,
    pub solve: f64,
    pub turn: f64,
    pub compress: f64,
    pub write: f64,
}

impl Build {
    /// Reads the file `path`.
    pub fn read(path: &Path) -> Result<Build, Error> {
        let remedy = "name a file that endame build --report has written";
        let bytes = std::fs::read(path).map_err(|error| Error::of_file(path, &error, remedy))?;
        let no_report = |why: String| {
            let what = format!("{}: no report of a build: {why}", path.display());
            Error::new(Kind::Damaged, what, remedy)
        };
        let build: Build = serde_json::from_slice(&bytes).map_err(|error| no_report(error.to_string()))?;
        match build.fault() {
            Some(why) => Err(no_report(why)),
            None => Ok(build),
        }
    }

    /// What no build would have written.
    fn fault(&self) -> Option<String> {
        for pair in &self.pairs {
            let is_material = |text: &String| text.parse::<Material>().is_ok();
            if pair.materials.is_empty() || !pair.materials.iter().all(is_material) {
                return Some(format!("{:?} are no slices", pair.materials));
            }
            if !pair.seconds.all().iter().all(|&seconds| seconds >= 0.0) {
                return Some(format!("time runs backward in {}", pair.materials.join(" ")));
            }
        }
        let positions = self.pairs.iter().try_fold(0u64, |sum, pair| sum.checked_add(pair.positions));
        let bytes = self.pairs.iter().try_fold(0u64, |sum, pair| sum.checked_add(pair.bytes));
        (positions.is_none() || bytes.is_none()).then(|| "more than 2^64 positions or bytes".to_string())
    }

    /// The pairs, those with the most positions first.
    pub fn largest_first(&self) -> Vec<&Pair> {
        let mut pairs: Vec<&Pair> = self.pairs.iter().collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.positions));
        pairs
    }

    /// The sum of all pairs, the most passes and the most memory.
    pub fn all(&self) -> Pair {
        let mut seconds = Seconds::default();
        for pair in &self.pairs {
            seconds.add(&pair.seconds);
        }
        Pair {
            materials: vec!["all".to_string()],
            metric: String::new(),
            positions: self.pairs.iter().map(|pair| pair.positions).sum(),
            seconds,
            passes: self.pairs.iter().map(|pair| pair.passes).max().unwrap_or(0),
            bytes: self.pairs.iter().map(|pair| pair.bytes).sum(),
            peak_memory_bytes: self.pairs.iter().filter_map(|pair| pair.peak_memory_bytes).max(),
        }
    }
}

impl Pair {
    /// Positions a second of solving and turning; compressing and writing are no part of it.
    pub fn positions_per_second(&self) -> Option<f64> {
        let seconds = self.seconds.solve + self.seconds.turn;
        (seconds > 0.0).then(|| self.positions as f64 / seconds)
    }
}

impl Seconds {
    fn all(&self) -> [f64; 7] {
        let Seconds { captures, advances, reversible, solve, turn, compress, write } = *self;
        [captures, advances, reversible, solve, turn, compress, write]
    }

    fn add(&mut self, other: &Seconds) {
        self.captures += other.captures;
        self.advances += other.advances;
        self.reversible += other.reversible;
        self.solve += other.solve;
        self.turn += other.turn;
        self.compress += other.compress;
        self.write += other.write;
    }
}
