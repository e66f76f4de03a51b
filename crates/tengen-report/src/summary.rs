//! Results of each bot and of each pairing, with confidence intervals.

use serde::Serialize;
use std::collections::BTreeMap;
use tengen_harness::tournament::{GameRow, Termination};
use tengen_stats::{Elo, Games, Interval, Level, Outcome as Result, Pairs};

/// The level of every interval in a summary.
const LEVEL: Level = Level::P95;

/// The results of the bots and of the pairings.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// One line per bot, in the order of the configuration, against all
    /// opponents together.
    pub bots: Vec<Line>,
    /// One line per pairing, in the order of the schedule, with the results of
    /// the first bot.
    pub pairings: Vec<Line>,
    /// Number of void games, which do not count.
    pub void: u64,
}

/// The results of one bot, or of the first bot of one pairing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The bot whose wins are counted.
    pub bot: String,
    /// Its opponent; none for all opponents together.
    pub opponent: Option<String>,
    /// Numbers of games won, lost and drawn; void ones left out.
    pub games: Games,
    /// Numbers of complete colour-swapped pairs by score, from which intervals
    /// are computed.
    pub pairs: Pairs,
    /// Number of games won as Black.
    pub black_wins: u64,
    /// Number of games lost by an illegal move, a crash or on time.
    pub forfeits: u64,
    /// Number of games that the limit of moves ended.
    pub limit: u64,
}

impl Line {
    fn new(bot: &str, opponent: Option<&str>) -> Self {
        Self { bot: bot.to_owned(), opponent: opponent.map(str::to_owned), ..Self::default() }
    }

    fn record(&mut self, row: &GameRow, result: Result, is_black: bool) {
        self.games.record(result);
        self.black_wins += u64::from(is_black && result == Result::Win);
        self.limit += u64::from(row.termination == Termination::Limit);
        let forfeit = matches!(
            row.termination,
            Termination::Illegal | Termination::Crash | Termination::Time
        );
        self.forfeits += u64::from(forfeit && result == Result::Loss);
    }

    /// The win rate, a jigo being half a win: 0 to 1; none without games.
    #[must_use]
    pub fn win_rate(&self) -> Option<f64> {
        self.games.score()
    }

    /// The 95 % confidence interval of the win rate, from the pairs.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.pairs.interval(LEVEL)
    }

    /// The Elo difference to the opponent, with its 95 % confidence interval.
    #[must_use]
    pub fn elo(&self) -> Option<(Elo, Interval<Elo>)> {
        Some((Elo::from_score(self.win_rate()?), Elo::interval(self.interval()?)))
    }
}

/// A row of `summary.csv`: the games of one bot, or of one pairing as its first
/// bot sees them. The fields are the columns; what does not apply is empty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SummaryRow<'a> {
    /// `bot` for a bot against all its opponents, `pairing` for a bot against
    /// one.
    pub kind: &'static str,
    /// Name of the bot whose wins are counted.
    pub bot: &'a str,
    /// Name of its opponent in a pairing.
    pub opponent: &'a str,
    /// Number of games, void ones left out.
    pub games: u64,
    /// Number of complete colour-swapped pairs of games.
    pub pairs: u64,
    /// Number of games won.
    pub wins: u64,
    /// Number of games lost.
    pub losses: u64,
    /// Number of drawn games (jigo).
    pub jigo: u64,
    /// Number of games won as Black.
    pub black_wins: u64,
    /// Number of games lost by an illegal move, a crash or on time.
    pub forfeits: u64,
    /// Number of games that the limit of moves ended.
    pub limit: u64,
    /// Win rate, a jigo being half a win: 0 to 1.
    pub win_rate: String,
    /// Lower end of the 95 % interval of the win rate.
    pub win_rate_low: String,
    /// Upper end of the 95 % interval of the win rate.
    pub win_rate_high: String,
    /// Elo difference to the opponent of a pairing.
    pub elo: String,
    /// Lower end of the 95 % interval of the Elo difference.
    pub elo_low: String,
    /// Upper end of the 95 % interval of the Elo difference.
    pub elo_high: String,
}

impl<'a> SummaryRow<'a> {
    fn of(line: &'a Line) -> Self {
        let rate = |rate: Option<f64>| rate.map_or(String::new(), |rate| format!("{rate:.4}"));
        let elo = |elo: Option<Elo>| elo.map_or(String::new(), |elo| format!("{elo:.1}"));
        let interval = line.interval();
        // The Elo against a mixture of opponents means nothing.
        let pairing_elo = line.opponent.as_ref().and_then(|_| line.elo());
        Self {
            kind: if line.opponent.is_some() { "pairing" } else { "bot" },
            bot: &line.bot,
            opponent: line.opponent.as_deref().unwrap_or(""),
            games: line.games.count(),
            pairs: line.pairs.count(),
            wins: line.games.wins,
            losses: line.games.losses,
            jigo: line.games.draws,
            black_wins: line.black_wins,
            forfeits: line.forfeits,
            limit: line.limit,
            win_rate: rate(line.win_rate()),
            win_rate_low: rate(interval.map(|interval| interval.low)),
            win_rate_high: rate(interval.map(|interval| interval.high)),
            elo: elo(pairing_elo.map(|(elo, _)| elo)),
            elo_low: elo(pairing_elo.map(|(_, interval)| interval.low)),
            elo_high: elo(pairing_elo.map(|(_, interval)| interval.high)),
        }
    }
}

impl Summary {
    /// The summary of `rows`; `bots` are the names in the order of the
    /// configuration, and `pairings` are pairs of indices into them.
    #[must_use]
    pub fn of(bots: &[String], pairings: &[(usize, usize)], rows: &[GameRow]) -> Self {
        let mut summary = Self {
            bots: bots.iter().map(|bot| Line::new(bot, None)).collect(),
            pairings: pairings
                .iter()
                .map(|&(first, second)| Line::new(&bots[first], Some(&bots[second])))
                .collect(),
            void: 0,
        };
        let mut waiting = BTreeMap::<(usize, usize), Result>::new();
        for row in rows {
            let Some(black_result) = row.outcome.of_black() else {
                summary.void += 1;
                continue;
            };
            let (first, second) = pairings[row.pairing];
            // The row names the bot that played Black.
            let first_is_black = row.black == bots[first];
            let result = if first_is_black { black_result } else { black_result.reversed() };
            summary.pairings[row.pairing].record(row, result, first_is_black);
            summary.bots[first].record(row, result, first_is_black);
            summary.bots[second].record(row, result.reversed(), !first_is_black);
            if let Some(other) = waiting.insert((row.pairing, row.pair), result) {
                summary.pairings[row.pairing].pairs.record(other, result);
                summary.bots[first].pairs.record(other, result);
                summary.bots[second].pairs.record(other.reversed(), result.reversed());
            }
        }
        summary
    }

    /// The bots from the highest win rate to the lowest, equal ones in the order of the
    /// configuration. This ranks them only where all have met the same opponents.
    pub fn by_win_rate(&self) -> impl Iterator<Item = &Line> {
        let mut lines: Vec<&Line> = self.bots.iter().collect();
        lines.sort_by(|a, b| b.win_rate().unwrap_or(-1.0).total_cmp(&a.win_rate().unwrap_or(-1.0)));
        lines.into_iter()
    }

    /// The opponents that `bot` has met, in words: "nobody", "all others", one or two
    /// names, or "3 of the 4 others".
    #[must_use]
    pub fn opponents(&self, bot: &str) -> String {
        let met = |line: &&Line| line.games.count() > 0;
        let names = self.pairings.iter().filter(met).filter_map(|line| {
            let opponent = line.opponent.as_deref()?;
            match bot {
                _ if bot == line.bot => Some(opponent),
                _ if bot == opponent => Some(line.bot.as_str()),
                _ => None,
            }
        });
        let others = self.bots.len().saturating_sub(1);
        match names.collect::<Vec<_>>()[..] {
            [] => "nobody".to_owned(),
            [one] => one.to_owned(),
            ref all if all.len() == others => "all others".to_owned(),
            [one, other] => format!("{one} and {other}"),
            ref some => format!("{} of the {others} others", some.len()),
        }
    }

    /// The rows of `summary.csv`: one per bot, then one per pairing.
    pub fn rows(&self) -> impl Iterator<Item = SummaryRow<'_>> {
        self.bots.iter().chain(&self.pairings).map(SummaryRow::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_harness::run::to_csv;
    use tengen_harness::tournament::Outcome;

    fn row(pairing: usize, pair: usize, black: &str, white: &str, outcome: Outcome) -> GameRow {
        GameRow {
            pair,
            pairing,
            black: black.into(),
            white: white.into(),
            outcome,
            plies: 10,
            ..GameRow::example()
        }
    }

    fn sample() -> Summary {
        let bots = ["a", "b", "c"].map(String::from);
        let mut forfeit = row(1, 0, "c", "a", Outcome::White);
        forfeit.termination = Termination::Illegal;
        let rows = [
            row(0, 0, "a", "b", Outcome::Black),
            row(1, 0, "a", "c", Outcome::Jigo),
            row(0, 0, "b", "a", Outcome::White),
            forfeit,
            row(0, 1, "a", "b", Outcome::White),
            row(0, 1, "b", "a", Outcome::Void),
        ];
        Summary::of(&bots, &[(0, 1), (0, 2)], &rows)
    }

    #[test]
    fn counts_by_hand() {
        let summary = sample();
        let [a, b, c] = &summary.bots[..] else { panic!() };
        assert_eq!(a.games, Games { wins: 3, losses: 1, draws: 1 });
        assert_eq!(b.games, Games { wins: 1, losses: 2, draws: 0 });
        assert_eq!(c.games, Games { wins: 0, losses: 1, draws: 1 });
        assert_eq!((a.black_wins, b.black_wins, c.forfeits, a.forfeits), (1, 0, 1, 0));
        // A pair that lacks a game gives no pair score.
        assert_eq!(a.pairs.cells(), [0, 0, 0, 1, 1]);
        assert_eq!(summary.pairings[0].pairs.cells(), [0, 0, 0, 0, 1]);
        assert_eq!(summary.pairings[1].pairs.cells(), [0, 0, 0, 1, 0]);
        assert_eq!(c.pairs.cells(), [0, 1, 0, 0, 0]);
        assert_eq!(summary.void, 1);
        assert_eq!(a.win_rate(), Some(0.7));
    }

    #[test]
    fn the_file_says_the_same() {
        let text = to_csv(sample().rows()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "kind,bot,opponent,games,pairs,wins,losses,jigo,black_wins,forfeits,limit,\
             win_rate,win_rate_low,win_rate_high,elo,elo_low,elo_high"
        );
        assert!(lines[1].starts_with("bot,a,,5,2,3,1,1,1,0,0,0.7000,"), "{text}");
        assert!(lines[1].ends_with(",,,"), "{text}");
        assert!(lines[4].starts_with("pairing,a,b,3,1,2,1,0,1,0,0,0.6667,"), "{text}");
        assert!(lines[5].starts_with("pairing,a,c,2,1,1,0,1,0,0,0,0.7500,"), "{text}");
    }

    #[test]
    fn without_games_nothing_is_claimed() {
        let bots = ["a", "b"].map(String::from);
        let summary = Summary::of(&bots, &[(0, 1)], &[]);
        assert_eq!(summary.bots[0].win_rate(), None);
        assert!(to_csv(summary.rows()).unwrap().contains("pairing,a,b,0,0,0,0,0,0,0,0,,,,,,\n"));
    }
}
