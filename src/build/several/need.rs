//! How many plies the draw rules must have left for a win.
//!
//! A need is one number a rule, a byte each, so that all of them are compared at once. A staircase is a set of needs
//! none of which is within another, in order; mostly it is one.

use crate::position::MOST_RULES;

/// Plies that each draw rule must have left, by number of the rule; 0 for those that do not count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Need(u64);

/// The highest bit of every byte, which no number of plies reaches.
const TOPS: u64 = 0x8080_8080_8080_8080;
/// The most plies a rule may have: one more still leaves the highest bit free.
pub const MOST_PLIES: u32 = 126;

impl Need {
    /// No rule need have any ply left.
    pub const NOTHING: Need = Need(0);
    /// Stands for no need at all: it cannot be met.
    const NEVER: Need = Need(u64::MAX);

    /// The need of these plies, by number of the rule.
    #[must_use]
    pub fn new(plies: [u8; MOST_RULES]) -> Need {
        debug_assert!(plies.iter().all(|&plies| u32::from(plies) <= MOST_PLIES));
        Need(u64::from_le_bytes(plies))
    }

    /// A ply for each rule of a set.
    #[must_use]
    pub fn one_ply(rules: u8) -> Need {
        Need(u64::from_le_bytes(std::array::from_fn(|number| rules >> number & 1)))
    }

    /// Whether no rule must have more plies left than `other` has.
    #[inline(always)]
    #[must_use]
    pub const fn is_within(self, other: Need) -> bool {
        // A byte with its highest bit set, less one without: no borrow, and the bit stays where it is not less.
        ((other.0 | TOPS) - self.0) & TOPS == TOPS
    }

    /// For each rule the greater of the two.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: Need) -> Need {
        let not_less = (((other.0 | TOPS) - self.0) & TOPS) >> 7;
        let others = not_less * 0xff;
        Need(other.0 & others | self.0 & !others)
    }

    /// The need before a move: `counting` is a ply for each rule that counts there, and `goes_on` a mask of bytes,
    /// those of the rules whose count goes on.
    #[inline(always)]
    #[must_use]
    const fn before(self, goes_on: u64, counting: Need) -> Need {
        Need((self.0 & goes_on) + counting.0)
    }
}

/// The least needs with which a position is won, for whichever side wins it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Staircase {
    /// The first, or [`Need::NEVER`].
    first: Need,
    /// The others, where there are any.
    rest: Option<Box<[Need]>>,
}

impl Staircase {
    /// Not won at any count.
    pub const NEVER: Staircase = Staircase { first: Need::NEVER, rest: None };
    /// Won at any count, even a full one.
    pub const NOTHING: Staircase = Staircase { first: Need::NOTHING, rest: None };

    /// Whether it is won at no count.
    #[inline]
    #[must_use]
    pub fn is_never(&self) -> bool {
        self.first == Need::NEVER
    }

    /// Whether it is won where the rules have `left` plies left.
    #[must_use]
    pub fn is_met_by(&self, left: Need) -> bool {
        self.iter().any(|need| need.is_within(left))
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = Need> {
        let first = (!self.is_never()).then_some(self.first);
        first.into_iter().chain(self.rest.iter().flat_map(|rest| rest.iter().copied()))
    }
}

/// A staircase being put together.
#[derive(Clone, Debug, Default)]
pub struct Stairs {
    needs: Vec<Need>,
    /// The steps of the next one to be joined.
    others: Vec<Need>,
    /// The needs before.
    joined: Vec<Need>,
}

impl Stairs {
    /// Begins again with what is `given`.
    pub fn start(&mut self, given: &Staircase) {
        self.needs.clear();
        self.needs.extend(given.iter());
    }

    /// Whether it has no need.
    pub fn is_never(&self) -> bool {
        self.needs.is_empty()
    }

    /// A move of the winner to `after`: what it needs will do.
    #[inline]
    pub fn or(&mut self, after: &Staircase, before: &Before) {
        for need in after.iter() {
            before.add(&mut self.needs, need);
        }
    }

    /// A move of the loser to `after`: what it needs is needed too.
    #[inline]
    pub fn and(&mut self, after: &Staircase, before: &Before) {
        self.others.clear();
        for need in after.iter() {
            before.add(&mut self.others, need);
        }
        if let ([one], [other]) = (&mut *self.needs, &*self.others) {
            *one = one.and(*other);
            return;
        }
        std::mem::swap(&mut self.needs, &mut self.joined);
        self.needs.clear();
        for &one in &self.joined {
            for &other in &self.others {
                add(&mut self.needs, one.and(other));
            }
        }
    }

    /// The staircase.
    pub fn finish(&mut self) -> Staircase {
        self.needs.sort_unstable();
        match &*self.needs {
            [] => Staircase::NEVER,
            [first] => Staircase { first: *first, rest: None },
            [first, rest @ ..] => Staircase { first: *first, rest: Some(rest.into()) },
        }
    }
}

/// From what a position needs to what the one before a move needs.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    /// The bytes of the rules whose count goes on.
    pub goes_on: u64,
    /// A ply for each rule that counts before the move.
    pub counting: Need,
    /// What the rules have in all.
    pub limits: Need,
}

impl Before {
    /// Adds the need before the move, if the rules have as many plies.
    #[inline(always)]
    fn add(&self, needs: &mut Vec<Need>, after: Need) {
        let need = after.before(self.goes_on, self.counting);
        if need.is_within(self.limits) {
            add(needs, need);
        }
    }
}

/// Adds a need to a staircase.
#[inline]
fn add(needs: &mut Vec<Need>, need: Need) {
    if needs.iter().any(|&other| other.is_within(need)) {
        return;
    }
    needs.retain(|&other| !need.is_within(other));
    needs.push(need);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(plies: [u8; 3]) -> Need {
        let [a, b, c] = plies;
        Need::new([a, b, c, 0, 0, 0, 0, 126])
    }

    #[test]
    fn needs_are_compared_and_joined_number_by_number() {
        for (a, b) in [([1, 2, 3], [1, 3, 3]), ([0, 126, 5], [7, 0, 5]), ([9, 9, 9], [9, 9, 9]), ([4, 0, 0], [3, 9, 9])]
        {
            let is_within = a.iter().zip(&b).all(|(a, b)| a <= b);
            assert_eq!(need(a).is_within(need(b)), is_within, "{a:?} {b:?}");
            let greater = [0, 1, 2].map(|i| a[i].max(b[i]));
            assert_eq!(need(a).and(need(b)), need(greater), "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_staircase_keeps_the_least_needs_and_drops_what_is_beyond_the_rules() {
        let before =
            Before { goes_on: 0xffff, counting: Need::one_ply(0b11), limits: Need::new([9, 9, 0, 0, 0, 0, 0, 0]) };
        let of = |all: &[[u8; 2]]| {
            let mut stairs = Stairs::default();
            all.iter().for_each(|&[a, b]| add(&mut stairs.needs, Need::new([a, b, 0, 0, 0, 0, 0, 0])));
            stairs.finish()
        };
        let mut stairs = Stairs::default();
        stairs.start(&of(&[[2, 5]]));
        stairs.or(&of(&[[0, 8], [4, 4], [9, 0]]), &before);
        assert_eq!(stairs.finish(), of(&[[2, 5], [1, 9]]));
        stairs.and(&of(&[[1, 3], [0, 6]]), &before);
        assert_eq!(stairs.finish(), of(&[[2, 5], [1, 9]]));
        stairs.and(&of(&[[1, 9]]), &before);
        assert!(stairs.is_never() && stairs.finish().is_never());
    }
}
