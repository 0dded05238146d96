//! What a position is worth, and the metrics that tables can hold.

mod dtc;
mod dtw;
mod metric;
mod wdl;

pub use dtc::Dtc;
pub use dtw::Dtw;
pub use metric::{Metric, UnknownMetric};
pub use wdl::Wdl;
