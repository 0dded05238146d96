//! Values at any counts, solved in memory.
//!
//! Tables hold values for fresh counts, and where a single rule decides, its distances say the rest. Where several
//! counts run at once nothing stored says it, and the material is solved again, with every rule that counts in it: no
//! rule hides another where their counts have begun apart.

use std::sync::Arc;

use crate::build::several::{self, Known, Need, Needs, pieces};
use crate::build::solver::layout::Pair;
use crate::build::solver::library::Library;
use crate::build::solver::reading::Reading;
use crate::build::solver::sets::Sets;
use crate::build::solver::watch::Watch;
use crate::build::solver::{Timing, solve};
use crate::build::{BuildError, BuildOptions, Plan, Progress, within_budget};
use crate::index::Material;
use crate::position::{MOST_RULES, Position};
use crate::rules::Rules;
use crate::value::Outcome;

/// The values of a material, of its twin and of all they lead to, at any counts.
#[derive(Debug)]
pub struct AtCounts<R: Rules> {
    /// Who wins with counts ignored.
    board: Library<R, ()>,
    /// What the winners need.
    needs: Vec<Arc<Needs<R>>>,
}

impl<R: Rules> AtCounts<R> {
    /// Solves `material`; seconds of processor time for four pieces.
    ///
    /// # Errors
    /// [`BuildError::Material`], [`BuildError::TooLarge`] for more positions than are solved with several counts at
    /// once, [`BuildError::Memory`], [`BuildError::Threads`] and [`BuildError::Stopped`].
    pub fn solve(material: Material, options: &BuildOptions, progress: &dyn Progress) -> Result<Self, BuildError> {
        let pool = super::pool(options)?;
        let plan = within_budget::<R>(Plan::for_any_counts::<R>(material, pool.current_num_threads())?, options)?;
        pool.install(|| Self::run(&plan, progress))
    }

    fn run(plan: &Plan, progress: &dyn Progress) -> Result<Self, BuildError> {
        let stopped = || progress.stopped();
        let sets = Sets::<R>::new(Plan::most_fixed_kings(&plan.steps));
        let (mut board, fresh) = (Library::<R, ()>::default(), Library::default());
        let mut needs = Vec::new();
        for step in &plan.steps {
            progress.start(&step.materials[0].to_string(), step.positions);
            let advance = |_| ();
            let mut solved =
                solve::<R, ()>(step.pair, &sets, &board, Timing::None, step.keep, Watch::new(&advance, &stopped))?;
            if step.keeps_both {
                solved.add_first();
            }
            board.add(Arc::new(solved));
            let rules = step.several.expect("all are solved with several counts");
            let known = Known { board: &board, fresh: &fresh, needs: &needs };
            let solved = several::solve(&step.materials, rules, &known, &stopped)?;
            needs.push(Arc::new(solved));
            progress.advance(step.positions);
        }
        Ok(AtCounts { board, needs })
    }

    /// The value of `position` for its mover, where the draw rules have counted `counts` plies, by number of the rule
    /// in [`Rules::DRAW_RULES`]; rules that do not count there are not looked at. With a full count the game is drawn,
    /// unless the mover has lost already. `None` for a material that was not solved.
    #[must_use]
    pub fn outcome(&self, position: &Position<R>, counts: &[u32]) -> Option<Outcome> {
        if !position.has_move() {
            return Some(Outcome::Loss);
        }
        if position.theirs().is_empty() {
            return Some(Outcome::Win);
        }
        let (ours, theirs) = position.sides();
        let pair = Pair::of(ours, theirs).0;
        let needs = self.needs.iter().find(|needs| needs.is_of(pair))?;
        let left: [u8; MOST_RULES] = std::array::from_fn(|number| {
            let counted = counts.get(number).copied().unwrap_or(0);
            R::DRAW_RULES.get(number).map_or(0, |rule| rule.plies.saturating_sub(counted) as u8)
        });
        let outcome = match self.board.position(&mut Reading::default(), &pieces(position), 0) {
            (true, ..) => Outcome::Win,
            (_, true, _) => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let is_in_time = needs.of(position).is_met_by(Need::new(left));
        Some(if is_in_time { outcome } else { outcome.drawn_by_count() })
    }
}
