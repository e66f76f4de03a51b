//! The real GNU Go, with the flags that every figure of this project uses.

use tengen::results::{GameRow, Termination};
use tengen::tournament::{Settings, Tournament, play, preflight};

const GNUGO: &str = "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko \
                     --capture-all-dead --play-out-aftermath";

fn tournament(size: &str, other: &str, pairs: usize) -> Tournament {
    let text = format!("size = '{size}'\npairs = {pairs}\nbot = ['gnugo={GNUGO}', '{other}']");
    toml::from_str::<Settings>(&text).unwrap().resolve().unwrap()
}

fn timeless(row: &GameRow) -> GameRow {
    GameRow { black_seconds: 0.0, white_seconds: 0.0, ..row.clone() }
}

#[test]
#[ignore = "needs gnugo: .ci/run installs it"]
fn every_game_ends_and_both_name_the_same_winner() {
    for (size, other, pairs) in
        [("9x9", "uct:playouts=100", 5), ("5x5", "two-ply", 5), ("13x13", "random", 1)]
    {
        let tournament = tournament(size, other, pairs);
        let schedule = tournament.schedule();
        for game in 0..schedule.games() {
            let row = play(&tournament, &schedule.plan(game)).unwrap().row;
            assert!(
                matches!(row.termination, Termination::Passes | Termination::Resign),
                "{row:?}"
            );
            assert_eq!(row.reason, "", "{row:?}");
            let counted = row.black_engine_score.or(row.white_engine_score);
            if row.termination == Termination::Passes {
                // The margin may differ: a search passes with dead stones on
                // the board once they cannot change who has won.
                let winner = |score: Option<f64>| score.map(f64::signum);
                assert_eq!(winner(counted), winner(row.score), "{row:?}");
                assert!(counted == row.score || other.starts_with("uct"), "{row:?}");
            }
        }
    }
}

#[test]
#[ignore = "needs gnugo: .ci/run installs it"]
fn a_seed_repeats_the_game() {
    let tournament = tournament("9x9", "random", 1);
    let plan = tournament.schedule().plan(0);
    let row = play(&tournament, &plan).unwrap().row;
    assert_eq!(timeless(&row), timeless(&play(&tournament, &plan).unwrap().row));
}

#[test]
#[ignore = "needs gnugo: .ci/run installs it"]
fn the_preflight_knows_it() {
    let programs = preflight(&tournament("9x9", "random", 1)).unwrap();
    assert_eq!(programs, [Some("GNU Go 3.8".to_owned()), None]);
    let fault = preflight(&tournament("7x5", "random", 1)).unwrap_err().to_string();
    assert!(fault.contains("rectangular_boardsize"), "{fault}");
}
