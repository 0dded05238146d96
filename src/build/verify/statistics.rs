//! Counting the statistics of a header again.

use std::collections::BTreeMap;

use crate::board::{Bitboard, Geometry, Symmetry};
use crate::build::threads;
use crate::build::verify::images::lead_of;
use crate::build::verify::score::Score;
use crate::build::verify::values::Values;
use crate::rules::Rules;
use crate::table::{Longest, Statistics};

/// What the statistics of a header say wrong, if anything; `timed` is whether they tell the distances of the values.
pub fn check_statistics<R: Rules, S: Score>(values: &Values<R, S>, header: &Statistics, timed: bool) -> Option<String> {
    let plies = |score: S| score.plies().filter(|_| timed);
    let counts = count(values);
    let numbered = || (0..S::NUMBERS).map(S::from_number).zip(&counts);
    let total = |sign: i8| numbered().filter(|(s, _)| s.sign() == sign).map(|(_, &n)| n).sum::<u64>();
    let (expected, got) = ((total(1), total(0), total(-1)), (header.wins, header.draws, header.losses));
    if expected != got {
        return Some(format!("the header counts {got:?} wins, draws and losses, the values {expected:?}"));
    }
    let mut histogram: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
    for (score, &n) in numbered().filter(|(_, n)| **n > 0) {
        if let Some(plies) = plies(score) {
            let entry = histogram.entry(plies).or_default();
            *(if score.sign() > 0 { &mut entry.0 } else { &mut entry.1 }) += n;
        }
    }
    let counted = header.histogram.iter().map(|d| (d.plies, (d.wins, d.losses)));
    if !histogram.iter().map(|(&plies, &n)| (plies, n)).eq(counted) {
        return Some("the header counts wins and losses by distance that are not those of the values".to_string());
    }
    let longest = |sign: i8| {
        let last = numbered().filter(|(s, n)| s.sign() == sign && **n > 0).max_by_key(|(s, _)| plies(*s))?;
        let (score, &count) = last;
        let slot = values.scores.iter().position(|&other| other == score)? as u64;
        Some(Longest { plies: plies(score)?, count, slot })
    };
    for (name, sign, got) in [("win", 1, header.longest_win), ("loss", -1, header.longest_loss)] {
        let expected = longest(sign);
        if expected != got {
            let tell = |longest: Option<Longest>| match longest {
                Some(Longest { plies, count, slot }) => format!("{count} of {plies} plies, the first in slot {slot}"),
                None => "none".to_string(),
            };
            return Some(format!("the header's longest {name}: {}; the values': {}", tell(got), tell(expected)));
        }
    }
    None
}

/// How many positions have each value, by its number; every placement counts.
fn count<R: Rules, S: Score>(values: &Values<R, S>) -> Vec<u64> {
    let indexer = &values.indexer;
    let symmetric = indexer.slots() != indexer.placements();
    let counts = threads::map(threads::ranges(indexer.slots(), 1), |slots| {
        let mut counts = vec![0u64; S::NUMBERS];
        if !symmetric {
            for &score in &values.scores[slots.start as usize..slots.end as usize] {
                counts[score.number()] += 1;
            }
            return counts;
        }
        let (mut lead, mut images) = (Bitboard::EMPTY, 0);
        for row in indexer.rows_from(slots.start).take_while(|row| row.first_slot < slots.end) {
            let row_lead = lead_of(&row);
            if row_lead != lead {
                (lead, images) = (row_lead, count_images::<R>(row_lead, indexer.material().men() == 0));
            }
            for slot in row.first_slot.max(slots.start)..row.end_slot().min(slots.end) {
                counts[values.scores[slot as usize].number()] += images;
            }
        }
        counts
    });
    let mut sum = vec![0u64; S::NUMBERS];
    for more in counts {
        sum.iter_mut().zip(&more).for_each(|(a, b)| *a += b);
    }
    sum
}

/// How many different sets the symmetries of a slice make of its lead set: so many placements share a slot.
fn count_images<R: Rules>(lead: Bitboard, kings_only: bool) -> u64 {
    let image = |map: Symmetry| -> Bitboard {
        lead.into_iter()
            .filter_map(|square| {
                let (row, column) = map(R::Geometry::row(square), R::Geometry::column(square));
                R::Geometry::square_at(row, column)
            })
            .collect()
    };
    let mut images = vec![lead];
    if kings_only {
        images.extend(R::Geometry::SYMMETRIES.iter().map(|&map| image(map)));
    } else {
        images.extend(R::Geometry::MIRROR.map(image));
    }
    images.sort();
    images.dedup();
    images.len() as u64
}
