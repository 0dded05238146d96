//! Files that a command writes beside its output, such as pictures and reports: never over another without `--force`.

use std::path::Path;

use endame::dataset::{replace, write_new};

use crate::cli::error::Error;

/// An error where `path` is there and must not be written over, or has no folder.
pub fn refuse_to_overwrite(path: &Path, force: bool) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let what = format!("{}: there is no folder {}", path.display(), folder.display());
        return Err(Error::input(what, "make it first, or name another file"));
    }
    if path.is_dir() {
        return Err(Error::input(format!("{}: a folder", path.display()), "name a file"));
    }
    if path.symlink_metadata().is_ok() && !force {
        return Err(Error::input(format!("{}: already there", path.display()), "add --force to write over it"));
    }
    Ok(())
}

/// Writes the file `path`, all or nothing.
pub fn write(path: &Path, content: &str, force: bool) -> Result<(), Error> {
    let written = if force {
        replace(path, content.as_bytes())
    } else {
        write_new(path, |out| out.write_all(content.as_bytes()))
    };
    written.map_err(|error| Error::of_file(path, &error, "name a file that can be written"))
}
