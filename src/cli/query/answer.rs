//! What the tables say about a position, and its JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use endame::build::AtCounts;
use endame::engine::DrawCounts;
use endame::index::Material;
use endame::position::{Fen, Move, Position};
use endame::rules::{DrawRule, Rules};
use endame::tablebase::{ProbeError, Tablebase, Value};
use endame::value::{Dtc, Metric, Outcome, Wdl};

use crate::cli::error::{Error, Kind};
use crate::cli::moves::{MoveText, describe, material};
use crate::cli::on_demand::OnDemand;
use crate::cli::query::count::Count;

/// What the tables say about a position.
#[derive(Debug)]
pub struct Answer<R: Rules> {
    /// The position.
    pub fen: Fen<R>,
    /// Its value for the side to move; `None` where a table is missing that decides.
    pub value: Option<Value>,
    /// Its value under the draw rules, where tables have it for the position and all its moves.
    pub outcome: Option<Outcome>,
    /// The draw rule that decides, where a single one does.
    pub rule: Option<&'static DrawRule>,
    /// The plies that it has counted.
    pub count: u32,
    /// Where several count at once, each of them with the plies that it has counted.
    pub several: Vec<(&'static DrawRule, u32)>,
    /// Its distance to conversion, where a table has it.
    pub dtc: Option<Dtc>,
    /// The legal moves, best first.
    pub moves: Vec<AnswerMove>,
    /// Materials whose tables are missing, for the position or for a move, in order.
    pub missing: Vec<Material>,
    /// The best line to the end, where it was asked for; that of the board where the draw rules take the win away;
    /// empty for a draw, and where distances are not known.
    pub line: Option<Vec<Move>>,
}

/// A legal move and its value.
#[derive(Clone, Debug)]
pub struct AnswerMove {
    /// The move in words.
    pub text: MoveText,
    /// The value of the position after it, *for the opponent*, who is to move then.
    pub value: Option<Value>,
    /// Its value under the draw rules, *for the opponent*, where that of the position is known; where several count at
    /// once in a large material, only where the counts do not matter.
    pub outcome: Option<Outcome>,
    /// Its distance to conversion, where a table has it.
    pub dtc: Option<Dtc>,
}

impl<R: Rules> Answer<R> {
    /// Asks the tables about a position; `count` is how far draw rules have counted, where it was given.
    ///
    /// # Errors
    /// If a table is damaged, or a count cannot be answered; a missing table otherwise leaves values unknown.
    pub fn new(
        fen: Fen<R>,
        on_demand: &OnDemand<'_, R>,
        with_line: bool,
        asked_count: Option<&Count>,
    ) -> Result<Self, Error> {
        let tables = on_demand.tablebase();
        let value = match tables.probe(&fen.position) {
            Ok(value) => Some(value),
            Err(ProbeError::NoTable { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let valued = tables.moves(&fen.position)?;
        let is_complete = value.is_some() && valued.iter().all(|valued| valued.value.is_some());
        let missing = if is_complete { Vec::new() } else { tables.missing(&fen.position)? };
        let line = match with_line && value.is_some() {
            true => match best_line(fen, tables) {
                Err(ProbeError::NoTable { .. }) => Some(Vec::new()),
                line => Some(line?),
            },
            false => with_line.then(Vec::new),
        };
        let legal: Vec<Move> = valued.iter().map(|valued| valued.mv).collect();
        let mut under_rules = UnderRules::default();
        if let Some(material) = material_of(&fen)
            && (asked_count.is_some() || tables.table(material, Metric::Outcome)?.is_some())
        {
            let found = match tables.deciding_rule(&fen.position) {
                Ok(rule) => UnderRules::of_one(&fen, tables, &legal, material, rule, asked_count),
                Err(ProbeError::SeveralCounts { .. }) => UnderRules::of_several(&fen, on_demand, &legal, asked_count),
                Err(error) => Err(error.into()),
            };
            match found {
                Ok(found) => under_rules = found,
                Err(error) if error.kind == Kind::TableMissing && asked_count.is_none() => {}
                Err(error) => return Err(error),
            }
        }
        let UnderRules { rule, count, several, outcome, after, counts } = under_rules;
        let line = match (line, outcome) {
            // A shortest line may be too long for the counts.
            (Some(line), Some(outcome)) if outcome.number().abs() == 2 => Some(match (several.as_slice(), counts) {
                ([], _) if in_time(&fen.position, tables, &line, count)? => line,
                ([], _) => tables.line_under_rules(&fen.position, count)?,
                (_, Some(counts)) if is_kept(&fen.position, on_demand, &line, counts) => line,
                (_, Some(counts)) => line_at_counts(&fen, on_demand, counts)?,
                (_, None) => line,
            }),
            (line, _) => line,
        };
        let mut moves = Vec::with_capacity(valued.len());
        for (number, valued) in valued.iter().enumerate() {
            let text = describe(&fen, &valued.mv, &legal);
            let outcome = after.get(number).copied().flatten();
            moves.push(AnswerMove { text, value: valued.value, outcome, dtc: dtc(tables, &valued.after)? });
        }
        moves.sort_by(|a, b| (merit(a), &a.text.text).cmp(&(merit(b), &b.text.text)));
        let dtc = dtc(tables, &fen.position)?;
        Ok(Answer { fen, value, outcome, rule, count, several, dtc, moves, missing, line })
    }

    /// Whether somebody wins, but no table says in how many plies.
    pub fn lacks_distance(&self) -> bool {
        self.value.is_some_and(|value| value.wdl != Wdl::Draw && value.dtw.is_none())
    }

    /// The material of the position, if both sides have pieces.
    pub fn material(&self) -> Vec<Material> {
        material_of(&self.fen).into_iter().collect()
    }

    /// The answer as JSON.
    pub fn to_json(&self) -> impl Serialize + use<'_, R> {
        AnswerJson {
            variant: R::NAME,
            fen: self.fen.to_string(),
            material: material(&self.fen),
            pieces: self.fen.position.occupied().len(),
            value: ValueJson::new(self.value, self.outcome, self.dtc),
            basis: if self.outcome.is_some() { "rules" } else { "board" },
            rule: self.outcome.and(self.rule).map(|rule| rule.name),
            count: self.count,
            counts: self.several.iter().map(|(rule, count)| (rule.name, *count)).collect(),
            missing: self.missing.iter().map(ToString::to_string).collect(),
            line: self.line.as_ref().map(|line| self.fen.line_text(line)),
            moves: self.moves.iter().map(MoveJson::from).collect(),
        }
    }
}

/// The best line, in which the first of equally good moves is the one that stands first in an answer.
pub fn best_line<R: Rules>(fen: Fen<R>, tables: &Tablebase<R>) -> Result<Vec<Move>, ProbeError> {
    let mut mover = fen.mover;
    tables.best_line_by(&fen.position, |&position, best| {
        let here = Fen { position, mover };
        mover = mover.other();
        let legal = position.moves();
        let first = (0..best.len()).min_by_key(|&i| here.move_text(&best[i].mv, &legal));
        first.expect("there is a best move")
    })
}

/// Whether a line of best play on the board is one under the draw rules too: every move keeps the outcome, as far as
/// one rule decides.
fn in_time<R: Rules>(
    position: &Position<R>,
    tables: &Tablebase<R>,
    line: &[Move],
    count: u32,
) -> Result<bool, ProbeError> {
    let (mut position, mut count) = (*position, count);
    let mut outcome = tables.outcome_at(&position, count)?;
    for mv in line {
        count = match tables.count_after(&position, mv, count) {
            Err(ProbeError::SeveralCounts { .. }) => return Ok(true),
            count => count?,
        };
        position = position.play(mv);
        let after = match tables.outcome_at(&position, count) {
            Err(ProbeError::NoOutcomes { .. } | ProbeError::SeveralCounts { .. }) => return Ok(true),
            after => after?,
        };
        if after != outcome.negated() {
            return Ok(false);
        }
        outcome = after;
    }
    Ok(!line.is_empty())
}

/// Whether a line of best play on the board keeps the outcome with every move, where several draw rules count at once.
fn is_kept<R: Rules>(position: &Position<R>, solved: &OnDemand<'_, R>, line: &[Move], counts: DrawCounts<R>) -> bool {
    let Some(at_counts) = solved.at_counts(position) else { return false };
    let (mut position, mut counts) = (*position, counts);
    let mut outcome = value_at(at_counts, &position, &counts);
    for mv in line {
        let after = position.play(mv);
        counts = counts.after(&position, mv, &after);
        position = after;
        outcome = outcome.map(Outcome::negated);
        if value_at(at_counts, &position, &counts) != outcome {
            return false;
        }
    }
    !line.is_empty()
}

/// A line that keeps the outcome with every move, where several draw rules count at once. There is no distance to play
/// by: of the moves that keep it, the winner takes the one that is shortest on the board, the loser the longest.
fn line_at_counts<R: Rules>(
    fen: &Fen<R>,
    solved: &OnDemand<'_, R>,
    counts: DrawCounts<R>,
) -> Result<Vec<Move>, ProbeError> {
    let (mut here, mut counts, mut line) = (*fen, counts, Vec::new());
    let Some(at_counts) = solved.at_counts(&here.position) else { return Ok(line) };
    let outcome = |position: &Position<R>, counts: &DrawCounts<R>| value_at(at_counts, position, counts);
    let mut wins = outcome(&here.position, &counts) == Some(Outcome::Win);
    // Every move that resets a count is a conversion, and the counts between two of them are short: the line ends.
    while here.position.has_move() {
        let legal = here.position.moves();
        let kept = if wins { Outcome::Loss } else { Outcome::Win };
        let mut best: Option<(i64, String, Move)> = None;
        for mv in &legal {
            let after = here.position.play(mv);
            if outcome(&after, &counts.after(&here.position, mv, &after)) != Some(kept) {
                continue;
            }
            let plies = match solved.tablebase().probe(&after) {
                Err(ProbeError::NoTable { .. }) => 0,
                value => value?.dtw.map_or(0, |dtw| i64::from(dtw.0)),
            };
            let choice = (if wins { plies } else { -plies }, here.move_text(mv, &legal), *mv);
            if best.as_ref().is_none_or(|best| (choice.0, &choice.1) < (best.0, &best.1)) {
                best = Some(choice);
            }
        }
        let Some((_, _, mv)) = best else { break };
        let after = here.position.play(&mv);
        counts = counts.after(&here.position, &mv, &after);
        line.push(mv);
        here = Fen { position: after, mover: here.mover.other() };
        wins = !wins;
    }
    Ok(line)
}

fn value_at<R: Rules>(at_counts: &AtCounts<R>, position: &Position<R>, counts: &DrawCounts<R>) -> Option<Outcome> {
    let counts: Vec<u32> = (0..R::DRAW_RULES.len()).map(|number| counts.count(number)).collect();
    at_counts.outcome(position, &counts)
}

/// What the tables say of a position under the draw rules.
struct UnderRules<R: Rules> {
    rule: Option<&'static DrawRule>,
    count: u32,
    several: Vec<(&'static DrawRule, u32)>,
    outcome: Option<Outcome>,
    /// After each move, for the opponent.
    after: Vec<Option<Outcome>>,
    /// The counts of several rules, where they were given.
    counts: Option<DrawCounts<R>>,
}

impl<R: Rules> Default for UnderRules<R> {
    fn default() -> Self {
        UnderRules { rule: None, count: 0, several: Vec::new(), outcome: None, after: Vec::new(), counts: None }
    }
}

impl<R: Rules> UnderRules<R> {
    /// Where one rule decides, or none counts.
    fn of_one(
        fen: &Fen<R>,
        tables: &Tablebase<R>,
        moves: &[Move],
        material: Material,
        rule: Option<&'static DrawRule>,
        asked_count: Option<&Count>,
    ) -> Result<Self, Error> {
        let count = asked_count.map_or(Ok(0), |count| count.of_deciding::<R>(material, rule))?;
        let outcome = Some(tables.outcome_at(&fen.position, count)?);
        // A game that is drawn has no winning move.
        let is_over = rule.is_some_and(|rule| count >= rule.plies) && fen.position.has_move();
        let worth = |outcome: Outcome| if is_over { outcome.drawn_by_count() } else { outcome };
        let after =
            moves.iter().map(|mv| tables.outcome_after(&fen.position, mv, count).map(|after| Some(worth(after))));
        let after = after.collect::<Result<_, _>>()?;
        Ok(UnderRules { rule, count, outcome, after, ..UnderRules::default() })
    }

    /// Where several rules count at once: by tables with fresh counts, else by what was solved for it.
    fn of_several(
        fen: &Fen<R>,
        on_demand: &OnDemand<'_, R>,
        moves: &[Move],
        asked_count: Option<&Count>,
    ) -> Result<Self, Error> {
        let (position, tables) = (&fen.position, on_demand.tablebase());
        let counts = asked_count.map_or_else(|| Ok(Vec::new()), |count| count.of_several(position))?;
        let counts = DrawCounts::with_counts(position, &counts);
        let counting = position.rules_in_scope(position.rules_of_material());
        let several = (0..R::DRAW_RULES.len()).filter(|number| counting >> number & 1 != 0);
        let several = several.map(|number| (&R::DRAW_RULES[number], counts.count(number))).collect();
        let Some(at_counts) = on_demand.at_counts(position) else {
            if !counts.is_fresh() {
                tables.outcome_at(position, 1)?;
            }
            let outcome = match tables.outcome(position) {
                // A capture is due that carries a count on.
                Err(ProbeError::SeveralCounts { .. }) if asked_count.is_none() => None,
                outcome => Some(outcome?),
            };
            let after = |mv| match tables.outcome_after(position, mv, 0) {
                Err(ProbeError::SeveralCounts { .. }) => Ok(None),
                known => known.map(Some),
            };
            let after = moves.iter().map(after).collect::<Result<_, _>>()?;
            return Ok(UnderRules { several, outcome, after, ..UnderRules::default() });
        };
        let after = moves.iter().map(|mv| {
            let after = position.play(mv);
            let value = value_at(at_counts, &after, &counts.after(position, mv, &after));
            if counts.full().is_some() { value.map(Outcome::drawn_by_count) } else { value }
        });
        let (after, outcome) = (after.collect(), value_at(at_counts, position, &counts));
        Ok(UnderRules { several, outcome, after, counts: Some(counts), ..UnderRules::default() })
    }
}

/// The material of a position, if both sides have pieces.
pub(super) fn material_of<R: Rules>(fen: &Fen<R>) -> Option<Material> {
    let (ours, theirs) = fen.position.sides();
    Material::new(ours, theirs).ok()
}

/// The distance to conversion, as far as it is known.
fn dtc<R: Rules>(tables: &Tablebase<R>, position: &Position<R>) -> Result<Option<Dtc>, Error> {
    match tables.dtc(position) {
        Err(ProbeError::NoTable { .. }) => Ok(None),
        found => Ok(found?),
    }
}

/// Orders moves by the value after them, best first: wins by the shortest, draws, losses by the longest, unknown; of
/// draws by a count, those won on the board before the others and those lost after them.
fn merit(mv: &AnswerMove) -> (i8, u16, Reverse<u16>) {
    let Some(Value { wdl, dtw }) = mv.value else { return (3, 0, Reverse(0)) };
    let category = mv.outcome.unwrap_or(on_board(wdl)).number();
    match (wdl, dtw.map(|dtw| dtw.0)) {
        (Wdl::Loss, plies) => (category, plies.unwrap_or(u16::MAX), Reverse(0)),
        (Wdl::Draw, _) => (category, 0, Reverse(0)),
        (Wdl::Win, plies) => (category, 0, Reverse(plies.unwrap_or(0))),
    }
}

/// A value with counts ignored.
const fn on_board(wdl: Wdl) -> Outcome {
    match wdl {
        Wdl::Loss => Outcome::Loss,
        Wdl::Draw => Outcome::Draw,
        Wdl::Win => Outcome::Win,
    }
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    variant: &'static str,
    fen: String,
    material: String,
    pieces: u32,
    #[serde(flatten)]
    value: ValueJson,
    basis: &'static str,
    rule: Option<&'static str>,
    count: u32,
    /// Plies counted by each rule, where several count at once.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    counts: BTreeMap<&'static str, u32>,
    missing: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    moves: Vec<MoveJson<'a>>,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    #[serde(flatten)]
    text: &'a MoveText,
    #[serde(flatten)]
    value: ValueJson,
}

impl<'a> From<&'a AnswerMove> for MoveJson<'a> {
    fn from(mv: &'a AnswerMove) -> Self {
        MoveJson { text: &mv.text, value: ValueJson::new(mv.value, mv.outcome, mv.dtc) }
    }
}

/// A value in the words of the JSON contract.
#[derive(Serialize)]
struct ValueJson {
    category: &'static str,
    wdl: Option<i8>,
    dtw: Option<u16>,
    dtc: Option<u16>,
}

impl ValueJson {
    fn new(value: Option<Value>, outcome: Option<Outcome>, dtc: Option<Dtc>) -> Self {
        let outcome = outcome.or(value.map(|value| on_board(value.wdl)));
        ValueJson {
            category: outcome.map_or("unknown", Outcome::category),
            wdl: outcome.map(Outcome::number),
            dtw: value.and_then(|value| value.dtw).map(|dtw| dtw.0),
            dtc: dtc.map(|dtc| dtc.plies),
        }
    }
}
