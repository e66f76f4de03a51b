//! Answers that begin with `?`.

/// A GTP error response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The answer: where the specification of GTP has words for it, those and
    /// nothing else, since programs compare them.
    pub said: String,
    /// Detail for people: it goes to the log and to standard error.
    pub why: Option<String>,
}

impl Refusal {
    /// An answer that says all there is to say.
    pub fn new(said: impl Into<String>) -> Self {
        Self { said: said.into(), why: None }
    }

    /// The words of the specification, and what is behind them.
    pub fn because(said: &str, why: impl Into<String>) -> Self {
        Self { said: said.to_owned(), why: Some(why.into()) }
    }

    /// Arguments that are not those of the command.
    pub fn syntax(why: impl Into<String>) -> Self {
        Self::because("syntax error", why)
    }
}
