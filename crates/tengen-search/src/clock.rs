//! The clock of searches: that of the system, or none.
//!
//! WebAssembly without a host has no clock, and asking for the time ends the program. In such a
//! program time stands still for a search: the caller bounds the search by simulations and reads
//! its own clock between slices.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use still::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod still {
    use std::ops::Add;
    use std::time::Duration;

    /// The time since the program began, which is always zero.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The beginning.
        #[must_use]
        pub const fn now() -> Self {
            Self(Duration::ZERO)
        }

        /// No time.
        #[must_use]
        pub const fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        /// No time.
        #[must_use]
        pub const fn duration_since(&self, _: Self) -> Duration {
            Duration::ZERO
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, duration: Duration) -> Self {
            Self(self.0 + duration)
        }
    }
}
