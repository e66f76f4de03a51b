//! Positions of others: boards after given moves with their area scores, and the number of legal
//! positions.

use std::collections::HashSet;
use tengen_go::{
    Board, Color, Game, Ko, Komi, Move, Preset, Rules, Size, Suicide, Vertex, with_words,
};

/// Boards with at most so many colourings are tried.
const ORDINARY: u64 = 5_000_000;

fn strings(value: &serde_json::Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn moves_lead_to_the_oracle_boards() {
    let cases: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/data/board_positions.json")).unwrap();
    let cases = cases["play"].as_array().unwrap();
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
        assert_eq!(game.board().to_rows(), strings(&case["board"]).join("/"), "{code}");
        let ko = case["ko"].as_str().map(|text| text.parse::<Vertex>().unwrap());
        assert_eq!(game.board().ko(), ko, "{code}");
        let score = i32::try_from(case["score"].as_i64().unwrap()).unwrap();
        assert_eq!(game.score().half_points(), 2 * score, "{code}");
        assert_eq!(small.repacked::<6>(), *game.board(), "{code}");
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
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/legal_counts.csv");
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
