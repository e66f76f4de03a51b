//! The verdicts of a run on the rules of its plan, at each look at its result.

use crate::text::{CsvRow, cells, elo_texts, estimate_cells};
use crate::{Line, Summary};
use tengen_harness::tournament::{Rule, Verdict};
use tengen_stats::{Elo, Interval};

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
    verdict: Verdict,
    /// The difference of the bots, with the 95 % interval of this look; none without games.
    elo: Option<(Elo, Interval<Elo>)>,
}

/// The verdicts on each of `rules` from the summaries of the run at its `looks`, the present one
/// last. That one is [`Verdict::NotOver`] before the run is over.
pub(crate) fn decide(rules: &[Rule], looks: &[&Summary], is_over: bool) -> Vec<Decided> {
    let decide = |rule: &Rule| {
        let given = (1..).zip(looks).map(|(look, summary)| given(rule, summary, look));
        let mut given: Vec<Given> = given.collect();
        if let (Some(last), false) = (given.last_mut(), is_over) {
            last.verdict = Verdict::NotOver;
        }
        Decided { rule: rule.clone(), given }
    };
    rules.iter().map(decide).collect()
}

fn given(rule: &Rule, Summary { pairings, .. }: &Summary, look: u32) -> Given {
    let meets = |bot: &str, opponent: &str| {
        let is_it = |line: &&Line| line.bot == bot && line.opponent.as_deref() == Some(opponent);
        pairings.iter().find(is_it)
    };
    let line = meets(&rule.bot, &rule.opponent).cloned();
    let line = line.or_else(|| Some(meets(&rule.opponent, &rule.bot)?.reversed()));
    let pairs = line.as_ref().map_or(0, |line| line.pairs.count());
    let elo = line.and_then(|line| line.elo_at_look(look));
    let verdict = elo.map_or(Verdict::NotOver, |(_, interval)| rule.verdict(interval));
    Given { pairs, verdict, elo }
}

impl Decided {
    /// The rows of the rule in `verdicts.csv`: one for each look.
    pub(crate) fn csv_rows(&self) -> impl Iterator<Item = CsvRow> {
        (1_u32..).zip(&self.given).map(|(look, Given { pairs, verdict, elo })| {
            let mut row = cells([("rule", &self.rule), ("verdict", verdict)]);
            let (elo, interval) = elo.unzip();
            row.extend(estimate_cells("elo", elo, interval, 1));
            row.extend(cells([("look", &look), ("pairs", pairs)]));
            row
        })
    }

    /// The verdicts in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let Self { rule, given } = self;
        if let [only] = &given[..] {
            return match only.said() {
                Some(said) => format!("the rule `{rule}` {said}"),
                None => format!("the rule `{rule}` is decided when the run is over"),
            };
        }
        let looks = (1_u32..).zip(given).map(|(look, given)| {
            let said = given.said().unwrap_or_else(|| "is decided when the run is over".to_owned());
            format!("at look {look}, after {} pairs, it {said}", given.pairs)
        });
        format!("the rule `{rule}`: {}", looks.collect::<Vec<_>>().join("; "))
    }
}

impl Given {
    /// The verdict in words; none before the run is over.
    fn said(&self) -> Option<String> {
        let said = match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Undecided => "is undecided",
            Verdict::NotOver => return None,
        };
        let [elo, ends] = elo_texts(self.elo, "to");
        Some(format!("{said}: {elo} Elo ({ends})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_stats::{Games, Level, Pairs};

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

    fn last(decided: &[Decided]) -> Vec<Verdict> {
        decided.iter().filter_map(|found| Some(found.given.last()?.verdict)).collect()
    }

    #[test]
    fn rules_are_decided_from_either_side_and_only_at_the_end() {
        use Verdict::{Fails, Holds, NotOver, Undecided};
        let summary = summary([line("a", "b", [10, 60, 130]), line("a", "c", [50, 100, 50])]);
        let rules = ["a > b", "b > a", "c > a", "a > b + 400"].map(|text| text.parse().unwrap());
        let found = decide(&rules, &[&summary], true);
        assert_eq!(last(&found), [Holds, Fails, Undecided, Fails]);
        assert_eq!(last(&decide(&rules, &[&summary], false)), [NotOver; 4]);
        assert!(found[1].sentence().starts_with("the rule `b > a` fails: -"), "{found:?}");
        let row = found[0].csv_rows().next().unwrap();
        assert_eq!(row[..2], cells([("rule", &"a > b"), ("verdict", &"holds")])[..]);
        assert_eq!(row[5..], cells([("look", &1), ("pairs", &200)])[..]);
    }

    #[test]
    fn a_verdict_is_kept_and_later_looks_need_more() {
        use Verdict::{Holds, NotOver, Undecided};
        let rules = ["a > b".parse().unwrap()];
        // 55 % of 200 pairs: above ½ by the interval of one look, and not by that of the second.
        let [first, second] =
            [[25, 50, 25], [32, 116, 52]].map(|cells| summary([line("a", "b", cells)]));
        let alone = decide(&rules, &[&second], true);
        assert_eq!(last(&alone), [Holds]);
        let found = decide(&rules, &[&first, &second], true);
        assert_eq!(
            found[0].given.iter().map(|given| given.verdict).collect::<Vec<_>>(),
            [Undecided; 2]
        );
        let interval = found[0].given[1].elo.unwrap().1;
        let wider = Pairs::without_draws([32, 116, 52]).interval(Level::new(0.9875).unwrap());
        assert_eq!(interval, Elo::interval(wider.unwrap()));
        let said = found[0].sentence();
        assert!(said.contains("at look 1, after 100 pairs, it is undecided: +0 Elo ("), "{said}");
        assert!(
            said.contains("; at look 2, after 200 pairs, it is undecided: +35 Elo ("),
            "{said}"
        );
        assert_eq!(found[0].csv_rows().count(), 2);
        // While the extended run is played, the first verdict stays.
        let found = decide(&rules, &[&second, &first], false);
        let verdicts: Vec<_> = found[0].given.iter().map(|given| given.verdict).collect();
        assert_eq!(verdicts, [Holds, NotOver]);
    }
}
