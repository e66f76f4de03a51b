//! Your own bot in all commands of Tengen: flat Monte Carlo. It plays the same number of playouts after
//! each move, chooses the move with most wins (a jigo is none), and builds no tree.
//!
//! ```sh
//! cargo run --release --example bot -- tournament --size 5 --pairs 50 \
//!     --bot flat:playouts=20 --bot uct:simulations=400 --bot two-ply
//! ```

use rayon::ThreadPool;
use std::process::ExitCode;
use tengen::bots::{Bot, BotFailure, BotKind, MoveAnswer};
use tengen::go::{Bits, Game, Move};
use tengen::playout::{Job, scalar};
use tengen::{register, seed::mix, settings};

settings! {
    "flat"
    /// The settings, which are the keys of the bot's text and of its table in TOML.
    #[derive(Clone)]
    struct Flat {
        /// Playouts after each move.
        playouts: u64 = 20, "N" One, in 1..=1_000_000;
        state seed: u64;
    }
}

impl BotKind for Flat {
    fn help() -> &'static str {
        "flat[:playouts=N]: flat Monte Carlo, N playouts after each move"
    }

    fn build<'pool>(&self, seed: u64, _: Option<&'pool ThreadPool>) -> Box<dyn Bot + 'pool> {
        Box::new(Self { seed, ..self.clone() })
    }
}

impl Bot for Flat {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let (seed, komi) = (mix(self.seed, game.ply().into()), game.rules().komi);
        let wins = |mv: &Move| {
            let mut start = *game.board();
            start.play_unchecked(*mv);
            let seeds = (0..self.playouts).map(|number| mix(seed, number));
            let scores = seeds.map(|seed| scalar::play(&Job { start, seed }).score);
            scores.filter(|&score| (score - komi).winner() == Some(game.to_play())).count()
        };
        let points = game.sensible_points();
        let best = points.iter().map(Bits::<6>::vertex).map(Move::Play).max_by_key(wins);
        Ok(MoveAnswer::without_search(best.unwrap_or(Move::Pass)))
    }
}

fn main() -> ExitCode {
    tengen::main_with(|| register::bot::<Flat>("flat", "1"))
}
