//! GTP command lines of any length, read in bounded memory.

use super::protocol::Command;
use std::io::{self, BufRead, ErrorKind};

/// A GTP command line as [`read_line`] returns it.
///
/// # Examples
/// ```
/// use tengen_gtp::{Line, read_line};
///
/// let mut input = "7 play black C3\n8 play white a-vertex-that-never-ends\n".as_bytes();
/// assert_eq!(read_line(&mut input, 20)?, Some(Line::Whole("7 play black C3".to_owned())));
/// assert_eq!(read_line(&mut input, 20)?, Some(Line::TooLong { id: Some(8) }));
/// assert_eq!(read_line(&mut input, 20)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A complete line, without its comment, control characters and repeated
    /// spaces; may be empty.
    Whole(String),
    /// A line that exceeds the limit even without these parts: only the id of its command is kept.
    TooLong {
        /// GTP id of the command, which the answer repeats; none if it has none.
        id: Option<u32>,
    },
}

/// Reads the next command line of `input`; none at the end of the input.
///
/// The line is read to its line break, however long it is: text beyond the limit is never taken for
/// a command. At most `limit` bytes are kept, not counting comments, control characters and
/// repeated spaces.
pub fn read_line(input: &mut impl BufRead, limit: usize) -> io::Result<Option<Line>> {
    let mut kept = Vec::new();
    let (mut is_begun, mut is_comment, mut is_long) = (false, false, false);
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(fault) if fault.kind() == ErrorKind::Interrupted => continue,
            Err(fault) => return Err(fault),
        };
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let is_last = end.is_some() || bytes.is_empty();
        is_begun |= !bytes.is_empty();
        let part = &bytes[..end.unwrap_or(bytes.len())];
        for &byte in part {
            is_comment |= byte == b'#';
            if is_comment || is_long {
                break;
            }
            let byte = if byte == b'\t' { b' ' } else { byte };
            let is_repeated = byte == b' ' && matches!(kept.last(), None | Some(b' '));
            if !is_repeated && !byte.is_ascii_control() {
                is_long = kept.len() == limit;
                kept.push(byte);
            }
        }
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if is_last {
            break;
        }
    }
    kept.truncate(limit);
    let line = String::from_utf8_lossy(&kept).into_owned();
    Ok(is_begun.then(|| {
        if is_long {
            // An id with nothing after it may itself be cut off by the limit.
            let command = Command::read(&line).filter(|command| !command.name.is_empty());
            Line::TooLong { id: command.and_then(|command| command.id) }
        } else {
            Line::Whole(line)
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    const LIMIT: usize = 10;

    /// The lines of `text`, read through a buffer of `buffer` bytes.
    fn lines(text: &[u8], buffer: usize) -> Vec<Line> {
        let mut input = BufReader::with_capacity(buffer, text);
        std::iter::from_fn(|| read_line(&mut input, LIMIT).unwrap()).collect()
    }

    #[test]
    fn what_does_not_count_may_have_any_length() {
        let whole = |text: &str| Line::Whole(text.to_owned());
        let long = |id| Line::TooLong { id };
        let spaces = " ".repeat(100);
        for (text, expected) in [
            (String::new(), vec![]),
            ("\n".into(), vec![whole("")]),
            ("quit".into(), vec![whole("quit")]),
            ("1 quit\r\n\nname\n".into(), vec![whole("1 quit"), whole(""), whole("name")]),
            (format!("#{spaces}quit\nname"), vec![whole(""), whole("name")]),
            (format!("name #{spaces}\n"), vec![whole("name ")]),
            (format!("{spaces}\t1{spaces}quit{spaces}\n"), vec![whole("1 quit ")]),
            ("a2345678 b\n".into(), vec![whole("a2345678 b")]),
            ("a2345678 bc\nname\n".into(), vec![long(None), whole("name")]),
            (format!("17 a{}\n", "b ".repeat(100)), vec![long(Some(17))]),
            (format!("xxxxxxxxxxxxxxxx{spaces}# 1 quit\n"), vec![long(None)]),
            ("12345678901 quit".into(), vec![long(None)]),
        ] {
            for buffer in [1, 7, 4096] {
                assert_eq!(lines(text.as_bytes(), buffer), expected, "{text:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn there_are_as_many_lines_as_line_ends(text in "[a1# \t\n\r\u{7f}é]{0,80}", buffer in 1_usize..9) {
            let read = lines(text.as_bytes(), buffer);
            prop_assert_eq!(read.len(), text.split_terminator('\n').count());
            for (line, text) in read.iter().zip(text.split_terminator('\n')) {
                match line {
                    Line::Whole(line) => prop_assert_eq!(Command::read(line), Command::read(text)),
                    Line::TooLong { .. } => prop_assert!(text.len() > LIMIT),
                }
            }
        }
    }
}
