//! Rows to CSV text.

use serde::Serialize;
use std::io;

/// CSV text of `rows`, with the names of their fields as the header; empty without
/// rows.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn to_csv<T: Serialize>(rows: impl IntoIterator<Item = T>) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}
