#![doc = include_str!("ARCHIVE.md")]

mod archive;
mod check;
mod codec;
mod collection;
mod error;
pub mod export;
mod import;
mod info;
mod metadata;
mod new_file;
mod record;
mod replay;
mod staging;
mod summary;
mod writer;

pub use archive::Archive;
pub use check::{CheckError, Checker, ending, exact_value, move_place, result};
pub use collection::{Dataset, run_in};
pub use error::{ArchiveError, DatasetError, Fault};
pub use import::{Imported, Remark, import};
pub use info::{Info, Phases};
pub use metadata::{AtLimit, EDITION, Metadata, Player, Settings, hash_text, program, table_hashes};
pub use new_file::{is_unfinished, replace, write_new};
pub use record::{Ending, Record, Start, seen_at};
pub use replay::{Labelled, ordered_moves, position_hash, replay};
pub use summary::{Results, Summary};
pub use writer::{ArchiveBuilder, EXTENSION, shard_games, shard_path};
