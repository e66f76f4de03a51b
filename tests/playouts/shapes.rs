//! The shapes of the policy `mogo`, by a twin that matches their diagrams point by point.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tengen::go::{Bits, Board, Color, Size, Vertex, with_words};
use tengen::playout::{BuiltInPolicy, scalar};
use tengen::seed::mix;

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

/// What is on a point: a stone, nothing, or no point of the board.
#[derive(Clone, Copy, PartialEq)]
enum Content {
    Stone(Color),
    Empty,
    OffBoard,
}

fn content<const W: usize>(board: &Board<W>, col: isize, row: isize) -> Content {
    let (Ok(col), Ok(row)) = (u8::try_from(col), u8::try_from(row)) else {
        return Content::OffBoard;
    };
    let vertex = Vertex::new(col, row);
    if !vertex.is_on(board.size()) {
        return Content::OffBoard;
    }
    let index = Bits::<W>::index(vertex);
    let has_stone = |color: &Color| board.stones(*color).contains(index);
    Color::BOTH.into_iter().find(has_stone).map_or(Content::Empty, Content::Stone)
}

/// Whether `shape` is around `vertex`, turned or mirrored by symmetry number `symmetry` of eight, with
/// stones of `color` as X.
fn is_around<const W: usize>(
    shape: &Shape,
    board: &Board<W>,
    vertex: Vertex,
    symmetry: u32,
    color: Color,
) -> bool {
    let signs = [symmetry & 1, symmetry >> 1 & 1].map(|bit| if bit == 0 { 1 } else { -1 });
    (-1..=1).all(|down: isize| {
        (-1..=1).all(|right: isize| {
            let (dx, dy) = (right * signs[0], -down * signs[1]);
            let (dx, dy) = if symmetry >> 2 == 0 { (dx, dy) } else { (dy, dx) };
            let is = content(board, vertex.col as isize + dx, vertex.row as isize + dy);
            let row = shape.rows[(down + 1).unsigned_abs()].as_bytes();
            match row[(right + 1).unsigned_abs()] {
                b'X' => is == Content::Stone(color),
                b'O' => is == Content::Stone(!color),
                b'x' => is != Content::Stone(color),
                b'o' => is != Content::Stone(!color),
                b'.' => is == Content::Empty,
                _ => true,
            }
        })
    })
}

/// The shapes around `vertex` for the player to move.
fn shapes_around<const W: usize>(board: &Board<W>, vertex: Vertex) -> Vec<&'static str> {
    let mover = board.to_play();
    let of = |shape: &Shape| {
        let colors = if shape.is_of_player { vec![mover] } else { Color::BOTH.to_vec() };
        colors
            .into_iter()
            .any(|color| (0..8).any(|symmetry| is_around(shape, board, vertex, symmetry, color)))
    };
    SHAPES.iter().filter(|shape| of(shape)).map(|shape| shape.name).collect()
}

/// The points of shapes around `last`.
fn expected<const W: usize>(board: &Board<W>, last: Vertex, seen: &mut Vec<&str>) -> Bits<W> {
    let mut points = Bits::EMPTY;
    for vertex in Vertex::all(board.size()) {
        let away = last.col.abs_diff(vertex.col).max(last.row.abs_diff(vertex.row));
        if away == 1 {
            let shapes = shapes_around(board, vertex);
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

/// The shapes around the point marked `*`, Black (X) to play.
fn at_mark(diagram: &str) -> (Vec<&'static str>, bool) {
    let board = Board::<1>::from_diagram(&diagram.replace('*', "."), Color::Black).unwrap();
    // Points are numbered row by row from the lowest up.
    let from_below: String = diagram.split('/').rev().collect();
    let vertex = board.size().vertex(from_below.find('*').unwrap());
    let index = Bits::<1>::index(vertex);
    let policy = BuiltInPolicy::Mogo { captures: 0.0, shapes: 1.0 };
    let is_found = board.stones(Color::White).iter().any(|last| {
        let [_, found] = policy.preferred(&board, Bits::point(last));
        found.contains(index)
    });
    (shapes_around(&board, vertex), is_found)
}

#[test]
fn drawn_positions_have_their_shapes() {
    for (diagram, shapes) in [
        ("...../.XOX./..*../...../.....", vec!["hane 1"]),
        ("...../.XOX./..*../..X../.....", vec!["hane 1"]),
        ("...../.XO../..*../...../.....", vec!["hane 2"]),
        ("...../.XO../.X*../...../.....", vec!["hane 3"]),
        ("...../.XO../.X*../.X.../.....", vec![]),
        ("...../.XOO./..*../...../.....", vec!["hane 4"]),
        ("...../.OXX./..*../...../.....", vec![]),
        ("...../.XO../.O*../...../.....", vec!["cut 1"]),
        ("...../.XO../.O*X./..O../.....", vec!["cut 1, with an X"]),
        ("...../.XO../.O*O./...../.....", vec![]),
        ("...../..X../.O*O./...../.....", vec!["cut 2"]),
        ("...../..X../.O*O./...O./.....", vec![]),
        // At the edge no liberty is below the point, and no stone.
        ("...../...../...../.XO../..*..", vec![]),
        ("...../...../...../.XOX./..*..", vec!["hane 1"]),
        ("...../...../...../..X../.O*O.", vec!["cut 2"]),
    ] {
        let (found, is_preferred) = at_mark(diagram);
        assert_eq!(found, shapes, "{diagram}");
        assert_eq!(is_preferred, !shapes.is_empty(), "{diagram}");
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
    let shapes = [("B4", "cut 1"), ("D4", "hane 3"), ("B2", "hane 2"), ("C2", "hane 4")];
    for (point, shape) in shapes {
        assert_eq!(shapes_around(&board, vertex(point)), [shape], "{point}");
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
