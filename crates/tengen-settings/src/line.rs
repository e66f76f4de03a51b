//! Texts that rows hold.

use std::borrow::Cow;

/// `text` with a space for each line break and each other control character but the
/// tab, as rows hold it. A text that rows must hold unchanged, such as the name of a
/// bot, has to be free of these.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    // U+2028 and U+2029 separate lines and paragraphs, and are no control
    // characters.
    let breaks = |c: char| (c.is_control() && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) { text.replace(breaks, " ").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_one_line() {
        for breaks in
            ["\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{0}", "\u{85}", "\u{2028}", "\u{2029}"]
        {
            let text = format!("a{breaks}b");
            let line = one_line(&text);
            assert_eq!(line.trim_matches(['a', 'b']).trim(), "", "{text:?}");
            assert_eq!(line.chars().count(), text.chars().count());
            assert!(matches!(one_line(&line), Cow::Borrowed(_)), "{text:?}");
        }
        for kept in ["", "a\tb", " \"é\", 囲碁 "] {
            assert_eq!(one_line(kept), kept);
        }
    }
}
