//! The stack of the main thread.

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
