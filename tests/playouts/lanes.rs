//! Scalar playouts and lanes play the game of every job ply by ply as it is defined, on
//! every instruction set.

use crate::plain;
use std::collections::HashMap;
use tengen::go::{Bits, Board, Color, Komi, Size, default_komi, with_words};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{EarlyStop, Ending, Isa, Job, Playout, PlayoutConfig, Policy, scalar};
use tengen::seed::mix;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

const UNIFORM: Policy = Policy::Uniform {};

/// A job from the empty board if `number` is even, else from a position of a
/// random game: often with a ko, and if without, in one case of four just after
/// a pass.
fn job<const W: usize>(size: Size, number: u64) -> Job<W> {
    let seed = mix(number, 1);
    let mut start = Board::new(size);
    if number % 2 == 1 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(number, 2));
        let most = 2 * size.points() as u64;
        for _ in 0..mix(number, 3) % (most + 1) {
            let before = start;
            scalar::play_one(&mut start, &mut random);
            if start.is_over() {
                start = before;
                break;
            }
        }
        // Kos are rare: look for one.
        while number % 8 == 3 && start.ko().is_none() {
            let before = start;
            scalar::play_one(&mut start, &mut random);
            if start.is_over() {
                start = before;
                break;
            }
        }
        if mix(number, 4).is_multiple_of(4) && start.passes() == 0 && start.ko().is_none() {
            start.pass();
        }
    } else if number % 4 == 2 {
        start.turn_to(Color::White);
    }
    Job { start, seed }
}

/// Plays the jobs in the order of `numbers` and returns results by number.
fn in_lanes<const W: usize>(
    lanes: &mut Lanes<W>,
    jobs: &[Job<W>],
    numbers: impl Iterator<Item = usize>,
) -> HashMap<usize, Playout<W>> {
    let mut numbers = numbers;
    let mut results = HashMap::new();
    lanes.run(
        || numbers.next().map(|number| (Ticket(number as u64), jobs[number])),
        |Ticket(number), playout| {
            let number = usize::try_from(number).unwrap();
            assert!(results.insert(number, playout).is_none(), "{number} came twice");
        },
    );
    results
}

/// What the jobs of a test contained.
#[derive(Default)]
struct Seen {
    games: u64,
    kos: u64,
    passes: u64,
    white: u64,
    cut_short: u64,
    stopped: u64,
}

fn check<const W: usize>(
    size: Size,
    playout_config: impl Into<PlayoutConfig>,
    games: usize,
    seen: &mut Seen,
) {
    let playout_config = playout_config.into();
    let jobs: Vec<Job<W>> = (0..games as u64).map(|number| job(size, number)).collect();
    let expected: Vec<Playout<W>> =
        jobs.iter().map(|job| plain::play(playout_config, job)).collect();
    for (job, playout) in jobs.iter().zip(&expected) {
        seen.games += 1;
        seen.kos += u64::from(job.start.ko().is_some());
        seen.passes += u64::from(job.start.passes() == 1);
        seen.white += u64::from(job.start.to_play() == Color::White);
        seen.stopped += u64::from(playout.ending == Ending::Stopped);
        seen.cut_short += u64::from(playout.is_cut_short());
    }
    for isa in Isa::supported() {
        let results = in_lanes(
            &mut Lanes::with_config(size, isa, playout_config).with_area(),
            &jobs,
            0..games,
        );
        for (number, playout) in expected.iter().enumerate() {
            let job = jobs[number];
            let what = format!("{isa} {size} {playout_config:?} job {number}\n{}", job.start);
            assert_eq!(&results[&number], playout, "lanes, {what}");
            assert_eq!(&scalar::play_on(isa, playout_config, &job).0, playout, "scalar, {what}");
        }
    }
}

#[test]
fn every_shape() {
    let mut seen = Seen::default();
    for size in Size::all() {
        with_words!(size, W => check::<W>(size, UNIFORM, 100, &mut seen));
    }
    assert_eq!(seen.games, 36_100);
    assert!(seen.kos > 300, "only {} kos", seen.kos);
    assert!(seen.passes > 1_000, "only {} passes", seen.passes);
    assert!(seen.white > 10_000, "only {} with White to move", seen.white);
}

#[test]
fn usual_squares() {
    let mut seen = Seen::default();
    for side in [5, 7, 9, 13, 19] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => check::<W>(size, UNIFORM, 10_000, &mut seen));
    }
    assert!(seen.kos > 500, "only {} kos", seen.kos);
}

/// Every policy that prefers points.
fn preferring(probability: f64) -> [Policy; 1] {
    [Policy::CaptureEscape { probability }]
}

#[test]
fn every_shape_by_policies_that_prefer_points() {
    for policy in preferring(0.9) {
        let mut seen = Seen::default();
        for size in Size::all() {
            with_words!(size, W => check::<W>(size, policy, 40, &mut seen));
        }
        assert_eq!(seen.games, 14_440);
    }
}

#[test]
fn usual_squares_by_policies_that_prefer_points() {
    for policy in [preferring(0.3), preferring(1.0)].into_iter().flatten() {
        let mut seen = Seen::default();
        for side in [5, 7, 9, 13, 19] {
            let size = Size::square(side).unwrap();
            with_words!(size, W => check::<W>(size, policy, 2_000, &mut seen));
        }
        assert!(seen.kos > 100, "{policy}: only {} kos", seen.kos);
    }
}

/// Both rules, with a lead or margin that stops most playouts or some, at a
/// usual komi or at one that is a handicap to either side.
fn stopping(size: Size) -> [PlayoutConfig; 4] {
    let komi = |half_points| Komi::from_half_points(half_points).unwrap();
    let quarter = u16::try_from(size.points() / 4).unwrap();
    let often = Policy::CaptureEscape { probability: 0.8 };
    [
        PlayoutConfig {
            stop: EarlyStop::Mercy { lead: quarter },
            komi: default_komi(size),
            policy: UNIFORM,
        },
        PlayoutConfig { stop: EarlyStop::Mercy { lead: 3 }, komi: komi(-21), policy: often },
        PlayoutConfig {
            stop: EarlyStop::Decided { margin: quarter },
            komi: default_komi(size),
            policy: UNIFORM,
        },
        PlayoutConfig { stop: EarlyStop::Decided { margin: 0 }, komi: komi(30), policy: often },
    ]
}

#[test]
fn every_shape_with_a_rule_that_stops() {
    let mut seen = Seen::default();
    for size in Size::all() {
        for playout_config in stopping(size) {
            with_words!(size, W => check::<W>(size, playout_config, 25, &mut seen));
        }
    }
    assert_eq!(seen.games, 36_100);
    // The boards of a few points are decided by their komi.
    let share = seen.stopped as f64 / seen.games as f64;
    assert!((0.5..0.95).contains(&share), "{share} were stopped");
}

#[test]
fn usual_squares_with_a_rule_that_stops() {
    for side in [5, 7, 9, 13, 19] {
        let size = Size::square(side).unwrap();
        for playout_config in stopping(size) {
            let mut seen = Seen::default();
            with_words!(size, W => check::<W>(size, playout_config, 1_000, &mut seen));
            assert!(
                seen.stopped > 100,
                "{size} {playout_config:?}: {} of {}",
                seen.stopped,
                seen.games
            );
        }
    }
}

#[test]
fn a_rule_that_is_never_reached_changes_nothing() {
    for side in [5, 9, 19] {
        let size = Size::square(side).unwrap();
        for stop in [EarlyStop::Mercy { lead: 1_000 }, EarlyStop::Decided { margin: 1_000 }] {
            let playout_config = PlayoutConfig { stop, ..PlayoutConfig::default() };
            with_words!(size, W => {
                let jobs: Vec<Job<W>> = (0..200).map(|number| job(size, number)).collect();
                let mut lanes = Lanes::with_config(size, Isa::fastest(), playout_config).with_area();
                let results = in_lanes(&mut lanes, &jobs, 0..200);
                for (number, job) in jobs.iter().enumerate() {
                    assert_eq!(results[&number], scalar::play(job), "{size} {stop}");
                }
            });
        }
    }
}

#[test]
fn urgent_points_at_probability_zero_are_the_uniform_playout() {
    let never = Policy::CaptureEscape { probability: 0.0 };
    for side in [5, 9, 13] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => {
            let jobs: Vec<Job<W>> = (0..300).map(|number| job(size, number)).collect();
            let mut lanes = Lanes::with_config(size, Isa::fastest(), never).with_area();
            let results = in_lanes(&mut lanes, &jobs, 0..300);
            for (number, job) in jobs.iter().enumerate() {
                assert_eq!(results[&number], scalar::play(job), "{size}");
                assert_eq!(scalar::play_by(never, job), scalar::play(job), "{size}");
            }
        });
    }
}

#[test]
#[ignore = "minutes: a million games"]
fn a_million_games() {
    let mut seen = Seen::default();
    for (side, games) in [(5, 400_000), (7, 300_000), (9, 200_000), (13, 80_000), (19, 20_000)] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => check::<W>(size, UNIFORM, games, &mut seen));
    }
    assert_eq!(seen.games, 1_000_000);
}

#[test]
fn number_of_lanes_and_order_of_jobs_change_nothing() {
    for side in [5, 9, 13] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => {
            let jobs: Vec<Job<W>> = (0..200).map(|number| job(size, number)).collect();
            let often = Policy::CaptureEscape { probability: 0.8 };
            let [_, mercy, decided, _] = stopping(size);
            for (playout_config, isa) in [UNIFORM.into(), often.into(), mercy, decided]
                .into_iter()
                .flat_map(|playout_config| Isa::supported().into_iter().map(move |isa| (playout_config, isa)))
            {
                let expected: Vec<Playout<W>> =
                    jobs.iter().map(|job| scalar::play_by(playout_config, job)).collect();
                for most in [1, 3, 8, 64] {
                    let mut lanes = Lanes::with_config(size, isa, playout_config).with_area().with_at_most(most);
                    // 77 and 200 have no common factor: a shuffle.
                    let shuffled = (0..200).map(|step| (step * 77 + most) % 200);
                    let results = in_lanes(&mut lanes, &jobs, shuffled);
                    for (number, playout) in expected.iter().enumerate() {
                        assert_eq!(&results[&number], playout, "{isa} {size} {most} lanes");
                    }
                }
            }
        });
    }
}

/// What a playout returns in six words, in `W` words.
fn narrowed<const W: usize>(playout: &Playout<6>) -> Playout<W> {
    let narrow = |set: Bits<6>| set.iter().map(Bits::<6>::vertex).collect::<Bits<W>>();
    let &Playout { score, plies, ending, first_plays, area } = playout;
    let [first_plays, area] = [first_plays, area.unwrap()].map(|sets| sets.map(narrow));
    Playout { score, plies, ending, first_plays, area: Some(area) }
}

#[test]
fn wider_boards_play_the_same_game() {
    let often = Policy::CaptureEscape { probability: 0.8 };
    for (width, height) in [(1, 1), (2, 2), (5, 5), (7, 3), (9, 9), (10, 11), (13, 13), (4, 16)] {
        let size = Size::new(width, height).unwrap();
        with_words!(size, W => for number in 0..100 {
            let narrow: Job<W> = job(size, number);
            let wide = Job { start: narrow.start.repacked::<6>(), seed: narrow.seed };
            for isa in Isa::supported() {
                let (one, _) = scalar::play_on(isa, often, &narrow);
                let (six, _) = scalar::play_on(isa, often, &wide);
                assert_eq!(narrowed(&six), one, "{isa} {size} job {number}");
            }
        });
    }
}

/// Lanes are compiled for the smallest number of words of each size alone.
#[test]
#[should_panic(expected = "made for boards of its own number of words")]
fn lanes_refuse_wider_boards() {
    let _ = Lanes::<6>::new(Size::square(7).unwrap(), Isa::fastest());
}

#[test]
fn a_finished_game_is_its_own_result() {
    let mut start =
        Board::<1>::from_diagram(".X.X./XXXXX/...../OOOOO/.O.O.", Color::Black).unwrap();
    start.pass();
    start.pass();
    let job = Job { start, seed: 1 };
    let mut results = Vec::new();
    let mut jobs = [(Ticket(7), job)].into_iter();
    Lanes::new(start.size(), Isa::fastest())
        .with_area()
        .run(|| jobs.next(), |ticket, p| results.push((ticket, p)));
    assert_eq!(results, [(Ticket(7), scalar::play(&job))]);
    let playout = results[0].1;
    assert_eq!((playout.plies, playout.score.points(), playout.ending), (0, 0.0, Ending::Passes));
    assert_eq!(playout.area.unwrap().map(Bits::count), [10, 10]);
}

#[test]
fn results_can_lead_to_jobs() {
    // A chain of jobs, each made from the result before: one lane at a time.
    let size = Size::square(9).unwrap();
    let mut lanes = Lanes::<2>::new(size, Isa::fastest()).with_area();
    let queue = std::cell::RefCell::new(vec![Job { start: Board::new(size), seed: 0 }]);
    let mut lengths = Vec::new();
    lanes.run(
        || queue.borrow_mut().pop().map(|job| (Ticket(job.seed), job)),
        |Ticket(seed), playout| {
            lengths.push(playout.plies);
            if seed < 9 {
                queue.borrow_mut().push(Job { start: Board::new(size), seed: seed + 1 });
            }
        },
    );
    let expected: Vec<u32> = (0..10)
        .map(|seed| scalar::play(&Job { start: Board::<2>::new(size), seed }).plies)
        .collect();
    assert_eq!(lengths, expected);
}

/// Means over many games lie in the ranges that independent engines gave
/// (`playout` in the notes on the oracle), widened by the standard errors of
/// both.
#[test]
#[ignore = "minutes: a million games a size"]
fn a_million_games_a_size_lie_in_the_published_ranges() {
    let table = [
        (5, 42.4, 42.6, 0.479, 0.482),
        (7, 72.3, 72.4, 0.397, 0.402),
        (9, 110.8, 111.2, 0.413, 0.427),
        (13, 218.8, 219.8, 0.438, 0.447),
        (19, 454.4, 455.4, 0.447, 0.469),
    ];
    for (side, low_plies, high_plies, low_wins, high_wins) in table {
        let size = Size::square(side).unwrap();
        with_words!(size, W => {
            let start = Board::<W>::new(size);
            let (mut seeds, games) = (0..1_000_000, 1e6);
            let (mut plies, mut squares, mut wins) = (0.0, 0.0, 0.0);
            Lanes::new(size, Isa::fastest()).with_area().run(
                || seeds.next().map(|seed| (Ticket(seed), Job { start, seed })),
                |_, playout| {
                    plies += f64::from(playout.plies);
                    squares += f64::from(playout.plies).powi(2);
                    wins += f64::from(u8::from(playout.score.half_points() > 15));
                },
            );
            let (mean, rate) = (plies / games, wins / games);
            let error = ((squares / games - mean * mean) / games).sqrt();
            let rate_error = (rate * (1.0 - rate) / games).sqrt();
            println!("{size}: {mean:.3} ± {error:.3} plies, Black wins {rate:.4} ± {rate_error:.4}");
            // The table is rounded, and its own games were fewer.
            assert!(low_plies - 0.15 < mean && mean < high_plies + 0.15, "{size}: {mean} plies");
            assert!(low_wins - 0.003 < rate && rate < high_wins + 0.003, "{size}: {rate}");
        });
    }
}
