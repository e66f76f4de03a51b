//! Evaluations per second of processor time of a network, on positions of a game:
//!
//! ```sh
//! python3 tests/data/onnx/make.py --speed /tmp
//! cargo run --release -p tengen-onnx --example speed -- /tmp/nine.onnx 9x9
//! ```

use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use tengen_go::{Bits, Game, Move, Preset, Rules, Size, default_komi};
use tengen_search::evaluator::{Leaf, RECENT, registered};

/// Seconds of processor time of all threads of this process.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// A position after `plies` moves, each at the middle one of the legal points.
fn leaf(size: Size, plies: usize) -> Result<Leaf, Box<dyn Error>> {
    let mut game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
    for _ in 0..plies {
        let points = game.sensible_points();
        let middle = points.nth(points.count() / 2);
        game.play(game.to_play(), Move::Play(Bits::<6>::vertex(middle)))?;
    }
    let (board, legal, komi) = (*game.board(), game.sensible_points(), game.rules().komi);
    Ok(Leaf { board, legal, recent: [None; RECENT], before: Vec::new(), komi, seed: 1 })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (file, size) = arguments.next().zip(arguments.next()).ok_or("expected FILE SIZE")?;
    let size: Size = size.parse()?;
    tengen_onnx::register()?;
    let named = registered(&format!("{}:{file}", tengen_onnx::NAME))?;
    let mut evaluator = named.make()?;
    let leaves = (0..64).map(|number| leaf(size, number % 20)).collect::<Result<Vec<_>, _>>()?;
    let (mut values, mut priors) = (Vec::new(), Vec::new());
    for batch in [64, 1, 64, 1, 64, 1] {
        let (began, mut done) = (processor_seconds(), 0);
        while processor_seconds() < began + 2.0 {
            for leaves in leaves.chunks(batch) {
                named.evaluate(&mut *evaluator, leaves, &mut values, &mut priors)?;
                done += leaves.len();
            }
        }
        let speed = f64::from(u32::try_from(done)?) / (processor_seconds() - began);
        println!("batches of {batch:2}: {speed:6.0} evaluations per second of processor time");
    }
    Ok(())
}
