//! Why a probe has no answer.

use std::path::PathBuf;

use crate::index::Material;
use crate::table::TableError;
use crate::value::Metric;

/// Why a probe has no answer. Other tables stay usable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// There is no table of a material that the answer needs.
    #[error("no table of {material}; make it with `endame build {variant} --material {material}`")]
    NoTable {
        /// The name of the variant.
        variant: &'static str,
        /// The material.
        material: Material,
    },
    /// There is no table of outcomes, or of the distances that go with them, of a material that the answer needs.
    #[error(
        "no {metric} table of {material}; make it with `endame build {variant} --material {material} --metric outcome`"
    )]
    NoOutcomes {
        /// The name of the variant.
        variant: &'static str,
        /// The material.
        material: Material,
        /// Which of the two.
        metric: Metric,
    },
    /// Several draw rules count in the material at once, so that its tables know fresh counts only.
    #[error(
        "in {material} several draw rules count at once, {}: its tables know fresh counts only",
        .rules.join(" and ")
    )]
    SeveralCounts {
        /// The material.
        material: Material,
        /// The rules that count in it, or in what a count is carried into.
        rules: Vec<&'static str>,
    },
    /// More plies than a draw rule allows, or plies where none counts.
    #[error("a count of {count} plies: {}", .rule.map_or("no draw rule counts here".to_string(), |(name, plies)| {
        format!("{name} draws the game at {plies}")
    }))]
    Count {
        /// The plies given.
        count: u32,
        /// The rule that decides and its plies; `None` where no rule counts.
        rule: Option<(&'static str, u32)>,
    },
    /// A table is damaged, or is not what its name says.
    #[error("{}: {source}", path.display())]
    Table {
        /// Its file.
        path: PathBuf,
        /// What is wrong, and what to do.
        source: TableError,
    },
    /// The folder of the tables is something else.
    #[error("{}: not a folder; name the folder that holds, or is to hold, the tables", .0.display())]
    NotAFolder(PathBuf),
    /// A table promises a distance that no move keeps.
    #[error("the tables of {variant} contradict each other at {material}; rebuild it and what it leads to")]
    Contradiction {
        /// The name of the variant.
        variant: &'static str,
        /// The material.
        material: Material,
    },
}
