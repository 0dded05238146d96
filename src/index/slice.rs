//! The numbers of the positions of one slice.

use std::marker::PhantomData;

use crate::board::{Bitboard, Geometry};
use crate::index::combination::{choose, first_set, next_set, rank_set, unrank_set};
use crate::index::order::Sequence;
use crate::index::symmetry::Leads;
use crate::index::{Material, MaterialError, Order, Rows};
use crate::position::Position;
use crate::rules::Rules;

/// The most pieces of a lead set: beyond, tables of the kept sets would be too large, and slots are ranks.
const MOST_LEADING: u32 = 5;

/// The numbering of the positions of one slice: *ranks* of all of them, and *slots* of those that are stored.
///
/// Both are defined in [the module's text](crate::index). Ranks have a closed form; slots leave out what a symmetry of
/// the board gives, and are ranks wherever there is none.
///
/// # Examples
/// ```
/// use endame::index::Indexer;
/// use endame::rules::International;
/// let indexer = Indexer::<International>::new("KKKKvKKKK".parse()?);
/// assert_eq!(indexer.placements(), 37_581_505_500);
/// let position = indexer.unrank(1 << 32);
/// assert_eq!(indexer.rank(&position), 1 << 32);
/// # Ok::<(), endame::index::MaterialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Indexer<R> {
    pub(super) material: Material,
    pub(super) order: Order,
    pub(super) sequence: Sequence,
    /// By the number of our men on our home row.
    pub(super) groups: Vec<Group>,
    pub(super) lead: Lead,
    their_king_sets: u64,
    our_king_sets: u64,
    placements: u64,
    slots: u64,
    rules: PhantomData<R>,
}

/// The positions with the same number of our men on our home row.
#[derive(Clone, Debug)]
pub(super) struct Group {
    first_rank: u64,
    pub(super) first_slot: u64,
    inner_sets: u64,
    their_men_sets: u64,
    /// How many positions share a lead set.
    tail: u64,
    pub(super) leads: Option<Leads>,
}

/// The pieces whose set symmetries reduce.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lead {
    None,
    OurMen,
    TheirMen,
    TheirKings,
}

impl<R: Rules> Indexer<R> {
    /// The squares of our men on our home row.
    pub(super) const HOME: Bitboard = R::Geometry::BOTTOM_ROW;
    /// The squares of our other men: the rows strictly between top and bottom.
    pub(super) const INNER: Bitboard = R::Geometry::BOARD.minus(R::Geometry::TOP_ROW).minus(R::Geometry::BOTTOM_ROW);
    /// The squares of their men.
    pub(super) const THEIR_PLACES: Bitboard = R::Geometry::BOARD.minus(R::Geometry::BOTTOM_ROW);

    /// The numbering of the slice of `material`, in the order that new tables use.
    ///
    /// # Panics
    /// If a side has more pieces than at the start, or the slice has 2^64 positions or more: see
    /// [`Indexer::with_order`].
    #[must_use]
    pub fn new(material: Material) -> Self {
        Self::with_order(material, Order::of::<R>()).expect("the material was checked before it is numbered")
    }

    /// The numbering of the slice of `material` with squares in `order`.
    ///
    /// Takes time and memory only where a symmetry is used: at most 40 MB, for five kings a side on the Turkish board.
    ///
    /// # Errors
    /// [`MaterialError::TooManyPieces`], and [`MaterialError::TooLarge`] where the ranks do not fit 64 bits.
    pub fn with_order(material: Material, order: Order) -> Result<Self, MaterialError> {
        let placements = Self::count_placements(material)?;
        let (ours, theirs) = (material.ours(), material.theirs());
        let free = R::Geometry::SQUARES - material.men();
        let mut indexer = Indexer {
            material,
            order,
            sequence: order.sequence::<R::Geometry>(),
            groups: Vec::new(),
            lead: Self::lead_of(material),
            their_king_sets: choose(free, theirs.kings),
            our_king_sets: choose(free - theirs.kings, ours.kings),
            placements,
            slots: 0,
            rules: PhantomData,
        };
        let (mut first_rank, mut first_slot) = (0, 0);
        for home in 0..=ours.men.min(R::Geometry::ROW) {
            let (sets, their_men_sets) = Self::men_sets(material, home);
            let kings = indexer.their_king_sets * indexer.our_king_sets;
            let tail = match indexer.lead {
                Lead::None | Lead::OurMen => their_men_sets * kings,
                Lead::TheirMen => kings,
                Lead::TheirKings => indexer.our_king_sets,
            };
            let leads = indexer.leads_of_group(home, sets * their_men_sets * kings / tail);
            let size = sets * their_men_sets * kings;
            let group_slots = leads.as_ref().map_or(size, |leads| leads.len() * tail);
            let inner_sets = choose(Self::INNER.len(), ours.men - home);
            indexer.groups.push(Group { first_rank, first_slot, inner_sets, their_men_sets, tail, leads });
            first_rank += size;
            first_slot += group_slots;
        }
        debug_assert_eq!(first_rank, placements);
        indexer.slots = first_slot;
        Ok(indexer)
    }

    /// The number of positions of the slice of `material`, by formula.
    ///
    /// # Errors
    /// As [`Indexer::with_order`].
    pub fn count_placements(material: Material) -> Result<u64, MaterialError> {
        material.check::<R>()?;
        let (ours, theirs) = (material.ours(), material.theirs());
        let free = R::Geometry::SQUARES - material.men();
        let count = || {
            let their_kings = choose(free, theirs.kings);
            let kings = their_kings.checked_mul(choose(free - theirs.kings, ours.kings))?;
            (0..=ours.men.min(R::Geometry::ROW)).try_fold(0u64, |sum, home| {
                let (our_men, their_men) = Self::men_sets(material, home);
                sum.checked_add(our_men.checked_mul(their_men)?.checked_mul(kings)?)
            })
        };
        count().ok_or(MaterialError::TooLarge(material))
    }

    /// The numbers of sets of our men with `home` of them on our home row, and of sets of their men for each.
    fn men_sets(material: Material, home: u32) -> (u64, u64) {
        let inner = material.ours().men - home;
        let our_sets = choose(R::Geometry::ROW, home) * choose(Self::INNER.len(), inner);
        (our_sets, choose(Self::THEIR_PLACES.len() - inner, material.theirs().men))
    }

    fn lead_of(material: Material) -> Lead {
        let (ours, theirs) = (material.ours(), material.theirs());
        let (lead, pieces) = match (ours.men, theirs.men) {
            (0, 0) => (Lead::TheirKings, theirs.kings),
            _ if R::Geometry::MIRROR.is_none() => return Lead::None,
            (0, men) => (Lead::TheirMen, men),
            (men, _) => (Lead::OurMen, men),
        };
        if pieces <= MOST_LEADING { lead } else { Lead::None }
    }

    /// The kept lead sets of the group with `home` of our men on our home row, out of `count`.
    fn leads_of_group(&self, home: u32, count: u64) -> Option<Leads> {
        let (ours, theirs) = (self.material.ours(), self.material.theirs());
        let mirror = R::Geometry::MIRROR;
        let rank_in = |free: Bitboard| move |set| rank_set(set, free, self.sequence);
        match self.lead {
            Lead::None => None,
            Lead::TheirKings => {
                let board = R::Geometry::BOARD;
                let all = self.sets(theirs.kings, board);
                Some(Leads::new::<R::Geometry>(R::Geometry::SYMMETRIES, all, rank_in(board), count))
            }
            Lead::TheirMen => {
                let all = self.sets(theirs.men, Self::THEIR_PLACES);
                Some(Leads::new::<R::Geometry>(mirror.as_slice(), all, rank_in(Self::THEIR_PLACES), count))
            }
            Lead::OurMen => {
                let inner_sets = choose(Self::INNER.len(), ours.men - home);
                let all = self
                    .sets(home, Self::HOME)
                    .flat_map(|at_home| self.sets(ours.men - home, Self::INNER).map(move |inner| at_home | inner));
                let rank = |men| self.rank_our_men(men, inner_sets);
                Some(Leads::new::<R::Geometry>(mirror.as_slice(), all, rank, count))
            }
        }
    }

    /// All sets of `count` squares of `free`, in order of rank.
    fn sets(&self, count: u32, free: Bitboard) -> impl Iterator<Item = Bitboard> {
        let (sequence, free) = (self.sequence, self.sequence.key(free));
        std::iter::successors(Some(first_set(free, count)), move |&set| next_set(set, free))
            .map(move |key| sequence.set(key))
    }

    /// The material of the slice.
    #[must_use]
    pub const fn material(&self) -> Material {
        self.material
    }

    /// The order of the squares.
    #[must_use]
    pub const fn order(&self) -> Order {
        self.order
    }

    /// The number of positions of the slice; at least 1.
    #[must_use]
    pub const fn placements(&self) -> u64 {
        self.placements
    }

    /// The number of positions that are stored: at most [`Indexer::placements`].
    #[must_use]
    pub const fn slots(&self) -> u64 {
        self.slots
    }

    /// The number of `position` among all positions of the slice, in `0..placements()`.
    ///
    /// # Panics
    /// In debug builds, if the material of `position` is not that of the slice.
    #[inline]
    #[must_use]
    pub fn rank(&self, position: &Position<R>) -> u64 {
        debug_assert_eq!(position.sides(), (self.material.ours(), self.material.theirs()), "material of another slice");
        let (our_men, their_men, their_kings) = (position.our_men(), position.their_men(), position.their_kings());
        let group = &self.groups[(our_men & Self::HOME).len() as usize];
        let free = R::Geometry::BOARD.minus(our_men | their_men);
        let men = self.rank_our_men(our_men, group.inner_sets) * group.their_men_sets
            + rank_set(their_men, Self::THEIR_PLACES.minus(our_men), self.sequence);
        let with_theirs = men * self.their_king_sets + rank_set(their_kings, free, self.sequence);
        let our_kings = rank_set(position.our_kings(), free.minus(their_kings), self.sequence);
        group.first_rank + with_theirs * self.our_king_sets + our_kings
    }

    /// The position whose rank is `rank`: the inverse of [`Indexer::rank`].
    ///
    /// # Panics
    /// If `rank` is not in `0..placements()`.
    #[must_use]
    pub fn unrank(&self, rank: u64) -> Position<R> {
        assert!(rank < self.placements, "rank {rank} of {} placements", self.placements);
        let (ours, theirs) = (self.material.ours(), self.material.theirs());
        let home = self.groups.partition_point(|group| group.first_rank <= rank) - 1;
        let group = &self.groups[home];
        let mut rest = rank - group.first_rank;
        let mut digit = |size: u64| {
            let digit = rest % size;
            rest /= size;
            digit
        };
        let our_kings = digit(self.our_king_sets);
        let their_kings = digit(self.their_king_sets);
        let their_men = digit(group.their_men_sets);
        let inner = digit(group.inner_sets);
        let our_men = unrank_set(rest, home as u32, Self::HOME, self.sequence)
            | unrank_set(inner, ours.men - home as u32, Self::INNER, self.sequence);
        let their_men = unrank_set(their_men, theirs.men, Self::THEIR_PLACES.minus(our_men), self.sequence);
        let free = R::Geometry::BOARD.minus(our_men | their_men);
        let their_kings = unrank_set(their_kings, theirs.kings, free, self.sequence);
        let our_kings = unrank_set(our_kings, ours.kings, free.minus(their_kings), self.sequence);
        Position::from_sets(our_men | our_kings, their_men | their_kings, our_kings | their_kings)
    }

    /// The number under which `position`, or an image of it, is stored, in `0..slots()`.
    ///
    /// # Panics
    /// In debug builds, if the material of `position` is not that of the slice.
    #[inline]
    #[must_use]
    pub fn slot(&self, position: &Position<R>) -> u64 {
        let group = &self.groups[(position.our_men() & Self::HOME).len() as usize];
        let Some(leads) = &group.leads else { return self.rank(position) };
        let (ordinal, symmetry) = leads.find(self.rank_lead(position, group));
        let rank = if symmetry == 0 { self.rank(position) } else { self.rank(&leads.map(position, symmetry)) };
        let in_lead = rank - group.first_rank - leads.rank(ordinal) * group.tail;
        group.first_slot + ordinal * group.tail + in_lead
    }

    /// The position stored in `slot`: `self.slot(&self.from_slot(slot)) == slot`.
    ///
    /// # Panics
    /// If `slot` is not in `0..slots()`.
    #[must_use]
    pub fn from_slot(&self, slot: u64) -> Position<R> {
        assert!(slot < self.slots, "slot {slot} of {}", self.slots);
        let group = &self.groups[self.groups.partition_point(|group| group.first_slot <= slot) - 1];
        let in_group = slot - group.first_slot;
        self.unrank(match &group.leads {
            None => slot,
            Some(leads) => group.first_rank + leads.rank(in_group / group.tail) * group.tail + in_group % group.tail,
        })
    }

    /// The rows of the slice from the one that holds `slot` to the last.
    ///
    /// # Panics
    /// If `slot` is not in `0..slots()`.
    #[must_use]
    pub fn rows_from(&self, slot: u64) -> Rows<'_, R> {
        Rows::new(self, slot)
    }

    #[inline]
    fn rank_our_men(&self, men: Bitboard, inner_sets: u64) -> u64 {
        rank_set(men & Self::HOME, Self::HOME, self.sequence) * inner_sets
            + rank_set(men & Self::INNER, Self::INNER, self.sequence)
    }

    /// The rank of the lead set of `position` within its group.
    #[inline]
    pub(super) fn rank_lead(&self, position: &Position<R>, group: &Group) -> u64 {
        match self.lead {
            Lead::None => 0,
            Lead::OurMen => self.rank_our_men(position.our_men(), group.inner_sets),
            Lead::TheirMen => rank_set(position.their_men(), Self::THEIR_PLACES, self.sequence),
            Lead::TheirKings => rank_set(position.their_kings(), R::Geometry::BOARD, self.sequence),
        }
    }
}
