//! The manual says what the code says: the table of settings is made from it,
//! links lead somewhere, and the commands have the options that are written.

use crate::common::{CONVERGENCE, LEARN, TENGEN, TOURNAMENT, TUNE, program, read, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tengen::bots::{BotConfig, BotPreset};

/// Where the table of settings stands in `docs/bots.md`.
const BEGIN: &str = "<!-- settings of uct: printed by `tengen bots uct --markdown` -->\n";
const END: &str = "<!-- end of the settings of uct -->";

/// With this variable the table is written into the manual.
const UPDATE: &str = "TENGEN_UPDATE_MANUAL";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages of the manual, and the other pages that lead there.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "results/README.md"]
        .iter()
        .map(|name| root().join(name))
        .collect();
    let docs = fs::read_dir(root().join("docs")).expect("docs can be listed");
    pages.extend(docs.map(|entry| entry.expect("a page").path()));
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

#[test]
fn the_table_of_settings_is_that_of_the_code() {
    let path = root().join("docs/bots.md");
    let page = read(&path);
    let (before, rest) = page.split_once(BEGIN).expect("the mark before the table");
    let (written, after) = rest.split_once(END).expect("the mark behind the table");
    let output = Command::new(TENGEN).args(["bots", "uct", "--markdown"]).output().unwrap();
    let expected = text(&output.stdout);
    if written == expected {
        return;
    }
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}")).expect("written");
        return;
    }
    panic!(
        "docs/bots.md has another table of settings: run this test with {UPDATE}=1, or write\n\n{expected}"
    );
}

/// The settings of each preset, which the manual has in a table.
#[test]
fn presets_are_those_of_the_code() {
    let page = read(&root().join("docs/bots.md"));
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

#[test]
fn links_lead_to_files() {
    let mut met = 0;
    for page in pages() {
        for (link, section) in links(&read(&page)) {
            let target = page.parent().expect("a folder").join(&link);
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
    // What the command selects: every crate but Python's.
    let workspace: toml::Table = read(&root().join("Cargo.toml")).parse().unwrap();
    let tested = workspace["workspace"]["default-members"].as_array().unwrap();
    let crates = fs::read_dir(root().join("crates")).unwrap();
    for name in crates.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        let member = format!("crates/{name}");
        assert!(tested.iter().any(|it| it.as_str() == Some(&member)), "{member} is not tested");
    }
}

/// The command lines in the blocks of `page` that are for a shell.
fn commands(page: &str) -> Vec<Vec<String>> {
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

/// What the program of `cargo run --bin PROGRAM -- …` prints as its help, and
/// its arguments; none of another command.
fn help_of<'a>(
    command: &'a [String],
    printed: &mut BTreeMap<String, String>,
) -> Option<(String, &'a [String])> {
    let bin = command.iter().position(|word| word == "--bin")?;
    let arguments = command.iter().position(|word| word == "--").map_or(command.len(), |at| at + 1);
    let (mut arguments, name) = (&command[arguments..], command[bin + 1].as_str());
    let mut call = vec![name.to_owned()];
    if name == "tengen" {
        call.push(arguments.first()?.clone());
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
            for spec in bots {
                let bot: Result<tengen::bots::NamedBot, _> = spec.parse();
                assert!(bot.is_ok(), "{}: {}", page.display(), bot.unwrap_err());
            }
        }
    }
    assert!(met >= 30, "{met} options");
}

/// Every option of `tournament`, `tune`, `convergence` and `learn` is in its page.
#[test]
fn options_are_in_the_manual() {
    for (program, page, least) in [
        (TOURNAMENT, "docs/tournaments.md", 20),
        (TUNE, "docs/tuning.md", 20),
        (CONVERGENCE, "docs/convergence.md", 9),
        (LEARN, "docs/learning.md", 25),
    ] {
        let cells = read(&root().join(page));
        let output = Command::new(program).arg("--help").output().unwrap();
        let help = text(&output.stdout);
        let options: Vec<&str> = help
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("--")?.split([' ', '[']).next())
            .collect();
        assert!(options.len() >= least, "{options:?}");
        let first_cells: Vec<&str> =
            cells.lines().filter_map(|line| line.split('|').nth(1)).collect();
        for option in options {
            let is_there = first_cells.iter().any(|cell| cell.contains(&format!("`--{option}")));
            assert!(is_there, "--{option} is in no table of {page}");
        }
    }
}
