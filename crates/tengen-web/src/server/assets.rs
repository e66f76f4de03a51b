//! The files of the page, compiled in.

use crate::server::refused::Refused;
use axum::http::{HeaderName, Uri, header};
use axum::response::IntoResponse;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// The files by path: type and contents.
const FILES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../../page/index.html")),
    ("/style.css", CSS, include_str!("../../page/style.css")),
    ("/board.css", CSS, include_str!("../../page/board.css")),
    ("/play.css", CSS, include_str!("../../page/play.css")),
    ("/runs.css", CSS, include_str!("../../page/runs.css")),
    ("/icon.svg", SVG, include_str!("../../page/icon.svg")),
    ("/main.js", JS, include_str!("../../page/main.js")),
    ("/dom.js", JS, include_str!("../../page/dom.js")),
    ("/state.js", JS, include_str!("../../page/state.js")),
    ("/board.js", JS, include_str!("../../page/board.js")),
    ("/chart.js", JS, include_str!("../../page/chart.js")),
    ("/play.js", JS, include_str!("../../page/play.js")),
    ("/game.js", JS, include_str!("../../page/game.js")),
    ("/layout.js", JS, include_str!("../../page/layout.js")),
    ("/setup.js", JS, include_str!("../../page/setup.js")),
    ("/analysis.js", JS, include_str!("../../page/analysis.js")),
    ("/runs.js", JS, include_str!("../../page/runs.js")),
    ("/run.js", JS, include_str!("../../page/run.js")),
    ("/backend.js", JS, include_str!("../../page/backend.js")),
];

/// The file at the path of `uri`.
pub async fn file(uri: Uri) -> Result<impl IntoResponse, Refused> {
    let found = FILES.iter().find(|(path, ..)| *path == uri.path());
    let (_, kind, contents) = found.ok_or_else(|| Refused::absent("unknown page"))?;
    let headers: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, *contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_has_no_inline_code() {
        let bytes: usize = FILES.iter().map(|(.., contents)| contents.len()).sum();
        assert!(bytes < 150_000, "{bytes} bytes");
        for (path, _, text) in FILES.iter().filter(|(_, kind, _)| *kind == HTML) {
            assert!(!text.contains("style=") && !text.contains(" on"), "{path}");
            assert!(!text.contains("<style") && !text.contains("<script>"), "{path}");
        }
        for (path, _, text) in FILES {
            let elsewhere = text.replace("http://www.w3.org/", "");
            assert!(!elsewhere.contains("http://") && !elsewhere.contains("https://"), "{path}");
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
            assert!(FILES.iter().any(|(served, ..)| *served == path), "{path}");
        }
    }
}
