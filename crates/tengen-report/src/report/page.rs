//! What all reports have in common: one HTML page that needs no other file.

use crate::plots::Drawing;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The page of a report named `name`.
#[must_use]
pub fn page(name: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { (name) ": Tengen" }
                style { (PreEscaped(include_str!("report.css"))) }
            }
            body {
                h1 { (name) }
                (body)
            }
        }
    };
    page.into_string() + "\n"
}

/// A drawing as part of the page: its SVG element, without the XML header of a file.
///
/// # Errors
/// If the drawing library refuses a shape.
pub fn picture(drawing: &Drawing) -> Result<Markup, String> {
    let svg = drawing.to_svg()?;
    let start = svg.find("<svg").unwrap_or(0);
    Ok(PreEscaped(svg[start..].to_owned()))
}
