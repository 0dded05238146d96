//! Values under the draw rules, at any count.
//!
//! A table of outcomes holds values for a fresh count. In the middle of a count the plies to its next reset decide: a
//! win with `c` plies counted is one that takes at most the plies of the rule less `c`. A capture is resolved by playing
//! it, with the count that it leaves: a fresh one, or one ply more where the count goes on, as in a rule for a class of
//! materials that a capture does not leave.

use crate::index::Material;
use crate::position::{Move, Position};
use crate::rules::{DrawRule, Rules, Undecided, deciding_rule};
use crate::tablebase::probe::{material_of, settled};
use crate::tablebase::{OpenTable, ProbeError, Tablebase};
use crate::value::{Dtr, Metric, Outcome, Wdl};

impl<R: Rules> Tablebase<R> {
    /// The value of `position` for its mover under the draw rules, with a fresh count, whatever position it is.
    ///
    /// # Errors
    /// [`ProbeError::NoOutcomes`], [`ProbeError::Undecided`] and [`ProbeError::Table`].
    pub fn outcome(&self, position: &Position<R>) -> Result<Outcome, ProbeError> {
        self.outcome_at(position, 0)
    }

    /// As [`Tablebase::outcome`], where the rule that decides has counted `count` plies.
    ///
    /// With a full count the game is drawn, unless the mover has lost already.
    ///
    /// # Errors
    /// As for [`Tablebase::outcome`], and [`ProbeError::Count`] where the rule does not count so far.
    pub fn outcome_at(&self, position: &Position<R>, count: u32) -> Result<Outcome, ProbeError> {
        let rule = self.deciding_rule(position)?;
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
        let outcome = self.counted_table(position, Metric::Outcome)?.outcome(position, &self.cache)?;
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
        let rule = self.deciding_rule(position)?;
        self.after(position, mv, rule, count)
    }

    /// How far the rule that decides after `mv` has counted, where that of `position` had counted `count` plies before it.
    ///
    /// # Errors
    /// As for [`Tablebase::deciding_rule`].
    pub fn count_after(&self, position: &Position<R>, mv: &Move, count: u32) -> Result<u32, ProbeError> {
        let rule = self.deciding_rule(position)?;
        Ok(counted(position, mv, &position.play(mv), rule, count))
    }

    /// A line of best play under the draw rules to the end of the game, where the rule that decides has counted `count`
    /// plies: the winner makes for the next reset that keeps the win, the loser puts it off. Empty unless one side wins.
    ///
    /// # Errors
    /// As for [`Tablebase::outcome_at`], for any position of the line.
    pub fn line_under_rules(&self, position: &Position<R>, count: u32) -> Result<Vec<Move>, ProbeError> {
        let (mut position, mut count, mut line) = (*position, count, Vec::new());
        let mut outcome = self.outcome_at(&position, count)?;
        while outcome.number().abs() == 2 && position.has_move() {
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
    /// [`ProbeError::Undecided`] and [`ProbeError::Table`].
    pub fn deciding_rule(&self, position: &Position<R>) -> Result<Option<&'static DrawRule>, ProbeError> {
        let Some(material) = material_of(position) else { return Ok(None) };
        if let Some(table) = self.table(material, Metric::Outcome)? {
            return Ok(table.rule());
        }
        rule_of::<R>(material)
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

    /// The value of a position whose mover must capture: that of the best capture.
    fn best_capture_outcome(
        &self,
        position: &Position<R>,
        rule: Option<&DrawRule>,
        count: u32,
    ) -> Result<Outcome, ProbeError> {
        let (mut best, mut missing) = (Outcome::Loss, None);
        for capture in position.captures() {
            match self.after(position, &capture, rule, count) {
                Ok(outcome) => best = best.max(outcome.negated()),
                Err(error @ ProbeError::NoOutcomes { .. }) => missing = missing.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        match missing {
            Some(error) if best != Outcome::Win => Err(error),
            _ => Ok(best),
        }
    }

    fn counted_table(&self, position: &Position<R>, metric: Metric) -> Result<&OpenTable<R>, ProbeError> {
        let material = material_of(position).expect("a game that goes on has pieces on both sides");
        match self.table(material, metric)? {
            Some(table) => Ok(table),
            None => {
                rule_of::<R>(material)?;
                Err(ProbeError::NoOutcomes { variant: R::NAME, material, metric })
            }
        }
    }
}

/// How far is counted at `after`, where `mv` leads, by the rule that decides there: one ply more where `rule`, which had
/// counted `count`, goes on; else nothing.
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

/// The draw rule that decides in `material`.
fn rule_of<R: Rules>(material: Material) -> Result<Option<&'static DrawRule>, ProbeError> {
    match deciding_rule::<R>(material.ours(), material.theirs()) {
        Ok(number) => Ok(number.map(|number| &R::DRAW_RULES[number])),
        Err(Undecided { sides, rules }) => {
            Err(ProbeError::Undecided { material, in_material: format!("{}v{}", sides[0], sides[1]), rules })
        }
    }
}
