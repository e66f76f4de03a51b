//! `tournament --training FILE`: every position of the file held against the games, played again.

// Numbers of games, plies and points, which the reader has as floats.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

use crate::common::{Scratch, TOURNAMENT, printed, read, rows};
use crate::gtp_match::engine;
use crate::npz::{Array, by_name};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tengen::go::{Bits, Board, Color, Game, Move, Size, Vertex};
use tengen::tournament::{GameRow, Outcome, Termination, Tournament};

/// A move as the file numbers it.
fn numbered(size: Size, mv: Move) -> f64 {
    match mv {
        Move::Play(vertex) => {
            (usize::from(vertex.row) * size.width() + usize::from(vertex.col)) as f64
        }
        Move::Pass => size.points() as f64,
    }
}

/// The planes of the last position of `game`, point by point.
fn planes(game: &Game) -> Vec<f64> {
    let (board, player) = (game.board(), game.to_play());
    let moves: Vec<Move> = game.moves().map(|(_, mv)| mv).collect();
    let ago = |plies: usize| moves.len().checked_sub(plies).map(|place| moves[place]);
    let eyes = board.eyes();
    let eyes: BTreeSet<Vertex> = eyes.iter().map(Bits::<6>::vertex).collect();
    let is = |plane: usize, vertex: Vertex| match plane {
        0 => board.at(vertex) == Some(player),
        1 => board.at(vertex) == Some(!player),
        2 => game.check(player, Move::Play(vertex)).is_ok() && !eyes.contains(&vertex),
        _ => ago(plane - 2) == Some(Move::Play(vertex)),
    };
    let points: Vec<Vertex> = (0..game.size().height())
        .flat_map(|row| (0..game.size().width()).map(move |col| (col, row)))
        .map(|(col, row)| Vertex { col: col as u8, row: row as u8 })
        .collect();
    let plane = |plane| points.iter().map(move |&vertex| is(plane, vertex));
    (0..5)
        .flat_map(|number| plane(number).collect::<Vec<_>>())
        .map(|is| f64::from(u8::from(is)))
        .collect()
}

/// The visits of the best move and of all, by ply, from the comments of `row`.
fn commented(row: &GameRow) -> BTreeMap<usize, (f64, f64)> {
    let comments = row.comments.split(" | ").filter(|comment| !comment.is_empty());
    let visits = |comment: &str| {
        let words: Vec<&str> = comment.split_whitespace().collect();
        // As in `5 C3: 19 of 60 visits, …`: plies from 1.
        let ply: usize = words[0].parse().unwrap();
        (ply - 1, (words[2].parse().unwrap(), words[4].parse().unwrap()))
    };
    comments.map(visits).collect()
}

/// The game of `row` before its first move.
fn start(tournament: &Tournament, row: &GameRow) -> Game {
    let Some(opening) = tournament.opening.get(row.pair) else {
        return Game::new(tournament.size, tournament.rules());
    };
    let to_play = if opening.to_play.as_deref() == Some("w") { Color::White } else { Color::Black };
    let mut board = Board::new(tournament.size);
    if let Some(rows) = &opening.position {
        board = Board::from_diagram(rows, to_play).unwrap();
    }
    board.turn_to(to_play);
    Game::from_position(board, tournament.rules())
}

/// The rows of one game in the file.
struct OfGame<'a> {
    arrays: &'a BTreeMap<String, Array>,
    /// The number of the row in the file, by ply.
    rows: BTreeMap<usize, usize>,
}

impl OfGame<'_> {
    fn number(&self, array: &str, ply: usize) -> f64 {
        let numbers = self.arrays[array].row(self.rows[&ply]);
        assert_eq!(numbers.len(), 1);
        numbers[0]
    }

    /// Holds all positions of `row` against the game, played again.
    fn check(&self, tournament: &Tournament, row: &GameRow) {
        let mut game = start(tournament, row);
        let moves: Vec<Move> =
            row.moves.split_whitespace().map(|text| text.parse().unwrap()).collect();
        let comments = commented(row);
        let mut simulations = [0.0; 2];
        for ply in 0..=moves.len() {
            let (player, mv) = (game.to_play(), moves.get(ply));
            let name = if player == Color::Black { &row.black } else { &row.white };
            assert_eq!(self.rows.contains_key(&ply), comments.contains_key(&ply), "a search each");
            if self.rows.contains_key(&ply) {
                let of = |array: &str| self.arrays[array].row(self.rows[&ply]);
                let one = |array: &str| self.number(array, ply);
                assert!(ply >= row.opening_plies as usize);
                let bot = tournament.bots.iter().position(|bot| bot.name == *name).unwrap();
                assert_eq!(one("bot"), bot as f64);
                let place = format!("game {}, ply {ply}", row.game);
                let expected = planes(&game);
                assert_eq!(of("planes"), expected, "{place}");
                let komi = f64::from(row.komi) / 20.0;
                let own_komi = if player == Color::White { komi } else { -komi };
                assert_eq!(one("komi"), f64::from(own_komi as f32), "{place}");
                let visits = of("visits");
                let legal = &expected[2 * row.size.points()..3 * row.size.points()];
                assert!(
                    visits.iter().zip(legal).all(|(visits, legal)| *visits == 0.0 || *legal == 1.0)
                );
                let all: f64 = visits.iter().sum();
                let most = visits.iter().copied().fold(0.0, f64::max);
                assert_eq!((most, all), comments[&ply], "{place}");
                simulations[player.index()] += all;
                let resigned = mv.is_none().then_some(-1.0);
                let number = mv.map(|mv| numbered(row.size, *mv));
                assert_eq!(Some(one("move")), number.or(resigned), "{place}");
                assert!((0.0..=1.0).contains(&one("value")), "{place}");
                let won = match row.outcome {
                    Outcome::Jigo => 0.5,
                    Outcome::Void => panic!("a void game has positions"),
                    winner => {
                        f64::from(u8::from((winner == Outcome::Black) == (player == Color::Black)))
                    }
                };
                assert_eq!(one("result"), won, "{place}");
                let sign = if player == Color::Black { 1.0 } else { -1.0 };
                match row.score {
                    Some(score) => assert_eq!(one("score"), sign * score, "{place}"),
                    None => assert!(one("score").is_nan(), "{place}"),
                }
                assert_eq!(one("player"), f64::from(u8::from(player == Color::White)));
                assert_eq!((one("game"), one("ply")), (row.game as f64, ply as f64));
                let endings = ["passes", "resign", "limit", "illegal", "crash", "time"];
                let ending = endings.iter().position(|end| *end == row.termination.to_string());
                assert_eq!(one("termination"), ending.unwrap() as f64, "{place}");
            }
            if let Some(mv) = mv {
                game.play(player, *mv).unwrap();
            }
        }
        for (color, made) in [row.black_simulations, row.white_simulations].iter().enumerate() {
            assert_eq!(simulations[color], made.unwrap_or(0) as f64, "game {}", row.game);
        }
    }
}

/// Plays the tournament of `line`, holds every position of its file against the games, and returns
/// the games in which a bot searched.
fn checked(line: &str) -> Vec<GameRow> {
    let folder = Scratch::new();
    let line = format!("{line} --comments --out run --training x.npz");
    let said = printed(TOURNAMENT, &folder, &line);
    let arrays = by_name(&folder.join("x.npz"));
    let mut rows = rows(&folder.join("run"));
    let tournament: Tournament = read(&folder.join("run/config.toml")).parse().unwrap();
    let positions = arrays["game"].shape[0];
    assert!(said.ends_with(&format!("{positions} positions in x.npz\n")), "{said}");
    let mut by_game: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    let mut last = (0.0, 0.0);
    for row in 0..positions {
        let place = (arrays["game"].row(row)[0], arrays["ply"].row(row)[0]);
        assert!(row == 0 || place > last, "in the order of the schedule");
        last = place;
        by_game.entry(place.0 as usize).or_default().insert(place.1 as usize, row);
    }
    for row in &rows {
        let rows = by_game.remove(&row.game).unwrap_or_default();
        OfGame { arrays: &arrays, rows }.check(&tournament, row);
    }
    assert!(by_game.is_empty());
    rows.retain(|row| row.black_simulations.max(row.white_simulations) > Some(0));
    rows
}

fn terminations(rows: &[GameRow]) -> BTreeSet<String> {
    rows.iter().map(|row| row.termination.to_string()).collect()
}

/// Games of bots with searches and without, which end by passes, limit and resignation; jigo too.
#[test]
fn every_position_is_the_one_of_the_game() {
    let bots = "--bot random --bot two-ply --bot weak=uct:simulations=30,resign=0.3 \
                --bot even=uct:simulations=40,workers=2";
    let rows = checked(&format!("{bots} --size 5x4 --komi 2 --pairs 5 --max-plies 26 --seed 1"));
    let expected = ["passes", "resign", "limit"].map(str::to_owned);
    assert_eq!(terminations(&rows), BTreeSet::from(expected));
    assert!(rows.iter().any(|row| row.outcome == Outcome::Jigo));
    let resigned = |row: &&GameRow| row.termination == Termination::Resign;
    assert!(rows.iter().filter(resigned).all(|row| row.score.is_none()));
}

/// Games that the other program loses without playing them out.
#[test]
fn every_position_of_a_forfeited_game_is_there() {
    let engine = engine();
    let bot = |name: &str, how: &str| format!("--bot '{name}=gtp:sh {} {how}'", engine.display());
    let line = format!(
        "--bot uct:simulations=20 {} {} --size 5 --format gauntlet --pairs 1 --openings none",
        bot("bad", "crash"),
        bot("odd", "off-board")
    );
    let rows = checked(&line);
    assert_eq!(terminations(&rows), ["crash", "illegal"].map(str::to_owned).into());
    assert!(rows.len() == 2 && rows.iter().all(|row| row.score.is_none()));
}

/// Openings that the settings give, one of which begins with White.
#[test]
fn positions_follow_openings_with_a_position() {
    let folder = Scratch::new();
    let path = folder.join("run.toml");
    let text = "size = 5\npairs = 2\nbot = ['a=uct:simulations=20', 'b=uct:simulations=20,reuse=false']\n\
                [[opening]]\nto_play = 'w'\nmoves = 'C3 D3'\n\
                [[opening]]\nposition = '...../.XO../.XO../...../.....'\nmoves = 'B2'\n";
    fs::write(&path, text).unwrap();
    let rows = checked(&format!("--config {}", path.display()));
    assert_eq!(rows.len(), 4);
}
