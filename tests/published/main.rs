//! Tables solved by the program against what others have published and reported.

mod checksums;
mod claims;
mod endings;
mod invariants;
#[cfg(feature = "related")]
mod related;
mod reports;
mod slices;
mod solved;
mod wrong_values;
