//! Playouts of a position as a bot's search plays them, counted.

use super::BotConfig;
use tengen_go::Game;
use tengen_playout::Sample;
use tengen_search::UctConfig;

/// Number of playouts from which GTP tells the owners of points.
pub const OWNERSHIP_PLAYOUTS: u64 = 400;

/// `playouts` playouts of the last position of `game` by the policy and the early stop of the bot
/// of `config`, with the seed `seed`; of a bot that makes no playouts, by the policy and the early
/// stop of `uct`.
#[must_use]
pub fn sample(config: &BotConfig, game: &Game, seed: u64, playouts: u64) -> Sample {
    let komi = game.rules().komi;
    let default = UctConfig::default();
    let playout_config = config.uct().unwrap_or(&default).playout_config(komi);
    Sample::of(&[*game.board()], playout_config, seed, playouts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp_engine::Engine;
    use tengen_go::{Preset, Rules, Size};

    /// GTP, and a sample with its seed and number of playouts, give the same owners.
    #[test]
    fn gtp_tells_the_owners_of_the_same_playouts() {
        let (size, seed) = (Size::square(5).unwrap(), 9);
        let bot: BotConfig = "uct:policy=uniform".parse().unwrap();
        let mut engine = Engine::new(bot.clone(), seed, Preset::Tengen, None);
        for command in ["boardsize 5", "komi 2.5", "play b C3", "play w B2"] {
            assert!(engine.answer(command).unwrap().to_string().starts_with('='), "{command}");
        }
        let mut game = Game::new(size, Rules::new(Preset::Tengen, size, "2.5".parse().unwrap()));
        for mv in ["C3", "B2"] {
            game.play(game.to_play(), mv.parse().unwrap()).unwrap();
        }
        let told = engine.answer("tengen-ownership").unwrap().to_string();
        let told: Vec<String> =
            told.trim_start_matches('=').split_whitespace().map(str::to_owned).collect();
        let owners = sample(&bot, &game, seed, OWNERSHIP_PLAYOUTS).ownership_from_top();
        let owners: Vec<String> = owners.iter().map(|share| format!("{share:.2}")).collect();
        assert_eq!(told, owners);
    }
}
