//! Room for threads in the address space.

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
