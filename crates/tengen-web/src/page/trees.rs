//! The last trees that questions were about, kept so that the next question need not grow them
//! again.
//!
//! Keeping a tree never changes an answer: a tree of n simulations is the same however it grew.

use crate::page::{GameText, Limits, Refusal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tengen_bots::{BotConfig, TreeSearch};
use tengen_go::Game;

/// The most trees that are kept.
const MOST: usize = 4;

/// The most memory that the kept trees take together, in bytes.
const MOST_BYTES: usize = 192 << 20;

/// A tree, and everything but its simulations that determines it.
struct Kept {
    of: String,
    tree: TreeSearch,
}

/// The kept trees, the last used one at the end.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

fn kept() -> MutexGuard<'static, Vec<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of `work` on the tree of `config` with the seed `seed` in `game`; the tree has at
/// most `simulations` simulations so far.
pub(super) fn with_tree<T>(
    game: &Game,
    config: &BotConfig,
    seed: u64,
    simulations: u64,
    work: impl FnOnce(&mut TreeSearch) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let text = GameText::of(game)?;
    let text = serde_json::to_string(&text).map_err(Refusal::new)?;
    let of = format!("{text} {config} {} {seed}", config.versions().join(" "));
    let place = |trees: &Vec<Kept>| {
        trees.iter().position(|kept| kept.of == of && kept.tree.grown() <= simulations)
    };
    let found = {
        let mut trees = kept();
        place(&trees).map(|place| trees.remove(place).tree)
    };
    let mut tree = match found {
        Some(tree) => tree,
        None => TreeSearch::begin(config, seed, game).map_err(Refusal::new)?,
    };
    let made = work(&mut tree);
    if made.is_ok() {
        let mut trees = kept();
        trees.push(Kept { of, tree });
        while trees.len() > MOST
            || trees.iter().map(|kept| kept.tree.bytes()).sum::<usize>() > MOST_BYTES
        {
            trees.remove(0);
        }
    }
    made
}

/// Grows `tree` to `simulations` within `limits`.
pub(super) fn grow(
    tree: &mut TreeSearch,
    simulations: u64,
    limits: &Limits,
    should_stop: &dyn Fn() -> bool,
) -> Result<(), Refusal> {
    tree.grow(simulations, limits.bytes / 2, should_stop).map_err(Refusal::new)
}
