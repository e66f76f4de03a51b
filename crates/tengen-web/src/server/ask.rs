//! Questions with a single answer, not a stream.

use crate::page::{Purpose, Refusal, answer, deep_answer, is_deep};
use crate::server::refused::Refused;
use crate::server::think::permits;
use crate::server::{App, MAX_BODY};
use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use std::time::Duration;
use tengen_search::catch_fault;
use tokio::time::timeout;

/// How long the contents of a request may take to arrive.
const CONTENTS_TIME: Duration = Duration::from_secs(30);

/// Answers the question `name`.
pub async fn ask(
    State(app): State<App>,
    Path(name): Path<String>,
    Question(question): Question,
) -> Result<impl IntoResponse, Refused> {
    if is_deep(&name) {
        return Ok(as_json(deep(app, name, question).await?));
    }
    // A long game takes milliseconds; meanwhile the server must answer other clients.
    let text = on_another_thread(move || {
        answer(&name, &question, &app.options.offers, &app.options.limits)?
            .ok_or_else(|| Refused::absent(format!("unknown question `{name}`")))
    });
    Ok(as_json(text.await?))
}

/// Answers a question that takes as long as a search: it counts as an analysis, has its own thread,
/// and stops when its client leaves.
async fn deep(app: App, name: String, question: String) -> Result<String, Refused> {
    let permits = permits(&app, Purpose::Analysis).await?;
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let work = move || {
        let should_stop = || sender.is_closed();
        let answer = || {
            deep_answer(&name, &question, &app.options.offers, &app.options.limits, &should_stop)
        };
        let answered = catch_fault(answer).map_err(Refusal::new).flatten();
        drop(permits);
        let _ = sender.send(answered);
    };
    std::thread::Builder::new()
        .name("question".to_owned())
        .spawn(work)
        .map_err(|fault| Refused::busy(format!("cannot start a thread for it: {fault}")))?;
    let answered = receiver.await.map_err(|_| Refused::failed("an error in the program"))?;
    answered?.ok_or_else(|| Refused::absent("unknown question"))
}

/// `text`, which is JSON, as an answer.
pub fn as_json(text: String) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], text)
}

/// The JSON of a request.
///
/// A page of another site cannot send this type of contents without being asked first.
pub struct Question(pub String);

impl FromRequest<App> for Question {
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_json = |kind: &str| kind.split(';').next() == Some("application/json");
        if !kind.is_some_and(is_json) {
            let why = "the contents must be of type application/json";
            return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
        }
        let late = |_| {
            let seconds = CONTENTS_TIME.as_secs();
            let why = format!("the contents did not come within {seconds} s");
            Refused::new(StatusCode::REQUEST_TIMEOUT, why)
        };
        let contents = timeout(CONTENTS_TIME, Bytes::from_request(request, app)).await;
        let contents = contents.map_err(late)?.map_err(|why| match why.status() {
            status @ StatusCode::PAYLOAD_TOO_LARGE => {
                let why = format!("the contents have more than {} MiB", MAX_BODY >> 20);
                Refused::new(status, why)
            }
            status => Refused::new(status, why.body_text()),
        })?;
        let text = String::from_utf8(contents.into());
        text.map(Self).map_err(|_| Refused::bad("invalid contents: expected UTF-8"))
    }
}

/// Runs `work` on another thread and answers with its result as JSON.
pub async fn json<T: Serialize>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<impl IntoResponse, Refused> {
    let text = || serde_json::to_string(&work()?).map_err(Refused::failed);
    Ok(as_json(on_another_thread(text).await?))
}

/// Runs `work` on a thread that it may block.
pub async fn on_another_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    // A panic of registered code becomes an answer that names the code that panicked.
    let work = || catch_fault(work).map_err(Refused::failed).flatten();
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|fault| Refused::failed(format!("an error in the program: {fault}")))?
}
