//! Why a probe has no answer.

use std::path::PathBuf;

use crate::index::Material;
use crate::table::TableError;

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
