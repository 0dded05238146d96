//! The search for the best move: deeper and deeper, each time guided by what the time before found.

use crate::engine::tree::{Ended, Memory, Tree, score_of};
use crate::engine::{Evaluation, Game, Limits, Score, Tables};
use crate::position::{Move, Position};
use crate::rules::Rules;
use crate::tablebase::{ProbeError, Value};

/// The first window around the last score, in hundredths of a man to either side.
const WINDOW: i32 = 15;
/// A window wider than this is opened altogether.
const WIDEST: i32 = 500;

/// How a searcher works. The defaults play best; a plain search of a fixed depth has none of the four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table in bytes: the largest power of two not above it is used.
    pub table_bytes: usize,
    /// Whether late quiet moves are searched less deep at first.
    pub reductions: bool,
    /// Whether a position with a single move costs no depth.
    pub extensions: bool,
    /// Whether a guess waits one ply more where the opponent, were it his turn, could capture.
    pub threats: bool,
    /// Whether the search is one for shallow depths, where speed counts: it deepens by two plies at a time; on the last
    /// ply off the best line it believes a guess that is good enough and under no threat; and there a single move costs
    /// a ply once as many plies as asked for lie behind. Captures are searched out and tables asked as ever.
    pub quick: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { table_bytes: 16 << 20, reductions: true, extensions: true, threats: true, quick: false }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The worth of the position to its mover.
    pub score: Score,
    /// The best line, as far as it was seen, to the end of the game where tables show the way. Its first move is the
    /// best move; empty only if there is no move.
    pub line: Vec<Move>,
    /// Plies that were looked ahead in full.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether a table holds the value of the position itself, and the score is that.
    pub is_exact: bool,
}

/// Finds the best move. One a thread: nothing is shared but the tables.
///
/// What it remembers from one search helps the next of the same game, and changes what that finds; after
/// [`Searcher::clear`] it finds what a new one finds.
///
/// # Examples
/// ```
/// use endame::engine::{Game, Limits, MaterialEvaluation, Options, Score, Searcher};
/// use endame::rules::International;
///
/// let game = Game::<International>::new("W:WK12,K44:BK1".parse()?);
/// let mut searcher = Searcher::new(MaterialEvaluation::of::<International>(), Options::default());
/// let found = searcher.search(&game, &Limits::depth(8))?;
/// assert_eq!(found.score, Score::win_in(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Searcher<'t, R, E> {
    evaluation: E,
    options: Options,
    tables: Option<Tables<'t, R>>,
    memory: Memory,
}

impl<'t, R: Rules, E: Evaluation<R>> Searcher<'t, R, E> {
    /// A searcher without tables.
    #[must_use]
    pub fn new(evaluation: E, options: Options) -> Self {
        Searcher { evaluation, options, tables: None, memory: Memory::new(options.table_bytes) }
    }

    /// From now on, positions in `tables` have their exact value.
    #[must_use]
    pub fn with_tables(mut self, tables: Tables<'t, R>) -> Self {
        self.tables = Some(tables);
        self
    }

    /// The evaluation.
    #[must_use]
    pub const fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// Forgets all searches, as before another game.
    pub fn clear(&mut self) {
        self.memory.transpositions.clear();
        self.memory.heuristics.clear();
    }

    /// Searches the present position of `game`, knowing what has been before. Whether the game is over by a count, a
    /// repetition or a limit is not asked.
    ///
    /// # Errors
    /// [`ProbeError::Table`] where a table turns out to be damaged.
    pub fn search(&mut self, game: &Game<R>, limits: &Limits<'_>) -> Result<Found, ProbeError> {
        let position = game.position();
        if position.is_over() {
            return Ok(Found { score: Score::loss_in(0), line: Vec::new(), depth: 0, nodes: 0, is_exact: true });
        }
        let began = limits.time.map(|time| (time.now)());
        self.memory.transpositions.age();
        self.memory.heuristics.age();
        let mut tree = Tree::new(game, &self.evaluation, self.options, self.tables, &mut self.memory, limits);
        let root_value = match &self.tables {
            Some(tables) => probe(tables, &position)?.filter(|value| tree.is_in_time(*value, &tree.root)),
            None => None,
        };
        if let (Some(value), Some(tables)) = (root_value, &self.tables) {
            // Where the distance is not known, only moves that keep the value, and then towards another material.
            if score_of(value, 0).decided().is_some() && value.dtw.is_none() {
                tree.only = Some(keeping(tables, &position, value)?);
                tree.spares_root_material = true;
            }
        }
        // One ply from a table with distances everything is known.
        let is_settled = root_value.is_some() && !tree.spares_root_material;
        let deepest = if is_settled { 1 } else { limits.depth.clamp(1, Limits::DEEPEST) };

        let mut found = Found { score: Score::DRAW, line: Vec::new(), depth: 0, nodes: 0, is_exact: false };
        // Two plies more have the same side to move last, so that guesses compare.
        let (first, step) = if self.options.quick { (2 - deepest % 2, 2) } else { (1, 1) };
        for depth in (first..=deepest).step_by(step) {
            tree.depth = depth;
            let score = deepen(&mut tree, found.score);
            match tree.ended.take() {
                Some(Ended::Error(error)) => return Err(error),
                Some(Ended::Limit) => {
                    // What this iteration had found so far is better than the last one.
                    if !tree.line().is_empty() {
                        found.score = tree.best;
                        found.line = tree.line().to_vec();
                    }
                    break;
                }
                None => {
                    found.score = score;
                    found.line = tree.line().to_vec();
                    found.depth = depth;
                }
            }
            let is_seen = found.score.plies().is_some_and(|plies| plies <= depth);
            let is_late = limits.time.zip(began).is_some_and(|(time, began)| {
                let now = (time.now)();
                now.saturating_sub(began) >= time.until.saturating_sub(now)
            });
            if is_seen || is_late || tree.nodes >= limits.nodes {
                break;
            }
        }
        found.nodes = tree.nodes;
        if let Some(value) = root_value {
            let exact = score_of(value, 0);
            found.is_exact = !is_settled || found.score == exact;
            if !is_settled && found.score.decided() != exact.decided() {
                found.score = exact;
            }
        }
        if let Some(tables) = &self.tables {
            extend_line(tables, position, &mut found)?;
        }
        Ok(found)
    }
}

/// One search to the depth of `tree`, in a window around `last` that is widened until the score lies inside.
fn deepen<R: Rules, E: Evaluation<R>>(tree: &mut Tree<'_, '_, R, E>, last: Score) -> Score {
    let mut width = if tree.depth > 2 && last.decided().is_none() { WINDOW } else { WIDEST };
    loop {
        let is_open = width >= WIDEST;
        let alpha = if is_open { -Score::INFINITE } else { last.plus(-width) };
        let beta = if is_open { Score::INFINITE } else { last.plus(width) };
        let score = tree.search(alpha, beta);
        if tree.ended.is_some() || (alpha < score && score < beta) {
            return score;
        }
        width *= 4;
    }
}

/// The value of any position, if the tables have what it needs.
fn probe<R: Rules>(tables: &Tables<'_, R>, position: &Position<R>) -> Result<Option<Value>, ProbeError> {
    if position.occupied().len() > tables.most_pieces() {
        return Ok(None);
    }
    match tables.tablebase().probe(position) {
        Ok(value) => Ok(Some(value)),
        Err(ProbeError::NoTable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The moves that keep `value`.
fn keeping<R: Rules>(tables: &Tables<'_, R>, position: &Position<R>, value: Value) -> Result<Vec<Move>, ProbeError> {
    let mut moves = position.moves();
    let mut keeping = Vec::new();
    for mv in &moves {
        if probe(tables, &position.play(mv))?.is_some_and(|after| after.wdl == value.wdl.negated()) {
            keeping.push(*mv);
        }
    }
    if !keeping.is_empty() {
        moves = keeping;
    }
    Ok(moves)
}

/// Adds the way from the end of the line to the end of the game, where the tables show it and it takes as long as the
/// score says.
fn extend_line<R: Rules>(tables: &Tables<'_, R>, root: Position<R>, found: &mut Found) -> Result<(), ProbeError> {
    let Some(plies) = found.score.plies() else { return Ok(()) };
    let end = found.line.iter().fold(root, |position, mv| position.play(mv));
    if plies as usize <= found.line.len() || end.occupied().len() > tables.most_pieces() {
        return Ok(());
    }
    match tables.tablebase().best_line(&end) {
        Ok(rest) if found.line.len() + rest.len() == plies as usize => found.line.extend(rest),
        Ok(_) | Err(ProbeError::NoTable { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}
