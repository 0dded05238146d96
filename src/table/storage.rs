//! Where the bytes of a table are: mapped from a file, or owned.
//!
//! The only file with `unsafe` in it. The descriptor is closed as soon as the file is mapped, so the number of tables
//! that can be open is not limited by descriptors.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a table.
pub(super) enum Storage {
    Owned(Vec<u8>),
    Mapped(Mmap),
}

impl Storage {
    /// Maps a file.
    ///
    /// A file of no bytes, which cannot be mapped, becomes an owned empty one.
    pub(super) fn open(path: &Path) -> io::Result<Storage> {
        // Asked before opening: to open a pipe would wait for its other end.
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Storage::Owned(Vec::new()));
        }
        #[expect(unsafe_code, reason = "a memory map is the only way to read a table without copying it")]
        // SAFETY: `Mmap::map` requires that the file is not changed or shortened while it is mapped. Tables are written
        // under another name and renamed into place, never altered in place: a rebuilt table is a new file, and the map
        // keeps the old one alive. Nobody but the owner of the folder can break this, by writing into a table by hand.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Storage::Mapped(map))
    }

    /// All bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Storage::Owned(bytes) => bytes,
            Storage::Mapped(map) => map,
        }
    }
}
