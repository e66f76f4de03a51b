//! Plays one game of a tournament, and makes its row of `games.csv` and its record.

use super::config::Tournament;
use super::effort::{Effort, Spent, Stopwatch};
use super::openings::{self, BeginError};
use super::row::{GameRow, Outcome, Termination};
use super::schedule::GamePlan;
use super::searches::{PlayedGame, SearchRecord};
use super::supply::PlannedGame;
use std::collections::BTreeMap;
use tengen_bots::{
    Bot, BotFailure, Decision, FailureKind, MoveAnswer, MoveRequest, NamedBot, Searching,
};
use tengen_go::{Color, End, Game, Score};
use tengen_search::{AnySearch, ResourceFault, SearchResult, driver, reports};

struct Ending {
    outcome: Outcome,
    termination: Termination,
    /// Why a player forfeited, or why the game was not played; else empty.
    reason: String,
}

/// A game that is being played.
pub struct OpenGame<'run> {
    tournament: &'run Tournament,
    plan: GamePlan,
    /// Black and White.
    entrants: [NamedBot; 2],
    game: Game,
    opening_plies: u32,
    bots: [Box<dyn Bot + 'run>; 2],
    efforts: [Effort; 2],
    comments: BTreeMap<usize, String>,
    /// The searches of the moves; none if they are not kept.
    searches: Option<Vec<SearchRecord>>,
    /// Whether a search of the player had a tree of `max_nodes` nodes.
    was_full: [bool; 2],
    /// Further searches that the present move needs.
    further: Option<Vec<AnySearch>>,
    ending: Option<Ending>,
    /// The lack of a resource because of which the game cannot be played.
    fault: Option<ResourceFault>,
}

/// What an open game waits for.
pub enum Step {
    /// The results of these searches, for the move of the player to move.
    Search(Vec<AnySearch>),
    /// Nothing: the player to move has moved, or lost the game.
    Moved,
    /// Nothing: the game is over.
    Over,
}

impl<'run> OpenGame<'run> {
    /// Begins a game under the settings of `tournament`: plays its opening and prepares
    /// the bots. A game without a balanced opening is over at once, and void.
    pub fn new(tournament: &'run Tournament, planned: PlannedGame) -> Self {
        let PlannedGame { plan, bots: entrants, keeps_searches } = planned;
        let empty = || Game::new(tournament.size, tournament.rules());
        let (game, unplayed, fault) = match openings::begin(tournament, &plan) {
            Ok(game) => (game, None, None),
            Err(reason @ BeginError::NoBalance { .. }) => {
                let (outcome, termination) = (Outcome::Void, Termination::Unplayed);
                let ending = Ending { outcome, termination, reason: reason.to_string() };
                (empty(), Some(ending), None)
            }
            Err(BeginError::Memory(lacking)) => (empty(), None, Some(lacking)),
        };
        let opening_plies = game.ply();
        let mut bots = Color::BOTH
            .map(|color| entrants[color.index()].config.build(plan.player_seed(color), None));
        let seat = |color: Color| {
            let label = format!("game-{:06}-{color}", plan.game);
            let seated = bots[color.index()].begin(&game, &label);
            seated.err().map(|failure| (color, failure))
        };
        let is_open = unplayed.is_none() && fault.is_none();
        let unseated = Color::BOTH.into_iter().filter(|_| is_open).find_map(seat);
        let efforts = bots.each_mut().map(|bot| Effort::of(&mut **bot));
        let mut open = Self {
            tournament,
            plan,
            entrants,
            game,
            opening_plies,
            bots,
            efforts,
            comments: BTreeMap::new(),
            searches: keeps_searches.then(Vec::new),
            was_full: [false; 2],
            further: None,
            ending: unplayed,
            fault,
        };
        if let Some((color, failure)) = unseated {
            open.fail(color, failure);
        }
        open
    }

    /// Ends the game by the failure of `color`'s bot, which loses it; or, for lack of
    /// a resource, marks the game as one that cannot be played.
    fn fail(&mut self, color: Color, failure: BotFailure) {
        match failure {
            BotFailure::Forfeit { kind, mut reason } => {
                let name = &self.entrants[color.index()].name;
                if kind == FailureKind::Panic {
                    reason = format!("{name}: {reason}");
                }
                let termination = match kind {
                    FailureKind::Illegal => Termination::Illegal,
                    FailureKind::Crash | FailureKind::Panic => Termination::Crash,
                    FailureKind::Time => Termination::Time,
                };
                self.ending = Some(Ending { outcome: won_by(!color), termination, reason });
            }
            BotFailure::Resource(fault) => self.fault = Some(fault),
        }
    }

    /// Asks the player to move for its move, if the game is not over. A bot that fails loses the
    /// game.
    pub fn advance(&mut self) -> Step {
        if let Some(searches) = self.further.take() {
            return Step::Search(searches);
        }
        if self.fault.is_some() {
            return Step::Over;
        }
        let end = self.game.end().map(|end| match end {
            End::Passes => Termination::Passes,
            End::Limit => Termination::Limit,
        });
        if let (None, Some(termination)) = (&self.ending, end) {
            let outcome = by_score(&self.game);
            self.ending = Some(Ending { outcome, termination, reason: String::new() });
        }
        if self.ending.is_some() {
            return Step::Over;
        }
        let player = self.game.to_play().index();
        let stopwatch = Stopwatch::start();
        let mut request = self.bots[player].begin_move(&self.game);
        if let Ok(MoveRequest::Searching(Searching { seconds: Some(_), .. })) = request {
            // A bot with a clock searches alone.
            let bot = &mut *self.bots[player];
            let answer = request.and_then(|request| request.decide(bot, &self.game, None));
            request = answer.map(MoveRequest::Decided);
        }
        self.efforts[player].spent += stopwatch.read();
        self.follow(request).map_or(Step::Moved, Step::Search)
    }

    /// Ends the move for which [`OpenGame::advance`] returned searches, with their `results`, or
    /// with the fault that ended them; the searches took the time `spent`. If the move needs further
    /// searches, the next call of [`OpenGame::advance`] returns them.
    pub fn conclude(&mut self, results: Result<Vec<SearchResult>, ResourceFault>, spent: Spent) {
        let player = self.game.to_play().index();
        let results = results.map_err(BotFailure::from);
        let bot = &mut self.bots[player];
        let stopwatch = Stopwatch::start();
        let request = results.and_then(|results| bot.end_move(&self.game, results, spent.seconds));
        let Spent { cpu_seconds, .. } = stopwatch.read();
        self.efforts[player].spent += spent;
        self.efforts[player].spent += Spent { seconds: 0.0, cpu_seconds };
        self.further = self.follow(request);
    }

    /// The searches that the player to move requests; none after its answer or failure, which is
    /// carried out.
    fn follow(&mut self, request: Result<MoveRequest, BotFailure>) -> Option<Vec<AnySearch>> {
        match request {
            Ok(MoveRequest::Searching(searching)) => return Some(searching.searches),
            Ok(MoveRequest::Decided(turn)) => self.take(&turn),
            Err(failure) => self.fail(self.game.to_play(), failure),
        }
        None
    }

    /// Carries out the answer `turn` of the player to move: a move or a resignation.
    fn take(&mut self, turn: &MoveAnswer) {
        let player = self.game.to_play();
        self.efforts[player.index()].simulations += turn.simulations.unwrap_or(0);
        self.was_full[player.index()] |=
            turn.report.as_ref().is_some_and(|found| found.counts.was_full);
        if let (true, Some(report)) = (self.tournament.comments, &turn.report) {
            self.comments.insert(self.game.moves().len() + 1, report.summary());
        }
        if let (Some(searches), Some(report)) = (&mut self.searches, &turn.report) {
            searches.push(SearchRecord::of(&self.game, report));
        }
        match turn.decision {
            Decision::Resign => {
                let (outcome, termination) = (won_by(!player), Termination::Resign);
                self.ending = Some(Ending { outcome, termination, reason: String::new() });
            }
            Decision::Move(mv) => {
                if let Err(why) = self.game.play(player, mv) {
                    let reason = format!("{mv}: {why}");
                    let kind = FailureKind::Illegal;
                    self.fail(player, BotFailure::Forfeit { kind, reason });
                }
            }
        }
    }

    /// The game, which is over, with its row.
    pub fn finish(mut self) -> Result<PlayedGame, ResourceFault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let ending = self.ending.take();
        let Ending { outcome, termination, mut reason } = ending.unwrap_or(Ending {
            outcome: Outcome::Void,
            termination: Termination::Limit,
            reason: "the game was not played to its end".to_owned(),
        });
        let cpu_seconds = Color::BOTH
            .map(|color| self.efforts[color.index()].cpu_seconds(&mut *self.bots[color.index()]));
        let mut counts = [None; 2];
        for color in Color::BOTH.into_iter().filter(|_| termination == Termination::Passes) {
            let bot = &mut self.bots[color.index()];
            counts[color.index()] = counted(&self.game, bot, color, &mut reason)?;
        }
        for color in Color::BOTH.into_iter().filter(|color| self.was_full[color.index()]) {
            add_word(&mut reason, &format!("the tree of {color} was full (max_nodes)"));
        }
        let Self { tournament, plan, entrants, game, opening_plies, efforts, comments, .. } = self;
        let searches = self.searches.unwrap_or_default();
        let entrant = |color: Color| &entrants[color.index()];
        let simulations = |color: Color| {
            entrant(color).config.makes_simulations().then_some(efforts[color.index()].simulations)
        };
        let engine_score = |color: Color| counts[color.index()].map(Score::points);
        let comments: Vec<String> =
            comments.iter().map(|(ply, text)| format!("{ply} {text}")).collect();
        let moves: Vec<String> = game.moves().map(|(_, mv)| mv.to_string()).collect();
        let row = GameRow {
            run: tournament.name.clone(),
            game: plan.game,
            pairing: plan.pairing,
            pair: plan.pair,
            size: tournament.size,
            komi: tournament.komi,
            black: entrant(Color::Black).name.clone(),
            white: entrant(Color::White).name.clone(),
            seed: plan.seed,
            opening_plies,
            outcome,
            score: game.end().map(|_| game.score().points()),
            termination,
            plies: game.ply(),
            black_simulations: simulations(Color::Black),
            white_simulations: simulations(Color::White),
            black_seconds: efforts[Color::Black.index()].spent.seconds,
            white_seconds: efforts[Color::White.index()].spent.seconds,
            black_cpu_seconds: cpu_seconds[Color::Black.index()],
            white_cpu_seconds: cpu_seconds[Color::White.index()],
            reason,
            black_engine_score: engine_score(Color::Black),
            white_engine_score: engine_score(Color::White),
            moves: moves.join(" "),
            comments: comments.join(" | "),
        };
        Ok(PlayedGame { row, searches })
    }
}

/// Plays the game of `plan` between bots of `tournament` to its end, with no other game
/// on this thread.
pub fn play(tournament: &Tournament, plan: &GamePlan) -> Result<GameRow, ResourceFault> {
    let played = play_planned(tournament, PlannedGame::of(tournament, *plan), &|| false)?;
    Ok(played.map_or_else(|| unreachable!("nobody abandons the game"), |played| played.row))
}

/// Plays a game under the settings of `tournament` to its end, with no other game on this thread;
/// none once `is_abandoned` is true, which is asked between two moves and in a search by
/// simulations.
pub fn play_planned(
    tournament: &Tournament,
    planned: PlannedGame,
    is_abandoned: &dyn Fn() -> bool,
) -> Result<Option<PlayedGame>, ResourceFault> {
    let mut open = OpenGame::new(tournament, planned);
    loop {
        match open.advance() {
            Step::Search(searches) => {
                let stopwatch = Stopwatch::start();
                let results = driver::advance(tournament.size, searches, is_abandoned);
                let spent = stopwatch.read();
                // No move follows from searches that were stopped.
                if is_abandoned() {
                    return Ok(None);
                }
                open.conclude(results.and_then(reports), spent);
            }
            Step::Moved if is_abandoned() => return Ok(None),
            Step::Moved => {}
            Step::Over => return open.finish().map(Some),
        }
    }
}

/// The score of the finished game by the program behind `bot`. If this score names another winner
/// than our own count, or the program cannot count, `reason` says so.
fn counted(
    game: &Game,
    bot: &mut Box<dyn Bot + '_>,
    color: Color,
    reason: &mut String,
) -> Result<Option<Score>, ResourceFault> {
    let (score, word) = match bot.final_score(game) {
        Ok(score) => {
            let other = score.filter(|score| score.winner() != game.score().winner());
            (score, other.map(|score| format!("{color} counts {}", score.to_result())))
        }
        Err(BotFailure::Resource(fault)) => return Err(fault),
        Err(BotFailure::Forfeit { reason, .. }) => {
            (None, Some(format!("{color} cannot count: {reason}")))
        }
    };
    if let Some(word) = word {
        add_word(reason, &word);
    }
    Ok(score)
}

fn add_word(reason: &mut String, word: &str) {
    if !reason.is_empty() {
        reason.push_str("; ");
    }
    reason.push_str(word);
}

fn by_score(game: &Game) -> Outcome {
    game.score().winner().map_or(Outcome::Jigo, won_by)
}

const fn won_by(color: Color) -> Outcome {
    match color {
        Color::Black => Outcome::Black,
        Color::White => Outcome::White,
    }
}
