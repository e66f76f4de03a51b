//! Where something stands in a text, and what is wrong there.

use std::fmt;

/// A place in a text: line and column from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// How much is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Programs may differ in what they read there, but nothing is lost.
    Warning,
    /// Something is lost, or has no meaning.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Something that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub at: Place,
    /// How much.
    pub severity: Severity,
    /// What, on one line.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.at, self.severity, self.what)
    }
}

/// The begins of the lines of a text, to find the place of an offset.
pub struct Lines<'a> {
    text: &'a str,
    begins: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, begins: std::iter::once(0).chain(ends).collect() }
    }

    /// The place of the byte at `offset`, which begins a character.
    pub fn place(&self, offset: usize) -> Place {
        let line = self.begins.partition_point(|&begin| begin <= offset);
        let begin = self.begins[line - 1];
        let column = self.text.get(begin..offset).map_or(0, |before| before.chars().count());
        Place { line, column: column + 1 }
    }
}

/// Faults as they are met, so many of each severity: a text of nothing but faults
/// does not fill the memory.
pub struct Faults<'a> {
    lines: Lines<'a>,
    met: Vec<Fault>,
    warnings: usize,
    errors: usize,
}

/// Warnings, and errors, that are kept of one text.
const MAX_FAULTS: usize = 100;

impl<'a> Faults<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { lines: Lines::new(text), met: Vec::new(), warnings: 0, errors: 0 }
    }

    /// Adds a fault at `offset`, unless there are many already. An error is
    /// never hidden by warnings.
    pub fn add(&mut self, severity: Severity, offset: usize, what: impl FnOnce() -> String) {
        let count = match severity {
            Severity::Warning => &mut self.warnings,
            Severity::Error => &mut self.errors,
        };
        *count += 1;
        if *count <= MAX_FAULTS {
            let at = self.lines.place(offset);
            self.met.push(Fault { at, severity, what: what() });
        }
    }

    pub fn error(&mut self, offset: usize, what: impl FnOnce() -> String) {
        self.add(Severity::Error, offset, what);
    }

    pub fn warning(&mut self, offset: usize, what: impl FnOnce() -> String) {
        self.add(Severity::Warning, offset, what);
    }

    /// The faults in the order of their places.
    pub fn finish(mut self) -> Vec<Fault> {
        self.met.sort_by_key(|fault| fault.at);
        self.met
    }
}
