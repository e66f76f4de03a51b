//! Policies that a program registers: one that does what a built-in one does plays its games.

use crate::lanes::in_lanes;
use tengen_go::{Bits, Board, Color, Komi, Size};
use tengen_playout::lanes::Lanes;
use tengen_playout::policy::{self, PlayoutPolicy, Turn};
use tengen_playout::{BuiltInPolicy, EarlyStop, Isa, Job, PlayoutConfig, Policy, scalar};

/// Captures and escapes as the built-in policy does, by its definition.
struct Twin {
    probability: f64,
}

impl PlayoutPolicy for Twin {
    fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
        let built_in = BuiltInPolicy::CaptureEscape { probability: self.probability };
        let [preferred, _] = built_in.preferred(&turn.board, turn.last);
        let preferred = preferred & turn.candidates;
        let is_preferred = turn.is_first && turn.coin(self.probability) && !preferred.is_empty();
        turn.one_of(if is_preferred { preferred } else { turn.candidates })
    }
}

fn compare<const W: usize>(size: Size) {
    let own: Policy = "twin:0.8".parse().unwrap();
    let built_in = Policy::built_in("capture-escape:0.8");
    for stop in [EarlyStop::Never, EarlyStop::Mercy { lead: 4 }, EarlyStop::Decided { margin: 0 }] {
        let config = |policy| PlayoutConfig { policy, stop, komi: Komi::default() };
        let jobs: Vec<Job<W>> = (0..40).map(|seed| Job { start: Board::new(size), seed }).collect();
        let mut lanes = Lanes::with_config(size, Isa::fastest(), config(own));
        let in_lanes = in_lanes(&mut lanes, &jobs, 0..jobs.len());
        for (number, job) in jobs.iter().enumerate() {
            let (expected, attempts) = scalar::play_on(Isa::fastest(), config(built_in), job);
            assert_eq!(scalar::play_on(Isa::fastest(), config(own), job), (expected, attempts));
            assert_eq!(in_lanes[&number], scalar::play_by(config(built_in), job));
        }
        assert_eq!((in_lanes.len(), lanes.lanes()), (40, 1));
    }
}

#[test]
fn a_twin_of_a_built_in_policy_plays_its_games() {
    policy::register("twin", "1", |text| {
        let probability = text.parse().map_err(|_| "twin:PROBABILITY".to_owned())?;
        Ok(Twin { probability })
    })
    .unwrap();
    compare::<1>(Size::square(5).unwrap());
    compare::<2>(Size::square(9).unwrap());
    compare::<3>(Size::square(13).unwrap());
    compare::<6>(Size::square(19).unwrap());
    let error = |text: &str| text.parse::<Policy>().unwrap_err().to_string();
    assert_eq!(error("twin"), "invalid policy `twin`: expected twin:PROBABILITY");
    let expected = "invalid policy `twig`: expected uniform, capture-escape:PROBABILITY, \
                    mogo:P:Q, tactical:CAPTURES:ANYWHERE:ATARI:SHAPES:VETO:NAKADE or twin";
    assert_eq!(error("twig"), expected);
}

#[test]
fn candidates_are_drawn_by_weight() {
    let board = Board::<1>::from_diagram("..../..../....", Color::Black).unwrap();
    let [a1, b2, c3] = ["A1", "B2", "C3"].map(|text| Bits::<1>::index(text.parse().unwrap()));
    let weight = |index: usize| {
        [(a1, 1.0), (b2, 3.0)].iter().find(|it| it.0 == index).map_or(0.0, |it| it.1)
    };
    let mut drawn = [0_u32; 2];
    for number in 0..20_000_u64 {
        // An odd factor spreads the numbers over all 64 bits.
        let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let turn =
            Turn { board, candidates: board.empty(), last: Bits::EMPTY, is_first: true, number };
        let index = turn.weighted(weight);
        assert!(index == a1 || index == b2, "no weight: {index}");
        drawn[usize::from(index == b2)] += 1;
        assert!(turn.weighted(|index| f64::from(u8::from(index == c3))) == c3);
        assert!(board.empty().contains(turn.weighted(|_| 0.0)));
    }
    assert!((f64::from(drawn[1]) / 20_000.0 - 0.75).abs() < 0.015, "{drawn:?}");
}
