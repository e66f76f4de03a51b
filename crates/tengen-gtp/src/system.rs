//! Errors of the operating system, for which no engine is to blame.

use std::io;
use std::sync::Arc;

/// An error of the operating system, with the action that failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what}: {error}")]
pub struct SystemFault {
    /// The failed action, as in "the log cannot be written".
    pub what: String,
    /// The reason.
    pub error: Arc<io::Error>,
}

impl SystemFault {
    pub(crate) fn new(what: impl Into<String>, error: io::Error) -> Self {
        Self { what: what.into(), error: Arc::new(error) }
    }
}

impl PartialEq for SystemFault {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for SystemFault {}
