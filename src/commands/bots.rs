//! `tengen bots`: the kinds of bots and their settings.

use super::Failure;
use crate::bots::{BotConfig, BotPreset, Kind};
use crate::settings::{Setting, Table};
use std::io::Write;
use textwrap::{Options, fill};

/// Width of the text, in characters.
const WIDTH: usize = 80;

/// List the kinds of bots and the presets, or the settings of one of them
///
/// Write a bot as `kind` or `kind:key=value,key=value`. A preset can stand in place of the kind.
/// NAME=SPEC gives the bot a name.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Kind of bot, or preset, whose settings to list
    #[arg(value_name = "KIND", value_parser = Kind::names())]
    kind: Option<String>,
    /// Print the settings of a kind as a table in Markdown
    #[arg(long, requires = "kind")]
    markdown: bool,
}

/// The help text of an option for a bot: its `summary`, and the kinds of bots.
pub(super) fn with_kinds(summary: &str) -> String {
    format!(
        "{summary}\n\nWrite KIND or KIND:key=value,key=value. `tengen bots KIND` lists the keys. These are \
         the kinds of bots, and the presets plain and strong:\n{}",
        BotConfig::help()
    )
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    if let Some(preset) = arguments.kind.as_deref().and_then(BotPreset::named) {
        if arguments.markdown {
            let name = preset.name;
            refuse!(
                "--markdown prints the settings of a kind, and {name} is a preset of uct: write uct"
            );
        }
        writeln!(output, "{}\n", preset.help)?;
        for (key, value) in preset.settings() {
            writeln!(output, "  {key} = {value}")?;
        }
        return Ok(writeln!(output, "\nall other settings as in uct: tengen bots uct")?);
    }
    let kinds = Kind::all();
    let kind = kinds.iter().find(|kind| arguments.kind.as_deref() == Some(kind.name));
    match kind {
        None => writeln!(output, "{}", BotConfig::help())?,
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
