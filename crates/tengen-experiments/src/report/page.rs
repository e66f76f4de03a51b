//! What all reports have in common: one HTML page that needs no other file.

use crate::report::plots::Drawing;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A report.
pub struct Page<'a> {
    /// Name of the run.
    pub name: &'a str,
    /// The conditions of the run, in one line.
    pub conditions: &'a str,
    /// What came out, in sentences.
    pub answer: Vec<String>,
    /// How certain the answer is.
    pub note: Markup,
    /// Tables and plots.
    pub sections: Markup,
    /// Links to other files of the run: the words, and the file that they lead to.
    pub files: &'a [(&'a str, &'a str)],
    /// The command that repeats the run.
    pub command: &'a str,
    /// The resolved settings as TOML.
    pub config: &'a str,
}

impl Page<'_> {
    /// The page as HTML.
    pub fn to_html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width";
                    title { (self.name) ": Tengen" }
                    style { (PreEscaped(include_str!("report.css"))) }
                }
                body {
                    h1 { (self.name) }
                    p.conditions { (self.conditions) }
                    div.answer {
                        @for sentence in &self.answer { p { (sentence) } }
                        p.note { (self.note) }
                    }
                    (self.sections)
                    h2 { "Settings" }
                    p {
                        @for (words, file) in self.files { (words) ": " a href=(file) { (file) } ". " }
                        "To repeat the run at that commit: " code { (self.command) } "."
                    }
                    pre { (self.config) }
                }
            }
        };
        page.into_string() + "\n"
    }
}

/// A drawing as part of the page.
pub fn picture(drawing: &Drawing) -> Markup {
    PreEscaped(drawing.to_svg())
}
