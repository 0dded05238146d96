//! NumPy: one structured array in one file, that `numpy.load(mmap_mode="r")` opens without reading it.
//!
//! The header names the columns and the number of rows. That number is known only at the end, so room is left for it.

use std::io::{self, Seek, SeekFrom, Write};

use crate::dataset::export::column::{COLUMNS, Column, Kind};
use crate::dataset::export::row::Row;

/// Bytes before the first row; a multiple of 64, as the format asks for.
const HEADER_LEN: usize = 1024;
/// What a file begins with: magic and version 1.0.
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// Writes rows as they come, each value little-endian.
#[derive(Debug)]
pub struct NpyWriter<W: Write + Seek> {
    out: W,
    rows: u64,
}

impl<W: Write + Seek> NpyWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Where `out` fails.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(&header(0))?;
        Ok(NpyWriter { out, rows: 0 })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn push(&mut self, row: &Row) -> io::Result<()> {
        let mut bytes = [0; 64];
        let mut len = 0;
        for Column { kind, none, value, .. } in &COLUMNS {
            let value = value(row).or(*none).expect("a column without a stand-in always has a value");
            let width = kind.bytes();
            bytes[len..len + width].copy_from_slice(&value.to_le_bytes()[..width]);
            len += width;
        }
        self.rows += 1;
        self.out.write_all(&bytes[..len])
    }

    /// Ends the file and returns its output.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header(self.rows))?;
        Ok(self.out)
    }
}

/// The first [`HEADER_LEN`] bytes of a file of `rows` rows.
fn header(rows: u64) -> Vec<u8> {
    let columns: Vec<String> =
        COLUMNS.iter().map(|column| format!("('{}', '{}')", column.name, code(column.kind))).collect();
    let text = format!("{{'descr': [{}], 'fortran_order': False, 'shape': ({rows},), }}", columns.join(", "));
    let mut header = MAGIC.to_vec();
    header.extend(((HEADER_LEN - MAGIC.len() - 2) as u16).to_le_bytes());
    header.extend(text.as_bytes());
    assert!(header.len() < HEADER_LEN, "the columns have short names");
    header.resize(HEADER_LEN - 1, b' ');
    header.push(b'\n');
    header
}

/// A type as NumPy writes it.
fn code(kind: Kind) -> String {
    let order = if kind.bytes() == 1 { '|' } else { '<' };
    match kind {
        Kind::Unsigned(bytes) => format!("{order}u{bytes}"),
        Kind::Signed(bytes) => format!("{order}i{bytes}"),
    }
}
