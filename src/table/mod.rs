#![doc = include_str!("FORMAT.md")]

mod block;
mod cache;
mod codec;
mod error;
mod fill;
mod header;
mod reader;
mod storage;
mod writer;

pub use block::{BlockEncoder, EncodedBlock};
pub use cache::BlockCache;
pub use codec::Coding;
pub use error::TableError;
pub use fill::FREE;
pub use header::{Distance, Header, LARGEST_BLOCK_SLOTS, Longest, Statistics};
pub use reader::Table;
pub use writer::{TableWriter, is_unfinished, new_unfinished, table_to_bytes};
pub(crate) use writer::{UNFINISHED_PREFIX, folder_of};
