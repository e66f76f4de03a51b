//! Each game of a tournament by itself: as the library plays it, and by a loop
//! of its own that plays one playout after the other.

use crate::driven::{driven, rows};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use tengen::bots::{Bot, BotFailure, Decision, FailureKind, MoveAnswer};
use tengen::go::{Color, Game, Move, catch_registered_panic, with_words};
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{ResourceFault, Search, SearchResult, UctConfig, final_move, root_parallel};
use tengen::seed::mix;
use tengen::tournament::{GamePlan, Tournament, play};
use tengen::tournament::{GameRow, Outcome, Termination};

/// All games of `tournament`, each by itself.
pub fn games(tournament: &Tournament) -> Result<Vec<GameRow>, String> {
    let schedule = tournament.schedule();
    let game = |number| {
        let plan = schedule.plan(number);
        let played = play(tournament, &plan).map_err(|fault| fault.to_string())?;
        let played = played.without_times();
        compare_by_hand(tournament, &plan, &played)
            .map_err(|fault| format!("game {number}, alone and by hand: {fault}"))?;
        Ok(played)
    };
    (0..schedule.games()).map(game).collect()
}

/// What differs between two lists of games, if anything does.
pub fn compare(expected: &[GameRow], found: &[GameRow]) -> Result<(), String> {
    let numbers = |games: &[GameRow]| games.iter().map(|played| played.game).collect::<Vec<_>>();
    if numbers(expected) != numbers(found) {
        let (expected, found) = (numbers(expected), numbers(found));
        return Err(format!("the games are {found:?} and not {expected:?}"));
    }
    let Some((one, other)) = expected.iter().zip(found).find(|(one, other)| one != other) else {
        return Ok(());
    };
    Err(format!("the games differ\n  alone: {one:?}\n  found: {other:?}"))
}

/// Plays the game of `plan`, from the opening of `played` on, and says what is
/// otherwise in `played`.
fn compare_by_hand(
    tournament: &Tournament,
    plan: &GamePlan,
    played: &GameRow,
) -> Result<(), String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(plan.seed, plan.game as u64));
    let mut game = Game::new(tournament.size, tournament.rules());
    for mv in played.opening() {
        let mv: Move = mv.parse().map_err(|_| format!("the opening has `{mv}`"))?;
        game.play(game.to_play(), mv).map_err(|fault| format!("opening, {mv}: {fault}"))?;
    }
    let mut bots = Color::BOTH
        .map(|color| tournament.bots[plan.bot(color)].config.build(plan.player_seed(color), None));
    // The player whose code panicked, and what is said of it.
    let mut crashed: Option<(Color, String)> = None;
    for color in Color::BOTH {
        if crashed.is_none() {
            let begun = bots[color.index()].begin(&game, "by hand");
            crashed = begun.err().map(panic_of).transpose()?.map(|reason| (color, reason));
        }
    }
    let mut playouts = [0; 2];
    let mut comments = BTreeMap::new();
    let mut resigned = None;
    // Every other game by what a program asks that plays one game at a time; so too workers that
    // share their upper trees, of which `Hand` knows nothing.
    let mut hands = Color::BOTH.map(|color| {
        let config = tournament.bots[plan.bot(color)].config.uct()?;
        (plan.game.is_multiple_of(2) && config.sharing.is_none()).then(|| Hand {
            config: config.clone(),
            seed: plan.player_seed(color),
            kept: None,
        })
    });
    while game.end().is_none() && resigned.is_none() && crashed.is_none() {
        let color = game.to_play();
        let place = color.index();
        let turn = match turn(&mut *bots[place], hands[place].as_mut(), &game, &mut random)? {
            Ok(turn) => turn,
            Err(failure) => {
                crashed = Some((color, panic_of(failure)?));
                break;
            }
        };
        playouts[place] += turn.simulations.unwrap_or(0);
        if let (true, Some(report)) = (tournament.comments, &turn.report) {
            comments.insert(game.moves().len() + 1, report.summary());
        }
        match turn.decision {
            Decision::Resign => resigned = Some(color),
            Decision::Move(mv) => {
                game.play(color, mv).map_err(|fault| format!("{mv}: {fault}"))?;
            }
        }
    }
    let name = |color: Color| &tournament.bots[plan.bot(color)].name;
    let reason = crashed.as_ref().map(|(color, said)| format!("{}: {said}", name(*color)));
    let (outcome, termination) = if let Some((loser, _)) = crashed {
        (won_by(!loser), Termination::Crash)
    } else if let Some(loser) = resigned {
        (won_by(!loser), Termination::Resign)
    } else {
        let is_limit = !game.board().is_over();
        let termination = if is_limit { Termination::Limit } else { Termination::Passes };
        (game.score().winner().map_or(Outcome::Jigo, won_by), termination)
    };
    let simulations = |color: Color| {
        let is_counted = tournament.bots[plan.bot(color)].config.makes_simulations();
        is_counted.then_some(playouts[color.index()])
    };
    let moves: Vec<String> = game.moves().map(|(_, mv)| mv.to_string()).collect();
    let comments: Vec<String> =
        comments.iter().map(|(ply, text)| format!("{ply} {text}")).collect();
    let expected = GameRow {
        outcome,
        termination,
        reason: reason.unwrap_or_default(),
        plies: game.ply(),
        score: game.end().map(|_| game.score().points()),
        black_simulations: simulations(Color::Black),
        white_simulations: simulations(Color::White),
        moves: moves.join(" "),
        comments: comments.join(" | "),
        ..played.clone()
    };
    compare(&[expected], std::slice::from_ref(played))
}

const fn won_by(color: Color) -> Outcome {
    match color {
        Color::Black => Outcome::Black,
        Color::White => Outcome::White,
    }
}

/// What is said of the panic of registered code that `failure` is; any other failure is an error here.
fn panic_of(failure: BotFailure) -> Result<String, String> {
    match failure {
        BotFailure::Forfeit { kind: FailureKind::Panic, reason } => Ok(reason),
        other => Err(other.to_string()),
    }
}

/// The next move of `bot`: by `hand` if it searches.
fn turn(
    bot: &mut dyn Bot,
    hand: Option<&mut Hand>,
    game: &Game,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Result<MoveAnswer, BotFailure>, String> {
    match hand {
        Some(hand) => match catch_registered_panic(|| hand.genmove(game, random)) {
            Ok(turn) => turn.map(Ok),
            Err(panic) => Ok(Err(ResourceFault::from(panic).into())),
        },
        None => Ok(bot.genmove(game)),
    }
}

/// The UCT bot as it is described, without the library's driver.
struct Hand {
    config: UctConfig,
    seed: u64,
    /// The trees of its last search, and the plies before it.
    kept: Option<(Vec<Tree>, usize)>,
}

impl Hand {
    fn genmove(
        &mut self,
        game: &Game,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<MoveAnswer, String> {
        if final_move::wins_by_passing(game) || final_move::is_finished(game) {
            let decision = Decision::Move(Move::Pass);
            return Ok(MoveAnswer { decision, simulations: Some(0), report: None });
        }
        let (config, seed) = (self.config.clone(), mix(self.seed, u64::from(game.ply())));
        let mut trees = self.reused(game);
        trees.resize_with(config.workers as usize, || Tree::new(config.extras()));
        let all = config.simulations.ok_or("a clock")?;
        let workers = u64::from(config.workers);
        let results = with_words!(game.size(), W => {
            let search = |(number, tree): (u64, Tree)| {
                // The first workers make the playouts that cannot be shared.
                let budget = all / workers + u64::from(number < all % workers);
                let seed = mix(seed, number);
                let begin = |config: &UctConfig, budget, tree| -> Box<dyn Search<W>> {
                    Box::new(UctSearch::new(game, config, budget, seed, tree))
                };
                // A search that stops may call registered code otherwise at its end.
                if !config.calls_registered_code() && random.random_ratio(1, 8) {
                    let most = budget.min(2_000) / 3;
                    // What ends early depends on the budget.
                    let until = UctConfig { smart_pruning: 0.0, sure_win: 1.0, ..config.clone() };
                    let stopped = driven(begin(&until, u64::MAX, tree.clone()), random, most)?;
                    let of_budget = begin(&until, stopped.counts.simulations, tree.clone());
                    let whole = driven(of_budget, random, u64::MAX)?;
                    if rows(&stopped.tree) != rows(&whole.tree) {
                        let count = stopped.counts.simulations;
                        return Err(format!("stopped after {count}, a search has another tree"));
                    }
                }
                driven(begin(&config, budget, tree), random, u64::MAX)
            };
            (0..).zip(trees).map(search).collect::<Result<Vec<SearchResult>, String>>()
        })?;
        let (report, trees) = root_parallel::report(game, results, 0.0);
        if config.reuse {
            self.kept = Some((trees, game.moves().len()));
        }
        let decision = if final_move::is_hopeless(&report, config.resign) {
            Decision::Resign
        } else if let Some(temperature) = config.temperature.at(game.ply()) {
            Decision::Move(final_move::draw(game, &report, temperature, mix(seed, u64::MAX)))
        } else {
            Decision::Move(final_move::choose(game, &report, config.final_move))
        };
        Ok(MoveAnswer {
            decision,
            simulations: Some(report.counts.simulations),
            report: Some(report),
        })
    }

    /// What the kept trees know of the position of `game`.
    fn reused(&mut self, game: &Game) -> Vec<Tree> {
        let Some((trees, known)) = self.kept.take() else { return Vec::new() };
        let line: Vec<Move> = game.moves().skip(known).map(|(_, mv)| mv).collect();
        let below = |tree: &Tree| {
            let node = line.iter().try_fold(Tree::ROOT, |node, &mv| tree.child(node, mv));
            node.map_or_else(|| Tree::new(tree.extras()), |node| tree.below(node))
        };
        trees.iter().map(below).collect()
    }
}
