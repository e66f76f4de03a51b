//! What a kind of bot is to the rest of the program.

use super::Bot;
use tengen_go::Size;
use tengen_search::ConfigError;

/// A kind of bot: its settings, and what they mean for those who run it.
pub trait Kind {
    /// How a bot of this kind is written, and what it is: for help texts.
    const HELP: &'static str;

    /// A bot of this kind for one game. `seed` decides every draw that it
    /// makes; `pool` runs the workers of a search where there are several.
    fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool>;

    /// Refuses the settings of a bot that this version reads, since runs of before
    /// have them, and no longer plays.
    ///
    /// # Errors
    /// The setting.
    fn playable(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Whether many games of it can be played side by side on one thread: it uses
    /// neither a clock nor another program.
    fn shares_a_thread(&self) -> bool {
        true
    }

    /// Number of workers of a search, which threads can run at once.
    fn workers(&self) -> usize {
        1
    }

    /// Most bytes that its search trees use in a game on a board of `size`; none
    /// where there is no limit.
    fn most_bytes(&self, size: Size) -> Option<u64> {
        let _ = size;
        Some(0)
    }

    /// Whether the bot makes simulations, which are then counted.
    fn makes_playouts(&self) -> bool {
        false
    }
}
