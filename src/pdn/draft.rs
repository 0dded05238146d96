//! One game as far as it is read.

use crate::board::{Direction, Geometry};
use crate::pdn::game_type::check_game_type;
use crate::pdn::marks::{Mark, Marks, Place};
use crate::pdn::{PdnError, PdnErrorKind, PdnGame, PdnResult};
use crate::position::{Fen, numbered_square};
use crate::rules::Rules;

/// Whether a game goes on after a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    GoesOn,
    Ends,
}

/// A game as far as it is read. After a fault its marks are still read, to find its end, and nothing is played.
pub(super) struct Draft<R: Rules> {
    /// Line 0 as long as there is nothing of it.
    game: PdnGame<R>,
    /// The position after the moves so far.
    now: Fen<R>,
    has_fen: bool,
    /// The text of the Result tag, if it states something.
    result_tag: Option<String>,
    /// The line of the result that counts, as far as is known.
    result_line: usize,
    /// Whether moves, numbers or a result have begun: the tags are over.
    has_body: bool,
    /// Words that stand for moves, whether they could be played or not.
    words: usize,
    last_number: u32,
    is_ended: bool,
    /// The result after the moves, if one is stated.
    score: Option<String>,
    fault: Option<PdnError>,
}

impl<R: Rules> Draft<R> {
    pub(super) fn new() -> Self {
        let now = Fen::start();
        Draft {
            game: PdnGame::new(now, Vec::new()),
            now,
            has_fen: false,
            result_tag: None,
            result_line: 0,
            has_body: false,
            words: 0,
            last_number: 0,
            is_ended: false,
            score: None,
            fault: None,
        }
    }

    pub(super) fn has_body(&self) -> bool {
        self.has_body
    }

    /// Whether this is the name of its first tag.
    pub(super) fn begins_with(&self, name: &str) -> bool {
        self.game.tags.first().is_some_and(|(first, _)| first.eq_ignore_ascii_case(name))
    }

    /// Whether move number 1 here would be that of another game.
    pub(super) fn is_beyond_move_1(&self) -> bool {
        self.words >= 2 || self.last_number > 1
    }

    /// The text of the Result tag, if it states something.
    pub(super) fn result_tag(&self) -> Option<&str> {
        self.result_tag.as_deref()
    }

    /// The result after the moves, if one is stated.
    pub(super) fn score(&self) -> Option<&str> {
        self.score.as_deref()
    }

    pub(super) fn remark(&mut self, text: String) {
        self.game.comments.push((self.game.moves.len(), text));
    }

    /// Notes a fault, if it is the first.
    pub(super) fn refuse(&mut self, error: PdnError) {
        self.begin(error.line);
        // The tags after one that cannot be read are still of this game.
        self.has_body |= !matches!(error.kind, PdnErrorKind::NotATag(_));
        self.fault.get_or_insert(error);
    }

    /// Ends the game with a stated result, or without.
    pub(super) fn end(&mut self, line: usize, score: Option<String>) {
        self.begin(line);
        self.has_body = true;
        self.is_ended = true;
        if score.is_some() {
            self.result_line = line;
        }
        self.score = score;
    }

    /// Takes in a mark; `marks` stand behind it.
    pub(super) fn add(&mut self, place: Place, mark: Mark, marks: &Marks) -> Step {
        match mark {
            Mark::Comment(text) => self.remark(text),
            Mark::Tag(name, value) => {
                self.begin(place.line());
                if name.eq_ignore_ascii_case("Result") && self.result_line == 0 {
                    self.result_line = place.line();
                }
                if let Err(kind) = self.read_tag(&name, &value) {
                    self.fault.get_or_insert_with(|| place.error(&value, kind));
                }
                self.game.tags.push((name, value));
            }
            Mark::Number { number, .. } => {
                self.begin(place.line());
                self.has_body = true;
                self.last_number = number;
            }
            Mark::Word(text) => return self.add_word(place, text, marks),
            // With the next move behind it, it says that the move before was forced.
            Mark::Star if self.last_number > 0 && marks.at_number(self.last_number.saturating_add(1)) => {}
            Mark::Star => return self.end_here(place, None),
            Mark::Score(text) => return self.end_here(place, Some(text)),
        }
        Step::GoesOn
    }

    fn begin(&mut self, line: usize) {
        if self.game.line == 0 {
            self.game.line = line;
        }
    }

    fn end_here(&mut self, place: Place, score: Option<String>) -> Step {
        self.end(place.line(), score);
        Step::Ends
    }

    fn read_tag(&mut self, name: &str, value: &str) -> Result<(), PdnErrorKind> {
        if name.eq_ignore_ascii_case("GameType") {
            return check_game_type::<R>(value);
        }
        if name.eq_ignore_ascii_case("Result") && !matches!(value.trim(), "" | "*") {
            self.result_tag.get_or_insert_with(|| value.trim().to_string());
        }
        if !name.eq_ignore_ascii_case("FEN") || value.trim().is_empty() {
            return Ok(());
        }
        let fen = Fen::parse(without_counts(value).as_bytes())
            .map_err(|error| PdnErrorKind::NotAPosition { variant: R::NAME, fault: error.kind })?;
        if self.has_fen && fen != self.game.start {
            return Err(PdnErrorKind::SecondPosition);
        }
        self.has_fen = true;
        (self.game.start, self.now) = (fen, fen);
        Ok(())
    }

    /// Plays a move, or ends with a result that looks like one.
    fn add_word(&mut self, place: Place, text: String, marks: &Marks) -> Step {
        let numbers = number_pair(&text);
        // There is no square 0, and nobody moves from 1 to 1: a king that captures in a circle has another sign.
        if numbers.is_some_and(|(a, b)| a == 0 || b == 0) || text == "1-1" {
            return self.end_here(place, Some(text));
        }
        let read = if self.fault.is_none() { Some(self.now.read_move(&text)) } else { None };
        if let Some(Ok(mv)) = read {
            self.game.moves.push(mv);
            self.now = self.now.play(&mv);
        } else if numbers.is_some_and(are_points::<R>) && marks.at_end_of_game() {
            return self.end_here(place, Some(text));
        } else if let Some(Err(error)) = read {
            self.fault = Some(place.error(&text, error.into()));
        }
        self.begin(place.line());
        self.has_body = true;
        self.words += 1;
        Step::GoesOn
    }

    /// The game, or why it is refused; none if there is nothing of it.
    pub(super) fn finish(self) -> Option<Result<PdnGame<R>, PdnError>> {
        let Draft { mut game, fault, score, result_line, .. } = self;
        if let Some(fault) = fault {
            return Some(Err(fault));
        }
        if game.line == 0 {
            return None;
        }
        if game.tags.is_empty() && game.moves.is_empty() && !self.is_ended {
            let place = Place::first_of(game.line);
            return Some(Err(place.error(&format!("{}.", self.last_number), PdnErrorKind::LoneNumber)));
        }
        game.result_line = result_line;
        game.result = score.map_or_else(|| game.result_in_tag(), |text| PdnResult::read::<R>(&text));
        Some(Ok(game))
    }
}

/// A position without the counts that some programs write behind it: `:H0:F1`, plies and moves.
fn without_counts(fen: &str) -> &str {
    let Some((position, counts)) = fen.split_once(":H") else {
        return fen;
    };
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let are_counts = counts.split_once(":F").map_or_else(|| is_count(counts), |(h, f)| is_count(h) && is_count(f));
    if are_counts { position } else { fen }
}

/// The numbers of `4-6`.
fn number_pair(text: &str) -> Option<(u32, u32)> {
    let (first, second) = text.split_once('-')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// Whether two numbers share the ten points of a game, and no piece can go from one to the other.
fn are_points<R: Rules>((first, second): (u32, u32)) -> bool {
    let on_one_line = numbered_square::<R>(first).zip(numbered_square::<R>(second)).is_some_and(|(from, to)| {
        Direction::ALL.into_iter().any(|d| R::Geometry::RAYS[d.index()][from.index()].contains(to))
    });
    first.checked_add(second) == Some(10) && !on_one_line
}
