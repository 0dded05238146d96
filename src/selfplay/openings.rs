//! How games begin: random moves, positions of a list, or random positions of a material.

use xxhash_rust::xxh3::xxh3_64;

use crate::dataset::{exact_value, hash_text, ordered_moves};
use crate::engine::Game;
use crate::index::{Indexer, Material, Order};
use crate::position::{Fen, Move, Position};
use crate::rules::{Colour, Rules, Side};
use crate::selfplay::dice::Dice;
use crate::tablebase::{ProbeError, Tablebase};

/// How often an opening is drawn before there seems to be none that will do.
const TRIES: u32 = 10_000;

/// More random plies than this find no end that is level.
const MOST_RANDOM_PLIES: u32 = 1000;

/// How the games of a run begin.
#[derive(Debug)]
pub struct Openings<R: Rules> {
    kind: Kind<R>,
    name: String,
}

#[derive(Debug)]
enum Kind<R: Rules> {
    /// So many random quiet plies from the start position.
    Random(u32),
    /// Line after line, over and over, each followed by so many random quiet plies.
    List(Vec<Opening<R>>, u32),
    /// Random positions of these slices.
    Slices(Vec<Indexer<R>>),
}

/// Where a game begins, and its first moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<R: Rules> {
    /// The position.
    pub start: Fen<R>,
    /// The moves from there.
    pub moves: Vec<Move>,
}

/// Why there is no opening.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The words after `material:` are no materials, or too large.
    #[error("{0}")]
    Material(String),
    /// A line is neither a position nor moves from the start position.
    #[error("line {line}: {what}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// What follows `random:` is no number of plies, or too large.
    #[error("{0}: expected a number of plies up to {MOST_RANDOM_PLIES}")]
    Plies(String),
    /// The variant has no ballots.
    #[error("no ballots of {0} are known")]
    NoBallots(&'static str),
    /// There is no line with an opening.
    #[error("no position and no moves in it")]
    NoLines,
    /// None of many drawn openings would do.
    #[error("{0}: none of {TRIES} drawn openings was level, undecided and outside the tables")]
    NoneFound(String),
    /// A table is damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl<R: Rules> Openings<R> {
    /// The openings that `name` stands for: `random:8`, `material:KKvK,KMvK`, `ballots`, or `LIST+random:4`; `list`
    /// reads the lines of a list that is not `ballots`.
    ///
    /// # Errors
    /// [`OpeningError`], and what `list` returns.
    pub fn named<E: From<OpeningError>>(name: &str, list: impl FnOnce(&str) -> Result<Self, E>) -> Result<Self, E> {
        let plies = |text: &str| {
            let plies = text.parse().ok().filter(|&plies: &u32| plies <= MOST_RANDOM_PLIES);
            plies.ok_or_else(|| OpeningError::Plies(name.to_string()))
        };
        if let Some(text) = name.strip_prefix("random:") {
            return Ok(Openings::random(plies(text)?));
        }
        if let Some(materials) = name.strip_prefix("material:") {
            return Ok(Openings::material(materials)?);
        }
        // Random plies may follow what is listed.
        let (listed, random) = match name.rsplit_once("+random:") {
            Some((listed, text)) => (listed, Some(plies(text)?)),
            None => (name, None),
        };
        let openings = if listed == "ballots" { Openings::ballots()? } else { list(listed)? };
        Ok(match random {
            Some(plies) => openings.and_random(plies),
            None => openings,
        })
    }

    /// `plies` random quiet plies from the start position, and the captures that come between, which are random where
    /// there is a choice: counted too, forced lines would make every eighth of 8,000 games the double of another. Drawn
    /// again until the game goes on, no capture is due, no side is more than a man ahead, and the position is not in
    /// the tables.
    #[must_use]
    pub fn random(plies: u32) -> Self {
        Openings { kind: Kind::Random(plies), name: format!("random:{plies}") }
    }

    /// Random positions of the materials in `text`, such as `KKMvKM` or several with commas between; either colour
    /// moves. Drawn again while the mover has no move.
    ///
    /// # Errors
    /// [`OpeningError::Material`].
    pub fn material(text: &str) -> Result<Self, OpeningError> {
        let wrong = |error: &dyn std::fmt::Display| OpeningError::Material(error.to_string());
        let (mut slices, mut names) = (Vec::new(), Vec::new());
        for word in text.split(',') {
            let material: Material = word.parse().map_err(|error| wrong(&error))?;
            material.check::<R>().map_err(|error| wrong(&error))?;
            slices.push(Indexer::with_order(material, Order::RowMajor).map_err(|error| wrong(&error))?);
            names.push(material.to_string());
        }
        Ok(Openings { kind: Kind::Slices(slices), name: format!("material:{}", names.join(",")) })
    }

    /// The openings that tournaments of the variant draw by lot, in their order: [`Rules::BALLOTS`].
    ///
    /// # Errors
    /// [`OpeningError::NoBallots`].
    pub fn ballots() -> Result<Self, OpeningError> {
        if R::BALLOTS.is_empty() {
            return Err(OpeningError::NoBallots(R::NAME));
        }
        Ok(Openings { name: "ballots".to_string(), ..Self::list(R::BALLOTS)? })
    }

    /// The lines of `text`: each a FEN, or moves from the start position with blanks between. Empty lines and what
    /// follows `#` are passed over, and so are numbers of moves, `1.`. Game g begins with line g, counted round and
    /// round.
    ///
    /// # Errors
    /// [`OpeningError::Line`] and [`OpeningError::NoLines`].
    pub fn list(text: &str) -> Result<Self, OpeningError> {
        let mut list = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                list.push(read_line(line).map_err(|what| OpeningError::Line { line: i + 1, what })?);
            }
        }
        if list.is_empty() {
            return Err(OpeningError::NoLines);
        }
        let name = format!("file:{}", hash_text(xxh3_64(text.as_bytes())));
        Ok(Openings { kind: Kind::List(list, 0), name })
    }

    /// The same, each followed by `plies` random quiet plies as of [`Openings::random`]: with a list that is shorter
    /// than the run no two games are the same then. Random positions of a material stay as they are.
    #[must_use]
    pub fn and_random(self, plies: u32) -> Self {
        let kind = match self.kind {
            Kind::Random(before) => Kind::Random(before + plies),
            Kind::List(list, before) => Kind::List(list, before + plies),
            slices @ Kind::Slices(_) => slices,
        };
        Openings { kind, name: format!("{}+random:{plies}", self.name) }
    }

    /// How many different openings there are, where they are counted: those of a list without random plies.
    #[must_use]
    pub fn different(&self) -> Option<u64> {
        match &self.kind {
            Kind::List(list, 0) => Some(list.len() as u64),
            Kind::Random(0) => Some(1),
            _ => None,
        }
    }

    /// What metadata calls them: equal names, equal openings.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The opening of game `game`, with the dice of that game.
    ///
    /// # Errors
    /// [`OpeningError::NoneFound`] and [`OpeningError::Probe`].
    pub fn draw(
        &self,
        game: u64,
        dice: &mut Dice,
        tables: &Tablebase<R>,
        table_pieces: u32,
    ) -> Result<Opening<R>, OpeningError> {
        let (first, plies) = match &self.kind {
            Kind::List(list, plies) => (list[(game % list.len() as u64) as usize].clone(), *plies),
            Kind::Random(plies) => (Opening { start: Fen::start(), moves: Vec::new() }, *plies),
            Kind::Slices(slices) => return self.draw_position(slices, dice),
        };
        if plies == 0 && matches!(self.kind, Kind::List(..)) {
            return Ok(first);
        }
        for _ in 0..TRIES {
            let Some(opening) = random_moves(&first, plies, dice) else { continue };
            let position = opening.moves.iter().fold(opening.start.position, |position, mv| position.play(mv));
            if is_level(&position) && exact_value(tables, table_pieces, &position)?.is_none() {
                return Ok(opening);
            }
        }
        Err(OpeningError::NoneFound(self.name.clone()))
    }

    /// A random position of one of the slices.
    fn draw_position(&self, slices: &[Indexer<R>], dice: &mut Dice) -> Result<Opening<R>, OpeningError> {
        for _ in 0..TRIES {
            let slice = dice.one_of(slices);
            let position = slice.unrank(dice.below(slice.placements()));
            let mover = *dice.one_of(&[Colour::White, Colour::Black]);
            if position.has_move() {
                return Ok(Opening { start: Fen { position, mover }, moves: Vec::new() });
            }
        }
        Err(OpeningError::NoneFound(self.name.clone()))
    }
}

/// `first` and then `plies` random quiet moves, with the captures between; `None` if the game is over then.
fn random_moves<R: Rules>(first: &Opening<R>, plies: u32, dice: &mut Dice) -> Option<Opening<R>> {
    let start = first.start;
    let mut game = Game::new(start);
    first.moves.iter().for_each(|mv| game.play(mv));
    let mut legal = Vec::new();
    let mut left = plies;
    while left > 0 {
        ordered_moves(&game.position(), &mut legal);
        let mv = *dice.one_of(&legal);
        left -= u32::from(!mv.is_capture());
        game.play(&mv);
        if game.end().is_some() {
            return None;
        }
    }
    Some(Opening { start, moves: game.moves().to_vec() })
}

/// Whether no capture is due and neither side is more than a man ahead; a king counts as three men where kings fly.
fn is_level<R: Rules>(position: &Position<R>) -> bool {
    let (ours, theirs) = position.sides();
    let king = if R::FLYING_KINGS { 6 } else { 3 };
    let half_men = |side: Side| (2 * side.men + king * side.kings) as i32;
    (half_men(ours) - half_men(theirs)).abs() <= 2 && !position.must_capture()
}

/// A FEN, or moves from the start position.
fn read_line<R: Rules>(line: &str) -> Result<Opening<R>, String> {
    let is_fen = line.contains(":W") || line.contains(":B") || line.contains("FEN");
    let opening = if is_fen {
        let start: Fen<R> = line.parse().map_err(|error| format!("{error}"))?;
        Opening { start, moves: Vec::new() }
    } else {
        let start = Fen::start();
        let mut fen = start;
        let mut moves = Vec::new();
        for word in line.split_whitespace() {
            // A number of a move may stand before it with a blank between or without.
            let word = match word.split_once('.') {
                Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                    rest.trim_start_matches('.')
                }
                _ => word,
            };
            if !word.is_empty() {
                let mv = fen.read_move(word).map_err(|error| error.to_string())?;
                fen = fen.play(&mv);
                moves.push(mv);
            }
        }
        Opening { start, moves }
    };
    let last = opening.moves.iter().fold(opening.start.position, |position, mv| position.play(mv));
    if last.is_over() { Err("the game is over there".to_string()) } else { Ok(opening) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International, Russian};

    fn error<R: Rules>(text: &str) -> String {
        Openings::<R>::list(text).expect_err(text).to_string()
    }

    #[test]
    fn a_list_holds_positions_and_moves() {
        let text = "# two openings\n\n32-28 19-23 28x19 # a shot\nB:WK1,12:BK50\n1. 33-28 18-23 2.39-33\n";
        let openings = Openings::<International>::list(text).expect("openings");
        let Kind::List(list, 0) = &openings.kind else { panic!("a list") };
        let plies: Vec<usize> = list.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(plies, [3, 0, 3]);
        assert_eq!(list[1].start.to_string(), "B:WK1,12:BK50");
        assert_ne!(openings.name(), Openings::<International>::list("32-28").expect("one").name());
    }

    #[test]
    fn a_line_that_is_no_opening_is_named() {
        assert!(error::<International>("32-28\n31-20\n").starts_with("line 2: \"31-20\" is not a legal move"));
        assert!(error::<International>("W:W31:B51").starts_with("line 1: byte 7: no square \"51\""));
        assert_eq!(error::<International>("\nB:W31:B"), "line 2: the game is over there");
        assert_eq!(error::<International>("\n# none\n"), "no position and no moves in it");
    }

    #[test]
    fn every_ballot_is_three_legal_moves_and_no_two_are_the_same() {
        let openings = Openings::<English>::ballots().expect("English has ballots");
        let Kind::List(list, 0) = &openings.kind else { panic!("a list") };
        assert!(list.iter().all(|opening| opening.start == Fen::start() && opening.moves.len() == 3));
        assert_eq!(list.len(), 157);
        let mut lines: Vec<String> = list.iter().map(|opening| format!("{:?}", opening.moves)).collect();
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), 157);
        assert!(matches!(Openings::<Russian>::ballots(), Err(OpeningError::NoBallots("russian"))));
    }

    #[test]
    fn materials_must_be_of_the_variant() {
        let error = |text: &str| Openings::<Russian>::material(text).expect_err(text).to_string();
        assert!(error("KKvX").contains("'X'"));
        assert!(error("KKv").contains("no piece"));
        assert!(error("MMMMMMMMMMMMMvK").contains("at most 12"));
    }
}
