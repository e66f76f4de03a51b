//! Learned priors: move probabilities computed from the weights of features.

use super::{AnyPrior, Counting, MovePriors, Scale, VISITS, Values};
use crate::tree::cell;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tengen_go::{Bits, Board, Made, Move};
use tengen_learn::{Recent, Weights, WeightsFile};
use tengen_playout::simd::{Target, Task};
use tengen_settings::Domain;

/// Move priors computed from a weights file.
///
/// A prior of probability P counts as EVEN + WEIGHT · √P visits, of which EVEN / 2 + WEIGHT · √P
/// are won.
#[derive(Clone, Copy, Debug)]
pub struct Learned(&'static Loaded);

/// A weights file that this process has read. It stays in memory, since searches on other threads
/// may use it.
#[derive(Debug)]
struct Loaded {
    /// The path as the user wrote it; none for the built-in file.
    path: Option<String>,
    file: WeightsFile,
}

/// The weights files that were read.
static LOADED: Mutex<Vec<&'static Loaded>> = Mutex::new(Vec::new());

/// The defaults of EVEN and WEIGHT, for a text without numbers.
const EVEN: f64 = 14.0;
const WEIGHT: f64 = 100.0;

impl Learned {
    /// The weights of the features.
    #[must_use]
    pub fn weights(self) -> &'static Weights {
        &self.0.file.weights
    }

    /// The path of the weights file as the user wrote it; none for the built-in file.
    #[must_use]
    pub fn file(self) -> Option<&'static str> {
        self.0.path.as_deref()
    }

    /// The hash of the weights file, 16 hexadecimal digits.
    #[must_use]
    pub fn digest(self) -> &'static str {
        &self.0.file.digest
    }

    /// The path of the weights file in `text`, which follows `learned:`; empty if it names no file.
    pub(crate) fn path_in(text: &str) -> &str {
        numbers(text).map_or(text, |(path, _)| path)
    }
}

/// Makes the prior of the parameters `after`: empty, `EVEN:WEIGHT`, `FILE` or `FILE:EVEN:WEIGHT`.
/// Each call reads the named file anew, so that its changes count. An error is what is expected.
pub(super) fn made(after: &str) -> Result<Made<AnyPrior>, String> {
    let (path, [even, weight]) = numbers(after).unwrap_or((after, [EVEN, WEIGHT]));
    if ![even, weight].iter().all(|number| VISITS.contains(number)) {
        return Err(format!("EVEN and WEIGHT from {}", Domain::from(VISITS)));
    }
    let learned = Learned(load(path).map_err(|said| format!("a weights file: {said}"))?);
    let separator = if path.is_empty() { "" } else { ":" };
    let values = Values::Learned(learned);
    let prior = AnyPrior { values, counting: Counting::Root { even, weight } };
    Ok(Made {
        version: Some(learned.digest().to_owned()),
        ..Made::new(Box::new(prior), format!("{path}{separator}{even}:{weight}"))
    })
}

/// The path and the numbers EVEN and WEIGHT of `PATH:EVEN:WEIGHT` or `EVEN:WEIGHT`, whose range is
/// not checked; none if `text` does not end with two numbers.
fn numbers(text: &str) -> Option<(&str, [f64; 2])> {
    let (before, weight) = text.rsplit_once(':')?;
    let (path, even) = before.rsplit_once(':').unwrap_or(("", before));
    Some((path, [even.parse().ok()?, weight.parse().ok()?]))
}

/// The weights file at `path`, or the built-in file if `path` is empty.
fn load(path: &str) -> Result<&'static Loaded, String> {
    let path = Some(path.to_owned()).filter(|path| !path.is_empty());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match &path {
        Some(path) => WeightsFile::read(Path::new(path)).map_err(|why| why.to_string())?,
        None => match loaded.iter().find(|one| one.path.is_none()) {
            Some(built_in) => return Ok(built_in),
            None => WeightsFile::built_in(),
        },
    };
    let same = |one: &&&Loaded| one.path == path && one.file.digest == file.digest;
    if let Some(same) = loaded.iter().find(same) {
        return Ok(same);
    }
    let new: &'static Loaded = Box::leak(Box::new(Loaded { path, file }));
    loaded.push(new);
    Ok(new)
}

/// The priors of all moves on `board` after the moves `recent`: the roots of their probabilities.
pub(super) fn priors<const W: usize>(
    learned: Learned,
    board: &Board<W>,
    recent: Recent,
    candidates: Bits<W>,
) -> MovePriors<W> {
    Target::of_program().run(Roots { weights: learned.weights(), board, recent, candidates })
}

/// The work of [`priors`], compiled for each instruction set.
struct Roots<'a, const W: usize> {
    weights: &'a Weights,
    board: &'a Board<W>,
    recent: Recent,
    candidates: Bits<W>,
}

impl<const W: usize> Task for Roots<'_, W> {
    type Output = MovePriors<W>;

    #[inline(always)]
    #[allow(clippy::inline_always)] // it must become part of each copy
    fn run(self) -> MovePriors<W> {
        let Self { weights, board, recent, candidates } = self;
        let found = weights.probabilities(board, recent, candidates);
        let mut bytes = [[0; 64]; W];
        for (bytes, points) in bytes.iter_mut().zip(found.points()) {
            for (byte, &probability) in bytes.iter_mut().zip(points) {
                *byte = root(probability);
            }
        }
        let pass = cell::<W>(Move::Pass);
        bytes[pass / 64][pass % 64] = root(found.of_pass());
        MovePriors { bytes, scale: Scale::Root }
    }
}

/// The root of a probability, scaled to 1 to 255; 0 would stand for no prior.
#[inline(always)]
#[allow(clippy::inline_always, clippy::cast_possible_truncation)] // within 1 to 255
fn root(probability: f32) -> i16 {
    const ROUND: f32 = 12_582_912.0;
    let root = 255.0 * probability.sqrt() + ROUND;
    let root = root.to_bits().wrapping_sub(ROUND.to_bits()) as i16;
    root.max(1)
}
