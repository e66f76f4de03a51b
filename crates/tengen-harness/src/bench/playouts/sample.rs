//! A sample of playouts that is not timed, for figures other than speed: attempts per
//! move, and the bias of a stop rule.

use super::{Setting, job, seed_of_jobs, starts};
use tengen_go::{Color, Komi, with_words};
use tengen_playout::lanes::{Lanes, Ticket};
use tengen_playout::{EarlyStop, Isa, Playout, PlayoutConfig, scalar};
use tengen_stats::{Interval, Level, wilson};

/// Number of stopped playouts that are compared with playouts played on.
pub const COMPARED: u32 = 20_000;
/// Number of moves after which enough attempts have been counted.
const COUNTED: u64 = 200_000;

/// Repeat and thread whose playouts are the sample's.
const FIRST: (u32, usize) = (0, 0);

/// Figures of a sample of playouts: a function of board size, policy, stop rule,
/// starting position and seed alone. Its playouts are the first ones of the first
/// thread of repeat 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Candidates tried per move (attempts), legal or not, passes included. Counted in
    /// the scalar form of the same playouts, since the lanes count only steps.
    pub attempts_per_move: f64,
    /// Bias of the stop rule; none without a rule.
    pub bias: Option<Bias>,
}

/// Bias of a stop rule: [`COMPARED`] stopped playouts against the same playouts
/// played on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// Share of stopped playouts that have the same winner when played on, at the komi; a jigo
    /// counts as a third result.
    pub winner_agreement: f64,
    /// 95 % Wilson interval of that share.
    pub interval: Interval,
    /// Win rate of Black in the stopped playouts less Black's win rate in the same playouts played
    /// on.
    pub win_rate_shift: f64,
    /// Standard error of that difference, from the pairs of playouts.
    pub shift_error: f64,
}

/// Plays the sample of `setting`.
///
/// # Panics
/// If this machine does not have the instruction set.
#[must_use]
pub fn sample(setting: &Setting) -> Sample {
    with_words!(setting.size, W => {
        let attempts_per_move = attempts::<W>(setting);
        let stops = setting.playout_config.stop != EarlyStop::Never;
        Sample { attempts_per_move, bias: stops.then(|| bias::<W>(setting)).flatten() }
    })
}

fn attempts<const W: usize>(setting: &Setting) -> f64 {
    let starts = starts::<W>(setting.size, setting.start);
    let seed = seed_of_jobs(setting, FIRST);
    let (mut attempts, mut plies, mut number) = (0, 0, 0);
    while plies < COUNTED && number < u64::from(COMPARED) {
        let job = job(&starts, seed, number);
        let (playout, drawn) = scalar::play_on(Isa::of_program(), setting.playout_config, &job);
        attempts += drawn;
        plies += u64::from(playout.plies);
        number += 1;
    }
    attempts as f64 / plies as f64
}

fn bias<const W: usize>(setting: &Setting) -> Option<Bias> {
    let stopped = winners::<W>(setting, setting.playout_config);
    let whole =
        winners::<W>(setting, PlayoutConfig { stop: EarlyStop::Never, ..setting.playout_config });
    let pairs = || stopped.iter().zip(&whole);
    let number = f64::from(COMPARED);
    let winner_agreement = pairs().filter(|(a, b)| a == b).count() as f64 / number;
    let won = |winner: Option<Color>| f64::from(u8::from(winner == Some(Color::Black)));
    let mean = |value: &dyn Fn(f64) -> f64| {
        pairs().map(|(&a, &b)| value(won(a) - won(b))).sum::<f64>() / number
    };
    let win_rate_shift = mean(&|difference| difference);
    let variance = mean(&|difference| (difference - win_rate_shift).powi(2));
    Some(Bias {
        winner_agreement,
        interval: wilson(winner_agreement, number, Level::P95)?,
        win_rate_shift,
        shift_error: (variance / number).sqrt(),
    })
}

/// The winners of the sample's playouts at the komi, in the order of their numbers.
fn winners<const W: usize>(setting: &Setting, playout_config: PlayoutConfig) -> Vec<Option<Color>> {
    let starts = starts::<W>(setting.size, setting.start);
    let seed = seed_of_jobs(setting, FIRST);
    let mut numbers = 0..u64::from(COMPARED);
    let mut winners = vec![None; COMPARED as usize];
    Lanes::<W>::with_config(setting.size, setting.isa, playout_config).run(
        || numbers.next().map(|number| (Ticket(number), job(&starts, seed, number))),
        |Ticket(number), playout| {
            let place = usize::try_from(number).unwrap_or(usize::MAX);
            winners[place] = winner(&playout, playout_config.komi);
        },
    );
    winners
}

fn winner<const W: usize>(playout: &Playout<W>, komi: Komi) -> Option<Color> {
    (playout.score - komi).winner()
}
