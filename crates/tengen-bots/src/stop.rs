//! When a bot is to give up its move.

use std::fmt;
use std::sync::Arc;

/// When a bot is to give up the move that it is choosing: never, or once a function says so.
#[derive(Clone, Default)]
pub struct ShouldStop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl ShouldStop {
    /// Gives up once `is_unwanted` returns true. It is called every few milliseconds, and must stay
    /// true.
    #[must_use]
    pub fn when(is_unwanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_unwanted)))
    }

    /// Whether to give up now.
    #[must_use]
    pub fn now(&self) -> bool {
        self.0.as_ref().is_some_and(|is_unwanted| is_unwanted())
    }
}

impl fmt::Debug for ShouldStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShouldStop")
    }
}
