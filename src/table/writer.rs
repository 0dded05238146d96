//! Writes tables.
//!
//! The length of header and directory is known before the first block, so their place is kept free and they are written
//! last, when every length and checksum is known; blocks are never held back. A file is written under a temporary name
//! in the folder it is meant for, synced and renamed, so that under its own name there is a whole table or none.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

use crate::table::block::EncodedBlock;
use crate::table::header::{BLOCKS_CHECKSUM_AT, Header};

/// The bit of a directory entry that says that the block is of one symbol.
pub(super) const CONSTANT: u32 = 1 << 31;

/// What the names of unfinished tables begin with, before the name of the table.
pub(crate) const UNFINISHED_PREFIX: &str = ".unfinished-";

/// A new file in `folder` whose name begins with `prefix`, readable for whom the user's mask allows.
///
/// It is locked until it is finished or the program ends, however it ends: an unlocked one is abandoned.
///
/// # Errors
/// Where the file system fails.
pub fn new_unfinished(folder: &Path, prefix: &OsStr) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        // A temporary file would be for the user alone.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        file.as_file().lock()?;
        // Before it was locked another program may have taken it for abandoned.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Whether a file of this name is a table that a writer has not finished, or never will.
#[must_use]
pub fn is_unfinished(file_name: &str) -> bool {
    file_name.starts_with(UNFINISHED_PREFIX)
}

/// The checksum in front of block `number`: the low half of XXH3-64 with the number as its seed, so that a block in
/// another's place is found out.
pub(super) fn block_checksum(number: u64, frame: &[u8]) -> u32 {
    xxh3_64_with_seed(frame, number) as u32
}

/// Writes a table to a file, block by block; dropped unfinished, it leaves nothing behind.
pub struct TableWriter {
    path: PathBuf,
    assembly: Assembly<BufWriter<NamedTempFile>>,
}

impl TableWriter {
    /// Begins a table that will be at `path`, replacing what is there, once it is finished.
    ///
    /// # Errors
    /// Where no file can be created in the folder of `path`.
    ///
    /// # Panics
    /// If the header contradicts itself.
    pub fn create(path: &Path, header: &Header) -> io::Result<TableWriter> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let mut prefix = OsString::from(UNFINISHED_PREFIX);
        prefix.push(name);
        prefix.push("-");
        let file = new_unfinished(folder_of(path), &prefix)?;
        let assembly = Assembly::new(BufWriter::with_capacity(1 << 18, file), header)?;
        Ok(TableWriter { path: path.to_path_buf(), assembly })
    }

    /// Appends the next block, in order of slots.
    ///
    /// # Errors
    /// Where the disk is full or fails.
    pub fn push_block(&mut self, block: &EncodedBlock) -> io::Result<()> {
        self.assembly.push_block(block)
    }

    /// Writes header and directory, syncs the file and gives it its name.
    ///
    /// # Errors
    /// Where the disk is full or fails, or the name cannot be given.
    ///
    /// # Panics
    /// If there were fewer or more blocks than the header says.
    pub fn finish(self) -> io::Result<()> {
        let file = self.assembly.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        // The name is on disk only when the folder is.
        #[cfg(unix)]
        File::open(folder_of(&self.path))?.sync_all()?;
        Ok(())
    }
}

impl std::fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The bytes of a whole table.
///
/// # Panics
/// If the header contradicts itself, or `blocks` are fewer or more than it says.
#[must_use]
pub fn table_to_bytes(header: &Header, blocks: impl IntoIterator<Item = EncodedBlock>) -> Vec<u8> {
    let write = || {
        let mut assembly = Assembly::new(Cursor::new(Vec::new()), header)?;
        for block in blocks {
            assembly.push_block(&block)?;
        }
        io::Result::Ok(assembly.finish()?.into_inner())
    };
    write().expect("writing to memory does not fail")
}

/// The folder that `path` lies in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A table being written to any place that can be gone back in.
struct Assembly<W> {
    out: W,
    header: Vec<u8>,
    block_count: u64,
    directory: Vec<u8>,
    checksum: Xxh3,
}

impl<W: Write + Seek> Assembly<W> {
    fn new(mut out: W, header: &Header) -> io::Result<Self> {
        let block_count = header.block_count();
        let header = header.to_bytes();
        let front = header.len() as u64 + 4 * block_count + 8;
        out.seek(SeekFrom::Start(front))?;
        Ok(Assembly { out, header, block_count, directory: Vec::new(), checksum: Xxh3::new() })
    }

    fn push_block(&mut self, block: &EncodedBlock) -> io::Result<()> {
        let entry = match block {
            EncodedBlock::Constant(symbol) => CONSTANT | u32::from(*symbol),
            EncodedBlock::Compressed(frame) => {
                let number = (self.directory.len() / 4) as u64;
                for bytes in [&block_checksum(number, frame).to_le_bytes()[..], frame] {
                    self.checksum.update(bytes);
                    self.out.write_all(bytes)?;
                }
                u32::try_from(frame.len() + 4).expect("the largest block is a few megabytes")
            }
        };
        self.directory.extend(entry.to_le_bytes());
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        assert_eq!(self.directory.len() as u64, 4 * self.block_count, "as many blocks as the header says");
        let mut front = self.header;
        front[BLOCKS_CHECKSUM_AT..BLOCKS_CHECKSUM_AT + 8].copy_from_slice(&self.checksum.digest().to_le_bytes());
        front.append(&mut self.directory);
        front.extend(xxh3_64(&front).to_le_bytes());
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&front)?;
        self.out.flush()?;
        Ok(self.out)
    }
}
