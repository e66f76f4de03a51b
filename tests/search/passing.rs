//! When UCT passes, and when it never does.

use super::common::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tengen::go::{Bits, Game, Move};
use tengen::search::final_move::is_finished;
use tengen::search::{FinalMove, UctConfig};

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

/// After a pass of the opponent, UCT passes where the board is won and plays on where it is
/// lost; otherwise it neither passes into a loss nor fills an eye.
#[test]
fn passes_to_win_and_never_into_a_loss() {
    let (mut won, mut lost, mut tempted) = (0, 0, 0);
    for seed in 0..2_000 {
        let mut game = random_position(seed);
        if game.end().is_some() {
            continue;
        }
        let final_move = if seed % 2 == 0 {
            FinalMove::built_in("visits")
        } else {
            FinalMove::built_in("value")
        };
        let workers = 1 + u32::from(seed % 7 == 0);
        let config = UctConfig { final_move, workers, reuse: seed % 3 == 0, ..uct(8) };
        let genmove = |game: &Game| bot(&config, seed).genmove(game).unwrap().mv().unwrap();
        let sensible = game.sensible_points();
        let lead = game.score().for_player(game.to_play());
        let is_over = sensible.is_empty() || is_finished(&game);
        let what = format!("seed {seed}, ahead by {lead}\n{}", game.board());
        match genmove(&game) {
            Move::Play(vertex) => assert!(sensible.contains(Bits::<6>::index(vertex)), "{what}"),
            Move::Pass => assert!(lead >= 0 || is_over, "{what}"),
        }
        tempted += u32::from(lead < 0 && !sensible.is_empty());
        game.play(game.to_play(), Move::Pass).unwrap();
        if game.end().is_some() {
            continue;
        }
        let lead = game.score().for_player(game.to_play());
        if lead > 0 {
            assert_eq!(genmove(&game), Move::Pass, "after a pass, {what}");
            won += 1;
        } else if lead < 0 && !game.sensible_points().is_empty() && !is_finished(&game) {
            assert_ne!(genmove(&game), Move::Pass, "after a pass, {what}");
            lost += 1;
        }
    }
    assert!(won > 400 && lost > 300 && tempted > 300, "{won} {lost} {tempted}");
}
