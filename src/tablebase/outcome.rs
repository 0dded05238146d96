//! Values under the draw rules, at any count.
//!
//! A table of outcomes holds values for a fresh count. In the middle of a count the plies to its next reset decide: a
//! win with `c` plies counted is one that takes at most the plies of the rule less `c`. A capture is resolved by
//! playing it, with the count that it leaves: a fresh one, or one ply more where the count goes on, as in a rule for a
//! class of materials that a capture does not leave.
//!
//! Where several counts run at once there are no distances. Then values are known for fresh counts, and at any count
//! where no side wins with fresh ones: plies counted never make a win of a draw.

use crate::position::{Move, Position};
use crate::rules::{DrawRule, Rules, Undecided, deciding_rule};
use crate::tablebase::probe::{material_of, settled};
use crate::tablebase::{OpenTable, ProbeError, Tablebase};
use crate::value::{Dtr, Metric, Outcome, Wdl};

impl<R: Rules> Tablebase<R> {
    /// The value of `position` for its mover under the draw rules, with a fresh count, whatever position it is.
    ///
    /// # Errors
    /// [`ProbeError::NoOutcomes`], [`ProbeError::Table`], and [`ProbeError::SeveralCounts`] where a capture is due that
    /// carries a count on.
    pub fn outcome(&self, position: &Position<R>) -> Result<Outcome, ProbeError> {
        self.outcome_at(position, 0)
    }

    /// As [`Tablebase::outcome`], where the rule that decides has counted `count` plies; where none decides alone,
    /// every rule that counts.
    ///
    /// With a full count the game is drawn, unless the mover has lost already.
    ///
    /// # Errors
    /// As for [`Tablebase::outcome`], [`ProbeError::Count`] where the rule does not count so far, and
    /// [`ProbeError::SeveralCounts`] where none decides alone and the tables do not say.
    pub fn outcome_at(&self, position: &Position<R>, count: u32) -> Result<Outcome, ProbeError> {
        let rule = match self.deciding_rule(position) {
            Err(error @ ProbeError::SeveralCounts { .. }) => {
                let has_begun = count > 0 && position.has_move();
                return self.undecided_outcome(position).and_then(|fresh| at_most(fresh, has_begun, error));
            }
            rule => rule?,
        };
        if count > rule.map_or(0, |rule| rule.plies) {
            return Err(ProbeError::Count { count, rule: rule.map(|rule| (rule.name, rule.plies)) });
        }
        if rule.is_some_and(|rule| count == rule.plies) && position.has_move() {
            return self.outcome_at(position, 0).map(Outcome::drawn_by_count);
        }
        if position.must_capture() {
            return self.best_capture_outcome(position, rule, count);
        }
        if let Some(value) = settled(position) {
            return Ok(if value.wdl == Wdl::Win { Outcome::Win } else { Outcome::Loss });
        }
        let outcome = self.stored_outcome(position)?;
        match rule {
            Some(rule) if count > 0 && outcome.number().abs() == 2 => {
                let dtr = self.counted_table(position, Metric::Dtr)?.dtr(position, &self.cache)?;
                let is_in_time = dtr.is_some_and(|dtr| u32::from(dtr.plies) + count <= rule.plies);
                Ok(if is_in_time { outcome } else { outcome.drawn_by_count() })
            }
            _ => Ok(outcome),
        }
    }

    /// The value, for the opponent, of the position after `mv`, where the rule that decides had counted `count` plies
    /// before it.
    ///
    /// # Errors
    /// As for [`Tablebase::outcome_at`].
    pub fn outcome_after(&self, position: &Position<R>, mv: &Move, count: u32) -> Result<Outcome, ProbeError> {
        match self.deciding_rule(position) {
            Err(error @ ProbeError::SeveralCounts { .. }) if count > 0 => Err(error),
            Err(ProbeError::SeveralCounts { .. }) => self.after_undecided(position, mv),
            rule => self.after(position, mv, rule?, count),
        }
    }

    /// How far the rule that decides after `mv` has counted, where that of `position` had counted `count` plies before
    /// it.
    ///
    /// # Errors
    /// As for [`Tablebase::deciding_rule`].
    pub fn count_after(&self, position: &Position<R>, mv: &Move, count: u32) -> Result<u32, ProbeError> {
        let rule = self.deciding_rule(position)?;
        Ok(counted(position, mv, &position.play(mv), rule, count))
    }

    /// A line of best play under the draw rules to the end of the game, where the rule that decides has counted `count`
    /// plies: the winner makes for the next reset that keeps the win, the loser puts it off. Empty unless one side
    /// wins; it ends early where several counts run at once.
    ///
    /// # Errors
    /// As for [`Tablebase::outcome_at`], for any position of the line.
    pub fn line_under_rules(&self, position: &Position<R>, count: u32) -> Result<Vec<Move>, ProbeError> {
        let (mut position, mut count, mut line) = (*position, count, Vec::new());
        let mut outcome = self.outcome_at(&position, count)?;
        while outcome.number().abs() == 2 && position.has_move() {
            if matches!(self.deciding_rule(&position), Err(ProbeError::SeveralCounts { .. })) {
                break;
            }
            let mut best: Option<(u32, Move, Position<R>, u32)> = None;
            let mut moves = position.moves();
            moves.sort_unstable_by_key(|mv| (mv.from, mv.to, mv.captured));
            for mv in moves {
                let (after, counted) = (position.play(&mv), self.count_after(&position, &mv, count)?);
                if self.outcome_at(&after, counted)? != outcome.negated() {
                    continue;
                }
                // Plies to the next reset: 1 for a move that resets.
                let plies = match counted {
                    0 => 1,
                    _ => self.dtr(&after)?.map_or(1, |dtr| 1 + u32::from(dtr.plies)),
                };
                let wins = outcome == Outcome::Win;
                if best.is_none_or(|(least, ..)| if wins { plies < least } else { plies > least }) {
                    best = Some((plies, mv, after, counted));
                }
            }
            let Some((_, mv, after, counted)) = best else { break };
            line.push(mv);
            (position, count, outcome) = (after, counted, outcome.negated());
        }
        Ok(line)
    }

    /// The plies to the next reset of the count, with a fresh one; `None` where neither side wins under the rules, and
    /// where no rule counts.
    ///
    /// # Errors
    /// As for [`Tablebase::outcome`].
    pub fn dtr(&self, position: &Position<R>) -> Result<Option<Dtr>, ProbeError> {
        let Some(rule) = self.deciding_rule(position)? else { return Ok(None) };
        let fresh = self.outcome(position)?;
        if fresh.number().abs() < 2 {
            return Ok(None);
        }
        let wins = fresh == Outcome::Win;
        if !position.has_move() {
            return Ok(Some(Dtr { wins, plies: 0 }));
        }
        if !position.must_capture() {
            return self.counted_table(position, Metric::Dtr)?.dtr(position, &self.cache);
        }
        // The greatest count with which the same side still wins.
        for count in (0..rule.plies).rev() {
            if self.outcome_at(position, count)? == fresh {
                return Ok(Some(Dtr { wins, plies: (rule.plies - count) as u16 }));
            }
        }
        Ok(None)
    }

    /// The draw rule that decides in the material of `position`; `None` where no rule counts, and where a side has no
    /// piece.
    ///
    /// # Errors
    /// [`ProbeError::SeveralCounts`] and [`ProbeError::Table`].
    pub fn deciding_rule(&self, position: &Position<R>) -> Result<Option<&'static DrawRule>, ProbeError> {
        let Some(material) = material_of(position) else { return Ok(None) };
        let several = |undecided: &Undecided| ProbeError::SeveralCounts { material, rules: undecided.rules.clone() };
        if let Some(table) = self.table(material, Metric::Outcome)? {
            return table.rule().map_err(several);
        }
        let number = deciding_rule::<R>(material.ours(), material.theirs()).map_err(|undecided| several(&undecided))?;
        Ok(number.map(|number| &R::DRAW_RULES[number]))
    }

    fn after(
        &self,
        position: &Position<R>,
        mv: &Move,
        rule: Option<&DrawRule>,
        count: u32,
    ) -> Result<Outcome, ProbeError> {
        let after = position.play(mv);
        self.outcome_at(&after, counted(position, mv, &after, rule, count))
    }

    /// The value of a position in whose material no rule decides alone, with fresh counts.
    fn undecided_outcome(&self, position: &Position<R>) -> Result<Outcome, ProbeError> {
        if position.must_capture() {
            return best_of(position.captures(), |capture| self.after_undecided(position, capture));
        }
        match settled(position) {
            Some(value) => Ok(if value.wdl == Wdl::Win { Outcome::Win } else { Outcome::Loss }),
            None => self.stored_outcome(position),
        }
    }

    /// The value after a move from a position with fresh counts in whose material no rule decides alone.
    fn after_undecided(&self, position: &Position<R>, mv: &Move) -> Result<Outcome, ProbeError> {
        let after = position.play(mv);
        let scope = |position: &Position<R>| position.rules_in_scope(position.rules_of_material());
        let (kind, running) = (position.kind(mv), scope(position) & scope(&after));
        let is_carried =
            |(number, rule): (usize, &DrawRule)| running >> number & 1 != 0 && !rule.resets_on.is_reset_by(kind);
        let (fresh, Some(material)) = (self.outcome(&after)?, material_of(&after)) else { return self.outcome(&after) };
        let carried: Vec<&DrawRule> =
            R::DRAW_RULES.iter().enumerate().filter(|&pair| is_carried(pair)).map(|pair| pair.1).collect();
        let rules = carried.iter().map(|rule| rule.name).collect();
        at_most(fresh, !carried.is_empty() && after.has_move(), ProbeError::SeveralCounts { material, rules })
    }

    fn stored_outcome(&self, position: &Position<R>) -> Result<Outcome, ProbeError> {
        self.counted_table(position, Metric::Outcome)?.outcome(position, &self.cache)
    }

    /// The value of a position whose mover must capture: that of the best capture.
    fn best_capture_outcome(
        &self,
        position: &Position<R>,
        rule: Option<&DrawRule>,
        count: u32,
    ) -> Result<Outcome, ProbeError> {
        best_of(position.captures(), |capture| self.after(position, capture, rule, count))
    }

    fn counted_table(&self, position: &Position<R>, metric: Metric) -> Result<&OpenTable<R>, ProbeError> {
        let material = material_of(position).expect("a game that goes on has pieces on both sides");
        match self.table(material, metric)? {
            Some(table) => Ok(table),
            None => Err(ProbeError::NoOutcomes { variant: R::NAME, material, metric }),
        }
    }
}

/// How far is counted at `after`, where `mv` leads, by the rule that decides there: one ply more where `rule`, which
/// had counted `count`, goes on; else nothing.
fn counted<R: Rules>(
    position: &Position<R>,
    mv: &Move,
    after: &Position<R>,
    rule: Option<&DrawRule>,
    count: u32,
) -> u32 {
    let goes_on =
        |rule: &&DrawRule| material_of(after).is_some_and(|m| rule.goes_on(position.kind(mv), m.ours(), m.theirs()));
    // A game whose count was full before the move was over.
    rule.filter(goes_on).map_or(0, |rule| (count + 1).min(rule.plies))
}

/// The value where counts may have begun before: that of fresh ones, unless somebody wins then.
fn at_most(fresh: Outcome, has_begun: bool, unknown: ProbeError) -> Result<Outcome, ProbeError> {
    if has_begun && fresh.number().abs() == 2 { Err(unknown) } else { Ok(fresh) }
}

/// The value of a position from that after each of its captures, which are seen by the opponent.
fn best_of(captures: Vec<Move>, after: impl Fn(&Move) -> Result<Outcome, ProbeError>) -> Result<Outcome, ProbeError> {
    let (mut best, mut unknown) = (Outcome::Loss, None);
    for capture in captures {
        match after(&capture) {
            Ok(outcome) => best = best.max(outcome.negated()),
            Err(error @ (ProbeError::NoOutcomes { .. } | ProbeError::SeveralCounts { .. })) => {
                unknown = unknown.or(Some(error));
            }
            Err(error) => return Err(error),
        }
    }
    match unknown {
        Some(error) if best != Outcome::Win => Err(error),
        _ => Ok(best),
    }
}
