//! The standing experiments in `experiments/configs`, which this version can play, and the settings
//! of published runs, which it reads.

use crate::common::{Scratch, TOURNAMENT, files_below, in_repository, printed, refused};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tengen::bots::BotConfig;
use tengen::commands::build;
use tengen::convergence;
use tengen::learn::Learning;
use tengen::run::files::located_in;
use tengen::search::UctConfig;
use tengen::settings::{Setting, SettingError, Settings, parse};
use tengen::speed::searches::MeasuredSearch;
use tengen::tournament::Tournament;
use tengen::tuning::{Comparison, Tuning};
use toml::{Table, Value};

/// What is wrong with the settings `text`: of a tournament, a tuning, a comparison of
/// methods of tuning, or searches of solved positions. Its paths are seen from `folder` or from here.
fn check(text: &str, folder: &Path) -> Result<(), SettingError> {
    let mut table = parse(text)?;
    located_in(&mut table, folder);
    if let Some(checked) = check_speed(&table) {
        return checked;
    }
    if table.get("kind").and_then(|kind| kind.as_str()) == Some("learn") {
        Learning::from_table(table, build()).map(drop)
    } else if table.contains_key("param") {
        Tuning::from_table(table).map(drop)
    } else if table.contains_key("synthetic") {
        Comparison::from_table(table).map(drop)
    } else if table.contains_key("positions") {
        convergence::Settings::from_table(table).map(drop)
    } else {
        Tournament::from_table(table).map(drop)
    }
}

/// The TOML files in `folder` and the folders in it.
fn configs(folder: &Path) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|kind| kind == "toml"));
    files
}

/// `text` with the built-in weights wherever it names a weights file in `runs`: a script beside the experiment makes such
/// a file, and a clean clone has none.
fn without_made_weights(text: &str) -> String {
    let mut pieces = text.split("learned:runs/");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        let (_, rest) = piece.split_once("weights.txt").expect("a weights file in runs");
        text + "learned" + rest
    })
}

#[test]
fn every_standing_experiment_can_be_played() {
    let standing = configs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/configs"));
    assert!(standing.iter().any(|path| path.ends_with("regret-elo-5x5/16.toml")), "{standing:?}");
    let mut faults = Vec::new();
    for path in standing {
        let text = fs::read_to_string(&path).expect("a text");
        if let Err(fault) = check(&without_made_weights(&text), Path::new("")) {
            faults.push(format!("{}: {fault}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Whether `table` is the settings of a measurement of speed, which no program reads again, and if so
/// what is wrong with its searches.
fn check_speed(table: &Table) -> Option<Result<(), SettingError>> {
    (table.get("part")?.as_str()? == "speed").then(|| {
        let bots = table.get("bot").and_then(Value::as_array).into_iter().flatten();
        bots.filter_map(Value::as_str).try_for_each(|bot| {
            let searches = bot.parse::<MeasuredSearch>();
            searches.map(drop).map_err(|error| error.to_string().into())
        })
    })
}

/// Published runs that this version does not play: the run, what the error names, and what its page
/// says of it.
const NOT_PLAYED: [(&str, &str, &str); 5] = [
    ("2026-11-21-threads-9x9", "`tree_threads` is 2, but commit b5bfc0ac", "7b86e1d"),
    (
        "2026-11-23-settings-plain-9x9",
        "`widening` is progressive:2:0.4, but commit b67606fc",
        "de7f1f1",
    ),
    (
        "2026-11-23-settings-default-9x9",
        "`widening` is progressive:2:0.4, but commit b67606fc",
        "de7f1f1",
    ),
    ("2026-11-25-learned-ablation-9x9", "no-shape/weights.txt", "learned-ablation-9x9.sh"),
    ("2026-11-28-suite-network", "evaluator `beginner`", "registers the evaluators"),
];

#[test]
fn every_published_config_is_read() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let all = configs(&results).into_iter().filter(|path| path.ends_with("config.toml"));
    let all: Vec<PathBuf> = all.collect();
    assert!(all.len() > 130, "{}", all.len());
    let (mut faults, mut not_played) = (Vec::new(), 0);
    for path in all {
        let text = fs::read_to_string(&path).expect("a text");
        let folder = path.parent().expect("the folder of a run");
        let read = check(&text, folder).map_err(|fault| fault.to_string());
        let is_run = |run: &&(&str, &str, &str)| folder.ends_with(run.0);
        let fault = match (NOT_PLAYED.iter().find(is_run), read) {
            (None, Ok(())) => continue,
            (None, Err(fault)) => fault,
            (Some(_), Ok(())) => "it is read, and stands in the list of those that are not".into(),
            (Some((_, named, told)), Err(fault)) => {
                let page = fs::read_to_string(folder.join("README.md")).expect("a page");
                not_played += 1;
                if fault.contains(named) && !fault.contains('\n') && page.contains(told) {
                    continue;
                }
                format!("{fault} (expected {named}, and {told} on its page)")
            }
        };
        faults.push(format!("{}: {fault}", path.display()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(not_played, NOT_PLAYED.len());
}

/// The command that two pages of the manual print.
#[test]
fn a_published_config_of_the_first_day_is_played() {
    let folder = Scratch::new();
    let config = in_repository("results/2026-11-21-plain-9x9/config.toml");
    // Smaller than it is, to take no minute.
    let line = format!("--config {} --size 2 --pairs 1 --out again", config.display());
    printed(TOURNAMENT, &folder, &line);
    let again = fs::read_to_string(folder.join("again/config.toml")).expect("a text");
    assert!(!again.contains("dynamic_komi") && again.contains("name = \"plain-9x9\""), "{again}");
    let other = fs::read_to_string(&config).expect("a text");
    let other = other.replacen("dynamic_komi = \"none\"", "dynamic_komi = \"situational:50\"", 1);
    fs::write(folder.join("other.toml"), other).expect("a file");
    let said = refused(
        TOURNAMENT,
        &folder,
        "--config other.toml",
        &[
            "other.toml: line ",
            "`dynamic_komi` is situational:50, but commit b67606fc of 2026-11-23",
        ],
    );
    assert!(said.contains("check out an earlier commit"), "{said}");
}

/// A setting of `uct` that a published file leaves out has a neutral value. Without it, files of earlier
/// versions would be read with the present defaults of all settings that they leave out.
#[test]
fn a_setting_that_published_files_leave_out_has_a_neutral_value() {
    let (mut searches, mut without) = (0, BTreeSet::new());
    for path in configs(&in_repository("results")) {
        let table = parse(&fs::read_to_string(&path).expect("a text")).expect("TOML");
        let bots = table.get("bot").and_then(Value::as_array).into_iter().flatten();
        for bot in bots.filter(|bot| bot.get("kind").and_then(Value::as_str) == Some("uct")) {
            let mut given = bot.as_table().cloned().expect("a table");
            UctConfig::rename(&mut given).expect("one key of each setting");
            let filled = UctConfig::filled(&given);
            let is_left_out = |key| filled.contains_key(key) && !given.contains_key(key);
            let unmarked = |it: &&Setting| it.neutral.is_none() && is_left_out(it.key);
            without.extend(UctConfig::ALL.iter().filter(unmarked).map(|it| it.key));
            searches += 1;
        }
    }
    assert!(searches > 500, "{searches}");
    assert!(
        without.is_empty(),
        "published files have no {without:?}: declare each in `UctConfig` with `, neutral \"VALUE\"` at the \
         end, where VALUE is the value with which searches are as they were before the setting"
    );
}

/// A file that names all settings but one that was added later is read with its neutral value,
/// though the default of a text that leaves it out is another.
#[test]
fn a_setting_that_was_added_is_neutral_in_earlier_files() {
    let text = fs::read_to_string(in_repository("results/2026-11-25-learned-9x9/config.toml"));
    let text = text.expect("a text");
    assert!(!text.contains("prior_exploration"));
    let earlier = Tournament::from_table(parse(&text).expect("TOML")).expect("a tournament");
    let added = |bot: &BotConfig| bot.uct().expect("a bot of kind uct").prior_exploration;
    assert!(earlier.bots.iter().all(|bot| added(&bot.config) == 0.0), "{:?}", earlier.bots);
    assert!(added(&"uct:simulations=1000".parse().expect("a bot")) > 0.0);
}
