//! The CPU time of a thread, which other programs on the machine do not lengthen, and the clock rate.

use std::time::Instant;

/// CPU time of this thread so far, in seconds; none where the system does not count it. A call takes
/// about 0.3 µs.
#[cfg(target_os = "linux")]
#[allow(clippy::unnecessary_wraps)] // other systems have none
#[must_use]
pub fn thread_cpu_seconds() -> Option<f64> {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    #[allow(clippy::cast_precision_loss)] // below 2⁵³ nanoseconds
    let seconds = spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9;
    Some(seconds)
}

/// CPU time of this thread so far, in seconds; none, since this system does not count it.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub const fn thread_cpu_seconds() -> Option<f64> {
    None
}

/// Clock rate in `GHz`, from a chain of multiplications that take three cycles each
/// on every x86-64 processor of the last fifteen years. The fastest of five runs,
/// since other programs may use the core too.
#[must_use]
pub fn clock_rate() -> f64 {
    const STEPS: u32 = 200_000;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        let mut x = std::hint::black_box(3_u64);
        for _ in 0..STEPS {
            x = x.wrapping_mul(x);
        }
        std::hint::black_box(x);
        best = best.min(started.elapsed().as_secs_f64());
    }
    3.0 * f64::from(STEPS) / best / 1e9
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::thread_cpu_seconds;
    use std::time::{Duration, Instant};

    #[test]
    fn sleep_takes_no_cpu_time() {
        let spent = || thread_cpu_seconds().unwrap();
        let (before, started) = (spent(), Instant::now());
        std::thread::sleep(Duration::from_millis(50));
        assert!(spent() - before < started.elapsed().as_secs_f64() / 2.0);
        let before = spent();
        let mut number = 1_u64;
        while started.elapsed() < Duration::from_millis(100) {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        assert!(spent() > before);
    }
}
