//! Why a run cannot begin, or cannot go on.

use std::io;
use std::path::Path;
use tengen_search::{Resource, ResourceFault};

/// Why a run cannot begin, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input is wrong: a setting, a file or a folder. Nothing was changed.
    #[error("{0}")]
    Input(String),
    /// A resource is lacking, such as memory or processes. What was made before is kept.
    #[error(transparent)]
    Resource(#[from] ResourceFault),
    /// The system refuses a file or a folder. What was made before is kept.
    #[error(transparent)]
    File(FileFault),
    /// Other work failed, such as drawing a plot. What was made before is kept.
    #[error("{0}")]
    Work(String),
}

/// A file or a folder that cannot be read, made, written or locked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{said}")]
pub struct FileFault {
    /// What cannot be done, and what a user can do.
    pub said: String,
    /// The number of the error in the system (errno).
    pub code: Option<i32>,
    /// Whether the user's input is to blame (exit code 2); false for failed writes and for lack of a resource.
    pub is_input: bool,
}

impl RunError {
    /// The error for a file or a folder that cannot be read, made or locked. It blames the input
    /// unless the system lacks a resource, such as room on a disk.
    #[must_use]
    pub fn file(what: &str, path: &Path, why: &io::Error) -> Self {
        let said = format!("{what} {}: {}", path.display(), with_remedy(why));
        let (code, is_input) = (why.raw_os_error(), Resource::of(why) == Resource::File);
        Self::File(FileFault { said, code, is_input })
    }

    /// The error for `unit` number `number` in the file `name`, which belongs to another run, as
    /// this `difference` shows.
    #[must_use]
    pub fn stranger(unit: &str, number: usize, name: &str, difference: &str) -> Self {
        Self::Input(format!(
            "{unit} {number} of {name} is not the one of this configuration ({difference}): \
             config.toml was changed, or the file is another run's"
        ))
    }

    /// The error for a file that cannot be written.
    #[must_use]
    pub fn write(path: &Path, why: &io::Error) -> Self {
        let said = format!("cannot write {}: {}", path.display(), with_remedy(why));
        Self::File(FileFault { said, code: why.raw_os_error(), is_input: false })
    }
}

/// The error of the system, and the remedy if a resource is lacking.
fn with_remedy(why: &io::Error) -> String {
    Resource::of(why).remedy().map_or(why.to_string(), |remedy| format!("{why}; {remedy}"))
}

impl RunError {
    /// The error as a lack of a resource, after which a run can be resumed.
    pub(crate) fn into_fault(self) -> ResourceFault {
        match self {
            Self::Resource(fault) => fault,
            Self::File(FileFault { said, .. }) | Self::Input(said) | Self::Work(said) => {
                ResourceFault::because(Resource::Executor, said)
            }
        }
    }
}

impl From<toml::ser::Error> for RunError {
    fn from(fault: toml::ser::Error) -> Self {
        Self::Work(fault.to_string())
    }
}

impl From<serde_json::Error> for RunError {
    fn from(fault: serde_json::Error) -> Self {
        Self::Work(fault.to_string())
    }
}

impl From<csv::Error> for RunError {
    fn from(fault: csv::Error) -> Self {
        Self::Work(fault.to_string())
    }
}
