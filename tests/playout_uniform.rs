//! Every legal point that is no own eye is played equally often.

use tengen::go::{Bits, Board, Color, Rules, Vertex, with_words};
use tengen::go::{Komi, Preset, Size};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{Isa, Job, Playout};

const GAMES: u64 = 60_000;

/// The points a playout may begin with, listed one by one.
fn allowed<const W: usize>(start: &Board<W>) -> Vec<Vertex> {
    let rules = Rules::new(Preset::Simple, start.size(), Komi::default());
    let eyes = start.eyes();
    let legal = start.legal_points(rules);
    Vertex::all(start.size())
        .filter(|&v| legal.contains(Bits::<W>::index(v)) && !eyes.contains(Bits::<W>::index(v)))
        .collect()
}

/// Pearson's χ² of counts that should be equal, as a number of standard
/// deviations from what chance gives (Wilson and Hilferty, 1931).
fn deviation(counts: &[u64]) -> f64 {
    let degrees = counts.len() as f64 - 1.0;
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let chi: f64 = counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    let spread = 2.0 / (9.0 * degrees);
    ((chi / degrees).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Counts of the first plays of many playouts, by the order of `points`.
///
/// The first play of a game is no part of its result: it is found by playing a
/// single ply, through a position after which the game is cut short at once.
fn first_moves<const W: usize>(start: &Board<W>, points: &[Vertex]) -> Vec<u64> {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    let mut counts = vec![0; points.len()];
    for seed in 0..GAMES {
        let mut board = *start;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let put = tengen::playout::scalar::play_one(&mut board, &mut random);
        let index = put.iter().next().expect("there is a legal point");
        let place = points.iter().position(|&v| Bits::<W>::index(v) == index);
        counts[place.expect("an illegal point or an eye was played")] += 1;
    }
    counts
}

fn check(rows: &str, to_play: Color, points: usize) {
    let wide = Board::<6>::from_diagram(rows, to_play).unwrap();
    with_words!(wide.size(), W => {
        let start = wide.repacked::<W>();
        let allowed = allowed(&start);
        assert_eq!(allowed.len(), points, "{start}");
        let counts = first_moves(&start, &allowed);
        let z = deviation(&counts);
        assert!(z < 4.0, "{z} deviations\n{start}\n{counts:?}");
    });
}

#[test]
fn first_moves_are_uniform() {
    for (side, points) in [(5, 25), (9, 81), (13, 169), (19, 361)] {
        check(&vec![".".repeat(side); side].join("/"), Color::Black, points);
    }
}

#[test]
fn moves_among_illegal_points_and_eyes_are_uniform() {
    // White's eyes at the left are suicide for Black, his own are left alone.
    check(".O.OX.X/OOOOXXX/..OX.X./..OXXXX/.OO..../......./.......", Color::Black, 18);
    check(".O.OX.X/OOOOXXX/..OX.X./..OXXXX/.OO..../......./.......", Color::White, 18);
    // Suicide that only a long search finds: the chain's liberties are far off.
    check(
        "OOOOOOOOO/O.OXXXXXO/OOOX.X.XO/XXXXXXXXO/.......XO/OOOOOO.XO/XXXXXO.XO/.X.XXO.XO/XXXXXO.X.",
        Color::Black,
        9,
    );
    // A capture makes a surrounded point legal.
    check("XO.OX/OXOXO/.OXO./OXOXO/XO.OX", Color::Black, 0x7);
}

#[test]
fn a_bias_is_noticed() {
    // What a scan from a random point, as most programs do, makes of nine
    // empty points with three stones between: the point after a gap is
    // chosen more often.
    let mut counts = [0_u64; 6];
    for seed in 0..GAMES {
        let place = tengen::seed::split_mix(seed) % 9;
        let index = [0, 1, 2, 2, 2, 2, 3, 4, 5][usize::try_from(place).unwrap()];
        counts[index] += 1;
    }
    assert!(deviation(&counts) > 20.0);
    // A bias of one part in twenty at one of 81 points is noticed as well.
    let mut counts = vec![GAMES * 10 / 81; 81];
    counts[40] += counts[40] / 20 * 4;
    assert!(deviation(&counts) > 4.0);
}

/// The lanes themselves: in a position with one empty point more than two, a
/// first play of either colour tells the first move.
#[test]
fn lanes_draw_uniformly() {
    let size = Size::square(9).unwrap();
    let start = Board::<2>::new(size);
    for isa in Isa::supported() {
        let mut seeds = 0..40_000;
        let mut black = vec![0_u64; 81];
        let mut games = 0_u64;
        let mut add = |playout: Playout<2>| {
            games += 1;
            for (count, vertex) in black.iter_mut().zip(Vertex::all(size)) {
                *count += u64::from(playout.first_plays[0].contains(Bits::<2>::index(vertex)));
            }
        };
        Lanes::new(size, isa).run(
            || seeds.next().map(|seed| (Ticket(seed), Job { start, seed })),
            |_, playout| add(playout),
        );
        // Symmetric points agree: the eight images of every point.
        for (number, vertex) in Vertex::all(size).enumerate() {
            let mirrored = Vertex::new(8 - vertex.col, vertex.row);
            let turned = Vertex::new(vertex.row, vertex.col);
            for image in [mirrored, turned] {
                let other = usize::from(image.row) * 9 + usize::from(image.col);
                let (a, b) = (black[number] as f64, black[other] as f64);
                let p = (a + b) / 2.0 / games as f64;
                let error = (2.0 * p * (1.0 - p) * games as f64).sqrt();
                assert!((a - b).abs() < 5.0 * error, "{isa} {vertex} {a}, {image} {b}");
            }
        }
    }
}
