//! Runs that the page starts, stops, resumes and extends, where the command line allows it.
//!
//! A run is a process of the program itself, which reads the settings from its standard input and
//! writes the folder. From the bottom up: [`settings`] turns JSON into settings and refuses
//! programs and files, [`children`] keeps the processes, this module answers.

mod children;
mod settings;

pub use children::Life;

use crate::page::Refusal;
use crate::server::App;
use crate::server::ask::{Question, as_json, json, on_another_thread};
use crate::server::refused::Refused;
use crate::server::runs::{Progress, RunFolder, Summary};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use children::Children;
use serde::Serialize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_experiments::kind::Kind;
use tengen_experiments::run::{CONFIG, MANIFEST};
use toml::Table;

/// How long an answer waits for a run to begin. A slower start is seen on the page of the run.
const BEGINNING: Duration = Duration::from_secs(20);

/// Time between two checks of a run that begins or ends.
const LOOK: Duration = Duration::from_millis(25);

/// A kind of run, as the program knows it.
#[derive(Debug)]
pub struct StartKind {
    /// The command that plays it.
    pub name: &'static str,
    /// Its settings, as a JSON Schema.
    pub schema: Value,
    /// The default settings of the command.
    pub first: Table,
    /// The settings that matter most, which a form shows first.
    pub main: Vec<String>,
    /// The settings that a page cannot give.
    pub hidden: &'static [&'static str],
    /// Reads settings, before any file is written, and says how much they play, or what is wrong
    /// with them.
    pub plan: fn(Table) -> Result<String, String>,
    /// The setting that `--extend` raises.
    pub extent: Option<&'static str>,
}

/// The runs that may be started, and those that were.
#[derive(Clone, Debug)]
pub struct Starts {
    /// The program and the words before its command.
    program: Vec<OsString>,
    kinds: Arc<[StartKind]>,
    children: Arc<Children>,
}

impl Starts {
    /// Runs of these `kinds`, at most `at_once` at the same time, played by `program`: its path,
    /// and the words before its command.
    #[must_use]
    pub fn new(program: Vec<OsString>, kinds: Vec<StartKind>, at_once: usize) -> Self {
        Self { program, kinds: kinds.into(), children: Arc::new(Children::new(at_once)) }
    }

    /// Asks all started runs to end, and waits for them: they can be resumed.
    pub fn stop_all(&self) {
        self.children.stop_all();
    }

    /// The state of the process of the run `name`, if this server started it.
    #[must_use]
    pub fn life(&self, name: &str) -> Option<Life> {
        self.children.life(name)
    }

    fn kind(&self, name: &str) -> Result<&StartKind, Refused> {
        let kind = self.kinds.iter().find(|kind| kind.name == name);
        kind.ok_or_else(|| Refused::absent(format!("no runs of the kind `{name}` can be started")))
    }

    /// The kind of run that can continue `run`; none if the page cannot continue it.
    fn kind_of(&self, run: &RunFolder, kind: Kind) -> Option<&StartKind> {
        let name = kind.command().filter(|_| kind != Kind::SCALING)?;
        // A part of a run is not continued by itself, and compressed rows are not continued.
        let is_whole = !run.name.contains('/') && run.names(".xz").is_empty();
        self.kinds.iter().find(|kind| is_whole && kind.name == name)
    }

    /// How the page can control `run`.
    #[must_use]
    pub fn control(&self, run: &RunFolder, summary: &Summary) -> Option<Control> {
        let kind = self.kind_of(run, summary.kind)?;
        let life = self.life(&run.name);
        let stop = matches!(life, Some(Life::Running));
        let is_stopped = summary.progress == Progress::Stopped;
        let is_idle = !stop && (is_stopped || summary.progress == Progress::Finished);
        let extent = kind.extent.filter(|_| is_idle).and_then(|key| {
            let config: Table = run.read(CONFIG).ok()?.parse().ok()?;
            Some((key.to_owned(), config.get(key)?.as_integer()?))
        });
        let fault = match life {
            Some(Life::Ended { fault, .. }) if is_stopped => fault,
            _ => None,
        };
        Some(Control { stop, resume: is_idle && is_stopped, extent, fault })
    }

    /// The command line of a run of `kind`, with these further words.
    fn command(&self, kind: &str, words: &[&dyn AsRef<std::ffi::OsStr>]) -> Command {
        let mut own = self.program.iter();
        let mut command = Command::new(own.next().map_or("tengen".as_ref(), OsString::as_os_str));
        command.args(own).arg(kind).args(words.iter().map(AsRef::as_ref));
        command
    }
}

/// How the page can control a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Control {
    /// Whether it can be stopped: a process that this server started plays it.
    stop: bool,
    /// Whether it can be resumed: it has stopped before its end.
    resume: bool,
    /// The setting by which it can be extended, and its value.
    extent: Option<(String, i64)>,
    /// Why its process ended early.
    fault: Option<String>,
}

/// The requests about starting.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/api/experiments", get(list))
        .route("/api/experiments/{kind}", post(start))
        .route("/api/experiments/{kind}/plan", post(plan))
        .route("/api/run/{run}/stop", post(stop))
        .route("/api/run/{run}/resume", post(resume))
        .route("/api/run/{run}/extend", post(extend))
}

/// The runs that may be started; refuses where none may.
fn allowed(app: &App) -> Result<&Starts, Refused> {
    let why =
        "no run can be started from this page: start the server by `tengen serve --allow-runs`";
    app.options.starts.as_ref().ok_or_else(|| Refused::new(StatusCode::FORBIDDEN, why))
}

/// The kinds of runs with their settings, and whether they can be started.
async fn list(State(app): State<App>) -> Result<impl IntoResponse, Refused> {
    json(move || {
        let kinds = app.options.starts.iter().flat_map(|starts| starts.kinds.iter());
        let kinds: Vec<Value> = kinds
            .map(|kind| {
                let schema = settings::schema(kind);
                json!({ "name": kind.name, "schema": schema, "first": kind.first, "main": kind.main })
            })
            .collect();
        Ok(json!({ "allowed": app.options.starts.is_some(), "kinds": kinds }))
    })
    .await
}

/// The name and the settings of the run in `question`, and how much it plays.
fn asked(app: &App, kind: &StartKind, question: &str) -> Result<(String, Table, String), Refused> {
    let (name, table) = settings::read(kind, question, &app.options.offers)?;
    if app.runs.root().join(&name).symlink_metadata().is_ok() {
        let why = "there is a run or a file of this name: choose another `name`";
        return Err(Refused::bad(why));
    }
    let plan = (kind.plan)(table.clone()).map_err(|why| Refused::from(Refusal::new(why)))?;
    Ok((name, table, plan))
}

/// How much a run of these settings plays, in words.
async fn plan(
    State(app): State<App>,
    Path(kind): Path<String>,
    Question(question): Question,
) -> Result<impl IntoResponse, Refused> {
    json(move || {
        let kind = allowed(&app)?.kind(&kind)?;
        let (_, _, plan) = asked(&app, kind, &question)?;
        Ok(json!({ "plan": plan }))
    })
    .await
}

/// Starts a run in a new folder.
async fn start(
    State(app): State<App>,
    Path(kind): Path<String>,
    Question(question): Question,
) -> Result<impl IntoResponse, Refused> {
    let starts = allowed(&app)?.clone();
    let own = app.clone();
    let (name, folder) = on_another_thread(move || {
        let starts = allowed(&own)?;
        let kind = starts.kind(&kind)?;
        let (name, table, _) = asked(&own, kind, &question)?;
        let folder = own.runs.root().join(&name);
        let text = toml::to_string(&table).map_err(Refused::bad)?;
        let cannot = |why| Refused::failed(format!("cannot make {}: {why}", folder.display()));
        std::fs::create_dir_all(own.runs.root()).map_err(cannot)?;
        let command = starts.command(kind.name, &[&"--config", &"-", &"--out", &folder]);
        let mut is_made = false;
        let prepare = || {
            // The request that makes the folder first gets the name.
            std::fs::create_dir(&folder).map_err(cannot)?;
            is_made = true;
            Ok(())
        };
        let started = starts.children.start(&name, command, prepare, Some(text));
        if started.is_err() && is_made {
            let _ = std::fs::remove_dir(&folder);
        }
        started.map(|()| (name, folder))
    })
    .await?;
    let begun = begun(&starts, &name, || folder.join(MANIFEST).exists()).await;
    if begun.is_err() {
        // This removes only an empty folder.
        let _ = std::fs::remove_dir(&folder);
    }
    begun?;
    app.runs.forget_list();
    Ok(as_json(json!({ "name": name }).to_string()))
}

/// Waits until the run `name` `has_begun`; the error says why its process ended instead.
async fn begun(starts: &Starts, name: &str, has_begun: impl Fn() -> bool) -> Result<(), Refused> {
    let until = Instant::now() + BEGINNING;
    while !has_begun() && Instant::now() < until {
        if let Some(Life::Ended { fault, .. }) = starts.life(name) {
            let refused = |why| Err(Refused::bad(why));
            return fault.map_or(Ok(()), refused);
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

/// Stops a run that this server started.
async fn stop(
    State(app): State<App>,
    Path(name): Path<String>,
    Question(_): Question,
) -> Result<impl IntoResponse, Refused> {
    let starts = allowed(&app)?;
    starts.children.interrupt(&name)?;
    let until = Instant::now() + children::PATIENCE;
    while let Some(Life::Running) = starts.life(&name) {
        if Instant::now() > until {
            starts.children.kill(&name);
        }
        tokio::time::sleep(LOOK).await;
    }
    app.runs.forget_list();
    Ok(as_json("null".to_owned()))
}

/// Resumes a run that has stopped.
async fn resume(
    State(app): State<App>,
    Path(name): Path<String>,
    Question(_): Question,
) -> Result<impl IntoResponse, Refused> {
    go_on(app, name, None).await
}

/// Extends a run beyond its end, up to the number in the request.
async fn extend(
    State(app): State<App>,
    Path(name): Path<String>,
    Question(question): Question,
) -> Result<impl IntoResponse, Refused> {
    allowed(&app)?;
    let number = question.trim().parse::<u64>();
    let number =
        number.map_err(|_| Refused::bad("expected a whole number to extend the run to"))?;
    go_on(app, name, Some(number)).await
}

async fn go_on(app: App, name: String, extend: Option<u64>) -> Result<impl IntoResponse, Refused> {
    let starts = allowed(&app)?.clone();
    let (own, of) = (app.clone(), name.clone());
    let (run, before) = on_another_thread(move || {
        let starts = allowed(&own)?;
        let (run, summary) = own.runs.look(&of)?;
        let unknown = || Refused::bad(format!("{of} cannot be continued from the page"));
        let kind = starts.kind_of(&run, summary.kind).ok_or_else(unknown)?;
        if extend.is_some() && kind.extent.is_none() {
            return Err(Refused::bad(format!(
                "a run of the kind {} cannot be extended",
                kind.name
            )));
        }
        settings::refuse_programs(&run.read(CONFIG)?, &own.options.offers)?;
        let folder = own.runs.root().join(&of);
        let mut command = starts.command(kind.name, &[&"--resume", &folder]);
        if let Some(number) = extend {
            command.arg("--extend").arg(number.to_string());
        }
        let before = run.stamp(MANIFEST);
        starts.children.start(&of, command, || Ok(()), None)?;
        Ok((run, before))
    })
    .await?;
    let begun = begun(&starts, &name, || run.stamp(MANIFEST) != before).await;
    if begun.is_err() {
        // A process that refused has changed nothing: the files tell how the run ended.
        starts.children.forget(&name);
    }
    begun?;
    app.runs.forget_list();
    Ok(as_json(json!({ "name": name }).to_string()))
}
