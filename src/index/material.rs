//! Which pieces the two sides have.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::rules::{Rules, Side};

/// The pieces of the side to move, then those of the other side; each has one at least.
///
/// Written `KMMvKM`: the side to move first, kings first. A slice is all positions of one material; its twin swaps the
/// sides, and the two together are a pair.
///
/// Materials are ordered by their number of pieces; of a pair, the side with more pieces, or as many and more kings,
/// comes first.
///
/// # Examples
/// ```
/// use endame::index::Material;
/// let material: Material = "KMMvKM".parse()?;
/// assert_eq!((material.ours().men, material.theirs().kings, material.pieces()), (2, 1, 5));
/// assert_eq!(material.twin().to_string(), "KMvKMM");
/// # Ok::<(), endame::index::MaterialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Material {
    ours: Side,
    theirs: Side,
}

/// Not the material of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// A character that does not belong there.
    #[error("unexpected {found:?} at character {at} of the material: expected K, M or one v, as in KMMvKM")]
    Character {
        /// The character.
        found: char,
        /// Its number, from 1.
        at: usize,
    },
    /// There is no `v`.
    #[error("the material has no v between the sides, as in KMMvKM")]
    NoVersus,
    /// A side has no piece.
    #[error("a side of the material has no piece")]
    EmptySide,
    /// A side has more pieces than any position of the variant.
    #[error("a side of the material has {pieces} pieces: {variant} has at most {most}")]
    TooManyPieces {
        /// How many it has.
        pieces: u32,
        /// How many it may have.
        most: u32,
        /// The name of the variant.
        variant: &'static str,
    },
    /// The slice has more positions than can be numbered.
    #[error("the slice {0} has 2^64 positions or more")]
    TooLarge(Material),
}

impl Material {
    /// The material of these sides.
    ///
    /// # Errors
    /// [`MaterialError::EmptySide`].
    pub const fn new(ours: Side, theirs: Side) -> Result<Self, MaterialError> {
        if ours.pieces() == 0 || theirs.pieces() == 0 {
            return Err(MaterialError::EmptySide);
        }
        Ok(Material { ours, theirs })
    }

    /// The pieces of the side to move.
    #[must_use]
    pub const fn ours(self) -> Side {
        self.ours
    }

    /// The pieces of the other side.
    #[must_use]
    pub const fn theirs(self) -> Side {
        self.theirs
    }

    /// The same pieces with the other side to move.
    #[must_use]
    pub const fn twin(self) -> Material {
        Material { ours: self.theirs, theirs: self.ours }
    }

    /// Whether the two sides have the same pieces.
    #[must_use]
    pub fn is_own_twin(self) -> bool {
        self.ours == self.theirs
    }

    /// The one of the pair with the stronger side to move: more pieces, or as many and more kings.
    #[must_use]
    pub fn stronger_to_move(self) -> Material {
        self.min(self.twin())
    }

    /// The number of pieces of both sides.
    #[must_use]
    pub const fn pieces(self) -> u32 {
        self.ours.pieces() + self.theirs.pieces()
    }

    /// The number of men of both sides.
    #[must_use]
    pub const fn men(self) -> u32 {
        self.ours.men + self.theirs.men
    }

    /// Checks that no side has more pieces than a position of variant `R` can have.
    ///
    /// # Errors
    /// [`MaterialError::TooManyPieces`].
    pub fn check<R: Rules>(self) -> Result<(), MaterialError> {
        let pieces = self.ours.pieces().max(self.theirs.pieces());
        if pieces > R::MOST_PIECES {
            return Err(MaterialError::TooManyPieces { pieces, most: R::MOST_PIECES, variant: R::NAME });
        }
        Ok(())
    }

    /// The materials that captures and promotions lead to, itself included, each with the sides as they are here.
    pub fn reached(self) -> impl Iterator<Item = Material> {
        let theirs = self.theirs();
        let pairs = self.ours().reached().flat_map(move |ours| theirs.reached().map(move |theirs| (ours, theirs)));
        pairs.map(|(ours, theirs)| Material::new(ours, theirs).expect("sides that something is left of"))
    }

    /// Every material of `pieces` pieces, in order: none where `pieces < 2`.
    #[must_use]
    pub fn all_with(pieces: u32) -> Vec<Material> {
        let mut all = Vec::new();
        for ours in 1..pieces {
            let theirs = pieces - ours;
            for kings in 0..=ours {
                for their_kings in 0..=theirs {
                    all.push(Material {
                        ours: Side { kings, men: ours - kings },
                        theirs: Side { kings: their_kings, men: theirs - their_kings },
                    });
                }
            }
        }
        all.sort();
        all
    }

    /// Every material of 2 to `pieces` pieces, in order.
    #[must_use]
    pub fn all_up_to(pieces: u32) -> Vec<Material> {
        (2..=pieces).flat_map(Material::all_with).collect()
    }
}

impl Ord for Material {
    fn cmp(&self, other: &Self) -> Ordering {
        let strength = |side: Side| (side.pieces(), side.kings);
        (self.pieces().cmp(&other.pieces()))
            .then_with(|| strength(other.ours).cmp(&strength(self.ours)))
            .then_with(|| strength(other.theirs).cmp(&strength(self.theirs)))
    }
}

impl PartialOrd for Material {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Reads `KMMvKM`; small letters and pieces in any order are accepted.
    fn from_str(text: &str) -> Result<Self, MaterialError> {
        let mut sides = [Side { kings: 0, men: 0 }; 2];
        let mut side = 0;
        for (i, found) in text.chars().enumerate() {
            match found.to_ascii_uppercase() {
                'K' => sides[side].kings += 1,
                'M' => sides[side].men += 1,
                'V' if side == 0 => side = 1,
                _ => return Err(MaterialError::Character { found, at: i + 1 }),
            }
        }
        if side == 0 {
            return Err(MaterialError::NoVersus);
        }
        Material::new(sides[0], sides[1])
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}v{}", self.ours, self.theirs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, Turkish};

    #[test]
    fn text_leads_back_to_the_material() {
        let all = Material::all_up_to(6);
        for material in &all {
            assert_eq!(material.to_string().parse(), Ok(*material));
        }
        assert_eq!("mkVKk".parse::<Material>().map(|m| m.to_string()), Ok("KMvKK".to_string()));
    }

    #[test]
    fn text_that_is_no_material_says_what_is_wrong() {
        use MaterialError::*;
        let error = |text: &str| text.parse::<Material>().expect_err(text);
        assert_eq!(error(""), NoVersus);
        assert_eq!(error("KK"), NoVersus);
        assert_eq!(error("v"), EmptySide);
        assert_eq!(error("KKv"), EmptySide);
        assert_eq!(error("vM"), EmptySide);
        assert_eq!(error("XvK"), Character { found: 'X', at: 1 });
        assert_eq!(error("KvKvK"), Character { found: 'v', at: 4 });
        assert_eq!(error("Kv K"), Character { found: ' ', at: 3 });
    }

    #[test]
    fn a_side_has_no_more_pieces_than_at_the_start() {
        let material = |men| Material::new(Side { kings: 1, men: 0 }, Side { kings: 0, men }).expect("both sides");
        assert_eq!(material(12).check::<English>(), Ok(()));
        assert_eq!(material(16).check::<Turkish>(), Ok(()));
        let error = MaterialError::TooManyPieces { pieces: 13, most: 12, variant: "english" };
        assert_eq!(material(13).check::<English>(), Err(error));
    }

    #[test]
    fn the_lists_hold_every_ordered_material_once_and_in_order() {
        for pieces in 2..=8 {
            let all = Material::all_with(pieces);
            let count: u32 = (1..pieces).map(|ours| (ours + 1) * (pieces - ours + 1)).sum();
            assert_eq!(all.len(), count as usize);
            assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(all.iter().all(|m| m.pieces() == pieces && all.contains(&m.twin())));
        }
        let names: Vec<String> = Material::all_up_to(2).iter().map(Material::to_string).collect();
        assert_eq!(names, ["KvK", "KvM", "MvK", "MvM"]);
        let names = |text: &str| text.parse::<Material>().expect("a material").stronger_to_move().to_string();
        assert_eq!((names("KvMM"), names("MvK"), names("KKvKM")), ("MMvK".into(), "KvM".into(), "KKvKM".into()));
    }
}
