//! What an archive says of the run that it is from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::index::Material;
use crate::position::Position;
use crate::rules::Rules;
use crate::tablebase::{ProbeError, Tablebase};
use crate::value::Wdl;

/// The edition of games that this program plays. A change of search, evaluation or dice that changes games adds one, so
/// that a run is never continued by a program that plays in another way.
pub const EDITION: u32 = 3;

/// Everything that the games of a run depend on, and which part of the run an archive holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Metadata {
    /// The name of the variant.
    pub variant: String,
    /// The hash of the rule facts, 16 hexadecimal digits.
    pub facts: String,
    /// The seed of the run.
    pub seed: u64,
    /// Games of the whole run.
    pub run_games: u64,
    /// How they were played.
    pub settings: Settings,
    /// The name and version of the program.
    pub program: String,
    /// Changes whenever the same settings give other games: [`EDITION`].
    #[serde(default)]
    pub edition: u32,
    /// Positions with more pieces were not looked for in tables.
    pub table_pieces: u32,
    /// The tables that were used, `KKvK.dtw`, each with a hash of its content as 16 hexadecimal digits.
    pub tables: BTreeMap<String, String>,
    /// The number of this archive among those of the run, from 0.
    pub shard: u64,
    /// Archives of the run.
    pub shards: u64,
}

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How games begin: `random:8`, `material:KKMvKM`, `ballots`, or `file:` and a hash of its content; for games that
    /// were read, `pdn:` and a hash of the content of the files.
    pub openings: String,
    /// Who moves.
    #[serde(flatten)]
    pub player: Player,
    /// Whether games go on inside the tables.
    pub play_on: bool,
    /// Plies after which a game is stopped.
    pub max_plies: u32,
    /// How a game counts that was stopped.
    pub at_limit: AtLimit,
}

/// Who chooses the moves after the opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// A search of so many plies; 0 plays any legal move, all with the same chance.
    Depth(u32),
    /// A search of so many positions.
    Nodes(u64),
    /// Others: games read from files, which held so many, those counted that could not be read.
    Read(u64),
}

impl Player {
    /// Whether every move outside the opening has a score.
    #[must_use]
    pub const fn searches(self) -> bool {
        !matches!(self, Player::Depth(0) | Player::Read(_))
    }
}

/// How a game counts that was stopped after the agreed number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AtLimit {
    /// Not at all.
    Unknown,
    /// More material wins, a king counting three men where kings fly and one and a half elsewhere; else a draw.
    Material,
    /// The children's counting: more pieces win; with as many, more kings; else a draw.
    Children,
}

impl AtLimit {
    /// Every scoring.
    pub const ALL: &'static [AtLimit] = &[AtLimit::Unknown, AtLimit::Material, AtLimit::Children];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            AtLimit::Unknown => "unknown",
            AtLimit::Material => "material",
            AtLimit::Children => "children",
        }
    }

    /// The result of a game stopped in `position`, for its mover.
    #[must_use]
    pub fn result<R: Rules>(self, position: &Position<R>) -> Option<Wdl> {
        let (ours, theirs) = position.sides();
        // In half men.
        let king = if R::FLYING_KINGS { 6 } else { 3 };
        let order = match self {
            AtLimit::Unknown => return None,
            AtLimit::Material => (2 * ours.men + king * ours.kings).cmp(&(2 * theirs.men + king * theirs.kings)),
            AtLimit::Children => (ours.pieces(), ours.kings).cmp(&(theirs.pieces(), theirs.kings)),
        };
        Some(match order {
            std::cmp::Ordering::Less => Wdl::Loss,
            std::cmp::Ordering::Equal => Wdl::Draw,
            std::cmp::Ordering::Greater => Wdl::Win,
        })
    }
}

/// The name and version of this program.
#[must_use]
pub fn program() -> String {
    format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

/// A hash as it is written in metadata.
#[must_use]
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The tables of up to `pieces` pieces that are there and decide, with the hashes of their contents.
///
/// # Errors
/// [`ProbeError::Table`] for a table that is damaged or foreign.
pub fn table_hashes<R: Rules>(tables: &Tablebase<R>, pieces: u32) -> Result<BTreeMap<String, String>, ProbeError> {
    let mut hashes = BTreeMap::new();
    for material in Material::all_up_to(pieces) {
        if let Some(open) = tables.best_table(material)? {
            let name = format!("{material}.{}", open.table().header().metric);
            hashes.insert(name, hash_text(open.table().identity()));
        }
    }
    Ok(hashes)
}

impl Metadata {
    /// What differs between two archives that are not of one run; `None` if only their place in it does.
    #[must_use]
    pub fn difference(&self, other: &Metadata) -> Option<String> {
        let both =
            |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| Some(format!("{what} {a:?}, not {b:?}"));
        if self.variant != other.variant {
            both("variant", &self.variant, &other.variant)
        } else if self.facts != other.facts {
            both("rule facts", &self.facts, &other.facts)
        } else if self.seed != other.seed {
            both("seed", &self.seed, &other.seed)
        } else if self.run_games != other.run_games {
            both("games", &self.run_games, &other.run_games)
        } else if self.settings != other.settings {
            both("settings", &self.settings, &other.settings)
        } else if (&self.program, self.edition) != (&other.program, other.edition) {
            both("program and edition", &(&self.program, self.edition), &(&other.program, other.edition))
        } else if (self.table_pieces, &self.tables) != (other.table_pieces, &other.tables) {
            let differs = |name: &&String| self.tables.get(*name) != other.tables.get(*name);
            let name = self.tables.keys().chain(other.tables.keys()).find(differs);
            Some(format!("other tables, first {}", name.map_or("their number of pieces", String::as_str)))
        } else {
            None
        }
    }
}
