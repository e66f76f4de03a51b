//! The files of the page, compiled in. Debug builds read them from the disk, so that a change
//! to the page needs no new build.

use crate::server::bundle;
use crate::server::refused::Refused;
use axum::body::Body;
use axum::http::{HeaderValue, Uri, header};
use axum::response::Response;
use rust_embed::RustEmbed;

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

/// The file at the path of `uri`.
pub async fn file(uri: Uri) -> Result<Response, Refused> {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let found = bundle::file(path, &text).ok_or_else(|| Refused::absent("unknown page"))?;
    let mut response = Response::new(Body::from(found));
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
