//! Scalar playouts and lanes play the game of every job ply by ply as it is defined, on
//! every instruction set.

use crate::plain;
use std::collections::HashMap;
use tengen_go::{Bits, Board, Color, Komi, Size, default_komi, with_words};
use tengen_playout::lanes::{Lanes, Ticket};
use tengen_playout::policy::Tactical;
use tengen_playout::{BuiltInPolicy, EarlyStop, Ending, Isa, Job, Playout, PlayoutConfig, scalar};
use tengen_stats::seed::mix;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

const UNIFORM: BuiltInPolicy = BuiltInPolicy::Uniform {};

/// A job from the empty board if `number` is even, else from a position of a
/// random game: often with a ko, and if without, in one case of four just after
/// a pass.
pub fn job<const W: usize>(size: Size, number: u64) -> Job<W> {
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
pub fn in_lanes<const W: usize>(
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
        // Neither the number of lanes nor the order of the jobs changes anything.
        let most = [1, 3, 8, 64][(size.points() + games) % 4];
        let mut lanes = Lanes::with_config(size, isa, playout_config).with_area();
        lanes = lanes.with_at_most(most);
        // 77 and the number of games have no common factor: a shuffle.
        let shuffled = (0..games).map(|step| (step * 77 + most) % games);
        let results = in_lanes(&mut lanes, &jobs, shuffled);
        for (number, playout) in expected.iter().enumerate() {
            let job = jobs[number];
            let what = format!("{isa} {size} {playout_config:?} job {number}\n{}", job.start);
            assert_eq!(&results[&number], playout, "lanes, {what}");
            assert_eq!(&scalar::play_on(isa, playout_config, &job).0, playout, "scalar, {what}");
        }
    }
}

fn often(probability: f64) -> PlayoutConfig {
    BuiltInPolicy::CaptureEscape { probability }.into()
}

/// Both rules, with a lead or margin that stops most playouts or some, at a
/// usual komi or at one that is a handicap to either side.
fn stopping(size: Size) -> [PlayoutConfig; 5] {
    let komi = |half_points| Komi::from_half_points(half_points).unwrap();
    let quarter = u16::try_from(size.points() / 4).unwrap();
    let policy = BuiltInPolicy::CaptureEscape { probability: 0.8 };
    let shapes = BuiltInPolicy::Mogo { captures: 0.7, shapes: 0.9 };
    [
        (EarlyStop::Mercy { lead: quarter }, default_komi(size), UNIFORM),
        (EarlyStop::Mercy { lead: 3 }, komi(-21), policy),
        (EarlyStop::Decided { margin: quarter }, default_komi(size), UNIFORM),
        (EarlyStop::Decided { margin: 0 }, komi(30), policy),
        (EarlyStop::Mercy { lead: 5 }, komi(9), shapes),
    ]
    .map(|(stop, komi, policy)| PlayoutConfig { stop, komi, policy: policy.into() })
}

/// Mixes of the rules of `tactical`.
fn tactical() -> [Tactical; 6] {
    let [captures, anywhere, atari, shapes] = [0.9, 0.8, 0.7, 0.6];
    let all = Tactical { captures, anywhere, atari, shapes, veto: 0.9, nakade: 0.6 };
    [
        Tactical::default(),
        all,
        Tactical { captures: 0.0, ..all },
        Tactical { anywhere: 0.0, shapes: 0.0, ..all },
        Tactical { atari: 0.0, veto: 0.0, ..all },
        Tactical { nakade: 0.0, ..all },
    ]
}

#[test]
fn every_shape() {
    let mut seen = Seen::default();
    for size in Size::all() {
        let is_usual = size.width() == size.height() && [5, 7, 9, 13, 19].contains(&size.width());
        let times = if is_usual { 8 } else { 1 };
        with_words!(size, W => {
            check::<W>(size, UNIFORM, 100 * times, &mut seen);
            for probability in [0.3, 0.9, 1.0] {
                check::<W>(size, often(probability), 15 * times, &mut seen);
            }
            for (captures, shapes) in [(0.9, 1.0), (0.8, 0.4), (0.0, 0.9)] {
                let policy = BuiltInPolicy::Mogo { captures, shapes };
                check::<W>(size, policy, 15 * times, &mut seen);
            }
            for rules in tactical() {
                check::<W>(size, BuiltInPolicy::Tactical(rules), 8 * times, &mut seen);
            }
            for playout_config in stopping(size) {
                let before = seen.stopped;
                check::<W>(size, playout_config, 25 * times, &mut seen);
                let stopped = seen.stopped - before;
                assert!(!is_usual || stopped > 20, "{size} {playout_config:?}: {stopped} of 200");
            }
        });
    }
    assert_eq!(seen.games, (361 + 5 * 7) * (100 + 45 + 45 + 6 * 8 + 5 * 25));
    let Seen { kos, passes, white, stopped, .. } = seen;
    assert!(kos > 600 && passes > 2_000 && white > 20_000, "{kos} {passes} {white}");
    // The boards of a few points are decided by their komi.
    assert!((22_000..45_000).contains(&stopped), "{stopped} were stopped");
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
                for policy in [often(0.8), BuiltInPolicy::Mogo { captures: 0.8, shapes: 0.9 }.into()] {
                    let (one, _) = scalar::play_on(isa, policy, &narrow);
                    let (six, _) = scalar::play_on(isa, policy, &wide);
                    assert_eq!(narrowed(&six), one, "{isa} {size} {policy:?} job {number}");
                }
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

/// A game takes its own steps, whatever the other lanes do; with lanes that wait more steps are made.
#[test]
fn lanes_that_wait_are_not_busy() {
    const MANY: u64 = 200;
    for policy in [UNIFORM, BuiltInPolicy::Mogo { captures: 0.7, shapes: 0.9 }] {
        for width in [5, 9, 19] {
            let size = Size::square(width).unwrap();
            with_words!(size, W => {
                let jobs: Vec<Job<W>> = (0..MANY).map(|number| job(size, number)).collect();
                let steps = |most: usize| {
                    let mut lanes = Lanes::with_config(size, Isa::fastest(), policy).with_at_most(most);
                    in_lanes(&mut lanes, &jobs, 0..jobs.len());
                    (lanes.busy_steps(), lanes.steps())
                };
                let ((alone, all_alone), (together, all_together)) = (steps(1), steps(64));
                assert_eq!(alone, together, "{size}");
                assert!(together < all_together && all_together < all_alone, "{size}");
                assert!(all_together < 2 * together, "{size}: {together} of {all_together}");
            });
        }
    }
}
