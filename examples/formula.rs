//! Your own selection formula in all commands of Tengen: UCB-V, which explores moves whose results vary.
//!
//! ```sh
//! cargo run --release --example formula -- tournament --size 5 --pairs 50 \
//!     --bot uct:selection=ucb-v:1,simulations=500 --bot uct:simulations=500
//! ```

use rand_xoshiro::Xoshiro256PlusPlus;
use std::process::ExitCode;
use tengen::register;
use tengen::search::select::{Child, Formula, SelectingNode};

/// UCB-V (Audibert, Munos and Szepesvári, "Exploration–exploitation tradeoff using variance estimates
/// in multi-armed bandits", 2009, equation 2, with ζ as parameter and the rewards' range 1):
///
/// ```text
/// m + √(2 V ζ ln N / n) + 3 ζ ln N / n
/// ```
struct UcbV {
    zeta: f64,
}

impl Formula for UcbV {
    /// ζ ln N.
    type AtNode = f64;

    fn at(&self, node: &SelectingNode<'_>) -> f64 {
        self.zeta * node.log_visits()
    }

    fn urgency(&self, log: &f64, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        // The variance of rewards that are 0 or 1.
        let variance = child.mean * (1.0 - child.mean);
        let share = log / child.visits;
        child.mean + (2.0 * variance * share).max(0.0).sqrt() + 3.0 * share
    }
}

fn main() -> ExitCode {
    tengen::main_with(|| {
        register::selection("ucb-v", "1", |zeta| match zeta.parse() {
            Ok(zeta) if (0.0..=100.0).contains(&zeta) => Ok(UcbV { zeta }),
            _ => Err("ucb-v:ZETA, 0 to 100".to_owned()),
        })
    })
}
