//! Which draw rules count in a position.
//!
//! The rules of a list are a set, a bit each by their number in [`Rules::DRAW_RULES`]. Most depend on the material
//! alone; those that are tied to squares also ask where the lone king stands, and are in scope on some moves of a
//! material and out of it on others.

use crate::board::{Bitboard, Geometry};
use crate::position::Position;
use crate::rules::{DrawRule, Place, Rules};

/// The most draw rules that a variant may have.
pub const MOST_RULES: usize = 8;

impl<R: Rules> Position<R> {
    /// The rules that count in its material, squares ignored.
    #[inline]
    #[must_use]
    pub fn rules_of_material(self) -> u8 {
        let (ours, theirs) = self.sides();
        bits::<R>(|rule| rule.counts_in(ours, theirs))
    }

    /// Those of `materials`, the rules that count in its material, in whose scope it is, its squares included.
    #[inline]
    #[must_use]
    pub fn rules_in_scope(self, materials: u8) -> u8 {
        let tied = materials & bits::<R>(|rule| rule.place != Place::Anywhere);
        if tied == 0 {
            return materials;
        }
        let is_on_road = self.lone_king().meets(R::Geometry::main_road());
        let counts_here = |rule: &DrawRule| (rule.place == Place::OnMainRoad) == is_on_road;
        materials & (!tied | bits::<R>(counts_here))
    }

    /// The kings of the side that has but one piece, in the scope of a rule that is tied to squares.
    fn lone_king(self) -> Bitboard {
        if self.theirs().many() { self.ours() } else { self.theirs() }
    }
}

/// The rules that are so.
#[inline]
fn bits<R: Rules>(is_so: impl Fn(&DrawRule) -> bool) -> u8 {
    const { assert!(R::DRAW_RULES.len() <= MOST_RULES) };
    R::DRAW_RULES.iter().enumerate().fold(0, |bits, (number, rule)| bits | u8::from(is_so(rule)) << number)
}
