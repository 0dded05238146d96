//! What a position is worth, and the metrics that tables can hold.

mod dtc;
mod dtr;
mod dtw;
mod metric;
mod outcome;
mod wdl;

pub use dtc::Dtc;
pub use dtr::Dtr;
pub use dtw::Dtw;
pub use metric::{Metric, UnknownMetric};
pub use outcome::Outcome;
pub use wdl::Wdl;
