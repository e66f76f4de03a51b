//! Runs started from the page: what the server refuses, and what it tells the program to do.

use crate::{options, post, read, status};
use axum::Router;
use axum::http::header;
use std::fs;
use std::path::Path;
use tengen_experiments::tournament::Tournament;
use tengen_settings::Settings;
use tengen_web::page::Offers;
use tengen_web::{Options, StartKind, Starts, router};

/// Reads a tournament, as the program does.
fn plan(table: toml::Table) -> Result<String, String> {
    let read = Tournament::from_table(table).map_err(|error| error.to_string())?;
    Ok(format!("{} games", read.schedule().games()))
}

/// The settings with which a tournament begins.
const FIRST: &str = "bot = ['random']";

fn tournament() -> StartKind {
    let bot = serde_json::json!({ "$ref": "#/$defs/bot" });
    let schema = serde_json::json!({ "properties": {
        "pairs": {}, "name": {}, "out": {}, "from": {},
        "bot": { "anyOf": [bot, { "type": "array", "items": bot }] },
        "player": bot,
        "openings": { "format": "path", "examples": ["random", "none"] },
        "positions": { "format": "path" },
    } });
    StartKind {
        name: "tournament",
        schema,
        first: FIRST.parse().unwrap(),
        main: vec!["pairs".to_owned()],
        plan,
        hidden: &["from"],
        extent: Some("pairs"),
    }
}

/// A server that starts `program` for runs below `runs`.
fn server(runs: &Path, program: &[&str]) -> Router {
    let words = program.iter().map(Into::into).collect();
    let starts = Some(Starts::new(words, vec![tournament()], 1));
    let offers = Offers::new(vec!["gnu=gtp:gnugo --mode gtp".parse().unwrap()]);
    router(&Options { starts, offers, ..options(runs) })
}

const SMALL: &str = r#"{"name":"small","size":"5","pairs":1,"bot":["random","two-ply"]}"#;

fn said(server: &Router, path: &str, body: &str) -> (u16, String) {
    crate::said(server, post(path, body.to_owned()))
}

#[test]
fn nothing_is_started_unless_it_is_allowed() {
    let scratch = tempfile::tempdir().unwrap();
    let server = router(&options(scratch.path()));
    let list = read(&server, "/api/experiments");
    assert_eq!(list, serde_json::json!({ "allowed": false, "kinds": [] }));
    for path in [
        "/api/experiments/tournament",
        "/api/experiments/tournament/plan",
        "/api/run/x/stop",
        "/api/run/x/resume",
        "/api/run/x/extend",
    ] {
        let (status, text) = said(&server, path, SMALL);
        assert!(status == 403 && text.contains("--allow-runs"), "{path}: {status} {text}");
    }
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn a_page_learns_the_settings_and_how_much_is_played() {
    let scratch = tempfile::tempdir().unwrap();
    let server = server(scratch.path(), &["false"]);
    let list = read(&server, "/api/experiments");
    assert_eq!(list["allowed"], true);
    assert_eq!(list["kinds"][0]["first"]["bot"][0], "random");
    let settings = list["kinds"][0]["schema"]["properties"].as_object().unwrap();
    assert_eq!(
        settings.keys().collect::<Vec<_>>(),
        ["bot", "openings", "pairs", "player", "positions"]
    );
    let (status, text) = said(&server, "/api/experiments/tournament/plan", SMALL);
    assert_eq!((status, text.as_str()), (200, r#"{"plan":"2 games"}"#));
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn what_a_page_must_not_ask_for_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = scratch.path().join("runs");
    fs::create_dir_all(runs.join("there")).unwrap();
    let secret = scratch.path().join("secret.sgf");
    fs::write(&secret, "(;GM[1]SZ[5];B[aa])").unwrap();
    let server = server(&runs, &["false"]);
    let with = |name: &str, more: &str| {
        format!(r#"{{"name":"{name}","size":"5","pairs":1,"bot":["random","two-ply"]{more}}}"#)
    };
    let bots = |bot: &str| format!(r#"{{"name":"x","size":"5","bot":["random",{bot}]}}"#);
    let path = secret.display();
    for (body, part) in [
        (with("there", ""), "`name`"),
        (with("../x", ""), "`name`"),
        (with("..", ""), "`name`"),
        (with(".x", ""), "`name`"),
        (with("a/b", ""), "`name`"),
        (with("a b", ""), "`name`"),
        (with("", ""), "`name`"),
        (r#"{"size":"5"}"#.to_owned(), "`name`"),
        (with("x", r#","out":"/tmp/x""#), "`out`"),
        (with("x", r#","kind":"tune""#), "`kind`"),
        (with("x", r#","from":["results"]"#), "`from`"),
        (with("x", &format!(r#","openings":"{path}""#)), "`openings`"),
        (with("x", r#","openings":["random"]"#), "`openings`"),
        (with("x", r#","positions":"solved.csv""#), "`positions`"),
        // A bot is told by the declaration of its setting, whatever its key.
        (with("x", r#","player":"gtp:sh""#), "`player`"),
        (with("x", r#","player":{"kind":"gtp","command":"sh"}"#), "`player`"),
        (with("x", r#","player":"uct:prior=learned:/etc/passwd""#), "`player`"),
        (with("x", r#","unknown":["y=gtp:sh"]"#), "only the command line may start"),
        (with("x", r#","seed":null"#), "`seed`"),
        (with("x", r#","sead":3"#), "`sead`"),
        (with("x", r#","komi":0.3"#), "komi"),
        (bots(r#""gtp:gnugo --mode gtp""#), "`bot`"),
        (bots(r#""x=gtp:sh""#), "`bot`"),
        (bots(r#""uct:prior=learned:/etc/passwd""#), "--bot NAME=SPEC"),
        (bots(r#""x=strong:prior=learned:/etc/passwd""#), "--bot NAME=SPEC"),
        (bots(r#"{"kind":"gtp","command":"sh"}"#), "`bot`"),
        ("nonsense".to_owned(), "expected"),
        ("[]".to_owned(), "expected"),
    ] {
        for end in ["", "/plan"] {
            let (status, text) = said(&server, &format!("/api/experiments/tournament{end}"), &body);
            assert!(status == 400 && text.contains(part), "{body}: {status} {text}");
            assert!(!text.contains(":0:"), "{text}");
        }
    }
    assert_eq!(said(&server, "/api/experiments/absent", SMALL).0, 404);
    let names: Vec<_> =
        fs::read_dir(&runs).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["there"]);
    let mut foreign = post("/api/experiments/tournament", SMALL);
    foreign.headers_mut().insert(header::ORIGIN, "http://evil.example".parse().unwrap());
    assert_eq!(status(&server, foreign), 403);
    let mut plain = post("/api/run/there/stop", "null");
    plain.headers_mut().remove(header::CONTENT_TYPE);
    assert_eq!(status(&server, plain), 415);
}

#[cfg(unix)]
mod processes {
    use super::*;

    /// A program that writes its arguments and its input into `folder`, runs the command `then`,
    /// and leaves a run in `folder`.
    fn program(folder: &Path, then: &str) -> String {
        let folder = folder.display();
        format!(
            "echo \"$@\" > {folder}/words; cat > {folder}/input; {then}; \
             echo > {folder}/runs/small/manifest.toml"
        )
    }

    #[test]
    fn the_program_gets_the_settings_and_the_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let runs = scratch.path().join("runs");
        let script = program(scratch.path(), "true");
        let server = server(&runs, &["sh", "-c", &script, "tengen"]);
        let own = SMALL.replace("two-ply", "gnu");
        let (status, text) = said(&server, "/api/experiments/tournament", &own);
        assert_eq!((status, text.as_str()), (200, r#"{"name":"small"}"#));
        let words = fs::read_to_string(scratch.path().join("words")).unwrap();
        let folder = runs.join("small");
        assert_eq!(words.trim_end(), format!("tournament --config - --out {}", folder.display()));
        let given = fs::read_to_string(scratch.path().join("input")).unwrap();
        let given: toml::Table = given.parse().unwrap();
        assert_eq!(given["bot"][1].as_str(), Some("gnu=gtp:gnugo --mode gtp"));
        assert_eq!(given["pairs"].as_integer(), Some(1));
    }

    #[test]
    fn a_program_that_refuses_leaves_no_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let runs = scratch.path().join("runs");
        let script = program(scratch.path(), "echo 'error: -: line 2: `pairs` is odd' >&2; exit 2");
        let server = server(&runs, &["sh", "-c", &script, "tengen"]);
        let (status, text) = said(&server, "/api/experiments/tournament", SMALL);
        assert_eq!((status, text.as_str()), (400, "`pairs` is odd\n"));
        assert_eq!(fs::read_dir(&runs).unwrap().count(), 0);
    }

    #[test]
    fn one_run_at_once_which_can_be_stopped() {
        let scratch = tempfile::tempdir().unwrap();
        let runs = scratch.path().join("runs");
        let script = program(scratch.path(), "true") + "; exec sleep 60";
        let server = server(&runs, &["sh", "-c", &script, "tengen"]);
        assert_eq!(said(&server, "/api/experiments/tournament", SMALL).0, 200);
        let other = SMALL.replace("small", "other");
        let (status, text) = said(&server, "/api/experiments/tournament", &other);
        assert!(status == 503 && text.contains("--searches"), "{status} {text}");
        assert!(!runs.join("other").exists());
        assert_eq!(said(&server, "/api/run/other/stop", "null").0, 400);
        assert_eq!(said(&server, "/api/run/small/stop", "null").0, 200);
        assert_eq!(said(&server, "/api/run/small/stop", "null").0, 400);
    }

    #[test]
    fn a_refused_extension_leaves_the_run_as_it_was() {
        let (scratch, ..) = crate::runs::runs();
        let words = ["sh", "-c", "echo 'error: too short' >&2; exit 2", "tengen"];
        let server = server(&scratch.path().join("results"), &words);
        let run = "/api/run/2026-01-01-test";
        assert_eq!(read(&server, run)["progress"], "finished");
        let (status, text) = said(&server, &format!("{run}/extend"), "1");
        assert_eq!((status, text.as_str()), (400, "too short\n"));
        assert_eq!(read(&server, run)["progress"], "finished");
    }

    #[test]
    fn only_a_run_of_known_bots_goes_on() {
        let scratch = tempfile::tempdir().unwrap();
        let runs = scratch.path().join("runs");
        let server = server(&runs, &["true"]);
        let config = |bot: &str| {
            format!(
                "kind = 'tournament'\npairs = 2\n[[bot]]\nname = 'a'\nkind = 'random'\n[[bot]]\n{bot}"
            )
        };
        for (bot, name, code) in [
            ("name = 'b'\nkind = 'gtp'\ncommand = 'sh'", "foreign", 400),
            ("name = 'b'\nkind = 'gtp'\ncommand = 'gnugo --mode gtp'", "named", 200),
            ("name = 'b'\nkind = 'two-ply'", "own", 200),
        ] {
            fs::create_dir_all(runs.join(name)).unwrap();
            fs::write(runs.join(name).join("config.toml"), config(bot)).unwrap();
            let (status, text) = said(&server, &format!("/api/run/{name}/resume"), "null");
            assert_eq!(status, code, "{name}: {text}");
            let (status, text) = said(&server, &format!("/api/run/{name}/extend"), "5");
            assert_eq!(status, code, "{name}: {text}");
        }
        assert_eq!(said(&server, "/api/run/own/extend", "-1").0, 400);
        assert_eq!(said(&server, "/api/run/absent/resume", "null").0, 404);
        assert_eq!(said(&server, "/api/run/..%2Fruns%2Fown/resume", "null").0, 404);
    }
}
