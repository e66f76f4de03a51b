//! The allocator of the programs.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;

/// The system's allocator for programs: when memory is lacking, it ends the process with one line
/// on standard error and exit code 1. Rust itself would abort, with several lines and a core dump,
/// or hang if a starting thread finds no memory.
///
/// The process ends as if killed: files keep what was written to them, and no destructor runs.
///
/// # Examples
/// ```
/// #[global_allocator]
/// static ALLOCATOR: tengen_system::Allocator = tengen_system::Allocator;
///
/// assert_eq!(vec![5; 3].len(), 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Allocator;

thread_local! {
    /// Whether this thread handles failed allocations.
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Text added to the line that ends the process.
static NOTE: OnceLock<String> = OnceLock::new();

/// Adds `text` to the line that ends the process for lack of memory, after a semicolon; only the first
/// text of a process counts.
pub fn note(text: impl Into<String>) {
    let _ = NOTE.set(text.into());
}

/// The text that [`note`] added, if any.
pub fn noted() -> Option<&'static str> {
    NOTE.get().map(String::as_str)
}

/// Calls `work`, in which [`Allocator`] does not end the process when memory is lacking: fallible
/// calls such as `Vec::try_reserve` return their error.
pub fn may_fail<T>(work: impl FnOnce() -> T) -> T {
    /// Restores `MAY_FAIL` even if `work` panics.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            MAY_FAIL.set(self.0);
        }
    }
    let _before = Before(MAY_FAIL.replace(true));
    work()
}

/// `block`, for which `bytes` were requested. Ends the process if it is null and the thread needs
/// it.
#[inline]
fn checked(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() && !MAY_FAIL.get() {
        end(bytes);
    }
    block
}

// SAFETY: the blocks are the system allocator's, under the layouts of the caller.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is also that of `System`.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(block, layout, bytes) }, bytes)
    }
}

/// Ends the process after the system has refused `bytes`. Nothing here may allocate.
#[cfg(unix)]
#[cold]
fn end(bytes: usize) {
    use std::io::{Cursor, Write};
    use std::sync::atomic::{AtomicBool, Ordering};

    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::Relaxed) {
        // Another thread ends the process, and alone writes the line.
        loop {
            // SAFETY: it only waits.
            unsafe { libc::pause() };
        }
    }
    let mut line = Cursor::new([0; 4096]);
    // A line that is too long is cut.
    let _ = write!(
        line,
        "error: out of memory: the system refuses {bytes} bytes; {}",
        crate::MEMORY_REMEDY
    );
    if let Some(note) = NOTE.get() {
        let _ = write!(line, "; {note}");
    }
    let length = usize::try_from(line.position()).unwrap_or_default().min(4095);
    let mut text = line.into_inner();
    text[length] = b'\n';
    // If standard error is closed, only the exit code reports it.
    let _ = rustix::io::write(rustix::stdio::stderr(), &text[..=length]);
    // SAFETY: it ends the process, without handlers that could wait for this thread.
    unsafe { libc::_exit(1) }
}

/// Leaves the end to Rust, which aborts.
#[cfg(not(unix))]
#[cold]
fn end(_: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static ALLOCATOR: Allocator = Allocator;

    #[test]
    fn what_may_fail_is_an_error() {
        let bytes = usize::MAX / 4;
        assert!(may_fail(|| Vec::<u8>::new().try_reserve_exact(bytes)).is_err());
        let unwound =
            std::panic::catch_unwind(|| may_fail(|| std::panic::resume_unwind(Box::new(1))));
        assert!(unwound.is_err());
        assert!(!MAY_FAIL.get(), "what follows must not fail");
        assert!(may_fail(|| may_fail(|| 1) == 1 && MAY_FAIL.get()), "one inside another");
    }
}
