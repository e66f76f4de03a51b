//! The clock on unlike processors: a host that searches more slowly gives each search more time.

use crate::run::RunError;
use std::sync::OnceLock;
use std::time::Instant;
use tengen_bots::BotConfig;
use tengen_go::{Game, Preset, Rules, Size, default_komi};
use tengen_system::thread_cpu_seconds;

/// The bot whose search is timed, and the number of times that the search is made.
const SEARCH: &str = "uct:simulations=2000";
const TIMES: usize = 5;

/// Seconds of processor time that this host takes for a fixed search: the least of five, about 0.1 seconds
/// altogether. The first call measures it.
pub(super) fn search_seconds() -> Result<f64, RunError> {
    static SECONDS: OnceLock<f64> = OnceLock::new();
    if let Some(seconds) = SECONDS.get() {
        return Ok(*seconds);
    }
    let fault = |why: &dyn ToString| {
        RunError::Work(format!("the speed of this host cannot be measured: {}", why.to_string()))
    };
    let bot: BotConfig = SEARCH.parse().map_err(|why| fault(&why))?;
    let size = Size::square(9).map_err(|why| fault(&why))?;
    let game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
    let mut least = f64::INFINITY;
    for seed in 0..TIMES as u64 {
        let (began, before) = (Instant::now(), thread_cpu_seconds());
        bot.build(seed, None).genmove(&game).map_err(|why| fault(&why))?;
        let spent = before.zip(thread_cpu_seconds()).map(|(before, now)| now - before);
        least = least.min(spent.unwrap_or_else(|| began.elapsed().as_secs_f64()));
    }
    Ok(*SECONDS.get_or_init(|| least))
}
