//! Finished games between strangers: what is dead, and who has won.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use tengen::engine::Engine;
use tengen::go::{Board, Color, Preset, Score};

/// A finished game of the file, as GNU Go 3.8 at level 10 judges it.
struct Finished {
    rows: String,
    komi: String,
    score: Score,
    dead: BTreeSet<String>,
}

fn finished() -> Vec<Finished> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/finished_games.csv");
    let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(path).unwrap();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    rows.records()
        .map(|row| {
            let row = row.unwrap();
            Finished {
                rows: row[0].to_owned(),
                komi: row[1].to_owned(),
                score: Score::from_result(&row[2]).unwrap(),
                dead: words(&row[3]),
            }
        })
        .collect()
}

/// The engine at the last position of a game.
fn engine(game: &Finished) -> Engine<'static> {
    let board = Board::<6>::from_diagram(&game.rows, Color::Black).unwrap();
    let mut engine = Engine::new("random".parse().unwrap(), 1, Preset::Chinese, None);
    let mut setup = "gogui-setup".to_owned();
    for color in Color::BOTH {
        for index in board.stones(color).iter() {
            let vertex = tengen::go::Bits::<6>::vertex(index);
            let _ = write!(setup, " {color} {vertex}");
        }
    }
    let size = board.size();
    let boardsize = format!("boardsize {} {}", size.width(), size.height());
    for command in [boardsize, format!("komi {}", game.komi), setup] {
        engine.answer(&command).unwrap().result.unwrap();
    }
    engine
}

#[test]
fn dead_stones_and_winners_are_those_of_gnu_go() {
    let games = finished();
    assert!(games.len() >= 40, "{} games", games.len());
    let (mut lists, mut winners) = (0, 0);
    for game in &games {
        let mut engine = engine(game);
        let mut ask = |command: &str| engine.answer(command).unwrap().result.unwrap();
        let dead = ask("final_status_list dead");
        let dead: BTreeSet<String> = dead.split_whitespace().map(str::to_owned).collect();
        let score = Score::from_result(&ask("final_score")).unwrap();
        lists += usize::from(dead == game.dead);
        let has_winner = score.winner() == game.score.winner();
        winners += usize::from(has_winner);
        if dead != game.dead || !has_winner {
            println!("{}\n  dead {dead:?}, by GNU Go {:?}", game.rows, game.dead);
        }
    }
    println!("{} games: {winners} winners and {lists} lists are the same", games.len());
    // The others are fights over liberties that the playouts do not see through, and a seki.
    assert!(winners >= games.len() - 1, "{winners} of {}", games.len());
    assert!(lists >= games.len() - 3, "{lists} of {}", games.len());
}
