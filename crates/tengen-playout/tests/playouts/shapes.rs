//! The shapes of the policy `mogo`, by a twin that matches their diagrams point by point.

use crate::reference::{Point, Position, point};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tengen_go::{Bits, Board, Color, Size, Vertex, with_words};
use tengen_playout::{BuiltInPolicy, scalar};
use tengen_stats::seed::mix;

/// A shape with its rows from the top: X and O are colours, `.` is empty, `?` anything, `x` anything
/// but X and `o` anything but O; what is off the board is neither empty nor a stone.
struct Shape {
    name: &'static str,
    rows: [&'static str; 3],
    /// Whether X are the stones of the player to move; else of either player.
    is_of_player: bool,
}

const fn shape(name: &'static str, rows: [&'static str; 3]) -> Shape {
    Shape { name, rows, is_of_player: false }
}

const SHAPES: [Shape; 7] = [
    shape("hane 1", ["XOX", "...", "???"]),
    shape("hane 2", ["XO.", "...", "?.?"]),
    shape("hane 3", ["XO?", "X..", "x.?"]),
    Shape { name: "hane 4", rows: ["XOO", "...", "?.?"], is_of_player: true },
    shape("cut 1", ["XO?", "O.o", "?o?"]),
    shape("cut 1, with an X", ["XO?", "O.X", "???"]),
    shape("cut 2", ["?X?", "O.O", "ooo"]),
];

/// Whether `shape` is around `at`, turned or mirrored by symmetry number `symmetry` of eight, with
/// stones of `color` as X.
fn is_around(shape: &Shape, position: &Position, at: Point, symmetry: u32, color: Color) -> bool {
    let signs = [symmetry & 1, symmetry >> 1 & 1].map(|bit| if bit == 0 { 1 } else { -1 });
    (-1..=1).all(|down: i32| {
        (-1..=1).all(|right: i32| {
            let (dx, dy) = (right * signs[0], -down * signs[1]);
            let (dx, dy) = if symmetry >> 2 == 0 { (dx, dy) } else { (dy, dx) };
            let there = (at.0 + dx, at.1 + dy);
            let stone = position.stones.get(&there).copied();
            let row = shape.rows[(down + 1).unsigned_abs() as usize].as_bytes();
            match row[(right + 1).unsigned_abs() as usize] {
                b'X' => stone == Some(color),
                b'O' => stone == Some(!color),
                b'x' => stone != Some(color),
                b'o' => stone != Some(!color),
                b'.' => position.holds(there) && stone.is_none(),
                _ => true,
            }
        })
    })
}

/// The shapes around `at` for the player to move.
fn shapes_around(position: &Position, at: Point) -> Vec<&'static str> {
    let mover = position.to_play;
    let of = |shape: &Shape| {
        let colors = if shape.is_of_player { vec![mover] } else { Color::BOTH.to_vec() };
        colors
            .into_iter()
            .any(|color| (0..8).any(|symmetry| is_around(shape, position, at, symmetry, color)))
    };
    SHAPES.iter().filter(|shape| of(shape)).map(|shape| shape.name).collect()
}

/// The points of shapes around `last`.
fn expected<const W: usize>(board: &Board<W>, last: Vertex, seen: &mut Vec<&str>) -> Bits<W> {
    let position = Position::of(board);
    let mut points = Bits::EMPTY;
    for vertex in Vertex::all(board.size()) {
        let away = last.col.abs_diff(vertex.col).max(last.row.abs_diff(vertex.row));
        if away == 1 {
            let shapes = shapes_around(&position, point(vertex));
            if !shapes.is_empty() {
                points |= Bits::point(Bits::<W>::index(vertex));
            }
            seen.extend(shapes);
        }
    }
    points
}

#[test]
fn points_of_shapes_are_those_of_the_diagrams() {
    let policy = BuiltInPolicy::Mogo { captures: 0.9, shapes: 1.0 };
    let mut seen = Vec::new();
    for size in Size::all() {
        let games = if size.points() < 30 { 4 } else { 1 };
        with_words!(size, W => for game in 0..games {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(size.points() as u64, game));
            let mut board = Board::<W>::new(size);
            let plies = size.points() as u64 + random.next_u64() % 20;
            for _ in 0..plies {
                let last = scalar::play_one(&mut board, &mut random);
                if board.is_over() {
                    break;
                }
                let mut points = Bits::EMPTY;
                if let Some(index) = last.iter().next() {
                    points = expected(&board, Bits::<W>::vertex(index), &mut seen);
                }
                let [_, found] = policy.preferred(&board, last);
                assert_eq!(found, points, "{last:?}\n{board}");
            }
        });
    }
    for Shape { name, .. } in SHAPES {
        let times = seen.iter().filter(|&&seen| seen == name).count();
        assert!(times > 500, "{name}: {times}");
    }
}

/// The example of docs/reference/playouts.md.
#[test]
fn drawn_example_of_the_manual() {
    let diagram = "...../..X../.XOO./...../.....";
    let board = Board::<1>::from_diagram(diagram, Color::Black).unwrap();
    let vertex = |text: &str| text.parse::<Vertex>().unwrap();
    let last = Bits::point(Bits::<1>::index(vertex("C3")));
    let [_, found] = BuiltInPolicy::Mogo { captures: 0.9, shapes: 1.0 }.preferred(&board, last);
    let found = found.iter().map(|index| Bits::<1>::vertex(index).to_string());
    assert_eq!(found.collect::<Vec<_>>(), ["B2", "C2", "B4", "D4"]);
    let position = Position::of(&board);
    for (at, shape) in [("B4", "cut 1"), ("D4", "hane 3"), ("B2", "hane 2"), ("C2", "hane 4")] {
        assert_eq!(shapes_around(&position, point(vertex(at))), [shape], "{at}");
    }
}

/// Captures come before shapes, and where none of them is a candidate or the coin forbids them,
/// shapes are drawn; then all candidates.
#[test]
fn one_coin_decides_captures_and_shapes() {
    let board = Board::<1>::from_diagram("...../.XO../XOX../...../.....", Color::Black).unwrap();
    let last = Bits::point(Bits::<1>::index("B3".parse().unwrap()));
    let policy = BuiltInPolicy::Mogo { captures: 0.25, shapes: 0.5 };
    let [captures, shapes] = policy.preferred(&board, last);
    assert!(captures.count() == 1 && !(shapes - captures).is_empty());
    // The coin is that part of 2^31, in tenths.
    let drawn = |policy: BuiltInPolicy, candidates, tenths: u64| {
        policy.drawn_from(&board, last, candidates, ((1 << 31) / 10 * tenths) << 1)
    };
    let all = board.empty();
    assert_eq!(drawn(policy, all, 2), captures);
    assert_eq!(drawn(policy, all, 3), shapes);
    assert_eq!(drawn(policy, all, 6), all);
    assert_eq!(drawn(policy, all - captures, 2), shapes - captures);
    assert_eq!(drawn(policy, all - captures - shapes, 2), all - captures - shapes);
    let rarely = BuiltInPolicy::Mogo { captures: 0.5, shapes: 0.25 };
    assert_eq!(drawn(rarely, all, 2), captures);
    assert_eq!(drawn(rarely, all, 3), captures);
    assert_eq!(drawn(rarely, all - captures, 3), all - captures);
    assert_eq!(drawn(rarely, all, 6), all);
}
