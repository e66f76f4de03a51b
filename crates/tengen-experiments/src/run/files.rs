//! Files that settings name. The `config.toml` of a run has the paths relative to the run's folder,
//! so that a run may be moved, and resumed from any working folder. Files are known by their
//! contents: no digest of settings covers a path.

use super::{CONFIG, Digest};
use std::iter::repeat_n;
use std::path::{Component, Path, PathBuf};
use tengen_search::config::path_in;
use toml::{Table, Value};

/// Settings of runs whose values are paths, or lists of paths, outside the run.
const PATHS: [&str; 1] = ["from"];

/// The setting whose file a run copies: the run's own settings name the copy.
const COPIED: &str = "positions";

/// Takes the name of a bot (empty if the path belongs to none) and a path; returns the new path, or
/// none to keep the old one.
pub type Change<'a> = &'a mut dyn FnMut(&str, &str) -> Option<String>;

/// Calls `change` for each path in `settings`, the settings of a run.
pub fn each(settings: &mut Table, change: Change<'_>) {
    for (key, value) in settings {
        if PATHS.contains(&key.as_str()) {
            each_path(value, change);
        } else {
            each_bot(value, change);
        }
    }
}

fn each_path(value: &mut Value, change: Change<'_>) {
    match value {
        Value::Array(paths) => paths.iter_mut().for_each(|path| each_path(path, change)),
        Value::String(path) => {
            if let Some(other) = change("", path) {
                *path = other;
            }
        }
        _ => {}
    }
}

/// Calls `change` for each path in `value`, if it is a bot or a list of bots.
fn each_bot(value: &mut Value, change: Change<'_>) {
    match value {
        Value::Array(bots) => bots.iter_mut().for_each(|bot| each_bot(bot, change)),
        Value::Table(bot) if bot.get("kind").and_then(Value::as_str) == Some("uct") => {
            let name = bot.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            for (key, value) in bot {
                let Value::String(text) = value else { continue };
                if let Some(other) = changed(key, text, &name, change) {
                    *text = other;
                }
            }
        }
        Value::String(text) => {
            let Some((head, settings)) = text.split_once(':') else { return };
            if head != "uct" && !head.ends_with("=uct") {
                return;
            }
            let setting = |setting: &str| {
                let pair = setting.split_once('=');
                let other = pair.and_then(|(key, value)| {
                    Some(format!("{key}={}", changed(key.trim(), value, "", change)?))
                });
                other.unwrap_or_else(|| setting.to_owned())
            };
            let settings: Vec<String> = settings.split(',').map(setting).collect();
            *text = format!("{head}:{}", settings.join(","));
        }
        _ => {}
    }
}

/// The value `text` of the setting `key` of the bot `name`, with its path changed; none if nothing
/// changes.
fn changed(key: &str, text: &str, name: &str, change: Change<'_>) -> Option<String> {
    let place = path_in(key, text)?;
    let path = change(name, &text[place.clone()])?;
    Some(format!("{}{path}{}", &text[..place.start], &text[place.end..]))
}

/// Makes the paths in `settings` relative to `folder`, the folder of their run. An absolute path stays if
/// its file lies outside both this run and the run that encloses it.
pub fn relative_to(settings: &mut Table, folder: &Path) {
    each(settings, &mut |_, path| relative(Path::new(path), folder));
}

/// `path` relative to `folder`; none if the path stays as it is.
pub(super) fn relative(path: &Path, folder: &Path) -> Option<String> {
    let (file, folder) = (real(path)?, folder.canonicalize().ok()?);
    // The match of a learning run lies inside the folder of that run.
    let whole = folder.ancestors().filter(|above| above.join(CONFIG).exists()).last();
    if path.is_absolute() && !file.starts_with(whole.unwrap_or(&folder)) {
        return None;
    }
    let common = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = repeat_n(Component::ParentDir, folder.components().count() - common);
    let whole: PathBuf = up.chain(file.components().skip(common)).collect();
    whole.to_str().map(str::to_owned)
}

/// The absolute path of the file `path`, without links in its folder; none if the file is absent.
fn real(path: &Path) -> Option<PathBuf> {
    let (Some(name), Some(folder), true) = (path.file_name(), path.parent(), path.exists()) else {
        return path.canonicalize().ok();
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Some(folder.canonicalize().ok()?.join(name))
}

/// Replaces relative paths in `settings`, which come from a file in `folder`, by paths that hold in
/// the working folder. A path that exists only relative to the working folder stays.
pub fn located_in(settings: &mut Table, folder: &Path) {
    let mut change = |_: &str, path: &str| located(Path::new(path), folder);
    each(settings, &mut change);
    if let Some(copied) = settings.get_mut(COPIED) {
        each_path(copied, &mut change);
    }
}

fn located(path: &Path, folder: &Path) -> Option<String> {
    let below = folder.join(path);
    if path.is_absolute() || !below.exists() && path.exists() {
        return None;
    }
    let mut short = PathBuf::new();
    for part in below.components() {
        match (part, short.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                short.pop();
            }
            (Component::CurDir, _) => {}
            _ => short.push(part),
        }
    }
    // Where `..` follows a link to a folder, the short path is another file.
    let same = below.canonicalize().ok() == short.canonicalize().ok();
    if same { short } else { below }.to_str().map(str::to_owned)
}

/// Replaces each path in `settings` by the digest of its file, or by the absolute path of its
/// folder. Settings that name the same contents become equal.
pub fn by_contents(settings: &mut Table) {
    each(settings, &mut |_, path| {
        let digest = |bytes: Vec<u8>| {
            let mut digest = Digest::default();
            digest.bytes(&bytes);
            digest.to_string()
        };
        let folder = || Some(Path::new(path).canonicalize().ok()?.display().to_string());
        std::fs::read(path).ok().map(digest).or_else(folder)
    });
}

/// Replaces each path in `settings` by `*`: settings that differ only in paths become equal.
pub fn without_paths(settings: &mut Table) {
    each(settings, &mut |_, _| Some("*".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn settings(text: &str) -> Table {
        text.parse().unwrap()
    }

    /// The settings `text` after `change`.
    fn after(text: &str, change: impl Fn(&mut Table)) -> Table {
        let mut table = settings(text);
        change(&mut table);
        table
    }

    #[test]
    fn paths_go_with_the_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        fs::create_dir_all(path("run/round-1/match")).unwrap();
        fs::create_dir(path("elsewhere")).unwrap();
        for name in ["run/round-1/weights.txt", "elsewhere/net.onnx"] {
            fs::write(path(name), "").unwrap();
        }
        let folder = path("run/round-1/match");
        let [weights, net] = [path("run/round-1/weights.txt"), path("elsewhere/net.onnx")];
        let bot = |weights: &str, net: &str| {
            format!(
                "bot = [{{ name = 'a', kind = 'uct', prior = 'learned:{weights}:14:100' }}, \
                 {{ name = 'b', kind = 'uct', evaluator = 'onnx:{net}', prior = 'none' }}]"
            )
        };
        // Files inside the run get paths relative to it, files outside keep theirs.
        let absolute = bot(&weights.display().to_string(), &net.display().to_string());
        let saved = after(&absolute, |table| relative_to(table, &path("run/round-1")));
        let expected = settings(&bot("weights.txt", &net.display().to_string()));
        assert_eq!(saved, expected);
        let saved = after(&absolute, |table| relative_to(table, &folder));
        assert_eq!(saved, settings(&absolute), "it is outside of the match");
        fs::write(path("run/config.toml"), "").unwrap();
        let saved = after(&absolute, |table| relative_to(table, &folder));
        let expected = settings(&bot("../weights.txt", &net.display().to_string()));
        assert_eq!(saved, expected, "and inside of the learning run");
        let below = folder.join("../weights.txt").display().to_string();
        let found = after(&bot("../weights.txt", "no.onnx"), |table| located_in(table, &folder));
        let absent = folder.join("no.onnx").display().to_string();
        assert_eq!(found, settings(&bot(&weights.display().to_string(), &absent)), "{below}");
        // The texts of bots, as people write them.
        // An experiment of one's own may have a bot under any key.
        let text = "bot = ['a=uct:simulations=9,prior=learned:weights.txt', 'uct:prior=learned']\n\
                    player = 'uct:prior=learned:weights.txt'\n";
        let found = after(text, |table| located_in(table, &path("run/round-1")));
        let expected = text.replace("weights.txt", &weights.display().to_string());
        assert_eq!(found, settings(&expected));
        let bare = after(&absolute, without_paths);
        assert_eq!(bare, settings(&bot("*", "*")));
    }

    #[test]
    fn a_relative_path_is_one_from_the_run() {
        // A path from the folder in which the tests run.
        let here = std::env::current_dir().unwrap();
        let seen = relative(Path::new("Cargo.toml"), &here.join("src/run"));
        assert_eq!(seen.as_deref(), Some("../../Cargo.toml"));
        let found = located(Path::new("../../Cargo.toml"), Path::new("src/run"));
        assert_eq!(found.as_deref(), Some("Cargo.toml"));
        // Earlier versions wrote paths from the working folder.
        assert_eq!(located(Path::new("Cargo.toml"), Path::new("src/run")), None);
        assert_eq!(relative(Path::new("absent"), &here), None);
    }
}
