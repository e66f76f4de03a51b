//! How good the estimate of the Elo difference after a sequential test is: how often it is above
//! the true difference, and how often its interval covers the difference. The estimate for a match
//! of fixed length is measured beside it.
//!
//! ```sh
//! cargo run --release -p tengen-stats --example stopped > stopped.csv
//! ```
//!
//! 1,000 tests are simulated for each row, from seed 1.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_stats::coverage::{PairModel, games_of};
use tengen_stats::{Elo, Level, Pairs, SequentialTest, Sprt};

const TESTS: u32 = 1_000;

/// Plays a test whose pairs have these probabilities of two losses and of a split; returns the
/// pairs.
fn played(test: &Sprt, cells: [f64; 3], stream: &mut Xoshiro256PlusPlus) -> Pairs {
    let mut course = SequentialTest::new(*test);
    for pair in 0.. {
        if course.finish(pair, games_of(cells, stream.random())).is_some() {
            break;
        }
    }
    *course.pairs()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
    println!("test,elo,correlation,pairs,above,covered,score_above,score_covered");
    for text in ["elo0=0 elo1=50", "elo0=0 elo1=100 model=normalized"] {
        let test: Sprt = text.parse()?;
        for elo in [-50.0, 0.0, 25.0, 50.0, 100.0, 300.0] {
            for correlation in [-0.1, 0.0, 0.3] {
                let model = PairModel { score: Elo(elo).score(), correlation };
                let [mut length, mut above, mut covered] = [0.0; 3];
                let [mut score_above, mut score_covered] = [0.0; 2];
                for _ in 0..TESTS {
                    let pairs = played(&test, model.cells(), &mut stream);
                    let share = |is: bool| f64::from(u8::from(is)) / f64::from(TESTS);
                    let found = test.estimate(&pairs, Level::P95).ok_or("no pairs")?;
                    let score = pairs.score().ok_or("no pairs")?;
                    let fixed = pairs.interval(Level::P95).ok_or("no pairs")?;
                    length += pairs.count() as f64 / f64::from(TESTS);
                    above += share(found.elo.0 > elo);
                    covered += share(found.interval.contains(&Elo(elo)));
                    score_above += share(score > model.score);
                    score_covered += share(fixed.contains(&model.score));
                }
                println!(
                    "{test},{elo},{correlation},{length:.0},{above:.3},{covered:.3},\
                     {score_above:.3},{score_covered:.3}"
                );
            }
        }
    }
    Ok(())
}
