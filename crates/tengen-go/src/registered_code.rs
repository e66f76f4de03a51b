//! Tells panics of code that a program has registered from panics of Tengen.
//!
//! ```text
//! call_registered(what, code)      a panic of the code goes on as a RegisteredPanic, which
//!                                  has its message and prints nothing
//! catch_registered_panic(work)     returns the RegisteredPanic that unwinds `work`;
//!                                  any other panic goes on
//! ```

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Once;

/// A panic of code that a program has registered, such as a bot or a selection formula.
///
/// Data that the code was changing may be half changed: do not use it again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} panicked: {message}")]
pub struct RegisteredPanic {
    /// The code that panicked, such as "selection formula `mine`".
    pub what: String,
    /// The message of the panic on one line, with file and line of the code where they are known.
    pub message: String,
}

/// Maximum length of a message, in characters.
const MOST: usize = 300;

thread_local! {
    /// The number of nested calls of registered code in this thread.
    static CALLS: Cell<u32> = const { Cell::new(0) };
    /// File and line of the last panic in such a call, until `message_of` takes them.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

impl RegisteredPanic {
    /// Unwinds the stack to the next [`catch_registered_panic`], and prints nothing.
    pub fn resume(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// Calls `work`, registered code that `what` names. A panic in `work` continues as a
/// [`RegisteredPanic`], and prints nothing unless the environment variable `RUST_BACKTRACE` is set
/// and not `0`.
#[inline]
pub fn call_registered<T>(what: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    quieten();
    CALLS.set(CALLS.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    CALLS.set(CALLS.get() - 1);
    match result {
        Ok(result) => result,
        Err(payload) => resume_unwind(match message_of(payload) {
            Ok(message) => Box::new(RegisteredPanic { what: what(), message }),
            Err(payload) => payload,
        }),
    }
}

/// Calls `work` and returns its result, or the panic of registered code that ended it. Any other
/// panic continues.
///
/// # Examples
/// ```
/// use tengen_go::{call_registered, catch_registered_panic};
///
/// let half = |x: u32| if x % 2 == 0 { x / 2 } else { panic!("{x} is odd") };
/// let call = |x| catch_registered_panic(|| call_registered(|| "the rule `half`".into(), || half(x)));
/// assert_eq!(call(4), Ok(2));
/// let said = call(5).unwrap_err().to_string();
/// assert!(said.starts_with("the rule `half` panicked: 5 is odd"), "{said}");
/// ```
#[inline]
pub fn catch_registered_panic<T>(work: impl FnOnce() -> T) -> Result<T, RegisteredPanic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast() {
        Ok(panic) => *panic,
        Err(other) => resume_unwind(other),
    })
}

/// The message of a panic in registered code. Returns a `payload` that must continue unchanged: a
/// [`RegisteredPanic`], or one that unwinds without a panic, such as an exception of Python.
#[cold]
fn message_of(payload: Box<dyn Any + Send>) -> Result<String, Box<dyn Any + Send>> {
    let place = PLACE.take();
    let message = match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(message) => (*message).to_owned(),
            Err(payload) if place.is_none() || payload.is::<RegisteredPanic>() => {
                return Err(payload);
            }
            Err(_) => "no message".to_owned(),
        },
    };
    let message = one_line(&message);
    Ok(match place {
        Some(place) => format!("{message} ({place})"),
        None => message,
    })
}

/// `message` without line breaks and other control characters, cut after [`MOST`] characters.
fn one_line(message: &str) -> String {
    let words: Vec<&str> = message.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

/// Installs a hook that prints no panic of registered code and notes its place. All other panics
/// are printed as before.
#[inline]
fn quieten() {
    static ONCE: Once = Once::new();
    // A panicking thread cannot set the hook.
    if ONCE.is_completed() || std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        let is_wanted = std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0");
        std::panic::set_hook(Box::new(move |info| {
            let is_registered = CALLS.get() > 0;
            if is_registered {
                PLACE.set(place(info));
            }
            if is_wanted || !is_registered {
                before(info);
            }
        }));
    });
}

/// File and line of a panic, with the name of the file alone if its path is absolute.
fn place(info: &PanicHookInfo<'_>) -> Option<String> {
    let location = info.location()?;
    let path = Path::new(location.file());
    let name = path.file_name().filter(|_| path.is_absolute());
    let file = name.map_or_else(|| location.file().into(), |name| name.to_string_lossy());
    Some(format!("{file}:{}", location.line()))
}

/// Names registered code in a message: its kind and its text.
pub(crate) fn told(kind: &str, text: impl fmt::Display) -> String {
    format!("{kind} `{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call<T>(work: impl FnOnce() -> T) -> Result<T, RegisteredPanic> {
        catch_registered_panic(|| call_registered(|| told("rule", "r"), work))
    }

    #[test]
    fn a_message_is_one_line() {
        let panic = call(|| panic!("two\nlines\u{7}, {}", 1)).unwrap_err();
        let (said, place) = panic.message.rsplit_once(" (").unwrap();
        assert_eq!((panic.what.as_str(), said), ("rule `r`", "two lines , 1"));
        assert!(place.contains("registered_code.rs:"), "{place}");
        let long = call(|| panic!("{}", "x".repeat(1_000))).unwrap_err();
        assert!(long.message.chars().count() < MOST + 100);
        let odd = call(|| std::panic::panic_any(7)).unwrap_err();
        assert!(odd.message.starts_with("no message"), "{odd}");
    }

    #[test]
    fn the_innermost_code_is_named() {
        let inner = || call_registered(|| told("formula", "f"), || panic!("here"));
        assert_eq!(call(inner).unwrap_err().what, "formula `f`");
    }

    #[test]
    fn what_unwinds_without_a_panic_goes_on() {
        struct Exception;
        let unwound = catch_unwind(|| call(|| resume_unwind(Box::new(Exception))));
        assert!(unwound.err().is_some_and(|payload| payload.is::<Exception>()));
        // A panic of Tengen is no panic of registered code.
        let own = catch_unwind(|| catch_registered_panic(|| resume_unwind(Box::new("of Tengen"))));
        assert!(own.err().is_some_and(|payload| payload.is::<&str>()));
        assert_eq!(CALLS.get(), 0);
    }
}
