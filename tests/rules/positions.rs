//! Positions of others: boards after given moves, area scores, set-ups, and
//! the number of legal positions.

use std::collections::HashSet;
use tengen::go::{
    Board, Color, Game, Ko, Komi, Move, Preset, Rules, Size, Suicide, Vertex, with_words,
};

/// Boards with at most so many colourings are tried.
const ORDINARY: u64 = 5_000_000;

fn oracle(section: &str) -> Vec<serde_json::Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/board_positions.json");
    let all: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    all[section].as_array().unwrap().clone()
}

fn rows(value: &serde_json::Value) -> String {
    strings(&value["board"]).join("/")
}

fn strings(value: &serde_json::Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn vertices(value: &serde_json::Value) -> Vec<Vertex> {
    strings(value).iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn moves_lead_to_the_oracle_boards() {
    let cases = oracle("play");
    assert_eq!(cases.len(), 16);
    for case in cases {
        let code = &case["code"];
        let size = Size::square(9).unwrap();
        // The moves of some cases take the same player twice, or are suicide.
        let rules = Rules {
            ko: Ko::None,
            suicide: Suicide::All,
            ..Rules::new(Preset::Tengen, size, Komi::default())
        };
        let mut game = Game::new(size, rules);
        let mut small = Board::<2>::new(size);
        for text in strings(&case["moves"]) {
            let (color, mv) = text.split_once(' ').unwrap();
            let (color, mv): (Color, Move) = (color.parse().unwrap(), mv.parse().unwrap());
            game.play(color, mv).unwrap_or_else(|reason| panic!("{code} {text}: {reason}"));
            small.turn_to(color);
            small.play(mv, rules).unwrap();
            game.board().assert_valid();
        }
        assert_eq!(game.board().to_rows(), rows(&case), "{code}");
        let ko = case["ko"].as_str().map(|text| text.parse::<Vertex>().unwrap());
        assert_eq!(game.board().ko(), ko, "{code}");
        let score = i32::try_from(case["score"].as_i64().unwrap()).unwrap();
        assert_eq!(game.score().half_points(), 2 * score, "{code}");
        assert_eq!(small.repacked::<6>(), *game.board(), "{code}");
    }
}

#[test]
fn boards_score_as_the_oracle_says() {
    let cases = oracle("score");
    assert_eq!(cases.len(), 5);
    for case in cases {
        let score = i32::try_from(case["score"].as_i64().unwrap()).unwrap();
        for to_play in Color::BOTH {
            let board = Board::<2>::from_diagram(&rows(&case), to_play).unwrap();
            assert_eq!(board.area_score().half_points(), 2 * score, "{}", case["code"]);
        }
    }
}

#[test]
fn set_ups_are_legal_as_the_oracle_says() {
    let cases = oracle("setup");
    assert_eq!(cases.len(), 3);
    for case in cases {
        let size = Size::square(9).unwrap();
        let (black, white) = (vertices(&case["black"]), vertices(&case["white"]));
        let board = Board::<2>::set_up(size, &black, &white, Color::Black);
        assert_eq!(board.is_ok(), case["legal"].as_bool().unwrap(), "{}", case["code"]);
        if let Ok(board) = board {
            assert_eq!(board.to_rows(), rows(&case));
        }
    }
}

/// The colourings of a board that `set_up` accepts, by trying all of them.
fn count_legal<const W: usize>(size: Size) -> u64 {
    fn extend<const W: usize>(
        size: Size,
        left: &[Vertex],
        black: &mut Vec<Vertex>,
        white: &mut Vec<Vertex>,
    ) -> u64 {
        let Some((&vertex, left)) = left.split_first() else {
            return u64::from(Board::<W>::set_up(size, black, white, Color::Black).is_ok());
        };
        let mut count = extend::<W>(size, left, black, white);
        black.push(vertex);
        count += extend::<W>(size, left, black, white);
        black.pop();
        white.push(vertex);
        count += extend::<W>(size, left, black, white);
        white.pop();
        count
    }
    let all: Vec<Vertex> = Vertex::all(size).collect();
    extend::<W>(size, &all, &mut Vec::new(), &mut Vec::new())
}

/// The boards of `legal_counts.csv`, upright and lying.
#[test]
fn small_boards_have_the_known_number_of_legal_positions() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/legal_counts.csv");
    let mut boards = HashSet::new();
    for row in csv::Reader::from_path(path).unwrap().records().map(Result::unwrap) {
        let (m, n): (u8, u8) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        let colorings = 3_u64.checked_pow(u32::from(m) * u32::from(n));
        if colorings.is_none_or(|colorings| colorings > ORDINARY) {
            continue;
        }
        let expected: u64 = row[2].parse().unwrap();
        for (width, height) in [(m, n), (n, m)] {
            let size = Size::new(width, height).unwrap();
            if boards.insert(size) {
                let count = with_words!(size, W => count_legal::<W>(size));
                assert_eq!(count, expected, "{size}");
            }
        }
    }
    assert_eq!(boards.len(), 31);
}
