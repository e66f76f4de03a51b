//! Whether the regret of configurations on solved positions predicts their Elo, at each number of
//! simulations.

use super::matches::{Match, SAMPLES, drawn, matches, openings};
use super::{Study, verdict};
use crate::plots::{Axis, DataPoint, Heading, Lines, ReferenceLine, Scale, Series, Style};
use crate::text::{CsvRow, cells, estimate_cells};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tengen_harness::convergence::{Convergence, PositionRow};
use tengen_harness::run::{Experiment, RunDirectory, RunError, rows};
use tengen_stats::seed::mix;
use tengen_stats::{Elo, Interval, Level, Pairs, percentile_interval};

/// The run with the searches of solved positions.
const POSITIONS: &str = "positions";
/// The seed of the bootstrap samples.
const SEED: u64 = 20_261_124;

/// The configurations with one number of simulations: the reference first.
struct Budget {
    simulations: u64,
    names: Vec<String>,
    matches: Vec<Match>,
    /// Of each configuration the regret in each position.
    regrets: Vec<Vec<f64>>,
}

/// The mean of `values` at the places `drawn`.
fn mean(values: &[f64], drawn: &[usize]) -> f64 {
    drawn.iter().map(|place| values[*place]).sum::<f64>() / drawn.len() as f64
}

impl Budget {
    /// Spearman's correlation of the mean regret in the positions and the score on the openings that
    /// are drawn; the reference scores ½ against itself.
    fn correlation(&self, positions: &[usize], openings: &[usize]) -> f64 {
        let regrets: Vec<f64> = self.regrets.iter().map(|each| mean(each, positions)).collect();
        let score = |each: &Match| each.of_openings(openings).score().unwrap_or(0.5);
        let scores: Vec<f64> = std::iter::once(0.5).chain(self.matches.iter().map(score)).collect();
        spearman(&regrets, &scores)
    }

    fn rows(&self) -> impl Iterator<Item = CsvRow> {
        let all: Vec<usize> = (0..self.regrets[0].len()).collect();
        self.names.iter().zip(&self.regrets).enumerate().map(move |(number, (name, regrets))| {
            let mean = mean(regrets, &all);
            let squares: f64 = regrets.iter().map(|regret| (regret - mean).powi(2)).sum();
            let count = regrets.len() as f64;
            let half = Level::P95.z() * (squares / (count - 1.0) / count).sqrt();
            let pairs = number.checked_sub(1).map(|place| self.matches[place].pairs());
            let rate = pairs.and_then(|pairs: Pairs| pairs.score());
            let interval = pairs.and_then(|pairs| pairs.interval(Level::P95));
            let mut row = cells([
                ("simulations", &self.simulations),
                ("bot", name),
                ("pairs", &pairs.map_or(String::new(), |pairs| pairs.count().to_string())),
            ]);
            let ends = Interval { low: mean - half, high: mean + half };
            row.extend(estimate_cells("regret", Some(mean), Some(ends), 4));
            row.extend(estimate_cells("win_rate", rate, interval, 4));
            let elo = rate.map(|rate| Elo::from_score(rate).0);
            let interval = interval.map(|ends| ends.map(|end| Elo::from_score(end).0));
            row.extend(estimate_cells("elo", elo, interval, 1));
            row
        })
    }
}

/// Spearman's rank correlation, the correlation of ranks, in which equal values share their mean
/// rank. 0 if all values of a side are equal.
fn spearman(one: &[f64], other: &[f64]) -> f64 {
    let [one, other] = [one, other].map(ranks);
    let middle = (one.len() as f64 - 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(x, y)| (x - middle) * (y - middle)).sum()
    };
    let scale = (product(&one, &one) * product(&other, &other)).sqrt();
    if scale > 0.0 { product(&one, &other) / scale } else { 0.0 }
}

/// The rank of each of `values`, from 0: the number of smaller ones and half that of other equal ones.
fn ranks(values: &[f64]) -> Vec<f64> {
    let count = |is: &dyn Fn(f64) -> bool| values.iter().filter(|value| is(**value)).count() as f64;
    let rank = |&value: &f64| {
        let (smaller, equal) =
            (count(&|x| x < value - 1e-12), count(&|x| (x - value).abs() <= 1e-12));
        smaller + (equal - 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

pub fn study(folder: &Path) -> Result<Study, RunError> {
    let budgets = budgets(folder)?;
    let mut samples = vec![Vec::with_capacity(SAMPLES); budgets.len()];
    let mut means = Vec::with_capacity(SAMPLES);
    for sample in 0..SAMPLES as u64 {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(SEED, sample));
        // One sample of positions for all numbers of simulations, whose searches are one.
        let positions = drawn(budgets[0].regrets[0].len(), &mut stream);
        let mut sum = 0.0;
        for (budget, samples) in budgets.iter().zip(&mut samples) {
            let openings = drawn(openings(&budget.matches), &mut stream);
            let correlation = budget.correlation(&positions, &openings);
            samples.push(correlation);
            sum += correlation;
        }
        means.push(sum / budgets.len() as f64);
    }
    let found = budgets.iter().map(|budget| {
        let positions: Vec<usize> = (0..budget.regrets[0].len()).collect();
        budget.correlation(&positions, &(0..openings(&budget.matches)).collect::<Vec<_>>())
    });
    let found: Vec<f64> = found.collect();
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    let named = budgets.iter().map(|budget| budget.simulations.to_string());
    let named = named.chain(["mean".to_owned()]).zip(found.into_iter().chain([mean]));
    let correlations =
        named.zip(samples.into_iter().chain([means])).map(|((name, value), drawn)| {
            let interval = percentile_interval(drawn, Level::P95);
            let mut row =
                cells([("simulations", &name), ("configurations", &budgets[0].names.len())]);
            row.extend(estimate_cells("correlation", Some(value), interval, 3));
            let well = verdict(interval, -0.5, ["predicts it well", ""]);
            let said = if well == "predicts it well" {
                well
            } else {
                verdict(interval, 0.0, ["predicts it", "predicts the contrary"])
            };
            row.extend(cells([("verdict", &said)]));
            row
        });
    let correlations: Vec<CsvRow> = correlations.collect();
    Ok(Study {
        tables: vec![
            ("correlations.csv", correlations),
            ("configurations.csv", budgets.iter().flat_map(Budget::rows).collect()),
            ("losing.csv", losing(&budgets)),
        ],
        plots: vec![("regret", scatter(&budgets).draw()), ("rave", rave(&budgets).draw())],
    })
}

/// The matches and regrets of each number of simulations, the smallest first.
fn budgets(folder: &Path) -> Result<Vec<Budget>, RunError> {
    let regrets = regrets(&folder.join(POSITIONS))?;
    let entries =
        fs::read_dir(folder).map_err(|why| RunError::file("cannot read", folder, &why))?;
    let mut numbers: Vec<u64> =
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    let missing = |what: String| RunError::Input(format!("{}: {what}", folder.display()));
    if numbers.is_empty() {
        return Err(missing("no run whose name is a number of simulations".to_owned()));
    }
    let budget = |simulations: u64| {
        let matches = matches(&folder.join(simulations.to_string()))?;
        let names: Vec<String> = std::iter::once(matches[0].first.clone())
            .chain(matches.iter().map(|each| each.second.clone()))
            .collect();
        let of = |name: &String| {
            regrets.get(&(simulations, name.clone())).cloned().ok_or_else(|| {
                missing(format!(
                    "{POSITIONS} has no searches of `{name}` with {simulations} simulations"
                ))
            })
        };
        let regrets = names.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        Ok(Budget { simulations, names, matches, regrets })
    };
    numbers.into_iter().map(budget).collect()
}

/// The regrets in the positions of 5×5 by number of simulations and bot, in the order of the positions.
fn regrets(folder: &Path) -> Result<BTreeMap<(u64, String), Vec<f64>>, RunError> {
    let positions = Convergence::positions_of(&RunDirectory::existing(folder)?)?;
    let mut found = BTreeMap::<(u64, String), Vec<(usize, f64)>>::new();
    for row in rows::read::<PositionRow>(folder, Convergence::ROWS)? {
        let row = row.row;
        let position = row.position.checked_sub(1).and_then(|place| positions.get(place));
        if position.is_some_and(|position| position.size().points() == 25) {
            found.entry((row.playouts, row.bot)).or_default().push((row.position, row.regret));
        }
    }
    for all in found.values_mut() {
        all.sort_by_key(|(position, _)| *position);
    }
    let regrets = |all: Vec<(usize, f64)>| all.into_iter().map(|(_, regret)| regret).collect();
    Ok(found.into_iter().map(|(key, all)| (key, regrets(all))).collect())
}

/// Whether `name` is a configuration of RAVE without exploration.
fn is_rave(name: &str) -> bool {
    name.starts_with("rave-")
}

/// From which number of simulations on each configuration of RAVE loses to the reference.
fn losing(budgets: &[Budget]) -> Vec<CsvRow> {
    let names = budgets[0].names.iter().filter(|name| is_rave(name));
    names
        .map(|name| {
            let loses = |budget: &Budget| {
                let own = budget.matches.iter().find(|each| each.second == *name);
                let interval = own.and_then(|each| each.pairs().interval(Level::P95));
                interval.is_some_and(|interval| interval.high < 0.5)
            };
            let from = budgets.iter().rev().take_while(|budget| loses(budget)).last();
            let most = budgets.last().map_or(0, |budget| budget.simulations);
            let said = from.map_or_else(
                || format!("not within {most}"),
                |budget| budget.simulations.to_string(),
            );
            cells([("bot", name), ("loses_from", &said)])
        })
        .collect()
}

/// The Elo of each configuration against its regret, a series for each number of simulations.
fn scatter(budgets: &[Budget]) -> Lines {
    let series = budgets.iter().map(|budget| {
        let all: Vec<usize> = (0..budget.regrets[0].len()).collect();
        let points =
            budget.matches.iter().zip(&budget.regrets[1..]).filter_map(|(each, regrets)| {
                let (elo, interval) = elo(&each.pairs())?;
                Some(DataPoint::new(mean(regrets, &all), elo, Some(interval)))
            });
        let name = format!("{} simulations", budget.simulations);
        Series { style: Style::Marks, ..Series::line(name, points.collect()) }
    });
    Lines {
        heading: Heading::new(
            "Elo and regret of configurations on 5x5",
            "Elo against plain UCT with c = 0.5 and as many simulations; regret over solved positions of 5x5; \
             95 % intervals of Elo",
        ),
        x: Axis::new("points given away per move in solved positions, mean", Scale::Log10),
        y: Axis::new("Elo", Scale::Linear),
        series: series.collect(),
        references: vec![ReferenceLine::new(0.0, "plain UCT, c = 0.5")],
    }
}

fn elo(pairs: &Pairs) -> Option<(f64, Interval)> {
    let interval = pairs.interval(Level::P95)?.map(|end| Elo::from_score(end).0);
    Some((Elo::from_score(pairs.score()?).0, interval))
}

/// The win rate of the configurations of RAVE against the number of simulations.
fn rave(budgets: &[Budget]) -> Lines {
    let names = budgets[0].names.iter().filter(|name| is_rave(name));
    let series = names.enumerate().map(|(number, name)| {
        let points = budgets.iter().filter_map(|budget| {
            let pairs = budget.matches.iter().find(|each| each.second == *name)?.pairs();
            let interval = pairs.interval(Level::P95)?.map(|end| 100.0 * end);
            // A little apart, so that no bar hides another.
            let x = budget.simulations as f64 * (1.0 + 0.06 * number as f64);
            Some(DataPoint::new(x, 100.0 * pairs.score()?, Some(interval)))
        });
        let equivalence = name.trim_start_matches("rave-");
        Series::line(format!("equivalence {equivalence}"), points.collect())
    });
    Lines {
        heading: Heading::new(
            "RAVE without exploration against plain UCT on 5x5",
            "win rate against plain UCT with c = 0.5 and as many simulations; 95 % intervals",
        ),
        x: Axis::new("simulations", Scale::Log2),
        y: Axis::new("win rate of RAVE, %", Scale::Linear),
        series: series.collect(),
        references: vec![ReferenceLine::new(50.0, "equal")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_correlation_by_hand() {
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0]) - 1.0).abs() < 1e-12);
        assert!((spearman(&[1.0, 2.0, 3.0], &[9.0, 2.0, 0.0]) + 1.0).abs() < 1e-12);
        // Ranks 0, 1, 2, 3 and 1, 0, 3, 2: 1 - 6·4/(4·15).
        let found = spearman(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0]);
        assert!((found - 0.6).abs() < 1e-12, "{found}");
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 7.0]), [1.5, 0.0, 1.5, 3.0]);
        assert!(spearman(&[1.0, 1.0], &[1.0, 2.0]).abs() < 1e-12);
    }

    fn budget(simulations: u64, halves: [usize; 2]) -> Budget {
        let arm = |name: &str, halves: usize| Match {
            first: "plain".to_owned(),
            second: name.to_owned(),
            halves: (0..40)
                .map(|pair| (pair, if pair < 4 { 4 - halves } else { halves }))
                .collect(),
        };
        Budget {
            simulations,
            names: ["plain", "good", "rave-30"].map(str::to_owned).to_vec(),
            matches: vec![arm("good", halves[0]), arm("rave-30", halves[1])],
            regrets: vec![vec![0.2, 0.4], vec![0.1, 0.3], vec![0.5, 0.6]],
        }
    }

    #[test]
    fn little_regret_and_much_elo_correlate() {
        let all = (0..40).collect::<Vec<_>>();
        assert!((budget(16, [4, 0]).correlation(&[0, 1], &all) + 1.0).abs() < 1e-12);
        assert!((budget(16, [0, 4]).correlation(&[0, 1], &all) - 0.5).abs() < 2.0);
        let rows: Vec<CsvRow> = budget(16, [4, 0]).rows().collect();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[1][6].1, "0.9000");
    }

    #[test]
    fn rave_loses_from_where_it_loses_ever_after() {
        let from = |last: usize| {
            let all = [
                budget(16, [4, 0]),
                budget(32, [4, 4]),
                budget(64, [4, 0]),
                budget(128, [4, last]),
            ];
            losing(&all)[0][1].1.clone()
        };
        assert_eq!([from(0), from(4)], ["64", "not within 128"]);
    }
}
