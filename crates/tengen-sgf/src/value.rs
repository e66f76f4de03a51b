//! Values of properties: text, points and moves.

use super::tree::Property;
use tengen_go::{Move, Size, Vertex};

/// `text` as a value: escapes `\` and `]`, and leaves out control characters except line breaks.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|&c| c == '\n' || !c.is_control()) {
        if matches!(c, '\\' | ']') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The text of a value, without escapes and soft line breaks (a line break after `\`). Every other
/// line break becomes `\n`, and other white space a blank.
#[must_use]
pub fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let is_escaped = c == '\\';
        let c = if is_escaped { chars.next() } else { Some(c) };
        match c {
            Some(first @ ('\n' | '\r')) => {
                // A line break is LF, CR, CRLF or LFCR.
                if chars.peek().is_some_and(|&c| matches!(c, '\n' | '\r') && c != first) {
                    chars.next();
                }
                if !is_escaped {
                    text.push('\n');
                }
            }
            Some('\t' | '\u{b}' | '\u{c}') => text.push(' '),
            Some(c) => text.push(c),
            None => {}
        }
    }
    text
}

/// A move as SGF writes it: column and row from the top left, `a` first; nothing
/// for a pass.
pub fn write_move(mv: Move, size: Size) -> String {
    match mv {
        Move::Pass => String::new(),
        Move::Play(Vertex { col, row }) => {
            #[allow(clippy::cast_possible_truncation)] // sides are at most 19
            let from_top = size.height() as u8 - 1 - row;
            [col, from_top].map(|place| char::from(b'a' + place)).iter().collect()
        }
    }
}

/// The move of `property`. A pass is `[]`, or `[tt]` of FF 3, which is beyond every board. Anything
/// else that is not one point of the board is an error, its text as written.
pub fn read_move(property: &Property, size: Size) -> Result<Move, String> {
    let text = property.written();
    if is_pass(&text) {
        return Ok(Move::Pass);
    }
    read_point(&text, size).map(Move::Play).ok_or(text)
}

/// Whether a move is a pass.
pub fn is_pass(value: &str) -> bool {
    matches!(value.trim(), "" | "tt")
}

/// Parses a point of the board.
fn read_point(value: &str, size: Size) -> Option<Vertex> {
    let [col, row] = *value.trim().as_bytes() else { return None };
    let (col, from_top) = (col.checked_sub(b'a')?, row.checked_sub(b'a')?);
    let row = size.height().checked_sub(usize::from(from_top) + 1)?;
    let vertex = Vertex::new(col, u8::try_from(row).ok()?);
    vertex.is_on(size).then_some(vertex)
}

/// Parses one point, or a rectangle `aa:cc` between two corners. `None` if they are not points of
/// the board.
pub fn read_points(value: &str, size: Size) -> Option<Vec<Vertex>> {
    let Some((one, other)) = value.split_once(':') else {
        return Some(vec![read_point(value, size)?]);
    };
    let (one, other) = (read_point(one, size)?, read_point(other, size)?);
    let columns = one.col.min(other.col)..=one.col.max(other.col);
    let rows = one.row.min(other.row)..=one.row.max(other.row);
    Some(rows.flat_map(|row| columns.clone().map(move |col| Vertex::new(col, row))).collect())
}

/// Parses the two numbers of SZ, or the one of a square.
pub fn read_size(value: &str) -> Option<Size> {
    let side = |text: &str| text.trim().parse::<u8>().ok();
    let (width, height) = match value.split_once(':') {
        Some((width, height)) => (side(width)?, side(height)?),
        None => (side(value)?, side(value)?),
    };
    Size::new(width, height).ok()
}
