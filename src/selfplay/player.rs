//! Plays one game, a function of rules, settings, seed and number alone.

use crate::dataset::{Player, Record, Settings, Start, ending, exact_value, move_place, ordered_moves, result};
use crate::engine::{Game, Limits, MaterialEvaluation, Options, Searcher, Tables};
use crate::position::{Fen, Move};
use crate::rules::Rules;
use crate::selfplay::dice::Dice;
use crate::selfplay::openings::{OpeningError, Openings};
use crate::tablebase::ProbeError;

/// What the games of a run have in common.
#[derive(Debug)]
pub struct Conditions<'t, R: Rules> {
    /// How they begin; the name is that in `settings`.
    pub openings: &'t Openings<R>,
    /// How they are played.
    pub settings: Settings,
    /// The seed of the run.
    pub seed: u64,
    /// The tables.
    pub tables: Tables<'t, R>,
}

/// Plays games, one after the other; one player a thread.
#[derive(Debug)]
pub struct GamePlayer<'t, R: Rules> {
    conditions: &'t Conditions<'t, R>,
    /// None for random play.
    searcher: Option<Searcher<'t, R, MaterialEvaluation>>,
    limits: Limits<'static>,
    legal: Vec<Move>,
}

/// Bytes of the transposition table: part of how games are played, since it decides what a search finds. Small for
/// shallow searches: it is cleared before every game, and at depth 4 waiting for one of 256 KiB took an eighth of the
/// time.
const fn table_bytes(player: Player) -> usize {
    match player {
        Player::Depth(..=4) | Player::Nodes(..=4_000) => 64 << 10,
        Player::Depth(..=8) | Player::Nodes(..=100_000) => 2 << 20,
        _ => 16 << 20,
    }
}

impl<'t, R: Rules> GamePlayer<'t, R> {
    /// A player under these conditions.
    ///
    /// # Panics
    /// If the settings are those of games that were read.
    #[must_use]
    pub fn new(conditions: &'t Conditions<'t, R>) -> Self {
        let player = conditions.settings.player;
        let limits = match player {
            Player::Depth(depth) => Limits::depth(depth),
            Player::Nodes(nodes) => Limits::nodes(nodes),
            Player::Read(_) => unreachable!("games that were read are not played again"),
        };
        let searcher = (player != Player::Depth(0)).then(|| {
            // Answers to threats would cost half of the games at a fixed depth, which is asked for where speed counts.
            let threats = matches!(player, Player::Nodes(_));
            let quick = matches!(player, Player::Depth(..=5));
            let options = Options { table_bytes: table_bytes(player), threats, quick, ..Options::default() };
            Searcher::new(MaterialEvaluation::of::<R>(), options).with_tables(conditions.tables)
        });
        GamePlayer { conditions, searcher, limits, legal: Vec::new() }
    }

    /// Plays game `number` of the run.
    ///
    /// # Errors
    /// [`OpeningError::NoneFound`], and [`OpeningError::Probe`] where a table turns out to be damaged.
    pub fn play(&mut self, number: u64) -> Result<Record, OpeningError> {
        let Conditions { openings, settings, seed, tables } = self.conditions;
        let (tablebase, pieces) = (tables.tablebase(), tables.most_pieces());
        let mut dice = Dice::new(*seed, number);
        let opening = openings.draw(number, &mut dice, tablebase, pieces)?;
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
        let mut game = Game::new(opening.start);
        let (mut moves, mut scores, mut exact) = (Vec::new(), Vec::new(), Vec::new());
        let over = loop {
            let position = game.position();
            let value = exact_value(tablebase, pieces, &position)?;
            exact.push(value);
            if let Some(over) = ending(&game, value, settings) {
                break over;
            }
            let (mv, score) = match opening.moves.get(moves.len()) {
                Some(&mv) => (mv, None),
                None => self.choose(&game, &mut dice)?,
            };
            moves.push(move_place(&position, &mv, &mut self.legal));
            scores.push(score);
            game.play(&mv);
        };
        let played = result(&game, over, exact.last().copied().flatten(), settings);
        let start = game.start();
        let mut record = Record {
            start: (start != Fen::start()).then(|| Start::of(&start.position, start.mover)),
            opening_plies: opening.moves.len().min(moves.len()) as u32,
            moves,
            scores,
            exact,
            ending: over,
            played,
            corrected: None,
        };
        record.corrected = record.corrected_results()[0];
        Ok(record)
    }

    /// The next move, with the score of the search if there was one.
    fn choose(&mut self, game: &Game<R>, dice: &mut Dice) -> Result<(Move, Option<i16>), ProbeError> {
        let Some(searcher) = &mut self.searcher else {
            ordered_moves(&game.position(), &mut self.legal);
            return Ok((*dice.one_of(&self.legal), None));
        };
        let found = searcher.search(game, &self.limits)?;
        let mv = *found.line.first().expect("a position with a legal move has a best one");
        Ok((mv, Some(found.score.value())))
    }
}
