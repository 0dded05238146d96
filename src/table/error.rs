//! What can be wrong with a table file.

/// Why a table cannot be opened or read.
///
/// The path is not part of it: whoever opened the file knows it and adds it once.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file has no bytes.
    #[error("the file is empty; build it again")]
    Empty,
    /// The file does not begin with the magic of the format.
    #[error(
        "not a table: expected the bytes {expected:02x?} at the beginning, got {got:02x?}; remove it and build it again"
    )]
    NotATable {
        /// The magic.
        expected: &'static [u8],
        /// The first bytes of the file, as many as there are up to the length of the magic.
        got: Vec<u8>,
    },
    /// The file is of a major version that this program does not read.
    #[error(
        "table version {got}, this program reads version {supported}; use a newer program, or remove it and build it again"
    )]
    Version {
        /// The major version this program reads.
        supported: u8,
        /// The major version of the file.
        got: u8,
    },
    /// The file sets flags that this program does not know and so must not ignore.
    #[error(
        "table flags {got:#06x}, this program knows {known:#06x}; use a newer program, or remove it and build it again"
    )]
    Flags {
        /// The flags this program knows.
        known: u16,
        /// The flags of the file.
        got: u16,
    },
    /// The file ends early.
    #[error("the file ends early: expected {expected} bytes, got {got}; build it again")]
    Truncated {
        /// The least length in bytes that the part of the file read so far calls for.
        expected: u64,
        /// The length of the file in bytes.
        got: u64,
    },
    /// The file goes on after its last block.
    #[error("the file is too long: expected {expected} bytes, got {got}; build it again")]
    TooLong {
        /// The length in bytes that header and directory call for.
        expected: u64,
        /// The length of the file in bytes.
        got: u64,
    },
    /// Bytes differ from those that were written.
    #[error("the {what} was altered: expected checksum {expected:016x}, got {got:016x}; build it again")]
    Checksum {
        /// The part of the file: "header", "block 7" or "sum of all blocks".
        what: String,
        /// The checksum stored in the file.
        expected: u64,
        /// The checksum of the bytes found.
        got: u64,
    },
    /// Bytes that no writer of this format writes.
    #[error("corrupt at byte {offset}: {what}; build it again")]
    Corrupt {
        /// Bytes from the beginning of the file.
        offset: u64,
        /// What was expected there and what was found.
        what: String,
    },
    /// A sound table, but not the one asked for.
    #[error("holds another table: expected {what} {expected}, got {got}; remove it and build it again")]
    Foreign {
        /// The field that differs, such as "variant" or "rule facts".
        what: &'static str,
        /// What was asked for.
        expected: String,
        /// What the header says.
        got: String,
    },
    /// The operating system cannot read the file.
    #[error("cannot be read: {0}; check that it is a readable file")]
    Read(#[from] std::io::Error),
}

impl TableError {
    /// Whether the file is one of ours that was cut or altered, so that nothing is lost by writing it again.
    #[must_use]
    pub const fn is_damage(&self) -> bool {
        matches!(
            self,
            TableError::Empty
                | TableError::Truncated { .. }
                | TableError::TooLong { .. }
                | TableError::Checksum { .. }
                | TableError::Corrupt { .. }
        )
    }
}
