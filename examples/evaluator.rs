//! Your own evaluator judges the leaves of searches in place of playouts, in all commands of Tengen.
//!
//! ```sh
//! cargo run --release --example evaluator -- tournament --size 5 --pairs 20 \
//!     --bot uct:evaluator=liberties,simulations=200 --bot random
//! ```

use std::process::ExitCode;
use tengen::go::{Bits, Board, Color};
use tengen::register;
use tengen::search::evaluator::{Batch, Evaluator, Leaf};

/// Counts points: a stone, and an empty point beside stones of one colour alone.
struct Liberties;

/// The points that `color` has on `board`, in this simple count.
fn points(board: &Board<6>, color: Color) -> f32 {
    let (own, other) = (board.stones(color), board.stones(!color));
    let near = own.neighbors() & board.empty();
    let shared: Bits<6> = other.neighbors();
    (own.count() + (near - shared).count()) as f32
}

/// The expected result of the player to move: a logistic function of the lead after komi.
fn value(leaf: &Leaf) -> f32 {
    let player = leaf.board.to_play();
    let ahead = points(&leaf.board, player) - points(&leaf.board, !player) + leaf.own_komi();
    1.0 / (1.0 + (-ahead / 3.0).exp())
}

impl Evaluator for Liberties {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let moves = batch.size.points() + 1;
        for (number, leaf) in batch.leaves.iter().enumerate() {
            batch.values[number] = value(leaf);
            // Points count alike; the pass, which stands last, a tenth of that.
            batch.priors[number * moves + moves - 1] = 0.1;
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    tengen::main_with(|| register::evaluator("liberties", "1", |_| Ok(Liberties)))
}
