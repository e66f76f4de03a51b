//! `--memory`: the limit of the memory that all search trees of a program take
//! together.

use super::Failure;
use crate::search::driver;
use std::fs;

/// The default limit, as a share of the free memory.
const SHARE: f64 = 0.6;

/// The option `--memory`, for the programs that search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct MemoryArgument {
    /// Memory limit of all search trees together, in mebibytes [default: 60 % of the free memory]
    ///
    /// The limit is 64 or more. The default follows the memory that is free at the start. A search
    /// that needs more memory stops with an error; a stopped run can be resumed. The limit changes
    /// no result, with one exception: a bot drops the tree that it keeps between moves (`reuse`) if
    /// this tree takes more than half of the limit.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..=1 << 30))]
    memory: Option<u64>,
}

impl MemoryArgument {
    /// Sets the limit for this process.
    pub fn limit(self) {
        let bytes = self.memory.map(|mebibytes| mebibytes << 20).or_else(|| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a part of it
            free_bytes().map(|free| (free as f64 * SHARE) as u64)
        });
        if let Some(bytes) = bytes {
            driver::limit_memory(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
    }

    /// The option as a word of a command line; none if it is not given.
    #[must_use]
    pub fn word(self) -> Option<String> {
        self.memory.map(|mebibytes| format!("--memory={mebibytes}"))
    }
}

/// Free memory in bytes, without swapping and within the limits on this process;
/// none if it is unknown.
fn free_bytes() -> Option<u64> {
    let of_machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
    });
    let read = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let of_group = read("/sys/fs/cgroup/memory.max");
    #[cfg(unix)]
    let of_process = rustix::process::getrlimit(rustix::process::Resource::As).current;
    #[cfg(not(unix))]
    let of_process = None;
    [of_machine, of_group, of_process].into_iter().flatten().min()
}

/// Runs `work`, and turns two kinds of panics into an error: a search tree that cannot grow for
/// lack of memory, and a panic of code that the program has registered.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    crate::search::catch_fault(work).unwrap_or_else(|fault| Err(Failure::Work(fault.into())))
}
