//! The files of the page, compiled in; builds for debugging read them from the disk, so that
//! nothing is built again while one works on them.

use crate::server::refused::Refused;
use axum::http::{HeaderName, Uri, header};
use axum::response::IntoResponse;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

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
pub async fn file(uri: Uri) -> Result<impl IntoResponse, Refused> {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let found = Files::get(path).ok_or_else(|| Refused::absent("unknown page"))?;
    let headers: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, kind(path)), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, found.data.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths and texts.
    fn files() -> Vec<(String, String)> {
        let text = |path: &str| String::from_utf8(Files::get(path).unwrap().data.into()).unwrap();
        Files::iter().map(|path| (path.to_string(), text(&path))).collect()
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
}
