//! Samples of playouts, against the same playouts one by one. Here and not in the crate, whose unit
//! tests would compile the lanes once more for them, which takes minutes.

use tengen_go::{Bits, Board, Color, Size, Vertex};
use tengen_playout::{BuiltInPolicy, EarlyStop, Job, PlayoutConfig, Sample, scalar};
use tengen_stats::seed::mix;

/// The numbers of `sample` by the same playouts, one by one, whose moves are made on a board.
#[test]
fn equal_to_a_replay_of_the_same_playouts() {
    let small = Board::from_diagram("...../.XO../.XO.O/.X.../.....", Color::White).unwrap();
    let large = Board::<6>::new(Size::new(15, 14).unwrap());
    for (start, policy) in [
        (small, BuiltInPolicy::Uniform {}),
        (small, BuiltInPolicy::CaptureEscape { probability: 0.9 }),
        (large, BuiltInPolicy::CaptureEscape { probability: 0.5 }),
        (large, BuiltInPolicy::Mogo { captures: 0.5, shapes: 0.9 }),
    ] {
        let (seed, playouts) = (7, 60);
        let sample = Sample::of(&[start], policy, seed, playouts);
        let mut margins = vec![0.0; start.size().points()];
        let mut scores = Vec::new();
        for number in 0..playouts {
            let (_, moves) = scalar::record(policy, &Job { start, seed: mix(seed, number) });
            let mut end = start;
            for &mv in &moves {
                end.play_unchecked(mv);
            }
            let [black, white] = end.areas();
            for (margin, vertex) in margins.iter_mut().zip(Vertex::all(start.size())) {
                let index = Bits::<6>::index(vertex);
                *margin += f64::from(black.contains(index)) - f64::from(white.contains(index));
            }
            scores.push(end.area_score().points());
        }
        let owners: Vec<f64> = margins.iter().map(|sum| sum / playouts as f64).collect();
        assert_eq!(sample.ownership(), owners);
        let mean = scores.iter().sum::<f64>() / playouts as f64;
        assert!((sample.mean().unwrap() - mean).abs() < 1e-9);
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let deviation = (squares / playouts as f64).sqrt();
        assert!((sample.deviation().unwrap() - deviation).abs() < 1e-9);
        for (score, count) in sample.scores() {
            let equal = scores.iter().filter(|&&other| other == score.points()).count();
            assert_eq!(equal as u64, *count);
        }
    }
}

#[test]
fn a_recorded_playout_is_that_of_every_form() {
    let stop = EarlyStop::Mercy { lead: 9 };
    for seed in 0..40 {
        let job = Job { start: Board::<2>::new(Size::new(9, 7).unwrap()), seed };
        let escape = BuiltInPolicy::CaptureEscape { probability: 0.7 };
        let shapes = BuiltInPolicy::Mogo { captures: 0.7, shapes: 1.0 };
        for policy in [BuiltInPolicy::Uniform {}, escape, shapes] {
            let config = PlayoutConfig { policy: policy.into(), stop, ..PlayoutConfig::default() };
            let (playout, moves) = scalar::record(config, &job);
            assert_eq!(playout, scalar::play_by(config, &job));
            assert_eq!(moves.len(), playout.plies as usize);
        }
    }
}

#[test]
fn nothing_of_no_positions() {
    let none = Sample::of(&[], BuiltInPolicy::Uniform {}, 1, 10);
    assert_eq!((none.playouts(), none.mean(), none.deviation()), (0, None, None));
}
