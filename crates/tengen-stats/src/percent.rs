//! Proportions as text, in percent.

use crate::Interval;

/// Formats a proportion, 0 to 1, in percent with one decimal: `85.4 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Formats an interval of proportions, 0 to 1, in percent: `80.4 to 89.3 %`.
#[must_use]
pub fn percent_range(shares: Interval) -> String {
    format!("{:.1} to {}", 100.0 * shares.low, percent(shares.high))
}
