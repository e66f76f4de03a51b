//! Reports of an analysis as text, in the forms of other programs.

use super::arguments::list;
use serde_json::json;
use tengen_go::{Color, Move};
use tengen_search::{RootMove, ScoreSum, SearchReport};
use tengen_stats::{Level, wilson};

/// Whose form a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Leela Zero's `lz-analyze`: rates as whole numbers from 0 to 10000.
    Lz,
    /// KataGo's `kata-analyze`: rates from 0 to 1.
    Kata,
    /// CGOS's `cgos-genmove_analyze`: JSON.
    Cgos,
}

/// Moves of a line of play that are written.
const MAX_LINE: usize = 20;

/// What an analysis has found.
pub struct Report {
    /// The moves, the most visited first.
    pub moves: Vec<Row>,
    /// The prior of each move.
    pub prior: f64,
    /// What is known of the position, where it was asked for.
    pub root: Option<Value>,
    /// The owners of the points from the top left by rows, 1 for the player to move.
    pub ownership: Option<Vec<f64>>,
}

/// What is known of a position or a move, for the player to move.
pub struct Value {
    visits: u64,
    win_rate: f64,
    /// Points, after komi; none if they are not known.
    lead: Option<f64>,
}

/// A move and what is known of it.
pub struct Row {
    mv: Move,
    value: Value,
    /// The lower end of the 95 % Wilson interval of the win rate.
    lower_bound: f64,
    line: String,
}

impl Value {
    /// What `report` knows of its position.
    pub fn of(report: &SearchReport) -> Self {
        Self::new(report.visits(), report.value().unwrap_or(0.5), report.scores(), report.to_play)
    }

    /// Of `scores`, which are Black's, the mean is the lead of `color`.
    fn new(visits: u64, value: f64, scores: ScoreSum, color: Color) -> Self {
        let lead = scores.mean().map(|score| if color == Color::Black { score } else { -score });
        Self { visits, win_rate: value.clamp(0.0, 1.0), lead }
    }

    /// The fields of KataGo, whose readers know two names for the lead.
    fn to_kata(&self) -> String {
        let Self { visits, win_rate, lead } = self;
        let utility = 2.0 * win_rate - 1.0;
        let lead = lead.map(|lead| format!(" scoreMean {lead:.3} scoreLead {lead:.3}"));
        let lead = lead.unwrap_or_default();
        format!("visits {visits} utility {utility:.6} winrate {win_rate:.6}{lead}")
    }
}

impl Row {
    /// The row of `root_move`, a move of `color`.
    pub fn new(root_move: &RootMove, color: Color, line: &[Move]) -> Self {
        let RootMove { mv, visits, scores, .. } = *root_move;
        let value = Value::new(visits, root_move.value().unwrap_or(0.0), scores, color);
        let interval = wilson(value.win_rate, visits as f64, Level::P95);
        let lower_bound = interval.map_or(0.0, |interval| interval.low);
        Self { mv, value, lower_bound, line: list(line.iter().take(MAX_LINE), " ") }
    }
}

impl Report {
    /// The report on one line. Where fields depend on what was asked for, they are told if they
    /// are there.
    pub fn write(&self, style: Style) -> String {
        let prior = self.prior;
        let row = |(order, Row { mv, value, lower_bound, line }): (usize, &Row)| match style {
            Style::Lz => format!(
                "info move {mv} visits {} winrate {} prior {} lcb {} order {order} pv {line}",
                value.visits,
                whole(value.win_rate),
                whole(prior),
                whole(*lower_bound),
            ),
            Style::Kata | Style::Cgos => format!(
                "info move {mv} {} prior {prior:.6} lcb {lower_bound:.6} utilityLcb {:.6} \
                 order {order} pv {line}",
                value.to_kata(),
                2.0 * lower_bound - 1.0,
            ),
        };
        if style == Style::Cgos {
            return self.to_json();
        }
        let mut parts: Vec<String> = self.moves.iter().enumerate().map(row).collect();
        if let Some(root) = self.root.as_ref().filter(|_| style == Style::Kata) {
            parts.push(format!("rootInfo {}", root.to_kata()));
        }
        if let Some(ownership) = &self.ownership {
            let shares = ownership.iter().map(|share| format!("{share:.3}"));
            parts.push(format!("ownership {}", list(shares, " ")));
        }
        parts.join(" ")
    }

    fn to_json(&self) -> String {
        let rounded = |number: f64| (1e6 * number).round() / 1e6;
        // What is not known is left out.
        let known = |mut object: serde_json::Value| {
            object.as_object_mut().into_iter().for_each(|map| map.retain(|_, v| !v.is_null()));
            object
        };
        let row = |Row { mv, value, line, .. }: &Row| {
            known(json!({
                "move": mv.to_string(),
                "winrate": rounded(value.win_rate),
                "score": value.lead.map(rounded),
                "prior": rounded(self.prior),
                "pv": line,
                "visits": value.visits,
            }))
        };
        let best = self.moves.first().map_or(0.5, |row| row.value.win_rate);
        let owners = self.ownership.as_ref();
        let report = json!({
            "winrate": rounded(best),
            "score": self.root.as_ref().and_then(|root| root.lead).map(rounded),
            "visits": self.moves.iter().map(|row| row.value.visits).sum::<u64>(),
            "moves": self.moves.iter().map(row).collect::<Vec<_>>(),
            "ownership": owners.map(|shares| shares.iter().map(|&s| level(s)).collect::<String>()),
        });
        known(report).to_string()
    }
}

/// A rate from 0 to 1 in ten thousandths.
fn whole(rate: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 10000
    let whole = (10_000.0 * rate.clamp(0.0, 1.0)).round() as u32;
    whole
}

/// A share from −1 to 1 as one of 63 levels, as the viewer of CGOS reads it.
fn level(share: f64) -> char {
    const LEVELS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 62
    let level = (31.0 * (share.clamp(-1.0, 1.0) + 1.0)).round() as usize;
    char::from(LEVELS[level])
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::Score;

    fn row(mv: &str, visits: u64, reward: f64, color: Color, half_points: i32) -> Row {
        let mut scores = ScoreSum::default();
        if half_points != 0 {
            scores.add(Score::from_half_points(half_points), 4);
        }
        let line: Vec<Move> = mv.split(' ').map(|mv| mv.parse().unwrap()).collect();
        Row::new(&RootMove { mv: line[0], visits, reward, scores, proof: None }, color, &line)
    }

    fn report(moves: Vec<Row>) -> Report {
        let root = Some(Value { visits: 101, win_rate: 60.0 / 101.0, lead: Some(1.5) });
        Report { moves, prior: 0.02, root, ownership: None }
    }

    #[test]
    fn as_leela_zero_writes() {
        let best = row("D4 Q16 pass", 100, 60.0, Color::Black, 0);
        assert_eq!(
            report(vec![best, row("pass", 1, 0.0, Color::Black, 0)]).write(Style::Lz),
            "info move D4 visits 100 winrate 6000 prior 200 lcb 5020 order 0 pv D4 Q16 pass \
             info move pass visits 1 winrate 0 prior 200 lcb 0 order 1 pv pass"
        );
    }

    #[test]
    fn as_katago_writes() {
        let best = row("D4 Q16 pass", 100, 60.0, Color::Black, 0);
        let ownership = Some(vec![1.0, -0.25]);
        assert_eq!(
            Report { root: None, ownership, ..report(vec![best]) }.write(Style::Kata),
            "info move D4 visits 100 utility 0.200000 winrate 0.600000 prior 0.020000 \
             lcb 0.502003 utilityLcb 0.004005 order 0 pv D4 Q16 pass ownership 1.000 -0.250"
        );
        // White is 2.5 points ahead, after komi.
        let said = report(vec![row("C3", 4, 3.0, Color::White, -5)]).write(Style::Kata);
        assert!(said.contains("winrate 0.750000 scoreMean 2.500 scoreLead 2.500 prior"), "{said}");
        let root = " rootInfo visits 101 utility 0.188119 winrate 0.594059 scoreMean 1.500 scoreLead 1.500";
        assert!(said.ends_with(root), "{said}");
    }

    #[test]
    fn as_cgos_reads() {
        let best = row("D4 Q16 pass", 100, 60.0, Color::Black, 0);
        let ownership = Some(vec![-1.0, -0.5, 0.0, 0.999, 1.0]);
        let said = Report { ownership, ..report(vec![best]) }.write(Style::Cgos);
        let expected = json!({
            "winrate": 0.6, "score": 1.5, "visits": 100, "ownership": "AQf++", "moves": [
                {"move": "D4", "winrate": 0.6, "prior": 0.02, "pv": "D4 Q16 pass", "visits": 100}
            ]
        });
        assert_eq!(said, expected.to_string());
    }
}
