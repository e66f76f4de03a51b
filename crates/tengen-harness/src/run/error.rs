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
    /// A file cannot be written, or a plot cannot be drawn. What was made before is kept.
    #[error("{0}")]
    Work(String),
}

impl RunError {
    /// The error for a file or a folder that cannot be read, made or locked. The input is right
    /// where the system lacks something, such as room on a disk.
    #[must_use]
    pub fn file(what: &str, path: &Path, why: &io::Error) -> Self {
        let said = format!("{what} {}: {}", path.display(), with_remedy(why));
        if Resource::of(why) == Resource::File { Self::Input(said) } else { Self::Work(said) }
    }

    /// The error for `unit` number `number` in the file `name`, which by this `difference` is another
    /// run's.
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
        Self::Work(format!("cannot write {}: {}", path.display(), with_remedy(why)))
    }
}

/// The error of the system, and what a user can do where something is lacking.
fn with_remedy(why: &io::Error) -> String {
    Resource::of(why).remedy().map_or(why.to_string(), |remedy| format!("{why}; {remedy}"))
}

impl RunError {
    /// The error as a lack of a resource, after which a run can be resumed.
    pub(crate) fn into_fault(self) -> ResourceFault {
        match self {
            Self::Resource(fault) => fault,
            Self::Input(why) | Self::Work(why) => ResourceFault::because(Resource::Executor, why),
        }
    }
}

impl From<toml::ser::Error> for RunError {
    fn from(fault: toml::ser::Error) -> Self {
        Self::Work(fault.to_string())
    }
}

impl From<csv::Error> for RunError {
    fn from(fault: csv::Error) -> Self {
        Self::Work(fault.to_string())
    }
}
