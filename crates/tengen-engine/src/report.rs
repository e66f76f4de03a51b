//! Reports of an analysis as text, in the forms of other programs.

use std::fmt::Write;
use tengen_go::Move;
use tengen_search::report::RootMove;
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
    line: Vec<Move>,
}

impl Row {
    pub fn new(root_move: &RootMove, line: Vec<Move>) -> Self {
        let win_rate = root_move.value().unwrap_or(0.0).clamp(0.0, 1.0);
        let interval = wilson(win_rate, root_move.visits as f64, Level::P95);
        let lower_bound = interval.map_or(0.0, |interval| interval.low);
        Self { mv: root_move.mv, visits: root_move.visits, win_rate, lower_bound, line }
    }

    fn line(&self) -> String {
        let moves: Vec<String> = self.line.iter().take(MAX_LINE).map(ToString::to_string).collect();
        moves.join(" ")
    }
}

/// The report of `rows`, the most visited first, on one line. There are `candidates`
/// moves: a search without a policy gives each the same prior. `ownership` goes from
/// the top left by rows.
pub fn write(style: Style, rows: &[Row], candidates: u32, ownership: Option<&[f64]>) -> String {
    let prior = 1.0 / f64::from(candidates.max(1));
    if style == Style::Cgos {
        return json(rows, prior);
    }
    let mut text = String::new();
    for (order, row) in rows.iter().enumerate() {
        let gap = if order == 0 { "" } else { " " };
        let Row { mv, visits, win_rate, lower_bound, .. } = row;
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
                "{gap}info move {mv} visits {visits} utility {:.6} winrate {win_rate:.6} \
                 prior {prior:.6} lcb {lower_bound:.6} utilityLcb {:.6} order {order} pv {}",
                2.0 * win_rate - 1.0,
                2.0 * lower_bound - 1.0,
                row.line()
            ),
        };
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
fn json(rows: &[Row], prior: f64) -> String {
    let moves: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{{\"move\":\"{}\",\"winrate\":{:.6},\"prior\":{prior:.6},\"pv\":\"{}\",\"visits\":{}}}",
                row.mv,
                row.win_rate,
                row.line(),
                row.visits
            )
        })
        .collect();
    let best = rows.first().map_or(0.5, |row| row.win_rate);
    let visits: u64 = rows.iter().map(|row| row.visits).sum();
    format!("{{\"winrate\":{best:.6},\"visits\":{visits},\"moves\":[{}]}}", moves.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let row = |mv: &str, visits, reward, line: &str| {
            let scores = tengen_search::ScoreSum::default();
            let mv = mv.parse().unwrap();
            let root_move = RootMove { mv, visits, reward, scores, proof: None };
            Row::new(&root_move, line.split(' ').map(|mv| mv.parse().unwrap()).collect())
        };
        vec![row("D4", 100, 60.0, "D4 Q16 pass"), row("pass", 1, 0.0, "pass")]
    }

    #[test]
    fn as_leela_zero_writes() {
        assert_eq!(
            write(Style::Lz, &rows(), 50, None),
            "info move D4 visits 100 winrate 6000 prior 200 lcb 5020 order 0 pv D4 Q16 pass \
             info move pass visits 1 winrate 0 prior 200 lcb 0 order 1 pv pass"
        );
    }

    #[test]
    fn as_katago_writes() {
        assert_eq!(
            write(Style::Kata, &rows()[..1], 50, Some(&[1.0, -0.25])),
            "info move D4 visits 100 utility 0.200000 winrate 0.600000 prior 0.020000 \
             lcb 0.502003 utilityLcb 0.004005 order 0 pv D4 Q16 pass ownership 1.000 -0.250"
        );
    }

    #[test]
    fn as_cgos_reads() {
        assert_eq!(
            write(Style::Cgos, &rows()[..1], 50, None),
            "{\"winrate\":0.600000,\"visits\":100,\"moves\":[{\"move\":\"D4\",\
             \"winrate\":0.600000,\"prior\":0.020000,\"pv\":\"D4 Q16 pass\",\"visits\":100}]}"
        );
    }
}
