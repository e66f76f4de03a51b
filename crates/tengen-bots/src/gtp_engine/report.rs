//! Reports of an analysis as text, in the forms of other programs.

use std::fmt::Write;
use tengen_go::{Color, Move};
use tengen_search::RootMove;
use tengen_search::{ScoreSum, SearchReport};
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

/// A move and what is known of it, for the player to move.
pub struct Row {
    mv: Move,
    visits: u64,
    win_rate: f64,
    /// The lower end of the 95 % Wilson interval of the win rate.
    lower_bound: f64,
    /// Points, after komi; none if they are not known.
    lead: Option<f64>,
    line: Vec<Move>,
}

/// What is known of the position, for the player to move.
pub struct Root {
    visits: u64,
    win_rate: f64,
    /// Points, after komi; none if they are not known.
    lead: Option<f64>,
}

impl Root {
    pub fn new(report: &SearchReport) -> Self {
        let win_rate = report.value().unwrap_or(0.5).clamp(0.0, 1.0);
        Self { visits: report.visits(), win_rate, lead: lead(report.scores(), report.to_play) }
    }
}

/// The mean of scores, which are Black's, for `color`.
fn lead(scores: ScoreSum, color: Color) -> Option<f64> {
    scores.mean().map(|score| if color == Color::Black { score } else { -score })
}

/// The lead as fields that KataGo's readers know: both names mean the same.
fn write_lead(lead: Option<f64>) -> String {
    lead.map_or(String::new(), |lead| format!(" scoreMean {lead:.3} scoreLead {lead:.3}"))
}

impl Row {
    /// The row of `root_move`, a move of `color`.
    pub fn new(root_move: &RootMove, color: Color, line: Vec<Move>) -> Self {
        let win_rate = root_move.value().unwrap_or(0.0).clamp(0.0, 1.0);
        let interval = wilson(win_rate, root_move.visits as f64, Level::P95);
        let lower_bound = interval.map_or(0.0, |interval| interval.low);
        let lead = lead(root_move.scores, color);
        Self { mv: root_move.mv, visits: root_move.visits, win_rate, lower_bound, lead, line }
    }

    fn line(&self) -> String {
        let moves: Vec<String> = self.line.iter().take(MAX_LINE).map(ToString::to_string).collect();
        moves.join(" ")
    }
}

/// The report of `rows`, the most visited first, on one line. There are `candidates`
/// moves: a search without a policy gives each the same prior. `ownership` goes from
/// the top left by rows, and is that of the player to move. Where fields depend on what
/// was asked for, they are told if they are given.
pub fn write(
    style: Style,
    rows: &[Row],
    candidates: u32,
    root: Option<&Root>,
    ownership: Option<&[f64]>,
) -> String {
    let prior = 1.0 / f64::from(candidates.max(1));
    if style == Style::Cgos {
        return json(rows, prior, root, ownership);
    }
    let mut text = String::new();
    for (order, row) in rows.iter().enumerate() {
        let gap = if order == 0 { "" } else { " " };
        let Row { mv, visits, win_rate, lower_bound, lead, .. } = row;
        // Writing to a string does not fail.
        let _ = match style {
            Style::Lz => write!(
                text,
                "{gap}info move {mv} visits {visits} winrate {} prior {} lcb {} order {order} pv {}",
                whole(*win_rate),
                whole(prior),
                whole(*lower_bound),
                row.line()
            ),
            Style::Kata | Style::Cgos => write!(
                text,
                "{gap}info move {mv} visits {visits} utility {:.6} winrate {win_rate:.6}{} \
                 prior {prior:.6} lcb {lower_bound:.6} utilityLcb {:.6} order {order} pv {}",
                2.0 * win_rate - 1.0,
                write_lead(*lead),
                2.0 * lower_bound - 1.0,
                row.line()
            ),
        };
    }
    if let Some(Root { visits, win_rate, lead }) = root.filter(|_| style == Style::Kata) {
        let (utility, lead) = (2.0 * win_rate - 1.0, write_lead(*lead));
        let _ = write!(
            text,
            " rootInfo visits {visits} utility {utility:.6} winrate {win_rate:.6}{lead}"
        );
    }
    if let Some(ownership) = ownership {
        text.push_str(" ownership");
        for share in ownership {
            let _ = write!(text, " {share:.3}");
        }
    }
    text
}

/// A rate from 0 to 1 in ten thousandths.
fn whole(rate: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 10000
    let whole = (10_000.0 * rate.clamp(0.0, 1.0)).round() as u32;
    whole
}

/// Vertices and numbers need no escapes.
fn json(rows: &[Row], prior: f64, root: Option<&Root>, ownership: Option<&[f64]>) -> String {
    let score =
        |lead: Option<f64>| lead.map_or(String::new(), |lead| format!("\"score\":{lead:.3},"));
    let moves: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{{\"move\":\"{}\",\"winrate\":{:.6},{}\"prior\":{prior:.6},\"pv\":\"{}\",\"visits\":{}}}",
                row.mv,
                row.win_rate,
                score(row.lead),
                row.line(),
                row.visits
            )
        })
        .collect();
    let best = rows.first().map_or(0.5, |row| row.win_rate);
    let visits: u64 = rows.iter().map(|row| row.visits).sum();
    let score = score(root.and_then(|root| root.lead));
    let ownership = ownership.map_or(String::new(), |ownership| {
        format!(
            ",\"ownership\":\"{}\"",
            ownership.iter().map(|&share| level(share)).collect::<String>()
        )
    });
    let moves = moves.join(",");
    format!("{{\"winrate\":{best:.6},{score}\"visits\":{visits},\"moves\":[{moves}]{ownership}}}")
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

    fn rows() -> Vec<Row> {
        let row = |mv: &str, visits, reward, line: &str| {
            let mv = mv.parse().unwrap();
            let root_move =
                RootMove { mv, visits, reward, scores: ScoreSum::default(), proof: None };
            let line = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
            Row::new(&root_move, Color::Black, line)
        };
        vec![row("D4", 100, 60.0, "D4 Q16 pass"), row("pass", 1, 0.0, "pass")]
    }

    fn root() -> Root {
        Root { visits: 101, win_rate: 60.0 / 101.0, lead: Some(1.5) }
    }

    #[test]
    fn as_leela_zero_writes() {
        assert_eq!(
            write(Style::Lz, &rows(), 50, Some(&root()), None),
            "info move D4 visits 100 winrate 6000 prior 200 lcb 5020 order 0 pv D4 Q16 pass \
             info move pass visits 1 winrate 0 prior 200 lcb 0 order 1 pv pass"
        );
    }

    #[test]
    fn as_katago_writes() {
        assert_eq!(
            write(Style::Kata, &rows()[..1], 50, None, Some(&[1.0, -0.25])),
            "info move D4 visits 100 utility 0.200000 winrate 0.600000 prior 0.020000 \
             lcb 0.502003 utilityLcb 0.004005 order 0 pv D4 Q16 pass ownership 1.000 -0.250"
        );
        // White is 2.5 points ahead, after komi.
        let mut scores = ScoreSum::default();
        scores.add(Score::from_half_points(-5), 4);
        let root_move =
            RootMove { mv: "C3".parse().unwrap(), visits: 4, reward: 3.0, scores, proof: None };
        let row = Row::new(&root_move, Color::White, Vec::new());
        let said = write(Style::Kata, &[row], 50, Some(&root()), None);
        assert!(said.contains("winrate 0.750000 scoreMean 2.500 scoreLead 2.500 prior"), "{said}");
        let root = " rootInfo visits 101 utility 0.188119 winrate 0.594059 scoreMean 1.500 scoreLead 1.500";
        assert!(said.ends_with(root), "{said}");
    }

    #[test]
    fn as_cgos_reads() {
        assert_eq!(
            write(Style::Cgos, &rows()[..1], 50, None, None),
            "{\"winrate\":0.600000,\"visits\":100,\"moves\":[{\"move\":\"D4\",\
             \"winrate\":0.600000,\"prior\":0.020000,\"pv\":\"D4 Q16 pass\",\"visits\":100}]}"
        );
        let ownership = [-1.0, -0.5, 0.0, 0.999, 1.0];
        let said = write(Style::Cgos, &rows()[..1], 50, Some(&root()), Some(&ownership));
        assert!(said.contains("\"score\":1.500,\"visits\":100"), "{said}");
        assert!(said.ends_with("}],\"ownership\":\"AQf++\"}"), "{said}");
    }
}
