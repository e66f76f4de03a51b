//! From the bytes of a file to text.

use encoding_rs::Encoding;
use std::borrow::Cow;

/// The text of a record: in the charset that a byte order mark or the property
/// CA names, else as UTF-8 or, where the bytes are none, Latin-1, the standard's
/// default. What the charset does not have becomes U+FFFD.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // Heeds the mark, if there is one.
    find(bytes).decode(bytes).0
}

/// The name of the charset in which [`decode`] reads the bytes, for those who have a decoder of
/// their own, as browsers do.
#[must_use]
pub fn charset(bytes: &[u8]) -> &'static str {
    Encoding::for_bom(bytes).map_or_else(|| find(bytes), |(charset, _)| charset).name()
}

/// The charset of bytes without a mark.
fn find(bytes: &[u8]) -> &'static Encoding {
    let utf8 = std::str::from_utf8(bytes).map(|_| encoding_rs::UTF_8);
    wide(bytes).or_else(|| named(bytes)).or(utf8.ok()).unwrap_or(encoding_rs::WINDOWS_1252)
}

/// UTF-16 without a mark: every character of the structure has a zero byte.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'(', 0, ..] => Some(encoding_rs::UTF_16LE),
        [0, b'(', ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

/// The charset that the property CA of the bytes names, if it is one that is
/// known.
fn named(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_property = |&place: &usize| {
        let before = bytes[..place].last();
        bytes[place..].starts_with(b"CA[")
            && before.is_some_and(|&byte| byte.is_ascii_whitespace() || b";]".contains(&byte))
    };
    let label = (0..bytes.len()).find(is_property)? + b"CA[".len();
    let label = bytes[label..].split(|&byte| byte == b']').next()?;
    Encoding::for_label(label).filter(|charset| charset.is_ascii_compatible())
}
