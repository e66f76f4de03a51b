//! The UCT bot.

use super::{Bot, Turn};
use crate::go::{Game, Move};
use crate::search::tree::Tree;
use crate::search::{UctConfig, choice, root_parallel};
use crate::seed::mix;

/// Searches with UCT; keeps its trees between moves if told to.
pub struct UctBot<'pool> {
    config: UctConfig,
    seed: u64,
    pool: Option<&'pool rayon::ThreadPool>,
    kept: Option<Kept>,
}

/// Trees of an earlier position of the same game, one a worker.
struct Kept {
    trees: Vec<Tree>,
    /// The plies made when they were grown.
    ply: usize,
    /// The hash of the position then, by which another game is noticed.
    hash: u64,
}

impl<'pool> UctBot<'pool> {
    pub fn new(config: UctConfig, seed: u64, pool: Option<&'pool rayon::ThreadPool>) -> Self {
        Self { config, seed, pool, kept: None }
    }

    /// What the kept trees hold of the position of `game`.
    fn reusable(&mut self, game: &Game) -> Vec<Tree> {
        let Some(kept) = self.kept.take() else {
            return Vec::new();
        };
        if game.position_at(kept.ply).is_none_or(|board| board.hash() != kept.hash) {
            return Vec::new();
        }
        let line: Vec<Move> = game.moves().skip(kept.ply).map(|(_, made)| made).collect();
        let below = |tree: &Tree| {
            let node = line.iter().try_fold(Tree::ROOT, |node, &made| tree.child(node, made));
            node.map_or_else(Tree::new, |node| tree.below(node))
        };
        kept.trees.iter().map(below).collect()
    }
}

impl Bot for UctBot<'_> {
    fn genmove(&mut self, game: &Game) -> Turn {
        if choice::wins_by_passing(game) {
            return Turn { made: Move::Pass, playouts: Some(0), report: None };
        }
        let kept = self.reusable(game);
        let seed = mix(self.seed, u64::from(game.ply()));
        let (report, trees) = root_parallel::search(game, &self.config, seed, kept, self.pool);
        let made = choice::choose(game, &report, self.config.final_move);
        if self.config.reuse {
            let ply = game.moves().len();
            self.kept = Some(Kept { trees, ply, hash: game.board().hash() });
        }
        Turn { made, playouts: Some(report.playouts), report: Some(report) }
    }
}
