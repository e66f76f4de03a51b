//! From the bytes of a file to text.
//!
//! A bracket or backslash may be the second byte of a character of `Shift_JIS`, GBK or Big5. A
//! game's structure therefore depends on its charset, which CA names inside that structure. The
//! decoder scans each game in every [`Shape`] of charset: a shape is right if CA, read in it, names
//! a charset of this shape. Without CA the decoder prefers the shapes in which the game is sound
//! with the most values; statistics of characters decide between their charsets.

use super::error::SgfWarning;
use super::reader::shown;
use super::shape::{Outline, Shape, next_game};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_2022_JP, SHIFT_JIS};
use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// Decodes a file to text, game by game: in the charset of a byte order mark, or of CA in the first
/// node of the game; else as UTF-8 or, where the bytes are not UTF-8, in the charset that they
/// suggest. Bytes that the charset does not have become U+FFFD.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    Decoded::of(bytes).text
}

/// The charset of the first game of a file, for programs with a decoder of their own, such as
/// browsers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charset {
    /// Its name in the Encoding Standard.
    pub name: &'static str,
    /// The number of bytes up to the end of the game.
    pub end: usize,
    /// The doubt about the charset, if any.
    pub doubt: Option<SgfWarning>,
}

/// The charset in which [`decode`] reads the first game of `bytes`.
///
/// # Examples
/// ```
/// use tengen_sgf::charset;
///
/// let bytes = b"(;CA[gb2312]PB[\xc4\xf4])(;CA[Big5]PB[\xaaL])";
/// let first = charset(bytes);
/// assert_eq!((first.name, first.end, first.doubt), ("GBK", 19, None));
/// ```
#[must_use]
pub fn charset(bytes: &[u8]) -> Charset {
    first(bytes, by_statistics)
}

/// Like [`charset`], but without statistics: takes the first possible charset of Latin-1,
/// `Shift_JIS`, GBK, Big5, EUC-KR and EUC-JP. For programs that leave out the tables of characters,
/// which are large.
#[must_use]
pub fn charset_without_statistics(bytes: &[u8]) -> Charset {
    first(bytes, |_, possible| possible.first().copied().unwrap_or(WINDOWS_1252))
}

fn first(bytes: &[u8], choose: Choose) -> Charset {
    if let Some(charset) = whole(bytes) {
        return Charset { name: charset.name(), end: bytes.len(), doubt: None };
    }
    let mut spare = spare(bytes);
    let Guess { charset, end, doubt, .. } = next(bytes, 0, &mut spare, choose);
    Charset { name: charset.name(), end, doubt }
}

/// A file as text.
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// In order, the parts of the text; empty if all games have one charset.
    pub pieces: Vec<Piece>,
}

/// A game and the text before it.
pub struct Piece {
    /// The offset in the text at which it ends, in bytes.
    pub end: usize,
    /// The doubt about its charset, if any.
    pub doubt: Option<SgfWarning>,
}

impl<'a> Decoded<'a> {
    pub fn of(bytes: &'a [u8]) -> Self {
        if let Some(charset) = whole(bytes) {
            // Obeys the byte order mark, if any.
            return Self { text: charset.decode(bytes).0, pieces: Vec::new() };
        }
        let (mut text, mut pieces) = (String::with_capacity(bytes.len()), Vec::new());
        let (mut at, mut spare) = (0, spare(bytes));
        while at < bytes.len() {
            let guess = next(bytes, at, &mut spare, by_statistics);
            // The text before the game may be in any charset.
            let (before, game) = (&bytes[at..guess.begin], &bytes[guess.begin..guess.end]);
            text.push_str(&guess.charset.decode_without_bom_handling(before).0);
            let (mut part, is_damaged) = guess.charset.decode_without_bom_handling(game);
            let mut doubt = guess.doubt;
            if let Some(label) = guess.named.filter(|_| is_damaged) {
                let (charset, label) = (guess.charset.name(), shown(&label));
                doubt = Some(match std::str::from_utf8(game) {
                    // ISO-2022-JP is ASCII too.
                    Ok(utf8) if !utf8.is_ascii() => {
                        part = utf8.into();
                        SgfWarning::Misnamed { label, charset: UTF_8.name() }
                    }
                    _ => SgfWarning::Damaged { label, charset },
                });
            }
            text.push_str(&part);
            pieces.push(Piece { end: text.len(), doubt });
            at = guess.end;
        }
        Self { text: text.into(), pieces }
    }
}

/// The charset of a file, if one charset holds for all of its games.
fn whole(bytes: &[u8]) -> Option<&'static Encoding> {
    match (bytes, Encoding::for_bom(bytes)) {
        (_, Some((charset, _))) if charset != UTF_8 || std::str::from_utf8(bytes).is_ok() => {
            Some(charset)
        }
        _ if is_plain(bytes) => Some(UTF_8),
        // UTF-16 without a mark: every character of the structure has a zero byte.
        ([b'(', 0, ..], _) => Some(UTF_16LE),
        ([0, b'(', ..], _) => Some(UTF_16BE),
        _ => None,
    }
}

/// The byte that begins the escapes of ISO-2022-JP.
const ESCAPE: u8 = b'\x1b';

/// Whether `bytes` are the same text in every charset.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && !bytes.iter().any(|byte| [0, ESCAPE].contains(byte))
}

/// The number of bytes to scan for all games of a file together. Only files made to exceed this
/// limit do so; it keeps the time in proportion to the length of the file.
fn spare(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(32)
}

/// Chooses one of the possible charsets for the bytes of a game.
type Choose = fn(&[u8], &[&'static Encoding]) -> &'static Encoding;

/// How a game is read.
struct Guess {
    charset: &'static Encoding,
    /// Where the game begins.
    begin: usize,
    /// Where it ends.
    end: usize,
    /// The text of CA, if it names the charset.
    named: Option<String>,
    doubt: Option<SgfWarning>,
}

/// A game in every shape, [`Shape::Plain`] first.
type Outlines<'a> = Vec<(Shape, Outline<'a>)>;

/// The charset of the next game of `bytes` from `from` on.
fn next(bytes: &[u8], from: usize, spare: &mut usize, choose: Choose) -> Guess {
    let begin = next_game(bytes, from).unwrap_or(bytes.len());
    let of = |charset, end| Guess { charset, begin, end, named: None, doubt: None };
    // The byte order mark of a file that was appended to another one.
    let is_marked = bytes[from..begin].trim_ascii_end().ends_with("\u{feff}".as_bytes());
    let (bytes, all) = (&bytes[begin..], bytes.len());
    if bytes.is_empty() {
        return of(UTF_8, all);
    }
    let mut outlines = Outlines::with_capacity(Shape::ALL.len());
    for shape in Shape::ALL {
        let outline = Outline::of(&bytes[..bytes.len().min(*spare)], shape);
        *spare -= outline.end;
        if shape == Shape::Plain && outline.is_sound && is_plain(&bytes[..outline.end]) {
            return of(UTF_8, begin + outline.end);
        }
        outlines.push((shape, outline));
    }
    // A game without an end, or beyond the limit of the scan, extends to the end of the file.
    let end = |shape: Shape| {
        let outline = outlines.iter().find(|(other, outline)| *other == shape && outline.is_sound);
        outline.map_or(all, |(_, outline)| begin + outline.end)
    };
    let game = &bytes[..end(Shape::Plain) - begin];
    let is_utf8 = std::str::from_utf8(game).is_ok() && !game.contains(&ESCAPE);
    let utf8 = of(UTF_8, end(Shape::Plain));
    if is_utf8 && is_marked {
        return utf8;
    }
    if let Some((charset, label)) = named(&outlines) {
        let label = String::from_utf8_lossy(label);
        if is_utf8 && quality(&outlines, Shape::of(charset)) < quality(&outlines, Shape::Plain) {
            let doubt = SgfWarning::Misnamed { label: shown(&label), charset: UTF_8.name() };
            return Guess { doubt: Some(doubt), ..utf8 };
        }
        let named = Some(label.into_owned());
        return Guess { named, ..of(charset, end(Shape::of(charset))) };
    }
    if is_utf8 {
        return utf8;
    }
    let charset = choose(game, &possible(game, &outlines));
    // CA may name an unknown charset.
    let label = outlines.iter().find_map(|(_, outline)| outline.ca).unwrap_or_default();
    let label = shown(&String::from_utf8_lossy(label));
    let doubt = Some(SgfWarning::Guessed { label, charset: charset.name() });
    Guess { doubt, ..of(charset, end(Shape::of(charset))) }
}

/// The charset that CA names, and the text of CA, if CA is found in the shape of this charset.
fn named<'a>(outlines: &Outlines<'a>) -> Option<(&'static Encoding, &'a [u8])> {
    outlines.iter().find_map(|(shape, outline)| {
        let label = outline.ca?;
        let charset = Encoding::for_label(label)?;
        let is_possible = charset.is_ascii_compatible() || charset == ISO_2022_JP;
        (is_possible && Shape::of(charset) == *shape).then_some((charset, label))
    })
}

/// The charsets of the best [`quality`] for `game`, in order of preference.
fn possible(game: &[u8], outlines: &Outlines) -> Vec<&'static Encoding> {
    if game.windows(2).any(|pair| pair == b"\x1b$") {
        // No other charset has this escape.
        return vec![ISO_2022_JP];
    }
    let quality = |shape| quality(outlines, shape);
    let best = Shape::ALL.into_iter().map(quality).max();
    let all = [WINDOWS_1252, SHIFT_JIS, GBK, BIG5, EUC_KR, EUC_JP];
    all.into_iter().filter(|charset| Some(quality(Shape::of(charset))) == best).collect()
}

/// How much of a game a shape finds: whether the game is sound, and the number of its values.
fn quality(outlines: &Outlines, shape: Shape) -> (bool, usize) {
    let outline = outlines.iter().find(|(other, _)| *other == shape);
    outline.map_or((false, 0), |(_, outline)| (outline.is_sound, outline.values))
}

/// The charset that the characters suggest, if it has the shape of a `possible` one; else the first
/// `possible` charset that has all characters of `game`, or the first of all.
fn by_statistics(game: &[u8], possible: &[&'static Encoding]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(game, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if possible.iter().any(|one| Shape::of(one) == Shape::of(guess)) {
        return guess;
    }
    let has_all = |charset: &&&'static Encoding| {
        charset.decode_without_bom_handling_and_without_replacement(game).is_some()
    };
    possible.iter().find(has_all).or(possible.first()).copied().unwrap_or(WINDOWS_1252)
}
