//! From the words of a solved pair to the file of one slice.
//!
//! A row of slots is one word of the view in which its runner runs, so values are copied a row at a time. Where that
//! view is not kept, a thread makes it for one placement of the men after the other: the rows of a placement follow
//! each other. Slots whose mover must capture are left free. Outcomes are read from two solutions, under the rules and
//! on the board. Blocks are encoded by all threads; what is written does not depend on them.

use std::path::Path;
use std::time::Duration;

use crate::board::{Bitboard, Geometry, Square};
use crate::build::progress::Progress;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout;
use crate::build::solver::library::{Finished, Pieces, Word};
use crate::build::solver::obligation::must_capture;
use crate::build::solver::reading::{Reading, Room};
use crate::build::threads;
use crate::index::{Indexer, Material, Order, Row, Runner};
use crate::rules::Rules;
use crate::table::{BlockEncoder, Coding, Distance, EncodedBlock, FREE, Header, Longest, Statistics, TableWriter};
use crate::value::{Dtc, Dtr, Metric, Outcome};

/// A table that was written, and by the clock of whoever lent one what that took.
#[derive(Debug)]
pub struct Stored {
    /// Its header.
    pub header: Header,
    /// Encoding its blocks.
    pub compressing: Duration,
    /// Writing and syncing the file.
    pub writing: Duration,
}

/// Writes the slice of `material`, one of the pair that `finished` is.
///
/// For outcomes, `board` is the same pair with counts ignored; `None` where no count changes a value.
///
/// # Errors
/// Where the file cannot be written.
pub fn store<R: Rules, L: Lanes>(
    finished: &Finished<R, L>,
    board: Option<&Finished<R, ()>>,
    material: Material,
    metric: Metric,
    path: &Path,
    progress: &dyn Progress,
) -> std::io::Result<Stored> {
    let now = || progress.now().unwrap_or_default();
    let began = now();
    let reader = Reader::<R, L>::new(finished, material);
    let board = board.map(|board| Reader::<R, ()>::new(board, material));
    let mut header = reader.header(metric, board.as_ref());
    let level = header.level;
    let blocks: Vec<(EncodedBlock, [Option<u64>; 2])> = threads::map_with(
        0..header.block_count(),
        || {
            (
                BlockEncoder::new(header.coding, level),
                Vec::new(),
                Reading::new(Room::WholePlacements),
                Reading::new(Room::WholePlacements),
            )
        },
        |(encoder, symbols, reading, reading_board), number| {
            let board = board.as_ref().map(|board| (board, reading_board));
            let longest = reader.symbols(&header, reading, board, number, symbols);
            let block = encoder.encode(symbols);
            progress.advance(symbols.len() as u64);
            (block, longest)
        },
    );
    for (side, longest) in
        [&mut header.statistics.longest_win, &mut header.statistics.longest_loss].into_iter().enumerate()
    {
        if let Some(longest) = longest {
            longest.slot = blocks.iter().find_map(|(_, l)| l[side]).expect("some slot has the longest distance");
        }
    }
    let encoded = now();
    let mut writer = TableWriter::create(path, &header)?;
    for (block, _) in &blocks {
        writer.push_block(block)?;
    }
    writer.finish()?;
    Ok(Stored { header, compressing: encoded - began, writing: now() - encoded })
}

/// Reads the values of one slice from the words of its pair.
struct Reader<'a, R: Rules, L> {
    finished: &'a Finished<R, L>,
    indexer: Indexer<R>,
    /// The side of the pair that is to move.
    mover: usize,
    /// Number of runners of the main view, each of which has its own word for the same position.
    alike: u64,
}

/// What reads the values of the board where outcomes are written.
type OnBoard<'a, R> = (&'a Reader<'a, R, ()>, &'a mut Reading<R, ()>);

impl<'a, R: Rules, L: Lanes> Reader<'a, R, L> {
    fn new(finished: &'a Finished<R, L>, material: Material) -> Self {
        let pair = finished.layout.pair;
        // A pair that is its own twin is kept with a piece of the second side running only.
        let as_kept = pair.sides == [material.ours(), material.theirs()] && !pair.is_own_twin();
        let mover = usize::from(!as_kept);
        let alike = match pair.runner() {
            layout::Runner::King => pair.sides[1].kings,
            layout::Runner::Man => pair.sides[1].men,
        };
        Reader { finished, indexer: Indexer::new(material), mover, alike: alike.into() }
    }

    /// The symbol of a position that is won or lost after `plies`.
    fn symbol(metric: Metric, won: bool, plies: u16) -> u16 {
        match metric {
            Metric::Wdl | Metric::Outcome => 1 + u16::from(won) - u16::from(!won),
            Metric::Dtw => plies + 1,
            Metric::Dtr => Dtr { wins: won, plies }.symbol(),
            Metric::Dtc => Dtc { wins: won, plies }.symbol(),
        }
    }

    /// Whether `metric` has distances, and they are known.
    fn is_timed(metric: Metric) -> bool {
        L::TIMED && metric != Metric::Outcome
    }

    fn header(&self, metric: Metric, board: Option<&Reader<'_, R, ()>>) -> Header {
        let statistics = self.statistics(Self::is_timed(metric));
        let is_cut = board.is_some_and(|board| {
            let board = board.statistics(false);
            (board.wins, board.losses) != (statistics.wins, statistics.losses)
        });
        let longest = statistics.histogram.last().map_or(u16::from(is_cut), |d| d.plies);
        let coding = Coding::of(metric, longest);
        Header {
            variant: R::NAME.to_string(),
            facts_hash: metric.facts_hash::<R>(),
            material: self.indexer.material().to_string(),
            metric,
            order: Order::of::<R>().number(),
            positions: self.indexer.placements(),
            slots: self.indexer.slots(),
            block_slots: coding.block_slots(),
            coding,
            level: coding.level(self.indexer.slots()),
            statistics,
        }
    }

    /// Counts over all positions, by words; the slots of the longest are not known yet.
    fn statistics(&self, timed: bool) -> Statistics {
        let places = self.finished.layout.placements.len();
        let counts = threads::map_with(threads::ranges(places as u64, 1), Reading::default, |reading, places| {
            let (mut won, mut lost) = (0, 0);
            let mut distances = Vec::<[u64; 2]>::new();
            for place in places {
                reading.words_of(self.finished, place as usize * 2 + self.mover, |word, lanes| {
                    won += u64::from(word.won.len());
                    lost += u64::from(word.lost.len());
                    if timed {
                        for (side, set) in [word.won, word.lost].into_iter().enumerate() {
                            for square in set {
                                let plies = lanes.get(square) as usize;
                                if distances.len() <= plies {
                                    distances.resize(plies + 1, [0; 2]);
                                }
                                distances[plies][side] += 1;
                            }
                        }
                    }
                });
            }
            (won, lost, distances)
        });
        let (mut won, mut lost, mut distances) = (0u64, 0u64, Vec::<[u64; 2]>::new());
        for (more_won, more_lost, more) in counts {
            won += more_won;
            lost += more_lost;
            distances.resize(distances.len().max(more.len()), [0; 2]);
            for (sum, more) in distances.iter_mut().zip(more) {
                *sum = [sum[0] + more[0], sum[1] + more[1]];
            }
        }
        let (wins, losses) = (won / self.alike, lost / self.alike);
        let histogram: Vec<Distance> = (0..)
            .zip(distances)
            .filter(|(_, n)| *n != [0, 0])
            .map(|(plies, n)| Distance { plies, wins: n[0] / self.alike, losses: n[1] / self.alike })
            .collect();
        let longest = |count: fn(&Distance) -> u64| {
            let last = histogram.iter().rfind(|d| count(d) > 0)?;
            Some(Longest { plies: last.plies, count: count(last), slot: 0 })
        };
        Statistics {
            wins,
            losses,
            draws: self.indexer.placements() - wins - losses,
            longest_win: longest(|d| d.wins),
            longest_loss: longest(|d| d.losses),
            histogram,
        }
    }

    /// The symbols of one block, free slots among them; returns the first slots with the longest win and loss.
    fn symbols(
        &self,
        header: &Header,
        reading: &mut Reading<R, L>,
        mut board: Option<OnBoard<'_, R>>,
        number: u64,
        symbols: &mut Vec<u16>,
    ) -> [Option<u64>; 2] {
        let timed = Self::is_timed(header.metric);
        let first = number * u64::from(header.block_slots);
        let end = first + header.slots_in_block(number) as u64;
        let longest = [&header.statistics.longest_win, &header.statistics.longest_loss]
            .map(|l| l.as_ref().map_or(u16::MAX, |l| l.plies));
        let mut found = [None; 2];
        symbols.clear();
        for row in self.indexer.rows_from(first) {
            if row.first_slot >= end {
                break;
            }
            let values = self.row(&row, reading);
            let on_board = board.as_mut().map(|(board, reading)| board.row(&row, reading).word).unwrap_or_default();
            let squares = self.indexer.order().in_order::<R::Geometry>(row.squares);
            for (slot, square) in (row.first_slot..).zip(squares) {
                if slot < first || slot >= end {
                    continue;
                }
                let (won, lost) = (values.word.won.contains(square), values.word.lost.contains(square));
                let decided = won || lost;
                let plies = if timed && decided { values.plies(square) } else { 0 };
                if timed && decided && plies == longest[usize::from(lost)] {
                    found[usize::from(lost)].get_or_insert(slot);
                }
                symbols.push(if values.captures.contains(square) {
                    FREE
                } else if decided {
                    Self::symbol(header.metric, won, plies)
                } else if on_board.won.contains(square) {
                    Outcome::CursedWin.symbol()
                } else if on_board.lost.contains(square) {
                    Outcome::BlessedLoss.symbol()
                } else {
                    u16::from(matches!(header.metric, Metric::Wdl | Metric::Outcome))
                });
            }
        }
        found
    }

    /// The values of a row, as the mover sees the board.
    #[inline]
    fn row(&self, row: &Row, reading: &mut Reading<R, L>) -> RowValues<L> {
        let seen = Pieces { men: [row.our_men, row.their_men], kings: [row.our_kings, row.their_kings] };
        // As the pair is kept, and the side whose piece runs.
        let (fixed, running) = if self.mover == 0 {
            (seen, usize::from(row.runner != Runner::OurKing))
        } else {
            (seen.turned::<R::Geometry>(), usize::from(row.runner == Runner::OurKing))
        };
        // As the obligation is asked for: the running piece on the second side.
        let man = row.runner == Runner::TheirMan;
        let kind = if man { layout::Runner::Man } else { layout::Runner::King };
        let captures = if row.runner == Runner::OurKing {
            let squares = R::Geometry::rotate(row.squares);
            R::Geometry::rotate(must_capture::<R>(&seen.turned::<R::Geometry>(), 1, kind, squares))
        } else {
            must_capture::<R>(&seen, 0, kind, row.squares)
        };
        if man && running == 0 {
            return self.row_of_men(row, reading, captures);
        }
        let (word, lanes) = self.finished.word(reading, 0, &fixed, running, self.mover);
        let turned = self.mover == 1;
        let word = if turned {
            Word { won: R::Geometry::rotate(word.won), lost: R::Geometry::rotate(word.lost) }
        } else {
            word
        };
        RowValues { word, captures, lanes, turned: turned.then_some(R::Geometry::TOP_BIT) }
    }

    /// As [`Reader::row`], where the pair is kept with a man of the other side running.
    fn row_of_men(&self, row: &Row, reading: &mut Reading<R, L>, captures: Bitboard) -> RowValues<L> {
        let (mut word, mut lanes) = (Word::default(), L::empty());
        for square in row.squares {
            let seen = Pieces { men: [row.our_men, row.their_men.with(square)], kings: [Bitboard::EMPTY; 2] };
            let (won, lost, plies) = self.finished.position(reading, 0, &seen.turned::<R::Geometry>(), self.mover);
            if won {
                word.won = word.won.with(square);
            }
            if lost {
                word.lost = word.lost.with(square);
            }
            lanes.set(square, plies);
        }
        RowValues { word, captures, lanes, turned: None }
    }
}

/// The values of the positions of a row, as the mover sees the board.
struct RowValues<L> {
    word: Word,
    captures: Bitboard,
    lanes: L,
    /// The highest bit of the board, where the lanes are those of the turned board.
    turned: Option<u32>,
}

impl<L: Lanes> RowValues<L> {
    #[inline(always)]
    fn plies(&self, square: Square) -> u16 {
        let square = self.turned.map_or(square, |top| Square::from_bit(top - square.bit()));
        self.lanes.get(square)
    }
}
