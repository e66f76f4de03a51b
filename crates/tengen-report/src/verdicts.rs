//! The verdicts of a run on the rules of its plan: on each rule alone, and corrected for the number
//! of rules.

use crate::Line;
use crate::text::{CsvRow, cells, elo_texts, estimate_cells};
use tengen_harness::tournament::{Outline, Rule, Verdict};
use tengen_stats::{Correction, Elo, Interval, Level, SequentialTest, Significance};

/// The level of the interval that decides a rule.
const LEVEL: Level = Level::P95;

/// A rule with the run's verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decided {
    rule: Rule,
    /// The verdict on this rule alone.
    verdict: Verdict,
    /// The difference of the bots, with its 95 % interval; none without games.
    elo: Option<(Elo, Interval<Elo>)>,
    /// The verdict among all rules; none before the run is over.
    among: Option<Among>,
}

/// The verdict on a rule among all rules of a run.
#[derive(Clone, Debug, PartialEq)]
struct Among {
    /// How the verdict is corrected, for how many rules.
    correction: (Correction, usize),
    /// The p-value of the rule alone, and corrected.
    p_values: [f64; 2],
    verdict: Verdict,
}

/// A rule's verdict alone, with what the verdict among all rules needs.
type Alone = (Decided, Option<Significance>);

/// The verdict of a run's `pairings` on each of the rules of `outline`; [`Verdict::NotOver`] before
/// the run is over. `test` is the sequential test that ended the run.
pub(crate) fn decide(
    outline: &Outline,
    pairings: &[Line],
    test: Option<&SequentialTest>,
    is_over: bool,
) -> Vec<Decided> {
    let rules = outline.rule.iter();
    let (mut decided, sure): (Vec<Decided>, Vec<Option<Significance>>) =
        rules.map(|rule| alone(rule, pairings, test, is_over)).unzip();
    // A rule without games stays in the list: its p-value is 1.
    let p_values: Vec<f64> =
        sure.iter().map(|found| found.map_or(1.0, |found| found.p_value())).collect();
    let adjusted = outline.correction.adjusted(&p_values);
    for (place, found) in sure.into_iter().enumerate() {
        decided[place].among = found.map(|found| Among {
            correction: (outline.correction, p_values.len()),
            p_values: [p_values[place], adjusted[place]],
            verdict: found.finding(adjusted[place], 1.0 - LEVEL.probability()).into(),
        });
    }
    decided
}

/// The verdict on one rule.
fn alone(rule: &Rule, pairings: &[Line], test: Option<&SequentialTest>, is_over: bool) -> Alone {
    let meets = |bot: &str, opponent: &str| {
        let is_it = |line: &&Line| line.bot == bot && line.opponent.as_deref() == Some(opponent);
        pairings.iter().find(is_it)
    };
    let line = meets(&rule.bot, &rule.opponent).cloned();
    let line = line.map(|line| (line, false));
    let line = line.or_else(|| Some((meets(&rule.opponent, &rule.bot)?.reversed(), true)));
    let elo = line.as_ref().and_then(|(line, _)| line.elo());
    let p_value = |Elo(elo): Elo| match (line.as_ref()?, test) {
        // The test has seen the pairs of the pairing's first bot.
        ((line, false), Some(test)) if line.stopped.is_some() => {
            test.sprt().p_value(test.pairs(), Elo(elo).score())
        }
        ((line, true), Some(test)) if line.stopped.is_some() => {
            Some(1.0 - test.sprt().p_value(test.pairs(), Elo(-elo).score())?)
        }
        ((line, _), _) => line.pairs.p_value(Elo(elo).score()),
    };
    let (verdict, sure) = match elo {
        Some((_, interval)) if is_over => {
            (rule.claim.finding(interval).into(), rule.claim.significance(p_value))
        }
        _ => (Verdict::NotOver, None),
    };
    (Decided { rule: rule.clone(), verdict, elo, among: None }, sure)
}

impl Decided {
    /// The row of the rule in `verdicts.csv`.
    pub(crate) fn csv_row(&self) -> CsvRow {
        let mut row = cells([("rule", &self.rule), ("verdict", &self.verdict)]);
        let (elo, interval) = self.elo.unzip();
        row.extend(estimate_cells("elo", elo, interval, 1));
        let [alone, adjusted] =
            self.among.as_ref().map(|among| among.p_values.map(Some)).unwrap_or_default();
        let p_value = |p: Option<f64>| p.map_or(String::new(), |p| format!("{p:.6}"));
        let verdict = self.among.as_ref().map_or(self.verdict, |among| among.verdict);
        row.extend(cells([
            ("p_value", &p_value(alone)),
            ("p_value_adjusted", &p_value(adjusted)),
            ("verdict_adjusted", &verdict),
        ]));
        row
    }

    /// The verdict in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let Self { rule, verdict, elo, among } = self;
        if *verdict == Verdict::NotOver {
            return format!("the rule `{rule}` is decided when the run is over");
        }
        let [elo, ends] = elo_texts(*elo, "to");
        let alone = format!("the rule `{rule}` {}: {elo} Elo ({ends})", said(*verdict));
        match among {
            Some(Among { correction: (correction, rules), p_values, verdict })
                if *rules > 1 && *correction != Correction::None =>
            {
                let [_, p] = p_values;
                let p = if *p < 0.001 { "below 0.001".to_owned() } else { format!("{p:.3}") };
                let said = said(*verdict);
                format!(
                    "{alone}; among the {rules} rules it {said}, by {correction} (adjusted p {p})"
                )
            }
            _ => alone,
        }
    }
}

/// What a run says about a rule, in words.
const fn said(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Undecided => "is undecided",
        Verdict::NotOver => "is not decided yet",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_stats::{Games, Pairs};

    fn line(bot: &str, opponent: &str, cells: [u64; 3]) -> Line {
        let games =
            Games { losses: 2 * cells[0] + cells[1], draws: 0, wins: cells[1] + 2 * cells[2] };
        Line {
            bot: bot.to_owned(),
            opponent: Some(opponent.to_owned()),
            games,
            pairs: Pairs::without_draws(cells),
            ..Line::default()
        }
    }

    fn outline(rules: &[&str], more: &str) -> Outline {
        let text = format!(
            "name = 'x'\nsize = '5x5'\nkomi = 2.5\npairs = 40\nrule = {rules:?}\n{more}\
             [[bot]]\nname = 'a'\n[[bot]]\nname = 'b'\n[[bot]]\nname = 'c'\n"
        );
        Outline::of(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn rules_are_decided_from_either_side_and_only_at_the_end() {
        use Verdict::{Fails, Holds, NotOver, Undecided};
        let pairings = [line("a", "b", [10, 60, 130]), line("a", "c", [50, 100, 50])];
        let rules = ["a > b", "b > a", "c > a", "a > b + 400", "c = a +- 60", "b = a +- 60"];
        let outline = outline(&rules, "");
        let verdicts = |is_over| -> Vec<Verdict> {
            let found = decide(&outline, &pairings, None, is_over);
            found.into_iter().map(|found| found.verdict).collect()
        };
        assert_eq!(verdicts(true), [Holds, Fails, Undecided, Fails, Holds, Fails]);
        assert_eq!(verdicts(false), [NotOver; 6]);
        let found = decide(&outline, &pairings, None, true);
        assert!(found[1].sentence().starts_with("the rule `b > a` fails: -"), "{found:?}");
        let row = found[0].csv_row();
        assert_eq!(row[..2], cells([("rule", &"a > b"), ("verdict", &"holds")])[..]);
        assert_eq!(row[7], ("verdict_adjusted".to_owned(), "holds".to_owned()));
        let unplayed = decide(&outline, &pairings, None, false)[0].csv_row();
        assert!(unplayed[5..7].iter().all(|(_, cell)| cell.is_empty()), "{unplayed:?}");
        assert_eq!(unplayed[7].1, "not-over");
    }

    #[test]
    fn a_list_of_rules_is_corrected() {
        // 41 won and 19 lost of 100 pairs: p = 0.0039 two-sided; 36 and 20: p = 0.036.
        let pairings = [line("a", "b", [19, 40, 41]), line("a", "c", [20, 44, 36])];
        let rules = ["a > b", "a > c", "b > c"];
        let decide = |more: &str| {
            decide(
                &outline(&rules, more),
                &[&pairings[..], &[line("b", "c", [25, 50, 25])]].concat(),
                None,
                true,
            )
        };
        let holm = decide("");
        let among: Vec<&Among> = holm.iter().map(|found| found.among.as_ref().unwrap()).collect();
        assert_eq!(holm[1].verdict, Verdict::Holds);
        assert_eq!([among[0].verdict, among[1].verdict], [Verdict::Holds, Verdict::Undecided]);
        // By hand: three times the least, twice the next.
        let [first, second] = [among[0].p_values, among[1].p_values];
        assert!(
            (first[1] - 3.0 * first[0]).abs() < 1e-12
                && (second[1] - 2.0 * second[0]).abs() < 1e-12
        );
        let said = holm[1].sentence();
        assert!(
            said.contains("`a > c` holds: +")
                && said.contains(
                    "among the 3 rules it is undecided, by Holm's correction (adjusted p 0.0"
                ),
            "{said}"
        );
        let other = decide("correction = 'benjamini-hochberg'\n");
        let p_values = other[1].among.as_ref().unwrap().p_values;
        assert!((p_values[1] - 1.5 * p_values[0]).abs() < 1e-12, "{p_values:?}");
        let none = decide("correction = 'none'\n");
        assert!(!none[1].sentence().contains("among"));
        assert_eq!(none[1].csv_row()[7].1, "holds");
    }

    #[test]
    fn a_rule_after_a_sequential_test_has_the_p_value_of_its_interval() {
        let mut test = SequentialTest::new("elo0=0 elo1=50".parse().unwrap());
        let (won, split) = (
            [tengen_stats::Outcome::Win; 2],
            [tengen_stats::Outcome::Win, tengen_stats::Outcome::Loss],
        );
        let end =
            (0..1000).find_map(|pair| test.finish(pair, if pair % 3 == 0 { won } else { split }));
        assert!(end.is_some());
        let [lost, split, won] = test.pairs().by_result();
        let mut line = line("a", "b", [lost, split, won]);
        line.stopped = test.sprt().estimate(test.pairs(), LEVEL);
        let low = line.elo().unwrap().1.low.0;
        // At the lower end of the interval the p-value is 0.05, from either side.
        for rule in [format!("a > b + {low}"), format!("b > a - {low}")] {
            let found = decide(&outline(&[rule.as_str()], ""), &[line.clone()], Some(&test), true);
            let [p_value, _] = found[0].among.as_ref().unwrap().p_values;
            assert!((p_value - 0.05).abs() < 1e-4, "{rule}: {p_value}");
        }
    }
}
