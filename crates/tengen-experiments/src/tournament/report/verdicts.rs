//! The verdicts of a run on the rules of its plan: at each look at its result, on each rule alone, and
//! corrected for the number of rules.

use crate::report::text::{CsvRow, cells, elo_texts, estimate_cells};
use crate::tournament::report::{Line, Summary};
use crate::tournament::{Outline, Rule, Verdict};
use tengen_stats::{Correction, Elo, Interval, Level, SequentialTest, Significance};

/// The level of the interval that decides a rule at the first look.
const LEVEL: Level = Level::P95;

/// A rule with the run's verdicts: one, or one for each look if the run was extended after its
/// result was known. A later verdict never replaces an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decided {
    rule: Rule,
    /// In the order of the looks; at least one.
    given: Vec<Given>,
}

/// The verdict at one look.
#[derive(Clone, Debug, PartialEq)]
struct Given {
    /// Number of pairs of the two bots.
    pairs: u64,
    /// The verdict on this rule alone.
    verdict: Verdict,
    /// The difference of the bots, with the 95 % interval of this look; none without games.
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

/// The verdicts on each of the rules of `outline` from the summaries of the run at its `looks`, the
/// present one last. That one is [`Verdict::NotOver`] before the run is over. `test` is the
/// sequential test that ended the run.
pub(crate) fn decide(
    outline: &Outline,
    looks: &[&Summary],
    test: Option<&SequentialTest>,
    is_over: bool,
) -> Vec<Decided> {
    let rules = outline.rule.iter();
    let mut decided: Vec<Decided> =
        rules.map(|rule| Decided { rule: rule.clone(), given: Vec::new() }).collect();
    for (look, summary) in (1..).zip(looks) {
        let is_over = is_over || (look as usize) < looks.len();
        let given = at_look(outline, summary, look, test, is_over);
        decided.iter_mut().zip(given).for_each(|(decided, given)| decided.given.push(given));
    }
    decided
}

/// The verdicts on all rules at the look number `look`.
fn at_look(
    outline: &Outline,
    summary: &Summary,
    look: u32,
    test: Option<&SequentialTest>,
    is_over: bool,
) -> Vec<Given> {
    let rules = outline.rule.iter();
    let (mut given, sure): (Vec<Given>, Vec<Option<Significance>>) =
        rules.map(|rule| alone(rule, summary, look, test, is_over)).unzip();
    // A rule without games stays in the list: its p-value is 1.
    let p_values: Vec<f64> =
        sure.iter().map(|found| found.map_or(1.0, |found| found.p_value())).collect();
    let adjusted = outline.correction.adjusted(&p_values);
    let error = 2.0 * LEVEL.at_look(look).tail();
    for (place, found) in sure.into_iter().enumerate() {
        given[place].among = found.map(|found| Among {
            correction: (outline.correction, p_values.len()),
            p_values: [p_values[place], adjusted[place]],
            verdict: found.finding(adjusted[place], error).into(),
        });
    }
    given
}

/// The verdict on one rule, with what the verdict among all rules needs.
fn alone(
    rule: &Rule,
    Summary { pairings, .. }: &Summary,
    look: u32,
    test: Option<&SequentialTest>,
    is_over: bool,
) -> (Given, Option<Significance>) {
    let meets = |bot: &str, opponent: &str| {
        let is_it = |line: &&Line| line.bot == bot && line.opponent.as_deref() == Some(opponent);
        pairings.iter().find(is_it)
    };
    let line = meets(&rule.bot, &rule.opponent).cloned();
    let line = line.map(|line| (line, false));
    let line = line.or_else(|| Some((meets(&rule.opponent, &rule.bot)?.reversed(), true)));
    let pairs = line.as_ref().map_or(0, |(line, _)| line.pairs.count());
    let elo = line.as_ref().and_then(|(line, _)| line.elo_at_look(look));
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
    (Given { pairs, verdict, elo, among: None }, sure)
}

impl Decided {
    /// The rows of the rule in `verdicts.csv`: one for each look.
    pub(crate) fn csv_rows(&self) -> impl Iterator<Item = CsvRow> {
        (1_u32..).zip(&self.given).map(|(look, given)| given.csv_row(&self.rule, look))
    }

    /// The verdicts in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let Self { rule, given } = self;
        if let [only] = &given[..] {
            return format!("the rule `{rule}` {}", only.said());
        }
        let looks = (1_u32..).zip(given).map(|(look, given)| {
            format!("at look {look}, after {} pairs, it {}", given.pairs, given.said())
        });
        format!("the rule `{rule}`: {}", looks.collect::<Vec<_>>().join("; "))
    }
}

impl Given {
    fn csv_row(&self, rule: &Rule, look: u32) -> CsvRow {
        let Self { pairs, verdict, elo, among } = self;
        let mut row = cells([("rule", rule), ("verdict", verdict)]);
        let (elo, interval) = elo.unzip();
        row.extend(estimate_cells("elo", elo, interval, 1));
        let [alone, adjusted] =
            among.as_ref().map(|among| among.p_values.map(Some)).unwrap_or_default();
        let p_value = |p: Option<f64>| p.map_or(String::new(), |p| format!("{p:.6}"));
        let corrected = among.as_ref().map_or(*verdict, |among| among.verdict);
        row.extend(cells([
            ("look", &look),
            ("pairs", pairs),
            ("p_value", &p_value(alone)),
            ("p_value_adjusted", &p_value(adjusted)),
            ("verdict_adjusted", &corrected),
        ]));
        row
    }

    /// The verdict in words.
    fn said(&self) -> String {
        let Self { verdict, elo, among, .. } = self;
        if *verdict == Verdict::NotOver {
            return said(*verdict).to_owned();
        }
        let [elo, ends] = elo_texts(*elo, "to");
        let alone = format!("{}: {elo} Elo ({ends})", said(*verdict));
        match among {
            Some(Among { correction: (correction, rules), p_values, verdict })
                if *rules > 1 && *correction != Correction::None =>
            {
                let [_, p] = p_values;
                let p = if *p < 0.001 { "below 0.001".to_owned() } else { format!("{p:.3}") };
                let (said, correction) = (said(*verdict), correction.in_words());
                format!(
                    "{alone}, and among the {rules} rules it {said}, by {correction} (adjusted p {p})"
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
        Verdict::NotOver => "is decided when the run is over",
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

    fn summary(pairings: impl IntoIterator<Item = Line>) -> Summary {
        Summary { pairings: pairings.into_iter().collect(), ..Summary::default() }
    }

    fn last(decided: &[Decided]) -> Vec<&Given> {
        decided.iter().filter_map(|found| found.given.last()).collect()
    }

    fn outline(rules: &[&str], more: &str) -> Outline {
        crate::tournament::report::testing::outline(
            &format!("rule = {rules:?}\n{more}"),
            &["a", "b", "c"],
        )
    }

    #[test]
    fn rules_are_decided_from_either_side_and_only_at_the_end() {
        use Verdict::{Fails, Holds, NotOver, Undecided};
        let summary = summary([line("a", "b", [10, 60, 130]), line("a", "c", [50, 100, 50])]);
        let rules = ["a > b", "b > a", "c > a", "a > b + 400", "c = a +- 60", "b = a +- 60"];
        let outline = outline(&rules, "");
        let decide = |is_over| decide(&outline, &[&summary], None, is_over);
        let verdicts = |is_over| -> Vec<Verdict> {
            last(&decide(is_over)).into_iter().map(|given| given.verdict).collect()
        };
        assert_eq!(verdicts(true), [Holds, Fails, Undecided, Fails, Holds, Fails]);
        assert_eq!(verdicts(false), [NotOver; 6]);
        let found = decide(true);
        assert!(found[1].sentence().starts_with("the rule `b > a` fails: -"), "{found:?}");
        let row = found[0].csv_rows().next().unwrap();
        assert_eq!(row[..2], cells([("rule", &"a > b"), ("verdict", &"holds")])[..]);
        assert_eq!(row[5..7], cells([("look", &1), ("pairs", &200)])[..]);
        assert_eq!(row[9], ("verdict_adjusted".to_owned(), "holds".to_owned()));
        let unplayed = decide(false)[0].csv_rows().next().unwrap();
        assert!(unplayed[7..9].iter().all(|(_, cell)| cell.is_empty()), "{unplayed:?}");
        assert_eq!(unplayed[9].1, "not-over");
    }

    #[test]
    fn a_verdict_is_kept_and_later_looks_need_more() {
        use Verdict::{Holds, NotOver, Undecided};
        let outline = outline(&["a > b"], "");
        // 55 % of 200 pairs: above ½ by the interval of one look, and not by that of the second.
        let [first, second] =
            [[25, 50, 25], [32, 116, 52]].map(|cells| summary([line("a", "b", cells)]));
        let decide = |looks: &[&Summary], is_over| decide(&outline, looks, None, is_over).remove(0);
        let verdicts = |found: &Decided| -> Vec<[Verdict; 2]> {
            let both = |given: &Given| {
                [given.verdict, given.among.as_ref().map_or(NotOver, |among| among.verdict)]
            };
            found.given.iter().map(both).collect()
        };
        assert_eq!(verdicts(&decide(&[&second], true)), [[Holds; 2]]);
        let found = decide(&[&first, &second], true);
        // By the interval, and by the p-value at the error of the look.
        assert_eq!(verdicts(&found), [[Undecided; 2]; 2]);
        let interval = found.given[1].elo.unwrap().1;
        let wider = Pairs::without_draws([32, 116, 52]).interval(Level::new(0.9875).unwrap());
        assert_eq!(interval, Elo::interval(wider.unwrap()));
        let said = found.sentence();
        assert!(said.contains("at look 1, after 100 pairs, it is undecided: +0 Elo ("), "{said}");
        assert!(
            said.contains("; at look 2, after 200 pairs, it is undecided: +35 Elo ("),
            "{said}"
        );
        assert_eq!(found.csv_rows().count(), 2);
        // While the extended run is played, the first verdict stays.
        let found = decide(&[&second, &first], false);
        assert_eq!(verdicts(&found), [[Holds; 2], [NotOver; 2]]);
    }

    #[test]
    fn a_list_of_rules_is_corrected() {
        // 41 won and 19 lost of 100 pairs: p = 0.0039 two-sided; 36 and 20: p = 0.036.
        let summary = summary([
            line("a", "b", [19, 40, 41]),
            line("a", "c", [20, 44, 36]),
            line("b", "c", [25, 50, 25]),
        ]);
        let rules = ["a > b", "a > c", "b > c"];
        let decide = |more: &str| decide(&outline(&rules, more), &[&summary], None, true);
        let holm = decide("");
        let among = |found: &[Decided], place: usize| last(found)[place].among.clone().unwrap();
        let [first, second] = [0, 1].map(|place| among(&holm, place));
        assert_eq!(last(&holm)[1].verdict, Verdict::Holds);
        assert_eq!([first.verdict, second.verdict], [Verdict::Holds, Verdict::Undecided]);
        // By hand: three times the least, twice the next.
        for (Among { p_values: [alone, adjusted], .. }, times) in [(first, 3.0), (second, 2.0)] {
            assert!((adjusted - times * alone).abs() < 1e-12);
        }
        let said = holm[1].sentence();
        let corrected = "among the 3 rules it is undecided, by Holm's correction (adjusted p 0.0";
        assert!(said.contains("`a > c` holds: +") && said.contains(corrected), "{said}");
        let [alone, adjusted] = among(&decide("correction = 'benjamini-hochberg'\n"), 1).p_values;
        assert!((adjusted - 1.5 * alone).abs() < 1e-12, "{adjusted}");
        let none = decide("correction = 'none'\n");
        assert!(!none[1].sentence().contains("among"));
        assert_eq!(none[1].csv_rows().next().unwrap()[9].1, "holds");
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
            let (outline, summary) = (outline(&[rule.as_str()], ""), summary([line.clone()]));
            let found = decide(&outline, &[&summary], Some(&test), true);
            let [p_value, _] = last(&found)[0].among.as_ref().unwrap().p_values;
            assert!((p_value - 0.05).abs() < 1e-4, "{rule}: {p_value}");
        }
    }
}
