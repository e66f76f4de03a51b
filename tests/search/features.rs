//! Features of moves against looking at one point after another.

use super::common::below;
use super::reference::{Point, Position, Stones, point};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};
use tengen::features::feature::{self, Feature};
use tengen::go::{Bits, Board, Color, Komi, Move, Preset, Rules, Size, with_words};
use tengen::playout::scalar;
use tengen::search::prior::Recent;

/// What a play at `at` leads to, by looking at one point after another: kinds and names, those of shapes
/// and crossings being the least of the names of the eight images.
fn play_by_looking(position: &Position, at: Point, recent: Recent) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    let mut add = |kind: &str, name: String| found.insert((kind.to_owned(), name));
    let sign = |(col, row): Point| {
        let there = (at.0 + col, at.1 + row);
        match position.stones.get(&there) {
            _ if !position.holds(there) => '#',
            None => '.',
            Some(color) if *color == position.to_play => 'X',
            Some(_) => 'O',
        }
    };
    let with_liberties = |(col, row): Point| match sign((col, row)) {
        stone @ ('X' | 'O') => {
            let there = (at.0 + col, at.1 + row);
            format!("{stone}{}", liberties(position, &position.stones, there).len().min(3))
        }
        other => other.to_string(),
    };
    let shape = images().map(|turned| {
        let row = |row| {
            [-1, 0, 1].map(|col| turned((col, row))).map(|to| match to {
                (0, 0) => '*',
                to => sign(to),
            })
        };
        [1, 0, -1].map(|line| row(line).iter().collect::<String>()).join("/")
    });
    let crossing = images().map(|turned| {
        [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|to| with_liberties(turned(to))).join(",")
    });
    add("shape", shape.min().unwrap());
    add("crossing", crossing.min().unwrap());
    let (from_left, from_below) = (at.0 + 1, at.1 + 1);
    let (from_right, from_above) = (position.width - at.0, position.height - at.1);
    let line = from_left.min(from_below).min(from_right).min(from_above).min(5);
    add("line", line.to_string());
    for (kind, mv) in [("last", recent.last), ("before", recent.before)] {
        if let Some(Move::Play(from)) = mv {
            let from = point(from);
            let (columns, rows) = ((at.0 - from.0).abs(), (at.1 - from.1).abs());
            let distance = columns + rows + columns.max(rows);
            add(kind, distance.clamp(2, 17).to_string());
        }
    }
    for name in tactics_by_looking(position, at, recent.last) {
        add("tactic", name);
    }
    found
}

fn tactics_by_looking(position: &Position, at: Point, last: Option<Move>) -> Vec<String> {
    let (me, stones) = (position.to_play, &position.stones);
    let last = match last {
        Some(Move::Play(vertex)) => Some(point(vertex)),
        _ => None,
    };
    // The chains of a colour beside the move with so many liberties.
    let chains = |color: Color, count: usize| -> BTreeSet<BTreeSet<Point>> {
        position
            .neighbors(at)
            .filter(|near| stones.get(near) == Some(&color))
            .filter(|&near| liberties(position, stones, near).len() == count)
            .map(|near| position.chain(stones, near))
            .collect()
    };
    let beside = |chain: &BTreeSet<Point>| -> BTreeSet<Point> {
        chain.iter().flat_map(|&stone| position.neighbors(stone)).collect()
    };
    let is_in_atari = |stone: &Point| {
        stones.get(stone) == Some(&me) && liberties(position, stones, *stone).len() == 1
    };
    let has_last = |chain: &BTreeSet<Point>| last.is_some_and(|last| chain.contains(&last));
    let outcome = position.outcome(at);
    let mut found = Vec::new();
    if outcome.captured > 0 {
        found.push(format!("capture-{}", outcome.captured.min(4)));
        let captured = chains(!me, 1);
        if captured.iter().any(|chain| beside(chain).iter().any(is_in_atari)) {
            found.push("capture-rescues".to_owned());
        }
        if captured.iter().any(has_last) {
            found.push("capture-last".to_owned());
        }
    }
    let own = chains(me, 1);
    let is_self_atari =
        outcome.captured == 0 && liberties(position, &outcome.stones, at).len() <= 1;
    if is_self_atari {
        let joins = position.neighbors(at).any(|near| stones.get(&near) == Some(&me));
        found.push(if joins { "self-atari-joined" } else { "self-atari-lone" }.to_owned());
    } else if !own.is_empty() {
        found.push("escape".to_owned());
        if own.iter().any(|chain| has_last(&beside(chain))) {
            found.push("escape-from-last".to_owned());
        }
    }
    let attacked = chains(!me, 2);
    if !attacked.is_empty() {
        found.push("atari".to_owned());
        if position.ko().is_some() {
            found.push("atari-in-ko".to_owned());
        }
    }
    if attacked.iter().any(has_last) {
        found.push("atari-last".to_owned());
    }
    found
}

fn pass_by_looking(
    position: &Position,
    plays: usize,
    recent: Recent,
) -> BTreeSet<(String, String)> {
    let points = position.points().len();
    let classes = [0, 1, 2, 4, 8, 16, 32, 64];
    let class = classes.into_iter().find(|percent| 100 * plays <= percent * points);
    let class = class.map_or("more".to_owned(), |percent| format!("{percent}%"));
    let answer = (recent.last == Some(Move::Pass)).then(|| "answer".to_owned());
    [class].into_iter().chain(answer).map(|name| ("pass".to_owned(), name)).collect()
}

pub fn liberties(position: &Position, stones: &Stones, stone: Point) -> BTreeSet<Point> {
    let chain = position.chain(stones, stone).into_iter();
    let beside = chain.flat_map(|stone| position.neighbors(stone));
    beside.filter(|near| !stones.contains_key(near)).collect()
}

/// The eight symmetries, as functions of columns and rows.
fn images() -> impl Iterator<Item = fn(Point) -> Point> {
    let all: [fn(Point) -> Point; 8] = [
        |(col, row)| (col, row),
        |(col, row)| (-col, row),
        |(col, row)| (col, -row),
        |(col, row)| (-col, -row),
        |(col, row)| (row, col),
        |(col, row)| (-row, col),
        |(col, row)| (row, -col),
        |(col, row)| (-row, -col),
    ];
    all.into_iter()
}

/// The least of the names of the eight images of a shape or a crossing that the program names.
fn least_name(kind: &str, name: &str) -> String {
    let places: BTreeMap<Point, &str> = match kind {
        "shape" => (0..)
            .zip(name.split('/'))
            .flat_map(|(line, row)| (0..3).map(move |col| ((col, line), row, col)))
            .map(|((col, line), row, at)| {
                let at = usize::try_from(at).unwrap();
                ((col - 1, 1 - line), &row[at..=at])
            })
            .collect(),
        "crossing" => [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().zip(name.split(',')).collect(),
        _ => return name.to_owned(),
    };
    let image = |turned: fn(Point) -> Point| {
        if kind == "crossing" {
            return [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|to| places[&turned(to)]).join(",");
        }
        let row = |row| [-1, 0, 1].map(|col| places[&turned((col, row))]).concat();
        [1, 0, -1].map(row).join("/")
    };
    images().map(image).min().unwrap()
}

/// Kinds and names of features, and which feature has which name.
fn named(
    features: &[Feature],
    names: &mut BTreeMap<(String, String), Feature>,
) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for &of in features {
        let (kind, name) = feature::name(of);
        assert_eq!((kind, feature::named(kind, &name)), (feature::kind(of), Some(of)));
        let key = (kind.to_owned(), least_name(kind, &name));
        // Images of each other are one feature, and others are not.
        assert_eq!(*names.entry(key.clone()).or_insert(of), of, "{key:?}");
        found.insert(key);
    }
    assert_eq!(found.len(), features.len(), "one of {features:?} is there twice");
    found
}

pub const SIZES: [(u8, u8); 7] = [(2, 3), (5, 5), (7, 7), (9, 9), (10, 8), (13, 13), (19, 19)];

/// Calls `visit` with positions of random games, in which players pass now and then.
pub fn of_random_games<const W: usize>(
    size: Size,
    seeds: u64,
    mut visit: impl FnMut(&Board<W>, &Position, Recent),
) {
    for seed in 0..seeds {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut board = Board::<W>::new(size);
        let mut position = Position::empty(size, Color::Black);
        let mut recent = Recent::default();
        let mut passes = 0;
        for ply in 0..2 * size.points() {
            if ply % 7 == 3 || (passes > 0 && seed % 2 == 0) {
                visit(&board, &position, recent);
            }
            let mut played = Bits::EMPTY;
            if below(&mut random, 15) > 0 {
                played = scalar::play_one(&mut board, &mut random);
            } else {
                board.play_unchecked(Move::Pass);
            }
            let mv = if played.is_empty() {
                position.pass();
                passes += 1;
                Move::Pass
            } else {
                let at = Bits::<W>::vertex(played.nth(0));
                position.play(point(at));
                passes = 0;
                Move::Play(at)
            };
            recent = Recent { last: Some(mv), before: recent.last };
            assert_eq!(Position::of(&board).stones, position.stones, "{board}");
            if passes == 2 {
                break;
            }
        }
    }
}

pub fn tengen_rules(size: Size) -> Rules {
    Rules::new(Preset::Tengen, size, Komi::default())
}

#[test]
fn features_agree_with_looking_point_by_point() {
    let mut names = BTreeMap::new();
    for (width, height) in SIZES {
        let size = Size::new(width, height).unwrap();
        let rules = tengen_rules(size);
        let seeds = if size.points() > 100 { 2 } else { 12 };
        with_words!(size, W => of_random_games::<W>(size, seeds, |board, position, recent| {
            let features = feature::Position::new(board, recent);
            let legal = board.legal_points(rules);
            let mut found = Vec::new();
            for at in legal.iter() {
                found.clear();
                features.of_play(at, &mut found);
                let vertex = Bits::<W>::vertex(at);
                let expected = play_by_looking(position, point(vertex), recent);
                assert_eq!(named(&found, &mut names), expected, "{vertex} after {recent:?}\n{board}");
            }
            found.clear();
            features.of_pass(legal.count(), &mut found);
            let expected = pass_by_looking(position, legal.count() as usize, recent);
            assert_eq!(named(&found, &mut names), expected, "after {recent:?}\n{board}");
        }));
    }
    // Passes with any number of plays.
    for (width, height) in SIZES {
        let size = Size::new(width, height).unwrap();
        let board = Board::<6>::new(size);
        let (features, position) =
            (feature::Position::new(&board, Recent::default()), Position::of(&board));
        for plays in 0..=size.points() {
            let mut found = Vec::new();
            features.of_pass(u32::try_from(plays).unwrap(), &mut found);
            let expected = pass_by_looking(&position, plays, Recent::default());
            assert_eq!(named(&found, &mut names), expected, "{plays} plays on {size}");
        }
    }
    // All of the few were met, and many of the others.
    let met = |kind: &str| names.keys().filter(|(of, _)| of == kind).count();
    let found = feature::KINDS.map(met);
    assert_eq!(found[2..], [5, 16, 16, 13, 10], "{found:?}");
    assert!(found[0] > 1_000 && found[1] > 300, "{found:?}");
}
