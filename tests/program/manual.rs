//! The manual says what the code says: links lead somewhere, presets are those of the code, and the
//! commands have the options that are written. `release/book` checks links into generated pages.

use crate::common::{files_below, program, read, text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tengen::bots::{BotConfig, BotPreset};

/// The pages that `release/book` makes.
const GENERATED: &[&str] = &[
    "docs/reference/commands.md",
    "docs/reference/settings.md",
    "docs/reference/columns.md",
    "docs/reference/python-api.md",
];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages of the manual, and the other pages that lead there.
pub fn pages() -> Vec<PathBuf> {
    let mut pages = files_below(&root().join("docs"));
    pages.extend(
        ["README.md", "CONTRIBUTING.md", "results/README.md"].map(|name| root().join(name)),
    );
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// The settings of each preset, which the manual has in a table.
#[test]
fn presets_are_those_of_the_code() {
    let page = read(&root().join("docs/reference/bots.md"));
    for preset in BotPreset::all() {
        let begin = format!("| `{}` |", preset.name);
        let row = page.lines().find(|line| line.starts_with(&begin)).expect("a row");
        let settings = row.trim_matches(['|', ' ']).rsplit('|').next().unwrap_or_default();
        let written = format!("uct:{}", settings.trim_matches([' ', '`']));
        assert_eq!(written.parse::<BotConfig>(), preset.name.parse(), "{row}");
    }
}

/// The targets of the links and pictures in `page` that are files, with the section that they name.
fn links(page: &str) -> Vec<(String, String)> {
    let mut links = Vec::new();
    let mut in_code = false;
    for line in page.lines() {
        in_code ^= line.trim_start().starts_with("```");
        for rest in line.split("](").skip(1).filter(|_| !in_code) {
            let target = rest.split(')').next().unwrap_or_default();
            let (file, section) = target.split_once('#').unwrap_or((target, ""));
            if !file.is_empty() && !file.contains("://") {
                links.push((file.to_owned(), section.to_owned()));
            }
        }
    }
    links
}

/// The names by which links lead to the sections of `page`, as viewers of Markdown make them of the headings.
fn sections(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let name = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

/// Whether the page at `path`, which may climb by `..`, is made when the book is built.
fn is_generated(path: &Path) -> bool {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part.as_os_str() == ".." {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    GENERATED.iter().any(|page| plain == root().join(page))
}

#[test]
fn links_lead_to_files() {
    let mut met = 0;
    for page in pages() {
        for (link, section) in links(&read(&page)) {
            let target = page.parent().expect("a folder").join(&link);
            if is_generated(&target) {
                continue;
            }
            assert!(target.exists(), "{}: {link} is not there", page.display());
            if target.extension().is_some_and(|it| it == "md") && !section.is_empty() {
                let is_there = sections(&read(&target)).contains(&section);
                assert!(is_there, "{}: {link} has no section {section}", page.display());
            }
            met += 1;
        }
    }
    assert!(met >= 50, "{met} links");
}

/// The command of the README that tests Tengen is the one that the gate runs, and covers all crates.
#[test]
fn the_gate_runs_the_tests_of_the_readme() {
    let is_test = |line: &&str| line.starts_with("cargo test") && !line.contains(" --test ");
    let readme = read(&root().join("README.md"));
    let (_, below_the_first) = readme.split_once("cargo run --release --bin tournament\n").unwrap();
    let command = below_the_first.lines().find(is_test).expect("a command that tests");
    let gate = read(&root().join(".ci/run"));
    assert!(gate.lines().any(|line| line == command), ".ci/run does not run `{command}`");
    assert!(command.split(' ').any(|word| word == "--workspace"), "{command}");
}

/// The command lines in the blocks of `page` that are for a shell.
pub fn commands(page: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut block: Option<String> = None;
    for line in page.lines().map(str::trim) {
        match (&mut block, line) {
            (None, "```sh") => block = Some(String::new()),
            (Some(text), "```") => {
                for command in text.replace("\\\n", " ").lines() {
                    let words = shell_words::split(command);
                    commands.push(words.unwrap_or_else(|fault| panic!("{command}: {fault}")));
                }
                block = None;
            }
            (Some(text), line) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, _) => {}
        }
    }
    commands
}

/// The name of the program that a line runs, `tengen …` or `cargo run --bin PROGRAM -- …`, and its
/// arguments; none of another command.
pub fn invocation(words: &[String]) -> Option<(&str, &[String])> {
    let Some(bin) = words.iter().position(|word| word == "--bin") else {
        return Some((words.first().filter(|&word| word == "tengen")?, &words[1..]));
    };
    let begin = words.iter().position(|word| word == "--").unwrap_or(words.len() - 1);
    Some((&words[bin + 1], &words[begin + 1..]))
}

/// What the program of a line prints as its help, and its arguments.
fn help_of<'a>(
    command: &'a [String],
    printed: &mut BTreeMap<String, String>,
) -> Option<(String, &'a [String])> {
    let (name, mut arguments) = invocation(command)?;
    let mut call = vec![name.to_owned()];
    if name == "tengen" {
        call.push(arguments.first().filter(|word| !word.starts_with('-'))?.clone());
        arguments = &arguments[1..];
    }
    let help = printed.entry(call.join(" ")).or_insert_with(|| {
        let output = Command::new(program(name)).args(&call[1..]).arg("--help").output().unwrap();
        assert!(output.status.success(), "{call:?}: {}", text(&output.stderr));
        text(&output.stdout)
    });
    Some((help.clone(), arguments))
}

#[test]
fn commands_have_the_options_that_are_written() {
    let mut printed = BTreeMap::new();
    let mut met = 0;
    for page in pages() {
        for command in commands(&read(&page)) {
            let Some((help, arguments)) = help_of(&command, &mut printed) else { continue };
            for option in arguments.iter().filter(|word| word.starts_with("--")) {
                let is_there =
                    help.split([' ', '\n', ',']).any(|word| word.trim_end_matches(']') == option);
                assert!(is_there, "{}: {command:?} has no {option}", page.display());
                met += 1;
            }
            let bots = arguments.windows(2).filter(|pair| pair[0] == "--bot").map(|pair| &pair[1]);
            // Weights in a folder of runs are the reader's, and networks need the feature `onnx`.
            for spec in bots.filter(|spec| !spec.contains("runs/") && !spec.contains("=onnx:")) {
                let bot: Result<tengen::bots::NamedBot, _> = spec.parse();
                assert!(bot.is_ok(), "{}: {}", page.display(), bot.unwrap_err());
            }
        }
    }
    assert!(met >= 200, "{met} options");
}
