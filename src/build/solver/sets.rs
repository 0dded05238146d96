//! Sets of like pieces as numbers, and the moves between sets of kings.
//!
//! Inside a block every set of kings has a number: its colexicographic rank over *all* squares, overlaps with other
//! pieces included, so that a word keeps its place when a man moves. Men have ranks over the squares they may stand
//! on. For every set of kings the quiet moves of each of its kings are listed once for a whole build, with the squares
//! on the way: a move is possible where none of them is occupied, and then it is so for every square of the running
//! piece that is not on the way.

use crate::board::{Bitboard, Direction, Geometry, KeptSet, Square, bit_of};
use crate::rules::Rules;

/// Most like pieces in a set.
pub const MOST_ALIKE: usize = 8;

/// The two sides of a pair of slices: the first moves up, the second down and has the running piece.
pub const SIDES: [usize; 2] = [0, 1];

/// One quiet king move between two sets of kings.
#[derive(Clone, Copy, Debug)]
pub struct KingMove<G: Geometry> {
    /// Squares that must be free: those passed and the one reached.
    pub path: G::Kept,
    /// The rank of the set after the move, and above it how many further entries of the list go on along the same line.
    next: u32,
}

/// Bits of a rank in a [`KingMove`]; a layout with more sets of kings is not possible, as their moves would be too many.
const RANK_BITS: u32 = 28;

impl<G: Geometry> KingMove<G> {
    /// The rank of the set after the move.
    #[inline(always)]
    #[must_use]
    pub fn next(&self) -> usize {
        (self.next & ((1 << RANK_BITS) - 1)) as usize
    }

    /// How many further entries of the list go on along the same line.
    #[inline(always)]
    #[must_use]
    pub fn beyond(&self) -> usize {
        (self.next >> RANK_BITS) as usize
    }
}

/// The moves from every set of `k` kings.
#[derive(Debug)]
struct KingMoves<G: Geometry> {
    /// Where the moves of set `i` start; one more entry than sets.
    starts: Vec<u32>,
    moves: Vec<KingMove<G>>,
}

/// Numbers and lists of sets on the board of `R`.
#[derive(Debug)]
pub struct Sets<R: Rules> {
    /// By size, the sets of kings in order of rank.
    kings: Vec<Vec<Bitboard>>,
    /// By size, the moves from them.
    moves: Vec<KingMoves<R::Geometry>>,
    rules: std::marker::PhantomData<R>,
}

/// Binomials `[n][k]` for `n <= 64`, `k <= MOST_ALIKE`, saturating at `u32::MAX`.
const BINOMIALS: [[u32; MOST_ALIKE + 1]; 65] = {
    let mut table = [[0u32; MOST_ALIKE + 1]; 65];
    let mut n = 0;
    while n <= 64 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST_ALIKE && n > 0 {
            table[n][k] = table[n - 1][k - 1].saturating_add(table[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    table
};

/// `n` choose `k`.
#[must_use]
pub fn binomial(n: u32, k: usize) -> usize {
    BINOMIALS[n as usize][k] as usize
}

/// By index of a piece in its set and square, what it adds to the rank.
type RankTable = [[u32; 64]; MOST_ALIKE];

const fn rank_table(squares: u32, ghost_every: u32, first_place: u32) -> RankTable {
    let mut table = [[0; 64]; MOST_ALIKE];
    let mut place = first_place;
    while place < squares {
        let bit = bit_of(place, ghost_every);
        let mut i = 0;
        while i < MOST_ALIKE {
            table[i][bit as usize] = BINOMIALS[(place - first_place) as usize][i + 1];
            i += 1;
        }
        place += 1;
    }
    table
}

/// The table with which sets on a board turned by half a turn are ranked as they stand, highest square first.
const fn turned(table: &RankTable, top: usize) -> RankTable {
    let mut turned = [[0; 64]; MOST_ALIKE];
    let mut i = 0;
    while i < MOST_ALIKE {
        let mut bit = 0;
        while bit <= top {
            turned[i][bit] = table[i][top - bit];
            bit += 1;
        }
        i += 1;
    }
    turned
}

struct Ranks<R>(std::marker::PhantomData<R>);

impl<R: Rules> Ranks<R> {
    const GHOST_EVERY: u32 = R::Geometry::ROW * R::Geometry::GHOST_AFTER;
    /// Ranks over all squares; men of the second side stand on the lowest of these.
    const ALL: &'static RankTable = &rank_table(R::Geometry::SQUARES, Self::GHOST_EVERY, 0);
    /// Ranks over the squares below the top row, for men of the first side.
    const BELOW_TOP: &'static RankTable = &rank_table(R::Geometry::SQUARES, Self::GHOST_EVERY, R::Geometry::ROW);
    const ALL_TURNED: &'static RankTable = &turned(Self::ALL, R::Geometry::TOP_BIT as usize);
    const BELOW_TOP_TURNED: &'static RankTable = &turned(Self::BELOW_TOP, R::Geometry::TOP_BIT as usize);
}

/// As [`rank_in`] of the set turned by half a turn, with a table that is turned: the lowest square comes last.
#[inline(always)]
fn rank_turned_in(table: &RankTable, set: Bitboard) -> usize {
    let (mut rank, mut i) = (0, set.len() as usize);
    for square in set {
        i -= 1;
        rank += table[i & (MOST_ALIKE - 1)][square.index()];
    }
    rank as usize
}

#[inline(always)]
fn rank_in(table: &RankTable, set: Bitboard) -> usize {
    let mut rank = 0;
    for (i, square) in set.into_iter().enumerate() {
        rank += table[i & (MOST_ALIKE - 1)][square.index()];
    }
    rank as usize
}

impl<R: Rules> Sets<R> {
    /// Lists the sets of up to `most` kings and their moves.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let kings: Vec<Vec<Bitboard>> = (0..=most).map(|k| subsets(R::Geometry::BOARD, k)).collect();
        let moves = kings.iter().map(|sets| king_moves::<R>(sets)).collect();
        Sets { kings, moves, rules: std::marker::PhantomData }
    }

    /// The sets of `k` kings, by rank.
    #[inline]
    #[must_use]
    pub fn kings(&self, k: usize) -> &[Bitboard] {
        &self.kings[k]
    }

    /// The quiet moves of the kings of the set of `k` kings with this rank, line by line from the nearest square.
    #[inline]
    #[must_use]
    pub fn king_moves(&self, k: usize, rank: usize) -> &[KingMove<R::Geometry>] {
        let moves = &self.moves[k];
        &moves.moves[moves.starts[rank] as usize..moves.starts[rank + 1] as usize]
    }

    /// The rank of a set of kings.
    #[inline(always)]
    #[must_use]
    pub fn rank_kings(set: Bitboard) -> usize {
        rank_in(Ranks::<R>::ALL, set)
    }

    /// The rank of a set of men of `side`.
    #[inline(always)]
    #[must_use]
    pub fn rank_men(side: usize, set: Bitboard) -> usize {
        rank_in(if side == 0 { Ranks::<R>::BELOW_TOP } else { Ranks::<R>::ALL }, set)
    }

    /// The rank of a set of kings, turned by half a turn.
    #[inline(always)]
    #[must_use]
    pub fn rank_kings_turned(set: Bitboard) -> usize {
        rank_turned_in(Ranks::<R>::ALL_TURNED, set)
    }

    /// The rank of a set of men that belong to `side` once the board is turned by half a turn.
    #[inline(always)]
    #[must_use]
    pub fn rank_men_turned(side: usize, set: Bitboard) -> usize {
        rank_turned_in(if side == 0 { Ranks::<R>::BELOW_TOP_TURNED } else { Ranks::<R>::ALL_TURNED }, set)
    }

    /// The squares on which men of `side` may stand.
    #[must_use]
    pub fn men_squares(side: usize) -> Bitboard {
        R::Geometry::BOARD.minus(Self::promotion_row(side))
    }

    /// The row on which men of `side` become kings.
    #[inline(always)]
    #[must_use]
    pub fn promotion_row(side: usize) -> Bitboard {
        if side == 0 { R::Geometry::TOP_ROW } else { R::Geometry::BOTTOM_ROW }
    }

    /// The sets of `k` squares of the board, by rank.
    #[must_use]
    pub fn subsets_of_board(k: usize) -> Vec<Bitboard> {
        subsets(R::Geometry::BOARD, k)
    }

    /// The sets of `m` men of `side`, by rank.
    #[must_use]
    pub fn men(side: usize, m: usize) -> Vec<Bitboard> {
        subsets(Self::men_squares(side), m)
    }

    /// The directions forward for `side`.
    #[inline(always)]
    pub fn forward(side: usize) -> impl Iterator<Item = Direction> {
        R::Geometry::FORWARD.iter().map(move |&d| if side == 0 { d } else { d.opposite() })
    }
}

/// The subsets of `within` with `k` squares, by colexicographic rank.
fn subsets(within: Bitboard, k: usize) -> Vec<Bitboard> {
    let squares: Vec<Square> = within.into_iter().collect();
    let mut sets = Vec::with_capacity(binomial(squares.len() as u32, k));
    let mut chosen: Vec<usize> = (0..k).collect();
    if k > squares.len() {
        return sets;
    }
    loop {
        sets.push(chosen.iter().map(|&i| squares[i]).collect());
        // The next set in colexicographic order moves the lowest piece that can move and gathers those below it.
        let Some(i) = (0..k).find(|&i| chosen[i] + 1 < if i + 1 < k { chosen[i + 1] } else { squares.len() }) else {
            return sets;
        };
        chosen[i] += 1;
        for (below, place) in chosen[..i].iter_mut().enumerate() {
            *place = below;
        }
    }
}

fn king_moves<R: Rules>(sets: &[Bitboard]) -> KingMoves<R::Geometry> {
    let mut list = KingMoves { starts: vec![0], moves: Vec::new() };
    for &set in sets {
        for king in set {
            let rest = set.minus(Bitboard::of(king));
            for d in Direction::ALL {
                let step = R::Geometry::step(d);
                let (first, mut path) = (list.moves.len(), Bitboard::EMPTY);
                let mut reached = step.apply(Bitboard::of(king)).minus(rest);
                while reached.any() {
                    path |= reached;
                    let next = Sets::<R>::rank_kings(rest | reached) as u32;
                    assert!(next >> RANK_BITS == 0, "a rank fits");
                    list.moves.push(KingMove { path: KeptSet::keep(path), next });
                    if !R::FLYING_KINGS {
                        break;
                    }
                    reached = step.apply(reached).minus(rest);
                }
                let end = list.moves.len();
                for (i, entry) in list.moves.iter_mut().enumerate().skip(first) {
                    entry.next |= ((end - i - 1) as u32) << RANK_BITS;
                }
            }
        }
        list.starts.push(list.moves.len() as u32);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International, Turkish};

    fn ranks_count_the_sets<R: Rules>() {
        for k in 0..=3 {
            for (rank, &set) in subsets(R::Geometry::BOARD, k).iter().enumerate() {
                assert_eq!(Sets::<R>::rank_kings(set), rank);
                assert_eq!(Sets::<R>::rank_kings_turned(R::Geometry::rotate(set)), rank);
            }
            for side in SIDES {
                for (rank, &set) in Sets::<R>::men(side, k).iter().enumerate() {
                    assert_eq!(Sets::<R>::rank_men(side, set), rank);
                    assert_eq!(Sets::<R>::rank_men_turned(side, R::Geometry::rotate(set)), rank);
                }
            }
        }
    }

    #[test]
    fn ranks_count_the_sets_on_every_board() {
        ranks_count_the_sets::<English>();
        ranks_count_the_sets::<International>();
        ranks_count_the_sets::<Turkish>();
    }
}
