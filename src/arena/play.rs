//! One game.

use super::config::Tournament;
use super::opening;
use super::schedule::GamePlan;
use crate::go::{Color, End, Game};
use crate::run::{GameRow, Outcome, Termination};
use std::time::Instant;

/// What one player used up.
#[derive(Clone, Copy, Default)]
struct Effort {
    playouts: u64,
    seconds: f64,
}

/// Plays the game of `plan` to its end.
pub fn play(tournament: &Tournament, plan: &GamePlan) -> GameRow {
    let mut game = Game::new(tournament.size, tournament.rules());
    opening::play_random(&mut game, tournament.opening_plies, plan.opening_seed());
    let opened = game.moves().map(|(_, made)| made.to_string()).collect::<Vec<_>>().join(" ");
    let entrant = |color| &tournament.bots[plan.bot(color)];
    let mut bots =
        Color::BOTH.map(|color| entrant(color).config.build(plan.player_seed(color), None));
    let mut efforts = [Effort::default(); 2];
    let (outcome, termination) = loop {
        match game.end() {
            Some(End::Passes) => break (by_score(&game), Termination::Passes),
            Some(End::Limit) => break (by_score(&game), Termination::Limit),
            None => {}
        }
        let player = game.to_play();
        let started = Instant::now();
        let turn = bots[player.index()].genmove(&game);
        let effort = &mut efforts[player.index()];
        effort.seconds += started.elapsed().as_secs_f64();
        effort.playouts += turn.playouts.unwrap_or(0);
        if game.play(player, turn.made).is_err() {
            break (won_by(!player), Termination::Illegal);
        }
    };
    let playouts = |color: Color| {
        entrant(color).config.makes_playouts().then_some(efforts[color.index()].playouts)
    };
    GameRow {
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
    }
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
