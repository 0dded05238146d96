//! The tables that the tests read, built once, and ways to read them.

use std::sync::OnceLock;

use endame::build::{BuildOptions, Silent, build};
use endame::index::{Indexer, Material};
use endame::position::{Fen, Position};
use endame::rules::{English, International, Rules, Russian, Turkish};
use endame::tablebase::{Tablebase, Value};
use endame::value::{Dtw, Metric, Wdl};
use rayon::prelude::*;

/// A variant with tables of distances that all tests share.
pub trait Solved: Rules {
    /// All slices of 2 to 4 pieces, and some more; on the Turkish board of 2 and 3.
    fn tables() -> &'static Tablebase<Self>;
}

macro_rules! solved {
    ($($rules:ident: $pieces:literal pieces, $more:expr;)*) => {$(
        impl Solved for $rules {
            fn tables() -> &'static Tablebase<Self> {
                static TABLES: OnceLock<Tablebase<$rules>> = OnceLock::new();
                TABLES.get_or_init(|| {
                    let more: &[&str] = &$more;
                    solve(Material::all_up_to($pieces).into_iter().chain(more.iter().map(|text| material(text))).collect())
                })
            }
        }
    )*};
}

solved! {
    International: 4 pieces, [];
    English: 4 pieces, ["KKKKvK", "KKKvKK"];
    Russian: 4 pieces, [];
    Turkish: 3 pieces, [];
}

#[cfg(feature = "related")]
use endame::rules::{Brazilian, Czech, Pool, Spanish, Thai};

#[cfg(feature = "related")]
solved! {
    Brazilian: 3 pieces, ["KKKvK", "KKvKK"];
    Pool: 3 pieces, ["KKKvK", "KKvKK"];
    Czech: 3 pieces, ["KKKvK", "KKvKK"];
    Spanish: 3 pieces, ["KKKvK", "KKvKK"];
    Thai: 3 pieces, [];
}

/// Builds and opens tables. Open tables outlive their files, so the folder is removed at once.
fn solve<R: Rules>(materials: Vec<Material>) -> Tablebase<R> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    build::<R>(folder.path(), &materials, Metric::Dtw, &BuildOptions::default(), &Silent).expect("a small build");
    let tables = Tablebase::open(folder.path()).expect("a folder");
    for material in materials.iter().flat_map(|material| [*material, material.twin()]) {
        assert!(tables.table(material, Metric::Dtw).expect("a sound table").is_some(), "{} {material}", R::NAME);
    }
    tables
}

pub fn material(text: &str) -> Material {
    text.parse().expect("a material")
}

/// Every position of a slice.
pub fn positions<R: Solved>(material: Material) -> impl ParallelIterator<Item = Position<R>> {
    // Tables must not be built by one of the threads that are to read them: while it waits it would begin another task.
    R::tables();
    let indexer = Indexer::<R>::new(material);
    (0..indexer.placements()).into_par_iter().map(move |rank| indexer.unrank(rank))
}

/// The value of any position, for its mover.
pub fn value<R: Solved>(position: &Position<R>) -> Value {
    R::tables().probe(position).expect("the tables are there")
}

/// The value of the position of a FEN, for the side to move.
pub fn probe<R: Solved>(fen: &str) -> Value {
    value::<R>(&position(fen))
}

pub fn position<R: Rules>(fen: &str) -> Position<R> {
    Fen::parse(fen.as_bytes()).unwrap_or_else(|error| panic!("{fen}: {error}")).position
}

pub fn win(plies: u16) -> Value {
    assert_eq!(plies % 2, 1);
    Value::at(Dtw(plies))
}

pub fn loss(plies: u16) -> Value {
    assert_eq!(plies % 2, 0);
    Value::at(Dtw(plies))
}

/// The longest distance, and how many positions have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    pub plies: u16,
    pub count: u64,
}

/// Positions counted by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub longest_win: Option<Longest>,
    pub longest_loss: Option<Longest>,
}

impl Count {
    /// Counts the positions of a slice that `chosen` chooses.
    pub fn of<R: Solved>(material: Material, chosen: impl Fn(&Position<R>) -> bool + Sync + Send) -> Count {
        Count::among(positions::<R>(material).filter(chosen))
    }

    /// Counts these positions.
    pub fn among<R: Solved>(positions: impl ParallelIterator<Item = Position<R>>) -> Count {
        positions
            .fold(Count::default, |count, position| count.with(value(&position)))
            .reduce(Count::default, Count::and)
    }

    /// Counts the positions of a slice.
    pub fn all<R: Solved>(material: Material) -> Count {
        Count::of::<R>(material, |_| true)
    }

    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn with(self, value: Value) -> Count {
        let one = |wdl| u64::from(value.wdl == wdl);
        let longest = |wdl| value.dtw.filter(|_| value.wdl == wdl).map(|Dtw(plies)| Longest { plies, count: 1 });
        self.and(Count {
            wins: one(Wdl::Win),
            draws: one(Wdl::Draw),
            losses: one(Wdl::Loss),
            longest_win: longest(Wdl::Win),
            longest_loss: longest(Wdl::Loss),
        })
    }

    pub fn and(self, other: Count) -> Count {
        let longest = |a: Option<Longest>, b: Option<Longest>| match (a, b) {
            (Some(a), Some(b)) if a.plies == b.plies => Some(Longest { plies: a.plies, count: a.count + b.count }),
            (Some(a), Some(b)) => Some(if a.plies > b.plies { a } else { b }),
            (a, b) => a.or(b),
        };
        Count {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: longest(self.longest_win, other.longest_win),
            longest_loss: longest(self.longest_loss, other.longest_loss),
        }
    }
}

/// The list `list` of a data file.
pub fn data(text: &str, list: &str) -> Vec<serde_json::Value> {
    let data: serde_json::Value = serde_json::from_str(text).expect("the data is json");
    data[list].as_array().unwrap_or_else(|| panic!("a list {list}")).clone()
}

/// The number in `field` of a case, `None` where it is null.
pub fn number(case: &serde_json::Value, field: &str) -> Option<u64> {
    match &case[field] {
        serde_json::Value::Null => None,
        number => Some(number.as_u64().unwrap_or_else(|| panic!("{field} of {case} is a number"))),
    }
}

/// The material of a case.
pub fn material_of(case: &serde_json::Value) -> Material {
    material(case["material"].as_str().expect("a text"))
}
