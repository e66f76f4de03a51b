//! A rank that makes the searches that rank 0 asks for.

use crate::counts::{read_counts, write_counts};
use crate::mailbox::Mailbox;
use crate::orders::{Answer, Order, SearchOrder, searched};
use crate::root::Root;
use std::time::{Duration, Instant};
use tengen_go::Game;
use tengen_search::ResourceFault;
use tengen_search::shared::SharingWorker;
use tengen_search::{UctConfig, driver};

/// The rank that gives the orders.
const COORDINATOR: usize = 0;

/// An MPI rank other than 0: one worker of each search that the coordinator orders.
#[derive(Debug)]
pub struct Helper {
    mailbox: Mailbox,
    open: Option<Open>,
}

/// Why a helper ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All ranks end.
    OfAll,
    /// All ranks end but those that are lost, for which `MPI_Finalize` would wait.
    OfThoseLeft,
    /// Rank 0 says nothing any more.
    OfSilence,
}

/// A search that is under way.
#[derive(Debug)]
struct Open {
    search: u64,
    game: Game,
    config: UctConfig,
    worker: SharingWorker,
    deadline: Option<Instant>,
}

impl Helper {
    /// A helper that gets its orders by `mailbox`.
    #[must_use]
    pub const fn new(mailbox: Mailbox) -> Self {
        Self { mailbox, open: None }
    }

    /// Does what rank 0 says until it says that it ends, or has said nothing for `patience`,
    /// not even that it is alive.
    pub fn serve(&mut self, patience: Duration) -> End {
        let mut heard = Instant::now();
        loop {
            let Ok(message) = self.mailbox.receive(patience) else { return End::OfSilence };
            let Some(message) = message else {
                if heard.elapsed() > patience {
                    return End::OfSilence;
                }
                continue;
            };
            heard = message.at;
            if message.content.is_empty() {
                continue;
            }
            // All ranks are the same program: what cannot be read is from no rank.
            let Ok(order) = serde_json::from_slice(&message.content) else { continue };
            let said = match order {
                Order::Quit { all_ranks_end: true } => return End::OfAll,
                Order::Quit { all_ranks_end: false } => return End::OfThoseLeft,
                Order::Search(order) => Some(self.begin(&order)),
                Order::Continue { search, all } => self.open_search(search).map(|mut open| {
                    if !all.is_empty() {
                        open.worker.receive(open.config.workers, &read_counts(all));
                    }
                    self.round(open)
                }),
                Order::Finish { search } => self.open_search(search).map(|open| {
                    let root = Root::of(&open.game, &open.worker.into_result());
                    Answer::Found { search, root }
                }),
            };
            if let Some(said) = said {
                self.mailbox.send(COORDINATOR, serde_json::to_vec(&said).unwrap_or_default());
            }
        }
    }

    /// The open search, if it has the number `search`.
    fn open_search(&mut self, search: u64) -> Option<Open> {
        self.open.take().filter(|open| open.search == search)
    }

    /// Begins a search and makes its first round.
    fn begin(&mut self, order: &SearchOrder) -> Answer {
        let search = order.search;
        let failed = |reason| Answer::Failed { search, reason };
        let game = match order.position.game() {
            Ok(game) => game,
            Err(fault) => return failed(fault.to_string()),
        };
        let config = match searched(&order.bot) {
            Ok(config) => config,
            Err(reason) => return failed(reason),
        };
        let worker = SharingWorker::new(&config, order.seed, order.worker.into(), None);
        let deadline = config.seconds.map(|time| Instant::now() + Duration::from_secs_f64(time));
        self.round(Open { search, game, config, worker, deadline })
    }

    /// Makes a round of the search.
    fn round(&mut self, mut open: Open) -> Answer {
        let search = open.search;
        if let Err(fault) = make_round(&open.game, &mut open.worker, open.deadline) {
            return Answer::Failed { search, reason: fault.to_string() };
        }
        let counts = write_counts(&open.worker.publish());
        let is_done = open.worker.is_done();
        self.open = Some(open);
        Answer::Round { search, counts, is_done }
    }
}

/// Makes a round of `worker`, until `deadline` at the latest.
pub fn make_round(
    game: &Game,
    worker: &mut SharingWorker,
    deadline: Option<Instant>,
) -> Result<(), ResourceFault> {
    let should_stop = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let search = worker.begin_round(game);
    for search in driver::advance(game.size(), vec![search], &should_stop)? {
        worker.end_round(search.report());
    }
    Ok(())
}
