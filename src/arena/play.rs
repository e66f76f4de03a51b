//! One game.

use super::config::Tournament;
use super::opening;
use super::schedule::GamePlan;
use crate::bot::{Bot, BotFailure, Decision, FailureKind};
use crate::go::{Color, End, Game, Score};
use crate::run::{GameRow, Outcome, PlayedGame, Termination};
use crate::sgf::Record;
use std::collections::BTreeMap;
use std::time::Instant;

/// What one player used up.
#[derive(Clone, Copy, Default)]
struct Effort {
    playouts: u64,
    seconds: f64,
}

/// How a game ended.
struct Ending {
    outcome: Outcome,
    termination: Termination,
    /// Why a player lost without being counted out; else empty.
    reason: String,
}

/// Plays the game of `plan` to its end. A bot that fails loses it.
#[must_use]
pub fn play(tournament: &Tournament, plan: &GamePlan) -> PlayedGame {
    let mut game = Game::new(tournament.size, tournament.rules());
    opening::play_random(&mut game, tournament.opening_plies, plan.opening_seed());
    let opened = game.moves().map(|(_, made)| made.to_string()).collect::<Vec<_>>().join(" ");
    let entrant = |color| &tournament.bots[plan.bot(color)];
    let mut bots =
        Color::BOTH.map(|color| entrant(color).config.build(plan.player_seed(color), None));
    let mut efforts = [Effort::default(); 2];
    let mut comments = BTreeMap::new();
    let begun = Color::BOTH.into_iter().try_for_each(|color| {
        let label = format!("game-{:06}-{color}", plan.game);
        bots[color.index()].begin(&game, &label).map_err(|failure| (color, failure))
    });
    let ending = match begun {
        Ok(()) => {
            let heard = tournament.comments.then_some(&mut comments);
            play_on(&mut game, &mut bots, &mut efforts, heard)
        }
        Err((color, failure)) => forfeit(color, failure),
    };
    let Ending { outcome, termination, mut reason } = ending;
    let counts = Color::BOTH.map(|color| {
        let bot = &mut bots[color.index()];
        if termination == Termination::Passes {
            counted(&game, bot, color, &mut reason)
        } else {
            None
        }
    });
    let playouts = |color: Color| {
        entrant(color).config.makes_playouts().then_some(efforts[color.index()].playouts)
    };
    let engine_score = |color: Color| counts[color.index()].map(Score::points);
    let row = GameRow {
        game: plan.game,
        pair: plan.pair,
        pairing: plan.pairing,
        black: entrant(Color::Black).name.clone(),
        white: entrant(Color::White).name.clone(),
        seed: plan.seed,
        opening: opened,
        outcome,
        score: game.end().map(|_| game.score().points()),
        termination,
        plies: game.ply(),
        black_playouts: playouts(Color::Black),
        white_playouts: playouts(Color::White),
        black_seconds: efforts[Color::Black.index()].seconds,
        white_seconds: efforts[Color::White.index()].seconds,
        reason,
        black_engine_score: engine_score(Color::Black),
        white_engine_score: engine_score(Color::White),
    };
    let record = record(tournament, plan, &row, game, comments);
    PlayedGame { row, record }
}

/// The game as SGF, on one line.
fn record(
    tournament: &Tournament,
    plan: &GamePlan,
    row: &GameRow,
    game: Game,
    comments: BTreeMap<usize, String>,
) -> String {
    let config = |color| tournament.bots[plan.bot(color)].config.complete();
    let told = format!(
        "Black: {}. White: {}. Seed of the pair: {}. The first {} plies are the opening.",
        config(Color::Black),
        config(Color::White),
        plan.seed,
        row.opening.split_whitespace().count()
    );
    let mut record = Record::new(game);
    record.black.clone_from(&row.black);
    record.white.clone_from(&row.white);
    record.result = result(row);
    record.event = format!("{}, game {}", tournament.name, plan.game);
    record.comments = comments;
    record.comments.insert(0, told);
    record.to_sgf().replace('\n', "")
}

/// The result as SGF writes it.
fn result(row: &GameRow) -> String {
    let winner = match row.outcome {
        Outcome::Black => "B",
        Outcome::White => "W",
        Outcome::Jigo => return "0".to_owned(),
        Outcome::Void => return "Void".to_owned(),
    };
    let by = match (row.termination, row.score) {
        (Termination::Resign, _) => "R".to_owned(),
        (Termination::Time, _) => "T".to_owned(),
        (Termination::Passes | Termination::Limit, Some(score)) => score.abs().to_string(),
        _ => "F".to_owned(),
    };
    format!("{winner}+{by}")
}

/// Asks the bots in turn until the game is over or one of them fails.
fn play_on(
    game: &mut Game,
    bots: &mut [Box<dyn Bot + '_>; 2],
    efforts: &mut [Effort; 2],
    mut comments: Option<&mut BTreeMap<usize, String>>,
) -> Ending {
    loop {
        let termination = match game.end() {
            Some(End::Passes) => Termination::Passes,
            Some(End::Limit) => Termination::Limit,
            None => {
                let player = game.to_play();
                let effort = &mut efforts[player.index()];
                match ply(game, &mut bots[player.index()], effort, comments.as_deref_mut()) {
                    Ok(None) => continue,
                    Ok(Some(termination)) => {
                        let outcome = won_by(!player);
                        return Ending { outcome, termination, reason: String::new() };
                    }
                    Err(failure) => return forfeit(player, failure),
                }
            }
        };
        return Ending { outcome: by_score(game), termination, reason: String::new() };
    }
}

/// One turn of the player to move; tells if that ended the game.
fn ply(
    game: &mut Game,
    bot: &mut Box<dyn Bot + '_>,
    effort: &mut Effort,
    comments: Option<&mut BTreeMap<usize, String>>,
) -> Result<Option<Termination>, BotFailure> {
    let player = game.to_play();
    let started = Instant::now();
    let turn = bot.genmove(game);
    effort.seconds += started.elapsed().as_secs_f64();
    let turn = turn?;
    effort.playouts += turn.playouts.unwrap_or(0);
    if let (Some(comments), Some(report)) = (comments, &turn.report) {
        comments.insert(game.moves().len() + 1, report.summary());
    }
    match turn.decision {
        Decision::Resign => Ok(Some(Termination::Resign)),
        Decision::Move(made) => match game.play(player, made) {
            Ok(()) => Ok(None),
            Err(why) => {
                Err(BotFailure { kind: FailureKind::Illegal, reason: format!("{made}: {why}") })
            }
        },
    }
}

/// The loss of `color`, whose bot failed.
fn forfeit(color: Color, failure: BotFailure) -> Ending {
    let termination = match failure.kind {
        FailureKind::Illegal => Termination::Illegal,
        FailureKind::Crash => Termination::Crash,
        FailureKind::Time => Termination::Time,
    };
    Ending { outcome: won_by(!color), termination, reason: failure.reason }
}

/// How the program behind `bot` counts the finished game; `reason` gets a word
/// if it names another winner or cannot count.
fn counted(
    game: &Game,
    bot: &mut Box<dyn Bot + '_>,
    color: Color,
    reason: &mut String,
) -> Option<Score> {
    let (score, word) = match bot.final_score(game) {
        Ok(score) => {
            let other = score.filter(|score| score.winner() != game.score().winner());
            (score, other.map(|score| format!("{color} counts {}", score.to_result())))
        }
        Err(failure) => (None, Some(format!("{color} cannot count: {failure}"))),
    };
    if let Some(word) = word {
        let separator = if reason.is_empty() { "" } else { "; " };
        *reason = format!("{reason}{separator}{word}");
    }
    score
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
