//! The folders of runs: they are read and followed, and no other folder is.

use crate::{HOST, ask, block_on, get, options, post, read, server, status};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tengen_experiments::run::RowFile;
use tengen_experiments::tournament::GameRow;
use tengen_web::router;
use tower::ServiceExt;

/// A folder with a run of two games, and beside it a file that nobody may read; the folder of the
/// run, and a server of it.
pub(crate) fn runs() -> (TempDir, PathBuf, Router) {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().join("results");
    let run = root.join("2026-01-01-test");
    fs::create_dir_all(&run).unwrap();
    fs::write(scratch.path().join("secret.toml"), "secret").unwrap();
    let config = "name = \"test\"\nsize = \"5x5\"\nkomi = 2.5\npairs = 2\n\
                  [[bot]]\nname = \"a\"\nkind = \"random\"\n\
                  [[bot]]\nname = \"b\"\nkind = \"two-ply\"\n";
    fs::write(run.join("config.toml"), config).unwrap();
    fs::write(run.join("report.html"), "<!DOCTYPE html><p>report").unwrap();
    let (mut file, _) = RowFile::open::<GameRow>(&run.join("games.csv")).unwrap();
    for game in [1, 0] {
        let row = GameRow {
            game,
            pair: 0,
            black: "a".into(),
            white: "b".into(),
            moves: "C3 B2".into(),
            plies: 2,
            opening_plies: 0,
            comments: "1 visits 9".into(),
            ..GameRow::example()
        };
        file.append(&[row], None).unwrap();
    }
    (scratch, run, router(&options(&root)))
}

#[test]
fn runs_are_shown() {
    let (_scratch, run, server) = runs();
    let read = |path: &str| read(&server, path);
    let list = read("/api/runs");
    assert_eq!((&list[0]["name"], &list[0]["games"]), (&"2026-01-01-test".into(), &2.into()));
    assert_eq!((&list[0]["kind"], &list[0]["scheduled"]), (&"tournament".into(), &4.into()));
    assert_eq!(list[0]["bots"], serde_json::json!(["a", "b"]));
    let games = read("/api/run/2026-01-01-test/games?bot=a&color=black&limit=1");
    assert_eq!((&games["total"], &games["rows"][0]["game"]), (&2.into(), &0.into()));
    let game = read("/api/run/2026-01-01-test/games/1");
    assert_eq!(game["record"]["game"]["moves"], "C3.B2");
    assert_eq!(game["record"]["variations"][1]["comment"], "visits 9");
    assert_eq!((&game["previous"], &game["next"]), (&0.into(), &Value::Null));
    let game = read("/api/run/2026-01-01-test/games/1?bot=absent");
    assert_eq!(game["previous"], Value::Null);
    let text = ask(&server, get("/api/run/2026-01-01-test/games.csv")).2;
    assert_eq!(text, fs::read_to_string(run.join("games.csv")).unwrap());
    assert!(read("/api/run/2026-01-01-test")["config"].as_str().unwrap().contains("pairs"));
    let (_, headers, text) = ask(&server, get("/api/run/2026-01-01-test/report"));
    assert!(text.contains("report"));
    assert!(headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().starts_with("sandbox;"));
    for (path, code) in [
        ("/api/run/absent", 404),
        ("/api/run/2026-01-01-test/games/7", 404),
        ("/api/run/2026-01-01-test/games/x", 404),
        ("/api/run/2026-01-01-test/games/1?least=x", 400),
        ("/api/run/absent/standing", 404),
        ("/api/run/2026-01-01-test/games?least=x", 400),
        ("/api/run/2026-01-01-test/games?termination=x", 400),
        ("/api/run/2026-01-01-test/nothing", 404),
    ] {
        assert_eq!(status(&server, get(path)), code, "{path}");
    }
}

/// Appends the game number `game`, which "b" wins, to the run of [`runs`].
fn append(run: &Path, game: usize) {
    let (mut file, rows) = RowFile::open::<GameRow>(&run.join("games.csv")).unwrap();
    let pair = game / 2;
    file.append(&[GameRow { game, pair, ..rows[0].row.clone() }], None).unwrap();
}

#[test]
fn a_standing_follows_the_games() {
    let (_scratch, run, server) = runs();
    let standing = || read(&server, "/api/run/2026-01-01-test/standing");
    let figures =
        |found: &Value| ["finished", "counted"].map(|key| found[key].as_u64()).map(Option::unwrap);
    assert_eq!(figures(&standing()), [2, 2]);
    append(&run, 3);
    let found = standing();
    assert_eq!(figures(&found), [3, 2]);
    assert_eq!((&found["latest"][0]["game"], &found["latest"][1]["game"]), (&3.into(), &0.into()));
    assert_eq!(found["latest"][0]["board"], "..X/.O./...");
    append(&run, 2);
    let found = standing();
    assert_eq!(figures(&found), [4, 4]);
    assert_eq!(found["summary"][0]["games"], 4);
    // The run is over: another file of the same length has the games in order.
    let text = fs::read_to_string(run.join("games.csv")).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.sort_unstable_by_key(|row| row.split(',').nth(1).map(str::to_owned));
    fs::write(run.join("new"), format!("{head}\n{}\n", rows.join("\n"))).unwrap();
    fs::rename(run.join("new"), run.join("games.csv")).unwrap();
    let over = standing();
    assert_eq!((&over["summary"], &over["ratings"]), (&found["summary"], &found["ratings"]));
    assert_eq!(over["latest"][0]["game"], 3);
    // Fewer games than before: the run was begun anew.
    fs::write(run.join("games.csv"), format!("{head}\n{}\n", rows[0])).unwrap();
    assert_eq!(figures(&standing()), [1, 1]);
    // A run without games has a standing; a measurement has none.
    fs::remove_file(run.join("games.csv")).unwrap();
    assert_eq!(figures(&standing()), [0, 0]);
    fs::write(run.join("config.toml"), "name = \"x\"\npositions = 3\n").unwrap();
    assert_eq!(status(&server, get("/api/run/2026-01-01-test/standing")), 404);
}

#[test]
fn the_time_left_follows_from_the_time_gone() {
    let (_scratch, run, server) = runs();
    let clock = || read(&server, "/api/run/2026-01-01-test/standing")["clock"].clone();
    assert_eq!(clock(), serde_json::json!({ "elapsed": null, "left": null }));
    let session = "[[session]]\ncommand = []\nstarted = '2026-01-01T00:00:00Z'\nthreads = 1\n";
    let rest = "[session.build]\nversion = ''\ncommit = ''\ncompiler = ''\nprofile = ''\n\
                [session.machine]\nplatform = ''\ncpu_features = []\nparallelism = 1\n";
    let over = "finished = '2026-01-01T00:01:00Z'\nseconds = 60.0\nunits = 1\n";
    let write = |text: String| fs::write(run.join("manifest.toml"), format!("schema = 2\n{text}"));
    write(format!("{session}{over}{rest}{session}{rest}")).unwrap();
    let touch = |name: &str, seconds: u64| {
        let file = fs::File::options().append(true).open(run.join(name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    };
    touch("manifest.toml", 1000);
    touch("games.csv", 1007);
    // Of four games, one was played in 60 s before, and one in 7 s since.
    assert_eq!(clock(), serde_json::json!({ "elapsed": 67.0, "left": 14.0 }));
    write(format!("{session}{over}{rest}")).unwrap();
    assert_eq!(clock(), serde_json::json!({ "elapsed": 60.0, "left": null }));
    // The time of a killed session is unknown.
    write(format!("{session}{rest}{session}{rest}")).unwrap();
    assert_eq!(clock(), serde_json::json!({ "elapsed": null, "left": null }));
}

#[test]
fn no_path_leaves_the_folder_of_the_runs() {
    let (_scratch, _, server) = runs();
    let names = ".. %2e%2e %2E%2E%2F ..%2f..%2fetc 2026-01-01-test%2f..%2f.. %2fetc %00 ..%5c %ff%fe \
                 2026-01-01-test%2freport.html %252e%252e . -";
    for name in names.split(' ') {
        for rest in ["", "/games", "/games.csv", "/report", "/games/0", "/standing"] {
            let code = status(&server, get(&format!("/api/run/{name}{rest}")));
            assert!((400..=404).contains(&code), "{name}{rest}: {code}");
        }
    }
}

#[test]
fn reading_changes_nothing() {
    let (_scratch, run, server) = runs();
    // A kill leaves part of a line; opening the file for writing would remove that part.
    let mut text = fs::read_to_string(run.join("games.csv")).unwrap();
    text.push_str("2,1,0,a,b");
    fs::write(run.join("games.csv"), &text).unwrap();
    for path in ["/api/runs", "/api/run/2026-01-01-test", "/api/run/2026-01-01-test/games"] {
        assert_eq!(status(&server, get(path)), 200);
    }
    assert_eq!(fs::read_to_string(run.join("games.csv")).unwrap(), text);
    let mut names: Vec<_> =
        fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["config.toml", "games.csv", "report.html"]);
}

#[test]
fn a_growing_run_is_seen_by_who_watches() {
    use futures_util::StreamExt;
    let (_scratch, run, server) = runs();
    block_on(async {
        let response = server.clone().oneshot(get("/api/events")).await.unwrap();
        let mut events = response.into_body().into_data_stream();
        let mut next = async || {
            let text = events.next().await.unwrap().unwrap();
            String::from_utf8(text.to_vec()).unwrap()
        };
        assert!(next().await.contains("\"games\":2"));
        append(&run, 2);
        assert!(next().await.contains("\"games\":3"));
    });
}

/// Valid questions, which the test then spoils.
const GOOD: [(&str, &str); 5] = [
    ("/api/ask/position", r#"{"size":"5x5","komi":2.5,"moves":"C3.B2.pass"}"#),
    ("/api/ask/play", r#"{"game":{"size":"9x9","setup":""},"move":"D4"}"#),
    ("/api/ask/record", r#"{"sgf":"(;FF[4]GM[1]SZ[5]AB[aa];W[bb]C[well])"}"#),
    ("/api/ask/solve", r#"{"game":{"size":"3x3","moves":"B2"},"nodes":9}"#),
    (
        "/api/think",
        r#"{"game":{"size":"5x5"},"bot":"uct:simulations=10","purpose":"move","seed":1}"#,
    ),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn spoiled_questions_are_no_errors_of_the_server(
        which in 0..GOOD.len(),
        spoils in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..5),
        cut in proptest::option::of(any::<proptest::sample::Index>()),
    ) {
        let (path, question) = GOOD[which];
        let mut body = question.as_bytes().to_vec();
        for (at, byte) in spoils {
            let at = at.index(body.len());
            body[at] = byte;
        }
        if let Some(cut) = cut {
            body.truncate(cut.index(body.len()));
        }
        let code = status(&server(), post(path, body.clone()));
        prop_assert!(code < 500, "{}: {:?}", code, String::from_utf8_lossy(&body));
    }

    #[test]
    fn paths_of_any_kind_are_no_errors_of_the_server(path in "/(api/(run|ask)/)?[!-~]{0,40}") {
        if let Ok(request) = Request::get(&path).header(header::HOST, HOST).body(Body::empty()) {
            let code = status(&server(), request);
            prop_assert!(code < 500, "{}: {}", path, code);
        }
    }
}
