//! The matches of a run, pair by pair, and bootstrap samples of their openings.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use std::collections::BTreeMap;
use std::path::Path;
use tengen_harness::run::{RunDirectory, RunError, config_of};
use tengen_harness::tournament::{GameRow, Outline};
use tengen_stats::{Elo, Pairs};

/// Bootstrap samples of a study.
pub const SAMPLES: usize = 2_000;

/// The two bots of a pairing, and the score of the second in each pair.
#[derive(Clone, Debug)]
pub struct Match {
    /// The first bot: that of a gauntlet which meets all others.
    pub first: String,
    /// The second bot.
    pub second: String,
    /// The points of the second bot in each complete pair, in halves: 0 to 4.
    pub halves: BTreeMap<usize, usize>,
}

impl Match {
    /// The pairs as the second bot sees them.
    pub fn pairs(&self) -> Pairs {
        let mut cells = [0; 5];
        for halves in self.halves.values() {
            cells[*halves] += 1;
        }
        Pairs::from_cells(cells)
    }

    /// The pairs of the openings `drawn`, as the second bot sees them.
    pub fn of_openings(&self, drawn: &[usize]) -> Pairs {
        let mut cells = [0; 5];
        for halves in drawn.iter().filter_map(|pair| self.halves.get(pair)) {
            cells[*halves] += 1;
        }
        Pairs::from_cells(cells)
    }
}

/// The run in `folder`: its settings, and its games that count.
///
/// # Errors
/// If it is missing or invalid.
pub fn run(folder: &Path) -> Result<(Outline, Vec<GameRow>), RunError> {
    let outline = Outline::of(&config_of(&RunDirectory::existing(folder)?)?)?;
    let (rows, _) = outline.counted(outline.read(folder)?);
    Ok((outline, rows))
}

/// The matches of the run in `folder`, in the order of its pairings.
///
/// # Errors
/// If it is missing or invalid, or has a pairing without a pair.
pub fn matches(folder: &Path) -> Result<Vec<Match>, RunError> {
    let (outline, rows) = run(folder)?;
    let (names, schedule) = (outline.names(), outline.schedule());
    let found = schedule.pairings().iter().enumerate().map(|(number, pairing)| {
        let (first, second) = (names[pairing.first].clone(), names[pairing.second].clone());
        let mut games = BTreeMap::<usize, (usize, usize)>::new();
        for row in rows.iter().filter(|row| row.pairing == number) {
            let Some(black) = row.outcome.of_black() else { continue };
            let result = if row.black == second { black } else { black.reversed() };
            let (halves, played) = games.entry(row.pair).or_default();
            *halves += usize::from(result.halves());
            *played += 1;
        }
        let complete = games.into_iter().filter(|(_, (_, played))| *played == 2);
        Match {
            first,
            second,
            halves: complete.map(|(pair, (halves, _))| (pair, halves)).collect(),
        }
    });
    let found: Vec<Match> = found.collect();
    match found.iter().find(|each| each.halves.is_empty()) {
        Some(empty) => Err(RunError::Input(format!(
            "{}: {} and {} have played no pair",
            folder.display(),
            empty.first,
            empty.second
        ))),
        None => Ok(found),
    }
}

/// The number of openings on which all `matches` were played.
pub fn openings(matches: &[Match]) -> usize {
    let played = matches.iter().filter_map(|each| each.halves.last_key_value());
    played.map(|(last, _)| last + 1).max().unwrap_or_default()
}

/// So many numbers below `count`, drawn with replacement.
pub fn drawn(count: usize, stream: &mut Xoshiro256PlusPlus) -> Vec<usize> {
    let below = u128::from(u64::try_from(count).unwrap_or(u64::MAX));
    let draw =
        |random: u64| usize::try_from((u128::from(random) * below) >> 64).unwrap_or_default();
    (0..count).map(|_| draw(stream.next_u64())).collect()
}

/// The Elo of the score of `pairs`, which counts at least half a pair won and half a pair lost.
pub fn bounded_elo(pairs: &Pairs) -> f64 {
    let half = 0.5 / (pairs.count().max(1) as f64);
    Elo::from_score(pairs.score().unwrap_or(0.5).clamp(half, 1.0 - half)).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn draws_are_in_range_and_repeat_some() {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut sum = 0;
        for _ in 0..200 {
            let drawn = drawn(50, &mut stream);
            assert!(drawn.len() == 50 && drawn.iter().all(|number| *number < 50));
            sum += drawn.iter().sum::<usize>();
        }
        // The mean of 10,000 draws from 0 to 49, with a deviation of 0.14.
        assert!((f64::from(u32::try_from(sum).unwrap()) / 10_000.0 - 24.5).abs() < 0.6, "{sum}");
    }

    #[test]
    fn a_match_without_losses_has_a_finite_elo() {
        let elo = bounded_elo(&Pairs::without_draws([0, 0, 10]));
        assert!((elo - 400.0 * 19_f64.log10()).abs() < 1e-9, "{elo}");
        assert!(bounded_elo(&Pairs::without_draws([2, 6, 2])).abs() < 1e-9);
    }

    #[test]
    fn openings_that_are_drawn_twice_count_twice() {
        let halves = BTreeMap::from([(0, 4), (1, 0), (3, 2)]);
        let found = Match { first: "a".into(), second: "b".into(), halves };
        assert_eq!(found.pairs().cells(), [1, 0, 1, 0, 1]);
        assert_eq!(found.of_openings(&[0, 0, 2, 3]).cells(), [0, 0, 1, 0, 2]);
    }
}
