//! The process that makes a block.

use crate::run::Machine;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// A worker process, by its own word.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Process {
    /// Name of the host; empty where it cannot be read.
    pub host: String,
    /// Number of the process on the host, and when it made its first block, in milliseconds since 1970: the
    /// system may use a number again.
    pub process: String,
    /// Name of the processor; empty where it cannot be read.
    pub cpu: String,
    /// Version of Tengen.
    pub version: String,
}

static THIS: LazyLock<Process> = LazyLock::new(|| {
    let machine = Machine::this();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Process {
        host: machine.host.unwrap_or_default(),
        process: format!("{}-{}", std::process::id(), now.as_millis()),
        cpu: machine.cpu.unwrap_or_default(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
});

impl Process {
    /// This process.
    #[must_use]
    pub fn this() -> Self {
        THIS.clone()
    }
}
