//! The positions of a pair and the moves between them.
//!
//! Every position that one side wins on the board keeps what its conversions out of the pair need, and a list of its
//! moves within it; of the winner only those that keep the win on the board. A move is a word: the number of the
//! position it leads to, and above it the set of rules whose count goes on.

use std::ops::Range;

use crate::build::several::need::{Before, MOST_PLIES, Need, Staircase, Stairs};
use crate::build::several::{Known, number_of};
use crate::build::solver::Unsolved;
use crate::build::threads;
use crate::index::Indexer;
use crate::position::{MOST_RULES, Position};
use crate::rules::Rules;

/// Bits of the number of a position.
const NUMBER_BITS: u32 = 24;
/// Positions that a thread lists at a time.
const CHUNK: u64 = 1 << 12;

/// The side that wins a position on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    Neither,
    Mover,
    Opponent,
}

/// The moves of a pair.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    /// The moves of all positions in turn, and where those of each begin.
    moves: Vec<u32>,
    starts: Vec<u32>,
    /// Plies of the rules, by number.
    limits: Need,
}

/// A position.
#[derive(Debug)]
struct Node {
    winner: Winner,
    /// The rules that count there, of those that are tracked.
    scope: u8,
    /// What its conversions out of the pair need: any of them for the winner, all for the loser.
    given: Staircase,
}

/// The rules as a mask of bytes.
const MASKS: [u64; 256] = {
    let mut masks = [0; 256];
    let mut rules = 0;
    while rules < 256 {
        let mut number = 0;
        while number < MOST_RULES {
            if rules >> number & 1 != 0 {
                masks[rules] |= 0xff << (8 * number);
            }
            number += 1;
        }
        rules += 1;
    }
    masks
};

impl Graph {
    /// Lists the moves of the slices of a pair.
    pub fn new<R: Rules>(
        slices: &[Indexer<R>],
        tracked: u8,
        known: &Known<'_, R>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Graph, Unsolved> {
        let positions: u64 = slices.iter().map(Indexer::slots).sum();
        assert!(positions <= 1 << NUMBER_BITS, "the plan leaves larger pairs out");
        let plies: [u8; MOST_RULES] = std::array::from_fn(|number| {
            let plies = R::DRAW_RULES.get(number).map_or(0, |rule| rule.plies);
            assert!(plies <= MOST_PLIES, "several counts at once are of 0 to 126 plies");
            plies as u8
        });
        let lister = Lister { slices, tracked, known, limits: Need::new(plies) };
        let numbers =
            || (0..positions.div_ceil(CHUNK)).map(|chunk| chunk * CHUNK..((chunk + 1) * CHUNK).min(positions));
        let mut winners = Vec::with_capacity(positions as usize);
        let of_chunk =
            |numbers: Range<u64>| numbers.map(|number| known.winner(&lister.position(number))).collect::<Vec<Winner>>();
        threads::map(numbers(), of_chunk).into_iter().for_each(|chunk| winners.extend(chunk));
        let list = |(): &mut (), numbers| {
            if stopped() { Err(Unsolved::Stopped) } else { Ok(lister.list(numbers, &winners)) }
        };
        let chunks: Vec<Graph> = threads::try_map_with(numbers(), || (), list)?;
        let mut graph = Graph { nodes: Vec::new(), moves: Vec::new(), starts: vec![0], limits: lister.limits };
        graph.nodes.reserve_exact(positions as usize);
        graph.moves.reserve_exact(chunks.iter().map(|chunk| chunk.moves.len()).sum());
        for chunk in chunks {
            let first = graph.moves.len() as u32;
            graph.starts.extend(chunk.starts[1..].iter().map(|start| first + start));
            graph.nodes.extend(chunk.nodes);
            graph.moves.extend(chunk.moves);
        }
        Ok(graph)
    }

    /// What positions need by conversions alone.
    pub fn start(&self) -> Vec<Staircase> {
        let starts = |(number, node): (usize, &Node)| match node.winner {
            Winner::Opponent if !self.moves_of(number as u32).is_empty() => Staircase::NEVER,
            _ => node.given.clone(),
        };
        self.nodes.iter().enumerate().map(starts).collect()
    }

    /// The positions before each one.
    pub fn before(&self) -> Backward {
        let number_of = |mv: &u32| (mv & ((1 << NUMBER_BITS) - 1)) as usize;
        let mut starts = vec![0u32; self.nodes.len() + 2];
        for mv in &self.moves {
            starts[number_of(mv) + 2] += 1;
        }
        for number in 2..starts.len() {
            starts[number] += starts[number - 1];
        }
        // Counted one further, so that filling a list in moves its start to where it belongs.
        let mut positions = vec![0; self.moves.len()];
        for number in 0..self.nodes.len() as u32 {
            for mv in self.moves_of(number) {
                let at = &mut starts[number_of(mv) + 1];
                positions[*at as usize] = number;
                *at += 1;
            }
        }
        Backward { positions, starts }
    }

    /// What a position needs, where its successors need `stairs`.
    pub fn value(&self, number: u32, stairs: &[Staircase], scratch: &mut Stairs) -> Staircase {
        let node = &self.nodes[number as usize];
        scratch.start(&node.given);
        let mut before = Before { goes_on: 0, counting: Need::one_ply(node.scope), limits: self.limits };
        for mv in self.moves_of(number) {
            let after = &stairs[(mv & ((1 << NUMBER_BITS) - 1)) as usize];
            before.goes_on = MASKS[(mv >> NUMBER_BITS) as usize];
            match node.winner {
                Winner::Mover => scratch.or(after, &before),
                _ => scratch.and(after, &before),
            }
            if node.winner == Winner::Opponent && scratch.is_never() {
                break;
            }
        }
        scratch.finish()
    }

    fn moves_of(&self, number: u32) -> &[u32] {
        &self.moves[self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize]
    }
}

/// For each position those from which a move leads there.
#[derive(Debug)]
pub struct Backward {
    positions: Vec<u32>,
    starts: Vec<u32>,
}

impl Backward {
    /// The positions before position `number`.
    pub fn of(&self, number: u32) -> &[u32] {
        &self.positions[self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize]
    }
}

/// Lists moves.
struct Lister<'a, R: Rules> {
    slices: &'a [Indexer<R>],
    tracked: u8,
    known: &'a Known<'a, R>,
    limits: Need,
}

impl<R: Rules> Lister<'_, R> {
    fn position(&self, number: u64) -> Position<R> {
        let first = &self.slices[0];
        match number.checked_sub(first.slots()) {
            None => first.from_slot(number),
            Some(slot) => self.slices[1].from_slot(slot),
        }
    }

    /// The part of the graph for a range of positions.
    fn list(&self, numbers: Range<u64>, winners: &[Winner]) -> Graph {
        let mut part = Graph { nodes: Vec::new(), moves: Vec::new(), starts: vec![0], limits: self.limits };
        let (mut legal, mut stairs) = (Vec::new(), Stairs::default());
        for number in numbers {
            let winner = winners[number as usize];
            let node = match winner {
                Winner::Neither => Node { winner, scope: 0, given: Staircase::NEVER },
                _ => self.node(&self.position(number), winner, winners, &mut part.moves, (&mut legal, &mut stairs)),
            };
            if node.winner == Winner::Neither {
                let first = *part.starts.last().expect("the first start is there from the beginning");
                part.moves.truncate(first as usize);
            }
            part.starts.push(part.moves.len() as u32);
            part.nodes.push(node);
        }
        part
    }

    /// A position that one side wins on the board; adds its moves within the pair. One that the loser can leave for a
    /// position not won under the rules is won by neither.
    fn node(
        &self,
        position: &Position<R>,
        winner: Winner,
        winners: &[Winner],
        moves: &mut Vec<u32>,
        (legal, stairs): (&mut Vec<crate::position::Move>, &mut Stairs),
    ) -> Node {
        let of_material = position.rules_of_material();
        let in_scope = position.rules_in_scope(of_material);
        let scope = in_scope & self.tracked;
        let (ours, theirs) = position.sides();
        stairs.start(if winner == Winner::Mover { &Staircase::NEVER } else { &Staircase::NOTHING });
        position.moves_into(legal);
        for mv in legal.iter() {
            let (kind, after) = (position.kind(mv), position.play(mv));
            let stays = after.sides() == (theirs, ours);
            let there = after.rules_in_scope(if stays { of_material } else { after.rules_of_material() });
            let is_reset = |number: usize| R::DRAW_RULES[number].resets_on.is_reset_by(kind);
            let goes_on = (0..R::DRAW_RULES.len())
                .fold(0, |set, number| set | u8::from(scope & there & 1 << number != 0 && !is_reset(number)) << number);
            if stays {
                let number = number_of(self.slices, &after);
                if winner == Winner::Opponent || winners[number] == Winner::Opponent {
                    moves.push(number as u32 | u32::from(goes_on) << NUMBER_BITS);
                }
                continue;
            }
            let before =
                Before { goes_on: MASKS[goes_on as usize], counting: Need::one_ply(scope), limits: self.limits };
            if winner == Winner::Opponent {
                stairs.and(&self.known.stairs(&after), &before);
                if stairs.is_never() {
                    return Node { winner: Winner::Neither, scope, given: Staircase::NEVER };
                }
            } else if after.ours().is_empty() || self.known.winner(&after) == Winner::Opponent {
                stairs.or(&self.known.stairs(&after), &before);
            }
        }
        Node { winner, scope, given: stairs.finish() }
    }
}
