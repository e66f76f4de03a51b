//! Selection formulas by name: built-in ones, and those that a program registers.

use super::{BUILT_IN, Child, Formula, Improved, SelectingNode, fill};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_go::{Named, Registry, RegistryError, registered_setting};

/// The selection formulas.
static FORMULAS: Registry<FormulaOfAllChildren> = Registry::new("selection formula", &BUILT_IN);

/// A selection formula: it gives each child an urgency, and the most urgent child is selected.
///
/// N are the visits of the node, n the visits of the child, m the child's mean reward for the
/// player to move at the node, and c is the exploration constant.
///
/// As text the name of a built-in formula ([`select`](super)),
/// or the text of a formula that the program registers ([`register`]).
///
/// # Examples
/// ```
/// use tengen_search::UctConfig;
/// use tengen_search::select::{Rave, Selection};
///
/// let thompson = UctConfig { selection: Selection::built_in("thompson"), ..UctConfig::plain() };
/// assert_eq!(thompson.validate(), Ok(()));
/// let with_rave = UctConfig { rave: Rave::Equivalence(3_000.0), ..thompson };
/// assert!(with_rave.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection(Named<FormulaOfAllChildren>);

registered_setting!(Selection, "selection formula", FORMULAS);

impl Default for Selection {
    fn default() -> Self {
        Self::built_in("ucb1")
    }
}

impl Selection {
    /// Calls `work` with the formula.
    #[inline]
    pub(super) fn call<R>(self, work: impl FnOnce(&'static FormulaOfAllChildren) -> R) -> R {
        self.0.call(work)
    }

    /// [`Formula::RANKS_UNVISITED`] of the formula.
    #[must_use]
    pub fn ranks_unvisited(self) -> bool {
        self.0.ranks_unvisited()
    }

    /// [`Formula::READS_PRIORS`] of the formula.
    #[must_use]
    pub fn reads_priors(self) -> bool {
        self.0.reads_priors()
    }

    /// [`Formula::UNVISITED_FOLLOW_PRIORS`] of the formula.
    #[must_use]
    pub fn unvisited_follow_priors(self) -> bool {
        self.0.unvisited_follow_priors()
    }

    /// [`Formula::PLANS_ROOT`] of the formula.
    #[must_use]
    pub fn plans_root(self) -> bool {
        self.0.plans_root()
    }
}

/// A [`Formula`] of unknown type, called once for all children of a node.
pub type FormulaOfAllChildren = dyn ForAllChildren + Send + Sync;

/// Registers a selection formula under `name` in `version`: from now on `NAME`, or
/// `NAME:PARAMETERS`, is a value of the setting `selection`. `make` makes the formula from the
/// parameters, empty if there are none; its error is shown to the user.
///
/// The formula is compiled for all children of a node at once, as built-in ones are.
pub fn register<F: Formula + Send + Sync + 'static>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<F, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    register_for_all(name, version, move |parameters| Ok(Box::new(make(parameters)?)))
}

/// Registers a formula like [`register`] that is computed for all children of a node at once.
pub fn register_for_all(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<Box<FormulaOfAllChildren>, String> + Send + Sync + 'static,
) -> Result<(), RegistryError> {
    FORMULAS.register(name, version, make)
}

/// A [`Formula`] for all children of a node at once. Implemented for every formula.
pub trait ForAllChildren {
    /// [`Formula::RANKS_UNVISITED`].
    fn ranks_unvisited(&self) -> bool;

    /// [`Formula::READS_PRIORS`].
    fn reads_priors(&self) -> bool;

    /// [`Formula::UNVISITED_FOLLOW_PRIORS`].
    fn unvisited_follow_priors(&self) -> bool;

    /// [`Formula::PLANS_ROOT`].
    fn plans_root(&self) -> bool {
        false
    }

    /// Appends to `improved` the improved policy over the children of the root `node` after the
    /// search; nothing if the formula computes none.
    fn improve(&self, node: &SelectingNode<'_>, improved: &mut Vec<Improved>) {
        let _ = (node, improved);
    }

    /// [`Formula::beta`].
    fn beta(&self, visits: f64, reward: f64) -> Option<[f64; 2]> {
        let _ = (visits, reward);
        None
    }

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

    fn plans_root(&self) -> bool {
        F::PLANS_ROOT
    }

    fn beta(&self, visits: f64, reward: f64) -> Option<[f64; 2]> {
        Formula::beta(self, visits, reward)
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
