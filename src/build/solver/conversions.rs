//! What conversions say about a word: moves that leave the block for good.
//!
//! Captures, men's advances and promotions lead to finished slices or to an earlier level. They are looked at once for
//! each word and give, for every square of the running piece: won already; lost unless a reversible move helps; or
//! open. Where a side must capture, nothing else counts and the value is settled.

use crate::board::{Bitboard, Geometry};
use crate::build::solver::captures::Leaf;
use crate::build::solver::eyes::Eyes;
use crate::build::solver::lanes::Lanes;
use crate::build::solver::layout::{Layout, Runner};
use crate::build::solver::library::{Found, KeptWord, Library, Pieces, Word};
use crate::build::solver::reading::Reading;
use crate::build::solver::sets::Sets;
use crate::rules::{DrawRule, MoveKind, Rules, Side};

/// After which conversions the count of plies goes on, so that what follows them counts too.
///
/// A count that does not go on ends with the conversion, which then counts 1 whatever follows it.
#[derive(Clone, Copy, Debug)]
pub enum GoesOn {
    /// After all: to the end of the game.
    Always,
    /// After none: to the next conversion.
    Never,
    /// After those that do not reset the count of this draw rule, nor lead out of its scope.
    Under(&'static DrawRule),
}

impl GoesOn {
    /// Whether conversions can take more than one ply to what is timed.
    #[must_use]
    pub const fn measures(self) -> bool {
        !matches!(self, GoesOn::Never)
    }

    /// Whether it goes on after a man's move forward that does not promote it.
    #[must_use]
    pub const fn after_an_advance(self) -> bool {
        match self {
            GoesOn::Always => true,
            GoesOn::Never => false,
            GoesOn::Under(rule) => !rule.resets_on.is_reset_by(MoveKind::Man),
        }
    }
}

/// What conversions say about the positions of a word with one side to move.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<L> {
    /// Squares for which the side must capture: their values are settled.
    pub captures: Bitboard,
    /// Squares for which some conversion wins.
    pub won: Bitboard,
    /// Squares for which some conversion does not lose.
    pub safe: Bitboard,
    /// Squares for which some conversion loses.
    pub losing: Bitboard,
    /// The soonest win by a conversion, where there is one.
    pub soonest: L,
    /// The latest loss by a conversion, where there is one.
    pub latest: L,
    /// Whether these two are measured: they are all 1 where every conversion ends the count.
    measures: bool,
}

/// The pieces of a word that do not run, and where the word lies.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The fixed pieces.
    pub fixed: Pieces,
    /// The squares on which the running piece may stand.
    pub squares: Bitboard,
    /// Number of the word among those of its placement and side to move.
    pub word: usize,
}

/// A move forward of a fixed man, possible where no king is in the way.
#[derive(Clone, Copy, Debug)]
pub struct Advance {
    from: Bitboard,
    to: Bitboard,
    /// The first word, with the other side to move, of the placement after it; `None` where it promotes the man.
    first: Option<usize>,
}

/// Words of the slice itself that lie before the level being solved.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a, R: Rules, L> {
    /// Words of the pair before the first of these.
    pub first: usize,
    /// By placement, side to move and word.
    pub words: &'a [KeptWord<R::Geometry>],
    /// Their distances.
    pub lanes: &'a [L],
}

/// Looks at the conversions of one word after the other.
#[derive(Clone, Copy, Debug)]
pub struct Conversions<'a, R: Rules, L: Lanes> {
    layout: &'a Layout,
    library: &'a Library<R, L>,
    goes_on: GoesOn,
    rules: std::marker::PhantomData<R>,
}

impl<'a, R: Rules, L: Lanes> Conversions<'a, R, L> {
    /// For the pair laid out by `layout`, reading finished slices from `library`.
    pub fn new(layout: &'a Layout, library: &'a Library<R, L>, goes_on: GoesOn) -> Self {
        Conversions { layout, library, goes_on, rules: std::marker::PhantomData }
    }

    /// Whether the count goes on after a conversion that leaves `after`, and the running piece where it `runs`.
    #[inline]
    fn goes_on(&self, kind: MoveKind, after: &Pieces, runs: bool) -> bool {
        let GoesOn::Under(rule) = self.goes_on else { return matches!(self.goes_on, GoesOn::Always) };
        let mut sides = [0, 1].map(|i| Side { kings: after.kings[i].len(), men: after.men[i].len() });
        if runs {
            match self.layout.pair.runner() {
                Runner::King => sides[1].kings += 1,
                Runner::Man => sides[1].men += 1,
            }
        }
        rule.goes_on(kind, sides[0], sides[1])
    }

    /// What the captures of `side` say about a word.
    pub fn captures(&self, eyes: &mut Eyes<R, L>, at: &At, side: usize) -> Verdict<L> {
        let Eyes { captures, reading } = eyes;
        let runner = self.layout.pair.runner();
        let mut verdict = Verdict {
            captures: Bitboard::EMPTY,
            won: Bitboard::EMPTY,
            safe: Bitboard::EMPTY,
            losing: Bitboard::EMPTY,
            soonest: L::latest(),
            latest: L::empty(),
            measures: L::TIMED && self.goes_on.measures(),
        };
        if at.squares.is_empty() {
            return verdict;
        }
        captures.find::<R>(&at.fixed, side, runner, at.squares);
        verdict.captures = captures.obligatory();
        let mut last = None;
        for leaf in &captures.leaves {
            let squares = verdict.undecided(captures.allowed(leaf));
            if squares.any() {
                self.capture(&mut verdict, reading, &at.fixed, side, leaf, squares, &mut last);
            }
        }
        verdict
    }

    /// Adds what moves of men forward say, where there is no capture; `advances` are those of the fixed men of `side`.
    pub fn forward(
        &self,
        verdict: &mut Verdict<L>,
        reading: &mut Reading<R, L>,
        at: &At,
        side: usize,
        before: Before<'_, R, L>,
        advances: &[Advance],
    ) {
        let quiet = at.squares.minus(verdict.captures);
        if quiet.any() {
            self.advances(verdict, reading, at, side, quiet, before, advances);
            if side == 1 && self.layout.pair.runner() == Runner::Man {
                self.promotions_of_the_running_man(verdict, reading, at, quiet);
            }
        }
    }

    /// `last` is the word in which the capturer of the capture before ran, and which capture that was.
    #[expect(clippy::too_many_arguments, reason = "a capture of a word, and what is read and remembered on the way")]
    fn capture(
        &self,
        verdict: &mut Verdict<L>,
        reading: &mut Reading<R, L>,
        fixed: &Pieces,
        side: usize,
        leaf: &Leaf,
        squares: Bitboard,
        last: &mut Option<Last<L>>,
    ) {
        let runs_over = leaf.is_king && R::FLYING_KINGS && !leaf.runs;
        if let Some(last) = last.as_ref().filter(|last| runs_over && last.capture == (leaf.from, leaf.taken)) {
            verdict.choice::<R>(&last.found, leaf.to, last.goes_on, squares);
            return;
        }
        let mut after = *fixed;
        let from = leaf.from;
        if leaf.was_king {
            after.kings[side] = after.kings[side].minus(from);
        } else {
            after.men[side] = after.men[side].minus(from);
        }
        let other = 1 - side;
        after.men[other] = after.men[other].minus(leaf.taken);
        after.kings[other] = after.kings[other].minus(leaf.taken);
        if after.of(other).is_empty() && !(leaf.runs && side == 0) {
            verdict.over(squares);
            return;
        }
        // The board without the capturer, which runs over the squares where it may end if it is a king then.
        let without = after;
        if leaf.is_king {
            after.kings[side] |= leaf.to.lowest();
        } else {
            after.men[side] |= leaf.to;
        }
        let goes_on = self.goes_on(MoveKind::Capture, &after, leaf.runs);
        if leaf.runs {
            self.with_running_piece(verdict, reading, &after, other, squares, goes_on);
            return;
        }
        if !runs_over {
            let (won, lost, plies) = self.library.position(reading, &after, other);
            verdict.one(won, lost, if goes_on { plies } else { 0 }, squares);
            return;
        }
        let found = self.library.king_word_as_kept(reading, &without, side, other);
        verdict.choice::<R>(&found, leaf.to, goes_on, squares);
        *last = Some(Last { capture: (leaf.from, leaf.taken), found, goes_on });
    }

    /// Reads the word in which the running piece still runs.
    fn with_running_piece(
        &self,
        verdict: &mut Verdict<L>,
        reading: &mut Reading<R, L>,
        fixed: &Pieces,
        mover: usize,
        squares: Bitboard,
        goes_on: bool,
    ) {
        if self.layout.pair.runner() == Runner::King {
            let found = self.library.king_word(reading, fixed, 1, mover);
            verdict.word(&found, squares, goes_on);
            return;
        }
        if (fixed.kings[0] | fixed.kings[1]).is_empty()
            && let Some(found) = self.library.man_word(reading, fixed, mover)
        {
            verdict.word(&found, squares, goes_on);
            return;
        }
        for square in squares {
            let mut pieces = *fixed;
            pieces.men[1] = pieces.men[1].with(square);
            let (won, lost, plies) = self.library.position(reading, &pieces, mover);
            verdict.one(won, lost, if goes_on { plies } else { 0 }, Bitboard::of(square));
        }
    }

    /// Lists the moves forward of the fixed men of a placement, by side.
    pub fn list_advances(&self, men: [Bitboard; 2], lists: &mut [Vec<Advance>; 2]) {
        let free = R::Geometry::BOARD.minus(men[0] | men[1]);
        for (side, list) in lists.iter_mut().enumerate() {
            list.clear();
            for d in Sets::<R>::forward(side) {
                let back = R::Geometry::step(d.opposite());
                for man in men[side] & back.apply(free) {
                    let from = Bitboard::of(man);
                    let to = R::Geometry::step(d).apply(from);
                    let mut after = men;
                    after[side] = men[side].minus(from) | to;
                    let first = (!to.meets(Sets::<R>::promotion_row(side)))
                        .then(|| (self.layout.place::<R>(after) * 2 + 1 - side) * self.layout.words_per_side());
                    list.push(Advance { from, to, first });
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the words of a placement share all but three of them")]
    fn advances(
        &self,
        verdict: &mut Verdict<L>,
        reading: &mut Reading<R, L>,
        at: &At,
        side: usize,
        quiet: Bitboard,
        before: Before<'_, R, L>,
        advances: &[Advance],
    ) {
        let kings = at.fixed.kings[0] | at.fixed.kings[1];
        for &Advance { from, to, first } in advances {
            let squares = verdict.undecided(quiet.minus(to));
            if squares.is_empty() || to.meets(kings) {
                continue;
            }
            if let Some(first) = first {
                let index = first + at.word - before.first;
                let found = Found { word: before.words[index].word(), lanes: before.lanes[index], turned: false };
                verdict.word(&found, squares, self.goes_on.after_an_advance());
            } else {
                let mut after = at.fixed;
                after.men[side] = after.men[side].minus(from);
                after.kings[side] |= to;
                let goes_on = self.goes_on(MoveKind::Promotion, &after, true);
                self.with_running_piece(verdict, reading, &after, 1 - side, squares, goes_on);
            }
        }
    }

    /// The running man goes one row on, to positions of the same word whose values, `after`, are known; for counts that
    /// end there.
    pub fn running_man_advances(&self, verdict: &mut Verdict<L>, at: &At, after: Word) {
        let quiet = at.squares.minus(verdict.captures);
        for d in Sets::<R>::forward(1) {
            let back = R::Geometry::step(d.opposite());
            let from = |targets: Bitboard| back.apply(targets & at.squares) & quiet;
            verdict.won |= from(after.lost);
            verdict.safe |= from(!after.won);
            verdict.losing |= from(after.won);
            if verdict.measures {
                verdict.soonest.keep_sooner(from(after.lost), &L::empty());
                for square in from(after.won) {
                    verdict.latest.set(square, 1.max(verdict.latest.get(square)));
                }
            }
        }
    }

    /// The running man becomes a king: all its squares of promotion lie in one word.
    fn promotions_of_the_running_man(
        &self,
        verdict: &mut Verdict<L>,
        reading: &mut Reading<R, L>,
        at: &At,
        quiet: Bitboard,
    ) {
        let last = Sets::<R>::promotion_row(1).minus(at.fixed.occupied());
        let can = |d: crate::board::Direction| R::Geometry::step(d.opposite()).apply(last) & quiet;
        if !Sets::<R>::forward(1).any(|d| can(d).any()) {
            return;
        }
        let found = self.library.king_word(reading, &at.fixed, 1, 0);
        let mut crowned = at.fixed;
        crowned.kings[1] |= Bitboard::of(last.first());
        let goes_on = self.goes_on(MoveKind::Promotion, &crowned, false);
        for d in Sets::<R>::forward(1) {
            let (forth, back) = (R::Geometry::step(d), R::Geometry::step(d.opposite()));
            let from = can(d);
            verdict.won |= from & back.apply(found.word.lost & last);
            verdict.safe |= from & back.apply(last.minus(found.word.won));
            verdict.losing |= from & back.apply(last & found.word.won);
            if verdict.measures {
                for square in from {
                    let to = forth.apply(Bitboard::of(square)).first();
                    let lane = if found.turned { R::Geometry::rotate(Bitboard::of(to)).first() } else { to };
                    verdict.time(
                        found.word.won.contains(to),
                        found.word.lost.contains(to),
                        if goes_on { found.lanes.get(lane) } else { 0 },
                        Bitboard::of(square),
                    );
                }
            }
        }
    }
}

/// A capture after which the capturer runs over a word: what it took from where, the word, and whether the count goes
/// on. Those that differ only in where they end follow each other.
struct Last<L> {
    capture: (Bitboard, Bitboard),
    found: Found<L>,
    goes_on: bool,
}

impl<L: Lanes> Verdict<L> {
    /// The part of `squares` of which another conversion can say anything new: a win is a win, unless it may be sooner.
    #[inline(always)]
    fn undecided(&self, squares: Bitboard) -> Bitboard {
        if self.measures { squares } else { squares.minus(self.won) }
    }

    /// The opponent has no piece left after the move.
    #[inline]
    fn over(&mut self, squares: Bitboard) {
        self.won |= squares;
        self.safe |= squares;
        if self.measures {
            self.soonest.keep_sooner(squares, &L::empty());
        }
    }

    /// The move leads, for all of `squares`, to one position of this value for its mover.
    #[inline]
    fn one(&mut self, won: bool, lost: bool, plies: u16, squares: Bitboard) {
        if lost {
            self.won |= squares;
        }
        if won {
            self.losing |= squares;
        } else {
            self.safe |= squares;
        }
        self.time(won, lost, plies, squares);
    }

    /// The move leads, for all of `squares`, to a position of a word as it is kept, in which the piece that runs stands
    /// on one of the squares `to` of the mover's choice.
    #[inline]
    fn choice<R: Rules>(&mut self, found: &Found<L>, to: Bitboard, goes_on: bool, squares: Bitboard) {
        let to = if found.turned { R::Geometry::rotate(to) } else { to };
        let (wins, loses) = (found.word.lost & to, found.word.won & to);
        if wins.any() {
            self.won |= squares;
        }
        if loses != to {
            self.safe |= squares;
        }
        if loses.any() {
            self.losing |= squares;
        }
        if self.measures {
            let plies = |square| if goes_on { found.lanes.get(square) } else { 0 };
            wins.into_iter().for_each(|square| self.time(false, true, plies(square), squares));
            loses.into_iter().for_each(|square| self.time(true, false, plies(square), squares));
        }
    }

    #[inline]
    fn time(&mut self, won: bool, lost: bool, plies: u16, squares: Bitboard) {
        if !self.measures {
            return;
        }
        for square in squares {
            if lost {
                self.soonest.set(square, self.soonest.get(square).min(plies + 1));
            } else if won {
                self.latest.set(square, self.latest.get(square).max(plies + 1));
            }
        }
    }

    /// The move leads to the positions of a word, whose distances count where the count goes on.
    #[inline]
    fn word(&mut self, found: &Found<L>, squares: Bitboard, goes_on: bool) {
        let (wins, loses) = (found.word.lost & squares, found.word.won & squares);
        self.won |= wins;
        self.safe |= squares.minus(loses);
        self.losing |= loses;
        if self.measures {
            let turned;
            let lanes = if !goes_on {
                &L::empty()
            } else if found.turned {
                turned = found.lanes.turned();
                &turned
            } else {
                &found.lanes
            };
            if wins.any() {
                self.soonest.keep_sooner(wins, lanes);
            }
            if loses.any() {
                self.latest.keep_later(loses, lanes);
            }
        }
    }
}
