//! Registered code that panics now and then, as what it works on decides: `fragile:N` about once in N calls, and
//! never with 0. What does not panic plays as a simple twin of built-in code does.

use rand_xoshiro::Xoshiro256PlusPlus;
use tengen::bots::{Bot, BotConfig, BotFailure, BotKind, MoveAnswer, MoveRequest};
use tengen::go::{Board, Game, Move, RegistryError, Score};
use tengen::playout::policy::{PlayoutPolicy, Turn};
use tengen::register;
use tengen::search::back_up::BackedUp;
use tengen::search::evaluator::{Batch, Evaluator, NamedEvaluator, register_named};
use tengen::search::prior::MovePrior;
use tengen::search::select::{Child, Formula, Properties, SelectingNode};
use tengen::search::tree::Columns;
use tengen::search::{RootMove, SearchReport, SearchResult};
use tengen::seed::mix;
use tengen::settings;

/// How often code panics.
#[derive(Clone, Copy)]
struct Often(u64);

impl Often {
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map(Self).map_err(|_| "fragile:NUMBER".to_owned())
    }

    /// Panics if `number` is one of those.
    fn weigh(self, number: u64) {
        assert!(self.0 == 0 || !mix(number, 99).is_multiple_of(self.0), "{number} is\ntoo much");
    }
}

/// A number of a node with these visits and children.
fn of_children(visits: u32, children: &Columns<'_>) -> u64 {
    children.rewards.iter().fold(visits.into(), |sum, reward| mix(sum, reward.to_bits()))
}

impl Formula for Often {
    type AtNode = (f64, f64);

    fn at(&self, node: &SelectingNode<'_>) -> (f64, f64) {
        self.weigh(of_children(node.visits, node.children));
        (node.exploration, node.log_visits())
    }

    fn urgency(&self, &(c, log): &(f64, f64), child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        child.mean + c * (log / child.visits).sqrt()
    }
}

/// PUCT that panics.
struct OfPriors(Often);

impl Formula for OfPriors {
    const PROPERTIES: Properties =
        Properties { ranks_unvisited: true, reads_priors: true, ..Properties::NONE };

    type AtNode = f64;

    fn at(&self, node: &SelectingNode<'_>) -> f64 {
        self.0.weigh(of_children(node.visits, node.children));
        node.exploration * f64::from(node.visits).sqrt()
    }

    fn urgency(&self, root: &f64, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        child.mean + root * child.prior / (1.0 + child.visits)
    }
}

impl MovePrior for Often {
    fn values(&self, board: &Board<6>, _: Option<Move>, values: &mut [f32]) {
        self.weigh(board.hash());
        values[0] = 0.6;
    }
}

impl PlayoutPolicy for Often {
    fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
        self.weigh(turn.number);
        turn.one_of(turn.candidates)
    }
}

/// Values drawn by the seed of the leaf, and priors of the position.
impl Evaluator for Often {
    fn batch(&self) -> usize {
        13
    }

    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let drawn = |seed, number| (mix(seed, number) % 100) as f32 / 100.0;
        let mut priors = batch.priors.chunks_mut(batch.size.points() + 1);
        for (leaf, value) in batch.leaves.iter().zip(batch.values) {
            self.weigh(leaf.board.hash());
            *value = drawn(leaf.board.hash(), leaf.seed);
            let priors = (0..).zip(priors.next().unwrap_or_default());
            priors.for_each(|(number, to)| *to = drawn(leaf.board.hash(), number));
        }
        Ok(())
    }
}

settings! {
    "fragile"
    /// A bot that searches, and panics in about one of `every` calls of `place`: `build`, `begin`, `move`,
    /// `end` of its search, `score`; or at the first move of a game, where `place` is `first`.
    #[derive(Clone)]
    struct Fragile {
        /// One in so many calls panics; 0 for none
        every: u64 = 20, "N" One;
        /// Where it panics
        place: String = "move".to_owned(), "PLACE" One;
    }
}

impl Fragile {
    fn weigh(&self, place: &str, number: u64) {
        if self.place == place {
            Often(self.every).weigh(number);
        }
    }
}

impl BotKind for Fragile {
    fn help() -> &'static str {
        "fragile[:every=N,place=PLACE]: a search that panics"
    }

    fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool tengen::rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        self.weigh("build", seed);
        let uct = "uct:simulations=20,prior=none,rave=none".parse::<BotConfig>();
        let uct = uct.unwrap_or_else(|fault| panic!("{fault}"));
        Box::new(Player { settings: self.clone(), seed, bot: uct.build(seed, pool) })
    }

    fn makes_simulations(&self) -> bool {
        true
    }
}

struct Player<'pool> {
    settings: Fragile,
    seed: u64,
    bot: Box<dyn Bot + 'pool>,
}

impl Bot for Player<'_> {
    fn begin(&mut self, game: &Game, label: &str) -> Result<(), BotFailure> {
        // Not in the check before the first game, unless it always does.
        if game.ply() > 0 || self.settings.every == 1 {
            self.settings.weigh("begin", self.seed);
        }
        self.bot.begin(game, label)
    }

    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        self.begin_move(game)?.decide(self, game, None)
    }

    fn begin_move(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        let is_first = game.ply() < 2;
        assert!(self.settings.place != "first" || !is_first, "not at {} plies", game.ply());
        self.settings.weigh("move", if is_first { 0 } else { game.board().hash() });
        self.bot.begin_move(game)
    }

    fn end_move(
        &mut self,
        game: &Game,
        results: Vec<SearchResult>,
        seconds: f64,
    ) -> Result<MoveRequest, BotFailure> {
        self.settings.weigh("end", if game.ply() < 2 { 0 } else { game.board().hash() });
        self.bot.end_move(game, results, seconds)
    }

    fn final_score(&mut self, game: &Game) -> Result<Option<Score>, BotFailure> {
        self.settings.weigh("score", game.board().hash());
        Ok(None)
    }
}

/// Registers `fragile` as each thing that can be registered.
pub fn register() -> Result<(), RegistryError> {
    register::selection("fragile", "1", Often::read)?;
    register::prior("fragile", "1", Often::read)?;
    register::policy("fragile", "1", Often::read)?;
    register::selection("fragile-puct", "1", |text| Ok(OfPriors(Often::read(text)?)))?;
    register::evaluator("fragile", "1", Often::read)?;
    register_named("fragile-plain", |text| {
        let often = Often::read(text)?;
        Ok(NamedEvaluator::new("", "1", move || Ok(Box::new(often))).without_priors())
    })?;
    register::back_up("fragile", "1", |text| {
        let often = Often::read(text)?;
        Ok(move |node: &BackedUp<'_>| {
            often.weigh(of_children(node.visits, node.children));
            node.mean()
        })
    })?;
    register::final_move("fragile", "1", |text| {
        let often = Often::read(text)?;
        Ok(move |root_move: &RootMove, report: &SearchReport| {
            often.weigh(mix(
                root_move.reward.to_bits(),
                report.mean_depth().unwrap_or(0.0).to_bits(),
            ));
            root_move.visits as f64
        })
    })?;
    register::bot::<Fragile>("fragile", "1")
}
