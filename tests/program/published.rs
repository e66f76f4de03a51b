//! What is published in `results` and `experiments`: the settings of each run
//! are whole, so that no default of a later commit slips into them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tengen::bots::{BotConfig, NamedBot};
use tengen::convergence;
use tengen::results::{Manifest, Provenance};
use tengen::tournament::{Settings, settings_digest};
use tengen::tuning::{Comparison, Tuning};
use toml::{Table, Value};

/// The files `name` in the folders of `results`, with their contents.
fn published(name: &str) -> Vec<(PathBuf, String)> {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let folders = fs::read_dir(results).expect("results can be listed");
    let paths = folders.map(|folder| folder.expect("a folder").path().join(name));
    let mut files: Vec<(PathBuf, String)> = paths
        .filter(|path| path.exists())
        .map(|path| (path.clone(), fs::read_to_string(path).expect("a text")))
        .collect();
    files.sort();
    files
}

/// The tuning of `text`, if it is one.
fn tuning(text: &str) -> Result<Tuning, String> {
    let settings = toml::from_str(text).map_err(|fault| fault.to_string())?;
    Tuning::new(settings).map_err(|fault| fault.to_string())
}

/// What `text` says when every default is filled in: of a tournament, a tuning, a
/// comparison of methods of tuning, or searches of solved positions.
fn resolved(text: &str) -> Result<Table, String> {
    let table: Table = toml::from_str(text).map_err(|fault| fault.to_string())?;
    let whole = |settings| Table::try_from(settings).map_err(|fault| fault.to_string());
    if table.contains_key("param") {
        return whole(tuning(text)?.settings());
    }
    if table.contains_key("synthetic") {
        let settings = toml::from_str(text).map_err(|fault| fault.to_string())?;
        let comparison = Comparison::new(settings).map_err(|fault| fault.to_string())?;
        return whole(comparison.ok_or("no surface")?.settings());
    }
    if table.contains_key("positions") {
        let settings = text.parse::<convergence::Settings>().map_err(|fault| fault.to_string())?;
        return Table::try_from(&settings).map_err(|fault| fault.to_string());
    }
    let settings: Settings = toml::from_str(text).map_err(|fault| fault.to_string())?;
    let tournament = settings.resolve().map_err(|fault| fault.to_string())?;
    Table::try_from(&tournament).map_err(|fault| fault.to_string())
}

/// The bots of a table of settings, by name.
fn bots(table: &Table) -> Vec<&Table> {
    match table.get("bot") {
        Some(Value::Array(bots)) => bots.iter().filter_map(Value::as_table).collect(),
        Some(Value::Table(bot)) => vec![bot],
        _ => Vec::new(),
    }
}

/// A setting that bots no longer have, with the value without which no bot plays:
/// runs of before hold it, and it is not written any more.
const RETIRED: (&str, Value) = ("tree_threads", Value::Integer(1));

/// The keys in which `file` and its resolved form differ, each with the name
/// of its bot.
fn differences(file: &Table, resolved: &Table) -> Vec<String> {
    let differing = |place: &str, one: &Table, other: &Table| -> Vec<String> {
        let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        let value = |table: &Table, key: &str| {
            table.get(key).filter(|value| (key, *value) != (RETIRED.0, &RETIRED.1)).cloned()
        };
        let differs = |key: &&String| *key != "bot" && value(one, key) != value(other, key);
        keys.into_iter().filter(differs).map(|key| format!("{place}{key}")).collect()
    };
    let mut all = differing("", file, resolved);
    let (written, read) = (bots(file), bots(resolved));
    if written.len() != read.len() {
        all.push("bot".to_owned());
    }
    for (bot, whole) in written.into_iter().zip(read) {
        let name = bot.get("name").and_then(Value::as_str).unwrap_or_default();
        all.extend(differing(&format!("{name}: "), bot, whole));
    }
    all
}

#[test]
fn the_settings_of_every_tournament_are_whole() {
    let mut tournaments = 0;
    for (path, text) in published("config.toml") {
        let file: Table = toml::from_str(&text).expect("TOML");
        if file.contains_key("part") {
            continue;
        }
        tournaments += 1;
        let whole = resolved(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let differences = differences(&file, &whole);
        assert!(differences.is_empty(), "{}: {}", path.display(), differences.join(", "));
    }
    assert!(tournaments >= 17, "{tournaments} tournaments are published");
}

#[test]
fn the_bots_of_every_measurement_of_speed_are_whole() {
    for (path, text) in published("config.toml") {
        let file: Table = toml::from_str(&text).expect("TOML");
        if !file.contains_key("part") {
            continue;
        }
        for bot in file["bot"].as_array().expect("a list of bots") {
            let text = bot.as_str().expect("a bot as text");
            let (name, spec) = text.split_once('=').expect("NAME=SPEC");
            // `lanes` stands for as many leaves as there are lanes.
            let spec = spec.replace("in_flight=lanes", "in_flight=32");
            let named: NamedBot = format!("{name}={spec}").parse().expect("a bot");
            let spec = spec.replace("tree_threads=1,", "");
            assert_eq!(named.config.complete(), spec, "{}: {name}", path.display());
            assert!(matches!(named.config, BotConfig::Uct(_)));
        }
    }
}

/// Journals and manifests hold the digest of the settings: were it another in this
/// version, no run of before could go on.
#[test]
fn the_digest_of_settings_is_that_of_the_manifest() {
    let mut met = 0;
    for (path, text) in published("config.toml") {
        let folder = path.parent().expect("a folder");
        let manifest = Manifest::read(&folder.join("manifest.toml")).expect("a manifest");
        let Some(provenance) = manifest.provenance else { continue };
        let digest = if let Ok(tuning) = tuning(&text) {
            let settings = settings_digest(tuning.tournament()).expect("a digest");
            let of_tournament = Provenance { settings, ..provenance.clone() };
            tuning.provenance(of_tournament).expect("a digest").settings
        } else {
            let settings: Settings = toml::from_str(&text).expect("settings");
            settings_digest(&settings.resolve().expect("a tournament")).expect("a digest")
        };
        assert_eq!(digest, provenance.settings, "{}", path.display());
        met += 1;
    }
    assert!(met >= 1, "no published run has a digest");
}

/// Whether the bots of `run`, played by a version with other defaults perhaps, have the
/// names of those in `standing`, or their texts.
fn same_names(standing: &Table, run: &Table) -> bool {
    bots(standing).into_iter().zip(bots(run)).all(|(standing, played)| {
        let bot: NamedBot = standing.clone().try_into().expect("a bot");
        bot.is_called(played["name"].as_str().expect("a name"))
    })
}

/// A standing experiment and the run of it that is published say the same.
#[test]
fn standing_experiments_are_those_that_were_played() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/configs");
    let mut played = published("config.toml");
    played.retain(|(_, text)| !text.starts_with("part"));
    let mut met = 0;
    for entry in fs::read_dir(configs).expect("experiments can be listed") {
        let path = entry.expect("a file").path();
        let standing = resolved(&fs::read_to_string(&path).expect("a text"))
            .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        // A simulated cluster has no name, and its tables are in the manual.
        let Some(name) = standing.get("name") else { continue };
        for (folder, text) in &played {
            let run = resolved(text).expect("settings");
            if run["name"] != *name {
                continue;
            }
            met += 1;
            let mut differences = differences(&standing, &run);
            differences.retain(|place| !place.ends_with(": name") || !same_names(&standing, &run));
            let folder = folder.display();
            assert!(differences.is_empty(), "{folder}: {}", differences.join(", "));
        }
    }
    assert!(met >= 15, "{met} standing experiments have a published run");
}

#[test]
fn a_key_that_is_missing_or_other_is_named() {
    let text = "name = 'x'\nbot = ['random', 'a=uct:playouts=9']";
    let whole = resolved(text).expect("settings");
    assert_eq!(differences(&whole, &whole), [""; 0]);
    let mut file = whole.clone();
    file.remove("openings");
    if let Some(Value::Array(bots)) = file.get_mut("bot") {
        let bot = bots[1].as_table_mut().expect("a table");
        bot.remove("rave");
        bot.insert("expansion".to_owned(), Value::Integer(1));
    }
    assert_eq!(differences(&file, &whole), ["openings", "a: expansion", "a: rave"]);
}
