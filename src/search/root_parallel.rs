//! Root-parallel search: independent workers, merged at the root.
//!
//! `workers` is a number of the algorithm and decides what is found; the
//! threads that run them are the machine's and decide only when.

use super::config::UctConfig;
use super::driver;
use super::report::{self, Report};
use super::tree::Tree;
use super::uct::Search;
use crate::go::{Game, with_words};
use crate::seed::mix;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// What one worker did.
struct Worker {
    tree: Tree,
    simulations: u64,
    depth_sum: u64,
    depth_most: usize,
}

/// Searches the position of `game` with `config.workers` workers and merges
/// them by adding up visits and wins at the root, in worker order.
///
/// Worker number w has the seed `mix(seed, w)` and continues the tree number w
/// of `kept`, or a new one. The workers run on `pool`, or one after the other
/// where there is none; for a budget in playouts the result is the same. A
/// budget of seconds is the time of all workers together by the clock.
///
/// Returns the report and the workers' trees.
#[must_use]
pub fn search(
    game: &Game,
    config: &UctConfig,
    seed: u64,
    kept: Vec<Tree>,
    pool: Option<&rayon::ThreadPool>,
) -> (Report, Vec<Tree>) {
    let started = Instant::now();
    let mut trees = kept;
    trees.resize_with(config.workers as usize, Tree::new);
    let seconds = config.seconds.map(|seconds| seconds * share_of_time(config, pool));
    let work = |(number, tree): (usize, Tree)| {
        let number = number as u64;
        let deadline = seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
        let budget = config.playouts.map_or(u64::MAX, |playouts| share(playouts, config, number));
        run_worker(game, config, budget, mix(seed, number), tree, deadline)
    };
    let workers: Vec<Worker> = match pool {
        Some(pool) => pool.install(|| trees.into_par_iter().enumerate().map(work).collect()),
        None => trees.into_iter().enumerate().map(work).collect(),
    };
    let playouts = workers.iter().map(|worker| worker.simulations).sum();
    let depth_sum: u64 = workers.iter().map(|worker| worker.depth_sum).sum();
    let most_depth = workers.iter().map(|worker| worker.depth_most).max().unwrap_or(0);
    let trees: Vec<Tree> = workers.into_iter().map(|worker| worker.tree).collect();
    let moves = report::merge(&trees);
    let report = Report {
        to_play: game.to_play(),
        variation: moves.first().map_or(Vec::new(), |best| report::variation(&trees, best.made)),
        moves,
        playouts,
        mean_depth: depth_sum as f64 / playouts.max(1) as f64,
        most_depth,
        nodes: trees.iter().map(Tree::len).sum(),
        bytes: trees.iter().map(Tree::bytes).sum(),
        seconds: started.elapsed().as_secs_f64(),
    };
    (report, trees)
}

fn run_worker(
    game: &Game,
    config: &UctConfig,
    budget: u64,
    seed: u64,
    tree: Tree,
    deadline: Option<Instant>,
) -> Worker {
    with_words!(game.size(), W => {
        let mut search = Search::<W>::new(game, config, budget, seed, tree);
        driver::run_scalar(&mut search, deadline);
        Worker {
            simulations: search.simulations(),
            depth_sum: search.depth_sum(),
            depth_most: search.depth_most(),
            tree: search.into_tree(),
        }
    })
}

/// The part of `playouts` that worker `number` makes: the first ones take the
/// remainder.
fn share(playouts: u64, config: &UctConfig, number: u64) -> u64 {
    let workers = u64::from(config.workers);
    playouts / workers + u64::from(number < playouts % workers)
}

/// The part of the time that a worker may take where there are fewer threads
/// than workers.
fn share_of_time(config: &UctConfig, pool: Option<&rayon::ThreadPool>) -> f64 {
    let threads = pool.map_or(1, rayon::ThreadPool::current_num_threads);
    (threads as f64 / f64::from(config.workers)).min(1.0)
}
