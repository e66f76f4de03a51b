//! The files of the page, compiled in. Debug builds read them from the disk, so that a change
//! to the page needs no new build.

use crate::server::bundle;
use crate::server::refused::Refused;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;
use std::io::Write;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// The text of the file at `path`. All files of the page are text.
fn text(path: &str) -> Option<String> {
    String::from_utf8(Files::get(path)?.data.into_owned()).ok()
}

/// The type of the contents of the file at `path`.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
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

/// `text` compressed by gzip; none if that fails. All files together take a few milliseconds.
fn compressed(text: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).ok()?;
    encoder.finish().ok()
}

/// The file at the path of `uri`, compressed where `headers` allow it.
pub async fn file(uri: Uri, headers: HeaderMap) -> Result<Response, Refused> {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let found = bundle::file(path, &text).ok_or_else(|| Refused::absent("unknown page"))?;
    let packed = takes_gzip(&headers).then(|| compressed(found.as_bytes())).flatten();
    let is_packed = packed.is_some();
    let mut response = Response::new(Body::from(packed.unwrap_or(found.into_bytes())));
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// Paths and texts.
    fn files() -> Vec<(String, String)> {
        Files::iter().map(|path| (path.to_string(), text(&path).unwrap())).collect()
    }

    #[test]
    fn the_page_has_no_inline_code_and_nothing_from_elsewhere() {
        for (path, text) in files() {
            if kind(&path).starts_with("text/html") {
                assert!(!text.contains("style=") && !text.contains(" on"), "{path}");
                assert!(!text.contains("<style") && !text.contains("<script>"), "{path}");
            }
            let elsewhere = text.replace("http://www.w3.org/", "");
            assert!(!elsewhere.contains("http://") && !elsewhere.contains("https://"), "{path}");
            assert_ne!(kind(&path), "application/octet-stream", "{path}");
        }
    }

    #[test]
    fn what_the_page_names_is_there() {
        let files = files();
        let html = &files.iter().find(|(path, _)| path == "index.html").unwrap().1;
        for attribute in ["href=\"", "src=\""] {
            for named in html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
                let is_there = files.iter().any(|(path, _)| path == named);
                assert!(named.starts_with('#') || is_there, "{named}");
            }
        }
    }

    /// The two bundles contain every script and every style sheet of the page.
    #[test]
    fn all_scripts_and_sheets_are_bundled() {
        let (script, sheet) = ("main.js", "page.css");
        let bundles = [script, sheet].map(|path| bundle::file(path, &text).unwrap());
        let count =
            |is_one: fn(&(String, String)) -> bool| files().into_iter().filter(is_one).count();
        // Not in the bundle are the backend, and files with types only.
        let scripts = count(|(path, text)| {
            kind(path).starts_with("text/javascript") && !text.contains("\nexport {};\n")
        });
        assert_eq!(bundles[0].matches("= (() => {\n").count(), scripts - 1);
        assert!(!bundles[0].contains("\nexport ") && !bundles[0].contains("\n/*"));
        for (path, text) in
            files().into_iter().filter(|(path, _)| kind(path).starts_with("text/css"))
        {
            let rule = text.lines().find(|line| line.ends_with('{')).unwrap_or_default();
            assert!(bundles[1].contains(rule), "{path}");
        }
    }

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
    async fn a_compressed_file_is_the_file() {
        let uri = Uri::from_static("/play/board.js");
        let with = HeaderMap::from_iter([(
            header::ACCEPT_ENCODING,
            HeaderValue::from_static("gzip, deflate"),
        )]);
        let body = async |headers| {
            let response = file(uri.clone(), headers).await.ok().unwrap();
            let coding = response.headers().get(header::CONTENT_ENCODING).cloned();
            (coding, axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap())
        };
        let (coding, packed) = body(with).await;
        assert_eq!(coding.unwrap(), "gzip");
        let (none, plain) = body(HeaderMap::new()).await;
        assert_eq!(none, None);
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut text).unwrap();
        assert_eq!(text, plain);
        assert!(packed.len() < plain.len() / 2);
    }
}
