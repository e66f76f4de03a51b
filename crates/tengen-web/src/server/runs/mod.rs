//! The runs below one folder, which are only read here.

mod cards;
mod contents;
mod files;
mod folder;
mod growth;
mod summary;

use crate::runs::{Filter, RunGames};
use crate::server::App;
use crate::server::ask::{as_json, json, on_another_thread};
use crate::server::refused::Refused;
use crate::server::start::Starts;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path as Named, Query, State};
use axum::http::{HeaderName, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Sse};
use axum::routing::get;
use cards::{Cards, Clock};
use files::GameFiles;
pub use folder::{RunFolder, below, is_part, now};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use summary::Summaries;
pub use summary::{Progress, Summary};
use tokio::sync::OwnedSemaphorePermit;

/// Time between two checks of the folder while somebody watches.
const INTERVAL: Duration = Duration::from_millis(500);

/// What a report may load: nothing but its own style.
const REPORT_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; \
                             img-src data:; frame-ancestors 'self'";

/// The runs below one folder.
#[derive(Debug)]
pub struct Runs {
    root: PathBuf,
    /// The runs that this server plays.
    starts: Option<Starts>,
    summaries: Summaries,
    games: GameFiles,
    cards: Cards,
    /// The list as it was last read, shared by all watchers.
    list: Mutex<Option<(Instant, Arc<str>)>>,
}

/// How long one reading of the list may check the files of runs: the next reading continues.
const CHECKING: Duration = Duration::from_millis(150);

impl Runs {
    pub fn new(root: PathBuf, starts: Option<Starts>) -> Self {
        let (summaries, games) = (Summaries::default(), GameFiles::default());
        Self { root, starts, summaries, games, cards: Cards::default(), list: Mutex::default() }
    }

    /// The folder of all runs.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the next request read the list anew.
    pub fn forget_list(&self) {
        *self.list.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The run `name` and its summary.
    pub fn look(&self, name: &str) -> Result<(RunFolder, Summary), Refused> {
        let run = self.find(name)?;
        let summary = self.summary(&run, None);
        Ok((run, summary))
    }

    fn summary(&self, run: &RunFolder, until: Option<Instant>) -> Summary {
        let life = self.starts.as_ref().and_then(|starts| starts.life(&run.name));
        self.summaries.of(run, until, life)
    }

    fn find(&self, name: &str) -> Result<RunFolder, Refused> {
        RunFolder::find(&self.root, name)
    }

    /// The list of all runs as JSON, at most [`INTERVAL`] old.
    fn list(&self) -> Result<Arc<str>, Refused> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((read, text)) = &*list
            && read.elapsed() < INTERVAL
        {
            return Ok(text.clone());
        }
        let runs = RunFolder::all(&self.root);
        let until = Some(Instant::now() + CHECKING);
        let runs: Vec<Summary> = runs.iter().map(|run| self.summary(run, until)).collect();
        let text: Arc<str> = serde_json::to_string(&runs).map_err(Refused::failed)?.into();
        *list = Some((Instant::now(), text.clone()));
        Ok(text)
    }
}

/// The questions about runs.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/api/runs", get(list))
        .route("/api/events", get(events))
        .route("/api/run/{run}", get(detail))
        .route("/api/run/{run}/games", get(page))
        .route("/api/run/{run}/games/{number}", get(game))
        .route("/api/run/{run}/games.csv", get(text_of_games))
        .route("/api/run/{run}/report", get(report))
        .route("/api/run/{run}/standing", get(standing))
}

async fn list(State(app): State<App>) -> Result<impl IntoResponse, Refused> {
    let list = on_another_thread(move || app.runs.list()).await?;
    Ok(as_json(list.to_string()))
}

async fn detail(
    State(app): State<App>,
    Named(name): Named<String>,
) -> Result<impl IntoResponse, Refused> {
    json(move || {
        let (run, summary) = app.runs.look(&name)?;
        let root = app.runs.root.file_name().map(|name| name.to_string_lossy().into_owned());
        let control = app.options.starts.as_ref().and_then(|starts| starts.control(&run, &summary));
        let mut detail = app.runs.cards.detail(&run, summary, root.as_deref().unwrap_or("runs"));
        detail.control = control;
        Ok(detail)
    })
    .await
}

/// The keys and values of a query, which filter the games.
type Wanted = Result<Query<Vec<(String, String)>>, QueryRejection>;

fn filter(wanted: Wanted) -> Result<Filter, Refused> {
    let Query(given) = wanted.map_err(|fault| Refused::bad(fault.body_text()))?;
    Ok(Filter::of(given.iter().map(|(key, text)| (key.as_str(), text.as_str())))?)
}

async fn page(
    State(app): State<App>,
    Named(name): Named<String>,
    wanted: Wanted,
) -> Result<impl IntoResponse, Refused> {
    let filter = filter(wanted)?;
    json(move || Ok(filter.page(app.runs.games.games(&app.runs.find(&name)?)?.rows()))).await
}

async fn game(
    State(app): State<App>,
    Named((name, number)): Named<(String, String)>,
    wanted: Wanted,
) -> Result<impl IntoResponse, Refused> {
    let filter = filter(wanted)?;
    json(move || {
        let absent = || Refused::absent(format!("unknown game `{number}`"));
        let wanted: usize = number.parse().map_err(|_| absent())?;
        let run = app.runs.find(&name)?;
        let games = app.runs.games.games(&run)?;
        let outline = run.outline().ok_or_else(absent)?;
        games.game(wanted, &outline, &filter, &app.options.limits)?.ok_or_else(absent)
    })
    .await
}

/// The rows of all games as CSV.
async fn text_of_games(
    State(app): State<App>,
    Named(name): Named<String>,
) -> Result<impl IntoResponse, Refused> {
    let text = on_another_thread(move || app.runs.find(&name).and_then(|run| files::text(&run)));
    Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], text.await?))
}

/// The standing of a tournament after its games so far.
async fn standing(
    State(app): State<App>,
    Named(name): Named<String>,
) -> Result<impl IntoResponse, Refused> {
    json(move || {
        let run = app.runs.find(&name)?;
        let outline = run.outline().ok_or_else(|| {
            Refused::absent(format!("{name} is no tournament, which alone has a standing"))
        })?;
        // A run that has just begun has no file of games yet.
        let games = match app.runs.games.games(&run) {
            Err(_) if !files::has_games(&run) => Arc::new(RunGames::default()),
            other => other?,
        };
        let mut standing = tengen_experiments::tournament::report::standing(&outline, games.rows())
            .map_err(Refused::bad)?;
        let count = |key: &str| usize::try_from(standing[key].as_u64().unwrap_or(0)).unwrap_or(0);
        let clock = Clock::of(&run, files::FILES[0], count("finished"), count("expected"));
        standing["clock"] = serde_json::to_value(clock).map_err(Refused::failed)?;
        let latest = games.boards(&outline);
        standing["latest"] = serde_json::to_value(latest).map_err(Refused::failed)?;
        Ok(standing)
    })
    .await
}

async fn report(
    State(app): State<App>,
    Named(name): Named<String>,
) -> Result<impl IntoResponse, Refused> {
    let text =
        on_another_thread(move || app.runs.find(&name).and_then(|run| run.read("report.html")));
    let headers: [(HeaderName, &str); 2] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, text.await?))
}

/// What a stream of events knows of its client.
struct Watcher {
    app: App,
    sent: Option<Arc<str>>,
    _permit: OwnedSemaphorePermit,
}

/// The list of runs whenever it has changed.
async fn events(
    State(app): State<App>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refused> {
    let permit = app.streams.clone().try_acquire_owned();
    let permit = permit.map_err(|_| Refused::busy("too many clients watch the runs"))?;
    let watcher = Watcher { app, sent: None, _permit: permit };
    let events = stream::unfold(watcher, |mut watcher| async move {
        loop {
            if watcher.sent.is_some() {
                tokio::time::sleep(INTERVAL).await;
            }
            let app = watcher.app.clone();
            let text = on_another_thread(move || app.runs.list()).await.ok()?;
            if watcher.sent.as_ref() != Some(&text) {
                watcher.sent = Some(text.clone());
                return Some((Ok(Event::default().data(&*text)), watcher));
            }
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}
