//! The structure of the workspace: a layer, crate or module, uses only those above
//! it in the list of `src/lib.rs`, and no folder has a cycle of imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files of `src` that are no layers.
const MAINS: [&str; 2] = ["lib", "main"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of sources: those of the program, of the search over many hosts, and of the crates.
fn source_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.unwrap().path().join("src")).collect();
    folders.extend(["src", "mpi/src"].map(|folder| root().join(folder)));
    folders
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The text of a file without its tests, comments and what follows `#[cfg(test)]`.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let own = text.split("#[cfg(test)]").next().unwrap();
    let lines = own.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn name_at(text: &str) -> String {
    text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

/// The layers in the order of the map in `lib.rs`.
fn layers() -> Vec<String> {
    let map = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    map.lines()
        .filter_map(|line| {
            let (number, rest) = line.strip_prefix("//! ")?.split_once(". [`")?;
            number.parse::<u32>().ok()?;
            Some(rest.split_once("`]")?.0.to_owned())
        })
        .collect()
}

/// The layers that are crates of their own, and what crates of the workspace each uses.
fn crates() -> BTreeMap<String, Vec<String>> {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let crates = folders.map(|entry| {
        let folder = entry.unwrap().path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap();
        let used = dependencies.lines().filter_map(|line| line.strip_prefix("tengen-"));
        let folder_name = folder.file_name().unwrap().to_str().unwrap();
        let name = folder_name.strip_prefix("tengen-").unwrap().to_owned();
        (name, used.map(name_at).collect())
    });
    crates.collect()
}

#[test]
fn every_module_has_its_layer() {
    let modules = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| !MAINS.contains(&name.as_str()));
    // The instruction sets are a part of the playouts, the seeds one of the rules.
    let crates = crates().into_keys().filter(|name| name != "simd");
    let known: BTreeSet<String> = modules.chain(crates).chain(["seed".to_owned()]).collect();
    assert_eq!(layers().into_iter().collect::<BTreeSet<_>>(), known);
}

#[test]
fn crates_use_only_those_above() {
    let layers = layers();
    let rank = |name: &str| layers.iter().position(|layer| layer == name);
    let mut uses = 0;
    for (own, used) in crates() {
        for name in used.iter().filter(|name| *name != "simd") {
            assert!(rank(name) < rank(&own), "the crate `{own}` is above `{name}`");
            uses += 1;
        }
    }
    assert!(uses > 30, "only {uses} uses were found");
}

#[test]
fn modules_use_only_those_above() {
    let layers = layers();
    assert!(layers.len() >= 10, "{layers:?}");
    let src = root().join("src");
    let mut uses = 0;
    for path in sources(&src) {
        let within = path.strip_prefix(&src).unwrap();
        let own = within.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let Some(own_rank) = layers.iter().position(|layer| layer == own) else {
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            for used in line.split("crate::").skip(1) {
                let name = name_at(used);
                let Some(rank) = layers.iter().position(|layer| *layer == name) else {
                    continue;
                };
                let line = format!("{}:{}", path.display(), number + 1);
                assert!(rank <= own_rank, "{line}: `{own}` is above `{name}`");
                uses += 1;
            }
        }
    }
    assert!(uses > 30, "only {uses} uses were found");
}

/// The modules of a folder, a file or a folder each, and which of the others each
/// names after `super::` or by its path from the root of the crate.
fn imports(folder: &Path, path_of_folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let modules: Vec<(String, PathBuf)> = entries
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path))
        .filter(|(name, _)| name != "mod" && !MAINS.contains(&name.as_str()))
        .collect();
    for (name, path) in &modules {
        let files = if path.is_dir() { sources(path) } else { vec![path.clone()] };
        let mut used = BTreeSet::new();
        for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "rs")) {
            // From a file in a folder below, the siblings are one `super` further up.
            let depth = file.strip_prefix(folder).unwrap().iter().count();
            let is_mod = file.file_name().is_some_and(|name| name == "mod.rs");
            let supers = "super::".repeat(depth - usize::from(is_mod));
            let text = code(file);
            for prefix in [format!("crate::{path_of_folder}"), supers] {
                for (at, _) in text.match_indices(&prefix) {
                    let is_whole = !text[..at].ends_with("super::") && !text[..at].ends_with(':');
                    let rest = &text[at + prefix.len()..];
                    let names: Vec<String> = match rest.strip_prefix('{') {
                        Some(list) => {
                            let list = list.split("};").next().unwrap();
                            list.split(',').map(|item| name_at(item.trim())).collect()
                        }
                        None => vec![name_at(rest)],
                    };
                    used.extend(names.into_iter().filter(|_| is_whole));
                }
            }
        }
        used.retain(|other| other != name && modules.iter().any(|(module, _)| module == other));
        found.insert(name.clone(), used);
    }
    found
}

/// A cycle in `imports`, if there is one: modules that cannot be put in an order.
fn cycle(mut imports: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    while let Some(free) =
        imports.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| name.clone())
    {
        imports.remove(&free);
        for used in imports.values_mut() {
            used.remove(&free);
        }
    }
    imports.into_iter().map(|(name, used)| format!("{name} -> {used:?}")).collect()
}

#[test]
fn no_folder_has_a_cycle() {
    let mut folders = 0;
    let mut uses = 0;
    let mut faults = Vec::new();
    for top in source_folders() {
        let mut waiting = vec![(top.clone(), String::new())];
        while let Some((folder, path)) = waiting.pop() {
            let found = imports(&folder, &path);
            folders += 1;
            uses += found.values().map(BTreeSet::len).sum::<usize>();
            let cycle = cycle(found);
            if !cycle.is_empty() {
                faults.push(format!("{}: {}", folder.display(), cycle.join("; ")));
            }
            for entry in fs::read_dir(&folder).unwrap() {
                let below = entry.unwrap().path();
                let name = below.file_name().unwrap().to_str().unwrap().to_owned();
                if below.is_dir() && name != "font" {
                    waiting.push((below, format!("{path}{name}::")));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(folders > 15 && uses > 150, "{folders} folders, {uses} uses");
}
