//! The settings of a UCT search that were removed or renamed, and that published runs still name.

use tengen_settings::Retired;

pub const RETIRED: [Retired; 9] = [
    Retired::Renamed { key: "playouts", now: "simulations" },
    Retired::Renamed { key: "solver", now: "proofs" },
    without_use("dynamic_komi", "none"),
    without_use("early_stop", "false"),
    without_use("merge", "visits"),
    without_use("value", "win"),
    without_use("when_full", "stop"),
    without_use("widening", "none"),
    Retired::Removed { key: "tree_threads", neutral: "1", commit: "b5bfc0ac", date: "2026-11-21" },
];

/// A setting that was removed because no default had another value.
const fn without_use(key: &'static str, neutral: &'static str) -> Retired {
    Retired::Removed { key, neutral, commit: "b67606fc", date: "2026-11-23" }
}
