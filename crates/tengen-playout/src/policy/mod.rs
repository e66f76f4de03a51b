//! Playout policies: how a playout draws its moves.
//!
//! Every policy draws from the same candidates. Every policy but the uniform one *prefers* some
//! points: with some probability the first attempt of a turn draws among these points alone. Such a
//! policy is a file of this folder, which finds the points in three forms: plain code on a
//! [`Board`](tengen_go::Board), which defines the policy, and fast code for scalar playouts and for
//! the lanes; `capture_escape.rs` is the example. This file lists the policies by name,
//! `built_in.rs` calls them, and `scalar.rs` has a type for each in scalar playouts; the random
//! numbers and the draw are the same for all of them. A policy that a program registers needs one
//! form only: plain code on a board ([`PlayoutPolicy`], [`register`]), or formulas on sets of
//! points ([`SetPolicy`], [`register_sets`]), of which `lane_policy.rs` makes code for the lanes.

// For the reasons given in `sets`, with which the policies compute.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

mod built_in;
mod capture_escape;
mod lane_policy;
mod mogo;
mod points;
mod preference;
mod scalar;
mod set_policy;
mod shapes;
mod tactical;
pub(crate) mod tactical_lanes;
mod turn;
mod window;

pub(crate) use built_in::Attempt;
pub use built_in::{BuiltInPolicy, Player};
pub use points::{Points, SetForm};
pub use set_policy::{DrawBy, SetPolicy, TurnSets};
pub use tactical::Tactical;
pub use turn::{OfAllWords, PlayoutPolicy, Turn};

pub(crate) use lane_policy::{LanePolicy, OnAllGrids, OnGrid};
pub(crate) use preference::{GameView, LaneGames, PreferenceLanes};
pub(crate) use scalar::{CaptureEscape, Mogo, ScalarPolicy, Uniform};
pub(crate) use tactical::{Memory, ScalarTactical, Thresholds};

use lane_policy::InLanes;
use set_policy::{Draw, Plain};
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};
use tengen_go::{BuiltIn, Made, Named, Registry, RegistryError, numbers, registered_setting};

/// A playout policy: how a move is drawn among the candidates of a turn.
///
/// As text, also in TOML: `uniform`, `capture-escape:0.9`, `mogo:0.9:1`, `tactical`
/// ([`BuiltInPolicy`]), or the text of a policy that the program registers ([`register`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy(Named<AnyPolicy>);

registered_setting!(Policy, "policy", POLICIES);

/// The form, or forms, in which a policy is played.
pub struct AnyPolicy {
    /// Plain code on a board.
    plain: Box<dyn OfAllWords>,
    /// The form that lanes play, if there is one.
    in_lanes: Option<LaneForm>,
}

/// A policy that lanes play.
#[derive(Clone, Copy)]
pub(crate) enum LaneForm {
    BuiltIn(BuiltInPolicy),
    Sets(&'static dyn OnAllGrids),
}

/// The playout policies.
static POLICIES: Registry<AnyPolicy> = Registry::new(
    "playout policy",
    &[
        BuiltIn { name: "uniform", parameters: "", make: |_| Ok(BuiltInPolicy::Uniform {}.made()) },
        BuiltIn {
            name: "capture-escape",
            parameters: ":PROBABILITY",
            make: |given| {
                let [probability] = numbers(given, PROBABILITIES)?;
                Ok(BuiltInPolicy::CaptureEscape { probability }.made())
            },
        },
        BuiltIn {
            name: "mogo",
            parameters: ":P:Q",
            make: |given| {
                let [captures, shapes] = numbers(given, PROBABILITIES)?;
                Ok(BuiltInPolicy::Mogo { captures, shapes }.made())
            },
        },
        BuiltIn {
            name: "tactical",
            parameters: ":CAPTURES:ANYWHERE:ATARI:SHAPES:VETO:NAKADE",
            make: |given| {
                if given.is_empty() {
                    return Ok(BuiltInPolicy::Tactical(Tactical::default()).made());
                }
                // Five numbers, as published runs name them, mean a sixth of 0.
                let six = match given.split(':').count() {
                    5 => &format!("{given}:0"),
                    _ => given,
                };
                let [captures, anywhere, atari, shapes, veto, nakade] =
                    numbers(six, PROBABILITIES)?;
                let rules = Tactical { captures, anywhere, atari, shapes, veto, nakade };
                Ok(BuiltInPolicy::Tactical(rules).made())
            },
        },
    ],
);

const PROBABILITIES: RangeInclusive<f64> = 0.0..=1.0;

impl BuiltInPolicy {
    fn made(self) -> Made<AnyPolicy> {
        let text = self.to_string();
        let parameters = text.split_once(':').map_or("", |(_, parameters)| parameters);
        Made::new(
            Box::new(AnyPolicy { plain: Box::new(self), in_lanes: Some(LaneForm::BuiltIn(self)) }),
            parameters,
        )
    }
}

impl From<BuiltInPolicy> for Policy {
    fn from(policy: BuiltInPolicy) -> Self {
        Self::built_in(&policy.to_string())
    }
}

impl Default for Policy {
    fn default() -> Self {
        static UNIFORM: LazyLock<Policy> = LazyLock::new(|| Policy::built_in("uniform"));
        *UNIFORM
    }
}

impl Policy {
    /// This policy as a built-in one; `None` if a program registered it.
    #[inline]
    #[must_use]
    pub fn as_built_in(self) -> Option<BuiltInPolicy> {
        match self.lane_form() {
            Some(LaneForm::BuiltIn(policy)) => Some(policy),
            Some(LaneForm::Sets(_)) | None => None,
        }
    }

    /// The form that lanes play; `None` if a program registered the policy as plain code.
    #[inline]
    pub(crate) fn lane_form(self) -> Option<LaneForm> {
        self.0.value().in_lanes
    }

    /// Draws one of the candidates of `turn` by the plain form of the policy.
    ///
    /// # Panics
    /// If what a registered policy draws is no candidate.
    pub(crate) fn draw<const W: usize>(self, turn: &Turn<W>) -> usize {
        self.0.call(|policy| turn::draw(&*policy.plain, turn))
    }
}

/// Registers a playout policy under `name` in `version`: from now on `NAME`, or `NAME:PARAMETERS`,
/// is a value of the setting `policy`. `make` makes the policy from the parameters, empty if there
/// are none; its error is shown to the user.
pub fn register<P: PlayoutPolicy + 'static>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<P, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    POLICIES.register(name, version, move |parameters| {
        Ok(Box::new(AnyPolicy { plain: Box::new(make(parameters)?), in_lanes: None }))
    })
}

/// Registers a policy of sets of points, as [`register`] does one in plain code. The lanes play it.
///
/// A panic of the policy ends the game whose playout panics; other games go on.
pub fn register_sets<P: SetPolicy<K>, const K: usize>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<P, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    POLICIES.register(name, version, move |parameters| {
        let policy = Arc::new(make(parameters)?);
        let draw = Draw::new(policy.draw_by())?;
        let plain = Box::new(Plain(Arc::clone(&policy), draw));
        let in_lanes: &'static dyn OnAllGrids = Box::leak(Box::new(InLanes(policy, draw)));
        Ok(Box::new(AnyPolicy { plain, in_lanes: Some(LaneForm::Sets(in_lanes)) }))
    })
}

/// Whether the coin of `number`, its 31 bits from bit 1 on, is below `threshold`.
#[inline]
const fn has_preference(number: u64, threshold: u32) -> bool {
    #[allow(clippy::cast_possible_truncation)] // the lower half
    let coin = number as u32 >> 1;
    coin < threshold
}

/// The bound below which every coin of 31 bits falls.
const ALWAYS: u32 = 1 << 31;

/// The bound below which a coin of 31 bits falls with this probability.
#[inline]
fn coin_threshold(probability: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 2³¹
    let threshold = (probability * 2_f64.powi(31)).round() as u32;
    threshold
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_one_form() {
        const EXPECTED: &str = "uniform, capture-escape:PROBABILITY, mogo:P:Q or \
                                tactical:CAPTURES:ANYWHERE:ATARI:SHAPES:VETO:NAKADE";
        for (text, canonical) in [
            ("uniform", "uniform"),
            ("capture-escape:0.90", "capture-escape:0.9"),
            ("mogo:1.0:0", "mogo:1:0"),
            ("tactical", "tactical:1:0.9:0.9:1:1:1"),
            ("tactical:1:0.9:0.9:1:1:0", "tactical:1:0.9:0.9:1:1"),
        ] {
            let policy: Policy = text.parse().unwrap();
            assert_eq!((policy.text(), policy.version()), (canonical, None));
            assert_eq!(policy.as_built_in().map(Policy::from), Some(policy));
        }
        for (text, expected) in [
            ("uniform:1", EXPECTED),
            ("tactics", EXPECTED),
            ("capture-escape", "capture-escape:PROBABILITY, a number from 0 to 1"),
            ("capture-escape:nan", "capture-escape:PROBABILITY, a number from 0 to 1"),
            ("mogo:1", "mogo:P:Q, numbers from 0 to 1"),
            (
                "tactical:1:1",
                "tactical:CAPTURES:ANYWHERE:ATARI:SHAPES:VETO:NAKADE, numbers from 0 to 1",
            ),
            ("mogo:1:1.01", "mogo:P:Q, numbers from 0 to 1"),
        ] {
            let error = text.parse::<Policy>().unwrap_err().to_string();
            assert_eq!(error, format!("invalid policy `{text}`: expected {expected}"));
        }
    }
}
