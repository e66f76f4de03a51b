//! `tengen bots`: the kinds of bots and their settings.

use super::Failure;
use crate::bots::{Kind, SettingHelp};
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
            kind.settings().iter().try_for_each(|setting| write!(output, "{}", text(setting)))?;
        }
    }
    Ok(())
}

/// A setting as two paragraphs: key, values and default, then the meaning.
fn text(SettingHelp { key, values, default, meaning }: &SettingHelp) -> String {
    let mut said = vec![];
    if !values.is_empty() {
        said.push(values.clone());
    }
    if !default.is_empty() {
        said.push(format!("default {default}"));
    }
    let indented = |indent| Options::new(WIDTH).initial_indent(indent).subsequent_indent(indent);
    let first = fill(&format!("{key}: {}", said.join("; ")), indented("  "));
    let first = first.trim_end_matches([':', ' ']);
    let meaning =
        if meaning.is_empty() { String::new() } else { fill(meaning, indented("      ")) + "\n" };
    format!("\n{first}\n{meaning}")
}

/// The settings of `kind` as a table in Markdown.
fn markdown(kind: &Kind) -> String {
    let heading = "| setting | values | default | meaning |\n|---|---|---|---|\n".to_owned();
    let row = |SettingHelp { key, values, default, meaning }| {
        let default = if default.is_empty() { default } else { format!("`{default}`") };
        let cells = [format!("`{key}`"), values, default, meaning];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        format!("| {} |\n", cells.join(" | "))
    };
    std::iter::once(heading).chain(kind.settings().into_iter().map(row)).collect()
}
