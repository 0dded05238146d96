//! From marks to games: where one ends and the next begins, and what was played.
//!
//! A game ends with a result, a `*`, a tag after its moves, move number 1 after later moves, or the file. Faults are
//! noted and the marks read on to the end of the game in the same way, so that the next game begins where it does.

use std::marker::PhantomData;

use crate::pdn::draft::{Draft, Step};
use crate::pdn::marks::{Mark, Marks};
use crate::pdn::{PdnError, PdnGame};
use crate::rules::Rules;

/// The games of a file, one after the other, or why they are refused; see the documentation of [`pdn`](crate::pdn).
///
/// A position without moves is a game, and so is a result without tags or moves. Remarks behind the last game are
/// passed over.
#[derive(Debug)]
pub struct PdnReader<R: Rules> {
    marks: Marks,
    rules: PhantomData<R>,
}

impl<R: Rules> PdnReader<R> {
    /// Reads a file: UTF-8, with or without byte order mark; bytes that are not UTF-8 are taken as Latin-1.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        PdnReader { marks: Marks::new(bytes), rules: PhantomData }
    }

    /// Passes over what is left on the line of a result that still belongs to it: the result again, `*`, and remarks.
    fn finish_line(&mut self, draft: &mut Draft<R>) {
        loop {
            let here = self.marks.here();
            let mark = if self.marks.is_line_left() { self.marks.next() } else { Ok(None) };
            match mark {
                Ok(Some((place, Mark::Comment(text)))) if place.line() == here.line() => draft.remark(text),
                Ok(Some((place, Mark::Star))) if place.line() == here.line() => {}
                Ok(Some((place, Mark::Word(text) | Mark::Score(text))))
                    if place.line() == here.line() && draft.score() == Some(text.as_str()) => {}
                _ => return self.marks.return_to(here),
            }
        }
    }
}

impl<R: Rules> Iterator for PdnReader<R> {
    type Item = Result<PdnGame<R>, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut draft = Draft::<R>::new();
        loop {
            if let Err(error) = self.marks.skip() {
                draft.refuse(error);
                continue;
            }
            let here = self.marks.here();
            if let Some(name) = self.marks.tag_name()
                && (draft.has_body() || self.marks.after_empty_line() && draft.begins_with(name))
            {
                break;
            }
            if let Some(score) = draft.result_tag().filter(|score| self.marks.take_score(score)).map(str::to_string) {
                draft.end(here.line(), Some(score));
                self.finish_line(&mut draft);
                break;
            }
            match self.marks.next() {
                Ok(None) => break,
                Ok(Some((place, mark))) => {
                    if let Mark::Number { number: 1, one_dot: true } = mark
                        && draft.is_beyond_move_1()
                    {
                        self.marks.return_to(here);
                        break;
                    }
                    if draft.add(place, mark, &self.marks) == Step::Ends {
                        self.finish_line(&mut draft);
                        break;
                    }
                }
                Err(error) => draft.refuse(error),
            }
        }
        draft.finish()
    }
}
