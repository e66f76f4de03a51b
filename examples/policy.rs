//! Your own playout policy in all commands of Tengen, with a number that is tuned.
//!
//! ```sh
//! cargo run --release --example policy -- tune --size 5 --games 200 --validation 20 \
//!     --bot uct:policy=near:4,simulations=100 --param policy=1..30:log
//! ```

use std::process::ExitCode;
use tengen::go::{Bits, Vertex};
use tengen::playout::policy::{PlayoutPolicy, Turn};
use tengen::register;

/// Plays near the opponent's last stone: the eight points around it weigh more than others.
struct Near {
    weight: f64,
}

fn is_near(one: Vertex, other: Vertex) -> bool {
    one.col.abs_diff(other.col) <= 1 && one.row.abs_diff(other.row) <= 1
}

impl PlayoutPolicy for Near {
    fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
        let last = turn.last.iter().next().map(Bits::<W>::vertex);
        let near = |index| last.is_some_and(|last| is_near(Bits::<W>::vertex(index), last));
        turn.weighted(|index| if near(index) { self.weight } else { 1.0 })
    }
}

fn main() -> ExitCode {
    tengen::main_with(|| {
        register::policy("near", "1", |weight| match weight.parse() {
            Ok(weight) if (0.0..=1e6).contains(&weight) => Ok(Near { weight }),
            _ => Err("near:WEIGHT, 0 to 1000000".to_owned()),
        })
    })
}
