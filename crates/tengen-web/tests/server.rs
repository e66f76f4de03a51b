//! What the server answers, without a network.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};
use tengen_harness::run::RowFile;
use tengen_harness::tournament::GameRow;
use tengen_web::page::{Limits, Offers};
use tengen_web::{Options, Server, router};
use tower::ServiceExt;

const HOST: &str = "127.0.0.1:8000";

fn options(runs: &Path) -> Options {
    Options {
        address: HOST.parse().unwrap(),
        runs: runs.to_path_buf(),
        offers: Offers::default(),
        limits: Limits::default(),
        searches: 2,
        token: None,
    }
}

/// A server of no runs.
fn server() -> Router {
    router(&options(Path::new("/nowhere")))
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).header(header::HOST, HOST).body(Body::empty()).unwrap()
}

fn post(path: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::post(path).header(header::HOST, HOST);
    request.header(header::CONTENT_TYPE, "application/json").body(body.into()).unwrap()
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap().block_on(work)
}

/// Status, headers and text of the answer.
fn ask(server: &Router, request: Request<Body>) -> (StatusCode, axum::http::HeaderMap, String) {
    block_on(async {
        let response = server.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        (parts.status, parts.headers, String::from_utf8(bytes.to_vec()).unwrap())
    })
}

fn status(server: &Router, request: Request<Body>) -> u16 {
    let (status, _, text) = ask(server, request);
    if !status.is_success() {
        assert_eq!(text.trim_end().lines().count(), 1, "{status}: {text}");
    }
    status.as_u16()
}

fn think(bot: &str, purpose: &str) -> Request<Body> {
    let game = r#"{"size":"5x5","komi":2.5,"moves":"C3"}"#;
    let body = format!(r#"{{"game":{game},"bot":"{bot}","purpose":"{purpose}"}}"#);
    post("/api/think", body)
}

#[test]
fn the_page_comes_with_its_policy() {
    let server = server();
    for path in ["/", "/main.js", "/style.css"] {
        let (status, headers, text) = ask(&server, get(path));
        assert_eq!(status, 200, "{path}");
        assert!(!text.is_empty());
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("script-src 'self';") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    }
    assert_eq!(status(&server, get("/absent.js")), 404);
    assert_eq!(status(&server, get("/../Cargo.toml")), 404);
    assert_eq!(status(&server, post("/", "")), 405);
}

#[test]
fn only_its_own_name_is_answered() {
    let server = server();
    let with = |name: &str, value: &str| {
        let mut request = get("/api/runs");
        let name = header::HeaderName::from_bytes(name.as_bytes()).unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        status(&server, request)
    };
    for host in ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"] {
        assert_eq!(with("host", host), 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:8000", ""] {
        assert_eq!(with("host", host), 403, "{host}");
    }
    assert_eq!(with("origin", "http://127.0.0.1:8000"), 200);
    for origin in ["http://evil.example", "https://127.0.0.1:8000", "null", "http://localhost:8000"]
    {
        assert_eq!(with("origin", origin), 403, "{origin}");
    }
    assert_eq!(with("sec-fetch-site", "same-origin"), 200);
    assert_eq!(with("sec-fetch-site", "none"), 200);
    assert_eq!(with("sec-fetch-site", "cross-site"), 403);
    assert_eq!(with("sec-fetch-site", "same-site"), 403);
    let nameless = Request::get("/").body(Body::empty()).unwrap();
    assert_eq!(status(&server, nameless), 400);
}

#[test]
fn the_printed_address_is_answered_as_clients_send_it() {
    // A client leaves out the port of the scheme.
    for (address, host) in [
        ("127.0.0.1:80", "127.0.0.1"),
        ("127.0.0.1:80", "localhost:80"),
        ("[::1]:80", "[::1]"),
        ("127.0.0.2:8000", "127.0.0.2:8000"),
    ] {
        let address = address.parse().unwrap();
        let server = router(&Options { address, ..options(Path::new("/nowhere")) });
        let ask = |host: &str| {
            let origin = format!("http://{host}");
            let request = Request::get("/api/runs").header(header::HOST, host);
            status(&server, request.header(header::ORIGIN, origin).body(Body::empty()).unwrap())
        };
        assert_eq!(ask(host), 200, "{address}");
        for other in ["evil.example", "127.0.0.3", "127.0.0.2"] {
            assert_eq!(ask(other), 403, "{address}: {other}");
        }
    }
}

#[test]
fn the_link_of_a_server_can_be_opened_where_it_runs() {
    for (ip, host) in [
        ("127.0.0.1", "127.0.0.1"),
        ("0.0.0.0", "127.0.0.1"),
        #[cfg(target_os = "linux")]
        ("127.0.0.2", "127.0.0.2"),
    ] {
        let address = SocketAddr::new(ip.parse().unwrap(), 0);
        let options = Options { address, ..options(Path::new("/nowhere")) };
        let server = Server::bind(options).unwrap();
        let link = server.link();
        let port = link.trim_end_matches('/').rsplit(':').next().unwrap().to_owned();
        assert_eq!(link, format!("http://{host}:{port}/"));
        std::thread::spawn(|| server.run());
        let mut client = TcpStream::connect(format!("{host}:{port}")).unwrap();
        let request = format!("GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n");
        client.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{link}: {answer}");
    }
}

#[test]
fn contents_that_do_not_come_are_not_waited_for() {
    use futures_util::stream::pending;
    let mut builder = tokio::runtime::Builder::new_current_thread();
    // The clock stands, but for steps to the next time that is waited for.
    let runtime = builder.enable_all().start_paused(true).build().unwrap();
    for path in ["/api/ask/position", "/api/think"] {
        let contents = Body::from_stream(pending::<Result<&[u8], std::io::Error>>());
        let answer = runtime.block_on(server().oneshot(post(path, contents))).unwrap();
        assert_eq!(answer.status(), StatusCode::REQUEST_TIMEOUT, "{path}");
    }
}

#[test]
fn away_from_the_loopback_address_a_token_is_needed() {
    let address: SocketAddr = "192.0.2.1:8000".parse().unwrap();
    let token = Some(tengen_web::new_token().unwrap());
    let wrong = tengen_web::new_token().unwrap();
    let own = token.clone().unwrap();
    assert!(own.len() == 32 && own != wrong);
    let server = router(&Options { address, token, ..options(Path::new("/nowhere")) });
    assert_eq!(status(&server, get("/")), 200, "the page itself is no secret");
    assert_eq!(status(&server, get("/api/runs")), 403);
    assert_eq!(status(&server, get(&format!("/api/runs?token={wrong}"))), 403);
    assert_eq!(status(&server, get(&format!("/api/runs?token={}", &own[..31]))), 403);
    assert_eq!(status(&server, get(&format!("/api/runs?token={own}"))), 200);
    let mut request = think("two-ply", "move");
    assert_eq!(status(&server, think("two-ply", "move")), 403);
    request.headers_mut().insert("x-tengen-token", own.parse().unwrap());
    assert_eq!(status(&server, request), 200);
}

#[test]
fn questions_have_answers_and_bad_ones_one_line() {
    let server = server();
    let game = r#"{"size":"5x5","komi":2.5,"moves":"C3"}"#;
    let (code, _, text) = ask(&server, post("/api/ask/position", game));
    assert_eq!(code, 200);
    assert!(text.contains(r#""to_play":"white""#), "{text}");
    assert_eq!(status(&server, post("/api/ask/position", "{")), 400);
    assert_eq!(status(&server, post("/api/ask/position", vec![0xFF, 0xFE])), 400);
    assert_eq!(status(&server, post("/api/ask/nothing", "{}")), 404);
    assert_eq!(status(&server, get("/api/ask/position")), 405);
    let play = format!(r#"{{"game":{game},"move":"C3"}}"#);
    let (code, _, text) = ask(&server, post("/api/ask/play", play));
    assert_eq!((code.as_u16(), text.as_str()), (400, "C3: the point is occupied\n"));
    // A form of another site cannot send JSON.
    let mut form = post("/api/ask/position", game);
    form.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().unwrap());
    assert_eq!(status(&server, form), 415);
    let large = "x".repeat((1 << 20) + 1);
    assert_eq!(status(&server, post("/api/ask/record", large)), 413);
}

#[test]
fn a_bot_answers_by_a_stream_of_events() {
    let server = server();
    for bot in ["two-ply", "random", "uct:playouts=200"] {
        let (code, headers, text) = ask(&server, think(bot, "move"));
        assert_eq!(code, 200, "{bot}: {text}");
        assert_eq!(headers[header::CONTENT_TYPE], "text/event-stream");
        let last = text.trim_end().rsplit("data: ").next().unwrap();
        let update: serde_json::Value = serde_json::from_str(last).unwrap();
        assert_eq!(update["done"], true, "{bot}");
        assert!(update["move"].is_string(), "{bot}");
        // A search is seen from its beginning.
        let early = ["\"simulations\":64,", "\"simulations\":96,"].map(|part| text.contains(part));
        assert_eq!(early, [bot.starts_with("uct"); 2], "{bot}: {text}");
    }
    for (bot, purpose) in [("gtp:sh", "move"), ("two-ply", "analysis"), ("uct:x=1", "move")] {
        assert_eq!(status(&server, think(bot, purpose)), 400, "{bot}");
    }
}

/// Waits until an analysis, which is refused soon, can begin, but not for long.
async fn is_free(server: &Router, patience: Duration) -> bool {
    let began = Instant::now();
    while began.elapsed() < patience {
        let response = server.clone().oneshot(think("uct", "analysis")).await.unwrap();
        if response.status() == 200 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

#[test]
fn searches_are_bounded_and_freed_when_the_client_leaves() {
    let server = server();
    block_on(async {
        let begin = |purpose| server.clone().oneshot(think("uct", purpose));
        let first = begin("analysis").await.unwrap();
        assert_eq!(first.status(), StatusCode::OK);
        // One place is left to the moves of bots.
        let second = begin("analysis").await.unwrap();
        assert_eq!(second.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(begin("move").await.unwrap().status(), StatusCode::OK);
        assert!(!is_free(&server, Duration::from_millis(100)).await);
        drop(first);
        assert!(is_free(&server, Duration::from_secs(10)).await, "the search goes on");
    });
}

/// A program that plays Go through GTP, but never finds a move.
const THINKER: &str = "gtp:sh -c 'while read -r id name rest; do [ $name = genmove ] && \
                       sleep 1000; echo =$id; echo; done'";

#[test]
fn bots_that_make_no_simulations_stop_when_the_client_leaves() {
    let limits = Limits { solver_nodes: u64::MAX, ..Limits::default() };
    let offers = Offers::new(vec![format!("thinker={THINKER}").parse().unwrap()]);
    let options = Options { limits, offers, searches: 1, ..options(Path::new("/nowhere")) };
    let bots = ["solver:nodes=1000000000000000", "thinker"];
    for bot in &bots[..if cfg!(unix) { 2 } else { 1 }] {
        let server = router(&options);
        block_on(async {
            let thinking = server.clone().oneshot(think(bot, "move")).await.unwrap();
            assert_eq!(thinking.status(), 200, "{bot}");
            assert!(!is_free(&server, Duration::from_millis(200)).await, "{bot}");
            drop(thinking);
            assert!(is_free(&server, Duration::from_secs(20)).await, "{bot} thinks on");
        });
    }
}

#[test]
fn a_client_that_does_not_read_stops_no_search() {
    let limits = Limits { analysis_seconds: 0.5, ..Limits::default() };
    let server = router(&Options { limits, searches: 1, ..options(Path::new("/nowhere")) });
    block_on(async {
        let unread = server.clone().oneshot(think("uct", "analysis")).await.unwrap();
        assert!(is_free(&server, Duration::from_secs(20)).await, "the search is stuck");
        drop(unread);
    });
}

/// A folder with a run of two games, and beside it a file that nobody may read.
fn runs() -> tempfile::TempDir {
    let scratch = tempfile::tempdir().unwrap();
    let run = scratch.path().join("results/2026-01-01-test");
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
    scratch
}

#[test]
fn runs_are_shown() {
    let scratch = runs();
    let folder = scratch.path().join("results/2026-01-01-test");
    let server = router(&options(&scratch.path().join("results")));
    let read = |path: &str| -> Value {
        let (code, _, text) = ask(&server, get(path));
        assert_eq!(code, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    };
    let list = read("/api/runs");
    assert_eq!((&list[0]["name"], &list[0]["games"]), (&"2026-01-01-test".into(), &2.into()));
    assert_eq!((&list[0]["kind"], &list[0]["scheduled"]), (&"tournament".into(), &4.into()));
    assert_eq!(list[0]["bots"], serde_json::json!(["a", "b"]));
    let games = read("/api/run/2026-01-01-test/games?bot=a&color=black&limit=1");
    assert_eq!((&games["total"], &games["rows"][0]["game"]), (&2.into(), &0.into()));
    let game = read("/api/run/2026-01-01-test/games/1");
    assert_eq!(game["record"]["game"]["moves"], "C3.B2");
    assert_eq!(game["record"]["comments"]["1"], "visits 9");
    assert_eq!((&game["previous"], &game["next"]), (&0.into(), &Value::Null));
    let game = read("/api/run/2026-01-01-test/games/1?bot=absent");
    assert_eq!(game["previous"], Value::Null);
    let text = ask(&server, get("/api/run/2026-01-01-test/games.csv")).2;
    assert_eq!(text, fs::read_to_string(folder.join("games.csv")).unwrap());
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

/// Appends the game number `game`, which "a" wins, to the run of [`runs`].
fn append(run: &Path, game: usize) {
    let (mut file, rows) = RowFile::open::<GameRow>(&run.join("games.csv")).unwrap();
    let pair = game / 2;
    file.append(&[GameRow { game, pair, ..rows[0].row.clone() }], None).unwrap();
}

#[test]
fn a_standing_follows_the_games() {
    let scratch = runs();
    let run = scratch.path().join("results/2026-01-01-test");
    let server = router(&options(&scratch.path().join("results")));
    let standing = || -> Value {
        let (code, _, text) = ask(&server, get("/api/run/2026-01-01-test/standing"));
        assert_eq!(code, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    };
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
    // The order of a run that is over, in another file of the same length.
    let text = fs::read_to_string(run.join("games.csv")).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.sort_unstable_by_key(|row| row.split(',').nth(1).map(str::to_owned));
    fs::write(run.join("new"), format!("{head}\n{}\n", rows.join("\n"))).unwrap();
    fs::rename(run.join("new"), run.join("games.csv")).unwrap();
    let over = standing();
    assert_eq!((&over["summary"], &over["ratings"]), (&found["summary"], &found["ratings"]));
    assert_eq!(over["latest"][0]["game"], 3);
    // Fewer games than before: those of a run that was begun again.
    fs::write(run.join("games.csv"), format!("{head}\n{}\n", rows[0])).unwrap();
    assert_eq!(figures(&standing()), [1, 1]);
    // A run without a game has a standing, a measurement has none.
    fs::remove_file(run.join("games.csv")).unwrap();
    assert_eq!(figures(&standing()), [0, 0]);
    fs::write(run.join("config.toml"), "name = \"x\"\npositions = 3\n").unwrap();
    assert_eq!(status(&server, get("/api/run/2026-01-01-test/standing")), 404);
}

#[test]
fn the_time_left_follows_from_the_time_gone() {
    let scratch = runs();
    let run = scratch.path().join("results/2026-01-01-test");
    let server = router(&options(&scratch.path().join("results")));
    let clock = || -> Value {
        let text = ask(&server, get("/api/run/2026-01-01-test/standing")).2;
        serde_json::from_str::<Value>(&text).unwrap()["clock"].clone()
    };
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
    // One of four games in 60 s before, one in 7 s since.
    assert_eq!(clock(), serde_json::json!({ "elapsed": 67.0, "left": 14.0 }));
    write(format!("{session}{over}{rest}")).unwrap();
    assert_eq!(clock(), serde_json::json!({ "elapsed": 60.0, "left": null }));
    // Nobody knows how long a session took that was killed.
    write(format!("{session}{rest}{session}{rest}")).unwrap();
    assert_eq!(clock(), serde_json::json!({ "elapsed": null, "left": null }));
}

#[test]
fn no_path_leaves_the_folder_of_the_runs() {
    let scratch = runs();
    let server = router(&options(&scratch.path().join("results")));
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
    let scratch = runs();
    let run = scratch.path().join("results/2026-01-01-test");
    // As a kill leaves it: an open of the file for writing would take the rest off.
    let mut text = fs::read_to_string(run.join("games.csv")).unwrap();
    text.push_str("2,1,0,a,b");
    fs::write(run.join("games.csv"), &text).unwrap();
    let server = router(&options(&scratch.path().join("results")));
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
    let scratch = runs();
    let server = router(&options(&scratch.path().join("results")));
    block_on(async {
        let response = server.clone().oneshot(get("/api/events")).await.unwrap();
        let mut events = response.into_body().into_data_stream();
        let mut next = async || {
            let text = events.next().await.unwrap().unwrap();
            String::from_utf8(text.to_vec()).unwrap()
        };
        assert!(next().await.contains("\"games\":2"));
        let path = scratch.path().join("results/2026-01-01-test/games.csv");
        let (mut file, rows) = RowFile::open::<GameRow>(&path).unwrap();
        file.append(&[GameRow { game: 2, ..rows[0].row.clone() }], None).unwrap();
        assert!(next().await.contains("\"games\":3"));
    });
}

/// Questions that have answers, to be spoiled.
const GOOD: [(&str, &str); 5] = [
    ("/api/ask/position", r#"{"size":"5x5","komi":2.5,"moves":"C3.B2.pass"}"#),
    ("/api/ask/play", r#"{"game":{"size":"9x9","setup":""},"move":"D4"}"#),
    ("/api/ask/record", r#"{"sgf":"(;FF[4]GM[1]SZ[5]AB[aa];W[bb]C[well])"}"#),
    ("/api/ask/solve", r#"{"game":{"size":"3x3","moves":"B2"},"nodes":9}"#),
    ("/api/think", r#"{"game":{"size":"5x5"},"bot":"uct:playouts=10","purpose":"move","seed":1}"#),
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
