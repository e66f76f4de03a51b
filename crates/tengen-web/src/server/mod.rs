//! Listening and serving.

mod ask;
mod assets;
mod bundle;
mod guard;
mod gzip;
mod listener;
mod records;
mod refused;
mod runs;
mod start;
mod think;

use crate::page::{Limits, Offers};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use guard::{Door, guard};
use gzip::gzip;
use listener::{Bounds, serve};
use records::Records;
use runs::Runs;
pub use start::{StartKind, Starts};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// The largest body of a request in bytes: a game record.
const MAX_BODY: usize = 2 << 20;

/// The most streams of the runs' events at once.
const MAX_STREAMS: usize = 512;

/// Threads for work that takes milliseconds.
const BLOCKING_THREADS: usize = 4;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; port 0 for any that is free.
    pub address: SocketAddr,
    /// The folder of the runs.
    pub runs: PathBuf,
    /// The folder of game records, if there is one.
    pub records: Option<PathBuf>,
    /// The bots.
    pub offers: Offers,
    /// Bounds on the cost of a question.
    pub limits: Limits,
    /// Searches that may run at once.
    pub searches: usize,
    /// The token that every question must carry, if any.
    pub token: Option<String>,
    /// The runs that may be started, if any may.
    pub starts: Option<Starts>,
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    /// With the address at which it listens.
    options: Options,
}

impl Server {
    /// Listens at the address of `options`.
    pub fn bind(options: Options) -> io::Result<Self> {
        let mut builder = Builder::new_current_thread();
        let runtime =
            builder.enable_io().enable_time().max_blocking_threads(BLOCKING_THREADS).build()?;
        let listener = runtime.block_on(TcpListener::bind(options.address))?;
        let address = listener.local_addr()?;
        Ok(Self { runtime, listener, options: Options { address, ..options } })
    }

    /// The link to the page, for this machine: a server that listens at all addresses
    /// gives the loopback address.
    #[must_use]
    pub fn link(&self) -> String {
        let mut address = self.options.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        let token = self.options.token.as_ref();
        let query = token.map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{address}/{query}")
    }

    /// Serves until the process ends.
    pub fn run(self) {
        let router = router(&self.options);
        self.runtime.block_on(serve(self.listener, router, Bounds::default()));
    }
}

/// The state that all answers of a server share.
struct Shared {
    options: Options,
    /// One permit per search that may run at once.
    searches: Arc<Semaphore>,
    /// One permit per analysis that may run at once.
    analyses: Arc<Semaphore>,
    /// One permit per open stream of events of the runs.
    streams: Arc<Semaphore>,
    runs: Runs,
    records: Records,
    door: Door,
}

/// The most analyses among `searches` searches: one place is left for the moves of bots.
fn max_analyses(searches: usize) -> usize {
    searches.saturating_sub(1).max(1)
}

type App = Arc<Shared>;

/// The answers of a server.
pub fn router(options: &Options) -> Router {
    let app: App = Arc::new(Shared {
        options: options.clone(),
        searches: Arc::new(Semaphore::new(options.searches)),
        analyses: Arc::new(Semaphore::new(max_analyses(options.searches))),
        streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        runs: Runs::new(options.runs.clone(), options.starts.clone()),
        records: Records::new(options.records.clone()),
        door: Door::new(options.address, options.token.clone()),
    });
    Router::new()
        .route("/api/think", post(think::think))
        .route("/api/ask/{question}", post(ask::ask))
        .merge(runs::routes())
        .merge(records::routes())
        .merge(start::routes())
        .fallback(get(assets::file).fallback(refused::other_method))
        .method_not_allowed_fallback(refused::other_method)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn(gzip))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// A new token: 128 bits of the system's randomness, in hexadecimal digits.
pub fn new_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
