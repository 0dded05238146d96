//! How many positions of a material have which value under the draw rules.
//!
//! The header of a table of outcomes counts wins and losses under the rules, that of any other table those of the
//! board; what is won on the board alone is a cursed win. Where there is no other table every position is looked up.

use rayon::prelude::*;

use crate::index::Material;
use crate::proof::ProofError;
use crate::rules::{DrawRule, Rules};
use crate::tablebase::{OpenTable, ProbeError, Tablebase};
use crate::value::{Metric, Outcome};

/// Positions that a thread looks up before it asks whether to go on.
const CHUNK: u64 = 1 << 14;

/// The positions of a material by their value under the draw rules for the side to move, each with a fresh count.
#[derive(Clone, Copy, Debug)]
pub struct Census {
    /// The rule that decides; `None` where none counts, or several at once.
    pub rule: Option<&'static DrawRule>,
    /// Won before a count is full.
    pub wins: u64,
    /// Won on the board alone.
    pub cursed_wins: u64,
    /// Drawn on the board.
    pub draws: u64,
    /// Lost on the board alone.
    pub blessed_losses: u64,
    /// Lost before a count is full.
    pub losses: u64,
}

/// Counts the positions of `material`; `None` where there is no table of its outcomes, or where captures carry one of
/// several counts on and there is no table of the board. `stopped` is asked now and then whether to give up.
///
/// # Errors
/// If a table is damaged, or one that must be looked into is missing, or `stopped` says so ([`ProofError::Stopped`]).
pub fn census<R: Rules>(
    tablebase: &Tablebase<R>,
    material: Material,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Census>, ProofError> {
    let Some(outcomes) = tablebase.table(material, Metric::Outcome)? else { return Ok(None) };
    let header = outcomes.table().header();
    let (wins, losses) = (header.statistics.wins, header.statistics.losses);
    let board = tablebase.best_table(material)?.map(|table| table.table().header());
    let [cursed_wins, blessed_losses] = match board {
        Some(board) if !board.metric.counts_moves() => {
            let cut = [board.statistics.wins.checked_sub(wins), board.statistics.losses.checked_sub(losses)];
            let [Some(wins), Some(losses)] = cut else {
                return Err(ProbeError::Contradiction { variant: R::NAME, material }.into());
            };
            [wins, losses]
        }
        _ => match looked_up(tablebase, outcomes, stopped) {
            Err(ProofError::Probe(ProbeError::SeveralCounts { .. })) => return Ok(None),
            counts => counts?,
        },
    };
    let decided = [wins, losses, cursed_wins, blessed_losses].into_iter().try_fold(0u64, u64::checked_add);
    let Some(draws) = decided.and_then(|decided| header.positions.checked_sub(decided)) else {
        return Err(ProbeError::Contradiction { variant: R::NAME, material }.into());
    };
    Ok(Some(Census { rule: outcomes.rule().ok().flatten(), wins, cursed_wins, draws, blessed_losses, losses }))
}

/// The cursed wins and blessed losses among all positions.
fn looked_up<R: Rules>(
    tablebase: &Tablebase<R>,
    outcomes: &OpenTable<R>,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<[u64; 2], ProofError> {
    let positions = outcomes.indexer().placements();
    (0..positions.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut counts = [0; 2];
            for rank in chunk * CHUNK..((chunk + 1) * CHUNK).min(positions) {
                match tablebase.outcome(&outcomes.indexer().unrank(rank))? {
                    Outcome::CursedWin => counts[0] += 1,
                    Outcome::BlessedLoss => counts[1] += 1,
                    Outcome::Loss | Outcome::Draw | Outcome::Win => {}
                }
            }
            if stopped() { Err(ProofError::Stopped) } else { Ok(counts) }
        })
        .try_reduce(|| [0; 2], |a, b| Ok([a[0] + b[0], a[1] + b[1]]))
}
