//! Functions that register your own formulas, policies, evaluators, bots and more by name.
//!
//! | function | what it registers | then a value of |
//! |---|---|---|
//! | [`selection`], [`selection_of_all`] | a selection formula, [`Formula`] | `uct:selection` |
//! | [`back_up`] | a back-up rule, a closure over [`BackedUp`] | `uct:back_up` |
//! | [`prior`] | prior values of moves, [`MovePrior`] | `uct:prior` |
//! | [`policy_of_sets`] | a playout policy of sets of points, which lanes play, [`SetPolicy`] | `uct:policy`, `playouts --policy` |
//! | [`policy`] | a playout policy in plain code, [`PlayoutPolicy`] | the same |
//! | [`evaluator`], [`evaluator_named`] | an evaluator of leaves, [`Evaluator`] | `uct:evaluator` |
//! | [`final_move`] | a rule for the final move, a closure over [`RootMove`] and the report | `uct:final_move` |
//! | [`bot`], [`made_bot`] | a kind of bot, [`BotKind`] | `--bot` |
//! | [`experiment`] | an experiment, [`Front`] | `tengen` itself: a command |
//! | [`program`] | name and version of the program | of GTP, `--version` and manifests |
//!
//! All functions but [`program`] and [`experiment`] take a name, a version, and a function that makes the value from
//! the parameters after the name. `NAME` or `NAME:PARAMETERS` then works in command lines, TOML
//! files, rows and GTP like the name of a built-in part. The version is stored with every run:
//! change it when the code plays differently. Another version does not resume the run.
//!
//! Register a name before a text with this name is read, as [`main_with`](crate::main_with) does.
//! Registering a name again replaces it, for texts that are read later.
//!
//! [`Formula`]: crate::search::select::Formula
//! [`BackedUp`]: crate::search::back_up::BackedUp
//! [`MovePrior`]: crate::search::prior::MovePrior
//! [`PlayoutPolicy`]: crate::playout::policy::PlayoutPolicy
//! [`SetPolicy`]: crate::playout::policy::SetPolicy
//! [`Evaluator`]: crate::search::evaluator::Evaluator
//! [`RootMove`]: crate::search::RootMove
//! [`BotKind`]: crate::bots::BotKind
//! [`Front`]: crate::commands::Front

pub use crate::bots::register as bot;
pub use crate::bots::register_bot as made_bot;
pub use crate::bots::register_program as program;
pub use crate::commands::register_experiment as experiment;
pub use crate::playout::policy::register as policy;
pub use crate::playout::policy::register_sets as policy_of_sets;
pub use crate::search::back_up::register as back_up;
pub use crate::search::evaluator::register as evaluator;
pub use crate::search::evaluator::register_named as evaluator_named;
pub use crate::search::final_move::register as final_move;
pub use crate::search::prior::register as prior;
pub use crate::search::select::register as selection;
pub use crate::search::select::register_for_all as selection_of_all;
