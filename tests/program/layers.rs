//! A layer uses only those above it in the list of `src/lib.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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

/// The layers in the order of the map in `lib.rs`.
fn layers() -> Vec<String> {
    let map = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs")).unwrap();
    map.lines()
        .filter_map(|line| {
            let (number, rest) = line.strip_prefix("//! ")?.split_once(". [`")?;
            number.parse::<u32>().ok()?;
            Some(rest.split_once("`]")?.0.to_owned())
        })
        .collect()
}

#[test]
fn every_module_has_its_layer() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules: BTreeSet<String> = fs::read_dir(src)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "lib" && name != "main")
        .collect();
    // Layers of crates of their own, which cargo itself keeps apart.
    let crates = ["stats", "go", "playout", "search", "seed"].map(str::to_owned);
    let known: BTreeSet<String> = modules.into_iter().chain(crates).collect();
    assert_eq!(layers().into_iter().collect::<BTreeSet<_>>(), known);
}

#[test]
fn layers_use_only_those_above() {
    let layers = layers();
    assert!(layers.len() >= 10, "{layers:?}");
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = 0;
    for path in sources(&src) {
        let within = path.strip_prefix(&src).unwrap();
        let own = within.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let Some(own_place) = layers.iter().position(|layer| layer == own) else {
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            for used in line.split("crate::").skip(1) {
                let name: String =
                    used.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                let Some(place) = layers.iter().position(|layer| *layer == name) else {
                    continue;
                };
                let place_of_line = format!("{}:{}", path.display(), number + 1);
                assert!(place <= own_place, "{place_of_line}: `{own}` is above `{name}`");
                uses += 1;
            }
        }
    }
    assert!(uses > 30, "only {uses} uses were found");
}
