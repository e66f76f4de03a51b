//! Settings that were removed: files of earlier versions still have them.

use crate::{SettingError, one_line};
use toml::{Table, Value};

/// A setting that was removed. A file that sets it to its neutral value is read as if it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retired {
    /// Its key.
    pub key: &'static str,
    /// The value at which it changed nothing.
    pub neutral: &'static str,
    /// The commit that removed it.
    pub commit: &'static str,
    /// The date of that commit.
    pub date: &'static str,
}

/// Takes the settings `retired` out of `table`, and refuses one whose value is not neutral.
///
/// # Errors
/// The first setting with another value, and which commits have it.
pub(crate) fn drop_retired(table: &mut Table, retired: &[Retired]) -> Result<(), SettingError> {
    for Retired { key, neutral, commit, date } in retired {
        let value = match table.remove(*key) {
            None => continue,
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        };
        if value != *neutral {
            let said = format!(
                "`{key}` is {}, but commit {commit} of {date} removed this setting: only {neutral} is \
                 accepted; to use another value, check out an earlier commit",
                one_line(&value)
            );
            return Err(SettingError::of(key, said));
        }
    }
    Ok(())
}
