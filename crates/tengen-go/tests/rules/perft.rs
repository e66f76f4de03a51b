//! Counts of move sequences against the oracle tables.

use tengen_go::{Board, Color, Ko, Komi, Preset, Rules, Size, Suicide, perft};

/// Rows of `perft.csv` with at most so many sequences are counted.
const ORDINARY: u64 = 4_000_000;

fn rules(size: Size, ko: &str, suicide: &str) -> Rules {
    let (ko, suicide): (Ko, Suicide) = (ko.parse().unwrap(), suicide.parse().unwrap());
    Rules { ko, suicide, ..Rules::new(Preset::Tengen, size, Komi::default()) }
}

fn table(name: &str) -> Vec<csv::StringRecord> {
    let path = format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let rows: Vec<_> =
        csv::Reader::from_path(path).unwrap().records().map(Result::unwrap).collect();
    assert!(rows.len() > 1_000, "{name} is cut short");
    rows
}

#[test]
fn empty_boards() {
    let mut checked = 0;
    for row in table("perft.csv") {
        let [board, ko, suicide, depth, count_text] = [&row[0], &row[1], &row[2], &row[3], &row[4]];
        let expected: u64 = count_text.parse().unwrap();
        if expected > ORDINARY {
            continue;
        }
        let size: Size = board.parse().unwrap();
        let rules = rules(size, ko, suicide);
        let found = perft(&Board::new(size), rules, depth.parse().unwrap());
        assert_eq!(found, expected, "{row:?}");
        checked += 1;
    }
    assert!(checked > 5, "only {checked} rows were checked");
}

#[test]
fn positions_that_tell_the_rules_apart() {
    for row in table("perft_positions.csv") {
        let to_play: Color = row[2].parse().unwrap();
        let start = Board::<6>::from_diagram(&row[1], to_play).unwrap();
        let rules = rules(start.size(), &row[3], &row[4]);
        let depth = row[5].parse().unwrap();
        let expected: u64 = row[6].parse().unwrap();
        assert_eq!(perft(&start, rules, depth), expected, "{row:?}");
    }
}
