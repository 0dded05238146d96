//! What books say about endings, as data: sayings that a table can confirm or refute.

use crate::rules::Side;

/// Where the lone king stands, for claims that depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Place {
    /// Anywhere.
    Anywhere,
    /// On the long diagonal, the "main road". A count runs there whatever else stands on it; a claim speaks of
    /// positions with no other piece on it: the lone king holds the road.
    OnMainRoad,
    /// Not on the long diagonal.
    OffMainRoad,
}

/// What a claim says about every position in its scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Expectation {
    /// A win of either side, where there is one, takes no more plies than this.
    WinsWithin(u32),
    /// The side to move wins, in no more plies than this where a number is given.
    AlwaysWon(Option<u32>),
}

/// A position worth seeing.
#[derive(Clone, Copy, Debug)]
pub struct Showpiece {
    /// The position.
    pub fen: &'static str,
    /// What it shows.
    pub shows: &'static str,
}

/// One saying about an ending.
#[derive(Clone, Copy, Debug)]
pub struct Saying {
    /// Short name, as used on the command line.
    pub name: &'static str,
    /// The saying, in one sentence.
    pub says: &'static str,
    /// Where it is written.
    pub source: &'static str,
    /// Whether it speaks of this material; the side to move comes first.
    pub scope: fn(Side, Side) -> bool,
    /// Where the lone king stands.
    pub place: Place,
    /// What is said.
    pub expects: Expectation,
}
