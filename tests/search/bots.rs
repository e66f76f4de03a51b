//! The bots without a search, against slow twins made of nothing but
//! `Game::check` and `Game::play`.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};
use tengen::bots::{BotConfig, RandomConfig, TwoPlyConfig};
use tengen::go::{Color, Game, Ko, Move, Preset, Rules, Size, Suicide, Vertex};
use tengen::seed::mix;

fn below(random: &mut Xoshiro256PlusPlus, count: usize) -> usize {
    usize::try_from(random.next_u64() % count as u64).unwrap()
}

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

/// The lead of `player`, stones and regions counted point by point.
fn lead(game: &Game, player: Color) -> i32 {
    let mut total = 0;
    for start in Vertex::all(game.size()) {
        let mut region = BTreeSet::from([start]);
        let mut open = vec![start];
        let mut colors = BTreeSet::new();
        while let Some(point) = open.pop() {
            if let Some(color) = game.board().at(point) {
                colors.insert(color);
                continue;
            }
            for next in neighbors(point, game.size()) {
                if region.insert(next) {
                    open.push(next);
                }
            }
        }
        if let [color] = colors.into_iter().collect::<Vec<_>>()[..] {
            total += if color == player { 1 } else { -1 };
        }
    }
    total
}

fn neighbors(point: Vertex, size: Size) -> Vec<Vertex> {
    let at = |col: i16, row: i16| {
        Some(Vertex::new(u8::try_from(col).ok()?, u8::try_from(row).ok()?))
            .filter(|vertex| vertex.is_on(size))
    };
    let (col, row) = (i16::from(point.col), i16::from(point.row));
    [at(col - 1, row), at(col + 1, row), at(col, row - 1), at(col, row + 1)]
        .into_iter()
        .flatten()
        .collect()
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
                let mut bot = BotConfig::TwoPly(TwoPlyConfig {}).build(mix(seed, draw), None);
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
fn two_ply_draws_by_its_seed() {
    let size = Size::square(4).unwrap();
    let game = Game::new(size, Rules::new(Preset::Tengen, size, "0.5".parse().unwrap()));
    let draw = |seed| {
        BotConfig::TwoPly(TwoPlyConfig {}).build(seed, None).genmove(&game).unwrap().mv().unwrap()
    };
    assert!((0..30).all(|seed| draw(seed) == draw(seed)));
    assert!((0..30).any(|seed| draw(seed) != draw(0)));
}

/// The moves of a playout, by the definition: legal, and no own stones or
/// edges all around with fewer than two (at the edge, no) opposing diagonals.
fn sensible(game: &Game) -> Vec<Move> {
    let player = game.to_play();
    let is_eye = |point: Vertex| {
        let size = game.size();
        let around = neighbors(point, size);
        let mut corners = Vec::new();
        for (col, row) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let at = (
                u8::try_from(i16::from(point.col) + col),
                u8::try_from(i16::from(point.row) + row),
            );
            if let (Ok(col), Ok(row)) = at
                && Vertex::new(col, row).is_on(size)
            {
                corners.push(Vertex::new(col, row));
            }
        }
        let hostile =
            corners.iter().filter(|&&corner| game.board().at(corner) == Some(!player)).count();
        let allowed = usize::from(around.len() == 4);
        around.iter().all(|&next| game.board().at(next) == Some(player)) && hostile <= allowed
    };
    legal_moves(game)
        .into_iter()
        .filter(|mv| matches!(mv, Move::Play(vertex) if !is_eye(*vertex)))
        .collect()
}

/// The χ² that is exceeded once in a hundred thousand times at `degrees` of
/// freedom (Wilson and Hilferty 1931; z = 4.265).
fn bound(degrees: f64) -> f64 {
    let ninth = 2.0 / (9.0 * degrees);
    degrees * (1.0 - ninth + 4.265 * ninth.sqrt()).powi(3)
}

#[test]
fn the_random_bot_draws_uniformly_what_a_playout_would_play() {
    let mut chi2 = 0.0;
    let mut degrees = 0.0;
    let mut passes = 0;
    for seed in 1_000..1_120 {
        let game = random_position(seed);
        let expected: BTreeSet<Move> = sensible(&game).into_iter().collect();
        let config = BotConfig::Random(RandomConfig {});
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
    assert!(chi2 < bound(degrees), "{chi2} at {degrees} degrees of freedom");
    // The statistic is neither loose nor computed wrongly.
    assert!(chi2 > degrees - 4.3 * (2.0 * degrees).sqrt(), "{chi2} at {degrees}");
    // And it fails where one move is twice as likely as each of nine others.
    let (count, others) = (10.0, 1_000.0 / 11.0);
    let unfair =
        9.0 * (others - 100.0_f64).powi(2) / 100.0 + (2.0 * others - 100.0).powi(2) / 100.0;
    assert!(unfair > bound(count - 1.0));
}

/// What a bot writes of itself reads as the same bot.
#[test]
fn texts_read_as_the_bot_they_were_written_by() {
    for text in [
        "random",
        "two-ply",
        "uct",
        "uct:playouts=1000",
        "uct:playouts=1000,seconds=2",
        "uct:seconds=0.5",
        "uct:first_play=inf,exploration=0",
        "uct:playouts=7,workers=7,expansion=3,final_move=value,reuse=true,max_nodes=5000,policy=capture-escape:0.5",
    ] {
        let config: BotConfig = text.parse().unwrap();
        assert_eq!(config.to_string().parse(), Ok(config.clone()), "{text} became {config}");
    }
}
