//! Rules that draw a game by a count of moves, as data.
//!
//! A rule has a name, a scope of materials, and a count in plies; `N moves each` are `2N` plies, whoever moves first,
//! and a win on the last of these plies is in time. The scope sees both sides alike.

use std::fmt;

use crate::rules::Place;

/// The pieces of one side, as a draw rule sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Side {
    /// Number of kings.
    pub kings: u32,
    /// Number of men.
    pub men: u32,
}

impl Side {
    /// Number of pieces.
    #[inline]
    #[must_use]
    pub const fn pieces(self) -> u32 {
        self.kings + self.men
    }

    /// What captures and promotions can leave of the side, itself included, never nothing.
    pub fn reached(self) -> impl Iterator<Item = Side> {
        let all = (0..=self.men).flat_map(move |men| (0..=self.pieces() - men).map(move |kings| Side { kings, men }));
        all.filter(|side| side.pieces() > 0)
    }

    /// Whether the side is one king and nothing else.
    #[inline]
    #[must_use]
    pub const fn is_lone_king(self) -> bool {
        self.kings == 1 && self.men == 0
    }
}

/// Writes `KKM`, kings first.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&("K".repeat(self.kings as usize) + &"M".repeat(self.men as usize)))
    }
}

/// What sets the count of a draw rule back to zero while the game stays in its scope; each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum ResetsOn {
    /// Nothing: the count runs from the moment the material arises.
    Nothing,
    /// A capture or a promotion.
    CaptureOrPromotion,
    /// A capture or any move of a man.
    CaptureOrManMove,
}

/// What a move is to a draw rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveKind {
    /// A king's quiet move.
    King,
    /// A man's quiet move that does not promote it.
    Man,
    /// A man's quiet move that makes it a king.
    Promotion,
    /// A capture, whatever else it does.
    Capture,
}

impl ResetsOn {
    /// Whether a move of this kind sets the count back.
    #[inline]
    #[must_use]
    pub const fn is_reset_by(self, kind: MoveKind) -> bool {
        match self {
            ResetsOn::Nothing => false,
            ResetsOn::CaptureOrPromotion => matches!(kind, MoveKind::Capture | MoveKind::Promotion),
            ResetsOn::CaptureOrManMove => !matches!(kind, MoveKind::King),
        }
    }
}

/// One rule that draws the game when a count of plies is full.
#[derive(Clone, Copy, Debug)]
pub struct DrawRule {
    /// Short name, as used on the command line.
    pub name: &'static str,
    /// What the rule says, in one sentence.
    pub says: &'static str,
    /// Where it is written.
    pub source: &'static str,
    /// Whether the rule counts in this material; called with the sides in both orders.
    pub scope: fn(Side, Side) -> bool,
    /// Where the lone king stands while the rule counts: anywhere, on the long diagonal ("main road"), or off it.
    pub place: Place,
    /// The count at which the game is drawn, in plies of both sides together.
    pub plies: u32,
    /// What sets the count back.
    pub resets_on: ResetsOn,
}

impl DrawRule {
    /// Whether the rule counts in the material of the two sides, whichever is to move.
    #[inline]
    #[must_use]
    pub fn counts_in(&self, ours: Side, theirs: Side) -> bool {
        (self.scope)(ours, theirs) || (self.scope)(theirs, ours)
    }

    /// Whether the count, in its scope before the move, goes on after a move of this kind that leaves these sides.
    ///
    /// Squares are ignored: see `place`.
    #[inline]
    #[must_use]
    pub fn goes_on(&self, kind: MoveKind, ours: Side, theirs: Side) -> bool {
        !self.resets_on.is_reset_by(kind) && self.counts_in(ours, theirs)
    }

    /// Whether the count of `other` is never full before that of this rule, both having begun together in a material in
    /// which both count: this one has no more plies and no more resets.
    #[must_use]
    pub fn hides(&self, other: &DrawRule, ours: Side, theirs: Side) -> bool {
        // Of kings only, no man moves and none is promoted.
        let men = ours.men + theirs.men > 0;
        let resets =
            |rule: &DrawRule| if men { rule.resets_on } else { rule.resets_on.min(ResetsOn::CaptureOrPromotion) };
        self.plies <= other.plies
            && resets(self) <= resets(other)
            && (self.place == Place::Anywhere || self.place == other.place)
    }
}
