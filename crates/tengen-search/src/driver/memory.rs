//! A limit on the memory of all search trees of a process.

use crate::resource::{Resource, ResourceFault};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory of all search trees of this process, and its limit.
static TREES: Memory = Memory::new(usize::MAX);

/// Sets the most bytes that the trees of all searches of this process may use together; trees kept
/// between moves do not count while no search uses them. The limit never changes the result of a
/// search: a search that needs more ends with [`Resource::Trees`]. Without a call there is no limit.
pub fn limit_memory(bytes: usize) {
    TREES.most.store(bytes, Ordering::Relaxed);
}

/// The limit in bytes set by [`limit_memory`]; `usize::MAX` without one.
#[must_use]
pub fn memory_limit() -> usize {
    TREES.most.load(Ordering::Relaxed)
}

/// Bytes that the trees of a thread may always take, whatever the limit: small searches, such as
/// those that judge openings, never fail.
const ALWAYS_ALLOWED: usize = 16 << 20;

/// The memory in use and its limit, in bytes, for the searches of many threads.
#[derive(Debug)]
pub struct Memory {
    most: AtomicUsize,
    used: AtomicUsize,
}

impl Memory {
    /// No memory in use, and a limit of `bytes` bytes.
    const fn new(bytes: usize) -> Self {
        Self { most: AtomicUsize::new(bytes), used: AtomicUsize::new(0) }
    }

    /// Notes that the trees of `searches` searches of a thread, which took
    /// `before` bytes, now take `now`.
    pub fn change(&self, before: usize, now: usize, searches: usize) -> Result<(), ResourceFault> {
        let others = self.used.fetch_sub(before, Ordering::Relaxed).wrapping_sub(before);
        self.used.fetch_add(now, Ordering::Relaxed);
        let (used, most) = (others.saturating_add(now), self.most.load(Ordering::Relaxed));
        if used > most && now > ALWAYS_ALLOWED {
            let reason = format!(
                "out of memory: the search trees take {} MiB, those of {searches} searches among them, \
                 and the limit is {} MiB: raise it with --memory, or set fewer simulations or max_nodes",
                used >> 20,
                most >> 20
            );
            return Err(ResourceFault::because(Resource::Trees, reason));
        }
        Ok(())
    }

    /// Notes that trees of `bytes` bytes have been freed.
    pub fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The memory in use by the trees of a driver, until this value is dropped.
#[derive(Debug, Default)]
pub struct InUse(usize);

impl InUse {
    /// Notes that the trees of the driver's `searches` now take `bytes`.
    pub fn change(&mut self, bytes: usize, searches: usize) -> Result<(), ResourceFault> {
        TREES.change(std::mem::replace(&mut self.0, bytes), bytes, searches)
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        TREES.give_back(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_a_budget() {
        let memory = Memory::new(100 << 20);
        assert_eq!(memory.change(0, 60 << 20, 1), Ok(()));
        assert_eq!(memory.change(0, 40 << 20, 1), Ok(()));
        let refused = |before, now| memory.change(before, now, 3).unwrap_err().to_string();
        let said = refused(40 << 20, 50 << 20);
        let begin = "out of memory: the search trees take 110 MiB, those of 3 searches among them, \
                     and the limit is 100 MiB: ";
        assert!(said.starts_with(begin), "{said}");
        assert!(refused(50 << 20, 51 << 20).contains("111 MiB"));
        assert_eq!(memory.change(51 << 20, 16 << 20, 3), Ok(()), "a small tree");
        assert!(refused(16 << 20, 50 << 20).contains("110 MiB"));
        memory.give_back(60 << 20);
        assert_eq!(memory.change(50 << 20, 90 << 20, 1), Ok(()));
    }
}
