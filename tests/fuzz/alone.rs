//! Each game of a tournament by itself: as the library plays it, and by a loop
//! of its own that plays one playout after the other.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use tengen::arena::{GamePlan, Tournament, play};
use tengen::bot::{Bot, Decision, Thinking, Turn};
use tengen::go::{Color, Game, Move, with_words};
use tengen::playout::{Playout, scalar};
use tengen::run::{Outcome, PlayedGame, Termination};
use tengen::search::UctConfig;
use tengen::search::root_parallel::{Finished, Task};
use tengen::search::uct::Request;
use tengen::seed::mix;
use tengen::sgf::{Overrides, Record};

/// All games of `tournament`, each by itself.
pub fn games(tournament: &Tournament) -> Result<Vec<PlayedGame>, String> {
    let schedule = tournament.schedule();
    let game = |number| {
        let plan = schedule.plan(number);
        let played = without_seconds(play(tournament, &plan));
        compare_by_hand(tournament, &plan, &played)
            .map_err(|fault| format!("game {number}, alone and by hand: {fault}"))?;
        Ok(played)
    };
    (0..schedule.games()).map(game).collect()
}

/// What does not depend on the clock.
pub fn without_seconds(mut played: PlayedGame) -> PlayedGame {
    played.row.black_seconds = 0.0;
    played.row.white_seconds = 0.0;
    played
}

/// What differs between two lists of games, if anything does.
pub fn compare(expected: &[PlayedGame], found: &[PlayedGame]) -> Result<(), String> {
    let numbers =
        |games: &[PlayedGame]| games.iter().map(|played| played.row.game).collect::<Vec<_>>();
    if numbers(expected) != numbers(found) {
        let (expected, found) = (numbers(expected), numbers(found));
        return Err(format!("the games are {found:?} and not {expected:?}"));
    }
    let Some((one, other)) = expected.iter().zip(found).find(|(one, other)| one != other) else {
        return Ok(());
    };
    let cells = |played: &PlayedGame| played.row.fields().unwrap_or_default().join(",");
    let first = |played: &PlayedGame| {
        let same = one.record.chars().zip(other.record.chars()).take_while(|(a, b)| a == b);
        let from = same.count().saturating_sub(20);
        played.record.chars().skip(from).take(70).collect::<String>()
    };
    Err(format!(
        "the games differ\n  alone: {}\n    {}\n  found: {}\n    {}",
        cells(one),
        first(one),
        cells(other),
        first(other)
    ))
}

/// Plays the game of `plan`, from the opening of `played` on, and says what is
/// otherwise in `played`.
fn compare_by_hand(
    tournament: &Tournament,
    plan: &GamePlan,
    played: &PlayedGame,
) -> Result<(), String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(plan.seed, plan.game as u64));
    let mut game = Game::new(tournament.size, tournament.rules());
    for made in played.row.opening.split_whitespace() {
        let made: Move = made.parse().map_err(|_| format!("the opening has `{made}`"))?;
        game.play(game.to_play(), made).map_err(|fault| format!("opening, {made}: {fault}"))?;
    }
    let mut bots = Color::BOTH
        .map(|color| tournament.bots[plan.bot(color)].config.build(plan.player_seed(color), None));
    for bot in &mut bots {
        bot.begin(&game, "by hand").map_err(|fault| fault.to_string())?;
    }
    let mut playouts = [0; 2];
    let mut comments = BTreeMap::new();
    let mut resigned = None;
    // Every other game by what a program asks that plays one game at a time.
    let is_asked = plan.game % 2 == 1;
    while game.end().is_none() && resigned.is_none() {
        let color = game.to_play();
        let bot = &mut bots[color.index()];
        let turn = if is_asked { genmove(bot, &game) } else { think(bot, &game, &mut random) }?;
        playouts[color.index()] += turn.playouts.unwrap_or(0);
        if let (true, Some(report)) = (tournament.comments, &turn.report) {
            comments.insert(game.moves().len() + 1, report.summary());
        }
        match turn.decision {
            Decision::Resign => resigned = Some(color),
            Decision::Move(made) => {
                game.play(color, made).map_err(|fault| format!("{made}: {fault}"))?;
            }
        }
    }
    let row = &played.row;
    let (outcome, termination) = if let Some(loser) = resigned {
        (won_by(!loser), Termination::Resign)
    } else {
        let is_limit = !game.board().is_over();
        let termination = if is_limit { Termination::Limit } else { Termination::Passes };
        (game.score().winner().map_or(Outcome::Jigo, won_by), termination)
    };
    let made = |color: Color| {
        let is_counted = tournament.bots[plan.bot(color)].config.makes_playouts();
        is_counted.then_some(playouts[color.index()])
    };
    let mut faults = Vec::new();
    let mut differ = |name: &str, expected: String, found: String| {
        if expected != found {
            faults.push(format!("{name} {found} and not {expected}"));
        }
    };
    differ("outcome", format!("{outcome:?}"), format!("{:?}", row.outcome));
    differ("termination", format!("{termination:?}"), format!("{:?}", row.termination));
    differ("reason", String::new(), row.reason.clone());
    differ("plies", game.ply().to_string(), row.plies.to_string());
    let score = game.end().map(|_| game.score().points());
    differ("score", format!("{score:?}"), format!("{:?}", row.score));
    differ(
        "playouts",
        format!("{:?}", [made(Color::Black), made(Color::White)]),
        format!("{:?}", [row.black_playouts, row.white_playouts]),
    );
    let rules = tournament.rules();
    let overrides = Overrides { rules: Some((rules.ko, rules.suicide)), komi: Some(rules.komi) };
    let mut record = Record::read(&played.record, overrides).map_err(|fault| fault.to_string())?;
    record.comments.remove(&0);
    let line = |game: &Game| {
        game.moves().map(|(color, made)| format!("{color} {made}")).collect::<Vec<_>>().join(", ")
    };
    differ("moves", line(&game), line(&record.game));
    // A record has no place for what a player thought who then resigned.
    comments.retain(|&ply, _| ply <= game.moves().len());
    record.comments.retain(|&ply, _| ply <= game.moves().len());
    differ("comments", format!("{comments:?}"), format!("{:?}", record.comments));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}

const fn won_by(color: Color) -> Outcome {
    match color {
        Color::Black => Outcome::Black,
        Color::White => Outcome::White,
    }
}

fn genmove(bot: &mut Box<dyn Bot + '_>, game: &Game) -> Result<Turn, String> {
    bot.genmove(game).map_err(|fault| fault.to_string())
}

/// A move whose playouts are played one after the other, and handed back in
/// any order and at any moment that a search has to bear.
fn think(
    bot: &mut Box<dyn Bot + '_>,
    game: &Game,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Turn, String> {
    match bot.begin_move(game).map_err(|fault| fault.to_string())? {
        Thinking::Decided(turn) => Ok(turn),
        Thinking::Searching(tasks, config) => {
            let finished = with_words!(game.size(), W => {
                let search = |task| search::<W>(task, game, &config, random);
                tasks.into_iter().map(search).collect::<Result<Vec<Finished>, String>>()
            })?;
            bot.end_move(game, finished, 0.0).map_err(|fault| fault.to_string())
        }
    }
}

fn search<const W: usize>(
    task: Task,
    game: &Game,
    config: &UctConfig,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Finished, String> {
    let manner = config.manner(game.rules().komi);
    let mut search = task.begin::<W>(game, config);
    let mut out: Vec<(u64, Playout<W>)> = Vec::new();
    loop {
        let mut must_wait = false;
        if out.is_empty() || random.random() {
            match search.select() {
                Request::Playout { simulation, job } => {
                    out.push((simulation, scalar::play_by(manner, &job)));
                }
                Request::Wait if out.is_empty() => {
                    return Err("a search waits for nothing".to_owned());
                }
                Request::Wait => must_wait = true,
                Request::Pause => {}
                Request::Done if !out.is_empty() => {
                    return Err("a search is done before its playouts are".to_owned());
                }
                Request::Done => return Ok(Finished::from(search)),
            }
        }
        if must_wait || (!out.is_empty() && random.random()) {
            let (simulation, playout) = out.swap_remove(random.random_range(0..out.len()));
            search.update(simulation, &playout);
        }
    }
}
