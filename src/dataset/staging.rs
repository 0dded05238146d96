//! A folder in which something comes into being before it gets its name.
//!
//! It lies beside the place where its content belongs, under a name that says so, and is locked while somebody works in it.
//! What a program left there that was killed is unlocked: the next one clears it away.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::dataset::new_file::{UNFINISHED_PREFIX, folder_of, move_new, sync_folder};

/// The file that is locked.
const LOCK: &str = "lock";

/// A folder for what is to become `out`; removed with all that is in it when it is dropped.
#[derive(Debug)]
pub(super) struct Staging {
    folder: PathBuf,
    /// Held until the folder is gone or has its name.
    lock: Option<File>,
}

impl Staging {
    /// A folder for the new file or folder `out`.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if `out` is there and no empty folder, [`io::ErrorKind::NotFound`] if there is no
    /// folder for it, [`io::ErrorKind::ResourceBusy`] if somebody else is writing it, or where the file system fails.
    pub(super) fn new(out: &Path) -> io::Result<Staging> {
        let is_empty_folder = fs::read_dir(out).is_ok_and(|mut folder| folder.next().is_none());
        if out.symlink_metadata().is_ok() && !is_empty_folder {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let parent = folder_of(out);
        if !parent.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", parent.display())));
        }
        let mut name = std::ffi::OsString::from(UNFINISHED_PREFIX);
        name.push(out.file_name().unwrap_or_default());
        let folder = parent.join(name);
        fs::create_dir_all(&folder)?;
        let lock = File::options().create(true).append(true).open(folder.join(LOCK))?;
        if lock.try_lock().is_err() {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "somebody else is writing it"));
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_name() != LOCK {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(Staging { folder, lock: Some(lock) })
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// Gives the finished folder the name `out`; an empty folder of that name gives way.
    pub(super) fn publish(&mut self, out: &Path) -> io::Result<()> {
        fs::remove_file(self.folder.join(LOCK))?;
        self.lock = None;
        if out.is_dir() {
            fs::remove_dir(out)?;
        }
        move_new(&self.folder, out)?;
        sync_folder(folder_of(out))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Nobody can be told if that fails; the next one clears it away.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_program_left_is_cleared_and_what_a_living_one_writes_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("data.npy");
        let left = folder.path().join(".unfinished-data.npy");
        fs::create_dir(&left).expect("a folder");
        fs::write(left.join("data.npy"), "half").expect("a file");
        let mut first = Staging::new(&out).expect("the rest of a killed program gives way");
        assert!(!left.join("data.npy").exists());
        let error = Staging::new(&out).expect_err("the first is at work");
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        fs::write(first.path().join("data.npy"), "whole").expect("a file");
        first.publish(&out).expect("a name");
        drop(first);
        assert_eq!(fs::read_to_string(out.join("data.npy")).expect("a file"), "whole");
        assert_eq!(Staging::new(&out).expect_err("it is there").kind(), io::ErrorKind::AlreadyExists);
        let nowhere = folder.path().join("no/data.npy");
        assert_eq!(Staging::new(&nowhere).expect_err("no folder").kind(), io::ErrorKind::NotFound);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing else is left");
    }
}
