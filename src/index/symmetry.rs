//! Which placements share a slot because a symmetry of the board makes them alike.
//!
//! Only the *lead*, the outermost set of pieces that is not empty, is reduced: of each orbit of lead sets the one of
//! least rank is kept, and a position is mapped by the first symmetry in the list (the identity is the first of all)
//! that takes its lead to the kept set. Where several do, two positions that are alike may keep a slot each: this
//! costs a few slots and no correctness, since the choice depends on the lead alone.

use crate::board::{Bitboard, Geometry, Square};
use crate::position::Position;
use crate::rules::Rules;

/// A map of (row, column).
type Symmetry = fn(u32, u32) -> (u32, u32);
/// A map of squares, by bit.
type Map = [u8; 64];

/// Low bits of an entry, for the number of the symmetry; the rest is the ordinal of the kept set.
const SYMMETRY_BITS: u32 = 3;
const UNSEEN: u32 = u32::MAX;

/// The kept lead sets of one group of a slice, by rank and by ordinal.
#[derive(Clone, Debug)]
pub struct Leads {
    /// By the rank of a lead set: the ordinal of its kept image, and the symmetry that leads there.
    entries: Vec<u32>,
    /// By ordinal: the rank of the kept set.
    kept: Vec<u32>,
    /// The identity, and the symmetries of the slice.
    maps: Vec<Map>,
}

impl Leads {
    /// The kept ones among the sets of `all` (in order of rank), of which `rank` gives the rank.
    pub fn new<G: Geometry>(
        symmetries: &[Symmetry],
        all: impl Iterator<Item = Bitboard>,
        rank: impl Fn(Bitboard) -> u64,
        count: u64,
    ) -> Self {
        let identity: Symmetry = |r, c| (r, c);
        let maps: Vec<Map> = std::iter::once(&identity).chain(symmetries).map(|&s| map::<G>(s)).collect();
        let inverses: Vec<Map> = maps.iter().map(inverse).collect();
        let mut entries = vec![UNSEEN; count as usize];
        let mut kept = Vec::new();
        for (lead_rank, set) in all.enumerate() {
            if entries[lead_rank] != UNSEEN {
                continue;
            }
            for (symmetry, inverse) in inverses.iter().enumerate() {
                let entry = &mut entries[rank(image(set, inverse)) as usize];
                if *entry == UNSEEN {
                    *entry = (kept.len() as u32) << SYMMETRY_BITS | symmetry as u32;
                }
            }
            kept.push(lead_rank as u32);
        }
        Leads { entries, kept, maps }
    }

    /// How many sets are kept.
    pub fn len(&self) -> u64 {
        self.kept.len() as u64
    }

    /// The ordinal of the kept image of the lead set with this rank, and the number of the symmetry that takes it
    /// there.
    #[inline]
    pub fn find(&self, lead_rank: u64) -> (u64, usize) {
        let entry = self.entries[lead_rank as usize];
        (u64::from(entry >> SYMMETRY_BITS), (entry & ((1 << SYMMETRY_BITS) - 1)) as usize)
    }

    /// The rank of the kept set with this ordinal: the inverse of [`Leads::find`] for kept sets.
    #[inline]
    pub fn rank(&self, ordinal: u64) -> u64 {
        u64::from(self.kept[ordinal as usize])
    }

    /// Whether the lead set with this rank is kept.
    #[inline]
    pub fn is_kept(&self, lead_rank: u64) -> bool {
        self.find(lead_rank).1 == 0
    }

    /// `position` mapped by the symmetry with this number.
    #[inline]
    pub fn map<R: Rules>(&self, position: &Position<R>, symmetry: usize) -> Position<R> {
        let map = &self.maps[symmetry];
        Position::from_sets(image(position.ours(), map), image(position.theirs(), map), image(position.kings(), map))
    }
}

fn map<G: Geometry>(symmetry: Symmetry) -> Map {
    let mut map: Map = std::array::from_fn(|bit| bit as u8); // Unused bits stay, so that it has an inverse.
    for square in G::BOARD {
        let (row, column) = symmetry(G::row(square), G::column(square));
        map[square.index()] = G::square_at(row, column).expect("a symmetry keeps playing squares").bit() as u8;
    }
    map
}

fn inverse(map: &Map) -> Map {
    let mut inverse = [0; 64];
    for (from, &to) in map.iter().enumerate() {
        inverse[usize::from(to)] = from as u8;
    }
    inverse
}

#[inline]
fn image(set: Bitboard, map: &Map) -> Bitboard {
    set.into_iter().map(|square| Square::from_bit(u32::from(map[square.index()]))).collect()
}
