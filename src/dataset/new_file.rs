//! New files that are whole as soon as they have their name, and never take the place of another.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::dataset::error::DatasetError;
use crate::table::{UNFINISHED_PREFIX, folder_of, new_unfinished};

pub use crate::table::is_unfinished;

/// Writes the new file `path` by `write`, all or nothing. What is there already stays, and is an error.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], where the disk is full or fails, or what `write` returns; nothing is left behind
/// then.
pub fn write_new<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    if path.symlink_metadata().is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
    }
    let folder = folder_of(path);
    let Some(prefix) = unfinished_prefix(path) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "that is not a name for a file").into());
    };
    clear_abandoned(folder, &prefix);
    let file = new_unfinished(folder, prefix.as_ref())?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let answer = write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(folder)?;
    Ok(answer)
}

/// Writes the file `path` by another name first, so that what was there stays until the new content is whole.
///
/// # Errors
/// Where the disk is full or fails.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = new_unfinished(folder_of(path), UNFINISHED_PREFIX.as_ref())?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder_of(path))
}

/// Gives the file or folder `from` the name `to`, in the same file system. What has that name already stays, and is an
/// error.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], or where the file system fails.
pub(super) fn move_new(from: &Path, to: &Path) -> io::Result<()> {
    // A second link to a file is refused where the name is taken; a rename would take it over. Folders cannot be linked
    // twice, but a rename takes no folder over that holds something.
    if from.is_file() && fs::hard_link(from, to).is_ok() {
        return fs::remove_file(from);
    }
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

/// What the names begin with of files and folders that are to become `path`: `.unfinished-games.npy.`; `None` if `path`
/// has no name, or says that it is a folder.
pub(super) fn unfinished_prefix(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    path.to_string_lossy().ends_with(&*name).then(|| format!("{UNFINISHED_PREFIX}{name}."))
}

/// Removes files that were to become the same one and that a killed program left: unlocked ones. Nobody need know if
/// that fails.
fn clear_abandoned(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        let Ok(file) = File::options().append(true).open(entry.path()) else { continue };
        // Locked until it is gone, so that who has just made it sees that.
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes sure that the names in `folder` are on disk.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// Why the new file `path` could not be written.
pub(super) fn write_error(path: &Path, source: io::Error) -> DatasetError {
    match source.kind() {
        io::ErrorKind::AlreadyExists => DatasetError::InTheWay(path.to_path_buf()),
        _ => DatasetError::Write { path: path.to_path_buf(), source },
    }
}
