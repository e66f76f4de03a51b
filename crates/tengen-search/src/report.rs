//! The report of a search: statistics of the moves at the root, workers merged.

use super::root_move::RootMove;
use super::score_sum::ScoreSum;
use super::search::SearchView;
use super::tree::{Proof, Tree};
use std::collections::BTreeMap;
use std::fmt;
use tengen_go::{Color, Game, Move};

/// The report of a search, all workers together.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color, Game, Komi, Preset, Rules};
/// use tengen_search::{UctConfig, shared};
///
/// let board = Board::from_diagram("...../XXX../OOX../.OX../.X...", Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let game = Game::from_position(board, rules);
/// let (report, _) = shared::search(&game, &UctConfig::default(), 1, Vec::new(), None)?;
/// let best = &report.moves[0];
/// assert_eq!(best.mv.to_string(), "A2");
/// assert!(best.value() > Some(0.9) && 2 * best.visits > report.visits());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// The player to move, from whose point of view all values are.
    pub to_play: Color,
    /// The visited moves at the root, most visited first; ties by value, then by
    /// vertex.
    pub moves: Vec<RootMove>,
    /// The principal variation: the most visited move, and the most visited replies in
    /// the worker's tree that visited it most.
    pub variation: Vec<Move>,
    /// Number of simulations of this search.
    pub simulations: u64,
    /// Mean depth of the leaves, the root having depth 0.
    pub mean_depth: f64,
    /// Depth of the deepest leaf.
    pub max_depth: usize,
    /// Number of nodes of all trees.
    pub nodes: usize,
    /// Memory of all trees, in bytes.
    pub bytes: usize,
    /// Whether a tree reached `max_nodes` nodes and could not grow further.
    pub was_full: bool,
    /// Duration of the search in seconds of wall-clock time.
    pub seconds: f64,
}

impl SearchReport {
    /// The most visited move with its value and the principal variation, on one
    /// line.
    #[must_use]
    pub fn summary(&self) -> String {
        let best = self.moves.first().map_or(String::new(), |best| {
            let value = best.value().map_or(String::new(), |v| format!(", win rate {v:.4}"));
            format!("{}: {} of {} visits{value}", best.mv, best.visits, self.visits())
        });
        let line: Vec<String> = self.variation.iter().take(12).map(ToString::to_string).collect();
        format!("{best}; {}", line.join(" "))
    }

    /// Number of visits of all moves at the root.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.moves.iter().map(|root_move| root_move.visits).sum()
    }

    /// The mean reward of the player to move over all visits, 0 to 1; none without visits.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        let reward: f64 = self.moves.iter().map(|root_move| root_move.reward).sum();
        let visits = self.visits();
        (visits > 0).then(|| reward / visits as f64)
    }

    /// The scores of all playouts.
    #[must_use]
    pub fn scores(&self) -> ScoreSum {
        let mut all = ScoreSum::default();
        self.moves.iter().for_each(|root_move| all += root_move.scores);
        all
    }

    /// Simulations per second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.simulations as f64 / self.seconds.max(1e-9)
    }
}

/// The report of a search of the last position of `game` from the views of its workers, in
/// their order, after `seconds` of search.
#[must_use]
pub fn report(game: &Game, workers: &[SearchView<'_>], seconds: f64) -> SearchReport {
    let simulations = workers.iter().map(|worker| worker.simulations).sum();
    let depth_sum: u64 = workers.iter().map(|worker| worker.depth_sum).sum();
    let moves = merge(workers);
    SearchReport {
        to_play: game.to_play(),
        variation: moves.first().map_or(Vec::new(), |best| {
            variation(workers.iter().map(|worker| worker.tree), best.mv)
        }),
        moves,
        simulations,
        mean_depth: depth_sum as f64 / simulations.max(1) as f64,
        max_depth: workers.iter().map(|worker| worker.max_depth).max().unwrap_or(0),
        nodes: workers.iter().map(|worker| worker.tree.len()).sum(),
        bytes: workers.iter().map(|worker| worker.tree.bytes()).sum(),
        was_full: workers.iter().any(|worker| worker.was_full),
        seconds,
    }
}

/// The visited moves at the roots of `workers` merged, most visited first.
fn merge(workers: &[SearchView<'_>]) -> Vec<RootMove> {
    let mut sums = BTreeMap::<Move, RootMove>::new();
    for &root_move in workers.iter().flat_map(|worker| &worker.moves) {
        let add = |sum: &mut RootMove| {
            sum.visits += root_move.visits;
            sum.reward += root_move.reward;
            sum.scores += root_move.scores;
            sum.proof = sum.proof.or(root_move.proof);
        };
        sums.entry(root_move.mv).and_modify(add).or_insert(root_move);
    }
    let mut moves: Vec<RootMove> = sums.into_values().collect();
    // The sort is stable: moves that tie in both stay in the order of vertices.
    moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.reward.total_cmp(&a.reward)));
    moves
}

/// The principal variation that begins with `first`, in that one of the workers' `trees` that
/// visited `first` most.
#[must_use]
pub fn variation<'a>(trees: impl DoubleEndedIterator<Item = &'a Tree>, first: Move) -> Vec<Move> {
    let best = trees
        .filter_map(|tree| tree.child(Tree::ROOT, first).map(|child| (tree, child)))
        .rev()
        .max_by_key(|&(tree, child)| tree.visits(child));
    let mut line = vec![first];
    if let Some((tree, child)) = best {
        line.extend(tree.principal_variation(child));
    }
    line
}

impl fmt::Display for SearchReport {
    /// The ten most visited moves and a line of figures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>6} {:>10} {:>9}", "move", "visits", "win rate")?;
        for root_move in self.moves.iter().take(10) {
            let value = root_move.value().map_or(String::new(), |value| format!("{value:.4}"));
            let proof = match root_move.proof {
                Some(Proof::Win) => "  won",
                Some(Proof::Loss) => "  lost",
                None => "",
            };
            writeln!(f, "{:>6} {:>10} {value:>9}{proof}", root_move.mv, root_move.visits)?;
        }
        let line: Vec<String> = self.variation.iter().take(12).map(ToString::to_string).collect();
        writeln!(f, "win rates are those of {}, who is to move", self.to_play)?;
        writeln!(f, "principal variation: {}", line.join(" "))?;
        write!(
            f,
            "{} playouts in {:.3} s ({:.0} a second), depth {:.1} mean and {} most, \
             {} nodes in {:.1} MiB",
            self.simulations,
            self.seconds,
            self.speed(),
            self.mean_depth,
            self.max_depth,
            self.nodes,
            self.bytes as f64 / f64::from(1 << 20),
        )?;
        if self.was_full { write!(f, "; the tree was full (max_nodes)") } else { Ok(()) }
    }
}
