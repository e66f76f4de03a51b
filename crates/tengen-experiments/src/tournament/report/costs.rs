//! What the bots of a tournament have used: simulations, wall-clock time and CPU time.

use crate::report::text::Align::{Left, Right};
use crate::report::text::TextTable;
use crate::tournament::GameRow;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tengen_go::Color;
use tengen_stats::{Interval, Level, ratio_of_sums};

/// The costs of a run, in the order of the configuration.
#[derive(Debug)]
pub(crate) struct Costs {
    bots: Vec<Cost>,
    /// In a run of two bots, the CPU time of the first bot's whole games divided by that of the second
    /// bot's, with its interval.
    ratio: Option<(f64, Option<Interval>)>,
}

/// What one bot has used in all its games.
#[derive(Debug, Default)]
struct Cost {
    bot: String,
    games: u64,
    /// None for a bot that makes no simulations.
    simulations: Option<u64>,
    /// Thinking time by the clock.
    seconds: f64,
    /// Turns and seconds of CPU time of each game in which that time is known.
    cpu: Vec<(f64, f64)>,
}

impl Cost {
    /// Seconds of CPU time in all games in which they are known; none if there is no such game.
    fn cpu_seconds(&self) -> Option<f64> {
        (!self.cpu.is_empty()).then(|| self.cpu.iter().map(|(_, seconds)| seconds).sum())
    }

    fn per_game(&self) -> Option<f64> {
        Some(self.cpu_seconds()? / self.cpu.len() as f64)
    }

    /// Seconds of CPU time per move, and their interval from the games.
    fn per_move(&self) -> Option<(f64, Option<Interval>)> {
        let (mean, interval) = ratio_of_sums(&self.cpu, Level::P95)?;
        // A time is never negative.
        Some((mean, interval.map(|ends| Interval { low: ends.low.max(0.0), ..ends })))
    }
}

/// [`Costs::ratio`] of the bot `first` to the other one, from the pairs of games in which the times of
/// both are known: both bots have both colours in a pair. None without such pairs.
fn ratio(first: &str, rows: &[&GameRow]) -> Option<(f64, Option<Interval>)> {
    let mut pairs = BTreeMap::<usize, (u32, f64, f64)>::new();
    for row in rows {
        let Some((black, white)) = row.black_cpu_seconds.zip(row.white_cpu_seconds) else {
            continue;
        };
        let (first, second) = if row.black == first { (black, white) } else { (white, black) };
        let (games, one, other) = pairs.entry(row.pair).or_default();
        *games += 1;
        *one += first;
        *other += second;
    }
    let whole = pairs.into_values().filter(|&(games, ..)| games == 2);
    let sums: Vec<(f64, f64)> = whole.map(|(_, first, second)| (second, first)).collect();
    let (estimate, interval) = ratio_of_sums(&sums, Level::P95)?;
    // An interval that reaches zero says nothing of a ratio.
    Some((estimate, interval.filter(|ends| ends.low > 0.0)))
}

impl Costs {
    /// The costs of the bots with these `names` in the games `rows`.
    pub(crate) fn of<'a>(names: &[String], rows: impl IntoIterator<Item = &'a GameRow>) -> Self {
        let rows: Vec<&GameRow> = rows.into_iter().filter(|row| row.is_played()).collect();
        let mut spent = BTreeMap::<&str, Cost>::new();
        for row in &rows {
            let black = (row.black_simulations, row.black_seconds, row.black_cpu_seconds);
            let white = (row.white_simulations, row.white_seconds, row.white_cpu_seconds);
            for (bot, color, (simulations, seconds, cpu_seconds)) in
                [(&row.black, Color::Black, black), (&row.white, Color::White, white)]
            {
                let cost = spent.entry(bot).or_default();
                cost.games += 1;
                cost.simulations = simulations
                    .map_or(cost.simulations, |more| Some(cost.simulations.unwrap_or(0) + more));
                cost.seconds += seconds;
                cost.cpu.extend(cpu_seconds.map(|seconds| (f64::from(row.turns(color)), seconds)));
            }
        }
        let ratio = match names {
            [first, _] => ratio(first, &rows),
            _ => None,
        };
        let cost = |bot: &String| Cost {
            bot: bot.clone(),
            ..spent.remove(bot.as_str()).unwrap_or_default()
        };
        Self { bots: names.iter().map(cost).collect(), ratio }
    }

    /// As JSON: an object per bot, null where a bot makes no simulations or its CPU time is not known.
    pub(crate) fn to_json(&self) -> Value {
        let bot = |cost: &Cost| {
            let (per_move, ends) = cost.per_move().unzip();
            let ends = ends.flatten().map(|Interval { low, high }| [low, high]);
            json!({
                "bot": cost.bot,
                "games": cost.games,
                "simulations": cost.simulations,
                "seconds": cost.seconds,
                "cpu_seconds": cost.cpu_seconds(),
                "cpu_games": cost.cpu.len(),
                "cpu_seconds_per_game": cost.per_game(),
                "cpu_seconds_per_move": per_move,
                "cpu_seconds_per_move_interval": ends,
            })
        };
        self.bots.iter().map(bot).collect()
    }

    /// The CPU times of two bots compared, as JSON; null for another number of bots, and where the
    /// times are not known.
    pub(crate) fn ratio_json(&self) -> Value {
        let Some((estimate, interval)) = self.ratio else { return Value::Null };
        let ends = interval.map(|Interval { low, high }| [low, high]);
        json!({
            "bot": self.bots[0].bot,
            "opponent": self.bots[1].bot,
            "cpu_ratio": estimate,
            "interval": ends,
        })
    }

    /// The CPU time per move and per game of each bot; none if no game has CPU times.
    pub(crate) fn table(&self) -> Option<TextTable> {
        self.bots.iter().find_map(Cost::cpu_seconds)?;
        let range = |Interval { low, high }| format!("{} .. {}", digits(low), digits(high));
        let per_move = |cost: &&Cost| cost.per_move().map_or(String::new(), |it| digits(it.0));
        let ends = |cost: &&Cost| cost.per_move().and_then(|it| it.1);
        Some(TextTable::of(
            &self.bots,
            &[
                ("bot", Left, &|cost| cost.bot.clone()),
                ("games", Right, &|cost| cost.cpu.len().to_string()),
                ("CPU s per move", Right, &per_move),
                ("95 % interval", Right, &|cost| ends(cost).map_or(String::new(), range)),
                ("CPU s per game", Right, &|cost| cost.per_game().map_or(String::new(), digits)),
            ],
        ))
    }

    /// The CPU times of two bots compared, in a sentence without a full stop; none for another number
    /// of bots, and where the times are not known.
    pub(crate) fn comparison(&self) -> Option<String> {
        let [first, second] = &self.bots[..] else { return None };
        let (estimate, interval) = self.ratio?;
        let ends = interval.map_or(String::new(), |Interval { low, high }| {
            format!(" ({} to {})", digits(low), digits(high))
        });
        let (first, second) = (&first.bot, &second.bot);
        Some(format!(
            "in whole games {first} takes {} times the CPU time of {second}{ends}",
            digits(estimate)
        ))
    }
}

/// A positive number with three significant digits, but at most six decimals.
fn digits(number: f64) -> String {
    if number <= 0.0 {
        return "0".to_owned();
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 6
    let decimals = (2.0 - number.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: usize, black: &str, cpu: [Option<f64>; 2]) -> GameRow {
        let white = if black == "a" { "b" } else { "a" };
        let [black_cpu_seconds, white_cpu_seconds] = cpu;
        GameRow {
            game,
            pair: game / 2,
            black: black.into(),
            white: white.into(),
            opening_plies: 2,
            plies: 10,
            black_cpu_seconds,
            white_cpu_seconds,
            ..GameRow::example()
        }
    }

    fn names() -> [String; 2] {
        ["a", "b"].map(String::from)
    }

    #[test]
    fn seconds_by_hand() {
        // 4 turns of each in a game: a takes 0.4, 0.6 and 0.2 s, b 0.1, 0.3 and 0.2 s.
        let rows = [
            row(0, "a", [Some(0.4), Some(0.1)]),
            row(1, "b", [Some(0.3), Some(0.6)]),
            row(2, "a", [Some(0.2), Some(0.2)]),
            row(3, "b", [None, None]),
        ];
        let costs = Costs::of(&names(), &rows);
        let json = costs.to_json();
        let number = |bot: usize, key: &str| json[bot][key].as_f64().unwrap();
        let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        is(number(0, "cpu_seconds"), 1.2);
        is(number(0, "cpu_seconds_per_game"), 0.4);
        is(number(0, "cpu_seconds_per_move"), 0.1);
        is(number(1, "cpu_seconds_per_move"), 0.05);
        assert_eq!((&json[0]["games"], &json[0]["cpu_games"]), (&json!(4), &json!(3)));
        // The mean of 0.1, 0.15 and 0.05 s, of equal weight: 0.1 ± t(2) · 0.05 / √3, from 0.
        let ends = &json[0]["cpu_seconds_per_move_interval"];
        is(ends[0].as_f64().unwrap(), 0.0);
        is(ends[1].as_f64().unwrap(), 0.1 + Level::P95.t(2.0) * 0.05 / 3.0_f64.sqrt());
        // Of the only complete pair with times.
        let said = "in whole games a takes 2.50 times the CPU time of b";
        assert_eq!(costs.comparison().unwrap(), said);
        let table = costs.table().unwrap().to_string();
        assert!(
            table.contains("\na        3           0.100     0 .. 0.224           0.400\n"),
            "{table}"
        );
    }

    #[test]
    fn without_times_nothing_is_claimed() {
        let costs = Costs::of(&names(), &[row(0, "a", [None, None])]);
        assert!(costs.table().is_none() && costs.comparison().is_none());
        assert_eq!(costs.to_json()[0]["cpu_seconds"], Value::Null);
        let costs = Costs::of(&names(), &[row(0, "a", [Some(0.0), Some(0.0)])]);
        assert!(costs.comparison().is_none(), "0 / 0");
    }

    #[test]
    fn three_digits_are_shown() {
        let shown = [0.0, 0.000_001_23, 0.012_345, 0.99, 1.234, 56.78, 1234.5].map(digits);
        assert_eq!(shown, ["0", "0.000001", "0.0123", "0.990", "1.23", "56.8", "1234"]);
    }
}
