//! Policies of sets of points that a program registers: in the lanes they play the games of their plain form, on
//! every board and instruction set.

#![allow(clippy::inline_always)] // only then does the compiler make vector code of it

use crate::lanes::{in_lanes, job};
use std::array;
use tengen_go::{Bits, Board, Color, Komi, Move, Size, with_words};
use tengen_playout::lanes::Lanes;
use tengen_playout::policy::{self, DrawBy, Points, SetForm, SetPolicy, TurnSets};
use tengen_playout::{EarlyStop, Isa, Job, PlayoutConfig, Policy, scalar};

/// What the built-in policy `mogo` prefers.
struct Mogo([f64; 2]);

impl SetPolicy<2> for Mogo {
    const URGENT: bool = true;

    fn draw_by(&self) -> DrawBy<2> {
        DrawBy::FirstOf(self.0)
    }

    #[inline(always)]
    fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 2] {
        [turn.urgent, turn.mogo_shapes()]
    }
}

/// Every operation, in classes of weights that overlap.
struct Classes([f64; 4]);

impl SetPolicy<4> for Classes {
    fn draw_by(&self) -> DrawBy<4> {
        DrawBy::Weights { of_sets: self.0, others: 1.0 }
    }

    #[inline(always)]
    fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 4] {
        let (row, column) = (turn.last.east().east() | turn.last.west(), turn.last.north().north());
        let near = row | column.south() | turn.last.south().south();
        let with_room = turn.own.neighbors() & turn.empty.beside_two();
        let chain = turn.last.spread(turn.other).spread(turn.other).neighbors() & turn.empty;
        let corner = (turn.edge() - turn.edge().beside_two()) & !turn.last.square();
        [near ^ with_room, with_room, chain.only_if(turn.own), corner.only_if(turn.last)]
    }
}

/// Panics when it is made.
struct Panicking;

impl SetPolicy<1> for Panicking {
    fn draw_by(&self) -> DrawBy<1> {
        panic!("no way to draw")
    }

    fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 1] {
        [turn.board]
    }
}

fn four(text: &str) -> Result<[f64; 4], String> {
    let numbers: Vec<f64> = text.split(':').filter_map(|number| number.parse().ok()).collect();
    numbers.try_into().map_err(|_| "four numbers".to_owned())
}

/// The policy of `text`, after those of this file are registered.
fn policy(text: &str) -> Result<Policy, String> {
    policy::register_sets("set-mogo", "1", |text| four(text).map(|[a, b, ..]| Mogo([a, b])))
        .unwrap();
    policy::register_sets("classes", "1", |text| four(text).map(Classes)).unwrap();
    policy::register_sets("panicking", "1", |_| Ok(Panicking)).unwrap();
    text.parse().map_err(|error| format!("{error}"))
}

/// Compares the lanes of `text` with scalar playouts of `expected`.
fn compare<const W: usize>(size: Size, text: &str, expected: &str, games: usize) {
    let [own, expected] = [text, expected].map(|text| policy(text).unwrap());
    let jobs: Vec<Job<W>> = (0..games as u64).map(|number| job(size, number)).collect();
    for (isa, stop) in Isa::supported().into_iter().zip(
        [EarlyStop::Never, EarlyStop::Mercy { lead: 4 }, EarlyStop::Decided { margin: 0 }]
            .into_iter()
            .cycle()
            .skip(size.points()),
    ) {
        let config = |policy| PlayoutConfig { policy, stop, komi: Komi::default() };
        for most in [64, 3] {
            let lanes = Lanes::with_config(size, isa, config(own)).with_area();
            let mut lanes = lanes.with_at_most(most);
            let results = in_lanes(&mut lanes, &jobs, (0..games).rev());
            for (number, job) in jobs.iter().enumerate() {
                let playout = scalar::play_by(config(expected), job);
                assert_eq!(results[&number], playout, "{isa} {size} {text} {stop:?} {}", job.start);
            }
        }
    }
}

#[test]
fn mogo_of_sets_plays_the_games_of_mogo() {
    for size in [(5, 5), (7, 8), (9, 9), (11, 10), (13, 13), (19, 19), (3, 9), (1, 12)] {
        let size = Size::new(size.0, size.1).unwrap();
        let games = 2_000 / size.points().max(20);
        with_words!(size, W => compare::<W>(size, "set-mogo:0.9:1:0:0", "mogo:0.9:1", games));
        with_words!(size, W => compare::<W>(size, "set-mogo:0.3:0.6:0:0", "mogo:0.3:0.6", games));
    }
}

#[test]
fn lanes_play_the_games_of_the_plain_form() {
    for size in [(5, 5), (2, 2), (7, 8), (9, 9), (6, 9), (11, 10), (13, 13), (19, 19), (14, 2)] {
        let size = Size::new(size.0, size.1).unwrap();
        let games = 2_000 / size.points().max(20);
        for text in ["classes:5:0:0.7:1000", "classes:0:3:2:0.001", "classes:0:0:0:0"] {
            with_words!(size, W => compare::<W>(size, text, text, games));
        }
    }
}

/// The share of first moves in each of the classes of points.
fn first_moves(policy: Policy, classes: [Bits<1>; 3]) -> [f64; 3] {
    const GAMES: u32 = 8_000;
    let start = Board::<1>::new(Size::square(5).unwrap());
    let mut counts = [0_u32; 3];
    for seed in 0..u64::from(GAMES) {
        let (_, moves) = scalar::record(policy, &Job { start, seed });
        let Move::Play(vertex) = moves[0] else { panic!("a pass") };
        for (count, class) in counts.iter_mut().zip(classes) {
            *count += u32::from(class.contains(Bits::<1>::index(vertex)));
        }
    }
    counts.map(|count| f64::from(count) / f64::from(GAMES))
}

/// Weights of rings of a board: the outer one, the middle one, the centre.
struct Rings;

impl SetPolicy<2> for Rings {
    fn draw_by(&self) -> DrawBy<2> {
        DrawBy::Weights { of_sets: [1.0, 2.0], others: 16.0 }
    }

    #[inline(always)]
    fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 2] {
        [turn.edge(), turn.edge().square()]
    }
}

#[test]
fn weights_are_odds() {
    policy::register_sets("rings", "1", |_| Ok(Rings)).unwrap();
    let size = Size::square(5).unwrap();
    let edge = Bits::<1>::edge(size);
    let centre = Bits::point(Bits::<1>::index("C3".parse().unwrap()));
    let shares =
        first_moves("rings".parse().unwrap(), [edge, Bits::board(size) - edge - centre, centre]);
    // 16 points of weight 1, 8 of weight 2 and one of weight 16.
    for share in shares {
        assert!((share - 1.0 / 3.0).abs() < 0.02, "{shares:?}");
    }
}

#[test]
fn draws_that_cannot_be_are_refused() {
    let error = |text: &str| policy(text).unwrap_err();
    for (text, said) in [
        ("set-mogo:1.5:0:0:0", "probabilities from 0 to 1, not [1.5, 0.0]"),
        ("classes:-1:0:0:0", "weights of at least 0, not [-1.0, 0.0, 0.0, 0.0] and 1"),
        ("classes:inf:0:0:0", "weights of at least 0, not [inf, 0.0, 0.0, 0.0] and 1"),
        ("classes:nan:0:0:0", "weights of at least 0, not [NaN, 0.0, 0.0, 0.0] and 1"),
        ("panicking", "no way to draw"),
    ] {
        assert!(error(text).contains(said), "{text}: {}", error(text));
    }
}

#[test]
fn points_are_of_the_board() {
    // What a shift moves off the board does not come back by the next one, on any grid.
    struct Shifts;
    impl SetPolicy<1> for Shifts {
        fn draw_by(&self) -> DrawBy<1> {
            DrawBy::FirstOf([1.0])
        }
        #[inline(always)]
        fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 1] {
            let a = turn.board.east().east().west().west();
            [turn.board.north().south() & a & !turn.board.south().north()]
        }
    }
    policy::register_sets("shifts", "1", |_| Ok(Shifts)).unwrap();
    let start = Board::<1>::new(Size::new(4, 3).unwrap());
    assert_eq!(start.to_play(), Color::Black);
    // Of the columns A to D those from C on are moved off; of the rows the first has none below.
    let drawn: [bool; 40] = array::from_fn(|seed| {
        let job = Job { start, seed: seed as u64 };
        let (_, moves) = scalar::record("shifts".parse::<Policy>().unwrap(), &job);
        let Move::Play(vertex) = moves[0] else { panic!("a pass") };
        vertex.row == 0 && vertex.col < 2
    });
    assert_eq!(drawn, [true; 40]);
}
