//! The scalar playout: uniform choice, agreement with a slow twin, eyes, ends.

use crate::reference::{Lcg, Point, Position, point};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};
use tengen::go::{
    Bits, Board, Color, Ko, Komi, Move, Preset, Rules, Score, Size, Suicide, Vertex, with_words,
};
use tengen::playout::{Job, Playout, max_plies, scalar};

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Pearson's χ² of the counts against equal expectations, as a deviate of the
/// normal distribution (Wilson and Hilferty, "The distribution of chi-square",
/// 1931): above 4 the counts are not uniform, below -4 they are too even to be
/// random.
fn chi_square_deviate(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    assert!(expected >= 10.0, "too few draws for χ²");
    let chi_square: f64 =
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn assert_uniform(counts: &[u32], what: &str) {
    let deviate = chi_square_deviate(counts);
    assert!(deviate.abs() < 4.0, "{what}: {deviate:.1} standard deviations, {counts:?}");
}

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The point that one ply of a playout put a stone on, if it was no pass.
fn ply<const W: usize>(board: &mut Board<W>, random: &mut Xoshiro256PlusPlus) -> Option<Point> {
    let before = *board;
    scalar::play_one(board, random);
    assert_eq!(board.to_play(), !before.to_play());
    if board.passes() > 0 {
        return None;
    }
    let mover = before.to_play();
    let new = board.stones(mover) - before.stones(mover);
    assert_eq!(new.count(), 1, "one stone is put down and none of one's own taken off");
    Some(point(Bits::<W>::vertex(new.nth(0))))
}

/// How often each point was the next move of `draws` playouts from `board`.
fn next_moves<const W: usize>(board: &Board<W>, draws: u32, seed: u64) -> BTreeMap<Point, u32> {
    let mut counts = BTreeMap::new();
    for draw in 0..u64::from(draws) {
        let mut next = *board;
        let at = ply(&mut next, &mut random(seed + draw)).expect("there is a move");
        *counts.entry(at).or_default() += 1;
    }
    counts
}

/// Those points and no others were played, and each equally often.
fn assert_uniform_over(counts: &BTreeMap<Point, u32>, expected: &[Point], what: &str) {
    let played: BTreeSet<Point> = counts.keys().copied().collect();
    assert_eq!(played, expected.iter().copied().collect(), "{what}");
    assert_uniform(&counts.values().copied().collect::<Vec<_>>(), what);
}

#[test]
fn the_first_move_is_uniform() {
    for side in [5, 9] {
        let size = Size::square(side).unwrap();
        let all = Position::empty(size, Color::Black).points();
        let counts = next_moves(&Board::<2>::new(size), 200_000, 1_000_000);
        assert_uniform_over(&counts, &all, &size.to_string());
    }
    let size = Size::square(5).unwrap();
    let all = Position::empty(size, Color::Black).points();
    assert_uniform_over(&next_moves(&Board::<1>::new(size), 200_000, 0), &all, "one word");
}

#[test]
fn the_first_two_moves_are_uniform_together() {
    // A generator that is even move by move but not in pairs would pass the
    // test above. 72 pairs: on 3x3 every second move is legal and no eye.
    let start = Board::<1>::new(Size::square(3).unwrap());
    let mut counts: BTreeMap<(Point, Point), u32> = BTreeMap::new();
    for seed in 0..150_000 {
        let (mut board, mut random) = (start, random(seed));
        let first = ply(&mut board, &mut random).unwrap();
        let second = ply(&mut board, &mut random).unwrap();
        *counts.entry((first, second)).or_default() += 1;
    }
    assert_eq!(counts.len(), 72);
    assert_uniform(&counts.into_values().collect::<Vec<_>>(), "pairs");
}

/// White to move after Black took at D3: White may not take back at C3, A7 is
/// suicide, F6 and G7 are eyes, D1 is a false eye.
fn crowded() -> Board<1> {
    let before = "
        . X . . O O .
        X X . . O . O
        . . . . . O .
        . . X O . . .
        . X O . O . .
        . . X O . . .
        . . O . O . .";
    let mut board = Board::<1>::from_diagram(before, Color::Black).unwrap();
    let rules = Rules {
        ko: Ko::Simple,
        suicide: Suicide::No,
        ..Rules::new(Preset::Simple, board.size(), Komi::default())
    };
    board.play("D3".parse().unwrap(), rules).unwrap();
    board
}

fn at(text: &str) -> Point {
    point(text.parse::<Vertex>().unwrap())
}

/// The empty points of `crowded` less those four that White may not play.
fn crowded_moves() -> Vec<Point> {
    let board = crowded();
    let banned = [at("C3"), at("A7"), at("F6"), at("G7")];
    let empty = board.empty().iter().map(|index| point(Bits::<1>::vertex(index)));
    empty.filter(|point| !banned.contains(point)).collect()
}

#[test]
fn the_choice_is_uniform_beside_eyes_suicide_and_ko() {
    let board = crowded();
    assert_eq!(board.ko().map(point), Some(at("C3")));
    let expected = crowded_moves();
    assert_eq!(expected.len(), 28);
    assert!(expected.contains(&at("D1")), "a false eye is filled");
    let counts = next_moves(&board, 200_000, 5_000_000);
    assert_uniform_over(&counts, &expected, "crowded, one word");
    let wide = next_moves(&board.repacked::<6>(), 200_000, 5_000_000);
    assert_eq!(wide, counts, "the layout changes a choice");
}

/// Most published programs draw a random empty point and scan forward to the
/// first playable one. This must be told from a uniform draw, or the tests
/// above prove nothing.
#[test]
fn the_test_of_uniformity_detects_a_biased_choice() {
    let board = crowded();
    let empty: Vec<Point> =
        board.empty().iter().map(|index| point(Bits::<1>::vertex(index))).collect();
    let playable = crowded_moves();
    let deviate = |choose: &dyn Fn(&mut Lcg) -> Point| {
        let mut random = Lcg::new(1);
        let mut counts: BTreeMap<Point, u32> = playable.iter().map(|&point| (point, 0)).collect();
        for _ in 0..200_000 {
            *counts.get_mut(&choose(&mut random)).unwrap() += 1;
        }
        chi_square_deviate(&counts.into_values().collect::<Vec<_>>())
    };
    let uniform = |random: &mut Lcg| playable[random.below(playable.len())];
    assert!(deviate(&uniform).abs() < 4.0);
    let scan_forward = |random: &mut Lcg| {
        let start = random.below(empty.len());
        let mut forward = empty[start..].iter().chain(&empty[..start]);
        *forward.find(|point| playable.contains(point)).unwrap()
    };
    assert!(deviate(&scan_forward) > 20.0, "scanning forward goes unnoticed");
    let a_point_too_often = |random: &mut Lcg| {
        if random.below(200) == 0 { playable[9] } else { uniform(random) }
    };
    assert!(deviate(&a_point_too_often) > 5.0, "an eighth too often goes unnoticed");
    // Counts that no random draw makes.
    assert!(chi_square_deviate(&[8_000; 25]) < -4.0);
}

#[test]
fn the_choice_is_uniform_in_positions_of_games() {
    // Late positions of playouts in which the player has an eye, a forbidden
    // ko and a suicide at once: the twin says what may be played.
    let size = Size::square(9).unwrap();
    let mut found = 0;
    for seed in 0..2_000 {
        let (mut board, mut random) = (Board::<2>::new(size), random(seed));
        let mut twin = Position::empty(size, Color::Black);
        for _ in 0..95 {
            match ply(&mut board, &mut random) {
                Some(at) => twin.play(at),
                None => twin.pass(),
            }
            let empty = board.empty().count() as usize;
            let (Some(_), false, true) = (board.ko(), board.eyes().is_empty(), empty < 30) else {
                continue;
            };
            let moves = twin.playout_moves();
            let suicides = empty - 1 - twin.eyes().len() - moves.len();
            if suicides < 2 || moves.len() < 3 {
                continue;
            }
            let counts = next_moves(&board, 10_000, 1_000 * seed);
            assert_uniform_over(&counts, &moves, &format!("{board}\n{} to play", board.to_play()));
            found += 1;
            break;
        }
        if found == 30 {
            return;
        }
    }
    panic!("only {found} positions with eye, ko and suicide");
}

/// What does not depend on the layout of the board.
fn outcome<const W: usize>(playout: &Playout<W>) -> (Score, u32, bool) {
    (playout.score, playout.plies, playout.is_cut_short())
}

/// Plays a game on board and twin, comparing each ply's choice with the twin's
/// definition of what may be chosen.
fn walk<const W: usize>(size: Size, seed: u64, filled: &mut usize) {
    let (mut board, mut random) = (Board::<W>::new(size), random(seed));
    let mut twin = Position::empty(size, Color::Black);
    let mut plies = 0;
    while twin.passes < 2 && plies < max_plies(size) {
        let moves = twin.playout_moves();
        plies += 1;
        let Some(at) = ply(&mut board, &mut random) else {
            assert_eq!(moves, [], "a pass though there are moves\n{board}");
            twin.pass();
            continue;
        };
        assert!(!twin.is_eye(at), "an eye was filled at {at:?}\n{board}");
        assert!(moves.contains(&at), "{at:?} may not be played\n{board}");
        *filled += usize::from(twin.is_surrounded(at));
        twin.play(at);
    }
    assert_eq!(board.area_score().half_points(), 2 * twin.area());
    let playout = scalar::play(&Job { start: Board::<W>::new(size), seed });
    assert_eq!(outcome(&playout), (board.area_score(), plies, twin.passes < 2));
}

#[test]
fn false_eyes_are_filled_and_true_eyes_never() {
    for (width, height, games) in [(5, 5, 200), (7, 4, 100), (9, 9, 40), (13, 13, 4), (19, 19, 1)] {
        let size = Size::new(width, height).unwrap();
        let mut filled = 0;
        for seed in 0..games {
            with_words!(size, W => walk::<W>(size, seed, &mut filled));
        }
        assert!(filled > 5, "{size}: only {filled} false eyes were filled");
    }
}

/// The contract of the module, draw by draw, on the twin's sets.
fn by_contract(size: Size, seed: u64) -> (i32, u32, bool) {
    let mut random = random(seed);
    let mut draw = |count: usize| {
        let high_half = random.next_u64() >> 32;
        usize::try_from((high_half * count as u64) >> 32).unwrap()
    };
    let mut twin = Position::empty(size, Color::Black);
    let mut plies = 0;
    while twin.passes < 2 && plies < max_plies(size) {
        twin.playout_ply_by_attempts(&mut draw);
        plies += 1;
    }
    (2 * twin.area(), plies, twin.passes < 2)
}

#[test]
fn a_playout_is_the_documented_function_of_its_seed() {
    let sizes = [(1, 1, 2), (2, 1, 5), (1, 3, 50), (2, 2, 400), (2, 3, 200), (5, 5, 300)];
    let larger = [
        (3, 8, 60),
        (7, 7, 60),
        (9, 9, 30),
        (10, 11, 8),
        (13, 13, 4),
        (14, 3, 30),
        (3, 14, 30),
        (19, 19, 2),
    ];
    for (width, height, games) in sizes.into_iter().chain(larger) {
        let size = Size::new(width, height).unwrap();
        for seed in 0..games {
            let seed = 77 + seed * 1_000_003;
            let (score, plies, cut_short) = by_contract(size, seed);
            let playout = with_words!(size, W => {
                outcome(&scalar::play(&Job { start: Board::<W>::new(size), seed }))
            });
            let wide = outcome(&scalar::play(&Job { start: Board::<6>::new(size), seed }));
            assert_eq!(playout, wide, "{size} seed {seed}: the layout changes a playout");
            let expected = (score, plies, cut_short);
            assert_eq!((playout.0.half_points(), playout.1, playout.2), expected, "{size} {seed}");
        }
    }
}

/// Plies and Black's wins at komi 7.5 of `games` of the twin, which lists its
/// moves and draws one with its own generator.
fn twin_games(size: Size, games: u64) -> (Vec<f64>, Vec<f64>) {
    let mut plies = Vec::new();
    let mut wins = Vec::new();
    for seed in 0..games {
        let mut random = Lcg::new(seed);
        let mut twin = Position::empty(size, Color::Black);
        let mut count = 0;
        while twin.passes < 2 && count < max_plies(size) {
            twin.playout_ply(&mut |moves| random.below(moves));
            count += 1;
        }
        plies.push(f64::from(count));
        wins.push(f64::from(u8::from(twin.area() > 7)));
    }
    (plies, wins)
}

fn scalar_games<const W: usize>(size: Size, games: u64) -> (Vec<f64>, Vec<f64>) {
    let start = Board::<W>::new(size);
    let playouts = (0..games).map(|seed| scalar::play(&Job { start, seed }));
    playouts
        .map(|playout| {
            let win = playout.score.half_points() > 15;
            (f64::from(playout.plies), f64::from(u8::from(win)))
        })
        .unzip()
}

/// Mean plies and win rate agree with the twin's within four standard errors,
/// and with what three independent engines found (`oracle/README.md`).
fn compare_games(square: u8, slow: u64, fast: u64, plies: [f64; 2], wins: [f64; 2]) {
    let size = Size::square(square).unwrap();
    let ours = with_words!(size, W => scalar_games::<W>(size, fast));
    let twins = twin_games(size, slow);
    let published = [plies, wins];
    let pairs = [("plies", ours.0, twins.0), ("wins", ours.1, twins.1)];
    for ((what, ours, twins), [low, high]) in pairs.into_iter().zip(published) {
        let (mean, error) = mean_and_error(&ours);
        // The spread is better known from the longer series.
        let twin_mean = twins.iter().sum::<f64>() / twins.len() as f64;
        let twin_error = error * (ours.len() as f64 / twins.len() as f64).sqrt();
        let distance = (mean - twin_mean).abs() / error.hypot(twin_error);
        assert!(distance < 4.0, "{size} {what}: {mean} against the twin's {twin_mean}");
        // The published ranges know their own noise; ours is added.
        let margin = 4.0 * error;
        assert!(
            low - margin < mean && mean < high + margin,
            "{size} {what}: {mean} ± {error} is not in {low}..{high}"
        );
    }
}

#[test]
fn playouts_on_5x5_agree_with_the_twin() {
    compare_games(5, 3_000, 40_000, [42.4, 42.6], [0.479, 0.482]);
}

#[test]
fn playouts_on_7x7_agree_with_the_twin() {
    compare_games(7, 600, 20_000, [72.3, 72.4], [0.397, 0.402]);
}

#[test]
fn playouts_on_9x9_agree_with_the_twin() {
    compare_games(9, 200, 15_000, [110.8, 111.2], [0.413, 0.427]);
}

#[test]
fn playouts_on_large_boards_agree_with_the_twin() {
    compare_games(13, 20, 2_000, [218.8, 219.8], [0.438, 0.447]);
    compare_games(19, 3, 500, [454.4, 455.4], [0.447, 0.469]);
}

#[test]
fn nothing_to_play_is_a_pass() {
    // Black's three eyes; White would have to play suicide.
    let start = Board::<1>::from_diagram("X.X/.X.", Color::Black).unwrap();
    let both_pass = scalar::play(&Job { start, seed: 1 });
    assert_eq!((both_pass.plies, both_pass.is_cut_short()), (2, false));
    assert_eq!(both_pass.score, Score::from_points(6));
    let mut passed = start;
    passed.pass();
    let one_ply = scalar::play(&Job { start: passed, seed: 1 });
    assert_eq!((one_ply.plies, one_ply.is_cut_short()), (1, false));
    passed.pass();
    let over = scalar::play(&Job { start: passed, seed: 1 });
    assert_eq!((over.plies, over.is_cut_short()), (0, false));
    assert_eq!(over.score, both_pass.score);
}

#[test]
fn a_pass_before_the_start_does_not_end_what_can_go_on() {
    let mut start = Board::<1>::new(Size::square(5).unwrap());
    start.pass();
    assert!((0..50).all(|seed| scalar::play(&Job { start, seed }).plies > 10));
}

#[test]
fn an_endless_playout_is_cut_short_and_says_so() {
    // On 2x2 one eye is all there is room for, so most of the games go round
    // by captures until both of a player's stones stand diagonally.
    let size = Size::square(2).unwrap();
    let start = Board::<1>::new(size);
    let limit = max_plies(size);
    assert_eq!(limit, 62);
    let mut cut = 0;
    for seed in 0..50_000 {
        let playout = scalar::play(&Job { start, seed });
        let (mut board, mut random) = (start, random(seed));
        for _ in 0..playout.plies {
            assert!(!board.is_over());
            scalar::play_one(&mut board, &mut random);
        }
        assert_eq!(playout.is_cut_short(), !board.is_over());
        assert_eq!(playout.score, board.area_score(), "scored as it stands");
        assert!(!playout.is_cut_short() || playout.plies == limit);
        cut += u32::from(playout.is_cut_short());
    }
    assert!(cut > 100, "only {cut} playouts were cut short");
}

#[test]
fn equal_jobs_lead_to_equal_playouts() {
    let mut board = Board::<2>::new(Size::new(9, 8).unwrap());
    board.play_unchecked(Move::Play("C3".parse().unwrap()));
    let playouts = |seeds: std::ops::Range<u64>| -> Vec<Playout<2>> {
        seeds.map(|seed| scalar::play(&Job { start: board, seed })).collect()
    };
    let first = playouts(0..200);
    // Nothing is carried from one playout to the next.
    assert_eq!(playouts(100..200), first[100..]);
    assert_eq!(playouts(0..200), first);
    let distinct: BTreeSet<(i32, u32)> =
        first.iter().map(|playout| (playout.score.half_points(), playout.plies)).collect();
    assert!(distinct.len() > 100, "seeds lead to the same playout");
    let wide = board.repacked::<6>();
    for (seed, playout) in (0..).zip(first) {
        assert_eq!(outcome(&scalar::play(&Job { start: wide, seed })), outcome(&playout));
    }
}
