//! Monte Carlo tree search: `uct`.

use super::kind::{BotKind, MoveCost, SideBySide};
use super::{Bot, BotFailure, Decision, MoveAnswer, MoveRequest, Searching, no_search};
use std::time::Duration;
use tengen_go::{Game, Move, Size};
use tengen_search::driver::memory_limit;
use tengen_search::shared::SharedSearch;
use tengen_search::tree::Tree;
use tengen_search::{SearchReport, SearchResult, UctConfig, final_move, root_parallel};
use tengen_stats::seed::mix;

impl BotKind for UctConfig {
    fn help() -> &'static str {
        "uct[:key=value,...]: Monte Carlo tree search; `tengen bots \
                                uct` lists its settings"
    }

    fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        Box::new(UctBot::new(self.clone(), seed, pool))
    }

    fn side_by_side(&self) -> SideBySide {
        if self.seconds.is_some() { SideBySide::One } else { SideBySide::Any }
    }

    fn max_bytes(&self, size: Size) -> Option<u64> {
        let of_a_move = self.max_bytes(size);
        // The kept trees are a part of the trees that earlier moves have grown, and so is the
        // memory for their next copies.
        let most_spare = MOST_SPARE as u64 * u64::from(self.workers);
        let kept = |bytes: u64| bytes + bytes.min(most_spare);
        if self.reuse { of_a_move.map(|bytes| bytes + kept(bytes)) } else { of_a_move }
    }

    fn move_cost(&self) -> Option<MoveCost> {
        Some(MoveCost {
            simulations: self.simulations.unwrap_or(0),
            seconds: self.seconds.unwrap_or(0.0),
            workers: self.workers,
            ..MoveCost::default()
        })
    }

    fn makes_simulations(&self) -> bool {
        true
    }

    fn versions(&self) -> Vec<String> {
        self.versions()
    }
}

/// Searches with UCT; keeps its trees between moves if `reuse` is set.
pub struct UctBot<'pool> {
    config: UctConfig,
    seed: u64,
    pool: Option<&'pool rayon::ThreadPool>,
    kept: Option<Kept>,
    /// Trees of earlier moves, one per worker: the next copies reuse their memory.
    spare: Vec<Tree>,
    /// The time of a move, where it is set.
    time: Option<Duration>,
    /// The search for the present move.
    search: Option<MoveSearch>,
}

/// The most bytes of a tree whose memory is kept for the next copy. A larger tree's memory is given
/// back, since the searches of a program share its memory.
const MOST_SPARE: usize = 256 << 20;

/// The search for a move: its rounds, and its time.
struct MoveSearch {
    rounds: SharedSearch,
    /// The time of the move in seconds, where it is limited.
    limit: Option<f64>,
    /// The time of the rounds before in seconds.
    spent: f64,
}

/// Trees of an earlier position of the same game, one per worker.
struct Kept {
    trees: Vec<Tree>,
    /// The game for which they were grown.
    game: Game,
}

impl<'pool> UctBot<'pool> {
    pub fn new(config: UctConfig, seed: u64, pool: Option<&'pool rayon::ThreadPool>) -> Self {
        Self { config, seed, pool, kept: None, spare: Vec::new(), time: None, search: None }
    }

    /// The subtrees of the kept trees below the position of `game`, one per worker;
    /// none where the trees are of another game, or would leave a search too little memory.
    fn reusable(&mut self, game: &Game) -> Vec<Tree> {
        let Some(kept) = self.kept.take() else {
            return Vec::new();
        };
        let Some(line) = line_from(&kept.game, game) else {
            return Vec::new();
        };
        let spare = &mut self.spare;
        let below = |tree: &Tree| {
            let node = line.iter().try_fold(Tree::ROOT, |node, &mv| tree.child(node, mv));
            let memory = spare.pop().unwrap_or_else(|| Tree::new(tree.extras()));
            node.map_or_else(|| Tree::new(tree.extras()), |node| tree.below_in(node, memory))
        };
        let trees: Vec<Tree> = kept.trees.iter().map(below).collect();
        self.spare = kept.trees;
        self.spare.retain(|tree| tree.bytes() <= MOST_SPARE);
        // A search that begins with large trees runs out of memory where a new one would not.
        let bytes: usize = trees.iter().map(Tree::bytes).sum();
        if bytes > memory_limit() / 2 { Vec::new() } else { trees }
    }
}

/// The moves that lead from `earlier` to `game`, the players moving in turn; none if
/// `game` does not continue `earlier`. Rules and earlier moves must agree too: komi
/// decides who wins, and superko which moves are legal.
fn line_from(earlier: &Game, game: &Game) -> Option<Vec<Move>> {
    let known = earlier.moves().len();
    let same = earlier.rules() == game.rules()
        && earlier.position_at(0) == game.position_at(0)
        && earlier.moves().eq(game.moves().take(known));
    let mut player = earlier.to_play();
    let in_turn = game.moves().skip(known).all(|(color, _)| {
        let expected = player;
        player = !player;
        color == expected
    });
    (same && in_turn).then(|| game.moves().skip(known).map(|(_, mv)| mv).collect())
}

impl UctBot<'_> {
    /// The search seed of `game`'s position, from the player seed and the number of
    /// plies.
    fn search_seed(&self, game: &Game) -> u64 {
        mix(self.seed, u64::from(game.ply()))
    }

    fn turn(&mut self, game: &Game, report: SearchReport, trees: Vec<Tree>) -> MoveAnswer {
        let decision = decision(&self.config, self.search_seed(game), game, &report);
        if self.config.reuse {
            self.kept = Some(Kept { trees, game: game.clone() });
        }
        MoveAnswer { decision, simulations: Some(report.counts.simulations), report: Some(report) }
    }

    /// The search for the move in `game`, before its first round.
    fn new_search(&mut self, game: &Game) -> MoveSearch {
        let (kept, seed) = (self.reusable(game), self.search_seed(game));
        let config = within_time(&self.config, self.time);
        let rounds = SharedSearch::new(&config, seed, kept);
        MoveSearch { rounds, limit: config.seconds, spent: 0.0 }
    }

    /// The request to make the next round of `search`, or the move if it was the last or time
    /// is up.
    fn next_round(&mut self, game: &Game, mut search: MoveSearch) -> MoveRequest {
        let seconds = search.limit.map(|limit| limit - search.spent);
        let is_late = search.spent > 0.0 && seconds.is_some_and(|seconds| seconds <= 0.0);
        if !is_late && let Some(searches) = search.rounds.next_round(game) {
            self.search = Some(search);
            return MoveRequest::Searching(Searching { searches, seconds });
        }
        let results = search.rounds.into_results();
        let (report, trees) = root_parallel::report(game, results, search.spent);
        MoveRequest::Decided(self.turn(game, report, trees))
    }
}

/// Chooses a move by a new UCT bot, and returns its search trees, one per worker; no
/// trees where the bot passes without a search.
pub fn genmove_with_trees(
    config: &UctConfig,
    seed: u64,
    pool: Option<&rayon::ThreadPool>,
    game: &Game,
) -> Result<(MoveAnswer, Vec<Tree>), BotFailure> {
    // Whether trees are kept matters for the moves after this one only.
    let config = UctConfig { reuse: true, ..config.clone() };
    let mut bot = UctBot::new(config, seed, pool);
    let turn = bot.genmove(game)?;
    Ok((turn, bot.kept.map_or_else(Vec::new, |kept| kept.trees)))
}

/// The settings for a move that may take `time`: their number of simulations is then unlimited,
/// unless the formula plans with it.
#[must_use]
pub fn within_time(config: &UctConfig, time: Option<Duration>) -> UctConfig {
    let Some(time) = time else { return config.clone() };
    let time = time.as_secs_f64().max(1e-6);
    config.limited(Some(config.seconds.map_or(time, |seconds| seconds.min(time))))
}

/// The number with which the seed of a drawn move is derived from the seed of its search; seeds of
/// workers use the workers' numbers.
const DRAWN_MOVE: u64 = u64::MAX;

/// The decision after a search of `game` by `config`, with the seed `search_seed`.
#[must_use]
pub fn decision(
    config: &UctConfig,
    search_seed: u64,
    game: &Game,
    report: &SearchReport,
) -> Decision {
    if final_move::is_hopeless(report, config.resign) {
        Decision::Resign
    } else if let Some(temperature) = config.temperature.at(game.ply()) {
        let seed = mix(search_seed, DRAWN_MOVE);
        Decision::Move(final_move::draw(game, report, temperature, seed))
    } else {
        Decision::Move(final_move::choose(game, report, config.final_move))
    }
}

/// A pass that needs no search: it wins the game at once, or the game is decided and
/// only the passes are missing. None in any other position.
#[must_use]
pub fn evident_pass(game: &Game) -> Option<MoveAnswer> {
    (final_move::wins_by_passing(game) || final_move::is_finished(game)).then_some(MoveAnswer {
        decision: Decision::Move(Move::Pass),
        simulations: Some(0),
        report: None,
    })
}

impl Bot for UctBot<'_> {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let request = self.begin_move(game)?;
        let pool = self.pool;
        request.decide(self, game, pool)
    }

    fn set_time(&mut self, time: Option<Duration>) {
        self.time = time;
    }

    fn begin_move(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        if let Some(turn) = evident_pass(game) {
            return Ok(MoveRequest::Decided(turn));
        }
        let search = self.new_search(game);
        Ok(self.next_round(game, search))
    }

    /// Without the budget, unless the formula plans it, and even where a pass is evident.
    fn begin_analysis(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        self.config = self.config.limited(None);
        let mut search = self.new_search(game);
        let searches = search.rounds.next_round(game).unwrap_or_default();
        self.search = Some(search);
        Ok(MoveRequest::Searching(Searching { searches, seconds: None }))
    }

    fn end_move(
        &mut self,
        game: &Game,
        results: Vec<SearchResult>,
        seconds: f64,
    ) -> Result<MoveRequest, BotFailure> {
        let Some(mut search) = self.search.take() else { return Err(no_search()) };
        search.rounds.end_round(results);
        search.spent += seconds;
        Ok(self.next_round(game, search))
    }
}
