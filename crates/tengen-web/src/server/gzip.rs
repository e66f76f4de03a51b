//! Answers compressed by gzip, for clients that take it.

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Shorter answers, in bytes, fit into one packet as they are.
const LEAST: u64 = 1_000;

/// Compresses the answer to `request`, if the client takes gzip and the answer is whole and not short.
/// A stream, whose length is not known, stays as it is: its parts must not wait in the encoder.
pub async fn gzip(request: Request, next: Next) -> Response {
    let is_taken = takes_gzip(request.headers());
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let is_long = response.body().size_hint().exact().is_some_and(|length| length >= LEAST);
    if !(is_taken && is_long) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // A body of known length is in memory.
    let plain = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let body = match compressed(&plain) {
        Some(packed) => {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            parts.headers.remove(header::CONTENT_LENGTH);
            Bytes::from(packed)
        }
        None => plain,
    };
    Response::from_parts(parts, Body::from(body))
}

/// Whether the client takes gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let values =
        headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|one| one.to_str().ok());
    values.flat_map(|list| list.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().trim_start_matches("q=").parse().unwrap_or(0.0);
        name.trim().eq_ignore_ascii_case("gzip") && weight > 0.0
    })
}

/// `text` compressed by gzip; none if that fails.
fn compressed(text: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use flate2::read::GzDecoder;
    use std::io::Read;
    use tower::ServiceExt;

    #[test]
    fn gzip_is_taken_where_it_is_named() {
        for (value, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0, br", false),
            ("identity", false),
            ("x-gzip", false),
            ("", false),
        ] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]);
            assert_eq!(takes_gzip(&headers), takes, "{value}");
        }
    }

    #[tokio::test]
    async fn long_answers_are_compressed_and_streams_are_not() {
        let text = "answer ".repeat(400);
        let stream = || async {
            let parts = ["answer ".repeat(400)].map(Ok::<_, std::io::Error>);
            Body::from_stream(futures_util::stream::iter(parts))
        };
        let (long, short) = (text.clone(), "answer");
        let router = Router::new()
            .route("/long", get(async move || long))
            .route("/short", get(async move || short))
            .route("/stream", get(stream))
            .layer(from_fn(gzip));
        let ask = async |path: &str, coding: &'static str| {
            let request = Request::builder().uri(path).header(header::ACCEPT_ENCODING, coding);
            let request = request.body(Body::empty()).unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            assert_eq!(response.headers()[header::VARY], "accept-encoding");
            let is_packed = response.headers().contains_key(header::CONTENT_ENCODING);
            (is_packed, to_bytes(response.into_body(), usize::MAX).await.unwrap())
        };
        let (is_packed, packed) = ask("/long", "gzip, deflate").await;
        let mut unpacked = String::new();
        GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).unwrap();
        assert!(is_packed && packed.len() < 100);
        assert_eq!(unpacked, text);
        for (path, coding, expected) in [
            ("/long", "br", text.as_str()),
            ("/short", "gzip", "answer"),
            ("/stream", "gzip", &text),
        ] {
            assert_eq!(
                ask(path, coding).await,
                (false, Bytes::from(expected.to_owned())),
                "{path}"
            );
        }
    }
}
