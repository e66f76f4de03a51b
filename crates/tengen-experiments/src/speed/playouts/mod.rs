//! Playouts per second: measurements and their rows.

mod sample;

pub use sample::{Bias, COMPARED, Sample, sample};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tengen_go::{Board, Komi, Size, with_words};
use tengen_playout::{Counts, EarlyStop, Isa, PlayoutConfig, Sequence, scalar};
use tengen_search::{ResourceFault, on_threads};
use tengen_settings::choice;
use tengen_stats::seed::mix;
use tengen_stats::{Level, wilson};
use tengen_system::{clock_rate, thread_cpu_seconds};

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

/// Makes the measurement and returns its row, which includes `sample`.
///
/// # Panics
/// If this machine does not have the instruction set.
pub fn measure(setting: &Setting, sample: &Sample) -> Result<SpeedRow, ResourceFault> {
    let gigahertz = clock_rate();
    let starts = starts(setting.size, setting.start);
    let started = Instant::now();
    let counts = on_threads(setting.threads, |thread| play(setting, &starts, thread, started))?;
    let seconds = started.elapsed().as_secs_f64();
    let (counts, cpu_seconds) = counts.into_iter().reduce(plus).unwrap_or_default();
    Ok(row(setting, sample, &counts, (seconds, cpu_seconds), gigahertz))
}

/// What a thread counted, and its CPU seconds where they can be read.
type Timed = (Counts, Option<f64>);

fn plus((a, x): Timed, (b, y): Timed) -> Timed {
    (a.plus(b), x.zip(y).map(|(x, y)| x + y))
}

fn row(
    setting: &Setting,
    sample: &Sample,
    counts: &Counts,
    (seconds, cpu_seconds): (f64, Option<f64>),
    gigahertz: f64,
) -> SpeedRow {
    let playouts = counts.playouts as f64;
    let rate = counts.wins as f64 / playouts;
    let interval = wilson(rate, playouts, Level::P95);
    let spent = cpu_seconds.unwrap_or(seconds * setting.threads as f64);
    let ns_per_move = spent * 1e9 / counts.plies as f64;
    SpeedRow {
        size: setting.size,
        isa: setting.isa.to_string(),
        threads: setting.threads,
        policy: setting.playout_config.policy.to_string(),
        repeat: setting.repeat,
        playouts_per_second: playouts / seconds,
        playouts_per_cpu_second: cpu_seconds.map(|spent| playouts / spent),
        ns_per_move,
        cycles_per_move: ns_per_move * gigahertz,
        plies: counts.plies as f64 / playouts,
        black_win_rate: rate,
        black_win_low: interval.map_or(0.0, |interval| interval.low),
        black_win_high: interval.map_or(1.0, |interval| interval.high),
        mean_score: counts.half_points as f64 / 2.0 / playouts,
        steps_per_move: counts.steps as f64 / counts.plies as f64,
        cut_short: counts.cut_short,
        playouts: counts.playouts,
        start: setting.start,
        komi: setting.playout_config.komi,
        seed: setting.seed,
        stop: setting.playout_config.stop,
        stopped: counts.stopped,
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

/// Playouts of `playout_config` from `starts`, those of a thread in a repeat.
fn sequence<'a>(
    setting: &Setting,
    starts: &'a [Board<6>],
    playout_config: PlayoutConfig,
    run: (u32, usize),
) -> Sequence<'a> {
    Sequence { starts, isa: setting.isa, playout_config, seed: seed_of_jobs(setting, run) }
}

fn play(setting: &Setting, starts: &[Board<6>], thread: usize, started: Instant) -> Timed {
    let sequence = sequence(setting, starts, setting.playout_config, (setting.repeat, thread));
    let threads = setting.threads as u64;
    let (quota, time) = match setting.amount {
        Amount::Playouts(all) => {
            (all / threads + u64::from((thread as u64) < all % threads), Duration::MAX)
        }
        Amount::Time(time) => (u64::MAX, time),
    };
    let before = thread_cpu_seconds();
    let counts = sequence.count(quota, &mut || started.elapsed() < time);
    (counts, before.zip(thread_cpu_seconds()).map(|(before, after)| after - before))
}

/// The 64 starting positions, which the playouts use in turn.
fn starts(size: Size, start: Start) -> Vec<Board<6>> {
    with_words!(size, W => (0..64).map(|number| start_of::<W>(size, start, number).repacked()).collect())
}

fn start_of<const W: usize>(size: Size, start: Start, number: u64) -> Board<W> {
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
}
