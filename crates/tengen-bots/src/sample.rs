//! Playouts of a position as a bot's search plays them, counted.

use super::BotConfig;
use tengen_go::Game;
use tengen_playout::Sample;
use tengen_search::UctConfig;

/// Playouts by which GTP tells the owners of points.
pub const OWNERSHIP_PLAYOUTS: u64 = 400;

/// `playouts` playouts of the last position of `game` by the policy and the early stop of the bot of
/// `config`, with the seed `seed`; of a bot that makes no playouts, by those of `uct`.
#[must_use]
pub fn sample(config: &BotConfig, game: &Game, seed: u64, playouts: u64) -> Sample {
    let komi = game.rules().komi;
    let playout_config = match config {
        BotConfig::Uct(uct) => uct.playout_config(komi),
        _ => UctConfig::default().playout_config(komi),
    };
    Sample::of(&[*game.board()], playout_config, seed, playouts)
}
