//! When UCT passes, and when it never does.

use super::common::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tengen::bots::BotConfig;
use tengen::go::{Bits, Color, Game, Move};
use tengen::search::final_move::is_finished;
use tengen::search::{FinalMove, UctConfig};
use tengen::seed::mix;

/// A position that random play leads to, some plies in.
fn random_position(seed: u64) -> Game {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let size = [3, 4, 5, 6][usize::try_from(seed % 4).unwrap()];
    let komi = ["-6.5", "-1", "0", "2.5", "7"][usize::try_from(seed / 4 % 5).unwrap()];
    let mut game = empty(size, komi);
    let plies = random.next_u64() % (3 * u64::from(size) * u64::from(size));
    for _ in 0..plies {
        if game.end().is_some() || game.sensible_points().is_empty() {
            break;
        }
        random_ply(&mut game, &mut random);
    }
    game
}

#[test]
fn passes_answer_passes_when_the_board_is_won() {
    let (mut won, mut lost) = (0, 0);
    for seed in 0..1_500 {
        let mut game = random_position(seed);
        if game.end().is_some() || game.play(game.to_play(), Move::Pass).is_err() {
            continue;
        }
        if game.end().is_some() {
            continue;
        }
        let lead = game.score().for_player(game.to_play());
        let settings = if seed % 2 == 0 { uct(8) } else { UctConfig { reuse: true, ..uct(8) } };
        let mv = bot(&settings, seed).genmove(&game).unwrap().mv().unwrap();
        if lead > 0 {
            assert_eq!(mv, Move::Pass, "seed {seed}, ahead by {lead}\n{}", game.board());
            won += 1;
        } else if lead < 0 && !game.sensible_points().is_empty() && !is_finished(&game) {
            assert_ne!(mv, Move::Pass, "seed {seed}, behind by {lead}\n{}", game.board());
            lost += 1;
        }
    }
    assert!(won > 300 && lost > 300, "{won} won and {lost} lost positions");
}

#[test]
fn never_passes_into_a_loss_and_never_fills_an_eye() {
    let mut behind = 0;
    for seed in 0..2_000 {
        let game = random_position(seed);
        if game.end().is_some() {
            continue;
        }
        let final_move = if seed % 2 == 0 { FinalMove::Visits } else { FinalMove::Value };
        let config = UctConfig { final_move, workers: 1 + u32::from(seed % 7 == 0), ..uct(6) };
        let mv = bot(&config, seed).genmove(&game).unwrap().mv().unwrap();
        let sensible = game.sensible_points();
        match mv {
            Move::Play(vertex) => assert!(sensible.contains(Bits::<6>::index(vertex))),
            Move::Pass => {
                let lead = game.score().for_player(game.to_play());
                let is_over = sensible.is_empty() || is_finished(&game);
                assert!(lead >= 0 || is_over, "seed {seed}\n{}", game.board());
            }
        }
        behind += u32::from(game.score().for_player(game.to_play()) < 0 && !sensible.is_empty());
    }
    assert!(behind > 300, "only {behind} positions tempt to a losing pass");
}

#[test]
fn loses_none_of_200_games_to_random_by_passing() {
    let config = uct(100);
    let mut wins = 0;
    for seed in 0..200 {
        let mut game = empty(5, "2.5");
        let uct_color = Color::BOTH[usize::try_from(seed % 2).unwrap()];
        let mut player = bot(&config, mix(seed, 1));
        let mut random = BotConfig::Random(tengen::bots::RandomConfig {}).build(mix(seed, 2), None);
        // Passes of UCT that left another move unmade, by ply.
        let mut needless = Vec::new();
        while game.end().is_none() {
            let color = game.to_play();
            let mv = if color == uct_color {
                player.genmove(&game).unwrap().mv().unwrap()
            } else {
                random.genmove(&game).unwrap().mv().unwrap()
            };
            if color == uct_color && mv == Move::Pass && !game.sensible_points().is_empty() {
                needless.push(game.ply());
            }
            game.play(color, mv).unwrap();
        }
        if game.score().for_player(uct_color) > 0 {
            wins += 1;
        } else {
            let fatal = needless.iter().any(|&ply| ply + 2 >= game.ply());
            assert!(!fatal, "game {seed} was lost by passing\n{}", game.board());
        }
    }
    assert!(wins >= 190, "{wins} wins of 200 against random");
}
