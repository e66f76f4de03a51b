//! The random bot: `random`.

use super::kind::BotKind;
use super::{Bot, BotFailure, MoveAnswer};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::{Bits, Game, Move};
use tengen_settings::settings;

settings! {
    "random"
    /// Settings of the random bot: none. It draws each move with equal probability from
    /// those that a playout could play, and passes where there is none.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct RandomConfig {}
}

impl BotKind for RandomConfig {
    fn help() -> &'static str {
        "random: random moves"
    }

    fn build<'pool>(&self, seed: u64, _: Option<&'pool rayon::ThreadPool>) -> Box<dyn Bot + 'pool> {
        Box::new(RandomBot { random: Xoshiro256PlusPlus::seed_from_u64(seed) })
    }

    fn can_analyze(&self) -> bool {
        false
    }
}

/// Draws moves with equal probability from the legal points that fill no own eye.
struct RandomBot {
    random: Xoshiro256PlusPlus,
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
