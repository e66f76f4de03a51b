//! Playouts per second: measurements and their rows.

mod sample;

pub use sample::{Bias, COMPARED, Sample, sample};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tengen_go::{Board, Komi, Size, with_words};
use tengen_playout::lanes::{Lanes, Ticket};
use tengen_playout::{EarlyStop, Ending, Isa, Job, PlayoutConfig, scalar};
use tengen_search::{ThreadFailure, on_threads};
use tengen_settings::choice;
use tengen_stats::seed::mix;
use tengen_stats::{Level, wilson};
use tengen_system::thread_cpu_seconds;

choice! {
    "starting position"
    /// Starting position of the playouts.
    #[derive(Default)]
    pub enum Start {
        /// The empty board.
        #[default]
        Empty = "empty",
        /// 64 fixed positions after 10 to 40 random moves, as in a search.
        Leaves = "leaves",
    }
}

/// The length of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A wall-clock duration.
    Time(Duration),
    /// A number of playouts.
    Playouts(u64),
}

/// The settings of one measurement.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Size of the board.
    pub size: Size,
    /// SIMD instruction set of the lanes, which play games side by side.
    pub isa: Isa,
    /// Policy and stop rule of the playouts, with the komi for Black's win rate.
    pub playout_config: PlayoutConfig,
    /// Number of threads, each with its own lanes.
    pub threads: usize,
    /// Starting position of the playouts.
    pub start: Start,
    /// Length of the measurement.
    pub amount: Amount,
    /// Random seed of all playouts.
    pub seed: u64,
    /// Number of the repeat, from 0, which is part of the playouts' seeds.
    pub repeat: u32,
}

/// A row of `playouts.csv`: one measurement. The fields are the columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedRow {
    /// Size of the board.
    pub size: Size,
    /// SIMD instruction set.
    pub isa: String,
    /// Number of threads.
    pub threads: usize,
    /// Playout policy.
    pub policy: String,
    /// Number of the repeat, from 0.
    pub repeat: u32,
    /// Playouts per second of wall-clock time, all threads together.
    pub playouts_per_second: f64,
    /// Playouts per second of CPU time; empty where that cannot be read.
    pub playouts_per_cpu_second: Option<f64>,
    /// Nanoseconds of CPU time per move, passes included (wall-clock time, times
    /// threads, where CPU time cannot be read).
    pub ns_per_move: f64,
    /// CPU cycles per move, at the clock rate measured just before.
    pub cycles_per_move: f64,
    /// Mean length of a playout in moves, passes included.
    pub plies: f64,
    /// Win rate of Black at the komi: 0 to 1.
    pub black_win_rate: f64,
    /// Lower end of the 95 % Wilson interval of Black's win rate.
    pub black_win_low: f64,
    /// Upper end of the 95 % Wilson interval of Black's win rate.
    pub black_win_high: f64,
    /// Mean area score before komi, seen from Black, in points.
    pub mean_score: f64,
    /// Steps of the lanes per move: one per candidate tried, and more where long
    /// chains are followed.
    pub steps_per_move: f64,
    /// Number of playouts that the limit of moves ended.
    pub cut_short: u64,
    /// Number of playouts.
    pub playouts: u64,
    /// Starting position of the playouts.
    pub start: Start,
    /// Komi, in points.
    pub komi: Komi,
    /// Random seed of all playouts.
    pub seed: u64,
    /// Rule for stopping playouts early.
    pub stop: EarlyStop,
    /// Number of playouts that the rule stopped.
    pub stopped: u64,
    /// Share of stopped playouts that have the same winner when played on
    /// ([`Bias::winner_agreement`]); empty without a rule, like the next five.
    pub winner_agreement: Option<f64>,
    /// Lower end of the 95 % Wilson interval of that share.
    pub winner_agreement_low: Option<f64>,
    /// Upper end of the 95 % Wilson interval of that share.
    pub winner_agreement_high: Option<f64>,
    /// Win rate of Black in stopped playouts less Black's win rate in playouts played on
    /// ([`Bias::win_rate_shift`]).
    pub win_rate_shift: Option<f64>,
    /// Standard error of that difference.
    pub win_rate_shift_error: Option<f64>,
    /// Number of playouts in the sample from which these five come.
    pub compared: Option<u32>,
    /// Candidates tried per move, legal or not, passes included
    /// ([`Sample::attempts_per_move`]).
    pub attempts_per_move: f64,
}

/// The counts of one thread.
#[derive(Clone, Copy, Default)]
struct Sums {
    playouts: u64,
    plies: u64,
    steps: u64,
    wins: u64,
    half_points: i64,
    cut_short: u64,
    stopped: u64,
    cpu_seconds: Option<f64>,
}

impl Sums {
    fn plus(self, other: Self) -> Self {
        Self {
            playouts: self.playouts + other.playouts,
            plies: self.plies + other.plies,
            steps: self.steps + other.steps,
            wins: self.wins + other.wins,
            half_points: self.half_points + other.half_points,
            cut_short: self.cut_short + other.cut_short,
            stopped: self.stopped + other.stopped,
            cpu_seconds: self.cpu_seconds.zip(other.cpu_seconds).map(|(a, b)| a + b),
        }
    }
}

/// Makes the measurement and returns its row, which includes `sample`.
///
/// # Panics
/// If this machine does not have the instruction set.
pub fn measure(setting: &Setting, sample: &Sample) -> Result<SpeedRow, ThreadFailure> {
    let gigahertz = clock_rate();
    let started = Instant::now();
    let sums = on_threads(
        setting.threads,
        |thread| with_words!(setting.size, W => play::<W>(setting, thread, started)),
    )?;
    let seconds = started.elapsed().as_secs_f64();
    let sums = sums.into_iter().reduce(Sums::plus).unwrap_or_default();
    Ok(row(setting, sample, &sums, seconds, gigahertz))
}

fn row(setting: &Setting, sample: &Sample, sums: &Sums, seconds: f64, gigahertz: f64) -> SpeedRow {
    let playouts = sums.playouts as f64;
    let rate = sums.wins as f64 / playouts;
    let interval = wilson(rate, playouts, Level::P95);
    let spent = sums.cpu_seconds.unwrap_or(seconds * setting.threads as f64);
    let ns_per_move = spent * 1e9 / sums.plies as f64;
    SpeedRow {
        size: setting.size,
        isa: setting.isa.to_string(),
        threads: setting.threads,
        policy: setting.playout_config.policy.to_string(),
        repeat: setting.repeat,
        playouts_per_second: playouts / seconds,
        playouts_per_cpu_second: sums.cpu_seconds.map(|spent| playouts / spent),
        ns_per_move,
        cycles_per_move: ns_per_move * gigahertz,
        plies: sums.plies as f64 / playouts,
        black_win_rate: rate,
        black_win_low: interval.map_or(0.0, |interval| interval.low),
        black_win_high: interval.map_or(1.0, |interval| interval.high),
        mean_score: sums.half_points as f64 / 2.0 / playouts,
        steps_per_move: sums.steps as f64 / sums.plies as f64,
        cut_short: sums.cut_short,
        playouts: sums.playouts,
        start: setting.start,
        komi: setting.playout_config.komi,
        seed: setting.seed,
        stop: setting.playout_config.stop,
        stopped: sums.stopped,
        winner_agreement: sample.bias.map(|bias| bias.winner_agreement),
        winner_agreement_low: sample.bias.map(|bias| bias.interval.low),
        winner_agreement_high: sample.bias.map(|bias| bias.interval.high),
        win_rate_shift: sample.bias.map(|bias| bias.win_rate_shift),
        win_rate_shift_error: sample.bias.map(|bias| bias.shift_error),
        compared: sample.bias.map(|_| COMPARED),
        attempts_per_move: sample.attempts_per_move,
    }
}

/// The seed from which the playouts of thread `thread` in repeat `repeat` get theirs.
const fn seed_of_jobs(setting: &Setting, (repeat, thread): (u32, usize)) -> u64 {
    mix(mix(mix(setting.seed, repeat as u64), thread as u64), 0)
}

/// The playout of number `number`, from 0, in the sequence of `seed`.
fn job<const W: usize>(starts: &[Board<W>], seed: u64, number: u64) -> Job<W> {
    let start = starts[usize::try_from(number % 64).unwrap_or(0)];
    // The generator mixes its state from the seed: consecutive seeds are good enough.
    Job { start, seed: seed.wrapping_add(number) }
}

fn play<const W: usize>(setting: &Setting, thread: usize, started: Instant) -> Sums {
    let mut lanes = Lanes::<W>::with_config(setting.size, setting.isa, setting.playout_config);
    let starts = starts::<W>(setting.size, setting.start);
    let seed = seed_of_jobs(setting, (setting.repeat, thread));
    let threads = setting.threads as u64;
    let quota = match setting.amount {
        Amount::Playouts(all) => all / threads + u64::from((thread as u64) < all % threads),
        Amount::Time(_) => u64::MAX,
    };
    let mut sums = Sums::default();
    let (mut issued, mut over) = (0, false);
    let before = thread_cpu_seconds();
    lanes.run(
        || {
            if let Amount::Time(time) = setting.amount
                && issued % 64 == 0
            {
                over |= issued > 0 && started.elapsed() >= time;
            }
            if over || issued == quota {
                return None;
            }
            let job = job(&starts, seed, issued);
            issued += 1;
            Some((Ticket(issued), job))
        },
        |_, playout| {
            sums.playouts += 1;
            sums.plies += u64::from(playout.plies);
            sums.half_points += i64::from(playout.score.half_points());
            sums.wins += u64::from((playout.score - setting.playout_config.komi).half_points() > 0);
            match playout.ending {
                Ending::Passes => {}
                Ending::Stopped => sums.stopped += 1,
                Ending::CutShort => sums.cut_short += 1,
            }
        },
    );
    sums.cpu_seconds = before.zip(thread_cpu_seconds()).map(|(before, after)| after - before);
    sums.steps = lanes.steps();
    sums
}

/// The 64 starting positions, which the playouts use in turn.
fn starts<const W: usize>(size: Size, start: Start) -> Vec<Board<W>> {
    (0..64)
        .map(|number| {
            let mut board = Board::new(size);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
            let plies = if start == Start::Leaves { 10 + number * 30 / 63 } else { 0 };
            for _ in 0..plies {
                let before = board;
                scalar::play_one(&mut board, &mut random);
                if board.is_over() {
                    return before;
                }
            }
            board
        })
        .collect()
}

/// Clock rate in `GHz`, from a chain of multiplications that take three cycles each
/// on every x86-64 processor of the last fifteen years. The fastest of five runs,
/// since other programs may use the core too.
fn clock_rate() -> f64 {
    const STEPS: u32 = 200_000;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        let mut x = std::hint::black_box(3_u64);
        for _ in 0..STEPS {
            x = x.wrapping_mul(x);
        }
        std::hint::black_box(x);
        best = best.min(started.elapsed().as_secs_f64());
    }
    3.0 * f64::from(STEPS) / best / 1e9
}
