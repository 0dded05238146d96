//! What the tables say about a position, and its JSON.

use std::cmp::Reverse;

use serde::Serialize;

use endame::index::Material;
use endame::position::{Fen, Move, Position};
use endame::rules::Rules;
use endame::tablebase::{ProbeError, Tablebase, Value};
use endame::value::{Dtc, Wdl};

use crate::cli::error::Error;
use crate::cli::moves::{MoveText, describe, material};

/// What the tables say about a position.
#[derive(Debug)]
pub struct Answer<R: Rules> {
    /// The position.
    pub fen: Fen<R>,
    /// Its value for the side to move; `None` where a table is missing that decides.
    pub value: Option<Value>,
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
    /// Its distance to conversion, where a table has it.
    pub dtc: Option<Dtc>,
}

impl<R: Rules> Answer<R> {
    /// Asks the tables about a position.
    ///
    /// # Errors
    /// If a table is damaged; a missing one leaves values unknown.
    pub fn new(fen: Fen<R>, tables: &Tablebase<R>, with_line: bool) -> Result<Self, Error> {
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
        let mut moves = Vec::with_capacity(valued.len());
        for valued in &valued {
            let text = describe(&fen, &valued.mv, &legal);
            moves.push(AnswerMove { text, value: valued.value, dtc: dtc(tables, &valued.after)? });
        }
        moves.sort_by(|a, b| (merit(a.value), &a.text.text).cmp(&(merit(b.value), &b.text.text)));
        let dtc = dtc(tables, &fen.position)?;
        Ok(Answer { fen, value, dtc, moves, missing, line })
    }

    /// Whether somebody wins, but no table says in how many plies.
    pub fn lacks_distance(&self) -> bool {
        self.value.is_some_and(|value| value.wdl != Wdl::Draw && value.dtw.is_none())
    }

    /// The material of the position, if both sides have pieces.
    pub fn material(&self) -> Vec<Material> {
        let (ours, theirs) = self.fen.position.sides();
        Material::new(ours, theirs).into_iter().collect()
    }

    /// The answer as JSON.
    pub fn to_json(&self) -> impl Serialize + use<'_, R> {
        AnswerJson {
            variant: R::NAME,
            fen: self.fen.to_string(),
            material: material(&self.fen),
            pieces: self.fen.position.occupied().len(),
            value: ValueJson::new(self.value, self.dtc),
            basis: "board",
            missing: self.missing.iter().map(ToString::to_string).collect(),
            line: self.line.as_ref().map(|line| line_text(self.fen, line)),
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

/// The distance to conversion, as far as it is known.
fn dtc<R: Rules>(tables: &Tablebase<R>, position: &Position<R>) -> Result<Option<Dtc>, Error> {
    match tables.dtc(position) {
        Err(ProbeError::NoTable { .. }) => Ok(None),
        found => Ok(found?),
    }
}

/// Orders moves by the value after them, best first: wins by the shortest, draws, losses by the longest, unknown.
fn merit(value: Option<Value>) -> (u8, u16, Reverse<u16>) {
    let Some(Value { wdl, dtw }) = value else { return (3, 0, Reverse(0)) };
    match (wdl, dtw.map(|dtw| dtw.0)) {
        (Wdl::Loss, plies) => (0, plies.unwrap_or(u16::MAX), Reverse(0)),
        (Wdl::Draw, _) => (1, 0, Reverse(0)),
        (Wdl::Win, plies) => (2, 0, Reverse(plies.unwrap_or(0))),
    }
}

/// The moves of a line from `fen`, each in the notation of its position.
pub fn line_text<R: Rules>(mut fen: Fen<R>, line: &[Move]) -> Vec<String> {
    let mut texts = Vec::with_capacity(line.len());
    for mv in line {
        texts.push(fen.move_text(mv, &fen.position.moves()));
        fen = fen.play(mv);
    }
    texts
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
        MoveJson { text: &mv.text, value: ValueJson::new(mv.value, mv.dtc) }
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
    fn new(value: Option<Value>, dtc: Option<Dtc>) -> Self {
        let (category, wdl) = match value.map(|value| value.wdl) {
            Some(Wdl::Win) => ("win", Some(2)),
            Some(Wdl::Draw) => ("draw", Some(0)),
            Some(Wdl::Loss) => ("loss", Some(-2)),
            None => ("unknown", None),
        };
        ValueJson {
            category,
            wdl,
            dtw: value.and_then(|value| value.dtw).map(|dtw| dtw.0),
            dtc: dtc.map(|dtc| dtc.plies),
        }
    }
}
