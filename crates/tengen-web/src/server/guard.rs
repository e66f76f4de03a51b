//! Lets requests in or refuses them, and sets the headers of every answer.

use crate::server::App;
use crate::server::refused::Refused;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};

/// The header in which the page sends the token.
const TOKEN: &str = "x-tengen-token";

/// What the page may load and run: its own files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
                      data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The port of `http`, which clients leave out of `Host` and `Origin`.
const HTTP_PORT: u16 = 80;

/// The conditions for letting a request in.
#[derive(Debug)]
pub struct Door {
    /// The values of `Host` that are the server's own; none if any value will do, since the
    /// token keeps strangers out.
    hosts: Option<Vec<String>>,
    /// The token that every question must carry, if any.
    token: Option<String>,
}

impl Door {
    /// The door of a server at `address`. A server on the loopback address answers only to its
    /// own names: otherwise another site could make its name point to the server.
    pub fn new(address: SocketAddr, token: Option<String>) -> Self {
        let port = address.port();
        let own = match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let names = ["127.0.0.1", "localhost", "[::1]", &own];
        let mut hosts = names.map(|name| format!("{name}:{port}")).to_vec();
        if port == HTTP_PORT {
            hosts.extend(names.map(str::to_owned));
        }
        let is_local = address.ip().is_loopback();
        Self { hosts: is_local.then_some(hosts), token }
    }

    /// Checks a request.
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        let forbidden = |why: &str| Refused::new(StatusCode::FORBIDDEN, why);
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(header::HOST).or_else(|| uri.authority().map(Authority::as_str));
        let host = host.ok_or_else(|| Refused::bad("the header Host is missing"))?;
        let is_own = |hosts: &Vec<String>| hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        if !self.hosts.as_ref().is_none_or(is_own) {
            return Err(forbidden("this server has another name: open the address it printed"));
        }
        if headers.contains_key(header::ORIGIN) {
            let own = text(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if !own.is_some_and(|own| own.eq_ignore_ascii_case(host)) {
                return Err(forbidden("pages of other sites are not answered"));
            }
        }
        let is_foreign = |site: &str| !matches!(site, "same-origin" | "none");
        let is_question = uri.path().starts_with("/api/");
        if is_question
            && text(header::HeaderName::from_static("sec-fetch-site")).is_some_and(is_foreign)
        {
            return Err(forbidden("pages of other sites are not answered"));
        }
        if let Some(token) = self.token.as_ref().filter(|_| is_question) {
            let sent = headers.get(TOKEN).map(HeaderValue::as_bytes);
            let sent = sent.or_else(|| in_query(uri).map(str::as_bytes)).unwrap_or_default();
            if !is_same(sent, token.as_bytes()) {
                let why = "the token is missing or wrong: open the link that was printed";
                return Err(forbidden(why));
            }
        }
        Ok(())
    }
}

/// The token in the query of `uri`.
fn in_query(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Compares in a time that does not tell where the texts differ.
fn is_same(sent: &[u8], token: &[u8]) -> bool {
    let differences = sent.iter().zip(token).fold(0, |found, (a, b)| found | (a ^ b));
    sent.len() == token.len() && differences == 0
}

/// Lets a request in or refuses it, and adds the headers of every answer.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match app.door.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
