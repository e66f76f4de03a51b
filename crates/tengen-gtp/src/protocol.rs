//! GTP commands and answers as text: version 2, sections 2.2 to 2.7.

use std::fmt;

/// A command: id, name and arguments.
///
/// # Examples
/// ```
/// use tengen_gtp::protocol::Command;
///
/// let command = Command::read("7 play black C3 # a comment").ok_or("an empty line")?;
/// assert_eq!((command.id, command.name.as_str()), (Some(7), "play"));
/// assert_eq!(command.arguments, ["black", "C3"]);
/// assert_eq!(Command::read("# only a comment"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number before the name, which the answer repeats.
    pub id: Option<u32>,
    /// The name of the command; empty where the line has nothing but an id.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<String>,
}

impl Command {
    /// Parses a command line; none for a line with nothing but a comment, spaces or
    /// control characters, which gets no answer.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let line = printable(line);
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace().map(str::to_owned).peekable();
        let id = words.peek()?.parse().ok();
        if id.is_some() {
            words.next();
        }
        let name = words.next().unwrap_or_default();
        Some(Self { id, name, arguments: words.collect() })
    }
}

/// The answer to a command.
///
/// # Examples
/// ```
/// use tengen_gtp::protocol::Answer;
///
/// let answer = Answer { id: Some(7), result: Ok("C3".to_owned()) };
/// assert_eq!(answer.to_string(), "=7 C3\n\n");
/// assert_eq!(Answer::read("=7 C3"), Some(answer));
/// let refused = Answer { id: None, result: Err("unknown command".to_owned()) };
/// assert_eq!(Answer::read("? unknown command"), Some(refused));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Id of the command; none where the command had none.
    pub id: Option<u32>,
    /// The result or the error, of one or several lines.
    pub result: Result<String, String>,
}

impl Answer {
    /// Whether `line` can begin an answer: whether it starts with `=` or `?`.
    #[must_use]
    pub fn begins(line: &str) -> bool {
        line.starts_with(['=', '?'])
    }

    /// Parses an answer, given without the empty line that ends it; none where it
    /// begins with neither `=` nor `?`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.get(1..).filter(|_| Self::begins(text))?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let id = rest[..digits].parse().ok();
        let said = rest[digits..].trim_end();
        // Removes only the separator: a board drawn on several lines keeps its indentation.
        let said = said.strip_prefix(' ').unwrap_or(said).to_owned();
        Some(Self { id, result: if text.starts_with('=') { Ok(said) } else { Err(said) } })
    }
}

impl fmt::Display for Answer {
    /// The text to send, with the empty line that ends it. Empty lines inside
    /// would end it early and are left out. A space separates the result from the
    /// mark and the id even where the result begins with a line end: GoGui takes the
    /// result to begin after the first space of the answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, said) = match &self.result {
            Ok(said) => ('=', said.trim_end()),
            Err(said) => ('?', said.trim_end()),
        };
        write!(f, "{mark}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        let mut lines = said.split('\n').map(printable);
        if !said.is_empty() {
            write!(f, " {}", lines.next().unwrap_or_default())?;
        }
        for line in lines.filter(|line| !line.trim().is_empty()) {
            write!(f, "\n{line}")?;
        }
        f.write_str("\n\n")
    }
}

/// `line` with tabs as spaces and without other control characters.
#[must_use]
pub fn printable(line: &str) -> String {
    line.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_ascii_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn command(line: &str) -> Option<(Option<u32>, String, Vec<String>)> {
        Command::read(line).map(|command| (command.id, command.name, command.arguments))
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn commands_lose_comments_and_control_characters() {
        let play = Some((Some(12), "play".to_owned(), words(&["b", "D4"])));
        assert_eq!(command("12 play b D4"), play);
        assert_eq!(command("  12\tplay b\u{7} D4 # good\r\n"), play);
        assert_eq!(command("quit"), Some((None, "quit".to_owned(), vec![])));
        for silent in ["", "  ", "# 1 quit", "\t\r\n", "#"] {
            assert_eq!(command(silent), None, "{silent:?}");
        }
    }

    #[test]
    fn a_number_alone_is_a_command_without_name() {
        assert_eq!(command("7"), Some((Some(7), String::new(), vec![])));
        // Too large to be an id, so it is an unknown name.
        assert_eq!(command("99999999999 quit").unwrap().1, "99999999999");
    }

    #[test]
    fn answers_as_they_stand_in_the_standard() {
        let answer = |id, result: Result<&str, &str>| Answer {
            id,
            result: result.map(str::to_owned).map_err(str::to_owned),
        };
        for (text, parsed) in [
            ("=\n\n", answer(None, Ok(""))),
            ("= D4\n\n", answer(None, Ok("D4"))),
            ("=12 D4\n\n", answer(Some(12), Ok("D4"))),
            ("?3 unknown command\n\n", answer(Some(3), Err("unknown command"))),
            ("= \n 2 X .\n 1 . O\n\n", answer(None, Ok("\n 2 X .\n 1 . O"))),
            ("=4 \n. X\nO .\n\n", answer(Some(4), Ok("\n. X\nO ."))),
        ] {
            assert_eq!(parsed.to_string(), text);
            assert_eq!(Answer::read(text.trim_end()).as_ref(), Some(&parsed), "{text:?}");
        }
        // GNU Go puts a space after `=` even where nothing follows.
        assert_eq!(Answer::read("= "), Some(answer(None, Ok(""))));
        // Other programs leave out the space before a line end.
        assert_eq!(Answer::read("=\n 2 X ."), Some(answer(None, Ok("\n 2 X ."))));
        assert_eq!(Answer::read("D4"), None);
        assert_eq!(Answer::read(""), None);
        assert_eq!(Answer::read("é"), None);
    }

    proptest! {
        #[test]
        fn an_answer_ends_only_where_it_ends(
            id in proptest::option::of(any::<u32>()),
            said in "(\\PC|[\n\t\r\u{0}]){0,60}",
            good in any::<bool>(),
        ) {
            let result = if good { Ok(said) } else { Err(said) };
            let text = Answer { id, result }.to_string();
            prop_assert_eq!(text.find("\n\n"), Some(text.len() - 2), "{:?}", text);
            let read = Answer::read(text.trim_end_matches('\n')).unwrap();
            prop_assert_eq!(read.result.is_ok(), good);
        }

    }
}
