//! Playouts from the empty board, scalar and in lanes. Each benchmark checks
//! the mean length of the playouts that it timed.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tengen::go::{Board, Size, with_words};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{Isa, Job, scalar};

/// Sides and mean plies of a playout.
const BOARDS: [(u8, f64); 5] = [(5, 42.5), (7, 72.4), (9, 111.0), (13, 219.3), (19, 455.2)];
/// Playouts of one iteration: enough that filling and emptying the lanes does
/// not count.
const PLAYOUTS: u64 = 512;

/// Fails if `plies` plies in `playouts` playouts are too far from the `expected` mean.
fn check(size: Size, plies: u64, expected: f64, playouts: u64) {
    let mean = plies as f64 / playouts as f64;
    // The standard deviation of a length is less than a third of the mean.
    let error = expected / 3.0 / (playouts as f64).sqrt();
    assert!((mean - expected).abs() < 6.0 * error, "{size}: {mean} plies instead of {expected}");
}

fn playout(criterion: &mut Criterion) {
    let isa = Isa::from_environment().expect("a known instruction set");
    for (side, expected) in BOARDS {
        let size = Size::square(side).expect("a size");
        let mut group = criterion.benchmark_group(format!("playout/uniform/{size}"));
        with_words!(size, W => {
            let start = Board::<W>::new(size);
            let mut seed = 0;
            // Playouts per second; times the mean plies above they are moves per second.
            group.throughput(Throughput::Elements(1));
            group.bench_function("scalar", |b| {
                let (mut plies, mut playouts) = (0, 0);
                b.iter(|| {
                    seed += 1;
                    plies += u64::from(scalar::play(&Job { start, seed }).plies);
                    playouts += 1;
                });
                check(size, plies, expected, playouts);
            });
            let mut lanes = Lanes::<W>::new(size, isa);
            group.throughput(Throughput::Elements(PLAYOUTS));
            group.bench_function(format!("lanes_{isa}"), |b| {
                let (mut plies, mut playouts) = (0, 0);
                b.iter(|| {
                    let mut left = PLAYOUTS;
                    lanes.run(
                        || {
                            left = left.checked_sub(1)?;
                            seed += 1;
                            Some((Ticket(seed), Job { start, seed }))
                        },
                        |_, playout| {
                            plies += u64::from(playout.plies);
                            playouts += 1;
                        },
                    );
                });
                check(size, plies, expected, playouts);
            });
        });
        group.finish();
    }
}

criterion_group!(benches, playout);
criterion_main!(benches);
