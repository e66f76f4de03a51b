//! Settings written as a name, or as a name and a number: `none`, `heuristic:20`.

/// The number after `name:` in `text`, if it lies in `range`.
pub(super) fn number_after(
    text: &str,
    name: &str,
    range: std::ops::RangeInclusive<f64>,
) -> Option<f64> {
    let number: f64 = text.strip_prefix(name)?.strip_prefix(':')?.parse().ok()?;
    range.contains(&number).then_some(number)
}
