//! The report of a search: statistics of the moves at the root, workers merged.

use super::figure::{Figure, FigureValue};
use super::result::SearchView;
use super::root_move::RootMove;
use super::score_sum::ScoreSum;
use super::tree::Tree;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use tengen_go::{Color, Game, Move, Size};

/// Counts of a search's simulations. A saved search holds them field by field: a new field is another
/// format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchCounts {
    /// The number of simulations with a result.
    pub simulations: u64,
    /// The sum of the depths of all simulations' leaves; the root has depth 0.
    pub depth_sum: u64,
    /// The depth of the deepest leaf.
    pub max_depth: usize,
    /// Whether the search could not add a node because the tree was full.
    pub was_full: bool,
}

impl AddAssign for SearchCounts {
    fn add_assign(&mut self, other: Self) {
        self.simulations += other.simulations;
        self.depth_sum += other.depth_sum;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.was_full |= other.was_full;
    }
}

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
/// assert!(best.value() > Some(0.9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// The player to move, from whose point of view all values are.
    pub to_play: Color,
    /// The visited moves at the root, most visited first; ties by value, then by
    /// vertex.
    pub moves: Vec<RootMove>,
    /// Unvisited moves that have an improved policy or, after [`SearchReport::add_details`], a
    /// prior or AMAF visits; in the order of points.
    pub unvisited: Vec<RootMove>,
    /// Counts of the simulations of this search.
    pub counts: SearchCounts,
    /// Number of nodes of all trees.
    pub nodes: usize,
    /// Memory of all trees, in bytes.
    pub bytes: usize,
    /// Duration of the search in seconds of wall-clock time.
    pub seconds: f64,
}

impl SearchReport {
    /// The figures of a search, without the figures of its moves.
    pub const FIGURES: &'static [Figure<Self>] = &[
        Figure {
            name: "simulations",
            plural: "simulations",
            meaning: "simulations of this search, without those of a tree that it continues",
            of: |of| FigureValue::Count(of.counts.simulations),
        },
        Figure {
            name: "mean_depth",
            plural: "mean_depths",
            meaning: "mean depth of the leaves, the root having depth 0",
            of: |of| FigureValue::Real(of.mean_depth()),
        },
        Figure {
            name: "max_depth",
            plural: "max_depths",
            meaning: "depth of the deepest leaf",
            of: |of| FigureValue::Count(of.counts.max_depth as u64),
        },
        Figure {
            name: "nodes",
            plural: "nodes",
            meaning: "nodes of the trees",
            of: |of| FigureValue::Count(of.nodes as u64),
        },
        Figure {
            name: "bytes",
            plural: "tree_bytes",
            meaning: "memory of the trees, in bytes",
            of: |of| FigureValue::Count(of.bytes as u64),
        },
        Figure {
            name: "was_full",
            plural: "were_full",
            meaning: "whether a tree held max_nodes nodes and could not grow further",
            of: |of| FigureValue::Flag(of.counts.was_full),
        },
    ];

    /// The report of a search that has found nothing yet, with `to_play` to move.
    #[must_use]
    pub fn nothing(to_play: Color) -> Self {
        Self {
            to_play,
            moves: Vec::new(),
            unvisited: Vec::new(),
            counts: SearchCounts::default(),
            nodes: 0,
            bytes: 0,
            seconds: 0.0,
        }
    }

    /// Adds what the workers' `trees` know of the moves at the root, on a board of `size`: the
    /// priors of the first tree, the AMAF statistics of all trees, the variation of each visited
    /// move, and the moves without visits. Adds nothing without trees. The cost is one descent per
    /// visited move.
    pub fn add_details<'a>(
        &mut self,
        size: Size,
        trees: impl DoubleEndedIterator<Item = &'a Tree>,
    ) {
        fn at(all: &mut BTreeMap<Move, RootMove>, mv: Move) -> &mut RootMove {
            all.entry(mv).or_insert_with(|| RootMove::new(mv))
        }
        let trees: Vec<&Tree> = trees.collect();
        if trees.is_empty() {
            return;
        }
        let moves = std::mem::take(&mut self.moves);
        let order: Vec<Move> = moves.iter().map(|it| it.mv).collect();
        // An earlier call may have added AMAF statistics: start anew.
        let known = moves.into_iter().chain(std::mem::take(&mut self.unvisited));
        let mut all: BTreeMap<Move, RootMove> =
            known.map(|it| (it.mv, RootMove { amaf: None, ..it })).collect();
        for tree in trees.iter().filter(|tree| tree.extras().amaf) {
            for (mv, visits, rewards) in tree.amaf().counted(Tree::ROOT) {
                let (all_visits, all_rewards) = at(&mut all, mv).amaf.get_or_insert_default();
                *all_visits += f64::from(visits);
                *all_rewards += f64::from(rewards);
            }
        }
        if let Some(tree) = trees.first().filter(|tree| tree.extras().priors) {
            // Children and illegal moves have a negative prior in this row.
            let untried = tree.untried_priors(Tree::ROOT, size).unwrap_or_default();
            for (number, &prior) in untried.iter().enumerate().filter(|&(_, &prior)| prior >= 0.0) {
                at(&mut all, size.move_of(number)).prior = Some(prior);
            }
            let children = tree.children(Tree::ROOT);
            for (child, &prior) in children.clone().zip(tree.columns(children).priors) {
                at(&mut all, tree.mv(child)).prior = Some(prior);
            }
        }
        self.moves = order.into_iter().filter_map(|mv| all.remove(&mv)).collect();
        for root_move in &mut self.moves {
            root_move.variation = variation(&trees, root_move.mv);
        }
        self.unvisited = all.into_values().collect();
    }

    /// The principal variation: the most visited move, then the most visited replies in the tree of
    /// the worker that visited the move most.
    #[must_use]
    pub fn variation(&self) -> &[Move] {
        self.moves.first().map_or(&[], |best| &best.variation)
    }

    /// Mean depth of the leaves, the root having depth 0; none without simulations.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        let SearchCounts { simulations, depth_sum, .. } = self.counts;
        (simulations > 0).then(|| depth_sum as f64 / simulations as f64)
    }

    /// The most visited move with its value and the principal variation, on one
    /// line.
    #[must_use]
    pub fn summary(&self) -> String {
        let best = self.moves.first().map_or(String::new(), |best| {
            let value = best.value().map_or(String::new(), |v| format!(", win rate {v:.4}"));
            format!("{}: {} of {} visits{value}", best.mv, best.visits, self.visits())
        });
        format!("{best}; {}", self.variation_text())
    }

    /// The first twelve moves of the principal variation.
    fn variation_text(&self) -> String {
        let moves = self.variation().iter().take(12);
        moves.map(ToString::to_string).collect::<Vec<_>>().join(" ")
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
        self.counts.simulations as f64 / self.seconds.max(1e-9)
    }
}

impl Serialize for SearchReport {
    /// An object with `to_play`, the figures that are known, `seconds`, and `moves`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("to_play", &self.to_play.to_string())?;
        Figure::write(Self::FIGURES, self, &mut map)?;
        map.serialize_entry("seconds", &self.seconds)?;
        map.serialize_entry("moves", &self.moves)?;
        map.end()
    }
}

/// The report of a search of the last position of `game`, after `seconds` of search, from the views
/// of its workers in worker order. Only the most visited move gets its variation.
#[must_use]
pub fn report(game: &Game, workers: &[SearchView<'_>], seconds: f64) -> SearchReport {
    let parts = workers.iter().map(|worker| (worker.moves.clone(), worker.counts));
    let mut report = merge(game.to_play(), parts, seconds);
    report.nodes = workers.iter().map(|worker| worker.tree.len()).sum();
    report.bytes = workers.iter().map(|worker| worker.tree.bytes()).sum();
    if let Some(best) = report.moves.first_mut() {
        let trees: Vec<&Tree> = workers.iter().map(|worker| worker.tree).collect();
        best.variation = variation(&trees, best.mv);
    }
    report
}

/// Merges the moves at the roots and the counts of the `workers` of a search, in their order.
/// `to_play` is the player to move. A move keeps the variation of the worker that visited it most.
#[must_use]
pub fn merge(
    to_play: Color,
    workers: impl IntoIterator<Item = (Vec<RootMove>, SearchCounts)>,
    seconds: f64,
) -> SearchReport {
    let mut report = SearchReport { seconds, ..SearchReport::nothing(to_play) };
    let mut sums = BTreeMap::<Move, (u64, RootMove)>::new();
    for (moves, counts) in workers {
        report.counts += counts;
        for root_move in moves {
            let Some((most, sum)) = sums.get_mut(&root_move.mv) else {
                sums.insert(root_move.mv, (root_move.visits, root_move));
                continue;
            };
            sum.visits += root_move.visits;
            sum.reward += root_move.reward;
            sum.scores += root_move.scores;
            sum.proof = sum.proof.or(root_move.proof);
            if root_move.visits > *most {
                (*most, sum.variation) = (root_move.visits, root_move.variation);
            }
        }
    }
    let all = sums.into_values().map(|(_, sum)| sum);
    (report.moves, report.unvisited) = all.partition(|root_move| root_move.visits > 0);
    let worth = |it: &RootMove| it.improved.map_or(0.0, |improved| improved.worth);
    // The sort is stable: moves that tie in all stay in the order of vertices.
    report.moves.sort_by(|a, b| {
        let by_worth = || worth(b).total_cmp(&worth(a));
        let by_reward = || b.reward.total_cmp(&a.reward);
        b.visits.cmp(&a.visits).then_with(by_worth).then_with(by_reward)
    });
    report
}

/// The principal variation that begins with `first`, from the worker's tree that visited `first`
/// most.
fn variation(trees: &[&Tree], first: Move) -> Vec<Move> {
    let mut line = vec![first];
    let of_first = trees.iter().filter_map(|tree| Some((tree, tree.child(Tree::ROOT, first)?)));
    // Ties go to the first tree.
    if let Some((tree, child)) = of_first.rev().max_by_key(|&(tree, child)| tree.visits(child)) {
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
            let proof = root_move.proof.map_or(String::new(), |proof| format!("  {proof}"));
            writeln!(f, "{:>6} {:>10} {value:>9}{proof}", root_move.mv, root_move.visits)?;
        }
        writeln!(f, "win rates are those of {}, who is to move", self.to_play)?;
        writeln!(f, "principal variation: {}", self.variation_text())?;
        write!(
            f,
            "{} simulations in {:.3} s ({:.0} a second), mean depth {:.1}, greatest {}, \
             {} nodes in {:.1} MiB",
            self.counts.simulations,
            self.seconds,
            self.speed(),
            self.mean_depth().unwrap_or(0.0),
            self.counts.max_depth,
            self.nodes,
            self.bytes as f64 / f64::from(1 << 20),
        )?;
        if self.counts.was_full { write!(f, "; the tree was full (max_nodes)") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{Batch, NamedEvaluator};
    use crate::{UctConfig, shared};
    use tengen_go::{Komi, Preset, Rules};

    /// A search of the empty 5×5 board by two workers.
    fn searched(config: UctConfig) -> (SearchReport, Vec<Tree>, Size) {
        let size: Size = "5x5".parse().unwrap();
        let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
        let config = UctConfig { workers: 2, ..config };
        let (report, trees) = shared::search(&game, &config, 3, Vec::new(), None).unwrap();
        (report, trees, size)
    }

    #[test]
    fn details_are_those_of_all_trees_however_often_they_are_added() {
        let (plain, trees, size) = searched(UctConfig::default());
        let mut report = plain.clone();
        report.add_details(size, [].iter());
        assert_eq!(report, plain, "there is no tree");
        report.add_details(size, trees.iter());
        let once = report.clone();
        report.add_details(size, trees.iter());
        assert_eq!(report, once);
        let known = once.moves.iter().chain(&once.unvisited);
        let visits: f64 = known.filter_map(|it| it.amaf).map(|(visits, _)| visits).sum();
        let counted = trees.iter().flat_map(|tree| tree.amaf().counted(Tree::ROOT));
        let expected: f64 = counted.map(|(_, visits, _)| f64::from(visits)).sum();
        assert!(visits > 0.0 && (visits - expected).abs() < 1e-6, "{visits} and {expected}");
        for (before, after) in plain.moves.iter().zip(&once.moves) {
            assert_eq!((before.mv, before.visits), (after.mv, after.visits));
            assert_eq!(after.variation.first(), Some(&after.mv));
        }
        assert_eq!(once.variation(), plain.variation());
        assert!(once.moves[0].prior.is_none(), "priors count as all-moves-as-first visits");
    }

    #[test]
    fn each_legal_move_has_its_prior_before_it_is_tried() {
        // The pass has three times the weight of a point.
        let passing = |batch: Batch<'_>| {
            batch.values.fill(0.5);
            batch.priors.chunks_mut(batch.size.points() + 1).for_each(|row| row[25] = 3.0);
            Ok(())
        };
        let evaluator = NamedEvaluator::new("passing", "1", move || Ok(Box::new(passing)));
        let config = UctConfig { simulations: Some(8), ..UctConfig::with_evaluator(evaluator) };
        let (mut report, trees, size) = searched(config);
        report.add_details(size, trees.iter());
        assert!(!report.moves.is_empty() && report.unvisited.len() > 10, "{report:?}");
        let known: Vec<&RootMove> = report.moves.iter().chain(&report.unvisited).collect();
        assert_eq!(known.len(), 26);
        for RootMove { mv, prior, .. } in known {
            let expected = if *mv == Move::Pass { 3.0 } else { 1.0 } / 28.0;
            assert!((prior.unwrap() - expected).abs() < 1e-6, "{mv}: {prior:?}");
        }
    }

    #[test]
    fn json_has_the_figures_that_are_known() {
        let mv: Move = "C3".parse().unwrap();
        let mut report = SearchReport::nothing(Color::White);
        report.counts = SearchCounts { simulations: 3, depth_sum: 4, max_depth: 2, was_full: true };
        let (proof, amaf) = (Some(crate::tree::Proof::Loss), Some((4.0, 1.0)));
        let variation = vec![mv, Move::Pass];
        report.moves =
            vec![RootMove { visits: 3, reward: 1.0, proof, amaf, variation, ..RootMove::new(mv) }];
        let expected = r#"{"to_play":"white","simulations":3,"mean_depth":1.333333,"max_depth":2,"nodes":0,"bytes":0,"was_full":true,"seconds":0.0,"moves":[{"move":"C3","visits":3,"win_rate":0.333333,"amaf_visits":4.0,"amaf_win_rate":0.25,"proof":"lost","variation":["C3","pass"]}]}"#;
        assert_eq!(serde_json::to_string(&report).unwrap(), expected);
        let nothing = serde_json::to_value(SearchReport::nothing(Color::Black)).unwrap();
        assert_eq!(nothing.get("mean_depth"), None);
    }
}
