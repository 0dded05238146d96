//! What was found out about one claim in all its materials.

use crate::chart::{Bar, Panel, Scale};
use crate::proof::{Claim, Finding, Verdict};
use crate::rules::Rules;
use crate::value::Metric;

/// A number of plies in words.
pub(super) fn in_plies(plies: u32) -> String {
    if plies == 1 { "1 ply".to_string() } else { format!("{plies} plies") }
}

/// A claim with what the tables say.
#[derive(Clone, Debug)]
pub struct Findings<R> {
    /// The claim.
    pub claim: Claim,
    /// One a material and side to move.
    pub findings: Vec<Finding<R>>,
}

impl<R: Rules> Findings<R> {
    /// What it comes to, in a sentence without a full stop.
    #[must_use]
    pub fn summary(&self) -> String {
        let is_open = |finding: &&Finding<R>| matches!(finding.verdict, Verdict::Open);
        let decided = || self.findings.iter().filter(|finding| !is_open(finding));
        let positions: u64 = decided().map(|finding| finding.tally.positions()).sum();
        let open = self.findings.len() - decided().count();
        let mut text = if self.claim.draw_rule().is_none() {
            match self.findings.iter().any(|finding| matches!(finding.verdict, Verdict::False(..))) {
                true => "not so".to_string(),
                false => format!("proved over {positions} positions"),
            }
        } else {
            let cut_off: u64 = decided().filter_map(|finding| finding.cut_off).sum();
            let wins: u64 = decided().map(|finding| finding.wins(&self.claim)).sum();
            match (cut_off, decided().filter_map(|finding| finding.excess(&self.claim)).max()) {
                _ if positions == 0 => "nothing decided".to_string(),
                (0, _) => format!("never cuts off a win: proved over {positions} positions"),
                (_, worst) => {
                    let share = 100.0 * cut_off as f64 / wins.max(1) as f64;
                    let worst = worst.map_or_else(String::new, |plies| format!(", the worst by {}", in_plies(plies)));
                    format!("cuts off {cut_off} of {wins} wins ({share:.4} %){worst}")
                }
            }
        };
        if open > 0 {
            text += &format!("; {open} of {} materials are open", self.findings.len());
            let bounds: Vec<u64> = self.findings.iter().filter(is_open).filter_map(|finding| finding.cut_off).collect();
            if bounds.len() == open {
                text += &format!(", at most {} wins", bounds.iter().sum::<u64>());
            }
        }
        text
    }

    /// A histogram of the lengths of wins for every material, with the limit of the claim.
    #[must_use]
    pub fn panels(&self) -> Vec<Panel> {
        let has_lengths = |finding: &&Finding<R>| !finding.tally.lengths.is_empty();
        let panels = self.findings.iter().filter(has_lengths).map(|finding| {
            let lengths = finding.tally.lengths.iter();
            let to = if finding.by == Metric::Dtc { "to the next conversion" } else { "to the end" };
            Panel {
                title: format!("{} {}: positions won, by plies {to}", self.claim.rule, finding.material),
                bars: lengths.map(|l| Bar { at: l.plies.into(), count: l.wins + l.losses }).collect(),
                unit: 1,
                scale: Scale::Logarithmic,
                limit: self.claim.limit_plies().map(|plies| (plies.into(), format!("{plies} plies"))),
            }
        });
        panels.collect()
    }
}
