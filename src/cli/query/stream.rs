//! `endame query VARIANT -`: one FEN a line in, one JSON object a line out, in the same order.
//!
//! Whatever one read of the input brings is answered by all threads and then written, so a full pipe is answered in
//! large batches and a person who types gets an answer to every line. A line that is no FEN is answered by an error
//! object, and the rest goes on.

use std::io::{self, Read, Write};

use rayon::prelude::*;
use serde::Serialize;

use endame::position::Fen;
use endame::rules::Rules;

use crate::cli::error::{Error, Kind};
use crate::cli::fen;
use crate::cli::on_demand::OnDemand;
use crate::cli::query::answer::Answer;
use crate::cli::query::count::Count;
use crate::cli::query::not_built;

/// Bytes read at a time.
const BATCH: usize = 1 << 18;
/// Lines a thread answers in one go.
const LINES: usize = 64;

/// The answer to a line that has no other.
#[derive(Serialize)]
struct Refusal<'a> {
    fen: &'a str,
    error: String,
    at: Option<usize>,
}

/// Answers the lines of the standard input.
///
/// # Errors
/// That of the first line that failed, after all of them have been answered.
pub fn run<R: Rules>(
    tables: &mut OnDemand<'_, R>,
    with_line: bool,
    count: Option<&Count>,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let mut stream = Stream { tables, with_line, count, lines: 0, first_failure: None, build_failure: None };
    let mut input = io::stdin().lock();
    // Bytes `0..held` of the buffer are the beginning of a line whose end has not been read.
    let (mut buffer, mut held) = (vec![0; BATCH], 0);
    loop {
        if buffer.len() - held < BATCH {
            buffer.resize(2 * held + BATCH, 0);
        }
        let read = match input.read(&mut buffer[held..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(|e| Error::input(format_args!("standard input: {e}"), "give FENs, one a line"))?,
        };
        let filled = held + read;
        // Only the new bytes can hold the end of a line.
        let complete = match buffer[held..filled].iter().rposition(|&byte| byte == b'\n') {
            Some(at) => held + at + 1,
            None if read == 0 => filled,
            None => 0,
        };
        if complete > 0 {
            stream.answer(&buffer[..complete], output)?;
        }
        buffer.copy_within(complete..filled, 0);
        held = filled - complete;
        if read == 0 {
            break;
        }
    }
    match (stream.first_failure, stream.build_failure) {
        (None, _) => Ok(()),
        (Some(failure), Some(why)) if failure.kind == Kind::TableMissing => Err(not_built(failure, &why)),
        (Some(failure), _) => Err(failure),
    }
}

struct Stream<'a, 's, R: Rules> {
    tables: &'a mut OnDemand<'s, R>,
    with_line: bool,
    count: Option<&'a Count>,
    /// Lines answered so far.
    lines: usize,
    first_failure: Option<Error>,
    /// Why small slices cannot be built, once it has been tried.
    build_failure: Option<Error>,
}

/// What became of a line: its JSON, the small slices it lacks, and why it failed if it did.
struct Answered {
    json: Vec<u8>,
    missing: Vec<endame::index::Material>,
    failure: Option<Error>,
}

impl<R: Rules> Stream<'_, '_, R> {
    /// Answers `text`, which ends with the end of a line or of the input.
    fn answer(&mut self, text: &[u8], output: &mut dyn Write) -> Result<(), Error> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        for batch in lines.chunks(64 * LINES) {
            let mut groups = self.answer_all(batch);
            let missing: Vec<_> = groups.iter().flat_map(|group| &group.missing).copied().collect();
            match if self.build_failure.is_none() { self.tables.build(&missing) } else { Ok(false) } {
                Ok(true) => groups = self.answer_all(batch),
                Ok(false) => {}
                Err(error) if error.kind == Kind::Interrupted => return Err(error),
                // The lines that need what cannot be built stay unknown, and the rest goes on.
                Err(error) => self.build_failure = Some(error),
            }
            if self.build_failure.is_none() && self.build_outcomes(batch)? {
                groups = self.answer_all(batch);
            }
            for group in groups {
                output.write_all(&group.json)?;
                if self.first_failure.is_none() {
                    self.first_failure = group.failure;
                }
            }
            self.lines += batch.len();
        }
        Ok(output.flush()?)
    }

    /// Builds the outcomes that a count asks for, and solves for several counts, where that can be done; whether
    /// anything was built.
    fn build_outcomes(&mut self, lines: &[&[u8]]) -> Result<bool, Error> {
        let mut built = false;
        for line in lines {
            let Ok(fen) = Fen::<R>::parse(line.strip_suffix(b"\r").unwrap_or(line)) else { continue };
            let is_asked = self.count.is_some();
            let outcomes = if is_asked { self.tables.ensure_outcomes(&fen.position) } else { Ok(false) };
            match outcomes.and_then(|now| Ok(now | self.tables.ensure_at_counts(&fen.position)?)) {
                Ok(now) => built |= now,
                Err(error) if error.kind == Kind::Interrupted => return Err(error),
                Err(error) => {
                    self.build_failure = Some(error);
                    break;
                }
            }
        }
        Ok(built)
    }

    /// Answers the lines of a batch, in groups.
    fn answer_all(&self, lines: &[&[u8]]) -> Vec<Answered> {
        let first = self.lines + 1;
        let answer = |(group, lines): (usize, &[&[u8]])| {
            let mut answered = Answered { json: Vec::new(), missing: Vec::new(), failure: None };
            for (i, line) in lines.iter().enumerate() {
                self.answer_line(first + group * LINES + i, line, &mut answered);
            }
            answered
        };
        lines.par_chunks(LINES).enumerate().map(answer).collect()
    }

    fn answer_line(&self, number: usize, line: &[u8], answered: &mut Answered) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let parsed = Fen::<R>::parse(line);
        let answer = match &parsed {
            Ok(fen) => Answer::new(*fen, self.tables, self.with_line, self.count),
            Err(error) => Err(fen::refused::<R>(&String::from_utf8_lossy(line), error)),
        };
        let failure = match answer {
            Ok(answer) => {
                write_json(&mut answered.json, &answer.to_json());
                answered.missing.extend(self.tables.small(&answer.missing));
                answer.value.is_none().then(|| self.tables.missing_error(&answer.missing))
            }
            Err(error) => {
                let fen = String::from_utf8_lossy(line);
                let (error_text, at) = match &parsed {
                    Ok(_) => (error.message.clone(), None),
                    Err(fault) => (fault.kind.to_string(), Some(fault.at)),
                };
                write_json(&mut answered.json, &Refusal { fen: &fen, error: error_text, at });
                Some(error)
            }
        };
        if answered.failure.is_none() {
            answered.failure =
                failure.map(|error| Error { message: format!("line {number}: {}", error.message), ..error });
        }
    }
}

fn write_json(json: &mut Vec<u8>, answer: &impl Serialize) {
    serde_json::to_writer(&mut *json, answer).expect("writing to memory does not fail, and keys are texts");
    json.push(b'\n');
}
