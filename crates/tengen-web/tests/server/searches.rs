//! Questions about a position, and searches.

use crate::{ask, block_on, get, options, post, said, server, status, think};
use axum::Router;
use axum::http::{StatusCode, header};
use std::path::Path;
use std::time::{Duration, Instant};
use tengen_web::page::{Limits, Offers};
use tengen_web::{Options, router};
use tower::ServiceExt;

#[test]
fn questions_have_answers_and_bad_ones_one_line() {
    let server = server();
    let game = r#"{"size":"5x5","komi":2.5,"moves":"C3"}"#;
    let (code, text) = said(&server, post("/api/ask/position", game));
    assert_eq!(code, 200);
    assert!(text.contains(r#""to_play":"white""#), "{text}");
    assert_eq!(status(&server, post("/api/ask/position", "{")), 400);
    assert_eq!(status(&server, post("/api/ask/position", vec![0xFF, 0xFE])), 400);
    assert_eq!(status(&server, post("/api/ask/nothing", "{}")), 404);
    assert_eq!(status(&server, get("/api/ask/position")), 405);
    let play = format!(r#"{{"game":{game},"move":"C3"}}"#);
    let occupied = said(&server, post("/api/ask/play", play));
    assert_eq!(occupied, (400, "C3: the point is occupied\n".to_owned()));
    // A form of another site cannot send JSON.
    let mut form = post("/api/ask/position", game);
    form.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().unwrap());
    assert_eq!(status(&server, form), 415);
    let large = "x".repeat((2 << 20) + 1);
    let refused = said(&server, post("/api/ask/record", large));
    assert_eq!(refused, (413, "the contents have more than 2 MiB\n".to_owned()));
}

#[test]
fn a_bot_answers_by_a_stream_of_events() {
    let server = server();
    for bot in ["two-ply", "random", "uct:simulations=200"] {
        let (code, headers, text) = ask(&server, think(bot, "move"));
        assert_eq!(code, 200, "{bot}: {text}");
        assert_eq!(headers[header::CONTENT_TYPE], "text/event-stream");
        let last = text.trim_end().rsplit("data: ").next().unwrap();
        let update: serde_json::Value = serde_json::from_str(last).unwrap();
        assert_eq!(update["done"], true, "{bot}");
        assert!(update["move"].is_string(), "{bot}");
        // The updates show the search from its beginning.
        let early = ["\"simulations\":64,", "\"simulations\":96,"].map(|part| text.contains(part));
        assert_eq!(early, [bot.starts_with("uct"); 2], "{bot}: {text}");
    }
    for (bot, purpose) in [("gtp:sh", "move"), ("two-ply", "analysis"), ("uct:x=1", "move")] {
        assert_eq!(status(&server, think(bot, purpose)), 400, "{bot}");
    }
}

/// Whether an analysis can begin within `patience`: asks again after each refusal.
async fn is_free(server: &Router, patience: Duration) -> bool {
    let began = Instant::now();
    while began.elapsed() < patience {
        let response = server.clone().oneshot(think("uct", "analysis")).await.unwrap();
        if response.status() == 200 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

#[test]
fn searches_are_bounded_and_freed_when_the_client_leaves() {
    let server = server();
    block_on(async {
        let begin = |purpose| server.clone().oneshot(think("uct", purpose));
        let first = begin("analysis").await.unwrap();
        assert_eq!(first.status(), StatusCode::OK);
        // One place is left for the moves of bots.
        let second = begin("analysis").await.unwrap();
        assert_eq!(second.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(begin("move").await.unwrap().status(), StatusCode::OK);
        assert!(!is_free(&server, Duration::from_millis(100)).await);
        drop(first);
        assert!(is_free(&server, Duration::from_secs(10)).await, "the search goes on");
    });
}

/// A program that plays Go through GTP, but never finds a move.
const THINKER: &str = "gtp:sh -c 'while read -r id name rest; do [ $name = genmove ] && \
                       sleep 1000; echo =$id; echo; done'";

#[test]
fn bots_that_make_no_simulations_stop_when_the_client_leaves() {
    let limits = Limits { solver_nodes: u64::MAX, ..Limits::default() };
    let offers = Offers::new(vec![format!("thinker={THINKER}").parse().unwrap()]);
    let options = Options { limits, offers, searches: 1, ..options(Path::new("/nowhere")) };
    let bots = ["solver:nodes=1000000000000000", "thinker"];
    for bot in &bots[..if cfg!(unix) { 2 } else { 1 }] {
        let server = router(&options);
        block_on(async {
            let thinking = server.clone().oneshot(think(bot, "move")).await.unwrap();
            assert_eq!(thinking.status(), 200, "{bot}");
            assert!(!is_free(&server, Duration::from_millis(200)).await, "{bot}");
            drop(thinking);
            assert!(is_free(&server, Duration::from_secs(20)).await, "{bot} thinks on");
        });
    }
}

#[test]
fn a_client_that_does_not_read_stops_no_search() {
    let limits = Limits { analysis_seconds: 0.5, ..Limits::default() };
    let server = router(&Options { limits, searches: 1, ..options(Path::new("/nowhere")) });
    block_on(async {
        let unread = server.clone().oneshot(think("uct", "analysis")).await.unwrap();
        assert!(is_free(&server, Duration::from_secs(20)).await, "the search is stuck");
        drop(unread);
    });
}
