//! Where the tables are.

use std::env;
use std::path::PathBuf;

use crate::cli::error::Error;

/// The folder of the tables: what was asked for, else `$ENDAME_TABLES`, else the user's data folder.
pub fn tables(asked: Option<PathBuf>) -> Result<PathBuf, Error> {
    asked
        .or_else(|| variable("ENDAME_TABLES"))
        .or_else(|| user_data().map(|folder| folder.join("endame")))
        .ok_or_else(|| Error::input("this system names no folder for user data", "give one with --tables DIR"))
}

/// The user's data folder by the custom of the platform.
fn user_data() -> Option<PathBuf> {
    if cfg!(windows) {
        return variable("LOCALAPPDATA").or_else(|| variable("APPDATA"));
    }
    let home = variable("HOME");
    if cfg!(target_os = "macos") {
        return home.map(|home| home.join("Library/Application Support"));
    }
    // XDG base directory specification: a relative path is to be ignored.
    variable("XDG_DATA_HOME").filter(|path| path.is_absolute()).or_else(|| home.map(|home| home.join(".local/share")))
}

/// An environment variable that is set and not empty.
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
