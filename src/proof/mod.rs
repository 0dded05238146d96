//! Holding what draw rules and books say against the tables.
//!
//! A [`Claim`] speaks of all positions of some materials: that a draw rule takes no win away, that three kings always
//! beat one. [`prove`] counts those positions by value and by the length of their wins, and says whether the claim
//! holds, with a position that refutes it where it does not. What is counted is the distance to the end of the game by
//! the rules of play alone; a claim that a rule's count never runs out before a win is then a theorem.

mod census;
mod claim;
mod findings;
mod prove;
mod report;
mod tally;

pub use census::{Census, census};
pub use claim::{Claim, usual_materials};
pub use findings::Findings;
pub use prove::{Finding, ProofError, Sample, Verdict, prove};
pub use report::report;
pub use tally::{Longest, Tally, Winner};
