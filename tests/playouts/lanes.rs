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

fn often(probability: f64) -> PlayoutConfig {
    Policy::CaptureEscape { probability }.into()
}

/// Both rules, with a lead or margin that stops most playouts or some, at a
/// usual komi or at one that is a handicap to either side.
fn stopping(size: Size) -> [PlayoutConfig; 4] {
    let komi = |half_points| Komi::from_half_points(half_points).unwrap();
    let quarter = u16::try_from(size.points() / 4).unwrap();
    let policy = Policy::CaptureEscape { probability: 0.8 };
    [
        PlayoutConfig {
            stop: EarlyStop::Mercy { lead: quarter },
            komi: default_komi(size),
            policy: UNIFORM,
        },
        PlayoutConfig { stop: EarlyStop::Mercy { lead: 3 }, komi: komi(-21), policy },
        PlayoutConfig {
            stop: EarlyStop::Decided { margin: quarter },
            komi: default_komi(size),
            policy: UNIFORM,
        },
        PlayoutConfig { stop: EarlyStop::Decided { margin: 0 }, komi: komi(30), policy },
    ]
}

#[test]
fn every_shape() {
    let mut seen = Seen::default();
    for size in Size::all() {
        with_words!(size, W => {
            check::<W>(size, UNIFORM, 100, &mut seen);
            check::<W>(size, often(0.9), 40, &mut seen);
            for playout_config in stopping(size) {
                check::<W>(size, playout_config, 25, &mut seen);
            }
        });
    }
    assert_eq!(seen.games, 361 * (100 + 40 + 4 * 25));
    let Seen { kos, passes, white, stopped, .. } = seen;
    assert!(kos > 600 && passes > 2_000 && white > 20_000, "{kos} {passes} {white}");
    // The boards of a few points are decided by their komi.
    assert!((18_000..34_000).contains(&stopped), "{stopped} were stopped");
}

#[test]
fn usual_squares() {
    let mut seen = Seen::default();
    for size in [5, 7, 9, 13, 19].map(|side| Size::square(side).unwrap()) {
        with_words!(size, W => {
            check::<W>(size, UNIFORM, 10_000, &mut seen);
            for playout_config in [often(0.3), often(1.0)] {
                check::<W>(size, playout_config, 2_000, &mut seen);
            }
            for playout_config in stopping(size) {
                let before = seen.stopped;
                check::<W>(size, playout_config, 1_000, &mut seen);
                let stopped = seen.stopped - before;
                assert!(stopped > 100, "{size} {playout_config:?}: {stopped} of 1000");
            }
        });
    }
    assert!(seen.kos > 500, "only {} kos", seen.kos);
}

#[test]
fn number_of_lanes_and_order_of_jobs_change_nothing() {
    for side in [5, 9, 13] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => {
            let jobs: Vec<Job<W>> = (0..200).map(|number| job(size, number)).collect();
            let [_, mercy, decided, _] = stopping(size);
            for (playout_config, isa) in [UNIFORM.into(), often(0.8), mercy, decided]
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
    for (width, height) in [(1, 1), (2, 2), (5, 5), (7, 3), (9, 9), (10, 11), (13, 13), (4, 16)] {
        let size = Size::new(width, height).unwrap();
        with_words!(size, W => for number in 0..100 {
            let narrow: Job<W> = job(size, number);
            let wide = Job { start: narrow.start.repacked::<6>(), seed: narrow.seed };
            for isa in Isa::supported() {
                let (one, _) = scalar::play_on(isa, often(0.8), &narrow);
                let (six, _) = scalar::play_on(isa, often(0.8), &wide);
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
