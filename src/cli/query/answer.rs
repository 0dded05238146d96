//! What the tables say about a position, and its JSON.

use std::cmp::Reverse;

use serde::Serialize;

use endame::index::Material;
use endame::position::{Fen, Move, Position};
use endame::rules::{DrawRule, Rules};
use endame::tablebase::{ProbeError, Tablebase, Value};
use endame::value::{Dtc, Metric, Outcome, Wdl};

use crate::cli::error::Error;
use crate::cli::moves::{MoveText, describe, material};
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
    /// Its distance to conversion, where a table has it.
    pub dtc: Option<Dtc>,
    /// The legal moves, best first.
    pub moves: Vec<AnswerMove>,
    /// Materials whose tables are missing, for the position or for a move, in order.
    pub missing: Vec<Material>,
    /// The best line to the end, where it was asked for; empty for a draw, and where distances are not known.
    pub line: Option<Vec<Move>>,
}

/// A legal move and its value.
#[derive(Clone, Debug)]
pub struct AnswerMove {
    /// The move in words.
    pub text: MoveText,
    /// The value of the position after it, *for the opponent*, who is to move then.
    pub value: Option<Value>,
    /// Its value under the draw rules, *for the opponent*, where that of the position is known.
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
        tables: &Tablebase<R>,
        with_line: bool,
        asked_count: Option<&Count>,
    ) -> Result<Self, Error> {
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
        let (mut rule, mut count, mut outcome, mut after) = (None, 0, None, None);
        if let Some(material) = material_of(&fen)
            && (asked_count.is_some() || tables.table(material, Metric::Outcome)?.is_some())
        {
            rule = tables.deciding_rule(&fen.position)?;
            count = asked_count.map_or(Ok(0), |count| count.of_deciding::<R>(material, rule))?;
            match outcomes(&fen.position, tables, &legal, count) {
                Ok(found) => (outcome, after) = (Some(found.0), Some(found.1)),
                Err(ProbeError::NoOutcomes { .. }) if asked_count.is_none() => {}
                Err(error) => return Err(error.into()),
            }
        }
        let line = match (line, outcome) {
            // A shortest line may be too long for the counts.
            (Some(line), Some(outcome))
                if outcome.number().abs() == 2 && !in_time(&fen.position, tables, &line, count)? =>
            {
                Some(tables.line_under_rules(&fen.position, count)?)
            }
            (line, _) => line,
        };
        let mut moves = Vec::with_capacity(valued.len());
        for (number, valued) in valued.iter().enumerate() {
            let text = describe(&fen, &valued.mv, &legal);
            let outcome = after.as_ref().map(|after| after[number]);
            moves.push(AnswerMove { text, value: valued.value, outcome, dtc: dtc(tables, &valued.after)? });
        }
        moves.sort_by(|a, b| (merit(a), &a.text.text).cmp(&(merit(b), &b.text.text)));
        let dtc = dtc(tables, &fen.position)?;
        Ok(Answer { fen, value, outcome, rule, count, dtc, moves, missing, line })
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

/// Whether a line of best play on the board is one under the draw rules too: every move keeps the outcome.
fn in_time<R: Rules>(
    position: &Position<R>,
    tables: &Tablebase<R>,
    line: &[Move],
    count: u32,
) -> Result<bool, ProbeError> {
    let (mut position, mut count) = (*position, count);
    let mut outcome = tables.outcome_at(&position, count)?;
    for mv in line {
        count = tables.count_after(&position, mv, count)?;
        position = position.play(mv);
        let after = match tables.outcome_at(&position, count) {
            Err(ProbeError::NoOutcomes { .. }) => return Ok(true),
            after => after?,
        };
        if after != outcome.negated() {
            return Ok(false);
        }
        outcome = after;
    }
    Ok(!line.is_empty())
}

/// The outcome of a position, and of the positions after its moves for the opponent.
fn outcomes<R: Rules>(
    position: &Position<R>,
    tables: &Tablebase<R>,
    moves: &[Move],
    count: u32,
) -> Result<(Outcome, Vec<Outcome>), ProbeError> {
    let outcome = tables.outcome_at(position, count)?;
    let after = moves.iter().map(|mv| tables.outcome_after(position, mv, count)).collect::<Result<_, _>>()?;
    Ok((outcome, after))
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
