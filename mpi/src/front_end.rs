//! A front end outside of MPI, which outlives the ranks.

use crate::position::Position;
use crate::root::{self, Root};
use crate::service::{POLL_INTERVAL, Request, Status};
use std::time::{Duration, Instant};
use tengen_bots::BotConfig;
use tengen_go::Game;
use tengen_gtp::{Client, Fault, Launch, SystemFault};
use tengen_search::ResourceFault;
use tengen_search::{SearchReport, UctConfig, shared};

/// Time that the ranks have to start: `mpirun` may have to reach many hosts.
const START: Duration = Duration::from_secs(120);

/// Share of the time of a move that is left at the least to a search that this process makes
/// because the ranks ended during the move.
const LEAST_SHARE: f64 = 0.1;

/// Searches by ranks that another process has started, as `mpirun` does, and by this process
/// alone after they have failed: some kinds of MPI end all ranks when one dies.
pub struct FrontEnd {
    /// None after the ranks have failed.
    ranks: Option<Client>,
    /// Time limit of an answer.
    patience: Duration,
    /// Takes warnings for the user.
    note: Box<dyn FnMut(String) + Send>,
}

/// Why there are no ranks to search with.
#[derive(Debug, thiserror::Error)]
pub enum StartFault {
    /// Their program cannot be started.
    #[error(transparent)]
    System(#[from] SystemFault),
    /// They do not answer.
    #[error("the ranks do not start: {0}")]
    Ranks(Fault),
    /// They answer something else.
    #[error("the ranks do not start: invalid number of ranks `{0}`")]
    Garbage(String),
}

/// Why the ranks have not found anything.
#[derive(Debug, thiserror::Error)]
enum Failed {
    /// They are lost.
    #[error("{0}")]
    Fault(#[from] Fault),
    /// They are lost, too.
    #[error("their answer cannot be read: {0}")]
    Garbage(#[from] serde_json::Error),
    /// They can make other searches.
    #[error("{0}")]
    Search(String),
}

impl FrontEnd {
    /// Starts the ranks with `launch`, a command whose input and output are those of
    /// [`serve`](crate::serve) on rank 0, and returns also how many there are. They are lost
    /// when rank 0 does not answer within `patience`. `note` takes warnings for the user. Fails if the
    /// command does not answer within two minutes.
    pub fn start(
        launch: &Launch,
        patience: Duration,
        note: Box<dyn FnMut(String) + Send>,
    ) -> Result<(Self, usize), StartFault> {
        let mut client = Client::start(launch)?;
        let said = client.ask("ranks", START).map_err(StartFault::Ranks)?;
        let count = said.parse().map_err(|_| StartFault::Garbage(said))?;
        Ok((Self { ranks: Some(client), patience, note }, count))
    }

    /// Searches the last position of `game` by `config`, as
    /// [`Coordinator::search`](crate::Coordinator::search) does, or by one worker in this
    /// process where they fail: with all of the simulations, or what is left of the time.
    pub fn search(
        &mut self,
        game: &Game,
        config: &UctConfig,
        seed: u64,
    ) -> Result<SearchReport, ResourceFault> {
        let started = Instant::now();
        if let Some(ranks) = &mut self.ranks {
            match ask(ranks, game, config, seed, self.patience, &mut self.note) {
                Ok(roots) => {
                    let seconds = started.elapsed().as_secs_f64();
                    return Ok(root::report(game, roots, seconds));
                }
                Err(Failed::Search(why)) => {
                    (self.note)(format!("this process searches alone for this move: {why}"));
                }
                Err(lost) => {
                    (self.note)(format!("the ranks are lost: {lost}"));
                    (self.note)("this process searches alone from now on".to_owned());
                    self.ranks = None;
                }
            }
        }
        let spent = started.elapsed().as_secs_f64();
        let seconds = config.seconds.map(|seconds| time_left(seconds, spent));
        let config = UctConfig { workers: 1, seconds, ..config.clone() };
        let (report, _) = shared::search(game, &config, seed, Vec::new(), None)?;
        Ok(SearchReport { seconds: started.elapsed().as_secs_f64(), ..report })
    }
}

/// The seconds for a search by this process, of a move that has `seconds`, of which `spent` are
/// gone.
fn time_left(seconds: f64, spent: f64) -> f64 {
    (seconds - spent).max(LEAST_SHARE * seconds)
}

/// Lets the ranks search.
fn ask(
    ranks: &mut Client,
    game: &Game,
    config: &UctConfig,
    seed: u64,
    patience: Duration,
    note: &mut dyn FnMut(String),
) -> Result<Vec<Root>, Failed> {
    let bot = BotConfig::from(config.clone()).to_string();
    let request = Request { position: Position::of(game), bot, seed };
    ranks.ask(&format!("search {}", serde_json::to_string(&request)?), patience)?;
    loop {
        let Status { notes, found, failure } =
            serde_json::from_str(&ranks.ask("wait", POLL_INTERVAL + patience)?)?;
        notes.into_iter().for_each(&mut *note);
        if let Some(why) = failure {
            return Err(Failed::Search(why));
        }
        if let Some(roots) = found {
            return Ok(roots);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::time_left;

    #[test]
    fn a_search_alone_has_what_is_left_of_the_move_and_a_tenth_at_least() {
        for (seconds, spent, left) in [(2.0, 0.5, 1.5), (2.0, 1.9, 0.2), (2.0, 30.0, 0.2)] {
            assert!((time_left(seconds, spent) - left).abs() < 1e-9, "{seconds}, {spent}");
        }
    }
}
