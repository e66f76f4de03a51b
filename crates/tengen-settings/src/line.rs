//! Texts that rows hold.

use std::borrow::Cow;

/// `text` with a space for each line break and each other control character but the tab, as rows
/// hold it. A text that rows must hold unchanged, such as the name of a bot, must have none of
/// these characters.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    // U+2028 and U+2029 separate lines and paragraphs, and are no control
    // characters.
    let breaks = |c: char| (c.is_control() && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) { text.replace(breaks, " ").into() } else { text.into() }
}

/// Most characters of a text that a message quotes.
const MOST_QUOTED: usize = 200;

/// Most characters of a message.
const MOST_SAID: usize = 3_000;

/// `text` as a message of one line, safe to show: characters that a terminal obeys or that turn the
/// direction of the text after them are escaped, as in `\u{202e}`, and long texts in quotes are
/// cut.
#[must_use]
pub fn message(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short = ['`', '\''].iter().fold(words, |text, &quote| cut_quoted(&text, quote));
    printable(&cut(&short, MOST_SAID))
}

/// `text` with the control characters but line breaks and tabs, and those of bidirectional text,
/// escaped.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let is_control = character.is_control() && !matches!(character, '\n' | '\t');
        let turns = matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        );
        if is_control || turns {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// `text` with each part between two `quote` characters shortened.
fn cut_quoted(text: &str, quote: char) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    // A quote that is part of a word, an apostrophe, begins or ends nothing.
    let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    let ends = |after: &str| !after.starts_with(char::is_alphanumeric);
    while let Some(open) = rest.find(quote) {
        let (before, quoted) = rest.split_at(open + 1);
        shown.push_str(before);
        rest = quoted;
        let at = text.len() - quoted.len() - 1;
        let mut closing = quoted.match_indices(quote).map(|(place, _)| place);
        let close = closing.find(|&place| ends(&quoted[place + 1..])).filter(|_| begins(at));
        if let Some(close) = close {
            shown.push_str(&shortened(&quoted[..close]));
            shown.push(quote);
            rest = &quoted[close + 1..];
        }
    }
    shown + rest
}

/// `text` as a message quotes it: only the beginning and the end of a long one.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    cut(text, MOST_QUOTED)
}

/// The beginning and the end of `text` if it has more than `most` characters.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    let characters = text.chars().count();
    if characters <= most {
        return text.into();
    }
    let place = |number: usize| text.char_indices().nth(number).map_or(text.len(), |(at, _)| at);
    let end = most / 4;
    let (begin, end) = (&text[..place(most - end)], &text[place(characters - end)..]);
    format!("{begin} … {end} ({characters} characters)").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_short_and_shows_what_a_terminal_would_obey() {
        assert_eq!(message("a\n b\tc `x`"), "a b c `x`");
        assert_eq!(message("bot `ra\u{202e}\u{1b}[1m`: it's"), "bot `ra\\u{202e}\\u{1b}[1m`: it's");
        let long = "é".repeat(100_000);
        for text in [format!("bot `{long}`: unknown"), format!("a bot's '{long}': unknown")] {
            let said = message(&text);
            assert!(said.chars().count() < 260, "{said}");
            assert!(said.contains("(100000 characters)") && said.ends_with(": unknown"), "{said}");
        }
        // Our own words are not cut, whatever stands in quotes beside them.
        let words = "it's a long sentence that nobody has quoted ".repeat(9);
        let text = format!("`a` {words}`b` {words}'c' it's");
        assert_eq!(message(&text), text);
        assert!(message(&long).chars().count() < 3_100);
    }

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
