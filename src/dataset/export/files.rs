//! The files of an export while they are written, and what becomes of them.
//!
//! They come into being in a folder of their own beside the place where they belong, and are moved there when all are
//! whole: a folder by its name, single files one by one, the data last.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::dataset::error::DatasetError;
use crate::dataset::export::format::{Holds, Sink};
use crate::dataset::export::row::Row;
use crate::dataset::export::{Counts, Export, Exported, ExportedFile, Split, Visitor};
use crate::dataset::new_file::{move_new, sync_folder, write_error};
use crate::dataset::record::Record;
use crate::dataset::replay::Labelled;
use crate::dataset::staging::Staging;
use crate::engine::Game;
use crate::rules::Rules;
use crate::table::folder_of;

/// The card of an export that is a folder.
const CARD: &str = "card.md";
/// The checksums of such an export, as `sha256sum --check` reads them.
const SUMS: &str = "SHA256SUMS";

/// All files of an export.
pub(super) struct Files<'e, R: Rules> {
    export: &'e Export,
    out: &'e Path,
    staging: Staging,
    parts: Vec<Part<R>>,
    finished: Vec<ExportedFile>,
    /// Over all files: a game that lies in two of them counts once.
    total: Counts,
    last_game: Option<u64>,
    /// The positions of a game whose file is chosen when it is over.
    waiting: Counts,
}

/// What goes into one part of a split: file after file.
struct Part<R: Rules> {
    /// What the names of its files begin with.
    name: &'static str,
    open: Option<Open<R>>,
    /// Files begun.
    files: u32,
}

/// A file that rows go into.
struct Open<R: Rules> {
    name: String,
    sink: Box<dyn Sink<R>>,
    counts: Counts,
    last_game: Option<u64>,
}

impl<'e, R: Rules> Files<'e, R> {
    /// Makes ready to write `out`, which must not be there yet; an empty folder may.
    pub(super) fn new(export: &'e Export, out: &'e Path) -> Result<Self, DatasetError> {
        if !is_folder(export) {
            for path in [out.to_path_buf(), beside(out, CARD), beside(out, SUMS)] {
                if path.symlink_metadata().is_ok() && !is_left_over(out, &path) {
                    return Err(DatasetError::InTheWay(path));
                }
            }
        }
        // For a single file too it is a folder, which is never given a name.
        let staging = Staging::new(out).map_err(|error| write_error(out, error))?;
        let names: Vec<&'static str> = match (&export.split, export.format.holds()) {
            (Some(split), _) => Split::NAMES[..split.weights().len()].to_vec(),
            (None, Holds::Positions) => vec!["positions"],
            (None, Holds::Games) => vec!["games"],
        };
        let parts = names.into_iter().map(|name| Part { name, open: None, files: 0 }).collect();
        Ok(Files {
            export,
            out,
            staging,
            parts,
            finished: Vec::new(),
            total: Counts::default(),
            last_game: None,
            waiting: Counts::default(),
        })
    }

    /// The open file for a row of game `game`.
    fn file_for(&mut self, game: u64) -> io::Result<&mut Open<R>> {
        let number = self.export.split.as_ref().map_or(0, |split| split.part(game, self.export.seed));
        let is_full = self.parts[number].open.as_ref().is_some_and(|open| {
            self.export.shard_rows.is_some_and(|most| open.rows(self.export.format.holds()) >= most)
        });
        if is_full {
            self.close(number)?;
        }
        let part = &mut self.parts[number];
        if part.open.is_none() {
            let name = match (is_folder(self.export), self.export.shard_rows) {
                (false, _) => self.out.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                (true, None) => format!("{}.{}", part.name, self.export.format),
                (true, Some(_)) => format!("{}-{:05}.{}", part.name, part.files, self.export.format),
            };
            let file = File::options().read(true).write(true).create_new(true).open(self.staging.path().join(&name))?;
            let sink = self.export.format.begin(file)?;
            part.open = Some(Open { name, sink, counts: Counts::default(), last_game: None });
            part.files += 1;
        }
        Ok(part.open.as_mut().expect("it was opened just now"))
    }

    /// Ends the open file of a part.
    fn close(&mut self, number: usize) -> io::Result<()> {
        let Some(open) = self.parts[number].open.take() else { return Ok(()) };
        let mut file = open.sink.finish()?;
        file.sync_all()?;
        file.seek(SeekFrom::Start(0))?;
        let (sha256, bytes) = sha256(&mut file)?;
        self.finished.push(ExportedFile { name: open.name, counts: open.counts, bytes, sha256 });
        Ok(())
    }

    /// Ends all files, adds the card and the checksums, and moves everything to its place.
    pub(super) fn finish(
        mut self,
        missing: Option<(u64, u64)>,
        card: impl FnOnce(&Exported) -> String,
    ) -> Result<Exported, DatasetError> {
        let mut written = || -> io::Result<()> { (0..self.parts.len()).try_for_each(|number| self.close(number)) };
        written().map_err(|error| write_error(self.out, error))?;
        if self.finished.is_empty() {
            return Err(DatasetError::NothingLeft);
        }
        let empty_parts = self.parts.iter().filter(|part| part.files == 0).map(|part| part.name).collect();
        let files = std::mem::take(&mut self.finished);
        let exported = Exported { counts: self.total, files, empty_parts, missing };
        let out = self.out;
        self.publish(&exported, &card(&exported)).map_err(|error| write_error(out, error))?;
        Ok(exported)
    }

    fn publish(self, exported: &Exported, card: &str) -> io::Result<()> {
        let staging = self.staging;
        let write = |name: &str, text: &str| -> io::Result<()> {
            let path = staging.path().join(name);
            fs::write(&path, text)?;
            File::open(&path)?.sync_all()
        };
        write(CARD, card)?;
        let mut sums = String::new();
        let card_name = if is_folder(self.export) { CARD.to_string() } else { name_of(&beside(self.out, CARD)) };
        let card_sum = sha256(&mut card.as_bytes())?.0;
        let data = exported.files.iter().map(|file| (&file.sha256, &file.name));
        for (sum, name) in data.chain([(&card_sum, &card_name)]) {
            sums += &format!("{sum}  {name}\n");
        }
        write(SUMS, &sums)?;
        if is_folder(self.export) {
            return staging.publish(self.out);
        }
        // What a killed one left of the same export gives way.
        for path in [beside(self.out, CARD), beside(self.out, SUMS)] {
            if is_left_over(self.out, &path) {
                fs::remove_file(&path)?;
            }
        }
        // The data last: where they are, the rest is.
        for (name, place) in [(SUMS.to_string(), beside(self.out, SUMS)), (CARD.to_string(), beside(self.out, CARD))]
            .into_iter()
            .chain([(name_of(self.out), self.out.to_path_buf())])
        {
            move_new(&staging.path().join(name), &place)?;
        }
        sync_folder(folder_of(self.out))
    }
}

impl<R: Rules> Visitor<R> for Files<'_, R> {
    fn position(&mut self, row: &Row, labelled: &Labelled<R>) -> Result<(), DatasetError> {
        if self.export.format.holds() == Holds::Games {
            self.waiting.add(row);
            return Ok(());
        }
        self.total.games += u64::from(self.last_game.replace(row.game) != Some(row.game));
        self.total.add(row);
        let mut write = || -> io::Result<()> {
            let open = self.file_for(row.game)?;
            open.counts.games += u64::from(open.last_game.replace(row.game) != Some(row.game));
            open.counts.add(row);
            open.sink.position(row, labelled)
        };
        write().map_err(|error| write_error(self.out, error))
    }

    fn game(&mut self, number: u64, record: &Record, game: &Game<R>) -> Result<(), DatasetError> {
        if self.export.format.holds() == Holds::Positions {
            return Ok(());
        }
        let counts = Counts { games: 1, ..std::mem::take(&mut self.waiting) };
        self.total.join(&counts);
        let mut write = || -> io::Result<()> {
            let open = self.file_for(number)?;
            open.counts.join(&counts);
            open.sink.game(number, record, game)
        };
        write().map_err(|error| write_error(self.out, error))
    }
}

impl<R: Rules> Open<R> {
    fn rows(&self, holds: Holds) -> u64 {
        match holds {
            Holds::Positions => self.counts.positions,
            Holds::Games => self.counts.games,
        }
    }
}

/// Whether `path` is the card or the sums of an export that was killed before its data `out` had their name.
fn is_left_over(out: &Path, path: &Path) -> bool {
    let sums = fs::read_to_string(beside(out, SUMS)).unwrap_or_default();
    path != out
        && out.symlink_metadata().is_err()
        && sums.lines().any(|line| line.ends_with(&format!("  {}", name_of(out))))
}

/// Whether an export is a folder of files.
fn is_folder(export: &Export) -> bool {
    export.split.is_some() || export.shard_rows.is_some()
}

/// The place beside the file `out` of what is called `name` in an export that is a folder: `positions.npy.card.md`.
fn beside(out: &Path, name: &str) -> PathBuf {
    let mut path = out.as_os_str().to_os_string();
    path.push(".");
    path.push(name);
    path.into()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The SHA-256 in hexadecimal of what `input` still has, and its length.
fn sha256(input: &mut dyn Read) -> io::Result<(String, u64)> {
    let (mut hasher, mut buffer, mut bytes) = (Sha256::new(), vec![0; 1 << 16], 0);
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok((hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes)),
            len => {
                hasher.update(&buffer[..len]);
                bytes += len as u64;
            }
        }
    }
}
