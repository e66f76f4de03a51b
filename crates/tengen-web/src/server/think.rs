//! Searches, as streams of events.

use crate::page::{Purpose, Refusal, ThinkRequest, Thinking, Update, read_question};
use crate::server::ask::Question;
use crate::server::refused::Refused;
use crate::server::{App, max_analyses};
use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::time::{Duration, Instant};
use tengen_search::catch_fault;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;

/// Time between two updates.
const INTERVAL: Duration = Duration::from_millis(200);

/// Longest time to the first update.
const FIRST: Duration = Duration::from_millis(60);

/// Simulations of the first update, if they are made by then.
const FIRST_MILESTONE: u64 = 64;

/// Most updates that wait for a client to read them.
const UNREAD: usize = 24;

/// The longest time that a move waits for a place among the searches.
const PATIENCE_OF_MOVE: Duration = Duration::from_secs(5);

/// The longest time that an analysis waits.
const PATIENCE_OF_ANALYSIS: Duration = Duration::from_secs(1);

/// Searches until the end or until the client leaves. Sends an event about five times a second,
/// more often at the beginning; the last event has the bot's move.
pub async fn think(
    State(app): State<App>,
    Question(question): Question,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refused> {
    let request: ThinkRequest = read_question(&question)?;
    let permits = permits(&app, request.purpose).await?;
    let mut thinking = Thinking::begin(&request, &app.options.offers, &app.options.limits)?;
    let (sender, receiver) = mpsc::channel(UNREAD);
    let client = sender.clone();
    thinking.stop_when(move || client.is_closed());
    std::thread::Builder::new()
        .name("search".to_owned())
        .spawn(move || search(thinking, &sender, permits))
        .map_err(|fault| Refused::busy(format!("cannot start a thread for the search: {fault}")))?;
    Ok(Sse::new(events(receiver)).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}

/// The permits of a search: a place among all searches and, for an analysis, a place among
/// the analyses.
pub type Permits = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

/// Takes a place for a search. Analyses, which are long, leave one place to the moves of bots.
/// Moves and analyses wait a while: a search whose client has left may not have stopped yet.
pub async fn permits(app: &App, purpose: Purpose) -> Result<Permits, Refused> {
    let all = app.options.searches;
    let (what, most, patience) = match purpose {
        Purpose::Move => ("searches", all, PATIENCE_OF_MOVE),
        Purpose::Analysis => ("analyses", max_analyses(all), PATIENCE_OF_ANALYSIS),
    };
    let take = async {
        let analysis = match purpose {
            Purpose::Move => None,
            Purpose::Analysis => Some(app.analyses.clone().acquire_owned().await.ok()?),
        };
        Some((app.searches.clone().acquire_owned().await.ok()?, analysis))
    };
    let busy =
        || Refused::busy(format!("{most} {what} are running, which is the limit: try again soon"));
    timeout(patience, take).await.ok().flatten().ok_or_else(busy)
}

/// What a search has found, or why it failed.
type Found = Result<Update, Refusal>;

/// Searches, and sends the results so far: by the clock, and after numbers of simulations that
/// grow by half, so that a client sees the course of a search from its beginning. A slow client
/// misses some updates. The permits are held as long as the search runs.
fn search(mut thinking: Thinking, sender: &mpsc::Sender<Found>, permits: Permits) {
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    let mut slice_end = began + FIRST;
    let (mut simulations, mut milestone) = (0, FIRST_MILESTONE);
    loop {
        let should_stop = || sender.is_closed() || Instant::now() >= slice_end;
        let advance = || thinking.advance(milestone - simulations, &clock, &should_stop);
        let update = catch_fault(advance).map_err(Refusal::new).flatten();
        let Some(found) = update.as_ref().ok().filter(|update| !update.done) else {
            // A client may ask for the next search as soon as it reads the last event.
            drop(permits);
            drop(thinking);
            let _ = sender.try_send(update);
            return;
        };
        simulations = found.report.counts.simulations;
        while milestone <= simulations {
            milestone += milestone / 2;
        }
        if sender.is_closed() {
            return;
        }
        // The last place in the channel is kept for the last update.
        if sender.capacity() > 1 {
            let _ = sender.try_send(update);
        }
        slice_end = Instant::now() + INTERVAL;
    }
}

fn events(receiver: mpsc::Receiver<Found>) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(receiver, |mut receiver| async move {
        let event = match receiver.recv().await? {
            Ok(update) => Event::default().data(serde_json::to_string(&update).unwrap_or_default()),
            Err(refusal) => Event::default().event("refused").data(refusal.to_string()),
        };
        Some((Ok(event), receiver))
    })
}
