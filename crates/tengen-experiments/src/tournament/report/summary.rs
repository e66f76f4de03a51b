//! Results of each bot and of each pairing, with confidence intervals; as tables and as CSV.

use crate::report::text::{Align, CsvRow, TextTable, cells, elo_texts, estimate_cells};
use crate::tournament::{GameRow, Termination};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use tengen_settings::message;
use tengen_stats::{
    Elo, Games, Interval, Level, Outcome as Result, Pairs, SequentialTest, StoppedElo, percent,
    percent_range,
};

/// The results of the bots and of the pairings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// One line per bot, in the order of the configuration, against all
    /// opponents together.
    pub bots: Vec<Line>,
    /// One line per pairing, in the order of the schedule, with the results of
    /// the first bot.
    pub pairings: Vec<Line>,
    /// Number of void games, which do not count.
    pub void: u64,
    /// Why bots forfeited games: a line for each of the most frequent reasons of a bot.
    pub forfeits: Vec<String>,
}

/// The most reasons that are named for one bot.
const REASONS: usize = 3;

/// [`Summary::forfeits`] of the `bots`.
fn forfeits(bots: &[String], rows: &[GameRow]) -> Vec<String> {
    // Numbers of games by loser, end and reason.
    let mut games = BTreeMap::<(&str, &str, &str), u64>::new();
    for row in rows.iter().filter(|row| is_forfeit(row.termination)) {
        let loser = match row.outcome.of_black() {
            Some(Result::Loss) => &row.black,
            Some(Result::Win) => &row.white,
            _ => continue,
        };
        *games.entry((loser, describe(row.termination), &row.reason)).or_default() += 1;
    }
    let of_bot = |bot: &String| {
        let own = games.iter().filter(|((loser, ..), _)| loser == bot);
        let mut reasons: Vec<(&str, &str, u64)> =
            own.map(|(&(_, end, reason), &games)| (end, reason, games)).collect();
        reasons.sort_by_key(|&(.., games)| Reverse(games));
        let (named, rest) = reasons.split_at(reasons.len().min(REASONS));
        let line = |&(end, reason, games): &(&str, &str, u64)| {
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            message(&format!("{bot} lost {games} game{} {end}{why}", plural(games)))
        };
        let others: u64 = rest.iter().map(|(.., games)| games).sum();
        let others = (others > 0).then(|| {
            format!(
                "{bot} lost {others} more game{} by forfeit: the column reason of games.csv says why",
                plural(others)
            )
        });
        named.iter().map(line).chain(others).collect::<Vec<_>>()
    };
    bots.iter().flat_map(of_bot).collect()
}

/// Whether `termination` means that the loser forfeited the game.
const fn is_forfeit(termination: Termination) -> bool {
    matches!(termination, Termination::Illegal | Termination::Crash | Termination::Time)
}

/// How a game ended, in words.
pub(crate) const fn describe(termination: Termination) -> &'static str {
    match termination {
        Termination::Passes => "by two passes",
        Termination::Resign => "by resignation",
        Termination::Limit => "by the limit of plies",
        Termination::Illegal => "by an illegal move",
        Termination::Crash => "by a crash",
        Termination::Time => "on time",
        Termination::Unplayed => "unplayed",
    }
}

const fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
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
    /// Number of games that ended at the limit of moves.
    pub limit: u64,
    /// The Elo difference where a sequential test ended the games.
    pub stopped: Option<StoppedElo>,
}

impl Line {
    fn new(bot: &str, opponent: Option<&str>) -> Self {
        Self { bot: bot.to_owned(), opponent: opponent.map(str::to_owned), ..Self::default() }
    }

    fn record(&mut self, row: &GameRow, result: Result, is_black: bool) {
        self.games.record(result);
        self.black_wins += u64::from(is_black && result == Result::Win);
        self.limit += u64::from(row.termination == Termination::Limit);
        self.forfeits += u64::from(is_forfeit(row.termination) && result == Result::Loss);
    }

    /// The win rate, a jigo being half a win: 0 to 1; none without games.
    #[must_use]
    pub fn win_rate(&self) -> Option<f64> {
        self.games.score()
    }

    /// The 95 % confidence interval of the expected score, from the pairs. After a sequential test
    /// it allows for the stop, and the win rate is not its middle.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.interval_at_look(1)
    }

    /// The 95 % confidence interval of the expected score at look `look`, counted from 1, of a run
    /// that was extended after its result was known ([`Level::at_look`]). A sequential test allows
    /// for every look.
    #[must_use]
    pub fn interval_at_look(&self, look: u32) -> Option<Interval> {
        match self.stopped {
            Some(StoppedElo { interval, .. }) => Some(interval.map(Elo::score)),
            None => self.pairs.interval(Level::P95.at_look(look)),
        }
    }

    /// The Elo difference to the opponent, with its 95 % confidence interval. After a sequential
    /// test the difference is median-unbiased.
    #[must_use]
    pub fn elo(&self) -> Option<(Elo, Interval<Elo>)> {
        self.elo_at_look(1)
    }

    /// The Elo difference with [`Self::interval_at_look`] in Elo.
    #[must_use]
    pub fn elo_at_look(&self, look: u32) -> Option<(Elo, Interval<Elo>)> {
        if let Some(StoppedElo { elo, interval }) = self.stopped {
            return Some((elo, interval));
        }
        let interval = Elo::interval(self.interval_at_look(look)?);
        Some((Elo::from_score(self.win_rate()?), interval))
    }

    /// The numbers of games and of pairs, as the opponent sees them.
    #[must_use]
    pub(crate) fn reversed(&self) -> Self {
        let Games { losses, draws, wins } = self.games;
        let games = Games { losses: wins, draws, wins: losses };
        let stopped = self.stopped.map(|stopped| stopped.reversed());
        Self { games, pairs: self.pairs.reversed(), stopped, ..self.clone() }
    }

    /// The row of `summary.csv`: the games of one bot, or of one pairing as its first bot sees
    /// them. What does not apply is empty.
    fn csv_row(&self) -> CsvRow {
        // An Elo difference to a mixture of opponents means nothing.
        let (elo, ends) = self.opponent.as_ref().and_then(|_| self.elo()).unzip();
        let [pairs_lost, pairs_split, pairs_won] = self.pairs.by_result();
        let mut row = cells([
            ("kind", if self.opponent.is_some() { &"pairing" } else { &"bot" }),
            ("bot", &self.bot),
            ("opponent", &self.opponent.as_deref().unwrap_or("")),
            ("games", &self.games.count()),
            ("pairs", &self.pairs.count()),
            ("wins", &self.games.wins),
            ("losses", &self.games.losses),
            ("jigo", &self.games.draws),
            ("black_wins", &self.black_wins),
            ("forfeits", &self.forfeits),
            ("limit", &self.limit),
            ("pairs_won", &pairs_won),
            ("pairs_split", &pairs_split),
            ("pairs_lost", &pairs_lost),
        ]);
        row.extend(estimate_cells("win_rate", self.win_rate(), self.interval(), 4));
        row.extend(estimate_cells("elo", elo, ends, 1));
        row
    }
}

/// A column of a table of lines: its heading and its cell.
pub(crate) type Column = (&'static str, fn(&Summary, &Line) -> String);

pub(crate) const BOT: Column = ("bot", |_, line| line.bot.clone());
pub(crate) const AGAINST: Column = ("against", |summary, line| {
    line.opponent.clone().unwrap_or_else(|| summary.opponents(&line.bot))
});
pub(crate) const GAMES: Column = ("games", |_, line| line.games.count().to_string());
pub(crate) const WINS: Column = ("wins", |_, line| line.games.wins.to_string());
pub(crate) const LOSSES: Column = ("losses", |_, line| line.games.losses.to_string());
pub(crate) const JIGO: Column = ("jigo", |_, line| line.games.draws.to_string());
pub(crate) const FORFEITS: Column = ("forfeits", |_, line| line.forfeits.to_string());
const LIMIT: Column = ("limit", |_, line| line.limit.to_string());
pub(crate) const WIN_RATE: Column =
    ("win rate", |_, line| line.win_rate().map_or(String::new(), percent));
pub(crate) const INTERVAL: Column =
    ("95 % interval", |_, line| line.interval().map_or(String::new(), percent_range));
const ENDS: Column = ("95 % interval", |_, line| {
    let ends = line.interval().map(|ends| ends.map(percent));
    ends.map_or(String::new(), |Interval { low, high }| format!("{low} .. {high}"))
});
pub(crate) const ELO: Column = ("Elo", |_, line| elo_texts(line.elo(), "to")[0].clone());
pub(crate) const ELO_INTERVAL: Column =
    ("95 % interval", |_, line| elo_texts(line.elo(), "to")[1].clone());
const ELO_ENDS: Column = ("95 % interval", |_, line| elo_texts(line.elo(), "..")[1].clone());

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
            forfeits: forfeits(bots, rows),
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

    /// The summary with the Elo difference and its interval after `test`, which ended the
    /// games.
    #[must_use]
    pub fn stopped_by(mut self, test: &SequentialTest) -> Self {
        let stopped = test.sprt().estimate(test.pairs(), Level::P95);
        for line in self.pairings.iter_mut().chain(self.bots.first_mut()) {
            line.stopped = stopped;
        }
        if let Some(second) = self.bots.get_mut(1) {
            second.stopped = stopped.map(|stopped| stopped.reversed());
        }
        self
    }

    /// The bots from the highest win rate to the lowest; bots with equal win rates keep the order
    /// of the configuration. This ranks the bots only if all have met the same opponents.
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
    pub fn csv_rows(&self) -> impl Iterator<Item = CsvRow> {
        self.bots.iter().chain(&self.pairings).map(Line::csv_row)
    }

    /// The rows of `validation.csv` of a tuning: one for each opponent that the tuned bot met on
    /// fresh openings.
    pub fn validation_rows(&self) -> impl Iterator<Item = CsvRow> {
        let left_out = [
            "kind",
            "pairs",
            "black_wins",
            "forfeits",
            "limit",
            "pairs_won",
            "pairs_split",
            "pairs_lost",
        ];
        self.pairings.iter().map(move |line| {
            let row = line.csv_row().into_iter();
            let short = |name: String| match name.strip_prefix("win_rate_") {
                Some(end) => end.to_owned(),
                None => name,
            };
            row.filter(|(name, _)| !left_out.contains(&name.as_str()))
                .map(|(name, cell)| (short(name), cell))
                .collect()
        })
    }

    /// A table of `lines`.
    pub(crate) fn table<'a>(
        &self,
        columns: &[Column],
        lines: impl IntoIterator<Item = &'a Line>,
    ) -> TextTable {
        let align = |name: &str| match name {
            "bot" | "against" => Align::Left,
            _ => Align::Right,
        };
        let headings: Vec<_> = columns.iter().map(|(name, _)| (*name, align(name))).collect();
        let mut table = TextTable::new(&headings);
        for line in lines {
            table.push(columns.iter().map(|(_, cell)| cell(self, line)));
        }
        table
    }
}

impl fmt::Display for Summary {
    /// A table of the bots, the highest win rate first, and one of the pairings, with
    /// 95 % intervals. Seldom used columns are left out if they are 0 for all bots.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_any = |(_, cell): &Column| self.bots.iter().any(|line| cell(self, line) != "0");
        let rare: Vec<Column> = [JIGO, FORFEITS, LIMIT].into_iter().filter(has_any).collect();
        let bots = [&[BOT, GAMES, WINS, LOSSES], &rare[..], &[WIN_RATE, ENDS]].concat();
        writeln!(f, "{}", self.table(&bots, self.by_win_rate()))?;
        let pairings = [&[BOT, AGAINST], &bots[1..], &[ELO, ELO_ENDS]].concat();
        write!(f, "{}", self.table(&pairings, &self.pairings))?;
        if !self.forfeits.is_empty() {
            writeln!(f, "\n{}", self.forfeits.join("\n"))?;
        }
        if self.void > 0 {
            writeln!(f, "\n{} void games do not count", self.void)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::csv_text;
    use crate::tournament::Outcome;

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
        forfeit.reason = "B2 is occupied".to_owned();
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
        let said = "c lost 1 game by an illegal move: B2 is occupied";
        assert_eq!(summary.forfeits, [said]);
        assert!(summary.to_string().contains(said), "{summary}");
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
        let text = csv_text(sample().csv_rows()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "kind,bot,opponent,games,pairs,wins,losses,jigo,black_wins,forfeits,limit,\
             pairs_won,pairs_split,pairs_lost,win_rate,win_rate_low,win_rate_high,elo,elo_low,\
             elo_high"
        );
        assert!(lines[1].starts_with("bot,a,,5,2,3,1,1,1,0,0,2,0,0,0.7000,"), "{text}");
        assert!(lines[1].ends_with(",,,"), "{text}");
        let interval = Pairs::from_cells([0, 0, 0, 0, 1]).interval(Level::P95).unwrap();
        let ends = Elo::interval(interval);
        let expected = format!(
            "pairing,a,b,3,1,2,1,0,1,0,0,1,0,0,0.6667,{:.4},{:.4},{:.1},{:.1},{:.1}",
            interval.low,
            interval.high,
            Elo::from_score(2.0 / 3.0),
            ends.low,
            ends.high,
        );
        assert_eq!(lines[4], expected);
        assert!(lines[5].starts_with("pairing,a,c,2,1,1,0,1,0,0,0,1,0,0,0.7500,"), "{text}");
    }

    #[test]
    fn without_games_nothing_is_claimed() {
        let bots = ["a", "b"].map(String::from);
        let summary = Summary::of(&bots, &[(0, 1)], &[]);
        assert_eq!(summary.bots[0].win_rate(), None);
        assert!(
            csv_text(summary.csv_rows())
                .unwrap()
                .contains("pairing,a,b,0,0,0,0,0,0,0,0,0,0,0,,,,,,\n")
        );
    }
}
