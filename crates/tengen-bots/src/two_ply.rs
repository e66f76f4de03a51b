//! Minimax of depth two: `two-ply`.

use super::kind::BotKind;
use super::{Bot, BotFailure, MoveAnswer, ShouldStop};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::Game;
use tengen_search::two_ply;
use tengen_settings::settings;

settings! {
    "two-ply"
    /// Settings of the two-ply bot: none. [`two_ply`] defines what it plays.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct TwoPlyConfig {}
}

impl BotKind for TwoPlyConfig {
    fn help() -> &'static str {
        "two-ply: minimax of depth two on the area score"
    }

    fn build<'pool>(&self, seed: u64, _: Option<&'pool rayon::ThreadPool>) -> Box<dyn Bot + 'pool> {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Box::new(TwoPlyBot { random, should_stop: ShouldStop::default() })
    }

    fn can_analyze(&self) -> bool {
        false
    }
}

/// Plays the move with the best area score after the opponent's best reply.
struct TwoPlyBot {
    random: Xoshiro256PlusPlus,
    should_stop: ShouldStop,
}

impl Bot for TwoPlyBot {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let mv = two_ply::choose(game, &mut self.random, &|| self.should_stop.now());
        Ok(MoveAnswer::without_search(mv))
    }

    fn stop_when(&mut self, should_stop: ShouldStop) {
        self.should_stop = should_stop;
    }
}
