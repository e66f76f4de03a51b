//! The random bot: `random`.

use super::{Bot, BotFailure, MoveAnswer};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::{Bits, Game, Move};

/// Plays each move that a playout would play with equal probability; passes
/// where there is none.
pub struct RandomBot {
    random: Xoshiro256PlusPlus,
}

impl RandomBot {
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

impl Bot for RandomBot {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let points = game.sensible_points();
        let mv = match points.count() {
            0 => Move::Pass,
            count => {
                let index = points.nth(self.random.random_range(0..count));
                Move::Play(Bits::<6>::vertex(index))
            }
        };
        Ok(MoveAnswer::without_search(mv))
    }
}
