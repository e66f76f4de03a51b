//! Arbitrary sequences of moves on arbitrary boards keep the invariants.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use tengen::go::{Bits, Board, Color, Game, Ko, Komi, Move, Preset, Rules, Size, Suicide};

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

proptest! {
    #![proptest_config(config())]

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
}
