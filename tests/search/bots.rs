//! The bots without a search, against slow twins made of nothing but `Game::check`,
//! `Game::play` and the slow board.

use super::common::below;
use super::reference::{Position, chi_square_deviate, point};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};
use tengen::bots::{BotConfig, RandomConfig, TwoPlyConfig};
use tengen::go::{Color, Game, Ko, Move, Preset, Rules, Size, Suicide, Vertex};
use tengen::seed::mix;

/// Every legal move by asking for each one, the pass included.
fn legal_moves(game: &Game) -> Vec<Move> {
    Vertex::all(game.size())
        .map(Move::Play)
        .chain([Move::Pass])
        .filter(|&mv| game.check(game.to_play(), mv).is_ok())
        .collect()
}

fn after(game: &Game, mv: Move) -> Game {
    let mut next = game.clone();
    next.play(game.to_play(), mv).unwrap();
    next
}

/// Random legal play, eyes filled and all, to a position somewhere in a game.
fn random_position(seed: u64) -> Game {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let sides = [(1, 1), (2, 2), (3, 3), (4, 4), (3, 2), (4, 3), (5, 5), (5, 2), (8, 1)];
    let (width, height) = sides[below(&mut random, sides.len())];
    let size = Size::new(width, height).unwrap();
    let rules = Rules {
        ko: [Ko::Psk, Ko::Ssk, Ko::Nssk, Ko::Simple][below(&mut random, 4)],
        suicide: [Suicide::No, Suicide::Multi, Suicide::All][below(&mut random, 3)],
        ..Rules::new(Preset::Tengen, size, "0.5".parse().unwrap())
    };
    // Now and then the limit of plies is one or two away.
    let plies = below(&mut random, 3 * size.points());
    let max_plies = if seed.is_multiple_of(5) {
        u32::try_from(plies).unwrap() + 1 + u32::from(seed.is_multiple_of(2))
    } else {
        rules.max_plies
    };
    let mut game = Game::new(size, Rules { max_plies, ..rules });
    for _ in 0..plies {
        let moves = legal_moves(&game);
        let plays = moves.len() - 1;
        // Passes are rare, so that few games end at once.
        let mv = match plays {
            0 => Move::Pass,
            _ if random.next_u64().is_multiple_of(12) => Move::Pass,
            _ => moves[below(&mut random, plays)],
        };
        let next = after(&game, mv);
        if next.end().is_some() {
            break;
        }
        game = next;
    }
    game
}

/// The lead of `player`, region by region.
fn lead(game: &Game, player: Color) -> i32 {
    let area = Position::of(game.board()).area();
    if player == Color::Black { area } else { -area }
}

/// The moves that the two-ply bot may choose between.
fn two_ply_choices(game: &Game) -> BTreeSet<String> {
    let player = game.to_play();
    let value = |mv: Move| {
        let next = after(game, mv);
        // Where the game is over `legal_moves` is empty: not even a pass.
        let replies = legal_moves(&next);
        let leads = replies.iter().map(|&reply| lead(&after(&next, reply), player));
        leads.min().unwrap_or_else(|| lead(&next, player))
    };
    let leads_by_move: BTreeMap<Move, i32> =
        legal_moves(game).into_iter().map(|mv| (mv, value(mv))).collect();
    let best = *leads_by_move.values().max().unwrap();
    if best <= leads_by_move[&Move::Pass] {
        return ["pass".to_owned()].into();
    }
    let distance = |mv: &Move| match mv {
        Move::Pass => f64::INFINITY,
        Move::Play(vertex) => {
            let from = |at: u8, side: usize| f64::from(at) - (side as f64 - 1.0) / 2.0;
            from(vertex.col, game.size().width()).powi(2)
                + from(vertex.row, game.size().height()).powi(2)
        }
    };
    let ties = || leads_by_move.iter().filter(|&(_, &lead)| lead == best).map(|(mv, _)| mv);
    let nearest = ties().map(distance).fold(f64::INFINITY, f64::min);
    ties().filter(|mv| distance(mv) <= nearest + 1e-9).map(ToString::to_string).collect()
}

#[test]
fn two_ply_agrees_with_its_slow_twin() {
    let (mut passed, mut drawn, mut settled, mut answers) = (0, 0, 0, 0);
    for seed in 0..600 {
        let game = random_position(seed);
        let choices = two_ply_choices(&game);
        let tries = if choices.len() == 1 { 1 } else { 40 };
        let chosen: BTreeSet<String> = (0..tries)
            .map(|draw| {
                let mut bot = BotConfig::from(TwoPlyConfig {}).build(mix(seed, draw), None);
                bot.genmove(&game).unwrap().mv().unwrap().to_string()
            })
            .collect();
        assert!(
            chosen.is_subset(&choices),
            "seed {seed}: {chosen:?} of {choices:?}, {} to move\n{}",
            game.to_play(),
            game.board()
        );
        // Of up to four points, 40 draws miss one once in 100,000 times.
        if choices.len() <= 4 {
            assert_eq!(chosen, choices, "seed {seed}: every tie is drawn at times");
        }
        let has_passed = choices.contains("pass");
        passed += u32::from(has_passed);
        drawn += u32::from(choices.len() > 1);
        settled += u32::from(has_passed && legal_moves(&game).len() > 1);
        answers += u32::from(game.board().passes() == 1);
    }
    assert!(
        passed > 50 && drawn > 20 && settled > 30 && answers > 15,
        "{passed} {drawn} {settled} {answers}"
    );
}

#[test]
fn the_random_bot_draws_uniformly_what_a_playout_would_play() {
    let mut chi2 = 0.0;
    let mut degrees = 0.0;
    let mut passes = 0;
    for seed in 1_000..1_120 {
        let game = random_position(seed);
        // The moves of a playout, by the definition.
        let slow = Position::of(game.board());
        let is_sensible =
            |mv: &Move| matches!(mv, Move::Play(vertex) if !slow.is_eye(point(*vertex)));
        let expected: BTreeSet<Move> = legal_moves(&game).into_iter().filter(is_sensible).collect();
        let config = BotConfig::from(RandomConfig {});
        // A bot goes on with its stream: asked again it draws again.
        let mut bot = config.build(seed, None);
        if expected.is_empty() {
            assert_eq!(bot.genmove(&game).unwrap().mv().unwrap(), Move::Pass);
            passes += 1;
            continue;
        }
        let draws = 100 * expected.len();
        let mut counts: BTreeMap<Move, u32> = BTreeMap::new();
        for draw in 0..draws {
            let mv = if draw % 2 == 0 {
                bot.genmove(&game).unwrap().mv().unwrap()
            } else {
                config.build(mix(seed, draw as u64), None).genmove(&game).unwrap().mv().unwrap()
            };
            *counts.entry(mv).or_default() += 1;
        }
        assert!(counts.keys().all(|mv| expected.contains(mv)), "{counts:?}\n{}", game.board());
        chi2 += expected
            .iter()
            .map(|mv| f64::from(counts.get(mv).copied().unwrap_or(0)))
            .map(|count| (count - 100.0).powi(2) / 100.0)
            .sum::<f64>();
        degrees += expected.len() as f64 - 1.0;
    }
    assert!(degrees > 300.0 && passes > 5, "{degrees} degrees, {passes} passes");
    assert!(chi_square_deviate(chi2, degrees).abs() < 4.3, "{chi2} at {degrees}");
}
