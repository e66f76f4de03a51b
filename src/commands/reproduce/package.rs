//! `results/datapackage.json`: every published table with its columns, units, keys and checksum, as
//! a [Data Package](https://specs.frictionlessdata.io/data-package/).
//!
//! The columns are described in `results/columns.csv`. Tables of one name whose columns differ have
//! schemas of their own, in `results/schemas`.

use super::{read, shown, sorted};
use crate::commands::Failure;
use crate::run::rows;
use anyhow::{Context, anyhow};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The descriptions of the columns.
const COLUMNS: &str = "columns.csv";
/// The package.
const PACKAGE: &str = "datapackage.json";
/// The folder of the schemas.
const SCHEMAS: &str = "schemas";
/// Tables about the results, which are no results.
const NO_RESULTS: [&str; 2] = [COLUMNS, "elsewhere.csv"];

/// Tables that follow from the games of a run, and are there where somebody has rebuilt them.
const REBUILT: [&str; 2] = ["ratings.csv", "differences.csv"];

/// A row of `columns.csv`.
#[derive(Clone, Debug, Deserialize)]
struct Column {
    /// The table, by the name of its file without `.csv`.
    table: String,
    #[serde(rename = "column")]
    name: String,
    /// A type of the specification.
    r#type: String,
    /// Empty for what has none.
    unit: String,
    /// `yes` where the column is part of the primary key.
    key: String,
    description: String,
}

/// The files of the package by their paths from the folder of the results: the package and the schemas.
/// None if `results` has no `columns.csv`.
pub(super) fn files(
    results: &Path,
    faults: &mut Vec<String>,
) -> Result<Option<BTreeMap<String, String>>, Failure> {
    let path = results.join(COLUMNS);
    if !path.exists() {
        return Ok(None);
    }
    let mut columns = BTreeMap::new();
    let mut reader = csv::Reader::from_path(&path).context(COLUMNS)?;
    for row in reader.deserialize() {
        let column: Column = row.context(COLUMNS)?;
        columns.insert((column.table.clone(), column.name.clone()), column);
    }
    let mut schemas = Vec::<(String, Vec<String>)>::new();
    let mut used = BTreeSet::new();
    let mut resources = Vec::new();
    for path in tables(results)? {
        let name = shown(&path, results);
        if NO_RESULTS.contains(&name.as_str()) {
            continue;
        }
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        let text = rows::read_text(&path)?;
        let mut reader = csv::Reader::from_reader(&text[..]);
        let header = reader.headers().with_context(|| path.display().to_string())?;
        let header: Vec<String> = header.iter().map(str::to_owned).collect();
        let table = name.trim_end_matches(".xz").trim_end_matches(".csv");
        let table = table.rsplit('/').next().unwrap_or(table).to_owned();
        for column in &header {
            let key = (table.clone(), column.clone());
            if !columns.contains_key(&key) {
                faults.push(format!(
                    "results/{COLUMNS}: no column `{column}` of `{table}`, as in {name}"
                ));
            }
            used.insert(key);
        }
        let place = schemas.iter().position(|known| *known == (table.clone(), header.clone()));
        let place = place.unwrap_or_else(|| {
            schemas.push((table.clone(), header));
            schemas.len() - 1
        });
        let is_packed = Path::new(&name).extension().is_some_and(|end| end == "xz");
        let mut resource = json!({
            "name": resource_name(&name),
            "path": name,
            "profile": "tabular-data-resource",
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "bytes": bytes.len(),
            "hash": format!("sha256:{}", hexadecimal(&Sha256::digest(&bytes))),
            "schema": format!("{SCHEMAS}/{}.json", schema_name(&schemas, place)),
        });
        if is_packed {
            resource["compression"] = json!("xz");
        }
        resources.push(resource);
    }
    faults.extend(columns.keys().filter(|key| !used.contains(*key)).map(|(table, column)| {
        format!("results/{COLUMNS}: no table `{table}` has the column `{column}`; remove the row")
    }));
    let mut files: BTreeMap<String, String> = (0..schemas.len())
        .map(|place| {
            let name = format!("{SCHEMAS}/{}.json", schema_name(&schemas, place));
            (name, text(&schema(&schemas[place], &columns)))
        })
        .collect();
    let package = json!({
        "profile": "tabular-data-package",
        "name": "tengen-results",
        "title": "Published runs of Tengen",
        "description": "Games, searches and measurements of Monte Carlo tree search on Go, with the tables computed from them. README.md of each folder has the question and the answer.",
        "licenses": [{ "name": "MIT", "path": "https://opensource.org/license/mit" }],
        "resources": resources,
    });
    files.insert(PACKAGE.to_owned(), text(&package));
    Ok(Some(files))
}

/// Writes `files` into the folder `results`, and removes schemas that are not among them.
pub(super) fn write(results: &Path, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    let schemas = results.join(SCHEMAS);
    fs::create_dir_all(&schemas).with_context(|| schemas.display().to_string())?;
    for path in sorted(&schemas)? {
        if !files.contains_key(&shown(&path, results)) {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    for (name, text) in files {
        let path = results.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Compares `files` with those in the folder `results`.
pub(super) fn compare(
    results: &Path,
    files: &BTreeMap<String, String>,
    faults: &mut Vec<String>,
) -> Result<(), Failure> {
    for (name, wanted) in files {
        let path = results.join(name);
        let there = if path.exists() { read(&path)? } else { String::new() };
        if there != *wanted {
            let lines = there.lines().zip(wanted.lines());
            let line = 1 + lines.take_while(|(one, other)| one == other).count();
            faults.push(format!(
                "results/{name}, line {line}: the tables say otherwise; write it again with `tengen \
                 reproduce --package`"
            ));
        }
    }
    Ok(())
}

/// The tables in `folder` and the folders in it, in the order of their names.
fn tables(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in sorted(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            found.extend(tables(&path)?);
            continue;
        }
        let kind = Path::new(name.strip_suffix(".xz").unwrap_or(name)).extension();
        if kind.is_some_and(|end| end == "csv") && !REBUILT.contains(&name) {
            found.push(path);
        }
    }
    Ok(found)
}

/// The path of a table as the specification wants the name of a resource: lower case, and of its signs
/// only `.`, `_` and `-`.
fn resource_name(path: &str) -> String {
    path.trim_end_matches(".xz").trim_end_matches(".csv").replace('/', "_").to_lowercase()
}

/// The name of the schema at `place`: that of its table, with a number from the second on.
fn schema_name(schemas: &[(String, Vec<String>)], place: usize) -> String {
    let (table, _) = &schemas[place];
    let before = schemas[..place].iter().filter(|(other, _)| other == table).count();
    if before == 0 { table.clone() } else { format!("{table}-{}", before + 1) }
}

/// The Table Schema of the columns `header` of `table`.
fn schema(
    (table, header): &(String, Vec<String>),
    columns: &BTreeMap<(String, String), Column>,
) -> Value {
    let of = |name: &String| columns.get(&(table.clone(), name.clone()));
    let field = |name: &String| {
        let mut field = json!({ "name": name });
        if let Some(column) = of(name) {
            field["type"] = json!(column.r#type);
            if !column.unit.is_empty() {
                field["unit"] = json!(column.unit);
            }
            field["description"] = json!(column.description);
        }
        field
    };
    let is_key = |name: &&String| of(name).is_some_and(|column| column.key == "yes");
    let key: Vec<&String> = header.iter().filter(is_key).collect();
    json!({
        "fields": header.iter().map(field).collect::<Vec<_>>(),
        "missingValues": [""],
        "primaryKey": key,
    })
}

/// `value` as the text of a file.
fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The failure of a wish for a package where `results` has no description of its columns.
pub(super) fn missing() -> Failure {
    anyhow!("results/{COLUMNS}: expected a description of the columns").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_the_specification_allows() {
        assert_eq!(resource_name("2026-A/games.csv.xz"), "2026-a_games");
        let schemas = ["games", "summary", "games"].map(|name| (name.to_owned(), vec![]));
        let names: Vec<String> = (0..3).map(|place| schema_name(&schemas, place)).collect();
        assert_eq!(names, ["games", "summary", "games-2"]);
        assert_eq!(hexadecimal(&[0, 10, 255]), "000aff");
    }

    #[test]
    fn a_changed_table_and_an_unknown_column_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path();
        let write_file = |name: &str, text: &str| fs::write(results.join(name), text).unwrap();
        write_file(
            COLUMNS,
            "table,column,type,unit,key,description\ngames,game,integer,,yes,the number\n",
        );
        write_file("games.csv", "game\n1\n");
        let made = |faults: &mut Vec<String>| files(results, faults).unwrap().unwrap();
        let mut faults = Vec::new();
        write(results, &made(&mut faults)).unwrap();
        compare(results, &made(&mut faults), &mut faults).unwrap();
        assert_eq!(faults, Vec::<String>::new());
        assert!(read(&results.join("schemas/games.json")).unwrap().contains("the number"));
        write_file("games.csv", "game\n2\n");
        compare(results, &made(&mut faults), &mut faults).unwrap();
        assert!(faults[0].contains("datapackage.json, line"), "{faults:?}");
        faults.clear();
        write_file("games.csv", "round\n2\n");
        made(&mut faults);
        assert!(
            faults[0].contains("no column `round`") && faults[1].contains("`game`"),
            "{faults:?}"
        );
    }
}
