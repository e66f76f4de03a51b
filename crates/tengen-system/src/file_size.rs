//! The limit of the size of files (`ulimit -f`).
#![allow(unsafe_code)]

/// Makes a write past the limit of the size of files (`ulimit -f`) an error. Without a call the
/// signal `SIGXFSZ` ends the process without a message.
///
/// Programs that the process starts keep the signal as it was.
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
