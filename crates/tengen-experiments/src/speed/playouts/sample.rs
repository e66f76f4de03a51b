//! A sample of playouts that is not timed, for figures other than speed: attempts per
//! move, and the bias of a stop rule.

use super::{Setting, sequence, starts};
use tengen_go::Color;
use tengen_playout::{EarlyStop, PlayoutConfig};
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
    let starts = starts(setting.size, setting.start);
    let played_by = |playout_config| sequence(setting, &starts, playout_config, FIRST);
    let stopped = played_by(setting.playout_config);
    let stops = setting.playout_config.stop != EarlyStop::Never;
    let whole = played_by(PlayoutConfig { stop: EarlyStop::Never, ..setting.playout_config });
    Sample {
        attempts_per_move: stopped.attempts_per_move(COUNTED, COMPARED.into()),
        bias: stops.then(|| bias(&stopped.winners(COMPARED), &whole.winners(COMPARED))).flatten(),
    }
}

fn bias(stopped: &[Option<Color>], whole: &[Option<Color>]) -> Option<Bias> {
    let pairs = || stopped.iter().zip(whole);
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
