//! The settings of a UCT search.

mod together;

use super::back_up::BackUp;
use super::column::FEW;
use super::evaluator::NamedEvaluator;
use super::final_move::FinalMove;
use super::prior::{Learned, Prior};
use super::root_noise::RootNoise;
use super::select::{Fpu, Rave, Selection};
use super::sharing::Sharing;
use super::temperature::Temperature;
use super::tree::{Extras, PriorRows};
use std::ops::Bound::{Excluded, Included};
use std::ops::Range;
use tengen_go::{Bits, Komi, Size, with_words};
use tengen_playout::{EarlyStop, PlayoutConfig, Policy};
use tengen_settings::{KeyChange, Settings as _, Table, settings};

/// How the nodes of a tree get their children.
///
/// # Examples
/// ```
/// use tengen_search::UctConfig;
/// use tengen_search::config::Expansion;
///
/// assert_eq!(UctConfig::default().growth(), Expansion::ByAmaf);
/// assert_eq!(UctConfig::plain().growth(), Expansion::Singly);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// All at once, when the node first selects: the formula or the priors rank moves without
    /// visits.
    AllAtOnce,
    /// One by one, in random order: moves without visits are equally urgent.
    Singly,
    /// One by one: all-moves-as-first, whose statistics begin with the priors, ranks the moves
    /// without visits.
    ByAmaf,
    /// One by one, by falling prior: of the moves without visits only the move of the highest prior
    /// can be selected.
    ByPrior,
}

settings! {
    "uct" => checked; changes KEY_CHANGES
    /// The settings of a UCT search: all numbers that decide its result except the seed.
    /// Numbers of the machine, such as threads, are not among them.
    ///
    /// # Examples
    /// ```
    /// use tengen_search::UctConfig;
    ///
    /// let config = UctConfig { simulations: Some(2_000), workers: 4, ..UctConfig::default() };
    /// assert_eq!(config.validate(), Ok(()));
    /// let too_few = UctConfig { simulations: Some(2), ..config };
    /// let error = too_few.validate().map_err(|error| error.to_string());
    /// let expected = "`workers` is 4: it must be at most `simulations`, which they share";
    /// assert_eq!(error, Err(expected.to_owned()));
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    #[allow(clippy::struct_excessive_bools)] // each is a setting of its own
    pub struct UctConfig {
        /// Seconds per move.
        ///
        /// Results that depend on a clock cannot be repeated. If `simulations` is set too, the
        /// search ends at the limit that it reaches first.
        #[serde(skip_serializing_if = "Option::is_none")]
        seconds: Option<f64> = None, "SECONDS" One, in (Excluded(0.0), Included(1e6));
        /// Simulations per move, all workers together.
        ///
        /// With `reuse` these simulations are added to the simulations of the kept tree. If
        /// `seconds` is set and `simulations` is not, their number has no limit.
        #[serde(skip_serializing_if = "Option::is_none")]
        simulations: Option<u64> = seconds.is_none().then_some(1_000), "N" One, in 1..=1_000_000_000;
        /// Root parallelism: number of searches that divide the simulations of a move among them.
        ///
        /// The searches are merged at the root. They are independent unless `sharing` is set.
        workers: u32 = 1, "N" One, in 1..=1_024;
        /// Statistics that the workers share while they search.
        ///
        /// `upper-tree`: after every EVERY simulations of each worker, the workers exchange
        /// statistics of nodes near the root: of each node down to DEPTH that in the tree of some
        /// worker has at least the share LEAST of the visits of the root. Each worker then sets the
        /// visits of the node to the mean over all workers, or keeps its own visits if they are
        /// more; the mean reward becomes the mean over all simulations of all workers. This is
        /// another algorithm than root parallelism. It cannot be combined with `in_flight`, `reuse`
        /// or `transpositions`.
        sharing: Sharing = Sharing::default(), "SHARING" One, neutral "none";
        /// Number of leaves of a worker's tree that are in flight at once: selected, without a
        /// result.
        ///
        /// With more than one, the search selects a leaf before it knows the results of the leaves
        /// ahead. Each leaf in flight counts as a lost visit (virtual loss). Values above 1 change
        /// the algorithm and its strength.
        in_flight: u32 = 1, "N" One, in 1..=256;
        /// Leaf parallelism: number of playouts from each leaf.
        ///
        /// Each playout counts as a simulation.
        leaf_playouts: u32 = 1, "N" One, in 1..=256;
        /// Evaluator that judges a leaf in place of a playout, by its registered name.
        ///
        /// The search backs up the value of the evaluator. `rave` must be `none`, `leaf_playouts` 1
        /// and `sharing` `none`. If the evaluator gives priors, the children of the leaf get these
        /// priors: `prior` must be `none`, `expansion` 1 and `transpositions` false, and the
        /// defaults become `selection=puct`, `exploration=1.25` and `first_play=parent-0.2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        evaluator: Option<NamedEvaluator> = None, "NAME" One;
        /// Formula that selects a child.
        ///
        /// `gumbel` is the search of Danihelka et al. 2022: it divides `simulations` among MOVES
        /// moves at the root by sequential halving. VISITS and SCALE weigh values against priors,
        /// and NOISE scales the Gumbel draws. Write `gumbel` alone or with all four numbers.
        selection: Selection = judgement(evaluator.as_ref()).selection, "FORMULA" One;
        /// RAVE: how the mean of a move is blended with its all-moves-as-first (AMAF) mean.
        ///
        /// `equivalence`: both means weigh the same after VISITS visits of the node, for all its
        /// moves alike. `min-mse`: the weight of the AMAF mean falls with the visits of the move,
        /// and falls faster with a larger BIAS, the assumed bias of the AMAF mean.
        rave: Rave = judgement(evaluator.as_ref()).rave, "SCHEDULE" One;
        /// Prior values of moves.
        ///
        /// A prior counts as visits; with `rave` as AMAF visits. `heuristic`: captures, escapes,
        /// atari, distance from the last move and the like; the prior counts as VISITS visits.
        /// `learned`: a probability P for each move, by weights of features, which `tengen learn`
        /// fits to searches; the prior counts as EVEN + WEIGHT √P visits, of which EVEN / 2 +
        /// WEIGHT √P are won. Without FILE the weights are built in; without EVEN:WEIGHT the
        /// numbers are 14:100. `puct` reads P.
        prior: Prior = judgement(evaluator.as_ref()).prior, "PRIOR" One;
        /// Exploration by a learned prior, beside RAVE: adds B · P · √N / (1 + n) to the urgency of
        /// each play.
        ///
        /// P is the prior probability of the play, N are the visits of the node and n the visits of
        /// the play. With 0 the RAVE mean alone ranks plays without visits, and a likely play may
        /// never be visited. Only with `rave` and `prior=learned`. The term is that of `puct`
        /// (Rosin 2011, Silver et al. 2017); adding it to RAVE is Tengen's choice.
        prior_exploration: f64 = exploration_by(rave, prior) => "0.15; 0 without rave and a learned prior", "B" One, in 0.0..=1e6, neutral "0";
        /// Exploration constant c of the formula.
        exploration: f64 = judgement(evaluator.as_ref()).exploration_beside(prior_exploration) => "0.05; 0.1 with prior_exploration=0", "C" One, in 0.0..=1e6;
        /// Length of an epoch, as a share of the visits of the selected move; 0 for no epochs.
        ///
        /// After a comparison has selected a move of n visits, the node repeats this move for its
        /// next SHARE · n selections, rounded down. Epochs save time in nodes with more than 1 /
        /// SHARE visits. With 0 every selection compares the moves. Source:
        /// UCB2 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit
        /// problem", 2002, figure 2).
        epoch: f64 = 0.0, "SHARE" One, in 0.0..=1.0, neutral "0";
        /// First-play urgency: the value of a move without visits.
        ///
        /// `inf` tries every move once before it tries a move again. `parent-0.1` is the mean of
        /// the node minus 0.1.
        first_play: Fpu = judgement(evaluator.as_ref()).first_play, "VALUE" One;
        /// Number of visits that a node must have had before it is expanded.
        ///
        /// With 1 a node is expanded after its first visit. The root is expanded at once.
        expansion: u32 = judgement(evaluator.as_ref()).expansion, "VISITS" One, in 1..=1_000_000;
        /// How the value of a node follows from the results of its simulations.
        ///
        /// `mean`: the mean of the results.
        back_up: BackUp = BackUp::default(), "RULE" One, neutral "mean";
        /// Share s of a playout in the reward of a leaf that the evaluator judges.
        ///
        /// The reward is (1 − s) · value + s · result of a playout from the leaf. With 0 no
        /// playouts are played. Source: Silver et al., "Mastering the game of Go with deep neural
        /// networks and tree search", 2016, there λ.
        playout_share: f64 = 0.0, "SHARE" One, in 0.0..=1.0, neutral "0";
        /// Noise in the priors at the root, for self-play: it makes games differ and costs
        /// strength.
        ///
        /// With ALPHA:SHARE a prior p becomes (1 − SHARE) p + SHARE · η, where η is the move's part
        /// of a draw from the Dirichlet distribution of parameter ALPHA. `AlphaZero` has 0.03:0.25
        /// on 19×19; small boards need a greater ALPHA. Only for `puct` and for registered formulas
        /// that read priors, and not with `sharing`.
        root_noise: RootNoise = RootNoise::None, "NOISE" One, neutral "none";
        /// Count plays that fill an own eye as moves.
        ///
        /// This holds for the moves of the tree, and for the legal moves that an evaluator sees.
        /// Playouts never fill own eyes.
        own_eyes: bool = false, "TRUTH" One, neutral "false";
        /// Share statistics between transpositions.
        transpositions: bool = false, "TRUTH" One;
        /// Back up proven wins and losses from terminal nodes.
        proofs: bool = false, "TRUTH" One;
        /// Win rate below which the bot resigns; with 0 the bot never resigns.
        ///
        /// The bot resigns if the 95 % Wilson interval of the value of the most visited move lies
        /// below this win rate. At 0.05 this takes at least 73 visits.
        resign: f64 = 0.0, "VALUE" One, in 0.0..=1.0;
        /// Rule for the move that is played after the search.
        ///
        /// `visits`: the most visited move. `value`: the move of the highest mean. `lower-bound`:
        /// the move with the highest lower end of the 95 % Wilson interval of its mean.
        final_move: FinalMove = FinalMove::default(), "RULE" One;
        /// Smart pruning: the search ends early once FACTOR times the lead of the most visited move is
        /// at least the number of simulations that are left.
        ///
        /// The lead is the visits of this move minus those of the next, in a kept tree too. With 1 the
        /// search ends when no other move can overtake, with more it ends earlier, and with 0 it uses
        /// its whole budget. If `seconds` limits the search, its speed so far tells what is left. Each
        /// of several `workers` ends by its own visits. It cannot be combined with `sharing` or
        /// `gumbel`. Sources: Lc0; STOP of Baier and Winands, "Time management for Monte Carlo tree
        /// search", 2016.
        smart_pruning: f64 = 0.0, "FACTOR" One, in 0.0..=1_000.0, neutral "0";
        /// Mean of the most visited move above which the search ends early, since the win is sure.
        ///
        /// The search looks at the mean every 128 simulations, after a tenth of its budget. With 1 it
        /// never ends for this reason. It cannot be combined with `sharing` or `gumbel`. Source: Pachi,
        /// there with a number of playouts in place of the tenth.
        sure_win: f64 = 1.0, "VALUE" One, in 0.5..=1.0, neutral "1";
        /// Sample early moves by visit count, for self-play: it makes games differ and costs
        /// strength.
        ///
        /// With TEMPERATURE:PLIES the bot plays a move of n visits with a probability proportional
        /// to n^(1/TEMPERATURE), in place of the `final_move`, until the game has PLIES plies.
        /// Plies of the opening count. With `proofs` a proven win is always played, and a proven
        /// loss only if all moves lose.
        temperature: Temperature = Temperature::None, "TEMPERATURE" One, neutral "none";
        /// Keep the part of the tree below the moves made for the next move.
        reuse: bool = false, "TRUTH" One;
        /// Largest number of nodes of the tree of a worker, as `analyze` counts nodes.
        ///
        /// The children of the root always exist. When the tree is full, the search continues
        /// without expanding.
        max_nodes: u32 = 1 << 24, "N" One, in 1_000..=2_000_000_000;
        /// Playout policy: how playouts choose their moves.
        ///
        /// `uniform`: every move with equal probability. `capture-escape`: with PROBABILITY first
        /// the moves that capture the chain of the last stone, or that extend an own chain in atari
        /// beside it. `mogo:P:Q`: a random number u decides in each turn. If u is below P, the
        /// moves of `capture-escape` come first. If none of them comes first and u is below Q,
        /// moves beside the last stone that fit one of MoGo's 3x3 patterns come first. `tactical`:
        /// looks for chains in atari on the whole board, and vetoes self-ataris that kill nothing;
        /// `tactical` alone is `tactical:1:0.9:0.9:1:1:1`. With five numbers the sixth is 0. The page
        /// Playouts of the manual defines all policies.
        policy: Policy = Policy::built_in("tactical"), "POLICY" One;
        /// Rule that stops playouts before they are over.
        ///
        /// `mercy`: a player leads by more than LEAD stones. `decided`: the points that a player
        /// holds for sure win by more than MARGIN points. Both include the komi. The page Playouts
        /// of the manual defines both.
        stop: EarlyStop = EarlyStop::default(), "RULE" One;
    }
}

/// How keys of published runs, and names from elsewhere, differ from the present keys.
const KEY_CHANGES: &[KeyChange] = &[
    KeyChange::CalledElsewhere { key: "c", here: "exploration" },
    KeyChange::CalledElsewhere { key: "fpu", here: "first_play" },
    KeyChange::CalledElsewhere { key: "threads", here: "workers" },
    KeyChange::CalledElsewhere { key: "visits", here: "simulations" },
    KeyChange::Renamed { key: "playouts", now: "simulations" },
    KeyChange::Renamed { key: "solver", now: "proofs" },
    without_use("dynamic_komi", "none"),
    without_use("early_stop", "false"),
    without_use("merge", "visits"),
    without_use("value", "win"),
    without_use("when_full", "stop"),
    without_use("widening", "none"),
    KeyChange::Removed {
        key: "tree_threads",
        neutral: "1",
        commit: "b5bfc0ac",
        date: "2026-11-21",
    },
];

/// A setting that was removed because every default was `neutral`.
const fn without_use(key: &'static str, neutral: &'static str) -> KeyChange {
    KeyChange::Removed { key, neutral, commit: "b67606fc", date: "2026-11-23" }
}

/// The byte range of a file's path in `text`, the value of the setting `key` of a search; none if
/// the value names no file.
///
/// # Examples
/// ```
/// use tengen_search::config::path_in;
///
/// assert_eq!(path_in("prior", "learned:a/weights.txt:14:100"), Some(8..21));
/// assert_eq!(path_in("prior", "learned:14:100"), None);
/// assert_eq!(path_in("evaluator", "onnx:net.onnx"), Some(5..13));
/// ```
#[must_use]
pub fn path_in(key: &str, text: &str) -> Option<Range<usize>> {
    let (kind, path) = match key {
        "prior" => ("learned:", Learned::path_in(text.strip_prefix("learned:")?)),
        "evaluator" => ("onnx:", text.strip_prefix("onnx:")?),
        _ => return None,
    };
    (!path.is_empty()).then(|| kind.len()..kind.len() + path.len())
}

/// The settings for judging and selecting nodes whose defaults depend on the evaluator.
struct Judgement {
    selection: Selection,
    exploration: f64,
    first_play: Fpu,
    expansion: u32,
    rave: Rave,
    prior: Prior,
}

/// The defaults of a search whose leaves `evaluator` judges.
///
/// Without an evaluator: UCB1 with RAVE and learned priors, and expansion after two visits. With an
/// evaluator that gives priors: settings near those of `AlphaZero` (Silver et al., "Mastering the
/// game of Go without human knowledge", 2017): PUCT over the evaluator's priors, expansion after
/// the first visit, and a first play below the mean of its node. With any other evaluator: the
/// defaults of a search by playouts, but without RAVE, which counts the moves of playouts.
fn judgement(evaluator: Option<&NamedEvaluator>) -> Judgement {
    if evaluator.is_some_and(NamedEvaluator::gives_priors) {
        return Judgement {
            selection: Selection::built_in("puct"),
            exploration: 1.25,
            first_play: Fpu::Parent(-0.2),
            expansion: 1,
            rave: Rave::None,
            prior: Prior::default(),
        };
    }
    Judgement {
        selection: Selection::default(),
        exploration: 0.1,
        first_play: Fpu::Constant(f64::INFINITY),
        expansion: 2,
        rave: if evaluator.is_some() { Rave::None } else { Rave::Equivalence(3_000.0) },
        prior: Prior::built_in("learned:14:100"),
    }
}

impl Judgement {
    /// The default exploration constant beside `prior_exploration`, which explores too.
    const fn exploration_beside(&self, prior_exploration: f64) -> f64 {
        if prior_exploration > 0.0 { 0.05 } else { self.exploration }
    }
}

/// The default of `prior_exploration`.
fn exploration_by(rave: Rave, prior: Prior) -> f64 {
    if rave != Rave::None && prior.learned().is_some() { 0.15 } else { 0.0 }
}

impl Default for UctConfig {
    /// UCB1 with RAVE, learned priors, exploration by them, playouts by `tactical`, and expansion
    /// after two visits.
    ///
    /// Matches of `results/README.md`: exploration by priors is stronger on 9×9 at equal simulations
    /// (explore-uct-4000-9x9). In the same CPU time learned priors with this expansion are stronger
    /// on 9×9 and 13×13 than heuristic priors with expansion after eight visits (learned-uct-9x9,
    /// learned-uct-13x13), and `tactical` is stronger on 9×9 than `capture-escape:0.9`, both with
    /// heuristic priors (tactical-uct-9x9).
    fn default() -> Self {
        Self::from_table(Table::new()).expect("the defaults are in their ranges")
    }
}

impl UctConfig {
    /// Policy, early stop and komi of the playouts, in a game of this komi.
    #[must_use]
    pub const fn playout_config(&self, komi: Komi) -> PlayoutConfig {
        PlayoutConfig { policy: self.policy, stop: self.stop, komi }
    }

    /// A search whose leaves `evaluator` judges, with the defaults of such a search.
    #[must_use]
    pub fn with_evaluator(evaluator: NamedEvaluator) -> Self {
        let judgement = judgement(Some(&evaluator));
        let Judgement { selection, exploration, first_play, expansion, rave, prior } = judgement;
        let evaluator = Some(evaluator);
        Self {
            evaluator,
            selection,
            exploration,
            first_play,
            expansion,
            rave,
            prior,
            prior_exploration: 0.0,
            ..Self::default()
        }
    }

    /// These settings with `seconds` as the only limit, or without a limit. A formula that plans
    /// its simulations keeps `simulations`.
    #[must_use]
    pub fn limited(&self, seconds: Option<f64>) -> Self {
        let simulations = self.simulations.filter(|_| self.selection.properties().plans_root);
        Self { seconds, simulations, ..self.clone() }
    }

    /// Plain UCT (Kocsis and Szepesvári 2006): UCB1 with c = 0.5, without RAVE and priors, with
    /// uniform playouts and expansion after two visits: no knowledge of Go. Every other setting has
    /// its default.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            exploration: 0.5,
            rave: Rave::None,
            prior: Prior::default(),
            prior_exploration: 0.0,
            policy: Policy::default(),
            ..Self::default()
        }
    }

    /// An upper bound of the bytes that the trees of one move take on a board of `size`, all
    /// workers together, in a search that keeps no tree; none if simulations have no limit.
    #[must_use]
    pub fn max_bytes(&self, size: Size) -> Option<u64> {
        /// A node with its share of columns and of blocks that are not full.
        const NODE: u64 = 56;
        /// The epoch of a node, with its share of blocks that are not full.
        const EPOCH: u64 = 6;
        /// A point of a node's statistics of all-moves-as-first: a compact block that
        /// has become a wide one.
        const CELL: u64 = 16;
        /// The most unused bytes of the columns of a small tree, which grow by half.
        const FEW_NODES: u64 = 4_096 + FEW as u64 / 2 * 40;
        /// Bytes up to which columns grow by half when they are full.
        const SMALL: u64 = 64 << 20;
        let simulations = self.simulations?.div_ceil(self.workers.into());
        let points = size.points() as u64 + 1;
        // A node that selects was a leaf for its first `expansion` visits.
        let selecting = simulations / u64::from(self.expansion) + 1;
        let nodes = match self.growth() {
            Expansion::AllAtOnce => selecting.saturating_mul(points),
            Expansion::Singly | Expansion::ByAmaf | Expansion::ByPrior => simulations + points,
        };
        let nodes = nodes.min(self.max_nodes.into());
        let blocks = if self.extras().amaf { selecting.min(nodes) } else { 0 };
        let stride = with_words!(size, W => Bits::<W>::STRIDE as u64);
        let cells = (size.height() as u64 * stride).next_multiple_of(16);
        let amaf = blocks.saturating_mul(cells * CELL);
        let row =
            if self.extras().prior_rows { PriorRows::row_bytes(size.points() + 1) } else { 0 };
        // Plus one chunk of rows: the last chunk may have room to spare.
        let rows = (selecting.min(nodes) + PriorRows::CHUNK as u64).saturating_mul(row as u64);
        let amaf = amaf.saturating_add(amaf.min(SMALL) / 2);
        let node = if self.extras().epochs { NODE + EPOCH } else { NODE };
        let each = (nodes * node + FEW_NODES).saturating_add(amaf).saturating_add(rows);
        Some(each.saturating_mul(self.workers.into()))
    }

    /// The versions of the registered code, and of the weights of a learned prior, that the settings
    /// name.
    #[must_use]
    pub fn versions(&self) -> Vec<String> {
        let prior = self.prior.version();
        let policy = self.policy.version();
        let evaluator = self.evaluator.as_ref().map(NamedEvaluator::version);
        let (selection, back_up) = (self.selection.version(), self.back_up.version());
        let versions = [selection, prior, evaluator, back_up, self.final_move.version(), policy];
        versions.into_iter().flatten().map(str::to_owned).collect()
    }

    /// Whether a search calls code that has a version: code that the program has registered, or a
    /// learned prior.
    #[must_use]
    pub fn calls_registered_code(&self) -> bool {
        !self.versions().is_empty()
    }

    /// The optional columns that the trees of the search need.
    #[must_use]
    pub fn extras(&self) -> Extras {
        let amaf = self.rave != Rave::None;
        Extras {
            amaf,
            // With RAVE the AMAF visits hold the priors.
            priors: self.has_evaluated_priors() || !self.prior.is_none() && !amaf,
            positions: self.transpositions,
            prior_rows: self.growth() == Expansion::ByPrior,
            epochs: self.epoch > 0.0,
        }
    }

    /// Whether an evaluator gives nodes the priors of their moves, and with them their children.
    #[must_use]
    pub fn has_evaluated_priors(&self) -> bool {
        self.evaluator.as_ref().is_some_and(NamedEvaluator::gives_priors)
    }

    /// How nodes get their children.
    #[must_use]
    pub fn growth(&self) -> Expansion {
        let (has_rave, has_priors) = (self.rave != Rave::None, !self.prior.is_none());
        let formula = self.selection.properties();
        if self.has_evaluated_priors() && formula.unvisited_follow_priors {
            Expansion::ByPrior
        } else if self.has_evaluated_priors() || formula.ranks_unvisited {
            Expansion::AllAtOnce
        } else if !has_rave && !has_priors {
            Expansion::Singly
        } else if has_rave {
            Expansion::ByAmaf
        } else {
            Expansion::AllAtOnce
        }
    }
}
