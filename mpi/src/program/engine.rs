//! The GTP engine of `tengen gtp`, with searches by ranks.

use std::io::Write;
use std::sync::{Arc, Mutex};
use tengen::commands::{Failure, gtp};
use tengen_bots::BotConfig;
use tengen_mpi::{RanksBot, RanksSearch};

/// Answers GTP commands, for a bot whose searches are made by `search`.
pub fn play(
    arguments: &gtp::Arguments,
    bot: BotConfig,
    search: Arc<Mutex<RanksSearch>>,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let mut arguments = arguments.clone();
    arguments.bot = bot;
    gtp::serve(&arguments, output, |engine| {
        // The ranks are the workers, by the clock too.
        engine.with_threads(1).with_bots(Box::new(move |bot, seed| {
            let Some(config) = bot.uct() else { unreachable!("only uct is suitable") };
            Box::new(RanksBot::new(config.clone(), seed, Arc::clone(&search)))
        }))
    })
}

/// Says something to the user.
pub fn note(said: &str) {
    eprintln!("tengen-mpi: {said}");
}
