//! Questions that take no search.

use crate::App;
use crate::refused::Refused;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use tengen_page::{Method, answer};

/// Answers the question `name`.
pub async fn ask(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<impl IntoResponse, Refused> {
    let method = Method::named(&name)
        .ok_or_else(|| Refused::absent(format!("there is no question `{name}`")))?;
    let question = question(&headers, &body)?.to_owned();
    // A long game takes milliseconds, during which other clients shall be served.
    let answered = on_another_thread(move || {
        answer(method, &question, &app.offers, &app.limits).map_err(Refused::from)
    });
    Ok(json(answered.await?))
}

/// The JSON of a request.
///
/// A page of another site cannot send this type of contents without being asked first.
pub fn question<'a>(headers: &HeaderMap, body: &'a Bytes) -> Result<&'a str, Refused> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_json = |kind: &str| kind.split(';').next() == Some("application/json");
    if !kind.is_some_and(is_json) {
        let why = "the contents must be of type application/json";
        return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    std::str::from_utf8(body).map_err(|_| Refused::bad("the contents are no UTF-8"))
}

/// `text` as an answer of JSON.
pub fn json(text: String) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], text)
}

/// Runs `work` on a thread where it may take its time.
pub async fn on_another_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|fault| Refused::failed(format!("an error in the program: {fault}")))?
}
