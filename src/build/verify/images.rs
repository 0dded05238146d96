//! The placements that share the slots of a row.
//!
//! Where symmetries make positions alike a table stores one of them. All others are images of it, and which they are
//! depends on the lead set alone: see "From position to slot" in FORMAT.md.

use std::marker::PhantomData;

use crate::board::{Bitboard, Geometry, Square, Symmetry};
use crate::index::{Indexer, Row};
use crate::rules::Rules;

/// A map of squares, by bit.
pub type Map = [u8; 64];

/// The maps from the kept placements of a slice to all that share their slots, seen by the other side.
#[derive(Debug)]
pub struct Images<R> {
    /// The inverses of the symmetries of the slice but for the identity, in their order.
    inverses: Vec<Map>,
    /// The half turn, and each of the inverses followed by it.
    turned: Vec<Map>,
    /// The lead of the last row, and the numbers in `turned` of its images.
    lead: Bitboard,
    needed: Vec<usize>,
    rules: PhantomData<R>,
}

impl<R: Rules> Images<R> {
    /// The images of the rows of a slice.
    pub fn new(indexer: &Indexer<R>) -> Self {
        let symmetries: Vec<Symmetry> = match (indexer.slots() == indexer.placements(), indexer.material().men()) {
            (true, _) => Vec::new(),
            (false, 0) => R::Geometry::SYMMETRIES.to_vec(),
            (false, _) => R::Geometry::MIRROR.into_iter().collect(),
        };
        let inverses: Vec<Map> = symmetries.into_iter().map(inverse::<R::Geometry>).collect();
        let mut half_turn = [0; 64];
        for square in R::Geometry::BOARD {
            half_turn[square.index()] = R::Geometry::rotate(Bitboard::of(square)).first().bit() as u8;
        }
        let then_turned = |map: &Map| map.map(|to| half_turn[usize::from(to)]);
        let turned = std::iter::once(half_turn).chain(inverses.iter().map(then_turned)).collect();
        Images { inverses, turned, lead: Bitboard::EMPTY, needed: vec![0], rules: PhantomData }
    }

    /// The maps that take the positions of `row`, and their images with the same slots, to the view of the other side.
    #[inline]
    pub fn of(&mut self, row: &Row) -> impl Iterator<Item = &Map> {
        let lead = lead_of(row);
        if !self.inverses.is_empty() && lead != self.lead {
            self.lead = lead;
            self.needed.truncate(1);
            // A position is stored by the first symmetry that takes its lead to the kept one.
            let mut seen = vec![lead];
            for (number, map) in self.inverses.iter().enumerate() {
                let image = image(lead, map);
                if !seen.contains(&image) {
                    seen.push(image);
                    self.needed.push(number + 1);
                }
            }
        }
        self.needed.iter().map(|&number| &self.turned[number])
    }
}

/// The set that symmetries are taken of: see "From position to slot" in FORMAT.md.
pub fn lead_of(row: &Row) -> Bitboard {
    if row.our_men.any() {
        row.our_men
    } else if row.their_men.any() {
        row.their_men
    } else {
        row.their_kings
    }
}

/// The map that leads back from what a symmetry gives.
fn inverse<G: Geometry>(symmetry: Symmetry) -> Map {
    let mut inverse = [0; 64];
    for square in G::BOARD {
        let (row, column) = symmetry(G::row(square), G::column(square));
        let image = G::square_at(row, column).expect("a symmetry keeps playing squares");
        inverse[image.index()] = square.bit() as u8;
    }
    inverse
}

/// The squares of a set mapped.
#[inline]
pub fn image(set: Bitboard, map: &Map) -> Bitboard {
    set.into_iter().map(|square| Square::from_bit(u32::from(map[square.index()]))).collect()
}
