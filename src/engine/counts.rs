//! The counts of the draw rules.
//!
//! Every rule of [`Rules::DRAW_RULES`] keeps a count of its own. After a move the count of a rule is
//!
//! ```text
//! 0              if the position is out of its scope, before the move or after it
//! 0              if the move resets it
//! one more       otherwise
//! ```
//!
//! So the move that enters the scope is not counted, a move from one material of the scope to another is, and leaving
//! the scope ends the count. A full count draws the game, unless the move that fills it has won.

use std::fmt;
use std::marker::PhantomData;

use crate::position::{MOST_RULES, Move, Position};
use crate::rules::{MoveKind, Rules};

/// How far each draw rule of the variant has counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DrawCounts<R> {
    /// Plies counted, by the number of the rule.
    counts: [u8; MOST_RULES],
    /// The rules whose materials are those of the position, a bit each.
    materials: u8,
    /// The rules in whose scope the position is, squares included, a bit each.
    scope: u8,
    rules: PhantomData<R>,
}

impl<R: Rules> DrawCounts<R> {
    const CHECKED: () = {
        let mut i = 0;
        while i < R::DRAW_RULES.len() {
            assert!(R::DRAW_RULES[i].plies < 256);
            i += 1;
        }
    };

    /// The counts at the beginning of a game in `position`.
    #[must_use]
    pub fn new(position: &Position<R>) -> Self {
        let () = Self::CHECKED;
        let materials = position.rules_of_material();
        let scope = position.rules_in_scope(materials);
        DrawCounts { counts: [0; MOST_RULES], materials, scope, rules: PhantomData }
    }

    /// The counts in the middle of a game in `position`, where the rules have counted `counts` plies, by number; those
    /// out of whose scope it is have counted none.
    #[must_use]
    pub fn with_counts(position: &Position<R>, counts: &[u32]) -> Self {
        let mut begun = Self::new(position);
        for (number, (rule, &count)) in R::DRAW_RULES.iter().zip(counts).enumerate() {
            if begun.scope >> number & 1 != 0 {
                begun.counts[number] = count.min(rule.plies) as u8;
            }
        }
        begun
    }

    /// The counts after `mv`, which leads from `before` to `after`.
    #[inline]
    #[must_use]
    pub fn after(&self, before: &Position<R>, mv: &Move, after: &Position<R>) -> Self {
        let kind = before.kind(mv);
        let changes = matches!(kind, MoveKind::Capture | MoveKind::Promotion);
        let materials = if changes { after.rules_of_material() } else { self.materials };
        let scope = after.rules_in_scope(materials);
        let running = self.scope & scope;
        let mut counts = [0; MOST_RULES];
        for (number, rule) in R::DRAW_RULES.iter().enumerate() {
            if running >> number & 1 != 0 && !rule.resets_on.is_reset_by(kind) {
                counts[number] = self.counts[number].saturating_add(1);
            }
        }
        DrawCounts { counts, materials, scope, rules: PhantomData }
    }

    /// The number in [`Rules::DRAW_RULES`] of the first rule whose count is full: it draws the game, unless the mover
    /// has lost already.
    #[inline]
    #[must_use]
    pub fn full(&self) -> Option<usize> {
        // In scope: a rule that allows no ply is full as soon as it counts.
        (0..R::DRAW_RULES.len()).find(|&number| {
            self.scope >> number & 1 != 0 && u32::from(self.counts[number]) >= R::DRAW_RULES[number].plies
        })
    }

    /// Plies counted by rule `number` of [`Rules::DRAW_RULES`]; 0 out of its scope.
    ///
    /// # Panics
    /// If there is no such rule.
    #[must_use]
    pub fn count(&self, number: usize) -> u32 {
        assert!(number < R::DRAW_RULES.len(), "no draw rule {number}");
        self.counts[number].into()
    }

    /// Whether no rule has counted a ply.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.counts == [0; MOST_RULES]
    }

    /// Plies left until the first count of a rule in scope is full, if nothing resets it; `u32::MAX` without one.
    #[inline]
    #[must_use]
    pub fn left(&self) -> u32 {
        let mut left = u32::MAX;
        for (number, rule) in R::DRAW_RULES.iter().enumerate() {
            if self.scope >> number & 1 != 0 {
                left = left.min(rule.plies.saturating_sub(self.counts[number].into()));
            }
        }
        left
    }
}

impl<R: Rules> fmt::Debug for DrawCounts<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = R::DRAW_RULES.iter().zip(self.counts).map(|(rule, count)| (rule.name, count));
        f.debug_map().entries(counts).finish()
    }
}
