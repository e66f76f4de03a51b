//! Keys that are no present settings: keys of earlier versions, and names from elsewhere.

use crate::{SettingError, one_line};
use toml::{Table, Value};

/// A key that is known but is no setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyChange {
    /// A setting that was removed. A file that sets it to its neutral value is read as if it did
    /// not set it.
    Removed {
        /// Its key.
        key: &'static str,
        /// The value at which it changed nothing.
        neutral: &'static str,
        /// The commit that removed it.
        commit: &'static str,
        /// The date of that commit.
        date: &'static str,
    },
    /// A setting that has another key now.
    Renamed {
        /// The key that it had.
        key: &'static str,
        /// The key that it has.
        now: &'static str,
    },
    /// What other programs or papers call a setting.
    CalledElsewhere {
        /// The other name, which is refused.
        key: &'static str,
        /// The key of the setting.
        here: &'static str,
    },
}

/// Renames earlier keys in `table` to the present ones, and takes out removed settings. Refuses a
/// removed setting whose value is not neutral, naming the commit that removed it, a setting given
/// by both its keys, and a name from elsewhere.
pub(crate) fn present_keys(table: &mut Table, changes: &[KeyChange]) -> Result<(), SettingError> {
    rename(table, changes)?;
    let elsewhere = changes.iter().find_map(|one| match *one {
        KeyChange::CalledElsewhere { key, here } if table.contains_key(key) => Some((key, here)),
        _ => None,
    });
    if let Some((key, here)) = elsewhere {
        let said = format!("unknown setting `{key}`: did you mean `{here}`?");
        return Err(SettingError::of(key, said));
    }
    for change in changes {
        let KeyChange::Removed { key, neutral, commit, date } = *change else { continue };
        let value = match table.remove(key) {
            None => continue,
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        };
        if value != neutral {
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

/// Renames earlier keys in `table` to the present ones. Refuses a setting by both of its keys.
pub(crate) fn rename(table: &mut Table, changes: &[KeyChange]) -> Result<(), SettingError> {
    for change in changes {
        let KeyChange::Renamed { key, now } = *change else { continue };
        let Some(value) = table.remove(key) else { continue };
        if table.contains_key(now) {
            let said = format!("`{key}` is the earlier name of `{now}`: leave one of them out");
            return Err(SettingError::of(key, said));
        }
        table.insert(now.to_owned(), value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_setting_is_read_by_either_key() {
        let changes = [KeyChange::Renamed { key: "playouts", now: "simulations" }];
        let read = |text: &str| {
            let mut table: Table = text.parse().unwrap();
            present_keys(&mut table, &changes).map(|()| table.to_string())
        };
        for key in ["playouts", "simulations"] {
            assert_eq!(read(&format!("{key} = 5")).unwrap(), "simulations = 5\n");
        }
        let said = "`playouts` is the earlier name of `simulations`: leave one of them out";
        let both = read("playouts = 5\nsimulations = 5");
        assert_eq!(both.map_err(|error| error.to_string()), Err(said.to_owned()));
    }
}
