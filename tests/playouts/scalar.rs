//! The scalar playout: agreement with a slow reference, eyes, ends.

use crate::reference::{Lcg, Point, Position, point};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;
use tengen::go::{Bits, Board, Color, Move, Score, Size, with_words};
use tengen::playout::{Job, Playout, max_plies, scalar};

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The point that one ply of a playout put a stone on, if it was no pass.
pub fn ply<const W: usize>(board: &mut Board<W>, random: &mut Xoshiro256PlusPlus) -> Option<Point> {
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

/// What does not depend on the layout of the board.
fn outcome<const W: usize>(playout: &Playout<W>) -> (Score, u32, bool) {
    (playout.score, playout.plies, playout.is_cut_short())
}

/// Plays a game on board and reference, comparing each ply's choice with the reference's
/// definition of what may be chosen.
fn walk<const W: usize>(size: Size, seed: u64, filled: &mut usize) {
    let (mut board, mut random) = (Board::<W>::new(size), random(seed));
    let mut reference = Position::empty(size, Color::Black);
    let mut plies = 0;
    while reference.passes < 2 && plies < max_plies(size) {
        let moves = reference.playout_moves();
        plies += 1;
        let Some(at) = ply(&mut board, &mut random) else {
            assert_eq!(moves, [], "a pass though there are moves\n{board}");
            reference.pass();
            continue;
        };
        assert!(!reference.is_eye(at), "an eye was filled at {at:?}\n{board}");
        assert!(moves.contains(&at), "{at:?} may not be played\n{board}");
        *filled += usize::from(reference.is_surrounded(at));
        reference.play(at);
    }
    assert_eq!(board.area_score().half_points(), 2 * reference.area());
    let playout = scalar::play(&Job { start: Board::<W>::new(size), seed });
    assert_eq!(outcome(&playout), (board.area_score(), plies, reference.passes < 2));
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

/// The contract of the module, draw by draw, on the reference's sets.
fn by_contract(size: Size, seed: u64) -> (i32, u32, bool) {
    let mut random = random(seed);
    let mut draw = |count: usize| {
        let high_half = random.next_u64() >> 32;
        usize::try_from((high_half * count as u64) >> 32).unwrap()
    };
    let mut reference = Position::empty(size, Color::Black);
    let mut plies = 0;
    while reference.passes < 2 && plies < max_plies(size) {
        reference.playout_ply_by_attempts(&mut draw);
        plies += 1;
    }
    (2 * reference.area(), plies, reference.passes < 2)
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

/// Plies and Black's wins at komi 7.5 of `games` of the reference, which lists its
/// moves and draws one with its own generator.
fn reference_games(size: Size, games: u64) -> (Vec<f64>, Vec<f64>) {
    let mut plies = Vec::new();
    let mut wins = Vec::new();
    for seed in 0..games {
        let mut random = Lcg::new(seed);
        let mut reference = Position::empty(size, Color::Black);
        let mut count = 0;
        while reference.passes < 2 && count < max_plies(size) {
            reference.playout_ply(&mut |moves| random.below(moves));
            count += 1;
        }
        plies.push(f64::from(count));
        wins.push(f64::from(u8::from(reference.area() > 7)));
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

/// Mean plies and win rate agree with the reference's within four standard errors,
/// and with what three independent engines found (`oracle/README.md`).
fn compare_games(square: u8, slow: u64, fast: u64, plies: [f64; 2], wins: [f64; 2]) {
    let size = Size::square(square).unwrap();
    let ours = with_words!(size, W => scalar_games::<W>(size, fast));
    let theirs = reference_games(size, slow);
    let published = [plies, wins];
    let pairs = [("plies", ours.0, theirs.0), ("wins", ours.1, theirs.1)];
    for ((what, ours, theirs), [low, high]) in pairs.into_iter().zip(published) {
        let (mean, error) = mean_and_error(&ours);
        // The spread is better known from the longer series.
        let reference_mean = theirs.iter().sum::<f64>() / theirs.len() as f64;
        let reference_error = error * (ours.len() as f64 / theirs.len() as f64).sqrt();
        let distance = (mean - reference_mean).abs() / error.hypot(reference_error);
        assert!(distance < 4.0, "{size} {what}: {mean} against the reference's {reference_mean}");
        // The published ranges know their own noise; ours is added.
        let margin = 4.0 * error;
        assert!(
            low - margin < mean && mean < high + margin,
            "{size} {what}: {mean} ± {error} is not in {low}..{high}"
        );
    }
}

#[test]
fn playouts_on_5x5_agree_with_the_reference() {
    compare_games(5, 3_000, 40_000, [42.4, 42.6], [0.479, 0.482]);
}

#[test]
fn playouts_on_7x7_agree_with_the_reference() {
    compare_games(7, 600, 20_000, [72.3, 72.4], [0.397, 0.402]);
}

#[test]
fn playouts_on_9x9_agree_with_the_reference() {
    compare_games(9, 200, 15_000, [110.8, 111.2], [0.413, 0.427]);
}

#[test]
fn playouts_on_large_boards_agree_with_the_reference() {
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
