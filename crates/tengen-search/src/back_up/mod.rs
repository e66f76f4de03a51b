//! Back-up: the result of a leaf is added to every node on its path.
//!
//! ```text
//! for each node on the path, from the leaf to the root:
//!     rewards += reward of the player who moved to the node
//!     (its visit was counted when it was selected)
//! with all-moves-as-first, for each node on the path:
//!     for each point on which its player to move was the first to play, from here on:
//!         visits of the point += 1, rewards of the point += reward of that player
//! ```
//!
//! For example, a simulation through C3 and C2 that Black wins; its playout begins with
//! Black B3, and its other moves are left out here:
//!
//! ```text
//! 4 . . . .     node          reward   all-moves-as-first
//! 3 . 3 1 .     root          +0       C3 +1, B3 +1     played by Black, to move there
//! 2 . . 2 .     └─ C3         +1       C2 +0            played by White, to move there
//! 1 . . . .        └─ C2      +0       B3 +1            played by Black, to move there
//!   A B C D
//! ```

mod rule;

pub use rule::{BackUp, BackUpRule, BackedUp, register};

use super::pending_leaf::{LeafOutcome, PendingLeaf};
use super::score_sum::ScoreSum;
use super::tree::{Node, Proof, Tree};
use super::uct::UctSearch;
use tengen_go::{Bits, Color, Move, Score};
use tengen_playout::Playout;

impl<const W: usize> UctSearch<W> {
    /// Adds the results of a leaf to every node on its path.
    pub(super) fn back_up(&mut self, pending_leaf: &PendingLeaf<W>) {
        if self.config.in_flight > 1 {
            // With one leaf in flight `nodes` still holds the nodes of its descent.
            self.find_nodes(&pending_leaf.path);
        }
        let own = self.own_reward(pending_leaf);
        if self.config.back_up.is_mean() {
            self.back_up_means(pending_leaf.count, own);
        } else {
            let rule = self.config.back_up.rule();
            self.back_up_by(rule, &pending_leaf.path, pending_leaf.count, own);
        }
        if self.tree.extras().amaf {
            self.refresh_means();
            for playout in pending_leaf.results.iter().flatten() {
                self.back_up_amaf(playout);
            }
        }
        if pending_leaf.outcome == LeafOutcome::Evaluation {
            self.expand_evaluated(pending_leaf);
        }
        if self.config.proofs {
            self.back_up_proof(pending_leaf);
        }
        if let Some(&first) = pending_leaf.path.first() {
            let first = usize::from(first);
            if self.scores.len() <= first {
                self.scores.resize_with(first + 1, ScoreSum::default);
            }
            let mut sum = self.scores[first];
            self.add_scores(pending_leaf, &mut sum);
            self.scores[first] = sum;
        }
    }

    /// Adds the results of `count` simulations to each of `nodes`; `own` is the sum of the rewards of
    /// the player to move at the root.
    fn back_up_means(&mut self, count: u32, own: f64) {
        let other = f64::from(count) - own;
        for (depth, &node) in self.nodes.iter().enumerate().rev() {
            // The player to move at the root has moved to the nodes of odd depth.
            let reward = if depth % 2 == 1 { own } else { other };
            // The value of a node is the mean of all results, whichever child they came from:
            // selection divides the node's rewards by its visits, which were counted when it was
            // selected.
            self.tree.reward_with(node, reward);
            if self.config.transpositions {
                self.positions.count(&self.tree, node, count, reward);
            }
        }
    }

    /// The player to move at the nodes of this depth.
    fn player_at(&self, depth: usize) -> Color {
        if depth.is_multiple_of(2) { self.root.to_play() } else { !self.root.to_play() }
    }

    /// Adds the scores of the leaf's results to `sum`, after the komi of the game.
    pub(super) fn add_scores(&self, pending_leaf: &PendingLeaf<W>, sum: &mut ScoreSum) {
        match pending_leaf.outcome {
            LeafOutcome::Terminal(score) => sum.add(score - self.rules.komi, pending_leaf.count),
            LeafOutcome::Playouts | LeafOutcome::Evaluation => {
                for playout in pending_leaf.results.iter().flatten() {
                    sum.add(playout.score - self.rules.komi, 1);
                }
            }
            LeafOutcome::SharedEvaluation | LeafOutcome::Proven(_) => {}
        }
    }

    /// Computes the means of `nodes` that the blend of RAVE reads.
    pub(super) fn refresh_means(&mut self) {
        for &node in &self.nodes {
            self.tree.refresh_mean(node);
        }
    }

    /// Fills `nodes` with the nodes of `path`, the root first.
    pub(super) fn find_nodes(&mut self, path: &[u16]) {
        self.nodes.clear();
        self.nodes.push(Tree::ROOT);
        let mut node = Tree::ROOT;
        for &number in path {
            node = self.tree.children(node).start + usize::from(number);
            self.nodes.push(node);
        }
    }

    /// The sum of the rewards of the player to move at the root, over the leaf's simulations whose
    /// results have arrived.
    pub(super) fn own_reward(&self, pending_leaf: &PendingLeaf<W>) -> f64 {
        let reward = |score| self.reward(score, self.root.to_play());
        match pending_leaf.outcome {
            LeafOutcome::Terminal(score) => f64::from(pending_leaf.count) * reward(score),
            LeafOutcome::Playouts => {
                pending_leaf.results.iter().flatten().map(|p| reward(p.score)).sum()
            }
            LeafOutcome::Evaluation | LeafOutcome::SharedEvaluation => {
                self.own_value(pending_leaf).unwrap_or_default()
            }
            LeafOutcome::Proven(proof) => {
                // The proof of a node is for the player who moved there.
                let mover_is_own = !pending_leaf.path.len().is_multiple_of(2);
                let is_won = (proof == Proof::Win) == mover_is_own;
                f64::from(pending_leaf.count) * f64::from(u8::from(is_won))
            }
        }
    }

    /// The reward of `player` where the score on the board is `score`: 1 for a win, ½ for
    /// jigo, 0 for a loss. The rewards of both players add up to 1.
    pub(super) fn reward(&self, score: Score, player: Color) -> f64 {
        match (score - self.rules.komi).winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == player)),
        }
    }

    /// Backs up a playout for all-moves-as-first: at each node of the path it counts the
    /// points on which the player to move there was the first to play from there on, in
    /// the tree or in the playout.
    fn back_up_amaf(&mut self, playout: &Playout<W>) {
        let own = self.reward(playout.score, self.root.to_play());
        let mut first = playout.first_plays;
        let depth = self.nodes.len();
        for place in (0..depth).rev() {
            let player = self.player_at(place);
            if let Some(&next) = self.nodes.get(place + 1)
                && let Move::Play(vertex) = self.tree.mv(next)
            {
                let point = Bits::point(Bits::<W>::index(vertex));
                first[player.index()] |= point;
                first[(!player).index()] = first[(!player).index()] - point;
            }
            let reward = if place % 2 == 0 { own } else { 1.0 - own };
            let taken = first[player.index()];
            #[allow(clippy::cast_possible_truncation)] // 0, ½ or 1
            let reward = reward as f32;
            self.tree.amaf_mut().count(self.nodes[place], &taken.words(), reward);
        }
    }

    /// Backs up proven results (Winands, Björnsson and Saito, "Monte-Carlo tree search
    /// solver", 2008): a node is lost for the player who moved there if a move from it is
    /// a proven win, and won if all moves from it are proven losses. Without the setting
    /// `own_eyes`, moves that fill an own eye are not in the tree: a proof then ignores them.
    fn back_up_proof(&mut self, pending_leaf: &PendingLeaf<W>) {
        if let LeafOutcome::Terminal(score) = pending_leaf.outcome {
            let leaf = self.nodes[self.nodes.len() - 1];
            let mover = self.player_at(pending_leaf.path.len() + 1);
            match (score - self.rules.komi).winner() {
                Some(winner) if winner == mover => self.tree.prove(leaf, Proof::Win),
                Some(_) => self.tree.prove(leaf, Proof::Loss),
                // Jigo is neither, and proves nothing above the leaf.
                None => return,
            }
        }
        for place in (0..self.nodes.len().saturating_sub(1)).rev() {
            let node = self.nodes[place];
            if self.tree.proof(self.nodes[place + 1]).is_none() {
                return;
            }
            match self.proof_from_children(node) {
                Some(proof) if self.tree.proof(node).is_none() => self.tree.prove(node, proof),
                _ => return,
            }
        }
    }

    /// The result of `node` for the player who moved there, if its children prove one.
    fn proof_from_children(&self, node: Node) -> Option<Proof> {
        let children = self.tree.children(node);
        if children.clone().any(|child| self.tree.proof(child) == Some(Proof::Win)) {
            return Some(Proof::Loss);
        }
        let all_lose = self.tree.is_complete(node)
            && children.into_iter().all(|child| self.tree.proof(child) == Some(Proof::Loss));
        all_lose.then_some(Proof::Win)
    }
}
