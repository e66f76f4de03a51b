//! Your own playout policy in all commands of Tengen, with a number that is tuned.
//!
//! ```sh
//! cargo run --release --example policy -- tune --size 5 --games 200 --validation 20 \
//!     --bot uct:policy=near:4,simulations=100 --param policy=1..30:log
//! ```

#![allow(clippy::inline_always)] // only then does the compiler make vector code of it

use std::process::ExitCode;
use tengen::playout::policy::{DrawBy, Points, SetForm, SetPolicy, TurnSets};
use tengen::register;

/// Plays near the opponent's last stone: the eight points around it weigh more than others.
struct Near {
    weight: f64,
}

impl SetPolicy<1> for Near {
    fn draw_by(&self) -> DrawBy<1> {
        DrawBy::Weights { of_sets: [self.weight], others: 1.0 }
    }

    #[inline(always)]
    fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 1] {
        [turn.last.square()]
    }
}

fn main() -> ExitCode {
    tengen::main_with(|| {
        register::policy_of_sets("near", "1", |weight| match weight.parse() {
            Ok(weight) if (0.0..=1e6).contains(&weight) => Ok(Near { weight }),
            _ => Err("near:WEIGHT, 0 to 1000000".to_owned()),
        })
    })
}
