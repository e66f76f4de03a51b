//! Arbitrary sequences of moves on arbitrary boards keep the invariants.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use tengen::go::{
    Bits, Board, Color, Game, Ko, Komi, Move, Preset, Rules, Size, Suicide, Vertex, with_words,
};

/// What to do next. Numbers stand for a choice among what is there, so that
/// every sequence means something and a shorter one does too.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Play one of the legal points.
    Legal(u16),
    /// Play one of the legal points beside a stone, where captures happen.
    Beside(u16),
    Pass,
    /// The other player takes the turn, and plays.
    OutOfTurn(u16),
    /// Try any point, legal or not.
    Any(u16),
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => any::<u16>().prop_map(Step::Legal),
        6 => any::<u16>().prop_map(Step::Beside),
        1 => Just(Step::Pass),
        1 => any::<u16>().prop_map(Step::OutOfTurn),
        2 => any::<u16>().prop_map(Step::Any),
    ];
    prop::collection::vec(step, 0..most)
}

/// Small boards are where the strange things happen: half of all.
fn size() -> impl Strategy<Value = Size> {
    prop_oneof![(1_u8..=5, 1_u8..=5), (1_u8..=19, 1_u8..=19)]
        .prop_map(|(width, height)| Size::new(width, height).unwrap())
}

fn setting() -> impl Strategy<Value = (Size, Rules)> {
    let kos = vec![Ko::Psk, Ko::Simple, Ko::Ssk, Ko::Nssk, Ko::None];
    let suicides = vec![Suicide::No, Suicide::Multi, Suicide::All];
    (size(), prop::sample::select(kos), prop::sample::select(suicides)).prop_map(
        |(size, ko, suicide)| {
            (size, Rules { ko, suicide, ..Rules::new(Preset::Tengen, size, Komi::default()) })
        },
    )
}

/// The number `k` of `points`, counted round.
fn pick(points: Bits<6>, k: u16) -> Move {
    match points.count() {
        0 => Move::Pass,
        count => Move::Play(Bits::<6>::vertex(points.nth(u32::from(k) % count))),
    }
}

/// What a step means in this game.
fn meaning(game: &Game, step: Step) -> (Color, Move) {
    let color = game.to_play();
    let board = game.board();
    let all = Bits::<6>::board(game.size());
    match step {
        Step::Legal(k) => (color, pick(game.legal_points(), k)),
        Step::Beside(k) => {
            let stones = board.stones(Color::Black) | board.stones(Color::White);
            (color, pick(game.legal_points() & stones.neighbors(), k))
        }
        Step::Pass => (color, Move::Pass),
        Step::OutOfTurn(k) => (!color, pick(game.legal_points(), k)),
        Step::Any(k) => (color, pick(all, k)),
    }
}

/// The game after `steps`; what is refused is left out.
fn played(size: Size, rules: Rules, steps: &[Step]) -> Game {
    let mut game = Game::new(size, rules);
    for &step in steps {
        let (color, mv) = meaning(&game, step);
        let _ = game.play(color, mv);
    }
    game
}

/// All that a game holds, its memory of positions included.
fn image(game: &Game) -> String {
    format!("{game:?} {:?}", game.moves().collect::<Vec<_>>())
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 500,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/properties.regressions"
        )))),
        ..ProptestConfig::default()
    }
}

/// Plays `steps` on boards of `W` and of six words alongside the game.
fn check_layouts<const W: usize>(
    size: Size,
    rules: Rules,
    steps: &[Step],
) -> Result<(), TestCaseError> {
    let mut game = Game::new(size, rules);
    let mut small = Board::<W>::new(size);
    for &step in steps {
        let (color, mv) = meaning(&game, step);
        if game.check(color, mv).is_err() {
            continue;
        }
        let copy = small;
        small.turn_to(color);
        let turned = small;
        let foretold = match mv {
            Move::Play(vertex) => small.hash_after(Bits::<W>::index(vertex)),
            Move::Pass => small.hash(),
        };
        prop_assert_eq!(turned, small, "a question changed the board");
        small.play_unchecked(mv);
        prop_assert_eq!(small.hash(), foretold);
        small.assert_valid();
        prop_assert_eq!(copy.repacked::<6>(), *game.board(), "a copy followed the original");
        game.play(color, mv).unwrap();
        game.board().assert_valid();
        prop_assert_eq!(small.repacked::<6>(), *game.board());
        prop_assert_eq!(game.board().repacked::<W>(), small);
        let moved = |points: Bits<W>| -> Bits<6> { points.iter().map(Bits::<W>::vertex).collect() };
        prop_assert_eq!(moved(small.empty()), game.board().empty());
        prop_assert_eq!(moved(small.eyes()), game.board().eyes());
        prop_assert_eq!(moved(small.ko_set()), game.board().ko_set());
        prop_assert_eq!(moved(small.legal_points(rules)), game.board().legal_points(rules));
        prop_assert_eq!(small.area_score(), game.board().area_score());
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_layout_plays_the_same_game((size, rules) in setting(), steps in steps(120)) {
        with_words!(size, W => check_layouts::<W>(size, rules, &steps))?;
    }

    #[test]
    fn undo_leads_back_through_every_position(
        (size, rules) in setting(),
        steps in steps(60),
        back in 0_usize..60,
    ) {
        let mut game = Game::new(size, rules);
        let mut images = vec![image(&game)];
        for &step in &steps {
            let (color, mv) = meaning(&game, step);
            if game.play(color, mv).is_ok() {
                images.push(image(&game));
            } else {
                prop_assert_eq!(&image(&game), images.last().unwrap(), "a refusal left a trace");
            }
        }
        for _ in 0..back.min(images.len() - 1) {
            images.pop();
            let last = game.moves().next_back();
            prop_assert_eq!(game.undo(), last);
            prop_assert_eq!(&image(&game), images.last().unwrap());
        }
    }

    #[test]
    fn a_clone_goes_its_own_way(
        (size, rules) in setting(),
        start in steps(60),
        first in steps(20),
        second in steps(20),
    ) {
        let mut game = played(size, rules, &start);
        let mut clone = game.clone();
        let before = image(&game);
        for &step in &first {
            let (color, mv) = meaning(&clone, step);
            let _ = clone.play(color, mv);
        }
        prop_assert_eq!(&image(&game), &before, "the clone changed the game");
        let branch = image(&clone);
        while clone.ply() > game.ply() {
            clone.undo();
        }
        prop_assert_eq!(&image(&clone), &before);
        for &step in &second {
            let (color, mv) = meaning(&game, step);
            let _ = game.play(color, mv);
        }
        for &step in &first {
            let (color, mv) = meaning(&clone, step);
            let _ = clone.play(color, mv);
        }
        prop_assert_eq!(image(&clone), branch, "the game changed the clone");
    }

    #[test]
    fn what_is_listed_is_what_is_allowed((size, rules) in setting(), steps in steps(80)) {
        let game = played(size, rules, &steps);
        let legal = game.legal_points();
        for vertex in Vertex::all(size) {
            let allowed = game.check(game.to_play(), Move::Play(vertex)).is_ok();
            prop_assert_eq!(legal.contains(Bits::<6>::index(vertex)), allowed, "{}", vertex);
        }
        prop_assert_eq!(game.sensible_points(), legal - game.board().eyes());
    }

    #[test]
    fn diagrams_survive_the_round_trip((size, rules) in setting(), steps in steps(120)) {
        let game = played(size, rules, &steps);
        // Neither ko nor passes are drawn: the other player's turn forgets both.
        let mut board = *game.board();
        board.turn_to(!board.to_play());
        for text in [board.to_string(), board.to_rows(), format!("\n{board}\n")] {
            prop_assert_eq!(Board::<6>::from_diagram(&text, board.to_play()).unwrap(), board);
        }
        let [black, white] = Color::BOTH.map(|color| {
            board.stones(color).iter().map(Bits::<6>::vertex).collect::<Vec<_>>()
        });
        let set_up = Board::<6>::set_up(size, &black, &white, board.to_play());
        prop_assert_eq!(set_up, Ok(board));
    }

    #[test]
    fn colours_may_be_exchanged((size, rules) in setting(), steps in steps(100)) {
        // Black and White live under the same rules: the mirrored game is legal
        // move for move and scores the opposite.
        let game = played(size, rules, &steps);
        let mut start = Board::<6>::new(size);
        start.turn_to(Color::White);
        let mut mirror = Game::from_position(start, rules);
        for (color, mv) in game.moves() {
            prop_assert_eq!(mirror.play(!color, mv), Ok(()));
        }
        prop_assert_eq!(mirror.legal_points(), game.legal_points());
        prop_assert_eq!(mirror.board().eyes(), game.board().eyes());
        let (score, opposite) = (mirror.board().area_score(), game.board().area_score());
        prop_assert_eq!(score.half_points(), -opposite.half_points());
    }
}
