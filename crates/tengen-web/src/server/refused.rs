//! Refusals as answers: a status and one line.

use crate::page::Refusal;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A refused request: its status, and one line that says why.
#[derive(Debug)]
pub struct Refused {
    status: StatusCode,
    why: String,
}

impl Refused {
    pub fn new(status: StatusCode, why: impl std::fmt::Display) -> Self {
        Self { status, why: Refusal::new(why).to_string() }
    }

    /// The request is wrong.
    pub fn bad(why: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why)
    }

    /// The line that says why.
    pub fn into_text(self) -> String {
        self.why
    }

    /// What is asked for is unknown or missing.
    pub fn absent(why: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, why)
    }

    /// The server is at its bounds.
    pub fn busy(why: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, why)
    }

    /// The server failed to do its work.
    pub fn failed(why: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::bad(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let text = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
        (self.status, text, self.why + "\n").into_response()
    }
}

/// The answer to an HTTP method that the path does not support.
pub async fn other_method() -> Refused {
    Refused::new(StatusCode::METHOD_NOT_ALLOWED, "this path is not asked by that method")
}
