//! Differences between the arms of a gauntlet on shared openings. An arm is an opponent of the
//! first bot; two arms are compared opening by opening.

use crate::report::text::Align::{Left, Right};
use crate::report::text::{CsvRow, TextTable, cells, estimate_cells};
use crate::tournament::{Format, GameRow, Outline};
use std::collections::BTreeMap;
use tengen_stats::{Interval, Level, Outcome, Pairs};

/// The difference of two arms' scores against the first bot, on the same openings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    arm: String,
    other: String,
    /// Numbers of openings by the difference of the two arms' pair scores, with
    /// `(1 + difference) / 2` as the score of a pair.
    openings: Pairs,
}

impl Difference {
    /// The difference of the win rates: -1 to 1.
    fn value(&self) -> Option<f64> {
        self.openings.score().map(to_difference)
    }

    /// The 95 % interval of [`Difference::value`].
    fn interval(&self) -> Option<Interval> {
        self.openings.interval(Level::P95).map(|interval| interval.map(to_difference))
    }
}

fn to_difference(score: f64) -> f64 {
    2.0 * score - 1.0
}

/// The differences of any two arms of the gauntlet of `outline`. None if the arms do not share
/// openings, or if a game is a jigo: pairs with jigos have too many possible scores.
pub(crate) fn differences(outline: &Outline, rows: &[GameRow]) -> Vec<Difference> {
    let names = outline.names();
    if outline.format != Format::Gauntlet || !outline.shares_openings() {
        return Vec::new();
    }
    // By arm and pair: the points of the arm, in half wins, and the number of games.
    let mut scores = BTreeMap::<(usize, usize), (usize, usize)>::new();
    for row in rows {
        let Some(black) = row.outcome.of_black() else { continue };
        if black == Outcome::Draw {
            return Vec::new();
        }
        let arm = if row.black == names[0] { black.reversed() } else { black };
        let (halves, games) = scores.entry((row.pairing, row.pair)).or_default();
        *halves += usize::from(arm.halves());
        *games += 1;
    }
    scores.retain(|_, (_, games)| *games == 2);
    let arms = 0..names.len().saturating_sub(1);
    let others = arms.clone();
    let any_two = arms.flat_map(|arm| others.clone().skip(arm + 1).map(move |other| (arm, other)));
    let difference = |(arm, other): (usize, usize)| {
        let mut openings = [0; 5];
        for ((_, pair), (halves, _)) in scores.range((arm, 0)..(arm + 1, 0)) {
            if let Some((against, _)) = scores.get(&(other, *pair)) {
                // Each arm has 0, 2 or 4 half wins.
                openings[(4 + halves - against) / 2] += 1;
            }
        }
        let name = |arm: usize| names[arm + 1].clone();
        Difference { arm: name(arm), other: name(other), openings: Pairs::from_cells(openings) }
    };
    any_two.map(difference).filter(|found| found.openings.count() > 0).collect()
}

/// The rows of `arms.csv`: the difference of the win rates of two arms.
pub(crate) fn csv_rows(differences: &[Difference]) -> impl Iterator<Item = CsvRow> {
    differences.iter().map(|found| {
        let openings = found.openings.count();
        let mut row =
            cells([("bot", &found.arm), ("other", &found.other), ("openings", &openings)]);
        row.extend(estimate_cells("difference", found.value(), found.interval(), 4));
        row
    })
}

/// The differences as a table, in percentage points.
pub(crate) fn table(differences: &[Difference], to: &str) -> TextTable {
    let points = |share: f64| format!("{:+.1}", 100.0 * share);
    let ends = |Interval { low, high }| format!("{} {to} {}", points(low), points(high));
    TextTable::of(
        differences,
        &[
            ("bot", Left, &|found| found.arm.clone()),
            ("instead of", Left, &|found| found.other.clone()),
            ("openings", Right, &|found| found.openings.count().to_string()),
            ("difference", Right, &|found| found.value().map_or(String::new(), points)),
            ("95 % interval", Right, &|found| found.interval().map_or(String::new(), ends)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::csv_text;
    use crate::tournament::Outcome;
    use crate::tournament::report::testing;

    fn outline(openings: &str) -> Outline {
        let settings = format!("format = 'gauntlet'\nopenings = '{openings}'\n");
        testing::outline(&settings, &["first", "a", "b"])
    }

    /// Both arms win the even openings and lose the odd ones, but "a" wins every fifth odd one.
    fn rows() -> Vec<GameRow> {
        let row = |game: usize| {
            let (pair, pairing) = (game / 4, game / 2 % 2);
            let arm_wins = pair.is_multiple_of(2) || pairing == 0 && pair % 10 == 5;
            let names = ["first", ["a", "b"][pairing]];
            GameRow { pair, ..testing::game(game, pairing, names, !arm_wins) }
        };
        (0..160).map(row).collect()
    }

    #[test]
    fn arms_are_compared_opening_by_opening() {
        let found = differences(&outline("shared"), &rows());
        assert_eq!(found[0].openings.cells(), [0, 0, 36, 0, 4]);
        let text = csv_text(csv_rows(&found)).unwrap();
        assert!(text.contains("\na,b,40,0.1000,"), "{text}");
        let interval = found[0].interval().unwrap();
        // 55 and 50 % on independent openings would give the interval -12 to 32.
        assert!(interval.low > -0.02 && interval.high < 0.22, "{interval:?}");
        assert!(table(&found, "..").to_string().contains("+10.0"));
    }

    #[test]
    fn other_openings_and_jigo_have_none() {
        assert_eq!(differences(&outline("random"), &rows()), []);
        let mut drawn = rows();
        drawn[3].outcome = Outcome::Jigo;
        assert_eq!(differences(&outline("shared"), &drawn), []);
    }
}
