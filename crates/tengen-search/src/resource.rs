//! Failures for lack of a resource, for which no bot is to blame, and panics of registered code.

use super::evaluator::EvaluatorError;
#[cfg(unix)]
use rustix::io::Errno;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use tengen_go::{RegisteredPanic, catch_registered_panic};
use tengen_system::{MEMORY_REMEDY, has_room_for_threads};

/// What a [`ResourceFault`] lacks: mostly a resource of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// File descriptors: open files and pipes.
    Descriptors,
    /// Processes and threads.
    Processes,
    /// Memory.
    Memory,
    /// Memory of search trees, within the limit that the program sets ([`limit_memory`]).
    ///
    /// [`limit_memory`]: crate::driver::limit_memory
    Trees,
    /// Room on a disk, or the disk itself.
    Disk,
    /// The size of a file, at its limit.
    FileSize,
    /// A file or a folder: a program to start, or the place of a log.
    File,
    /// An evaluator or a registered bot: code from outside of Tengen that judges leaves or chooses
    /// moves, and fails.
    Evaluator,
    /// Other processes that work on a run in place of this one, or the connection to them.
    Executor,
    /// No resource is lacking: code that the program has registered panicked, and the bot that called
    /// the code loses its game.
    RegisteredCode,
}

/// Calls `work` and returns its result, or an error if a search tree in it could not allocate memory, or
/// registered code in it panicked.
pub fn catch_fault<T>(work: impl FnOnce() -> T) -> Result<T, ResourceFault> {
    // The state that a panic leaves unfinished belongs to `work` and is dropped.
    let work = AssertUnwindSafe(work);
    catch_registered_panic(|| {
        catch_unwind(work).map_err(|payload| match payload.downcast() {
            Ok(fault) => *fault,
            Err(other) => resume_unwind(other),
        })
    })?
}

/// A failure for lack of a resource, or a panic of registered code ([`Resource::RegisteredCode`]). If a
/// resource is lacking, no bot is to blame: the game is not lost, but counts as not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceFault {
    resource: Resource,
    /// The resource, the work that failed, and the error of the system.
    reason: String,
    /// The number of the system's error.
    code: Option<i32>,
}

impl Resource {
    /// The resource whose lack the system's error `fault` reports.
    #[must_use]
    pub fn of(fault: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, OutOfMemory, QuotaExceeded, StorageFull, WouldBlock};
        // Errors without an `io::ErrorKind` of their own.
        #[cfg(unix)]
        match Errno::from_io_error(fault) {
            Some(Errno::MFILE | Errno::NFILE) => return Self::Descriptors,
            Some(Errno::IO) => return Self::Disk,
            _ => {}
        }
        match fault.kind() {
            // The error of fork and of thread creation at their limits.
            WouldBlock => Self::lacking_for_threads(1),
            OutOfMemory => Self::Memory,
            StorageFull | QuotaExceeded => Self::Disk,
            FileTooLarge => Self::FileSize,
            _ => Self::File,
        }
    }

    /// The lacking resource if `threads` more threads or processes cannot start: memory if the
    /// address space has no room for them.
    pub(super) fn lacking_for_threads(threads: usize) -> Self {
        if has_room_for_threads(threads) { Self::Processes } else { Self::Memory }
    }

    /// The words before the reason, and what a user can do, in a few words; none if the reason says it.
    pub(super) const fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Descriptors => (
                "out of file descriptors: ",
                Some("raise their limit (`ulimit -n`), or play fewer games at once (--threads)"),
            ),
            Self::Processes => (
                "out of processes or threads: ",
                Some("raise their limit (`ulimit -u`), or use fewer threads (--threads)"),
            ),
            Self::Memory => ("out of memory: ", Some(MEMORY_REMEDY)),
            Self::Disk => {
                ("the disk refuses: ", Some("free space on the disk, or check the disk for errors"))
            }
            Self::FileSize => (
                "a file is too large: ",
                Some("raise the limit of the size of files (`ulimit -f`)"),
            ),
            Self::Trees | Self::File | Self::Evaluator | Self::Executor | Self::RegisteredCode => {
                ("", None)
            }
        }
    }

    /// What a user can do, in a few words; none if the reason says it.
    #[must_use]
    pub const fn remedy(self) -> Option<&'static str> {
        self.words().1
    }
}

impl ResourceFault {
    /// The failure described by `what`, as in "the log cannot be written", with the
    /// system's error `fault`.
    #[must_use]
    pub fn new(what: impl fmt::Display, fault: &io::Error) -> Self {
        let resource = Resource::of(fault);
        let reason = format!("{}{what}: {fault}", resource.words().0);
        Self { resource, reason, code: fault.raw_os_error() }
    }

    /// A failure for lack of `resource`, described by `reason` instead of an error of the system.
    #[must_use]
    pub const fn because(resource: Resource, reason: String) -> Self {
        Self { resource, reason, code: None }
    }

    /// The number of the error in the system (errno), where there is one.
    #[must_use]
    pub const fn os_code(&self) -> Option<i32> {
        self.code
    }

    /// The resource that is lacking.
    #[must_use]
    pub const fn resource(&self) -> Resource {
        self.resource
    }
}

impl From<EvaluatorError> for ResourceFault {
    fn from(error: EvaluatorError) -> Self {
        Self::because(Resource::Evaluator, error.to_string())
    }
}

impl From<RegisteredPanic> for ResourceFault {
    fn from(panic: RegisteredPanic) -> Self {
        Self::because(Resource::RegisteredCode, panic.to_string())
    }
}

impl fmt::Display for ResourceFault {
    /// The reason, with a remedy.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        self.resource.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl std::error::Error for ResourceFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_is_named_with_its_remedy() {
        for (code, words) in [
            (Errno::MFILE, ["out of file descriptors", "ulimit -n"]),
            (Errno::NFILE, ["out of file descriptors", "--threads"]),
            (Errno::AGAIN, ["out of processes or threads", "ulimit -u"]),
            (Errno::NOMEM, ["out of memory", "ulimit -v"]),
            (Errno::FBIG, ["a file is too large", "ulimit -f"]),
            (Errno::NOSPC, ["the disk refuses", "free space"]),
            (Errno::DQUOT, ["the disk refuses", "free space"]),
            (Errno::NOENT, ["`x` cannot be started", "No such file"]),
        ] {
            let fault = io::Error::from(code);
            let text = ResourceFault::new("`x` cannot be started", &fault).to_string();
            for word in words.into_iter().chain(["`x` cannot be started: "]) {
                assert!(text.contains(word), "{text}");
            }
            assert!(!text.contains('\n'));
        }
    }
}
