//! Measuring and wrapping text in the bundled font.

use plotters::style::{FontDesc, FontFamily, FontStyle};
use std::sync::Once;

/// Font family. An SVG viewer takes the first of these fonts that it has; the bundled
/// one measures text.
pub const FAMILY: &str = "Roboto, Arial, Helvetica, sans-serif";

static FONT: &[u8] = include_bytes!("font/Roboto-Regular.ttf");

/// The bundled font in `size`, in plotters' pixels.
pub fn font(size: f64) -> FontDesc<'static> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // Registering fails only if the bytes are no font, and then drawing fails too.
        let _ = plotters::style::register_font(FAMILY, FontStyle::Normal, FONT);
    });
    FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal)
}

/// The width of `text` in pixels, measured at a large size to avoid rounding errors.
pub fn width(text: &str, size: f64) -> f64 {
    const TIMES: f64 = 16.0;
    font(size * TIMES).box_size(text).map_or(0.0, |(width, _)| f64::from(width) / TIMES)
}

/// `text` in at most `max_lines` lines no wider than `max_width`, broken after
/// a comma, colon, semicolon, slash or space if there is one in the last two thirds of
/// the line, and anywhere otherwise. A text that does not fit ends in an ellipsis.
pub fn wrap(text: &str, size: f64, max_width: f64, max_lines: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && lines.len() < max_lines {
        let fitting = fitting_prefix(rest, size, max_width);
        if fitting == rest.len() {
            lines.push(rest.to_string());
            return lines;
        }
        if lines.len() + 1 == max_lines {
            let room = max_width - width("…", size);
            let kept = &rest[..fitting_prefix(rest, size, room)];
            lines.push(format!("{}…", kept.trim_end()));
            return lines;
        }
        let is_break = |c: char| matches!(c, ',' | ':' | ';' | '/' | ' ');
        let at = match rest[..fitting].rfind(is_break) {
            Some(found) if found + 1 >= fitting / 3 => found + 1,
            _ => fitting,
        };
        lines.push(rest[..at].trim_end().to_string());
        rest = rest[at..].trim_start();
    }
    lines
}

/// Length in bytes of the longest start of `text` that is no wider than `max_width`;
/// at least one character.
fn fitting_prefix(text: &str, size: f64, max_width: f64) -> usize {
    let ends = text.char_indices().map(|(start, c)| start + c.len_utf8());
    let mut best = 0;
    for end in ends {
        if best > 0 && width(&text[..end], size) > max_width {
            break;
        }
        best = end;
    }
    best
}

/// `value` to a hundredth of the power of ten of `span`; to three significant digits if they are equal.
pub fn rounded(value: f64, span: f64) -> f64 {
    let unit = 10_f64.powf(span.abs().log10().floor() - 2.0);
    (value / unit).round() * unit
}

/// A number as a label: thousands in groups, at most six decimals, no trailing zeros.
pub fn number(value: f64) -> String {
    let text = format!("{:.6}", value.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 && text != "0" { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_font_measures() {
        let (narrow, wide) = (width("iiii", 16.0), width("WWWW", 16.0));
        assert!(narrow > 5.0 && wide > 2.0 * narrow, "{narrow} {wide}");
        assert!((width("100,000", 32.0) / width("100,000", 16.0) - 2.0).abs() < 0.02);
    }

    #[test]
    fn long_names_wrap_after_commas_and_end_in_an_ellipsis() {
        let name = "uct:simulations=1000,exploration=0.7,workers=2";
        assert_eq!(wrap(name, 14.0, 1000.0, 2), [name]);
        let lines = wrap(name, 14.0, 225.0, 3);
        assert_eq!(lines, ["uct:simulations=1000,exploration=0.7,", "workers=2"]);
        let cut = wrap(name, 14.0, 100.0, 2);
        assert_eq!(cut.len(), 2);
        assert!(cut[1].ends_with('…'), "{cut:?}");
        for line in lines.iter().map(|l| (l, 225.0)).chain(cut.iter().map(|l| (l, 100.0))) {
            assert!(width(line.0, 14.0) <= line.1, "{line:?}");
        }
    }

    #[test]
    fn wrapping_survives_what_has_no_break() {
        let lines = wrap(&"界".repeat(200), 14.0, 100.0, 3);
        assert_eq!(lines.len(), 3);
        assert_eq!(wrap("", 14.0, 100.0, 3), Vec::<String>::new());
        assert_eq!(wrap("word", 14.0, 0.0, 1).len(), 1);
    }

    #[test]
    fn numbers_are_grouped() {
        for (value, text) in [
            (100_000.0, "100,000"),
            (1_234_567.0, "1,234,567"),
            (-2.94, "−2.94"),
            (0.0, "0"),
            (-0.000_000_01, "0"),
            (0.25, "0.25"),
            (999.0, "999"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
