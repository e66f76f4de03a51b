//! The protocol by which a [`FrontEnd`](crate::FrontEnd) asks rank 0 for searches: commands with a
//! number before them, as in GTP, and answers as in GTP.
//!
//! | command | answer |
//! |---|---|
//! | `ranks` | the number of ranks |
//! | `search JSON` | empty; the search of a [`Request`] begins |
//! | `wait` | [`Status`] as JSON: at once when the search has ended, else after [`POLL_INTERVAL`] |
//! | `quit` | empty; the program ends (it may come without a number) |

use crate::coordinator::Coordinator;
use crate::orders::searched;
use crate::position::Position;
use crate::root::Root;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::mem::take;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tengen_gtp::protocol::Answer;

/// How long `wait` waits at most for the end of a search.
pub const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// A search that is asked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    pub position: Position,
    /// The bot: `uct:key=value,...`.
    pub bot: String,
    pub seed: u64,
}

/// The status of a search.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Status {
    /// Warnings for the user since the last answer.
    pub notes: Vec<String>,
    /// What each rank has found, if the search has ended.
    pub found: Option<Vec<Root>>,
    /// Why the search cannot be made, if so: it would take too much memory.
    #[serde(default)]
    pub failure: Option<String>,
}

/// Warnings for the user that nobody has read yet.
pub type Notes = Arc<Mutex<Vec<String>>>;

/// Answers the commands of `input` until it ends or says `quit`, with the searches of
/// `coordinator`, which puts its warnings into `notes`, and of `ranks` ranks.
pub fn serve(
    coordinator: &mut Coordinator,
    ranks: usize,
    notes: &Notes,
    input: impl BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (requests, to_search) = channel();
    let (found, results) = channel();
    thread::scope(|scope| {
        scope.spawn(move || search(coordinator, &to_search, &found));
        for line in input.lines() {
            let line = line?;
            let (id, command) = match line.split_once(' ') {
                Some((id, command)) if id.parse::<u32>().is_ok() => (id, command),
                _ => ("", line.as_str()),
            };
            let (name, argument) = command.split_once(' ').unwrap_or((command, ""));
            let result = match name {
                "ranks" => Ok(ranks.to_string()),
                "search" => serde_json::from_str::<Request>(argument)
                    .map_err(|fault| fault.to_string())
                    // The searching thread lasts as long as `requests`.
                    .and_then(|request| requests.send(request).map_err(|fault| fault.to_string()))
                    .map(|()| String::new()),
                "wait" => wait(notes, &results),
                "quit" => Ok(String::new()),
                _ => Err("unknown command".to_owned()),
            };
            write!(output, "{}", Answer { id: id.parse().ok(), result })?;
            output.flush()?;
            if name == "quit" {
                break;
            }
        }
        // Ends the searching thread.
        drop(requests);
        Ok(())
    })
}

type Found = Result<Vec<Root>, String>;

/// Makes the searches that are asked for.
fn search(coordinator: &mut Coordinator, requests: &Receiver<Request>, found: &Sender<Found>) {
    for Request { position, bot, seed } in requests {
        let result = match (position.game(), searched(&bot)) {
            (Ok(game), Ok(config)) => coordinator
                .search_roots(&game, &config, seed)
                .map_err(|out_of_memory| out_of_memory.to_string()),
            (Err(fault), _) => Err(fault.to_string()),
            (_, Err(reason)) => Err(reason),
        };
        // The other end lasts as long as `requests`.
        let _ = found.send(result);
    }
}

/// The answer to `wait`.
fn wait(notes: &Notes, results: &Receiver<Found>) -> Result<String, String> {
    let (found, failure) = match results.recv_timeout(POLL_INTERVAL) {
        Ok(Ok(found)) => (Some(found), None),
        Ok(Err(fault)) => (None, Some(fault)),
        Err(RecvTimeoutError::Timeout) => (None, None),
        Err(RecvTimeoutError::Disconnected) => return Err("the search has failed".to_owned()),
    };
    let notes = take(&mut *notes.lock().unwrap_or_else(PoisonError::into_inner));
    serde_json::to_string(&Status { notes, found, failure }).map_err(|fault| fault.to_string())
}
