//! Simulations per second: measurements and their rows.
//!
//! Each thread runs as many searches of the empty board at once as fill its
//! lanes, or as many as are asked for: a search with one leaf in flight fills one lane, one with
//! K leaves in flight K of them.
//!
//! A measurement has three passes over the same searches on the same threads:
//! an untimed one, which warms the memory that the next one takes, the one that
//! is timed, and one with the clock around every step, which gives the shares
//! of the parts. Reading the clock slows the last pass, so the
//! speed is taken from the second.
//!
//! If each search makes several moves, its bot plays against itself, and keeps its tree if its
//! settings say so.

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::Barrier;
use std::time::{Duration, Instant};
use tengen_bots::{Bot, BotConfig, MoveRequest, NamedBot, Searching, SpecError};
use tengen_go::{Game, Komi, Preset, Rules, Size};
use tengen_playout::Isa;
use tengen_search::driver::{self, PartSeconds};
use tengen_search::sharing::Sharing;
use tengen_search::tree::Tree;
use tengen_search::{
    AnySearch, Resource, ResourceFault, SearchCounts, SearchResult, UctConfig, catch_fault,
    on_threads,
};
use tengen_stats::seed::mix;
use tengen_system::thread_cpu_seconds;

/// The setting that asks for one leaf in flight per lane.
const FILLS_LANES: &str = "in_flight=lanes";

/// A bot whose searches are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredSearch {
    /// Name in rows and plots: the given name, or else the text.
    pub name: String,
    /// Of kind `uct`, or registered.
    config: BotConfig,
    /// Whether a search has as many leaves in flight as there are lanes.
    fills_lanes: bool,
}

/// An error in the text of a [`MeasuredSearch`].
#[derive(Debug, thiserror::Error)]
pub enum MeasuredSearchError {
    /// The text describes no bot.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The bot does not search.
    #[error("bot `{0}` makes no simulations: write uct or uct:key=value,...")]
    NoSearch(String),
    /// The bot has a setting that the measurement chooses itself.
    #[error("bot `{0}` sets {1}, which the measurement does: leave it out")]
    Set(String, &'static str),
}

impl FromStr for MeasuredSearch {
    type Err = MeasuredSearchError;

    /// Reads `SPEC` or `NAME=SPEC` of a bot that makes simulations. `in_flight=lanes` of `uct` stands
    /// for as many leaves as there are lanes.
    fn from_str(text: &str) -> Result<Self, MeasuredSearchError> {
        let fills_lanes = text.contains(FILLS_LANES);
        let bot: NamedBot = text.replace(FILLS_LANES, "in_flight=1").parse()?;
        let is_named = bot.is_named();
        let cost = match &bot.config {
            config if config.makes_simulations() => config.move_cost().unwrap_or_default(),
            _ => return Err(MeasuredSearchError::NoSearch(text.to_owned())),
        };
        if cost.seconds > 0.0 {
            return Err(MeasuredSearchError::Set(text.to_owned(), "seconds"));
        }
        if bot.config.workers() != 1 {
            return Err(MeasuredSearchError::Set(text.to_owned(), "workers"));
        }
        let name = if is_named { bot.name } else { text.to_owned() };
        Ok(Self { name, config: bot.config, fills_lanes })
    }
}

impl MeasuredSearch {
    /// The bot on `lanes` lanes with `simulations` per search.
    fn config(&self, lanes: usize, simulations: u64) -> BotConfig {
        let Some(config) = self.config.uct() else { return self.config.clone() };
        let own = config.in_flight;
        let in_flight = if self.fills_lanes { u32::try_from(lanes).unwrap_or(own) } else { own };
        let sharing = Sharing::None;
        UctConfig { in_flight, sharing, simulations: Some(simulations), ..config.clone() }.into()
    }

    /// The text with every setting, defaults included, and with the name if one
    /// was given.
    #[must_use]
    pub fn complete(&self, simulations: u64) -> String {
        let text = self.config(1, simulations).complete();
        let text = if self.fills_lanes { text.replace("in_flight=1", FILLS_LANES) } else { text };
        // No name has a colon.
        if self.name.contains(':') { text } else { format!("{}={text}", self.name) }
    }
}

/// The settings of one measurement.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Size of the board.
    pub size: Size,
    /// Komi, in points.
    pub komi: Komi,
    /// The bot whose searches are measured.
    pub candidate: &'a MeasuredSearch,
    /// Number of threads, each with its own lanes and searches.
    pub threads: usize,
    /// Searches on each thread at once; none for as many as fill its lanes.
    pub searches: Option<usize>,
    /// Moves that each search makes in turn, playing against itself.
    pub moves: u32,
    /// Simulations per move.
    pub simulations: u64,
    /// SIMD instruction set of the lanes, which play playouts side by side.
    pub isa: Isa,
    /// Random seed of all searches.
    pub seed: u64,
    /// Number of the repeat, from 0, which is part of the searches' seeds.
    pub repeat: u32,
}

/// A row of `speed.csv`: one measurement. The fields are the columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchSpeedRow {
    /// Size of the board.
    pub size: Size,
    /// Name or text of the bot.
    pub config: String,
    /// Number of threads.
    pub threads: usize,
    /// Number of the repeat, from 0.
    pub repeat: u32,
    /// Simulations per second of wall-clock time, all threads together.
    pub simulations_per_second: f64,
    /// Simulations per second of CPU time; empty where that cannot be read, or
    /// is too short to be counted.
    pub simulations_per_cpu_second: Option<f64>,
    /// Number of searches at once, all threads together.
    pub searches: usize,
    /// Number of simulations of all searches for all their moves.
    pub simulations: u64,
    /// Mean depth of the leaves in moves, the root having depth 0.
    pub mean_depth: f64,
    /// Number of nodes of all trees after the last move.
    pub nodes: usize,
    /// Bytes per node of the trees, reserved memory included.
    pub bytes_per_node: f64,
    /// SIMD instruction set.
    pub isa: String,
    /// Random seed of all searches.
    pub seed: u64,
    /// Share of the time spent in selection, expansion and priors: 0 to 1.
    pub selection_share: f64,
    /// Share of the time spent in playouts: 0 to 1.
    pub playout_share: f64,
    /// Share of the time spent in backing results up: 0 to 1.
    pub update_share: f64,
    /// Share of the time spent in computing priors, a part of selection: 0 to 1. Older files do not have
    /// it.
    pub prior_share: Option<f64>,
    /// Share of the time spent in expansion without priors, a part of selection: 0 to 1. Older files do not have it.
    pub expansion_share: Option<f64>,
    /// Share of the time spent in steps of lanes without a game, a part of playouts: 0 to 1. Older files do not have
    /// it.
    pub waiting_share: Option<f64>,
    /// Share of the time spent between searches: ending one, keeping its tree and beginning the next; 0 to 1. Older
    /// files do not have it.
    pub keep_share: Option<f64>,
    /// Moves that each search made in turn. Older files do not have it.
    pub moves: Option<u32>,
}

/// The counts of one thread.
#[derive(Clone, Copy, Debug)]
struct Seen {
    started: Instant,
    ended: Instant,
    cpu_seconds: Option<f64>,
    searches: usize,
    counts: SearchCounts,
    nodes: usize,
    bytes: usize,
    parts: PartSeconds,
    keep: f64,
}

/// Makes the measurement and returns its row.
///
/// # Panics
/// If this machine does not have the instruction set.
pub fn measure(setting: &Setting) -> Result<SearchSpeedRow, ResourceFault> {
    let barrier = Barrier::new(setting.threads);
    let seen = on_threads(setting.threads, |thread| search(setting, thread, &barrier))?;
    let seen: Vec<Seen> = seen.into_iter().collect::<Result<_, _>>()?;
    Ok(row(setting, &seen))
}

/// The results of a pass and, if it is watched, the times of its parts.
#[derive(Default)]
struct Pass {
    counts: SearchCounts,
    /// The trees of the last searches.
    trees: Vec<Tree>,
    parts: PartSeconds,
    /// Seconds between the searches.
    keep: f64,
}

/// Runs the three passes on one thread; `barrier` begins the second and the third on
/// all threads together.
fn search(setting: &Setting, thread: usize, barrier: &Barrier) -> Result<Seen, ResourceFault> {
    let lanes = driver::lanes(setting.size);
    let bot = setting.candidate.config(lanes, setting.simulations);
    let of_uct = |config: &UctConfig| config.in_flight as usize * config.leaf_playouts as usize;
    let filled = bot.uct().map_or(1, of_uct);
    let count = setting.searches.unwrap_or_else(|| lanes.div_ceil(filled));
    let seed = mix(mix(setting.seed, setting.repeat.into()), thread as u64);
    let run = |is_watched| {
        let player = |number| Player::new(setting, &bot, mix(seed, number));
        let players = (0..count as u64).map(player).collect();
        // A panic of registered code must not leave the other threads waiting.
        catch_fault(|| pass(setting, players, is_watched)).flatten()
    };
    let warmed = run(false);
    barrier.wait();
    let (started, before) = (Instant::now(), thread_cpu_seconds());
    let timed = run(false);
    let (ended, after) = (Instant::now(), thread_cpu_seconds());
    // No thread begins its third pass while another is being timed.
    barrier.wait();
    let watched = run(true);
    let (_, timed, Pass { parts, keep, .. }) = (warmed?, timed?, watched?);
    Ok(Seen {
        started,
        ended,
        cpu_seconds: before.zip(after).map(|(before, after)| after - before),
        searches: count,
        counts: timed.counts,
        nodes: timed.trees.iter().map(Tree::len).sum(),
        bytes: timed.trees.iter().map(Tree::bytes).sum(),
        parts,
        keep,
    })
}

/// Has all `players` make their moves side by side.
fn pass(
    setting: &Setting,
    mut players: Vec<Player<'_>>,
    is_watched: bool,
) -> Result<Pass, ResourceFault> {
    let mut pass = Pass::default();
    let began = Instant::now();
    let mut driven = Duration::ZERO;
    for left in (0..setting.moves).rev() {
        let mut searches = Vec::new();
        let mut counts = Vec::new();
        for player in &mut players {
            let own = player.begin()?;
            counts.push(own.len());
            searches.extend(own);
        }
        let results = if is_watched {
            let drive = Instant::now();
            let (results, parts) = driver::run_watched(setting.size, searches)?;
            driven += drive.elapsed();
            pass.parts += parts;
            results
        } else {
            driver::run(setting.size, searches)?
        };
        for result in &results {
            pass.counts += result.counts;
        }
        let mut results = results.into_iter();
        if left == 0 {
            pass.trees = results.map(|result| result.tree).collect();
            break;
        }
        for (player, count) in players.iter_mut().zip(counts) {
            player.end(results.by_ref().take(count).collect())?;
        }
    }
    pass.keep = began.elapsed().saturating_sub(driven).as_secs_f64();
    Ok(pass)
}

/// A bot that plays against itself.
struct Player<'a> {
    setting: &'a Setting<'a>,
    config: &'a BotConfig,
    bot: Box<dyn Bot>,
    game: Game,
    seed: u64,
}

impl<'a> Player<'a> {
    fn new(setting: &'a Setting<'a>, config: &'a BotConfig, seed: u64) -> Self {
        let Setting { size, komi, .. } = *setting;
        let game = Game::new(size, Rules::new(Preset::Tengen, size, komi));
        Self { setting, config, bot: config.build(seed, None), game, seed }
    }

    /// The fault that the bot cannot be measured.
    fn fault(&self, reason: &str) -> ResourceFault {
        let name = &self.setting.candidate.name;
        let reason = format!("bot `{name}` cannot be measured: {reason}");
        ResourceFault::because(Resource::RegisteredCode, reason)
    }

    fn begin(&mut self) -> Result<Vec<AnySearch>, ResourceFault> {
        let begun = self.bot.begin_analysis(&self.game);
        let MoveRequest::Searching(Searching { mut searches, .. }) =
            begun.map_err(|failure| self.fault(&failure.to_string()))?
        else {
            return Err(self.fault("it returns a move in place of its searches"));
        };
        for search in &mut searches {
            search.suspend_after(self.setting.simulations);
        }
        Ok(searches)
    }

    /// Makes the move that the searches have found; begins a new game if the game is then over.
    fn end(&mut self, results: Vec<SearchResult>) -> Result<(), ResourceFault> {
        let ended = self.bot.end_move(&self.game, results, 0.0);
        let MoveRequest::Decided(answer) =
            ended.map_err(|failure| self.fault(&failure.to_string()))?
        else {
            return Err(self.fault("it searches several times for a move"));
        };
        let color = self.game.to_play();
        let is_played = answer.mv().is_some_and(|mv| self.game.play(color, mv).is_ok());
        if !is_played || self.game.board().is_over() {
            *self = Self::new(self.setting, self.config, mix(self.seed, 0));
        }
        Ok(())
    }
}

fn row(setting: &Setting, seen: &[Seen]) -> SearchSpeedRow {
    let sum = |value: &dyn Fn(&Seen) -> f64| seen.iter().map(value).sum::<f64>();
    let started = seen.iter().map(|seen| seen.started).min();
    let ended = seen.iter().map(|seen| seen.ended).max();
    let seconds = started.zip(ended).map_or(f64::NAN, |(from, to)| (to - from).as_secs_f64());
    let mut counts = SearchCounts::default();
    for seen in seen {
        counts += seen.counts;
    }
    let simulations = counts.simulations;
    let cpu: Option<f64> = seen.iter().map(|seen| seen.cpu_seconds).sum();
    // A system that counts CPU time in ticks reports 0 for a shorter measurement.
    let cpu = cpu.filter(|&spent| spent > 0.0);
    let nodes: usize = seen.iter().map(|seen| seen.nodes).sum();
    let share = |part: &dyn Fn(&Seen) -> f64| {
        let of_thread = |seen: &Seen| part(seen) / (seen.parts.whole() + seen.keep);
        (sum(&of_thread) / seen.len() as f64 * 1e4).round() / 1e4
    };
    SearchSpeedRow {
        size: setting.size,
        config: setting.candidate.name.clone(),
        threads: setting.threads,
        repeat: setting.repeat,
        simulations_per_second: (simulations as f64 / seconds).round(),
        simulations_per_cpu_second: cpu.map(|spent| (simulations as f64 / spent).round()),
        searches: seen.iter().map(|seen| seen.searches).sum(),
        simulations,
        mean_depth: counts.depth_sum as f64 / simulations as f64,
        nodes,
        bytes_per_node: sum(&|seen| seen.bytes as f64) / nodes as f64,
        isa: setting.isa.to_string(),
        seed: setting.seed,
        selection_share: share(&|seen| {
            let PartSeconds { selection, expansion, prior, .. } = seen.parts;
            selection + expansion + prior
        }),
        playout_share: share(&|seen| seen.parts.playouts + seen.parts.waiting),
        update_share: share(&|seen| seen.parts.update),
        prior_share: Some(share(&|seen| seen.parts.prior)),
        expansion_share: Some(share(&|seen| seen.parts.expansion)),
        waiting_share: Some(share(&|seen| seen.parts.waiting)),
        keep_share: Some(share(&|seen| seen.keep)),
        moves: Some(setting.moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uct(measured: &MeasuredSearch, lanes: usize, simulations: u64) -> UctConfig {
        let bot = measured.config(lanes, simulations);
        let config = bot.uct().unwrap();
        config.clone()
    }

    #[test]
    fn reads_names_texts_and_lanes() {
        let named: MeasuredSearch = "fast=uct:expansion=10".parse().unwrap();
        assert_eq!((named.name.as_str(), uct(&named, 1, 9).expansion), ("fast", 10));
        let again: MeasuredSearch = named.complete(1_000).parse().unwrap();
        assert_eq!(again, named);
        let text = "uct:expansion=2,in_flight=lanes";
        let alone: MeasuredSearch = text.parse().unwrap();
        assert_eq!(alone.name, text, "defaults stay spelled out");
        assert_eq!((uct(&alone, 16, 7).in_flight, uct(&alone, 16, 7).simulations), (16, Some(7)));
        let complete = alone.complete(7);
        assert!(complete.contains("in_flight=lanes"), "{complete}");
        let again: MeasuredSearch = complete.parse().unwrap();
        assert_eq!(again.config(8, 9), alone.config(8, 9));
    }
}
