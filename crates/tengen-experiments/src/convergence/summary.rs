//! Shares and means over positions, with intervals.

use crate::convergence::measurement::PositionRow;
use crate::convergence::settings::Settings;
use crate::convergence::solved::SolvedPosition;
use serde::{Deserialize, Serialize};
use tengen_go::Size;
use tengen_stats::{Interval, Level, percent, percent_range, rare_cost_interval, wilson};

/// The share of optimal moves that an answer is about.
const GOAL: f64 = 0.95;

/// Results of the searches of one bot on boards of one size after a number of simulations.
/// Intervals hold the true value in 95 of 100 such samples of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SummaryRow {
    /// The size of the boards.
    pub size: Size,
    /// The name of the bot.
    pub bot: String,
    /// Simulations of each search; none where the bot moves by its own settings.
    #[serde(rename = "playouts")]
    pub simulations: Option<u64>,
    /// Number of positions.
    pub positions: usize,
    /// Searches of each position.
    pub searches: u32,
    /// Share of the searches whose move keeps the exact value.
    pub optimal: f64,
    /// Lower end of the interval of `optimal`.
    pub optimal_low: f64,
    /// Upper end of the interval of `optimal`.
    pub optimal_high: f64,
    /// Mean of the points that a move gives away.
    pub regret: f64,
    /// Lower end of the interval of `regret`.
    pub regret_low: f64,
    /// Upper end of the interval of `regret`.
    pub regret_high: f64,
    /// Mean error of the value at the root: 1 less the mean reward of the player to move, who wins.
    /// Positions in which the bot moved without a search do not count; none if these are all.
    pub value_error: Option<f64>,
    /// Lower end of the interval of `value_error`.
    pub value_error_low: Option<f64>,
    /// Upper end of the interval of `value_error`.
    pub value_error_high: Option<f64>,
}

impl SummaryRow {
    /// The interval of the share of optimal moves.
    #[must_use]
    pub fn optimal_interval(&self) -> Interval {
        Interval { low: self.optimal_low, high: self.optimal_high }
    }

    /// The interval of the regret.
    #[must_use]
    pub fn regret_interval(&self) -> Interval {
        Interval { low: self.regret_low, high: self.regret_high }
    }
}

/// The sizes of `positions`, the one with most positions first.
fn sizes(positions: &[SolvedPosition]) -> Vec<Size> {
    let mut counts: Vec<(Size, usize)> = Vec::new();
    for position in positions {
        match counts.iter_mut().find(|(size, _)| *size == position.size()) {
            Some((_, count)) => *count += 1,
            None => counts.push((position.size(), 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts.into_iter().map(|(size, _)| size).collect()
}

/// The summary of `rows` by size, bot and simulations, without those of which there is no search.
///
/// The sample consists of positions, since the searches of one position are correlated. The
/// interval of the share of optimal moves is Wilson's with the effective number of searches:
/// `p(1-p)/s²` positions for the variance `s²` of the positions' shares, at least the number of
/// positions and at most the number of searches. The interval of regret is
/// [`rare_cost_interval`] with the mean regret of a wrong move in these positions, so that it is no
/// point where no search errs. The interval of the value error is the mean ± z standard errors over
/// positions.
#[must_use]
pub fn summarize(
    settings: &Settings,
    positions: &[SolvedPosition],
    rows: &[PositionRow],
) -> Vec<SummaryRow> {
    let mut summary = Vec::new();
    for size in sizes(positions) {
        let wrong = regret_of_wrong_moves(positions, size);
        for bot in &settings.bot {
            for simulations in settings.budgets() {
                let own: Vec<&PositionRow> = rows
                    .iter()
                    .filter(|row| row.bot == bot.name && row.simulations == simulations)
                    .filter(|row| positions[row.position - 1].size() == size)
                    .collect();
                if own.is_empty() {
                    continue;
                }
                let of = |value: fn(&PositionRow) -> f64| {
                    Sample::of(&own.iter().map(|row| value(row)).collect::<Vec<_>>())
                };
                let [optimal, regret] = [of(|row| row.optimal), of(|row| row.regret)];
                let errors: Vec<f64> = own.iter().filter_map(|row| row.value_error).collect();
                let error = (!errors.is_empty()).then(|| Sample::of(&errors));
                let shares = optimal.share_interval(settings.searches);
                let regrets = regret.cost_interval(wrong);
                let errors = error.as_ref().map(Sample::interval);
                summary.push(SummaryRow {
                    size,
                    bot: bot.name.clone(),
                    simulations,
                    positions: own.len(),
                    searches: settings.searches,
                    optimal: optimal.mean,
                    optimal_low: shares.low,
                    optimal_high: shares.high,
                    regret: regret.mean,
                    regret_low: regrets.low,
                    regret_high: regrets.high,
                    value_error: error.map(|error| error.mean),
                    value_error_low: errors.map(|interval| interval.low),
                    value_error_high: errors.map(|interval| interval.high),
                });
            }
        }
    }
    summary
}

/// Mean and population variance of a value over positions.
struct Sample {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Sample {
    fn of(values: &[f64]) -> Self {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Self { count, mean, variance }
    }

    fn share_interval(&self, searches: u32) -> Interval {
        let share = self.mean.clamp(0.0, 1.0);
        let most = self.count * f64::from(searches);
        let effective = if self.variance > 0.0 {
            (self.count * share * (1.0 - share) / self.variance).clamp(self.count, most)
        } else {
            self.count
        };
        wilson(share, effective, Level::P95).unwrap_or(Interval { low: 0.0, high: 1.0 })
    }

    /// The interval of a mean cost; `another` is the cost of a wrong move.
    fn cost_interval(&self, another: f64) -> Interval {
        let Self { count, mean, variance } = *self;
        let found = rare_cost_interval(count, mean, variance, another, Level::P95);
        found.unwrap_or(Interval { low: mean, high: mean })
    }

    fn interval(&self) -> Interval {
        let half = Level::P95.z() * (self.variance / self.count).sqrt();
        // An error is never negative.
        Interval { low: (self.mean - half).max(0.0), high: self.mean + half }
    }
}

/// The mean regret of the legal moves that do not keep the value, over the `positions` of this
/// size; 0 if all moves keep it.
fn regret_of_wrong_moves(positions: &[SolvedPosition], size: Size) -> f64 {
    let own = positions.iter().filter(|position| position.size() == size);
    let regrets = own.flat_map(|position| {
        position
            .moves
            .iter()
            .filter_map(|&(mv, _)| position.regret(mv))
            .filter(|&points| points > 0)
    });
    let (count, sum) =
        regrets.fold((0_u64, 0.0), |(count, sum), points| (count + 1, sum + f64::from(points)));
    sum / count.max(1) as f64
}

/// A random legal move by size: the share of moves that keep the value, and the mean regret.
#[must_use]
pub fn random_moves(positions: &[SolvedPosition]) -> Vec<(Size, f64, f64)> {
    let of = |size: Size| {
        let own: Vec<&SolvedPosition> =
            positions.iter().filter(|position| position.size() == size).collect();
        let mean = |value: &dyn Fn(&SolvedPosition) -> f64| {
            own.iter().map(|position| value(position)).sum::<f64>() / own.len().max(1) as f64
        };
        let regret = |position: &SolvedPosition| {
            let regrets = position.moves.iter().filter_map(|&(mv, _)| position.regret(mv));
            regrets.map(f64::from).sum::<f64>() / position.moves.len().max(1) as f64
        };
        (size, mean(&SolvedPosition::share_of_best), mean(&regret))
    };
    sizes(positions).into_iter().map(of).collect()
}

/// A sentence per size: which bot reaches 95 % optimal moves with the fewest simulations, or, where
/// bots move by their own settings, which one has the most optimal moves.
#[must_use]
pub fn answers(settings: &Settings, summary: &[SummaryRow]) -> Vec<String> {
    let by_size = summary.chunk_by(|one, other| one.size == other.size);
    by_size.map(|rows| answer(settings, rows)).collect()
}

/// The sentence for `rows`, of boards of one size.
fn answer(settings: &Settings, rows: &[SummaryRow]) -> String {
    let size = rows[0].size;
    let of = |bot: &str| {
        let bot = bot.to_owned();
        rows.iter().filter(move |row| row.bot == bot)
    };
    let mut last: Vec<&SummaryRow> =
        settings.bot.iter().filter_map(|bot| of(&bot.name).next_back()).collect();
    last.sort_by(|a, b| b.optimal.total_cmp(&a.optimal));
    let best_share = |row: &SummaryRow| {
        format!("{} ({})", percent(row.optimal), percent_range(row.optimal_interval()))
    };
    let Some(best) = last.first() else { return format!("{size}: no position.") };
    let Some(most) = best.simulations else {
        return format!(
            "{size}: {} keeps the exact value most often, in {} of the searches of {} positions.",
            best.bot,
            best_share(best),
            best.positions
        );
    };
    let mut reached: Vec<(u64, &SummaryRow)> = settings
        .bot
        .iter()
        .filter_map(|bot| of(&bot.name).find(|row| row.optimal >= GOAL))
        .filter_map(|row| Some((row.simulations?, row)))
        .collect();
    reached.sort_by(|(a, one), (b, other)| a.cmp(b).then(other.optimal.total_cmp(&one.optimal)));
    let Some(&(fewest, _)) = reached.first() else {
        return format!(
            "{size}: no bot reaches 95 % optimal moves with {most} simulations; {} comes nearest with {}, {} \
             positions.",
            best.bot,
            best_share(best),
            best.positions
        );
    };
    let first: Vec<String> = reached
        .iter()
        .filter(|(simulations, _)| *simulations == fewest)
        .map(|(_, row)| format!("{} {}", row.bot, best_share(row)))
        .collect();
    format!(
        "{size}: {fewest} simulations are the fewest for 95 % optimal moves, by {}; with {most} simulations \
         {} has the most, {}; {} positions.",
        first.join(" and "),
        best.bot,
        best_share(best),
        best.positions
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_settings::Settings as _;

    #[test]
    fn the_interval_of_a_share_counts_positions_where_searches_agree() {
        // Each position is all right or all wrong: 10 positions, not 40 searches.
        let alike = Sample::of(&[1.0, 0.0].repeat(5));
        let by_position = wilson(0.5, 10.0, Level::P95).unwrap();
        assert_eq!(alike.share_interval(4), by_position);
        // Uncorrelated searches count each.
        let apart = Sample::of(&[0.5; 10]);
        assert!(apart.share_interval(4).half_width() <= by_position.half_width());
        let binomial = Sample { count: 10.0, mean: 0.5, variance: 0.25 / 4.0 };
        assert_eq!(binomial.share_interval(4), wilson(0.5, 40.0, Level::P95).unwrap());
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_the_normal_distribution() {
        let sample = Sample::of(&[0.0, 2.0, 4.0, 6.0]);
        let half = 1.959_964 * (5.0_f64 / 4.0).sqrt();
        assert!((sample.interval().high - 3.0 - half).abs() < 1e-5);
        assert_eq!(Sample::of(&[0.0, 0.0, 1.0]).interval().low, 0.0);
    }

    #[test]
    fn the_interval_of_regret_is_no_point_where_no_search_errs() {
        // The wrong moves of the position: six cost 32 points, two 19 and two 17.
        let text = "size,source,ply,to_play,position,value,moves\n\
                    4x4,random,6,black,..../X.../X.OX/..OO,16,A1:-16 B1:-16 B2:-3 B3:-3 C3:16 \
                    D3:-16 A4:-16 B4:-1 C4:-1 D4:-16 pass:-16\n";
        let positions = crate::convergence::solved::read(text).unwrap();
        let cost = regret_of_wrong_moves(&positions, positions[0].size());
        assert!((cost - 26.4).abs() < 1e-12, "{cost}");
        assert_eq!(regret_of_wrong_moves(&positions, "5x5".parse().unwrap()), 0.0);
        let settings = "name = 'a'\npositions = ''\nseed = 1\nbot = ['a=uct']";
        let settings = Settings::from_toml(settings).unwrap();
        assert_eq!(summarize(&settings, &positions, &[]), [], "no search, no share");
        let none = Sample::of(&[0.0; 508]).cost_interval(cost);
        assert_eq!(none.low, 0.0);
        assert!((none.high - 26.4 * 40_f64.ln() / 508.0).abs() < 1e-9, "{none:?}");
        // A row of which no position is known: nothing is claimed beyond the mean.
        assert_eq!(Sample::of(&[]).cost_interval(0.0), Interval { low: 0.0, high: 0.0 });
    }

    #[test]
    fn the_answer_names_the_first_to_reach_the_goal() {
        let text = "name = \"a\"\npositions = \"\"\nsimulations = 16\ndoublings = 1\nsearches = 1\n\
                    seed = 1\nbot = [\"a=uct\", \"b=uct:exploration=0.3\"]";
        let settings = Settings::from_toml(text).unwrap();
        let row = |bot: &str, simulations: u64, optimal| SummaryRow {
            size: "5x5".parse().unwrap(),
            bot: bot.into(),
            simulations: Some(simulations),
            positions: 100,
            searches: 1,
            optimal,
            optimal_low: optimal - 0.01,
            optimal_high: optimal + 0.01,
            regret: 0.0,
            regret_low: 0.0,
            regret_high: 0.0,
            value_error: None,
            value_error_low: None,
            value_error_high: None,
        };
        let rows = [row("a", 16, 0.90), row("a", 32, 0.96), row("b", 16, 0.95), row("b", 32, 0.95)];
        let said = answers(&settings, &rows);
        assert_eq!(said.len(), 1);
        assert!(
            said[0].contains("16 simulations are the fewest for 95 % optimal moves, by b 95.0 %"),
            "{said:?}"
        );
        assert!(said[0].contains("with 32 simulations a has the most"), "{said:?}");
        let none = answers(&settings, &rows[..1]);
        assert!(none[0].contains("no bot reaches 95 %"), "{none:?}");
        let moves = |row: &SummaryRow| SummaryRow { simulations: None, ..row.clone() };
        let said = answers(&settings, &[moves(&rows[0]), moves(&rows[2])]);
        assert!(said[0].contains("b keeps the exact value most often, in 95.0 %"), "{said:?}");
    }
}
