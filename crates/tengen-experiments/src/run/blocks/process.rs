//! The process that makes a block.

use crate::run::Machine;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// A worker process, as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Process {
    /// Name of the host; empty where it cannot be read.
    pub host: String,
    /// Number of the process on the host, and when it made its first block, in milliseconds since
    /// 1970: the system may reuse the number.
    pub process: String,
    /// Name of the processor; empty where it cannot be read.
    pub cpu: String,
    /// Version of Tengen.
    pub version: String,
}

/// This process, by its number: a process that forks has another one.
static THIS: Mutex<Option<(u32, Process)>> = Mutex::new(None);

impl Process {
    /// This process.
    #[must_use]
    pub fn this() -> Self {
        let number = std::process::id();
        let mut this = THIS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, process)) = this.as_ref().filter(|(own, _)| *own == number) {
            return process.clone();
        }
        let machine = Machine::this();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let process = Self {
            host: machine.host.unwrap_or_default(),
            process: format!("{number}-{}", now.as_millis()),
            cpu: machine.cpu.unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        *this = Some((number, process.clone()));
        process
    }
}
