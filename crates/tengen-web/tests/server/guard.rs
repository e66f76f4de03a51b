//! Which requests are answered, and with what headers.

use crate::{ask, get, options, post, server, status, think};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use tengen_web::{Options, Server, router};
use tower::ServiceExt;

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
    // A client omits the default port of the scheme.
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
    // The clock stands still, and jumps to the next time that a task waits for.
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
