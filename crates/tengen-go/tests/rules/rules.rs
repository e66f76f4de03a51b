//! Random games on every size under every combination of rules, each derived
//! value held against the slow twin.

use crate::reference::{Lcg, Position, point, vertex};
use crate::twin::Twin;
use std::collections::{BTreeSet, HashMap};
use tengen_go::{
    Bits, Board, Color, End, Game, IllegalMove, Ko, Komi, Move, Preset, Rules, Size, Suicide,
    Vertex, with_words,
};

const KO_RULES: [Ko; 5] = [Ko::None, Ko::Simple, Ko::Psk, Ko::Ssk, Ko::Nssk];
const SUICIDE_RULES: [Suicide; 3] = [Suicide::No, Suicide::Multi, Suicide::All];

/// How often each answer was given, so that a test cannot pass by asking
/// nothing.
#[derive(Default)]
struct Tally {
    refused: HashMap<(Ko, Suicide, IllegalMove), u32>,
    captures: u32,
    eyes: usize,
    ko_points: u32,
    ends: HashMap<End, u32>,
}

impl Tally {
    fn assert_rich(&self) {
        let Self { captures, ko_points, eyes, .. } = self;
        assert!(
            *captures > 1_000 && *ko_points > 50 && *eyes > 3_000,
            "{captures} captures, {ko_points} kos, {eyes} eyes"
        );
    }
}

fn all_rules(size: Size, max_plies: u32) -> Vec<Rules> {
    let rules = Rules::new(Preset::Tengen, size, Komi::default());
    KO_RULES
        .into_iter()
        .flat_map(|ko| SUICIDE_RULES.map(|suicide| Rules { ko, suicide, max_plies, ..rules }))
        .collect()
}

/// The values that are cheap enough for every ply.
fn compare_position<const W: usize>(game: &Game, small: &Board<W>, twin: &Twin, tally: &mut Tally) {
    let board = game.board();
    let position = &twin.position;
    board.assert_valid();
    small.assert_valid();
    assert_eq!(small.repacked::<6>(), *board, "the layout changes a result");
    assert_eq!(board.to_play(), position.to_play);
    assert_eq!(u32::from(board.passes()), position.passes);
    for at in position.points() {
        assert_eq!(board.at(vertex(at)), position.stones.get(&at).copied(), "{at:?}\n{board}");
    }
    assert_eq!(board.ko().map(point), position.ko(), "ko\n{board}");
    tally.ko_points += u32::from(board.ko().is_some());
    let eyes: BTreeSet<_> = small.eyes().iter().map(|i| point(Bits::<W>::vertex(i))).collect();
    assert_eq!(eyes, position.eyes(), "eyes of {}\n{board}", board.to_play());
    tally.eyes += eyes.len();
    let area = position.area();
    assert_eq!(board.area_score().half_points(), 2 * area, "area\n{board}");
    assert_eq!(small.area_score(), board.area_score());
    assert_eq!(game.score(), board.area_score() - game.rules().komi);
}

/// Every move there is, for the player to move: reason by reason.
fn compare_moves<const W: usize>(
    game: &Game,
    small: &Board<W>,
    twin: &Twin,
    tally: &mut Tally,
) -> Vec<Move> {
    let color = game.to_play();
    let mut legal = Vec::new();
    let mut basic = Vec::new();
    for at in twin.position.points() {
        let mv = Move::Play(vertex(at));
        let expected = twin.check(color, mv);
        assert_eq!(
            game.check(color, mv),
            expected,
            "{color} {mv} under {:?}\n{}",
            game.rules(),
            game.board()
        );
        match expected {
            Ok(()) => legal.push(vertex(at)),
            Err(reason) => {
                let rules = game.rules();
                *tally.refused.entry((rules.ko, rules.suicide, reason)).or_default() += 1;
            }
        }
        // The board alone knows all but superko and the end of the game.
        let own = small.check(mv, game.rules());
        if matches!(expected, Ok(()) | Err(IllegalMove::Superko)) {
            assert_eq!(own, Ok(()));
            basic.push(vertex(at));
        } else if expected != Err(IllegalMove::GameOver) {
            assert_eq!(own, expected);
        }
    }
    let vertices =
        |points: Bits<6>| -> Vec<Vertex> { points.iter().map(Bits::<6>::vertex).collect() };
    assert_eq!(vertices(game.legal_points()), legal, "\n{}", game.board());
    let sensible: Vec<Vertex> =
        legal.iter().copied().filter(|&at| !twin.position.is_eye(point(at))).collect();
    assert_eq!(vertices(game.sensible_points()), sensible, "\n{}", game.board());
    if !twin.is_over() {
        let own: Vec<Vertex> =
            small.legal_points(game.rules()).iter().map(Bits::<W>::vertex).collect();
        assert_eq!(own, basic, "\n{}", game.board());
        assert_eq!(twin.check(color, Move::Pass), Ok(()));
        assert_eq!(game.check(color, Move::Pass), Ok(()));
    }
    #[allow(clippy::cast_possible_truncation)] // sides are at most 19
    let (width, height) = (game.size().width() as u8, game.size().height() as u8);
    for outside in [Vertex::new(width, 0), Vertex::new(0, height), Vertex::new(255, 255)] {
        let expected = if twin.is_over() { IllegalMove::GameOver } else { IllegalMove::OffBoard };
        assert_eq!(game.check(color, Move::Play(outside)), Err(expected));
    }
    legal.into_iter().map(Move::Play).collect()
}

/// All that a game holds, its memory of positions included.
fn image(game: &Game) -> String {
    format!("{game:?} {:?}", game.moves().collect::<Vec<_>>())
}

/// A drawing of the board reads as the board, and so do lists of its stones.
fn check_diagrams(board: &Board<6>) {
    // Neither ko nor passes are drawn: the other player's turn forgets both.
    let mut board = *board;
    board.turn_to(!board.to_play());
    for text in [board.to_string(), board.to_rows(), format!("\n{board}\n")] {
        assert_eq!(Board::from_diagram(&text, board.to_play()), Ok(board));
    }
    let [black, white] = Color::BOTH
        .map(|color| board.stones(color).iter().map(Bits::<6>::vertex).collect::<Vec<_>>());
    assert_eq!(Board::set_up(board.size(), &black, &white, board.to_play()), Ok(board));
}

/// A random game, compared after each ply; all moves every `every` plies. On small boards it is
/// taken back in the end, ply by ply.
fn play_one<const W: usize>(size: Size, rules: Rules, seed: u64, every: u32, tally: &mut Tally) {
    let mut random = Lcg::new(seed);
    let mut game = Game::new(size, rules);
    let mut small = Board::<W>::new(size);
    let mut twin = Twin::new(Position::empty(size, Color::Black), rules);
    let mut legal = compare_moves(&game, &small, &twin, tally);
    let is_small = size.points() <= 25;
    let mut images = Vec::new();
    while !twin.is_over() {
        // Some games know a player who plays twice in a row.
        let color = if random.below(24) == 0 { !game.to_play() } else { game.to_play() };
        let drawn = if legal.is_empty() || random.below(24) == 0 {
            Move::Pass
        } else {
            legal[random.below(legal.len())]
        };
        let verdict = twin.check(color, drawn);
        let stones = twin.position.stones.len();
        let before = if is_small { image(&game) } else { game.board().to_string() };
        assert_eq!(game.play(color, drawn), verdict, "{color} {drawn}\n{before}");
        if verdict.is_err() {
            // Legal for one player is not legal for the other: nothing changed.
            assert!(!is_small || image(&game) == before, "a refusal left a trace");
            legal.retain(|&mv| mv != drawn);
            continue;
        }
        images.push((before, (color, drawn)));
        small.turn_to(color);
        if let Move::Play(at) = drawn {
            let index = Bits::<W>::index(at);
            let expected = small.hash_after(index);
            small.play(drawn, rules).unwrap();
            assert_eq!(small.hash(), expected, "hash_after\n{small}");
        } else {
            small.play(drawn, rules).unwrap();
        }
        twin.play(color, drawn);
        tally.captures += u32::from(drawn != Move::Pass && twin.position.stones.len() <= stones);
        compare_position(&game, &small, &twin, tally);
        if twin.plies.is_multiple_of(every) || twin.is_over() {
            legal = compare_moves(&game, &small, &twin, tally);
        } else {
            let points = twin.position.points().into_iter();
            legal = points
                .filter(|at| !twin.position.stones.contains_key(at))
                .map(|at| Move::Play(vertex(at)))
                .filter(|_| random.below(8) == 0)
                .filter(|&mv| twin.check(game.to_play(), mv).is_ok())
                .collect();
        }
    }
    let end = game.end().expect("the twin's game is over");
    assert_eq!(end == End::Passes, twin.position.passes == 2);
    assert_eq!(game.ply(), twin.plies);
    *tally.ends.entry(end).or_default() += 1;
    check_diagrams(game.board());
    while is_small && let Some((before, mv)) = images.pop() {
        assert_eq!(game.undo(), Some(mv));
        assert_eq!(image(&game), before);
    }
}

fn play_sizes(wanted: impl Fn(Size) -> bool) -> Tally {
    let mut tally = Tally::default();
    for (number, size) in Size::all().enumerate().filter(|&(_, size)| wanted(size)) {
        let points = u32::try_from(size.points()).unwrap();
        let rules = all_rules(size, 2 * points + 40);
        let (games, every) = match points {
            1..=12 => (30, 1),
            13..=25 => (15, 1),
            26..=49 => (4, 2),
            50..=100 => (1, 4),
            _ => (1, points / 3),
        };
        for game in 0..games {
            // A stride that is coprime to 15 leads through all combinations.
            let rules = rules[(7 * number + game) % rules.len()];
            let seed = (1_000 * number + game) as u64;
            with_words!(size, W => play_one::<W>(size, rules, seed, every, &mut tally));
        }
    }
    tally
}

#[test]
fn games_on_small_boards_agree_with_the_twin() {
    let tally = play_sizes(|size| size.points() <= 25);
    for ko in KO_RULES {
        for suicide in SUICIDE_RULES {
            let refused =
                |reason| tally.refused.get(&(ko, suicide, reason)).copied().unwrap_or_default();
            let case = format!("{ko} {suicide}");
            assert!(refused(IllegalMove::Occupied) > 1_000, "{case}");
            assert!((refused(IllegalMove::Suicide) > 100) == (suicide != Suicide::All), "{case}");
            assert!((refused(IllegalMove::Ko) > 20) == (ko == Ko::Simple), "{case}");
            let superko = matches!(ko, Ko::Psk | Ko::Ssk | Ko::Nssk);
            assert!((refused(IllegalMove::Superko) > 50) == superko, "{case}");
        }
    }
    tally.assert_rich();
    assert!(tally.ends[&End::Passes] > 20 && tally.ends[&End::Limit] > 20);
}

#[test]
fn games_on_middle_boards_agree_with_the_twin() {
    let tally = play_sizes(|size| (26..=120).contains(&size.points()));
    tally.assert_rich();
}

#[test]
fn games_on_large_boards_agree_with_the_twin() {
    let tally = play_sizes(|size| size.points() > 120);
    tally.assert_rich();
}
