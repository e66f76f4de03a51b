//! Why a question has no answer.

/// Why a question has no answer: one line, for the person who asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(String);

impl Refusal {
    /// A refusal for the reason `why`, which is made one line.
    #[must_use]
    pub fn new(why: impl std::fmt::Display) -> Self {
        let why = why.to_string();
        Self(why.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
