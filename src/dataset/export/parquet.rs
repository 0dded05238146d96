//! Parquet: columns of integers, compressed; a label that is not there is null.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::dataset::export::column::{COLUMNS, Column, Kind};
use crate::dataset::export::row::Row;
use crate::dataset::metadata::program;

/// Rows that are compressed together: a few megabytes, so that a reader can skip what it does not want.
const GROUP_ROWS: usize = 1 << 18;

/// Gathers rows and writes them group by group.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Vec<Row>,
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter").field("waiting", &self.rows.len()).finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Where `out` fails.
    pub fn new(out: W) -> io::Result<Self> {
        let schema = parse_message_type(&schema()).expect("the schema follows the grammar");
        let properties = WriterProperties::builder()
            .set_created_by(program())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(io_error)?;
        Ok(ParquetWriter { file, rows: Vec::new() })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn push(&mut self, row: &Row) -> io::Result<()> {
        self.rows.push(*row);
        if self.rows.len() == GROUP_ROWS { self.write_group() } else { Ok(()) }
    }

    /// Ends the file and returns its output.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        self.file.into_inner().map_err(io_error)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = self.file.next_row_group().map_err(io_error)?;
        for column in &COLUMNS {
            write_column(&mut group, column, &self.rows).map_err(io_error)?;
        }
        group.close().map_err(io_error)?;
        self.rows.clear();
        Ok(())
    }
}

/// Writes the values of one column.
fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column,
    rows: &[Row],
) -> Result<(), ParquetError> {
    let values: Vec<Option<i64>> = rows.iter().map(column.value).collect();
    // A level of 1 says that there is a value.
    let levels: Option<Vec<i16>> = column.none.map(|_| values.iter().map(|value| i16::from(value.is_some())).collect());
    let levels = levels.as_deref();
    let mut writer = group.next_column()?.expect("the schema has every column");
    if column.kind.bytes() == 8 {
        let values: Vec<i64> = values.into_iter().flatten().collect();
        writer.typed::<Int64Type>().write_batch(&values, levels, None)?;
    } else {
        let values: Vec<i32> = values.into_iter().flatten().map(|value| value as i32).collect();
        writer.typed::<Int32Type>().write_batch(&values, levels, None)?;
    }
    writer.close()
}

/// The columns in the words of Parquet.
fn schema() -> String {
    let mut text = "message positions {\n".to_string();
    for column in &COLUMNS {
        let presence = if column.none.is_some() { "optional" } else { "required" };
        let (physical, bits, signed) = match column.kind {
            Kind::Unsigned(bytes) => (if bytes == 8 { "int64" } else { "int32" }, 8 * bytes, false),
            Kind::Signed(bytes) => (if bytes == 8 { "int64" } else { "int32" }, 8 * bytes, true),
        };
        text += &format!("{presence} {physical} {} (INTEGER({bits},{signed}));\n", column.name);
    }
    text + "}"
}

/// The error of the output itself where there is one, so that a full disk is seen as such.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
