//! The scalar playout: agreement with a slow reference and with other programs, ends.

use crate::reference::Position;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tengen_go::{Board, Color, Score, Size, with_words};
use tengen_playout::{Isa, Job, Playout, PlayoutConfig, max_plies, scalar};

/// What does not depend on the layout of the board.
fn outcome<const W: usize>(playout: &Playout<W>) -> (Score, u32, bool) {
    (playout.score, playout.plies, playout.is_cut_short())
}

/// The contract of the module, draw by draw, on the reference's sets: twice the score, the plies,
/// whether they are cut short, and the number of draws.
fn by_contract(size: Size, seed: u64) -> (i32, u32, bool, u64) {
    let (mut random, mut draws) = (Xoshiro256PlusPlus::seed_from_u64(seed), 0);
    let mut draw = |count: usize| {
        draws += 1;
        let high_half = random.next_u64() >> 32;
        usize::try_from((high_half * count as u64) >> 32).unwrap()
    };
    let mut reference = Position::empty(size, Color::Black);
    let mut plies = 0;
    while reference.passes < 2 && plies < max_plies(size) {
        reference.playout_ply_by_attempts(&mut draw);
        plies += 1;
    }
    (2 * reference.area(), plies, reference.passes < 2, draws)
}

#[test]
fn a_playout_is_the_documented_function_of_its_seed() {
    let sizes = [(1, 1, 2), (2, 1, 5), (1, 3, 50), (2, 2, 400), (2, 3, 200), (5, 5, 300)];
    let larger = [
        (3, 8, 60),
        (7, 7, 60),
        (9, 9, 30),
        (10, 11, 8),
        (13, 13, 4),
        (14, 3, 30),
        (3, 14, 30),
        (19, 19, 2),
    ];
    for (width, height, games) in sizes.into_iter().chain(larger) {
        let size = Size::new(width, height).unwrap();
        for seed in 0..games {
            let seed = 77 + seed * 1_000_003;
            let found = with_words!(size, W => {
                let job = Job { start: Board::<W>::new(size), seed };
                let config = PlayoutConfig::default();
                let (playout, attempts) = scalar::play_on(Isa::of_program(), config, &job);
                let score = playout.score.half_points();
                (score, playout.plies, playout.is_cut_short(), attempts)
            });
            assert_eq!(found, by_contract(size, seed), "{size} {seed}");
        }
    }
}

/// Mean plies and Black's wins at komi 7.5, with what three independent engines found
/// (`oracle/README.md`), within four standard errors.
#[test]
fn means_are_those_of_other_programs() {
    for (side, games, plies, wins) in [
        (5, 40_000_u32, [42.4, 42.6], [0.479, 0.482]),
        (7, 20_000, [72.3, 72.4], [0.397, 0.402]),
        (9, 15_000, [110.8, 111.2], [0.413, 0.427]),
        (13, 2_000, [218.8, 219.8], [0.438, 0.447]),
        (19, 500, [454.4, 455.4], [0.447, 0.469]),
    ] {
        let size = Size::square(side).unwrap();
        let playouts: Vec<(Score, u32, bool)> = with_words!(size, W => {
            let start = Board::<W>::new(size);
            (0..u64::from(games)).map(|seed| outcome(&scalar::play(&Job { start, seed }))).collect()
        });
        let lengths: Vec<f64> = playouts.iter().map(|playout| playout.1.into()).collect();
        let is_won = |playout: &(Score, _, _)| f64::from(u8::from(playout.0.half_points() > 15));
        let won: Vec<f64> = playouts.iter().map(is_won).collect();
        for (values, [low, high]) in [(lengths, plies), (won, wins)] {
            let count = f64::from(games);
            let mean = values.iter().sum::<f64>() / count;
            let squares = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
            let margin = 4.0 * (squares / (count - 1.0) / count).sqrt();
            assert!(low - margin < mean && mean < high + margin, "{size}: {mean} ± {margin}");
        }
    }
}

#[test]
fn an_endless_playout_is_cut_short_and_says_so() {
    // On 2x2 one eye is all there is room for, so most of the games go round
    // by captures until both of a player's stones stand diagonally.
    let start = Board::<1>::new(Size::square(2).unwrap());
    assert_eq!(max_plies(start.size()), 62);
    let playouts = (0..50_000).map(|seed| scalar::play(&Job { start, seed }));
    let cut: Vec<u32> = playouts.filter(Playout::is_cut_short).map(|p| p.plies).collect();
    assert!(cut.len() > 100 && cut.iter().all(|&plies| plies == 62), "{cut:?}");
}
