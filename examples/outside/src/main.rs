//! All commands of Tengen with your own selection formula, playout policy, evaluator and bot.
//!
//! ```sh
//! cargo run --release --manifest-path examples/outside/Cargo.toml -- tournament --size 5 --pairs 10 \
//!     --bot uct:selection=decaying:0.5,policy=avoid-edge:0.3,simulations=100 \
//!     --bot uct:evaluator=stones:4,simulations=100 --bot greedy:margin=2
//! ```

use std::process::ExitCode;
use tengen::bots::{Bot, BotFailure, BotKind, MoveAnswer};
use tengen::go::{Bits, Game, Move};
use tengen::playout::policy::{DrawBy, Points, SetForm, SetPolicy, TurnSets};
use tengen::rand_xoshiro::Xoshiro256PlusPlus;
use tengen::rayon::ThreadPool;
use tengen::register;
use tengen::search::evaluator::{Batch, Evaluator};
use tengen::search::select::{Child, Formula, SelectingNode};
use tengen::settings;

/// The number between 0 and `most` that `text` holds.
fn number(text: &str, name: &str, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("{name}:NUMBER, 0 to {most}"))
}

/// UCB1 whose constant falls with the depth: c · decay^depth.
struct Decaying {
    decay: f64,
}

impl Formula for Decaying {
    type AtNode = (f64, f64);

    fn at(&self, node: &SelectingNode<'_>) -> (f64, f64) {
        (node.exploration * self.decay.powf(node.depth as f64), node.log_visits())
    }

    fn urgency(&self, &(c, log): &(f64, f64), child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        child.mean + c * (log / child.visits).sqrt()
    }
}

/// Plays points on the edge of the board less often: with this weight.
struct AvoidEdge {
    weight: f64,
}

impl SetPolicy<1> for AvoidEdge {
    fn draw_by(&self) -> DrawBy<1> {
        DrawBy::Weights { of_sets: [self.weight], others: 1.0 }
    }

    #[inline(always)]
    fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 1] {
        [turn.edge()]
    }
}

/// Judges a position by the stones on the board and komi; a lead of `scale` points is worth 73 %. It
/// leaves the priors alike.
struct Stones {
    scale: f32,
}

impl Evaluator for Stones {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        for (leaf, value) in batch.leaves.iter().zip(batch.values) {
            let (own, other) = (leaf.board.to_play(), !leaf.board.to_play());
            let count = |color| leaf.board.stones(color).count() as f32;
            let lead = count(own) - count(other) + leaf.own_komi();
            *value = 1.0 / (1.0 + (-lead / self.scale).exp());
        }
        Ok(())
    }
}

settings! {
    "greedy"
    /// Plays the move after which it has most area, and passes where no move gains `margin` points.
    #[derive(Clone)]
    struct Greedy {
        /// Points that a move must gain.
        margin: i32 = 0, "POINTS" One, in -361..=361;
    }
}

impl BotKind for Greedy {
    fn help() -> &'static str {
        "greedy[:margin=POINTS]: the move after which the area is largest"
    }

    fn build<'pool>(&self, _: u64, _: Option<&'pool ThreadPool>) -> Box<dyn Bot + 'pool> {
        Box::new(self.clone())
    }
}

impl Bot for Greedy {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let lead_after = |mv: Move| {
            let mut after = *game.board();
            after.play_unchecked(mv);
            after.area_score().for_player(game.to_play())
        };
        let points = game.sensible_points().iter().map(Bits::<6>::vertex).map(Move::Play);
        let best = points.max_by_key(|&mv| lead_after(mv));
        let gains = |mv: &Move| lead_after(*mv) - lead_after(Move::Pass) >= self.margin;
        Ok(MoveAnswer::without_search(best.filter(gains).unwrap_or(Move::Pass)))
    }
}

// Ends the program with one line where memory is lacking, as those of Tengen do.
#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    tengen::main_with(|| {
        register::program(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))?;
        register::selection("decaying", "1", |text| {
            Ok(Decaying { decay: number(text, "decaying", 1.0)? })
        })?;
        register::policy_of_sets("avoid-edge", "1", |text| {
            Ok(AvoidEdge { weight: number(text, "avoid-edge", 1.0)? })
        })?;
        register::evaluator("stones", "1", |text| {
            Ok(Stones { scale: number(text, "stones", 100.0)? as f32 })
        })?;
        register::bot::<Greedy>("greedy", "1")
    })
}
