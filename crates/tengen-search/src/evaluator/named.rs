//! Evaluators by name: how they are registered, made and called.

use super::time_limited::TimeLimited;
use super::{Batch, Evaluator, Leaf, RECENT, playouts};
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tengen_go::{
    BuiltIn, Made, RegisteredPanic, Registry, RegistryError, call_registered,
    catch_registered_panic,
};
use tengen_settings::{Domain, TextValue};

/// An evaluator that cannot be made, or whose results cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("evaluator `{name}`: {reason}")]
pub struct EvaluatorError {
    /// The text that names it.
    pub name: String,
    /// What is wrong.
    pub reason: String,
}

/// Calls `work`, code of the evaluator `name`: a panic in it names the evaluator.
pub(super) fn called_by_name<T>(name: &str, work: impl FnOnce() -> T) -> T {
    call_registered(|| format!("evaluator `{name}`"), work)
}

/// Makes an evaluator for a thread.
pub type MakeEvaluator = dyn Fn() -> Result<Box<dyn Evaluator>, String> + Send + Sync;

/// An evaluator by name: the value of the setting `evaluator`.
#[derive(Clone)]
pub struct NamedEvaluator(Arc<Registered>);

#[derive(Clone)]
struct Registered {
    name: String,
    version: String,
    gives_priors: bool,
    positions: usize,
    timeout: Option<Duration>,
    make: Arc<MakeEvaluator>,
}

impl NamedEvaluator {
    /// The evaluator `name` in `version`, which is part of the signature of a bot: runs of another
    /// version are not resumed.
    pub fn new(
        name: impl Into<String>,
        version: impl Into<String>,
        make: impl Fn() -> Result<Box<dyn Evaluator>, String> + Send + Sync + 'static,
    ) -> Self {
        let (name, version) = (name.into(), version.into());
        let (gives_priors, positions, timeout, make) = (true, 1, None, Arc::new(make));
        Self(Arc::new(Registered { name, version, gives_priors, positions, timeout, make }))
    }

    /// The same evaluator, which also sees the `positions − 1` positions before each leaf
    /// ([`Leaf::before`]). `positions` is clamped to 1 to [`RECENT`].
    #[must_use]
    pub fn with_positions(mut self, positions: usize) -> Self {
        Arc::make_mut(&mut self.0).positions = positions.clamp(1, RECENT);
        self
    }

    /// The number of positions before a leaf that it sees.
    #[must_use]
    pub fn positions_before(&self) -> usize {
        self.0.positions - 1
    }

    /// The same evaluator without priors: searches take its values only. It judges leaves as
    /// playouts do; selection, expansion and priors of moves work as in a search by playouts.
    #[must_use]
    pub fn without_priors(mut self) -> Self {
        Arc::make_mut(&mut self.0).gives_priors = false;
        self
    }

    /// The same evaluator with a time limit: a call of [`Evaluator::evaluate`] that takes longer is
    /// an error, which ends a run without the loss of a finished game. Each evaluator that is made
    /// then runs on a thread of its own; a thread that hangs is left behind.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        Arc::make_mut(&mut self.0).timeout = Some(timeout);
        self
    }

    /// Whether it gives priors.
    #[must_use]
    pub fn gives_priors(&self) -> bool {
        self.0.gives_priors
    }

    /// The text that names it: `NAME` or `NAME:PARAMETERS`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.0.version
    }

    /// Makes the evaluator of a thread.
    ///
    /// # Errors
    /// If it cannot be made, takes no leaf at a time, or its thread cannot be started.
    pub fn make(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        let call = || called_by_name(self.name(), || (self.0.make)());
        let made = catch_registered_panic(call).map_err(|panic| self.panicked(&panic))?;
        let evaluator = made.map_err(|reason| self.error(reason))?;
        if self.most_leaves(&*evaluator) == 0 {
            return Err(self.error("its batches have no leaves: expected 1 or more".to_owned()));
        }
        let Some(timeout) = self.0.timeout else { return Ok(evaluator) };
        let limited = TimeLimited::new(evaluator, timeout, self.name());
        let limited = limited.map_err(|reason| self.error(reason))?;
        Ok(Box::new(limited))
    }

    /// Evaluates `leaves` by `evaluator`, which has this name. Fills `values` and `priors` as
    /// [`Batch`] describes.
    ///
    /// # Errors
    /// If the evaluator fails or panics, a value is not in 0 to 1, or a weight is negative or not
    /// finite.
    pub fn evaluate(
        &self,
        evaluator: &mut dyn Evaluator,
        leaves: &[Leaf],
        values: &mut Vec<f32>,
        priors: &mut Vec<f32>,
    ) -> Result<(), EvaluatorError> {
        let judged = self.judge(evaluator, leaves, values, priors)?;
        judged.map_err(|panic| self.panicked(&panic))
    }

    /// Like [`Self::evaluate`], but returns a panic as a value: then the evaluator must not be used
    /// again.
    pub(crate) fn judge(
        &self,
        evaluator: &mut dyn Evaluator,
        leaves: &[Leaf],
        values: &mut Vec<f32>,
        priors: &mut Vec<f32>,
    ) -> Result<Result<(), RegisteredPanic>, EvaluatorError> {
        let Some(batch) = self.batch(leaves, values, priors) else { return Ok(Ok(())) };
        let call = || called_by_name(self.name(), || evaluator.evaluate(batch));
        match catch_registered_panic(call) {
            Ok(Ok(())) => self.check(values, priors).map(Ok),
            Ok(Err(reason)) => Err(self.error(reason)),
            Err(panic) => Ok(Err(panic)),
        }
    }

    /// The maximum number of leaves of a batch for `evaluator`, which has this name.
    pub(crate) fn most_leaves(&self, evaluator: &dyn Evaluator) -> usize {
        called_by_name(self.name(), || evaluator.batch())
    }

    /// The error of an evaluator that panicked.
    pub(crate) fn panicked(&self, panic: &RegisteredPanic) -> EvaluatorError {
        self.error(format!("it panicked: {}", panic.message))
    }

    /// The batch of `leaves`, `None` without leaves; `values` and `priors` become the places of
    /// their results.
    #[inline]
    pub(crate) fn batch<'a>(
        &self,
        leaves: &'a [Leaf],
        values: &'a mut Vec<f32>,
        priors: &'a mut Vec<f32>,
    ) -> Option<Batch<'a>> {
        let size = leaves.first()?.board.size();
        values.clear();
        values.resize(leaves.len(), f32::NAN);
        priors.clear();
        let moves = if self.gives_priors() { size.points() + 1 } else { 0 };
        priors.resize(leaves.len() * moves, 1.0);
        Some(Batch { size, leaves, values, priors })
    }

    /// Refuses a value outside 0 to 1, and a prior that is negative or not finite.
    #[inline]
    pub(crate) fn check(&self, values: &[f32], priors: &[f32]) -> Result<(), EvaluatorError> {
        if let Some(value) = values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
            return Err(self.error(format!("a value is {value}: expected 0 to 1")));
        }
        let is_weight = |prior: &f32| (0.0..=f32::MAX).contains(prior);
        // Checks all priors, without an early end, so that several can be checked at once.
        if !priors.iter().fold(true, |all, prior| all & is_weight(prior))
            && let Some(prior) = priors.iter().find(|prior| !is_weight(prior))
        {
            return Err(self.error(format!("a prior is {prior}: expected a number from 0")));
        }
        Ok(())
    }

    fn error(&self, reason: String) -> EvaluatorError {
        EvaluatorError { name: self.0.name.clone(), reason }
    }
}

impl fmt::Debug for NamedEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.name, self.0.version)
    }
}

impl PartialEq for NamedEvaluator {
    fn eq(&self, other: &Self) -> bool {
        (&self.0.name, &self.0.version) == (&other.0.name, &other.0.version)
    }
}

impl Eq for NamedEvaluator {}

/// The evaluators.
static EVALUATORS: Registry<NamedEvaluator> = Registry::new(
    "evaluator",
    &[BuiltIn {
        name: playouts::NAME,
        parameters: "",
        make: |_| Made::only(Box::new(playouts::named())),
    }],
);

/// Unregisters the evaluator `name`: a text with this name is an error from now on, and evaluators
/// read before keep working. Returns false if the program has registered nothing of this name.
pub fn unregister(name: &str) -> bool {
    EVALUATORS.unregister(name)
}

/// Registers an evaluator under `name` in `version`: from now on `NAME`, or `NAME:PARAMETERS`, is a value
/// of the setting `evaluator`. `make` makes the evaluator of a thread from the parameters, empty if there
/// are none; its error is shown to the user. It is called once per thread, and once when the
/// text is read, so that errors appear then.
pub fn register<E: Evaluator + 'static>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<E, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    let (version, make) = (version.into(), Arc::new(make));
    register_as(name.into(), version.clone(), move |parameters| {
        let (make, parameters) = (make.clone(), parameters.to_owned());
        let make = move || Ok(Box::new(make(&parameters)?) as Box<dyn Evaluator>);
        Ok(NamedEvaluator::new("", version.clone(), make))
    })
}

/// Registers evaluators under `name` like [`register`], for evaluators that need more than code: a
/// version that depends on the parameters, such as the digest of a file, a time limit, or no
/// priors. `make` makes the evaluator of the parameters; its text becomes `NAME` or
/// `NAME:PARAMETERS`.
pub fn register_named(
    name: impl Into<String>,
    make: impl Fn(&str) -> Result<NamedEvaluator, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    // Each evaluator has a version of its own.
    register_as(name.into(), "of the parameters".to_owned(), make)
}

/// Registers `make` under `name`: the evaluators that it makes get the name `NAME` or
/// `NAME:PARAMETERS`, and are tried once.
fn register_as(
    name: String,
    version: String,
    make: impl Fn(&str) -> Result<NamedEvaluator, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    let registered = name.clone();
    EVALUATORS.register(name, version, move |parameters| {
        let mut named = make(parameters)?;
        let separator = if parameters.is_empty() { "" } else { ":" };
        Arc::make_mut(&mut named.0).name = format!("{registered}{separator}{parameters}");
        named.make().map_err(|error| error.reason)?;
        Ok(Box::new(named))
    })
}

/// The evaluator of the text `NAME` or `NAME:PARAMETERS`.
///
/// # Errors
/// If there is none of this name; the error lists the names that there are. If it cannot be made; why.
pub fn registered(text: &str) -> Result<NamedEvaluator, EvaluatorError> {
    match EVALUATORS.get(text) {
        Ok(named) => Ok(named.value().clone()),
        Err(reason) => {
            let name = text.split_once(':').map_or(text, |(name, _)| name);
            let is_registered = EVALUATORS.names().iter().any(|known| known == name);
            let why = if is_registered { "" } else { "not registered: expected " };
            Err(EvaluatorError { name: text.to_owned(), reason: format!("{why}{reason}") })
        }
    }
}

impl Serialize for NamedEvaluator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl FromStr for NamedEvaluator {
    type Err = EvaluatorError;

    fn from_str(text: &str) -> Result<Self, EvaluatorError> {
        registered(text)
    }
}

impl fmt::Display for NamedEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl TextValue for NamedEvaluator {
    fn domain() -> Domain {
        Domain::Text(EVALUATORS.expected())
    }
}
