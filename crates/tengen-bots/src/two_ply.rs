//! Minimax of depth two: `two-ply`.

use super::{Bot, BotFailure, MoveAnswer};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::Game;
use tengen_search::two_ply;

/// Plays the move with the best area score after the opponent's best reply.
pub struct TwoPlyBot {
    random: Xoshiro256PlusPlus,
}

impl TwoPlyBot {
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

impl Bot for TwoPlyBot {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        Ok(MoveAnswer::without_search(two_ply::choose(game, &mut self.random)))
    }
}
