//! A game played among many on one thread is the game played by itself.

use std::sync::atomic::AtomicBool;
use tengen::results::PlayedGame;
use tengen::tournament::{Settings, Tournament, play, play_games};

fn resolved(text: &str) -> Tournament {
    toml::from_str::<Settings>(text).unwrap().resolve().unwrap()
}

fn without_seconds(mut played: PlayedGame) -> PlayedGame {
    played.row.black_seconds = 0.0;
    played.row.white_seconds = 0.0;
    played
}

fn check(text: &str, threads: usize) {
    let tournament = resolved(text);
    let schedule = tournament.schedule();
    let due: Vec<usize> = (0..schedule.games()).collect();
    let mut together = Vec::new();
    play_games(&tournament, threads, due.as_slice(), &AtomicBool::new(false), |played| {
        together.push(without_seconds(played));
        Ok::<(), tengen::gtp::ResourceFault>(())
    })
    .unwrap();
    together.sort_by_key(|played| played.row.game);
    assert_eq!(together.len(), schedule.games());
    for played in together {
        let alone = play(&tournament, &schedule.plan(played.row.game)).unwrap();
        assert_eq!(played, without_seconds(alone));
    }
}

#[test]
fn bots_of_every_kind() {
    let text = "size = '5x5'\npairs = 3\ncomments = false\nbot = ['random', 'two-ply', \
                'uct:playouts=60', 'uct:playouts=90,workers=3', 'uct:playouts=50,reuse=true']";
    check(text, 1);
    check(text, 2);
}

#[test]
fn bots_of_unlike_playouts() {
    let text = "size = '5x5'\npairs = 4\nbot = ['uct:playouts=40', \
                'uct:playouts=50,policy=capture-escape:0.9', \
                'uct:playouts=30,workers=3,policy=capture-escape:0.3', \
                'uct:playouts=60,stop=mercy:6', 'uct:playouts=60,stop=decided:2', 'random']";
    check(text, 1);
    check(text, 2);
}

#[test]
fn every_width_of_a_board() {
    for size in ["4x7", "9x9", "12x13", "15x19"] {
        let text = format!("size = '{size}'\npairs = 2\nbot = ['uct:playouts=12', 'random']");
        check(&text, 1);
    }
}

#[test]
fn other_rules_and_limits() {
    for rules in ["tromp-taylor", "new-zealand", "simple"] {
        let text = format!(
            "size = '3x4'\nkomi = 1\nrules = '{rules}'\nmax_plies = 30\npairs = 6\n\
             bot = ['uct:playouts=40', 'uct:playouts=20,exploration=1.5']"
        );
        check(&text, 2);
    }
}
