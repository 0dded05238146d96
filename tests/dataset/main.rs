//! Self-play and its archives: the same bytes whoever plays, and no wrong label goes unseen.

mod archives;
mod exports;
mod faults;
mod games;
#[cfg(feature = "parquet")]
mod python;
mod runs;
mod setting;
