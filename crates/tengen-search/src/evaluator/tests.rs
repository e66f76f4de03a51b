//! What evaluators may return, and how long they may take.

use super::*;
use std::time::Duration;
use tengen_go::{Color, Preset, Rules};

fn leaf() -> Leaf {
    let position = "
        . . .
        X O .
        . X .";
    let board = Board::from_diagram(position, Color::Black).unwrap();
    let rules = Rules::new(Preset::Tengen, board.size(), "0.5".parse().unwrap());
    let last = Move::Play("B2".parse().unwrap());
    let recent = [Some(last), None, None, None, None, None, None, None];
    Leaf {
        board,
        legal: board.legal_points(rules),
        recent,
        before: Vec::new(),
        komi: rules.komi,
        seed: 1,
    }
}

#[test]
fn results_that_cannot_be_used_name_the_evaluator() {
    let said = |value: f32, prior: f32| {
        let fixed = move |batch: Batch<'_>| {
            batch.values.fill(value);
            batch.priors[0] = prior;
            if value > 100.0 { Err("no file".to_owned()) } else { Ok(()) }
        };
        let named = NamedEvaluator::new("net", "1", move || Ok(Box::new(fixed) as _));
        let mut evaluator = named.make().unwrap();
        let (mut values, mut priors) = (Vec::new(), Vec::new());
        let done = named.evaluate(&mut *evaluator, &[leaf()], &mut values, &mut priors);
        done.map_err(|error| error.to_string())
    };
    assert_eq!(said(0.25, 3.0), Ok(()));
    for (value, prior, reason) in [
        (1.5, 1.0, "evaluator `net`: a value is 1.5: expected 0 to 1"),
        (f32::NAN, 1.0, "evaluator `net`: a value is NaN: expected 0 to 1"),
        (0.5, -1.0, "evaluator `net`: a prior is -1: expected a number from 0"),
        (0.5, f32::INFINITY, "evaluator `net`: a prior is inf: expected a number from 0"),
        (200.0, 1.0, "evaluator `net`: no file"),
    ] {
        assert_eq!(said(value, prior), Err(reason.to_owned()));
    }
}

/// Gives each leaf its own value, and fails, panics or hangs at certain seeds.
fn slow(batch: Batch<'_>) -> Result<(), String> {
    for (leaf, value) in batch.leaves.iter().zip(batch.values) {
        match leaf.seed {
            100 => return Err("no memory".to_owned()),
            200 => panic!("here"),
            300 => loop {
                std::thread::park();
            },
            #[allow(clippy::cast_precision_loss)] // below 1,000
            seed => *value = seed as f32 / 1_000.0,
        }
    }
    batch.priors[3] = 0.5;
    Ok(())
}

#[test]
fn an_evaluator_with_a_time_limit_is_the_same_until_it_hangs() {
    let direct = NamedEvaluator::new("slow", "1", || Ok(Box::new(slow)));
    let limited = direct.clone().with_timeout(Duration::from_secs(2));
    let say = |named: &NamedEvaluator, evaluator: &mut dyn Evaluator, seeds: &[u64]| {
        let leaves: Vec<Leaf> = seeds.iter().map(|&seed| Leaf { seed, ..leaf() }).collect();
        let (mut values, mut priors) = (vec![], vec![]);
        let done = named.evaluate(evaluator, &leaves, &mut values, &mut priors);
        done.map(|()| (values, priors)).map_err(|error| error.to_string())
    };
    let (mut one, mut other) = (direct.make().unwrap(), limited.make().unwrap());
    assert_eq!(one.batch(), other.batch());
    for seeds in [&[1, 2, 3][..], &[4], &[5, 6], &[7, 100, 8], &[9, 10, 11, 12]] {
        let expected = say(&direct, &mut *one, seeds);
        assert_eq!(say(&limited, &mut *other, seeds), expected);
    }
    for (seed, said) in [
        (200, ["it panicked: here", "its thread has ended"]),
        (300, ["no answer in 2 s", "no answer in 2 s"]),
    ] {
        let mut evaluator = limited.make().unwrap();
        for said in said {
            let error = say(&limited, &mut *evaluator, &[seed]).unwrap_err();
            assert!(error.starts_with(&format!("evaluator `slow`: {said}")), "{error}");
        }
    }
}

#[test]
fn planes_have_the_points_in_order() {
    let mut planes = vec![9.0; Leaf::plane_values("3x3".parse().unwrap())];
    leaf().write_planes(&mut planes);
    let rows: Vec<&[f32]> = planes.chunks(9).collect();
    // The lowest row first.
    assert_eq!(rows[0], [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(rows[1], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(rows[2], [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(rows[3], rows[1]);
    assert_eq!(rows[4], [0.0; 9]);
    assert_eq!(rows[5], [-0.025; 9]);
}
