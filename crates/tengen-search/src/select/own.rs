//! Selection formulas by name: the text of the built-in ones, and those that a program registers.

use super::{Child, Formula, SelectingNode, Selection, fill};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_go::{Registry, RegistryError, text_or_registered};

/// The selection formulas that this process has registered.
static REGISTERED: Registry<FormulaOfAllChildren> =
    Registry::new("selection formula", &["ucb1", "ucb1-tuned", "kl-ucb", "thompson", "puct"]);

/// A registered [`Formula`], whose type is not known: it is called once for all children of a node.
pub type FormulaOfAllChildren = dyn ForAllChildren + Send + Sync;

/// Registers a selection formula under `name` in `version`: from now on `NAME`, or
/// `NAME:PARAMETERS`, is a value of the setting `selection`. `make` makes the formula from the
/// parameters, empty if there are none; its error is shown to the user.
///
/// The formula is compiled for all children of a node at once, as built-in ones are.
///
/// # Errors
/// If the name cannot be registered ([`Registry::register`]).
pub fn register<F: Formula + Send + Sync + 'static>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<F, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    register_for_all(name, version, move |parameters| Ok(Box::new(make(parameters)?)))
}

/// Registers a formula like [`register`] that is computed for all children of a node at once.
///
/// # Errors
/// If the name cannot be registered ([`Registry::register`]).
pub fn register_for_all(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<Box<FormulaOfAllChildren>, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    REGISTERED.register(name, version, make)
}

/// A [`Formula`] for all children of a node at once. Implemented for every formula.
pub trait ForAllChildren {
    /// [`Formula::RANKS_UNVISITED`].
    fn ranks_unvisited(&self) -> bool;

    /// [`Formula::READS_PRIORS`].
    fn reads_priors(&self) -> bool;

    /// [`Formula::UNVISITED_FOLLOW_PRIORS`].
    fn unvisited_follow_priors(&self) -> bool;

    /// The urgency of one `child` of `node`.
    fn of(&self, node: &SelectingNode<'_>, child: &Child, random: &mut Xoshiro256PlusPlus) -> f64;

    /// Fills `urgencies` with the urgency of each child of `node`, whose blended means are `means`, if
    /// there are any.
    fn fill(
        &self,
        node: &SelectingNode<'_>,
        means: Option<&[f64]>,
        random: &mut Xoshiro256PlusPlus,
        urgencies: &mut [f64],
    );
}

impl<F: Formula> ForAllChildren for F {
    fn ranks_unvisited(&self) -> bool {
        F::RANKS_UNVISITED
    }

    fn reads_priors(&self) -> bool {
        F::READS_PRIORS
    }

    fn unvisited_follow_priors(&self) -> bool {
        F::UNVISITED_FOLLOW_PRIORS
    }

    fn of(&self, node: &SelectingNode<'_>, child: &Child, random: &mut Xoshiro256PlusPlus) -> f64 {
        self.urgency(&self.at(node), child, random)
    }

    fn fill(
        &self,
        node: &SelectingNode<'_>,
        means: Option<&[f64]>,
        random: &mut Xoshiro256PlusPlus,
        urgencies: &mut [f64],
    ) {
        fill(self, node, means, random, urgencies);
    }
}

text_or_registered!(
    Selection, "selection formula", REGISTERED:
    "ucb1" Ucb1, "ucb1-tuned" Ucb1Tuned, "kl-ucb" KlUcb, "thompson" Thompson, "puct" Puct
);
