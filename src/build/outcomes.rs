//! Building outcomes: who wins under the draw rules, and how soon a count is reset.
//!
//! A material is solved with the plies to the next reset as its distance, and what takes more plies than the rule
//! allows is drawn: `solver::Timing::ToReset`. What a conversion leads to is judged by its outcome. Beside that it
//! takes the values of the board, to tell a cursed win from a draw. Both come from one solution as long as no count has
//! changed a value in what the material leads to: it is solved without a limit, and if nothing is beyond the limit, the
//! board and the rules agree. Otherwise there are two solutions.
//!
//! Where several counts run at once, `several` solves under the rules, after the board; such a material has no
//! distances.

use std::sync::Arc;
use std::time::Duration;

use crate::build::plan::{LeftOut, Step};
use crate::build::several::{self, Known, Needs};
use crate::build::solver::lanes::Narrow;
use crate::build::solver::library::{Finished, Library};
use crate::build::solver::sets::Sets;
use crate::build::solver::watch::{Spent, Watch};
use crate::build::solver::{Keep, Timing, Unsolved, solve};
use crate::build::{BuildError, Plan, Progress, Todo};
use crate::index::Material;
use crate::rules::{DrawRule, Rules, deciding_rule};
use crate::value::Metric;

/// The distances of outcomes. They are no longer than a count.
type Plies<R> = Narrow<<R as Rules>::Geometry>;

/// A limit beyond this does not fit the distances.
const LONGEST_COUNT: u32 = 250;

/// A pair of slices with counts ignored, and under the rules.
type Both<R> = (Finished<R, ()>, Finished<R, Plies<R>>);

/// The tables that a build with `metric` makes of `material`: outcomes bring their distances where a single rule
/// decides.
pub(super) fn files<R: Rules>(metric: Metric, material: Material) -> &'static [Metric] {
    match metric {
        Metric::Wdl => &[Metric::Wdl],
        Metric::Dtw => &[Metric::Dtw],
        Metric::Dtc => &[Metric::Dtc],
        Metric::Outcome | Metric::Dtr if rule_of::<R>(material).is_some() => &[Metric::Outcome, Metric::Dtr],
        Metric::Outcome | Metric::Dtr => &[Metric::Outcome],
    }
}

/// Says once which materials have no outcomes, and why.
pub(super) fn tell_left_out(left_out: &[LeftOut], progress: &dyn Progress) {
    let Some(LeftOut { too_large, rules, .. }) = left_out.first() else { return };
    let names: Vec<String> = left_out.iter().map(|left| left.material.to_string()).collect();
    progress.note(&format!(
        "no outcomes of {}: they are, or lead to, materials that are too large for several counts at once, such as {} ({})",
        names.join(", "),
        too_large,
        rules.join(" and "),
    ));
}

/// The rule that decides in a material, if a single one does.
fn rule_of<R: Rules>(material: Material) -> Option<&'static DrawRule> {
    let number = deciding_rule::<R>(material.ours(), material.theirs()).ok().flatten();
    let rule = number.map(|number| &R::DRAW_RULES[number]);
    assert!(rule.is_none_or(|rule| rule.plies <= LONGEST_COUNT), "counts are 0 to 250 plies");
    rule
}

impl Todo<'_> {
    /// Solves and writes outcomes and their distances.
    pub(super) fn run_outcomes<R: Rules>(&self) -> Result<(), BuildError> {
        let sets = Sets::<R>::new(Plan::most_fixed_kings(&self.plan.steps));
        let (mut board, mut counted) = (Library::<R, ()>::default(), Library::<R, Plies<R>>::default());
        let mut needs: Vec<Arc<Needs<R>>> = Vec::new();
        // Materials that a count has changed a value in, or in what they lead to.
        let mut changed: Vec<Material> = Vec::new();
        for step in &self.plan.steps {
            if self.progress.stopped() {
                return Err(BuildError::Stopped);
            }
            self.progress.start(&step.materials[0].to_string(), step.positions * 3);
            let began = self.progress.now();
            let leads_to_changes = step.needs.iter().any(|need| changed.contains(need));
            let [ours, theirs] = step.pair.sides;
            let is_decided = deciding_rule::<R>(ours, theirs).is_ok();
            let (mut on_board, decided) = if is_decided {
                let (on_board, under_rules) = self.solve_both::<R>(step, &sets, &board, &counted, leads_to_changes)?;
                (on_board, Some(under_rules))
            } else {
                (self.solve_board::<R>(step, &sets, &board)?, None)
            };
            if step.keeps_both {
                on_board.add_first();
            }
            let on_board = Arc::new(on_board);
            board.add(Arc::clone(&on_board));
            if let Some(rules) = step.several {
                let known = Known { board: &board, fresh: &counted, needs: &needs };
                needs.push(Arc::new(several::solve(&step.materials, rules, &known, &|| self.progress.stopped())?));
            }
            let mut under_rules = decided.unwrap_or_else(|| {
                let solved = needs.last().expect("where no rule decides, several counts are solved");
                solved.words(&on_board, &sets)
            });
            let is_changed = !under_rules.agrees_with(&on_board);
            if is_changed || leads_to_changes {
                changed.push(step.materials[0].stronger_to_move());
            }
            if step.keeps_both {
                under_rules.add_first();
            }
            let cut_from = is_changed.then_some(&*on_board);
            let solved = self.progress.now();
            let written = self.write::<R, Plies<R>>(step, &under_rules, cut_from, &[Metric::Outcome, Metric::Dtr])?;
            if let (Some(began), Some(solved)) = (began, solved) {
                self.report(step, Spent::default(), [solved - began, Duration::ZERO], &written);
            }
            counted.add(Arc::new(under_rules));
            for &pair in &step.last_read {
                board.drop_pair(pair);
                counted.drop_pair(pair);
                needs.retain(|needs| !needs.is_of(pair));
            }
        }
        Ok(())
    }

    /// Solves a pair with counts ignored.
    fn solve_board<R: Rules>(
        &self,
        step: &Step,
        sets: &Sets<R>,
        board: &Library<R, ()>,
    ) -> Result<Finished<R, ()>, Unsolved> {
        let (advance, stopped) = (|words| self.advance(step, words), || self.progress.stopped());
        solve::<R, ()>(step.pair, sets, board, Timing::None, Keep::Plain, Watch::new(&advance, &stopped))
    }

    /// Tells the progress of a step in words.
    fn advance(&self, step: &Step, words: u64) {
        self.progress.advance(step.positions_in(words));
    }

    /// Solves a pair with counts ignored and under the rules, once where both are the same.
    fn solve_both<R: Rules>(
        &self,
        step: &Step,
        sets: &Sets<R>,
        board: &Library<R, ()>,
        counted: &Library<R, Plies<R>>,
        leads_to_changes: bool,
    ) -> Result<Both<R>, Unsolved> {
        let advance = |words: u64| self.advance(step, words);
        let stopped = || self.progress.stopped();
        let rule = rule_of::<R>(step.materials[0]);
        let under_rules = |limit: Option<u16>| {
            let timing = rule.map_or(Timing::None, |rule| Timing::ToReset { rule, limit: limit.unwrap_or(u16::MAX) });
            solve::<R, Plies<R>>(step.pair, sets, counted, timing, Keep::Plain, Watch::new(&advance, &stopped))
        };
        let plies = rule.map_or(u16::MAX, |rule| rule.plies as u16);
        let mut known = None;
        if !leads_to_changes {
            match under_rules(None) {
                Ok(solved) if rule.is_none() || !solved.has_longer(plies) => {
                    return Ok((solved.without_distances(), solved));
                }
                Ok(solved) => known = Some(solved.without_distances()),
                // Longer than any count.
                Err(Unsolved::TooLong) => {}
                Err(Unsolved::Stopped) => return Err(Unsolved::Stopped),
            }
        }
        let on_board = match known {
            Some(known) => known,
            None => self.solve_board(step, sets, board)?,
        };
        Ok((on_board, under_rules(Some(plies))?))
    }
}
