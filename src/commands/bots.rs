//! `tengen bots`: the kinds of bots and their settings.

use super::Failure;
use crate::bots::Kind;
use crate::settings::{Setting, Table};
use std::io::Write;
use textwrap::{Options, fill};

/// Width of the text, in characters.
const WIDTH: usize = 80;

/// List the kinds of bots, or the settings of one kind
///
/// A bot is written `kind` or `kind:key=value,key=value`; NAME=SPEC names it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Kind of bot whose settings are listed
    #[arg(value_name = "KIND", value_parser = kinds())]
    kind: Option<String>,
    /// Print a table in Markdown, as in the manual
    #[arg(long, requires = "kind")]
    markdown: bool,
}

/// The names of the kinds.
fn kinds() -> Vec<&'static str> {
    Kind::all().iter().map(|kind| kind.name).collect()
}

/// Prints the list.
///
/// # Errors
/// If nothing can be written.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let kinds = Kind::all();
    let kind = kinds.iter().find(|kind| arguments.kind.as_deref() == Some(kind.name));
    match kind {
        None => kinds.iter().try_for_each(|kind| writeln!(output, "{}", kind.help))?,
        Some(kind) if arguments.markdown => write!(output, "{}", markdown(kind))?,
        Some(kind) => {
            writeln!(output, "{}", kind.help)?;
            let defaults = kind.defaults();
            let text = |setting| text(setting, &defaults);
            kind.settings.iter().try_for_each(|setting| write!(output, "{}", text(setting)))?;
        }
    }
    Ok(())
}

/// A setting as two paragraphs: key, values and default, then the meaning.
fn text(setting: &Setting, defaults: &Table) -> String {
    let values = Some((setting.domain)().to_string()).filter(|values| !values.is_empty());
    let default = setting.default(defaults).map(|default| format!("default {default}"));
    let said: Vec<String> = values.into_iter().chain(default).collect();
    let indented = |indent| Options::new(WIDTH).initial_indent(indent).subsequent_indent(indent);
    let first = fill(&format!("{}: {}", setting.key, said.join("; ")), indented("  "));
    let first = first.trim_end_matches([':', ' ']);
    format!("\n{first}\n{}\n", fill(&setting.meaning(), indented("      ")))
}

/// The settings of `kind` as a table in Markdown.
fn markdown(kind: &Kind) -> String {
    let heading = "| setting | values | default | meaning |\n|---|---|---|---|\n".to_owned();
    let defaults = kind.defaults();
    let row = |setting: &Setting| {
        let default = setting.default(&defaults).unwrap_or_default();
        let default = if default.is_empty() { default } else { format!("`{default}`") };
        let values = (setting.domain)().to_string();
        let cells = [format!("`{}`", setting.key), values, default, setting.meaning()];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        format!("| {} |\n", cells.join(" | "))
    };
    std::iter::once(heading).chain(kind.settings.iter().map(row)).collect()
}
