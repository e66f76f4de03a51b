//! The verdicts of a run on the rules of its plan.

use crate::Line;
use crate::text::{CsvRow, cells, elo_texts, estimate_cells};
use tengen_harness::tournament::{Rule, Verdict};
use tengen_stats::{Elo, Interval};

/// A rule with the run's verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decided {
    rule: Rule,
    verdict: Verdict,
    /// The difference of the bots, with its 95 % interval; none without games.
    elo: Option<(Elo, Interval<Elo>)>,
}

/// The verdict of a run's `pairings` on each of `rules`; [`Verdict::NotOver`] before the run is
/// over.
pub(crate) fn decide(rules: &[Rule], pairings: &[Line], is_over: bool) -> Vec<Decided> {
    let decide = |rule: &Rule| {
        let meets = |bot: &str, opponent: &str| {
            let is_it =
                |line: &&Line| line.bot == bot && line.opponent.as_deref() == Some(opponent);
            pairings.iter().find(is_it)
        };
        let line = meets(&rule.bot, &rule.opponent).cloned();
        let line = line.or_else(|| Some(meets(&rule.opponent, &rule.bot)?.reversed()));
        let elo = line.and_then(|line| line.elo());
        let verdict = match elo {
            Some((_, interval)) if is_over => rule.verdict(interval),
            _ => Verdict::NotOver,
        };
        Decided { rule: rule.clone(), verdict, elo }
    };
    rules.iter().map(decide).collect()
}

impl Decided {
    /// The row of the rule in `verdicts.csv`.
    pub(crate) fn csv_row(&self) -> CsvRow {
        let mut row = cells([("rule", &self.rule), ("verdict", &self.verdict)]);
        let (elo, interval) = self.elo.unzip();
        row.extend(estimate_cells("elo", elo, interval, 1));
        row
    }

    /// The verdict in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let Self { rule, verdict, elo } = self;
        let said = match verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Undecided => "is undecided",
            Verdict::NotOver => {
                return format!("the rule `{rule}` is decided when the run is over");
            }
        };
        let [elo, ends] = elo_texts(*elo, "to");
        format!("the rule `{rule}` {said}: {elo} Elo ({ends})")
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

    #[test]
    fn rules_are_decided_from_either_side_and_only_at_the_end() {
        use Verdict::{Fails, Holds, NotOver, Undecided};
        let pairings = [line("a", "b", [10, 60, 130]), line("a", "c", [50, 100, 50])];
        let rules = ["a > b", "b > a", "c > a", "a > b + 400"].map(|text| text.parse().unwrap());
        let verdicts = |is_over| -> Vec<Verdict> {
            decide(&rules, &pairings, is_over).into_iter().map(|found| found.verdict).collect()
        };
        assert_eq!(verdicts(true), [Holds, Fails, Undecided, Fails]);
        assert_eq!(verdicts(false), [NotOver; 4]);
        let found = decide(&rules, &pairings, true);
        assert!(found[1].sentence().starts_with("the rule `b > a` fails: -"), "{found:?}");
        assert_eq!(found[0].csv_row()[..2], cells([("rule", &"a > b"), ("verdict", &"holds")])[..]);
    }
}
