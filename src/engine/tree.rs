//! The tree below one position: principal variation search.
//!
//! ```text
//! visit(node, alpha, beta, depth):
//!     no move: lost;  a full count, or a repetition: drawn;  in a table: its value
//!     depth used up, no capture due and none threatened: a guess
//!     known from before, deep enough: that
//!     for each move, the promising first: the first with the whole window, the others only to see that they are not
//!         better; late quiet moves less deep; whatever is better after all again in full
//! ```
//!
//! There is no guess while a capture is due: it must be made, so it is searched. Where the opponent threatens one, the
//! mover has a ply to answer. A position with a single move costs no depth. Late moves are searched less deep off the
//! best line only. A position met before on the way from the root counts as drawn at once: whoever can avoid it would
//! have done so then; one from the game so far only at its third occurrence.
//!
//! A quick search, of few plies, takes a short cut on its last ply off the best line: where nothing is threatened and
//! the guess is good enough before a move, some quiet move will keep it so.

use crate::board::Geometry;
use crate::engine::heuristics::Heuristics;
use crate::engine::searcher::Options;
use crate::engine::tables::Tables;
use crate::engine::transposition::{Bound, Entry, Transpositions, key_of, mix};
use crate::engine::{DrawCounts, Evaluation, Game, Limits, Score};
use crate::position::{Move, Position};
use crate::rules::Rules;
use crate::tablebase::{ProbeError, Value};
use crate::value::Wdl;

/// Farther from the root nothing is searched.
pub(super) const MOST_PLIES: usize = 256;
/// By how much a guess must be good enough to be believed on the last ply of a quick search, in hundredths of a man:
/// what a man's step and the turn passed on change in the usual evaluation.
const MARGIN: i32 = 4;
/// Nodes between two looks at the clock.
const POLL: u64 = 1 << 10;

/// A position with what the rules must remember.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<R: Rules> {
    pub(super) position: Position<R>,
    counts: DrawCounts<R>,
    /// Plies since the last move that cannot be undone; positions before it do not come back.
    reversible: usize,
    capture_due: bool,
}

impl<R: Rules> Node<R> {
    fn root(game: &Game<R>) -> Self {
        let position = game.position();
        let (positions, moves) = (game.positions(), game.moves());
        let reversible =
            positions.iter().zip(moves).rev().take_while(|(before, mv)| !is_conversion(before, mv)).count();
        Node { position, counts: *game.counts(), reversible, capture_due: position.must_capture() }
    }

    #[inline]
    fn play(&self, mv: &Move) -> Self {
        let position = self.position.play(mv);
        Node {
            position,
            counts: self.counts.after(&self.position, mv, &position),
            reversible: if is_conversion(&self.position, mv) { 0 } else { self.reversible + 1 },
            capture_due: position.must_capture(),
        }
    }

    /// The key under which what is found `depth` plies deep is kept, made from that of the position: where a count may
    /// fill up so soon, positions with other counts are other positions.
    #[inline]
    fn table_key(&self, key: u64, depth: i32) -> u64 {
        let left = self.counts.left();
        if left > depth.unsigned_abs() { key } else { key ^ mix(1 + u64::from(left)) }
    }
}

/// Whether `mv` cannot be undone: a capture, or a man's move forward.
#[inline]
fn is_conversion<R: Rules>(before: &Position<R>, mv: &Move) -> bool {
    // Rows run from low bits to high ones, so a step sideways stays in the row of its square.
    mv.is_capture()
        || (before.our_men().contains(mv.from)
            && (R::Geometry::SIDEWAYS.is_empty() || R::Geometry::row(mv.to) < R::Geometry::row(mv.from)))
}

/// Buffers of one ply.
#[derive(Default, Debug)]
pub(super) struct List {
    moves: Vec<Move>,
    /// Promise and place in `moves` as [`rank`] joins them, those already searched first.
    order: Vec<u64>,
}

/// What stays from one search to the next.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) transpositions: Transpositions,
    pub(super) heuristics: Heuristics,
    lists: Vec<List>,
    /// By ply, the best line from there.
    lines: Vec<Vec<Move>>,
}

impl Memory {
    pub(super) fn new(table_bytes: usize) -> Self {
        Memory {
            transpositions: Transpositions::new(table_bytes),
            heuristics: Heuristics::new(MOST_PLIES + 1),
            lists: (0..=MOST_PLIES).map(|_| List::default()).collect(),
            lines: vec![Vec::new(); MOST_PLIES + 2],
        }
    }
}

/// Why a search has ended before it was through.
#[derive(Debug)]
pub(super) enum Ended {
    Limit,
    Error(ProbeError),
}

/// One search from one root.
#[derive(Debug)]
pub(super) struct Tree<'s, 't, R: Rules, E> {
    pub(super) evaluation: &'s E,
    pub(super) options: Options,
    pub(super) tables: Option<Tables<'t, R>>,
    pub(super) memory: &'s mut Memory,
    pub(super) limits: &'s Limits<'s>,
    pub(super) root: Node<R>,
    /// The only moves to consider at the root, where a table rules others out.
    pub(super) only: Option<Vec<Move>>,
    /// Tables do not answer positions with the material of the root: they would not show the way on.
    pub(super) spares_root_material: bool,
    pub(super) nodes: u64,
    /// The depth of this iteration.
    pub(super) depth: u32,
    pub(super) ended: Option<Ended>,
    /// The score of the best line of this iteration so far.
    pub(super) best: Score,
    /// The side to move at the root: 0 or 1.
    side: usize,
    /// Keys of the positions before the root that may come back, the root, and those on the way to the present one.
    path: Vec<u64>,
    before_root: usize,
}

impl<'s, 't, R: Rules, E: Evaluation<R>> Tree<'s, 't, R, E> {
    pub(super) fn new(
        game: &Game<R>,
        evaluation: &'s E,
        options: Options,
        tables: Option<Tables<'t, R>>,
        memory: &'s mut Memory,
        limits: &'s Limits<'s>,
    ) -> Self {
        let root = Node::root(game);
        let positions = game.positions();
        let path: Vec<u64> = positions[positions.len() - 1 - root.reversible..].iter().map(key_of).collect();
        Tree {
            evaluation,
            options,
            tables,
            memory,
            limits,
            root,
            only: None,
            spares_root_material: false,
            nodes: 0,
            depth: 0,
            ended: None,
            best: -Score::INFINITE,
            side: game.moves().len() & 1,
            before_root: path.len() - 1,
            path,
        }
    }

    /// Searches the root `self.depth` plies deep in a window. If the score lies inside it, [`Tree::line`] is its line.
    pub(super) fn search(&mut self, alpha: Score, beta: Score) -> Score {
        self.path.truncate(self.before_root);
        self.best = -Score::INFINITE;
        let root = self.root;
        self.visit(&root, alpha, beta, self.depth as i32, 0)
    }

    /// The best line of this iteration; empty if no move was better than the lower end of the window.
    pub(super) fn line(&self) -> &[Move] {
        &self.memory.lines[0]
    }

    /// Whether counts leave time for `value`, so that it holds under the rules of the game.
    pub(super) fn is_in_time(&self, value: Value, node: &Node<R>) -> bool {
        value.dtw.is_none_or(|dtw| u32::from(dtw.0) <= node.counts.left())
    }

    fn visit(&mut self, node: &Node<R>, alpha: Score, beta: Score, depth: i32, ply: usize) -> Score {
        self.memory.lines[ply].clear();
        self.count_node();
        if self.ended.is_some() {
            return Score::DRAW;
        }
        if !node.capture_due && !node.position.has_quiet() {
            return Score::loss_in(ply as u32);
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if ply > 0 {
            if node.counts.full().is_some() || self.repeats(node, ply) {
                return Score::DRAW;
            }
            // Nothing here is worse than to have lost now, or better than to win by the next move.
            alpha = alpha.max(Score::loss_in(ply as u32));
            beta = beta.min(Score::win_in(ply as u32 + 1));
            if alpha >= beta {
                return alpha;
            }
            if let Some(score) = self.probe(node, ply) {
                return score;
            }
        }
        if depth <= 0 && !node.capture_due && !self.waits(node, depth) || ply >= MOST_PLIES {
            return self.evaluation.score(&node.position);
        }
        let key = key_of(&node.position);
        self.path.push(key);
        let score = self.visit_moves(node, key, alpha, beta, depth, ply);
        self.path.pop();
        score
    }

    fn visit_moves(
        &mut self,
        node: &Node<R>,
        key: u64,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Score {
        let is_open = beta > alpha.plus(1);
        let table_key = node.table_key(key, depth);
        let known = if depth > 0 { self.memory.transpositions.get(table_key) } else { None };
        if let Some(entry) = known
            && !is_open
            && let Some(score) = usable(&entry, node, depth, ply)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            }
        {
            return score;
        }
        if self.options.quick && depth == 1 && !is_open && !node.capture_due {
            let guess = self.evaluation.score(&node.position).plus(-MARGIN);
            if guess >= beta && !node.position.turned().must_capture() {
                return guess;
            }
        }

        let mut list = std::mem::take(&mut self.memory.lists[ply]);
        self.list_moves(node, known.map_or(Entry::NO_MOVE, |entry| entry.best), ply, &mut list);
        let next_depth = if list.moves.len() == 1 && self.extends(depth, ply) { depth } else { depth - 1 };
        let (lowest, mut best, mut best_place) = (alpha, -Score::INFINITE, Entry::NO_MOVE);
        for i in 0..list.order.len() {
            let place = place_of(pick(&mut list.order, i));
            let mv = list.moves[place];
            let child = node.play(&mv);
            let score = if i == 0 {
                -self.visit(&child, -beta, -alpha, next_depth, ply + 1)
            } else {
                let reduced =
                    if is_open { next_depth } else { next_depth - self.reduction(node, &mv, &child, i, depth) };
                let mut score = -self.visit(&child, -alpha.plus(1), -alpha, reduced, ply + 1);
                if score > alpha && reduced < next_depth {
                    score = -self.visit(&child, -alpha.plus(1), -alpha, next_depth, ply + 1);
                }
                if score > alpha && score < beta {
                    score = -self.visit(&child, -beta, -alpha, next_depth, ply + 1);
                }
                score
            };
            if self.ended.is_some() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_place = u8::try_from(place).unwrap_or(Entry::NO_MOVE);
                    self.keep_line(mv, ply, score);
                }
                if score >= beta {
                    if !node.capture_due {
                        let tried = list.order[..i].iter().map(|&rank| &list.moves[place_of(rank)]);
                        self.memory.heuristics.refuted(&mv, tried, (ply, self.side + ply), depth);
                    }
                    break;
                }
            }
        }
        self.memory.lists[ply] = list;
        if depth > 0 && self.ended.is_none() {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > lowest => Bound::Exact,
                _ => Bound::Upper,
            };
            self.memory.transpositions.put(table_key, depth, best.below_root(ply as u32), bound, best_place);
        }
        best
    }

    /// Whether a guess is put off by a ply, so that the mover can answer a threat to capture.
    #[inline]
    fn waits(&self, node: &Node<R>, depth: i32) -> bool {
        self.options.threats && depth == 0 && node.position.turned().must_capture()
    }

    /// Whether a single move costs no depth here.
    #[inline]
    fn extends(&self, depth: i32, ply: usize) -> bool {
        // The last ply of a quick search is not put off beyond the depth asked for.
        let is_spent = self.options.quick && depth <= 1 && ply >= self.depth as usize;
        self.options.extensions && ply < 2 * self.depth as usize && !is_spent
    }

    /// Plies by which a move is searched less deep at first.
    #[inline]
    fn reduction(&self, node: &Node<R>, mv: &Move, child: &Node<R>, number: usize, depth: i32) -> i32 {
        // A move that forces a capture may be a shot.
        if !self.options.reductions || depth < 3 || number < 4 || node.capture_due || child.capture_due || mv.promotes {
            0
        } else if depth < 7 || number < 8 {
            1
        } else {
            2
        }
    }

    /// Fills `list` with the legal moves, and their promise.
    #[inline]
    fn list_moves(&self, node: &Node<R>, known_best: u8, ply: usize, list: &mut List) {
        if node.capture_due {
            node.position.captures_into(&mut list.moves);
        } else {
            node.position.quiets_into(&mut list.moves);
        }
        if ply == 0
            && let Some(only) = &self.only
        {
            list.moves.retain(|mv| only.contains(mv));
        }
        list.order.clear();
        let kings = node.position.their_kings();
        for (place, mv) in list.moves.iter().enumerate() {
            let promise = if place == usize::from(known_best) && known_best != Entry::NO_MOVE {
                i32::MAX
            } else if node.capture_due {
                (mv.captured.len() + 2 * (mv.captured & kings).len() + u32::from(mv.promotes)) as i32
            } else if mv.promotes {
                1 << 15
            } else {
                self.memory.heuristics.promise(mv, ply, self.side + ply)
            };
            list.order.push(rank(promise, place));
        }
    }

    /// The line from `ply` on is `mv` and then that of the next ply.
    #[inline]
    fn keep_line(&mut self, mv: Move, ply: usize, score: Score) {
        let (here, next) = self.memory.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&next[0]);
        if ply == 0 {
            self.best = score;
        }
    }

    /// Counts a node, or ends the search at a limit.
    #[inline]
    fn count_node(&mut self) {
        if self.ended.is_some() {
            return;
        }
        // A search of one ply is always finished, so that there is a move.
        let is_over = self.nodes >= self.limits.nodes || self.nodes.is_multiple_of(POLL) && self.is_time_up();
        if self.depth > 1 && is_over {
            self.ended = Some(Ended::Limit);
        } else {
            self.nodes += 1;
        }
    }

    #[cold]
    fn is_time_up(&self) -> bool {
        self.limits.stop.is_some_and(|stop| stop()) || self.limits.time.is_some_and(|time| (time.now)() >= time.until)
    }

    /// Whether the position has been here before: once since the root, or twice in the game.
    #[inline]
    fn repeats(&self, node: &Node<R>, ply: usize) -> bool {
        // Neither side can be back sooner than after two moves each.
        if node.reversible < 4 {
            return false;
        }
        let (key, mut before) = (key_of(&node.position), 0);
        for distance in (4..=node.reversible).step_by(2) {
            if self.path[self.path.len() - distance] == key {
                before += 1;
                if distance < ply || before == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The exact score of the position, if a table has it and counts leave time for it.
    #[inline]
    fn probe(&mut self, node: &Node<R>, ply: usize) -> Option<Score> {
        let tables = self.tables.as_ref()?;
        let position = &node.position;
        if node.capture_due || position.occupied().len() > tables.most_pieces() || position.theirs().is_empty() {
            return None;
        }
        let root = &self.root.position;
        let same_material =
            (position.occupied().len(), position.kings().len()) == (root.occupied().len(), root.kings().len());
        if self.spares_root_material && same_material {
            return None;
        }
        match tables.probe(position, ply as u32) {
            Ok(Some(value)) if self.is_in_time(value, node) => Some(score_of(value, ply as u32)),
            Ok(_) => None,
            Err(error) => {
                self.ended = Some(Ended::Error(error));
                None
            }
        }
    }
}

/// The score of a position with a value from a table, `ply` plies from the root.
pub(super) fn score_of(value: Value, ply: u32) -> Score {
    let won = |distance: Option<u32>| match distance {
        Some(plies) => Score::win_in(ply + plies),
        None => Score::win_by_table(ply),
    };
    let distance = value.dtw.map(|dtw| u32::from(dtw.0));
    match value.wdl {
        Wdl::Win => won(distance),
        Wdl::Draw => Score::DRAW,
        Wdl::Loss => -won(distance),
    }
}

/// What is known from before, if it holds here: found deep enough, and not a win or a loss that a count cuts off.
#[inline]
fn usable<R: Rules>(entry: &Entry, node: &Node<R>, depth: i32, ply: usize) -> Option<Score> {
    let in_time = entry.score.plies().is_none_or(|plies| plies <= node.counts.left());
    (entry.depth() >= depth && in_time).then(|| entry.score.at_root(ply as u32))
}

/// Joins promise, in the upper half, and place to one number, so that moves are compared and swapped without a branch.
#[inline]
fn rank(promise: i32, place: usize) -> u64 {
    let promise = promise.wrapping_sub(i32::MIN) as u32;
    u64::from(promise) << 32 | u64::from(!(place as u32))
}

/// The place in a rank.
#[inline]
fn place_of(rank: u64) -> usize {
    !(rank as u32) as usize
}

/// Brings the first of the most promising of `order[from..]` to `from` and returns it.
#[inline]
fn pick(order: &mut [u64], from: usize) -> u64 {
    let (mut best, mut greatest) = (from, order[from]);
    for (i, &rank) in order.iter().enumerate().skip(from + 1) {
        let is_greater = rank >> 32 > greatest >> 32;
        best = if is_greater { i } else { best };
        greatest = if is_greater { rank } else { greatest };
    }
    order.swap(from, best);
    greatest
}
