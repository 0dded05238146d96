//! What a position is worth, and the metrics that tables can hold.

mod dtw;
mod metric;
mod wdl;

pub use dtw::Dtw;
pub use metric::{Metric, UnknownMetric};
pub use wdl::Wdl;
