//! A folder in which something comes into being before it gets its name.
//!
//! It lies beside the place where its content belongs, under a name of its own that says what it is, and is locked
//! until it has its final name. What a program left there that was killed is unlocked: the next one that writes the
//! same clears it away.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::dataset::new_file::{move_new, sync_folder, unfinished_prefix};
use crate::table::folder_of;

/// The file in it that is locked, and that says that the folder is one of ours.
const LOCK: &str = ".endame-lock";

/// A folder for what is to become `out`; removed with all that is in it when it is dropped before it has its name.
#[derive(Debug)]
pub(super) struct Staging {
    folder: TempDir,
    /// Held until the folder has its name.
    lock: File,
}

impl Staging {
    /// A folder for the new file or folder `out`.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if `out` is there and no empty folder, [`io::ErrorKind::NotFound`] if there is
    /// no folder for it, [`io::ErrorKind::InvalidInput`] if it is no name, or where the file system fails.
    pub(super) fn new(out: &Path) -> io::Result<Staging> {
        let Some(prefix) = unfinished_prefix(out) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "that is not a name for something new"));
        };
        let is_empty_folder = || fs::read_dir(out).is_ok_and(|mut folder| folder.next().is_none());
        if out.symlink_metadata().is_ok_and(|there| !(there.is_dir() && is_empty_folder())) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let parent = folder_of(out);
        if !parent.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", parent.display())));
        }
        clear_abandoned(parent, &prefix);
        loop {
            let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent)?;
            let lock = File::create_new(folder.path().join(LOCK))?;
            lock.lock()?;
            // Before it was locked another program may have taken it for abandoned.
            if folder.path().join(LOCK).exists() {
                return Ok(Staging { folder, lock });
            }
        }
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the finished folder the name `out`; an empty folder of that name gives way.
    pub(super) fn publish(self, out: &Path) -> io::Result<()> {
        sync_folder(self.path())?;
        #[cfg(unix)]
        {
            // Open to whom the user's mask allows; a temporary folder would be for the user alone.
            use std::os::unix::fs::PermissionsExt;
            let twin = self.path().join("mask");
            fs::create_dir(&twin)?;
            let mode = twin.metadata()?.permissions().mode();
            fs::remove_dir(&twin)?;
            fs::set_permissions(self.path(), fs::Permissions::from_mode(mode))?;
        }
        if out.is_dir() {
            fs::remove_dir(out)?;
        }
        move_new(self.path(), out)?;
        // From here on it is not ours to remove.
        let _ = self.folder.keep();
        fs::remove_file(out.join(LOCK))?;
        drop(self.lock);
        sync_folder(folder_of(out))
    }
}

/// Removes folders beside `out` that a killed program left: real folders of our name that hold our lock, unlocked.
/// Nobody need know if that fails.
fn clear_abandoned(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder || !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        let Ok(lock) = File::options().append(true).open(entry.path().join(LOCK)) else { continue };
        // Locked until it is gone, so that who has just made it sees that.
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_program_left_is_cleared_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("data.npy");
        // Left by a program that was killed, by another file, and by the user.
        let left = [".unfinished-data.npy.abcdef", ".unfinished-other.npy.abcdef", ".unfinished-data.npy.mine"];
        for (i, name) in left.iter().enumerate() {
            fs::create_dir(folder.path().join(name)).expect("a folder");
            fs::write(folder.path().join(name).join("data.npy"), "half").expect("a file");
            if i < 2 {
                fs::write(folder.path().join(name).join(LOCK), "").expect("a file");
            }
        }
        let first = Staging::new(&out).expect("a folder");
        assert_eq!(left.map(|name| folder.path().join(name).exists()), [false, true, true]);
        // Another one at the same time has a folder of its own, and does not take the name away.
        let second = Staging::new(&out).expect("another folder");
        assert_ne!(first.path(), second.path());
        assert!(first.path().exists(), "a folder that is locked stays");
        fs::write(first.path().join("data.npy"), "whole").expect("a file");
        first.publish(&out).expect("a name");
        assert_eq!(fs::read_to_string(out.join("data.npy")).expect("a file"), "whole");
        assert_eq!(fs::read_dir(&out).expect("a folder").count(), 1, "the lock is not part of it");
        fs::write(second.path().join("data.npy"), "other").expect("a file");
        second.publish(&out).expect_err("the name is taken");
        assert_eq!(fs::read_to_string(out.join("data.npy")).expect("a file"), "whole");
        assert_eq!(Staging::new(&out).expect_err("it is there").kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3, "nothing else is left");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (precious, empty) = (folder.path().join("precious"), folder.path().join("empty"));
        fs::create_dir(&precious).expect("a folder");
        fs::create_dir(&empty).expect("a folder");
        fs::write(precious.join(LOCK), "").expect("a file");
        std::os::unix::fs::symlink(&precious, folder.path().join(".unfinished-x.npy.abcdef")).expect("a link");
        std::os::unix::fs::symlink(&empty, folder.path().join("link")).expect("a link");
        drop(Staging::new(&folder.path().join("x.npy")).expect("a folder"));
        assert!(precious.join(LOCK).exists());
        let error = Staging::new(&folder.path().join("link")).expect_err("a link is there");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        for name in [".", "..", "/"] {
            Staging::new(Path::new(name)).expect_err("no name for something new");
        }
        let nowhere = folder.path().join("no/data.npy");
        assert_eq!(Staging::new(&nowhere).expect_err("no folder").kind(), io::ErrorKind::NotFound);
    }
}
