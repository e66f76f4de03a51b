//! Settings written as a name, or as a name and a number: `none`, `heuristic:20`.

use tengen_go::numbers;

/// The number after `name:` in `text`, if it lies in `range`.
pub(super) fn number_after(
    text: &str,
    name: &str,
    range: std::ops::RangeInclusive<f64>,
) -> Option<f64> {
    let [number] = numbers(text.strip_prefix(name)?.strip_prefix(':')?, range).ok()?;
    Some(number)
}
