//! Games in the bytes of a file whose charset is not known yet.

use super::reader::key;
use encoding_rs::Encoding;

/// How a charset makes characters of bytes, as far as it matters for SGF: which bytes `[`, `]` and
/// `\` are part of another character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every byte of ASCII is its own character: UTF-8, the charsets of one byte, EUC.
    Plain,
    ShiftJis,
    /// GBK, and its extension GB 18030.
    Gbk,
    Big5,
    /// Characters of two bytes of ASCII between `ESC $` and `ESC (`.
    Iso2022Jp,
}

impl Shape {
    pub const ALL: [Self; 5] =
        [Self::Plain, Self::ShiftJis, Self::Gbk, Self::Big5, Self::Iso2022Jp];

    pub fn of(charset: &'static Encoding) -> Self {
        match charset.name() {
            "Shift_JIS" => Self::ShiftJis,
            "GBK" | "gb18030" => Self::Gbk,
            "Big5" => Self::Big5,
            "ISO-2022-JP" => Self::Iso2022Jp,
            _ => Self::Plain,
        }
    }

    /// The length of the first character of `bytes`, in bytes. A character of several bytes, none
    /// of ASCII, may count as several.
    fn first(self, bytes: &[u8]) -> usize {
        if self == Self::Iso2022Jp && bytes.starts_with(b"\x1b$") {
            let end = bytes.windows(2).position(|pair| pair == b"\x1b(");
            return end.map_or(bytes.len(), |end| bytes.len().min(end + b"\x1b(B".len()));
        }
        let [lead, trail, ..] = *bytes else { return 1 };
        let is_pair = match self {
            Self::Plain | Self::Iso2022Jp => false,
            Self::ShiftJis => {
                matches!(lead, 0x81..=0x9f | 0xe0..=0xfc)
                    && matches!(trail, 0x40..=0x7e | 0x80..=0xfc)
            }
            Self::Gbk => matches!(lead, 0x81..=0xfe) && matches!(trail, 0x40..=0x7e | 0x80..=0xfe),
            Self::Big5 => matches!(lead, 0x81..=0xfe) && matches!(trail, 0x40..=0x7e | 0xa1..=0xfe),
        };
        1 + usize::from(is_pair)
    }

    /// The length of the value at the begin of `bytes`, brackets included; `None` if it is not
    /// closed.
    fn value(self, bytes: &[u8]) -> Option<usize> {
        let mut at = 1;
        loop {
            match *bytes.get(at)? {
                b']' => return Some(at + 1),
                b'\\' => {
                    at += 1;
                    at += self.first(bytes.get(at..).filter(|rest| !rest.is_empty())?);
                }
                _ => at += self.first(&bytes[at..]),
            }
        }
    }
}

/// A game, with its bytes read in one shape.
#[derive(Debug)]
pub struct Outline<'a> {
    /// The end of the game; without one, its first invalid byte or the end of the bytes.
    pub end: usize,
    /// Whether the game is closed, and has only nodes and properties.
    pub is_sound: bool,
    /// Number of values of properties.
    pub values: usize,
    /// The value of CA in the first node.
    pub ca: Option<&'a [u8]>,
}

impl<'a> Outline<'a> {
    /// The game that `bytes` begins with.
    pub fn of(bytes: &'a [u8], shape: Shape) -> Self {
        let mut outline = Self { end: bytes.len(), is_sound: false, values: 0, ca: None };
        let (mut at, mut depth, mut nodes) = (0, 0, 0);
        let mut name = 0..0;
        while let Some(&byte) = bytes.get(at) {
            let mut length = 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b';' => nodes += 1,
                b'[' => {
                    // The first `;` of a game may be missing.
                    nodes = nodes.max(1);
                    let Some(end) = shape.value(&bytes[at..]) else { return outline };
                    length = end;
                    outline.values += 1;
                    let is_root = depth == 1 && nodes == 1;
                    if is_root && outline.ca.is_none() && is_ca(&bytes[name.clone()]) {
                        outline.ca = Some(&bytes[at + 1..at + end - 1]);
                    }
                }
                _ if byte.is_ascii_alphanumeric() => {
                    if name.end != at {
                        name.start = at;
                    }
                    name.end = at + 1;
                }
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    outline.end = at;
                    return outline;
                }
            }
            at += length;
            if depth == 0 {
                return Self { end: at, is_sound: true, ..outline };
            }
        }
        outline
    }
}

fn is_ca(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| key(name) == "CA")
}

/// The offset of the next game of `bytes`, from `from` on.
pub fn next_game(bytes: &[u8], from: usize) -> Option<usize> {
    let begins = |at: &usize| {
        let text = bytes[at + 1..].trim_ascii_start();
        let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        text.first() == Some(&b';') || (name > 0 && text.get(name) == Some(&b'['))
    };
    let open = |&at: &usize| bytes[at] == b'(';
    (from..bytes.len()).filter(open).find(begins)
}
