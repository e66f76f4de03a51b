//! Work on several threads at once.

use crate::resource::{Resource, ResourceFault};
use std::fmt;

/// The failure to start `threads` threads, for the reason `why`.
#[must_use]
pub fn not_started(threads: usize, why: impl fmt::Display) -> ResourceFault {
    lacking(Resource::lacking_for_threads(1), threads, why)
}

/// Refuses `threads` more threads if the address space has no room for them: a thread that lacks
/// room while it starts would end the process.
pub fn check_room_for_threads(threads: usize) -> Result<(), ResourceFault> {
    match Resource::lacking_for_threads(threads) {
        Resource::Memory => {
            let why = "the limit of the process leaves no room for them";
            Err(lacking(Resource::Memory, threads, why))
        }
        _ => Ok(()),
    }
}

fn lacking(resource: Resource, threads: usize, why: impl fmt::Display) -> ResourceFault {
    let s = if threads == 1 { "" } else { "s" };
    let said = format!("{}cannot start {threads} thread{s}: {why}", resource.words().0);
    ResourceFault::because(resource, said)
}

/// Calls `work` on `threads` threads at once, each with its number from 0, and returns the results
/// in the order of the numbers. A single thread is the calling thread. If the threads cannot be
/// started, `work` is called on none of them.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, ResourceFault> {
    if threads == 1 {
        return Ok(vec![work(0)]);
    }
    check_room_for_threads(threads)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|why| not_started(threads, why))?;
    Ok(pool.broadcast(|context| work(context.index())))
}

#[cfg(test)]
mod tests {
    use super::on_threads;
    use std::sync::Barrier;
    use std::thread;

    #[test]
    fn threads_work_at_once_and_one_is_the_calling_thread() {
        let barrier = Barrier::new(3);
        let work = |number| {
            barrier.wait();
            10 * number
        };
        assert_eq!(on_threads(3, work).unwrap(), [0, 10, 20]);
        assert_eq!(on_threads(1, |_| thread::current().id()).unwrap(), [thread::current().id()]);
    }
}
