//! Playouts from a position, many side by side: how often Black wins, and by how much.
//!
//! ```sh
//! cargo run --release --example playouts
//! ```

use std::error::Error;
use tengen::go::{Board, Color, Size, default_komi};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{Isa, Job, Policy};
use tengen::stats::{Level, percent, percent_range, wilson};

const POSITION: &str = "
    . . . . .
    X X X . .
    O O X . .
    . O X . .
    . X . . .";

const PLAYOUTS: u64 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let size = Size::square(5)?;
    // A board of 5×5 takes one word of 64 bits; `tengen::go::with_words` selects for any size.
    let start = Board::<1>::from_diagram(POSITION, Color::Black)?;
    let policy: Policy = "capture-escape:0.9".parse()?;
    let komi = default_komi(size);

    let mut jobs = (0..PLAYOUTS).map(|seed| (Ticket(seed), Job { start, seed }));
    let (mut wins, mut sum) = (0_u64, 0.0);
    Lanes::with_config(size, Isa::of_program(), policy).run(
        || jobs.next(),
        |_, playout| {
            wins += u64::from((playout.score - komi).winner() == Some(Color::Black));
            sum += playout.score.points();
        },
    );

    let rate = wins as f64 / PLAYOUTS as f64;
    let interval = wilson(rate, PLAYOUTS as f64, Level::P95).ok_or("no playouts")?;
    println!("{start}");
    println!("Black wins {} ({})", percent(rate), percent_range(interval));
    println!("mean score before komi: {:+.2} points", sum / PLAYOUTS as f64);
    Ok(())
}
