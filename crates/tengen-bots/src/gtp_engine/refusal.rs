//! Answers that begin with `?`.

/// A GTP error response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The answer: where the specification of GTP has words for it, exactly these words, since
    /// programs compare them.
    pub said: String,
    /// Detail for people: it goes to the log and to standard error.
    pub why: Option<String>,
}

impl Refusal {
    /// A refusal without further detail.
    pub fn new(said: impl Into<String>) -> Self {
        Self { said: said.into(), why: None }
    }

    /// A refusal in the words of the specification, with detail for people.
    pub fn because(said: &str, why: impl Into<String>) -> Self {
        Self { said: said.to_owned(), why: Some(why.into()) }
    }

    /// The refusal of wrong arguments.
    pub fn syntax(why: impl Into<String>) -> Self {
        Self::because("syntax error", why)
    }
}
