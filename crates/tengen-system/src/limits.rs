//! Limits of a process: its stack, the size of its files, and room for its threads.

use std::hint::black_box;

/// Bytes of the stack that are mapped beforehand.
const RESERVED: usize = 512 << 10;

/// Maps a part of the calling thread's stack. The stack of the main thread grows with use: if the
/// limit of the address space leaves no room to grow, the system ends the process by a signal.
#[inline(never)]
#[allow(clippy::large_stack_arrays)] // it is there for its size
pub fn reserve_stack() {
    let mut part = [0_u8; RESERVED];
    black_box(&mut part);
}

/// Makes a write past the limit of the size of files (`ulimit -f`) an error. Without a call the
/// signal `SIGXFSZ` ends the process without a message.
///
/// Programs that the process starts keep the signal as it was.
#[allow(unsafe_code)]
pub fn survive_limit_of_file_size() {
    #[cfg(unix)]
    {
        extern "C" fn ignored(_: libc::c_int) {}
        let handler = ignored as extern "C" fn(libc::c_int);
        // A handler rather than `SIG_IGN`, which programs that the process starts would inherit.
        // SAFETY: the handler does nothing; any other earlier setting is restored.
        unsafe {
            let before = libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t);
            if before != libc::SIG_DFL {
                libc::signal(libc::SIGXFSZ, before);
            }
        }
    }
}

/// Bytes beside its stack that a thread needs when it starts: guard pages, a stack for signals, its own
/// variables.
#[cfg(target_os = "linux")]
const BESIDE_STACK: u64 = 256 << 10;

/// Whether the limit of the process's address space leaves room for this many more threads; true
/// without a limit. For a thread that cannot be started, the system's error is the same whether
/// memory is lacking or the number of processes is limited.
#[must_use]
pub fn has_room_for_threads(threads: usize) -> bool {
    #[cfg(target_os = "linux")]
    if let Some(left) = address_space_left() {
        return left >= (stack() + BESIDE_STACK).saturating_mul(threads as u64);
    }
    let _ = threads;
    true
}

/// Bytes that the process may still map; none without a limit.
#[cfg(target_os = "linux")]
fn address_space_left() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let used: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(limit.saturating_sub(used << 10))
}

/// Bytes of the stack of a thread, as Rust's library chooses it.
#[cfg(target_os = "linux")]
fn stack() -> u64 {
    let given = std::env::var("RUST_MIN_STACK").ok().and_then(|text| text.parse().ok());
    given.unwrap_or(2 << 20)
}
