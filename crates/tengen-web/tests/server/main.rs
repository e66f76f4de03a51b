//! Answers of the server, without a network.

mod cards;
mod guard;
mod records;
mod runs;
mod searches;
mod start;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use std::path::Path;
use tengen_web::page::{Limits, Offers};
use tengen_web::{Options, router};
use tower::ServiceExt;

const HOST: &str = "127.0.0.1:8000";

fn options(runs: &Path) -> Options {
    Options {
        address: HOST.parse().unwrap(),
        runs: runs.to_path_buf(),
        records: None,
        offers: Offers::default(),
        limits: Limits::default(),
        searches: 2,
        token: None,
        starts: None,
    }
}

/// A server without runs.
fn server() -> Router {
    router(&options(Path::new("/nowhere")))
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).header(header::HOST, HOST).body(Body::empty()).unwrap()
}

fn post(path: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::post(path).header(header::HOST, HOST);
    request.header(header::CONTENT_TYPE, "application/json").body(body.into()).unwrap()
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap().block_on(work)
}

/// Status, headers and text of the answer.
fn ask(server: &Router, request: Request<Body>) -> (StatusCode, axum::http::HeaderMap, String) {
    block_on(async {
        let response = server.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        (parts.status, parts.headers, String::from_utf8(bytes.to_vec()).unwrap())
    })
}

/// Status and text of the answer; a refusal has one line.
fn said(server: &Router, request: Request<Body>) -> (u16, String) {
    let (status, _, text) = ask(server, request);
    if !status.is_success() {
        assert_eq!(text.trim_end().lines().count(), 1, "{status}: {text}");
    }
    (status.as_u16(), text)
}

fn status(server: &Router, request: Request<Body>) -> u16 {
    said(server, request).0
}

/// The answer at `path`, as JSON.
fn read(server: &Router, path: &str) -> serde_json::Value {
    let (code, text) = said(server, get(path));
    assert_eq!(code, 200, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

fn think(bot: &str, purpose: &str) -> Request<Body> {
    let game = r#"{"size":"5x5","komi":2.5,"moves":"C3"}"#;
    let body = format!(r#"{{"game":{game},"bot":"{bot}","purpose":"{purpose}"}}"#);
    post("/api/think", body)
}
