//! The list and the card of a run, and runs with broken files.

use crate::runs::runs;
use crate::{options, read};
use std::fs;
use std::time::Duration;
use tengen_web::router;

/// The manifest of a tournament that is over.
const MANIFEST: &str = "schema = 2\n[[session]]\ncommand = ['tournament']\nstarted = '2026-01-01T00:00:00Z'\n\
     finished = '2026-01-01T00:01:00Z'\nseconds = 60.0\nunits = 2\nthreads = 1\n\
     [session.build]\nversion = ''\ncommit = 'c0ffee'\ncompiler = ''\nprofile = ''\n\
     [session.machine]\nplatform = ''\ncpu_features = []\nparallelism = 1\n";

#[test]
fn games_of_a_session_that_was_killed_are_counted() {
    // Its first session was killed before it wrote its number of games.
    let results = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let list = read(&router(&options(&results)), "/api/runs");
    let own = list.as_array().unwrap().iter().find(|run| run["name"] == "2026-11-27-epoch-9x9");
    assert_eq!(own.unwrap()["games"], 400);
}

#[test]
fn each_kind_of_run_has_its_units() {
    // Positions of two measurements, one of which did not note their number in its manifest.
    let results = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let list = read(&router(&options(&results)), "/api/runs");
    for (name, unit, units) in [
        ("2026-11-22-convergence", "position", 668),
        ("2026-11-28-suite", "position", 1000),
        ("2026-11-27-epoch-9x9", "game", 400),
    ] {
        let run = list.as_array().unwrap().iter().find(|run| run["name"] == name).unwrap();
        let found = ["games", "scheduled"].map(|key| run[key].as_u64());
        assert_eq!((found, run["unit"].as_str()), ([Some(units); 2], Some(unit)), "{name}");
    }
    // A measurement that goes on, of two searches of each position: one position is finished. Its bot
    // is of another program, and its positions come last.
    let (_scratch, run, server) = runs();
    let name = "2026-11-22-convergence";
    let config = "kind = 'convergence'\npositions = 'positions.csv'\nsimulations = 16\ndoublings = 1\n\
                  [[bot]]\nname = 'one'\nkind = 'elsewhere'\n";
    fs::write(run.join("config.toml"), config).unwrap();
    fs::write(run.join("searches.csv"), "position\n1\n1\n2\n").unwrap();
    assert!(read(&server, "/api/runs")[0]["scheduled"].is_null());
    fs::copy(results.join(name).join("positions.csv"), run.join("positions.csv")).unwrap();
    // The server looks at its folder twice a second.
    std::thread::sleep(Duration::from_secs(1));
    let found = &read(&server, "/api/runs")[0];
    assert_eq!((&found["games"], &found["scheduled"]), (&1.into(), &668.into()), "{found}");
}

#[test]
fn what_is_wrong_with_a_run_is_named() {
    let (scratch, run, _) = runs();
    let root = scratch.path().join("results");
    let config = fs::read_to_string(run.join("config.toml")).unwrap();
    let games = fs::read_to_string(run.join("games.csv")).unwrap();
    let look = || {
        let old = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for entry in fs::read_dir(&run).unwrap() {
            let file = fs::File::options().append(true).open(entry.unwrap().path()).unwrap();
            file.set_modified(old).unwrap();
        }
        let found = read(&router(&options(&root)), "/api/run/2026-01-01-test");
        let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        (text("progress"), text("fault"))
    };
    let broken = |what: &str| {
        let (progress, fault) = look();
        assert!(progress == "broken" && fault.contains(what), "{progress}: {fault}, not {what}");
        assert!(fault.lines().count() == 1 && !fault.contains(root.to_str().unwrap()), "{fault}");
    };
    broken("manifest.toml is missing");
    fs::write(run.join("manifest.toml"), MANIFEST).unwrap();
    // The session of the run has ended after half of the games.
    assert_eq!(look(), ("stopped".to_owned(), String::new()));
    fs::write(run.join("config.toml"), config.replace("pairs = 2", "pairs = 1")).unwrap();
    assert_eq!(look(), ("finished".to_owned(), String::new()));
    fs::write(run.join("config.toml"), &config).unwrap();
    fs::write(run.join("manifest.toml"), "schema = 99\n").unwrap();
    broken("manifest.toml cannot be used: it is of schema 99");
    fs::write(run.join("manifest.toml"), "schema = \n").unwrap();
    broken("manifest.toml cannot be used");
    fs::write(run.join("manifest.toml"), MANIFEST).unwrap();
    fs::write(run.join("config.toml"), "name = 'x'\nsize = '5x5\n").unwrap();
    broken("config.toml, line 2: ");
    fs::write(run.join("config.toml"), config.replace("5x5", "five")).unwrap();
    broken("config.toml: the settings are not those of a tournament");
    fs::remove_file(run.join("config.toml")).unwrap();
    broken("config.toml, the settings of the run, is missing");
    fs::write(run.join("config.toml"), config).unwrap();
    fs::write(run.join("games.csv"), games.replacen("black", "blue", 1)).unwrap();
    broken("games.csv, line 1: unknown column `blue`");
    fs::write(run.join("games.csv"), games.replace("C3 B2", "C3 B3")).unwrap();
    broken("games.csv, line 2: the line was changed");
    // The list shows the readable part of the run.
    assert_eq!(read(&router(&options(&root)), "/api/runs")[0]["games"], 2);
    fs::write(run.join("games.csv"), games).unwrap();
    fs::write(run.join("ratings.csv"), "a,b\n1\n").unwrap();
    broken("ratings.csv: ");
    fs::remove_file(run.join("ratings.csv")).unwrap();
    assert_eq!(look().0, "stopped");
    // A study has neither settings nor a manifest, and a part of a run may lack the manifest.
    let study = root.join("2026-01-02-study");
    fs::create_dir(&study).unwrap();
    fs::write(study.join("README.md"), "# study\n\nWhat?\n\nThat. And more.\n").unwrap();
    let part = run.join("validation");
    fs::create_dir(&part).unwrap();
    for name in ["config.toml", "games.csv"] {
        fs::copy(run.join(name), part.join(name)).unwrap();
    }
    let server = router(&options(&root));
    for (name, kind) in
        [("2026-01-02-study", "study"), ("2026-01-01-test%2fvalidation", "tournament")]
    {
        let found = read(&server, &format!("/api/run/{name}"));
        assert_eq!(
            (&found["kind"], &found["progress"]),
            (&kind.into(), &"finished".into()),
            "{found}"
        );
    }
    let study = read(&server, "/api/run/2026-01-02-study");
    assert_eq!((&study["answer"], &study["card"]["question"]), (&"That.".into(), &"What?".into()));
    assert_eq!(study["card"]["answer"][0], "That. And more.");
}

#[test]
fn a_run_has_a_card_and_is_repeated() {
    let (_scratch, run, server) = runs();
    fs::write(run.join("manifest.toml"), MANIFEST).unwrap();
    fs::write(run.join("notes.csv"), "a,b\n1,2\n").unwrap();
    let found = read(&server, "/api/run/2026-01-01-test");
    let card = &found["card"];
    assert!(card["answer"][0].as_str().unwrap().contains("which of a and b is stronger"));
    assert!(card["plots"][0]["svg"].as_str().unwrap().starts_with("<svg"));
    assert_eq!(
        card["bots"][1],
        serde_json::json!({ "name": "b", "settings": [["kind", "two-ply"]] })
    );
    let command = "tengen tournament --config results/2026-01-01-test/config.toml";
    assert_eq!(found["repeat"], serde_json::json!({ "command": command, "commit": "c0ffee" }));
    assert_eq!(found["tables"], serde_json::json!([["notes.csv", "a,b\n1,2\n"]]));
}
