//! Selection formulas by name: built-in ones, and those that a program registers.

use super::{BUILT_IN, Child, Formula, Improved, Properties, SelectingNode, fill, most_urgent};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_go::{Named, Registry, RegistryError, registered_setting};

/// The selection formulas.
static FORMULAS: Registry<FormulaOfAllChildren> = Registry::new("selection formula", BUILT_IN);

/// A selection formula: it gives each child an urgency, and the most urgent child is selected.
///
/// N are the visits of the node, n the visits of the child, m the child's mean reward for the
/// player to move at the node, and c is the exploration constant.
///
/// As text the name of a built-in formula, or the text of a formula that the program registers
/// ([`register`]).
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
    /// What the search does differently for the formula.
    #[must_use]
    pub fn properties(self) -> Properties {
        self.0.properties()
    }

    /// Fills `urgencies` with the urgencies of the children of `node`, one or more, and returns the
    /// result of [`most_urgent`]. With RAVE or priors `means` are the blended means of the children. A
    /// formula that draws takes its draws from `random`.
    pub(crate) fn fill(
        self,
        node: &SelectingNode<'_>,
        means: Option<&[f64]>,
        random: &mut Xoshiro256PlusPlus,
        urgencies: &mut Vec<f64>,
    ) -> (usize, f64) {
        urgencies.resize(node.children.visits.len(), 0.0);
        self.0.call(|formula| formula.fill(node, means, random, urgencies));
        most_urgent(urgencies)
    }

    /// The urgency of a move of prior `prior` that is not among the children of `node`, by a formula
    /// that ranks moves without visits.
    pub(crate) fn of_untried(
        self,
        node: &SelectingNode<'_>,
        prior: f32,
        random: &mut Xoshiro256PlusPlus,
    ) -> f64 {
        let child = Child { visits: 0.0, reward: 0.0, mean: node.first_play, prior: prior.into() };
        self.0.call(|formula| formula.of(node, &child, random))
    }

    /// [`Formula::beta`].
    pub(crate) fn beta(self, visits: u32, reward: f64) -> Option<[f64; 2]> {
        self.0.call(|formula| formula.beta(visits.into(), reward))
    }

    /// The improved policy over the children of the root `node` after the search; empty if the
    /// formula computes none.
    pub(crate) fn improve(self, node: &SelectingNode<'_>) -> Vec<Improved> {
        let mut improved = Vec::new();
        self.0.call(|formula| formula.improve(node, &mut improved));
        improved
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
    /// [`Formula::PROPERTIES`].
    fn properties(&self) -> Properties;

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
    fn properties(&self) -> Properties {
        F::PROPERTIES
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
