//! Tests of blocks: what they count, and what is blended.

use super::cells::{MAX_COMPACT_VISITS, MAX_VISITS};
use super::*;

fn set(points: &[usize]) -> [u64; 2] {
    let mut words = [0; 2];
    for point in points {
        words[point / 64] |= 1 << (point % 64);
    }
    words
}

/// Two nodes with blocks, and one without.
fn sample() -> Amaf {
    let mut amaf = Amaf::default();
    amaf.resize(3);
    amaf.open(0, 96, 10, &set(&[0, 10, 63, 64, 96]));
    amaf.open(2, 96, 10, &set(&[]));
    amaf
}

fn sums(amaf: &Amaf, node: Node) -> Vec<(usize, f32, f32)> {
    let cells = (0..96).map(|cell| (cell, amaf.sums(node, cell)));
    let counted = cells.filter(|(_, sums)| sums.visits > 0.0);
    counted.map(|(cell, sums)| (cell, sums.visits, sums.rewards)).collect()
}

/// Priors in percent that count as `visits` visits.
fn percents(visits: f64) -> PriorSums {
    PriorSums::new([visits, 0.0], [0.0, visits / 100.0])
}

/// Priors of as many cells as a block may have: the `given` ones, and none elsewhere.
fn priors(given: &[(usize, u8)]) -> [u8; 384] {
    let mut bytes = [0; 384];
    for &(cell, byte) in given {
        bytes[cell] = byte;
    }
    bytes
}

/// Rewards that wide blocks hold when a byte is full, and others that they hold from the first
/// count.
#[test]
fn compact_and_wide_blocks_hold_the_same() {
    for rewards in [[0.0, 0.5, 1.0], [0.0, 0.25, 1.0]] {
        let mut amaf = sample();
        amaf.set_priors(0, percents(20.0), &priors(&[(0, 58), (63, 5)]));
        let mut expected = [(20.0, 11.6_f32), (20.0, 1.0), (0.0, 0.0)];
        for count in 0..400 {
            let reward = rewards[count % 3];
            amaf.count(0, &set(&[0, 5]), reward);
            amaf.count(0, &set(&[63]), reward);
            for sums in &mut expected {
                *sums = (sums.0 + 1.0, sums.1 + reward);
            }
            for (cell, (visits, rewards)) in [0, 63, 5].into_iter().zip(expected) {
                let sums = amaf.sums(0, cell);
                assert_eq!(sums.visits, visits, "{count}");
                assert!((sums.rewards - rewards).abs() < 1e-4, "{count}: {sums:?} {rewards}");
            }
            let is_wide = count + 1 >= MAX_COMPACT_VISITS.into() || rewards[1] == 0.25 && count > 0;
            assert_eq!(matches!(amaf.block(0), Some(Block::Wide(_))), is_wide, "{count}");
            assert!(amaf.is_untried(0, 10) && !amaf.is_untried(0, 11));
        }
        // The compact block is free for another node.
        let bytes = amaf.compact.bytes();
        amaf.open(1, 96, 10, &set(&[3]));
        assert_eq!(amaf.compact.bytes(), bytes);
        assert_eq!(sums(&amaf, 1), []);
        assert!(amaf.is_untried(1, 3) && !amaf.is_untried(1, 10));
    }
}

#[test]
fn a_cell_stops_before_its_sums_round() {
    let mut amaf = sample();
    amaf.set_priors(0, percents(f64::from(MAX_VISITS) - 1.0), &priors(&[(5, 100)]));
    for _ in 0..2 * MAX_COMPACT_VISITS {
        amaf.count(0, &set(&[5, 6]), 1.0);
    }
    // A compact block exceeds the maximum by little.
    let most = MAX_VISITS - 1.0 + f32::from(MAX_COMPACT_VISITS);
    assert_eq!(amaf.sums(0, 5).visits, most);
    assert_eq!(amaf.sums(0, 6).visits, 2.0 * f32::from(MAX_COMPACT_VISITS));
}

#[test]
fn blended_by_hand() {
    let mut amaf = sample();
    amaf.count(0, &set(&[0, 63, 96]), 1.0);
    amaf.count(0, &set(&[0, 10, 63]), 0.0);
    // Children: cell 0 of mean 0.75 and AMAF mean ½, cell 64 of mean 0.5, without AMAF.
    let mut means = [NO_MEAN; 112];
    (means[0], means[64]) = (0.75, 0.5);
    amaf.remove_untried(0, 0);
    amaf.remove_untried(0, 64);
    let blend = Blend { weight: Weight::OfNode(0.25), first_play: 0.4, per_prior: 0.0 };
    let highest = |amaf: &Amaf, ranked| {
        let (mut values, mut best) = (Vec::new(), [0; 2]);
        let most = amaf.blend(
            0,
            Own { means: &means, visits: &[] },
            blend,
            ranked,
            &mut values,
            &mut best,
        );
        // 0: ¾·¾ + ¼·½ = 0.6875; 10: 0; 63: ½; 64: ½.
        assert_eq!([values[0], values[10], values[63], values[64]], [0.6875, 0.0, 0.5, 0.5]);
        assert_eq!(values[1], f32::NEG_INFINITY);
        (most, best)
    };
    assert_eq!(highest(&amaf, Ranked::All), (1.0, set(&[96])));
    amaf.remove_untried(0, 96);
    assert_eq!(highest(&amaf, Ranked::All), (0.6875, set(&[0])));
    assert_eq!(highest(&amaf, Ranked::Untried), (0.5, set(&[63])));
}

/// A prior of 1 adds `per_prior` to a move that is not in the tree, in a block of either kind.
#[test]
fn priors_raise_untried_moves() {
    let mut amaf = sample();
    // Byte 51 is a fifth of 255: the root of 0.04.
    amaf.set_priors(0, percents(0.0), &priors(&[(0, 51), (10, 51)]));
    let mut means = [NO_MEAN; 112];
    means[0] = 0.75;
    amaf.remove_untried(0, 0);
    let blend = Blend { weight: Weight::OfNode(0.25), first_play: 0.4, per_prior: 5.0 };
    for count in 0..2 * u32::from(MAX_COMPACT_VISITS) {
        let is_wide = count >= MAX_COMPACT_VISITS.into();
        assert_eq!(matches!(amaf.block(0), Some(Block::Wide(_))), is_wide);
        let (mut values, mut best) = (Vec::new(), [0; 2]);
        let own = Own { means: &means, visits: &[] };
        let most = amaf.blend(0, own, blend, Ranked::Untried, &mut values, &mut best);
        // In the tree, without a prior, and with one: first play or lost playouts, and 5 · 0.04.
        let first_play = if count == 0 { 0.4 } else { 0.0 };
        let near = |value: f32, expected: f32| (value - expected).abs() < 1e-6;
        assert!(near(values[0], 0.75) && near(values[63], 0.4), "{values:?}");
        assert!(near(values[10], first_play + 0.2), "{}", values[10]);
        assert_eq!(most, values[10].max(values[63]));
        assert!(near(amaf.prior(0, 10), 0.04) && amaf.prior(0, 63) == 0.0);
        amaf.count(0, &set(&[10]), 0.0);
    }
}

#[test]
fn a_copy_holds_the_same() {
    let mut amaf = sample();
    amaf.set_priors(0, percents(20.0), &priors(&[(0, 58), (63, 5)]));
    amaf.count(2, &set(&[7]), 0.75);
    amaf.count(0, &set(&[0, 63]), 1.0);
    let mut copy = Amaf::default();
    copy.resize(3);
    for (from, to) in [(1, 0), (0, 1), (2, 2)] {
        copy.copy_from(&amaf, from, to);
    }
    assert!(!copy.has(0));
    assert_eq!(sums(&copy, 1), sums(&amaf, 0));
    assert_eq!(sums(&copy, 2), sums(&amaf, 2));
    assert_eq!(copy.untried(1), amaf.untried(0));
}
