#![deny(missing_docs, unsafe_code)]
//! Limits of the operating system on a process: memory, threads and sizes of files, and the end of a
//! program that meets one; the CPU time of a thread, and the clock rate.

mod allocator;
mod cpu_time;
mod limits;

pub use allocator::{Allocator, may_fail, note, noted};
pub use cpu_time::{clock_rate, thread_cpu_seconds};
pub use limits::{has_room_for_threads, reserve_stack, survive_limit_of_file_size};

/// Advice to a user when memory is lacking.
pub const MEMORY_REMEDY: &str = "free memory, raise the memory limit of the process (`ulimit -v`), or \
                                 use less: fewer threads (--threads), smaller search trees (--memory)";
