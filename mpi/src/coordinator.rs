//! The coordinator, MPI rank 0: searches together with the other ranks, as many as answer.

use crate::counts::{Counts, read_counts, write_counts};
use crate::helper::make_round;
use crate::mailbox::{Mailbox, Message};
use crate::orders::{Answer, Order, SearchOrder};
use crate::position::Position;
use crate::root::{self, Root};
use std::time::{Duration, Instant};
use tengen_bots::BotConfig;
use tengen_go::Game;
use tengen_search::ResourceFault;
use tengen_search::shared::{SharingWorker, UpperTree, sum};
use tengen_search::{SearchReport, UctConfig};

/// How long an empty mailbox is waited for at once.
const WAIT: Duration = Duration::from_millis(100);

/// The coordinator (MPI rank 0): distributes each search over the ranks, makes the share of one
/// of them itself, and merges their root statistics.
pub struct Coordinator {
    mailbox: Mailbox,
    helpers: Vec<State>,
    patience: Duration,
    /// Number of searches so far.
    searches: u64,
    /// Takes what is to be said to people.
    note: Box<dyn FnMut(String) + Send>,
}

/// What rank 0 knows of another rank.
#[derive(Clone, Debug)]
struct State {
    rank: usize,
    heard: Instant,
    is_lost: bool,
    /// Number of the last search of which it missed a part: it cannot take part in that one
    /// again.
    missed: u64,
}

impl State {
    /// Whether the rank takes part in the search of this number.
    const fn takes_part(&self, search: u64) -> bool {
        !self.is_lost && self.missed != search
    }
}

/// Why a bot cannot be searched by several MPI ranks.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unsuitable {
    /// It makes no search by workers.
    #[error("the bot `{0}` makes no search that ranks could share: give `uct`")]
    NoSearch(String),
    /// It keeps trees, which are on the other ranks.
    #[error(
        "the bot keeps its trees for the next move (`reuse`), which ranks cannot: add \
         `reuse=false`"
    )]
    Reuse,
    /// It has another number of workers.
    #[error("the bot has {workers} workers and there are {ranks} ranks: leave `workers` out")]
    Workers {
        /// Workers of the bot.
        workers: u32,
        /// Number of ranks, which each are one.
        ranks: usize,
    },
    /// Its settings do not go together with as many workers.
    #[error("{0}")]
    Settings(String),
}

impl Coordinator {
    /// The coordinator of `ranks` ranks, itself included. A rank from which nothing arrives for
    /// `patience` is lost: the search goes on without it, and it has a share again from the first
    /// search that begins after something arrived. `note` takes warnings for the user.
    #[must_use]
    pub fn new(
        mailbox: Mailbox,
        ranks: usize,
        patience: Duration,
        note: Box<dyn FnMut(String) + Send>,
    ) -> Self {
        let state = |rank| State { rank, heard: Instant::now(), is_lost: false, missed: 0 };
        Self { mailbox, helpers: (1..ranks).map(state).collect(), patience, searches: 0, note }
    }

    /// The settings of `bot` with a worker for each of `ranks` ranks. Refuses a bot that the ranks cannot
    /// search for.
    pub fn config_for(bot: &BotConfig, ranks: usize) -> Result<BotConfig, Unsuitable> {
        let Some(config) = bot.uct() else {
            return Err(Unsuitable::NoSearch(bot.to_string()));
        };
        if config.reuse {
            return Err(Unsuitable::Reuse);
        }
        let workers = u32::try_from(ranks).unwrap_or(u32::MAX);
        if config.workers != 1 && config.workers != workers {
            return Err(Unsuitable::Workers { workers: config.workers, ranks });
        }
        let config = UctConfig { workers, ..config.clone() };
        config.validate().map_err(|fault| Unsuitable::Settings(fault.to_string()))?;
        Ok(BotConfig::from(config))
    }

    /// Searches the last position of `game` by `config`, whose number of workers is that of
    /// the ranks that answer. The search goes on without ranks that are lost: all their simulations
    /// are missing from the report; the counts of shared nodes that they published last stay in
    /// use until the search ends.
    pub fn search(
        &mut self,
        game: &Game,
        config: &UctConfig,
        seed: u64,
    ) -> Result<SearchReport, ResourceFault> {
        let started = Instant::now();
        let roots = self.search_roots(game, config, seed)?;
        Ok(root::report(game, roots, started.elapsed().as_secs_f64()))
    }

    /// The same, before the roots of the ranks are merged.
    pub(crate) fn search_roots(
        &mut self,
        game: &Game,
        config: &UctConfig,
        seed: u64,
    ) -> Result<Vec<Root>, ResourceFault> {
        let started = Instant::now();
        let deadline = config.seconds.map(|time| started + Duration::from_secs_f64(time));
        self.listen();
        let ranks: Vec<usize> = self
            .helpers
            .iter()
            .filter(|helper| !helper.is_lost)
            .map(|helper| helper.rank)
            .collect();
        let workers = u32::try_from(ranks.len() + 1).unwrap_or(u32::MAX);
        let config = UctConfig { workers, ..config.clone() };
        self.searches += 1;
        let search = self.searches;
        for (worker, &rank) in (1..).zip(&ranks) {
            let (position, bot) = (Position::of(game), BotConfig::from(config.clone()).to_string());
            let order = SearchOrder { search, position, bot, seed, worker };
            self.order(rank, &Order::Search(Box::new(order)));
        }
        let mut own = SharingWorker::new(&config, seed, 0, None);
        let mut published = vec![UpperTree::new(); ranks.len() + 1];
        loop {
            make_round(game, &mut own, deadline)?;
            published[0] = own.publish();
            let mut is_done = own.is_done();
            for (counts, published) in self.rounds(&ranks).into_iter().zip(&mut published[1..]) {
                let Some((counts, helper_is_done)) = counts else { continue };
                is_done &= helper_is_done;
                *published = read_counts(counts);
            }
            if is_done || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            let all = sum(&published);
            own.receive(workers, &all);
            self.order_all(&ranks, &Order::Continue { search, all: write_counts(&all) });
        }
        let own = Root::of(game, &own.into_result());
        Ok(std::iter::once(own).chain(self.finish(&ranks)).collect())
    }

    /// Tells the other ranks to end. Returns whether all of them still answered.
    pub fn quit(&mut self) -> bool {
        self.listen();
        let all_ranks_end = self.helpers.iter().all(|helper| !helper.is_lost);
        for helper in self.helpers.iter().filter(|helper| !helper.is_lost) {
            self.order(helper.rank, &Order::Quit { all_ranks_end });
        }
        all_ranks_end
    }

    fn order(&self, rank: usize, order: &Order) {
        self.mailbox.send(rank, serde_json::to_vec(order).unwrap_or_default());
    }

    fn order_all(&self, ranks: &[usize], order: &Order) {
        let helpers = self.helpers.iter().filter(|helper| ranks.contains(&helper.rank));
        for helper in helpers.filter(|helper| helper.takes_part(self.searches)) {
            self.order(helper.rank, order);
        }
    }

    /// What each of `ranks` has counted in a round, and whether it is done; none for those that
    /// are lost.
    fn rounds(&mut self, ranks: &[usize]) -> Vec<Option<(Counts, bool)>> {
        self.collect(ranks, |answer| match answer {
            Answer::Round { search, counts, is_done } => Some((search, (counts, is_done))),
            _ => None,
        })
    }

    /// Ends the search on all `ranks`, and returns what those that are not lost have found.
    fn finish(&mut self, ranks: &[usize]) -> Vec<Root> {
        let search = self.searches;
        self.order_all(ranks, &Order::Finish { search });
        let roots = self.collect(ranks, |answer| match answer {
            Answer::Found { search, root } => Some((search, root)),
            _ => None,
        });
        roots.into_iter().flatten().collect()
    }

    /// Waits for an answer of each of `ranks` from which `wanted` takes the number of the
    /// search and what is returned; none for those that are lost.
    fn collect<T>(
        &mut self,
        ranks: &[usize],
        wanted: impl Fn(Answer) -> Option<(u64, T)>,
    ) -> Vec<Option<T>> {
        let mut found: Vec<Option<T>> = ranks.iter().map(|_| None).collect();
        loop {
            let is_missing = |(rank, found): (&usize, &Option<T>)| {
                let search = self.searches;
                found.is_none()
                    && self.helpers.iter().any(|h| h.rank == *rank && h.takes_part(search))
            };
            if !ranks.iter().zip(&found).any(is_missing) {
                return found;
            }
            let Some(message) = self.next(WAIT) else { continue };
            let Ok(answer) = serde_json::from_slice(&message.content) else { continue };
            if let Answer::Failed { search, reason } = answer {
                if search == self.searches {
                    self.lose(message.rank, &reason);
                }
                continue;
            }
            let place = ranks.iter().position(|&rank| rank == message.rank);
            if let Some((search, answer)) = wanted(answer)
                && let Some(place) = place
                && search == self.searches
            {
                found[place] = Some(answer);
            }
        }
    }

    /// Takes what has arrived while nobody listened.
    fn listen(&mut self) {
        while self.next(Duration::ZERO).is_some() {}
    }

    /// The next message, if one arrives within `wait`. Notes which rank is alive, and which has
    /// been silent for too long.
    fn next(&mut self, wait: Duration) -> Option<Message> {
        let received = self.mailbox.receive(wait);
        let message = received.as_ref().ok().cloned().flatten();
        // All that arrived before this one has been taken.
        let now = message.as_ref().map_or_else(Instant::now, |message| message.at);
        let mut notes = Vec::new();
        for helper in &mut self.helpers {
            let is_sender = message.as_ref().is_some_and(|message| message.rank == helper.rank);
            if is_sender {
                helper.heard = now;
            }
            let is_silent =
                received.is_err() || now.saturating_duration_since(helper.heard) > self.patience;
            if helper.is_lost != is_silent && (is_sender || is_silent) {
                helper.is_lost = is_silent;
                if is_silent {
                    helper.missed = self.searches;
                }
                notes.push((helper.rank, is_silent));
            }
        }
        for (rank, is_lost) in notes {
            let left = self.left();
            let patience = self.patience.as_secs_f64();
            (self.note)(if is_lost {
                format!("rank {rank} has been silent for {patience} s: {left}")
            } else {
                format!("rank {rank} answers again, and takes part in the next search")
            });
        }
        message
    }

    /// Goes on without `rank` until the search ends.
    fn lose(&mut self, rank: usize, reason: &str) {
        for helper in self.helpers.iter_mut().filter(|helper| helper.rank == rank) {
            helper.missed = self.searches;
        }
        let left = self.left();
        (self.note)(format!("rank {rank}: {reason}: {left}"));
    }

    /// How many ranks are left, in words.
    fn left(&self) -> String {
        let search = self.searches;
        let left = 1 + self.helpers.iter().filter(|helper| helper.takes_part(search)).count();
        format!("{left} of {} ranks search", self.helpers.len() + 1)
    }
}
