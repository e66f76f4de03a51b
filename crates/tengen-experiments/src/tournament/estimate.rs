//! How long games take, before a run is begun.

use super::config::Tournament;
use super::openings;
use std::time::Instant;
use tengen_bots::{Bot, BotConfig};
use tengen_go::Game;
use tengen_search::UctConfig;

/// Plies of a game for each point of the board: 1.05 to 1.30 in the published runs, from 5×5 to 19×19.
const PLIES_PER_POINT: f64 = 1.2;

/// Mean time of a move in a game, divided by the time of the first: playouts shorten as a board
/// fills.
const MEAN_PER_FIRST: f64 = 0.5;

/// The most simulations that are made to measure a move.
const TRIED: u64 = 1_000;

impl Tournament {
    /// Estimated seconds of one thread for `games` games between the tournament's bots, right to a
    /// factor of about two. For the estimate each bot chooses one move, with at most 1,000
    /// simulations. None if a bot may take any time, such as another program or the solver.
    #[must_use]
    pub fn estimated_seconds(&self, games: usize) -> Option<f64> {
        let schedule = self.schedule();
        let game = openings::begin(self, &schedule.plan(0)).ok()?;
        let moves: Option<Vec<f64>> =
            self.bots.iter().map(|bot| seconds_per_move(&bot.config, self.seed, &game)).collect();
        let moves = moves?;
        let pairings = schedule.pairings();
        let both: f64 = pairings.iter().map(|one| moves[one.first] + moves[one.second]).sum();
        let plies = PLIES_PER_POINT * self.size.points() as f64;
        Some(games as f64 * plies * both / (2.0 * pairings.len() as f64))
    }
}

/// The mean time of a move of a bot in a game that goes on from `game`.
fn seconds_per_move(config: &BotConfig, seed: u64, game: &Game) -> Option<f64> {
    let time_of_first = |mut bot: Box<dyn Bot>| {
        bot.begin(game, "estimate").ok()?;
        let began = Instant::now();
        bot.genmove(game).ok()?;
        Some(began.elapsed().as_secs_f64())
    };
    let cost = config.move_cost().filter(|cost| cost.solver_nodes == 0)?;
    let Some(search) = config.uct() else {
        return Some(MEAN_PER_FIRST * time_of_first(config.build(seed, None))?);
    };
    let simulations = search.simulations.unwrap_or(u64::MAX);
    // Each worker makes at least one simulation.
    let tried = simulations.min(TRIED.max(search.workers.into()));
    let limited = UctConfig { simulations: Some(tried), seconds: None, ..search.clone() };
    let first = time_of_first(BotConfig::from(limited).build(seed, None))?;
    let of_all = MEAN_PER_FIRST * first * simulations as f64 / tried as f64;
    Some(if cost.seconds > 0.0 { of_all.min(cost.seconds) } else { of_all })
}

#[cfg(test)]
mod tests {
    use crate::tournament::Tournament;
    use tengen_settings::Settings;

    fn estimated(bots: &str, games: usize) -> Option<f64> {
        let table = format!("size = \"5x5\"\nbot = [{bots}]").parse().unwrap();
        Tournament::from_table(table).unwrap().estimated_seconds(games)
    }

    #[test]
    fn bots_by_the_clock_take_their_seconds() {
        let of_two = estimated("\"uct:seconds=0.01\", \"uct:seconds=0.03\"", 10).unwrap();
        // 30 plies of 0.02 s in the mean.
        assert!((of_two - 6.0).abs() < 1e-9, "{of_two}");
    }

    #[test]
    fn more_simulations_take_longer() {
        let of = |simulations: u64| {
            estimated(&format!("\"uct:simulations={simulations}\", \"random\""), 2)
        };
        assert!(of(1_000_000).unwrap() > 10.0 * of(1_000).unwrap());
    }

    #[test]
    fn nothing_is_said_of_other_programs_and_the_solver() {
        assert_eq!(estimated("\"random\", \"gtp:true\"", 2), None);
        assert_eq!(estimated("\"random\", \"solver\"", 2), None);
    }
}
