//! Reports of an analysis as text, in the forms of other programs.

use super::arguments::list;
use serde_json::json;
use tengen_go::Color;
use tengen_search::{Figure, FigureValue, RootMove, ScoreSum, SearchReport};
use tengen_stats::{Level, wilson};

/// The program whose form a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Leela Zero's `lz-analyze`: rates as whole numbers from 0 to 10000.
    Lz,
    /// KataGo's `kata-analyze`: rates from 0 to 1.
    Kata,
    /// CGOS's `cgos-genmove_analyze`: JSON.
    Cgos,
}

/// The most moves of a variation that are written.
const MAX_LINE: usize = 20;

/// What an analysis has found.
pub struct Report<'a> {
    /// The player to move.
    pub to_play: Color,
    /// The moves, the most visited first.
    pub moves: Vec<&'a RootMove>,
    /// The prior of a move that has none in the search: a search without priors tries all moves
    /// alike.
    pub equal_prior: f64,
    /// The report of the position, where it was asked for.
    pub root: Option<&'a SearchReport>,
    /// The owners of the points from the top left by rows, 1 for the player to move.
    pub ownership: Option<Vec<f64>>,
}

/// What is known of a position or a move, for the player to move.
struct Value {
    visits: u64,
    win_rate: f64,
    /// Points, after komi; none if they are not known.
    lead: Option<f64>,
}

impl Value {
    /// What `report` knows of its position.
    fn of(report: &SearchReport) -> Self {
        Self::new(report.visits(), report.value().unwrap_or(0.5), report.scores(), report.to_play)
    }

    /// What is known of `root_move`, a move of `color`.
    fn of_move(root_move: &RootMove, color: Color) -> Self {
        let RootMove { visits, scores, .. } = *root_move;
        Self::new(visits, root_move.value().unwrap_or(0.0), scores, color)
    }

    /// The mean of `scores`, which are Black's, gives the lead of `color`.
    fn new(visits: u64, value: f64, scores: ScoreSum, color: Color) -> Self {
        let lead = scores.mean().map(|score| if color == Color::Black { score } else { -score });
        Self { visits, win_rate: value.clamp(0.0, 1.0), lead }
    }

    /// The lower end of the 95 % Wilson interval of the win rate.
    fn lower_bound(&self) -> f64 {
        let interval = wilson(self.win_rate, self.visits as f64, Level::P95);
        interval.map_or(0.0, |interval| interval.low)
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

/// Figures that the fields of KataGo have already, in other units.
const OF_KATA: [&str; 4] = ["visits", "win_rate", "score", "prior"];

/// The `figures` of `of` that KataGo does not have, by their own names: readers of KataGo's reports
/// skip unknown fields.
fn more_figures<T>(figures: &[Figure<T>], of: &T) -> String {
    let figures = figures.iter().filter(|figure| !OF_KATA.contains(&figure.name));
    let values = figures.map(|figure| (figure.name, (figure.of)(of)));
    let known = values.filter(|(_, value)| value.is_known());
    list(known.map(|(name, value)| format!(" {name} {value}")), "")
}

impl Report<'_> {
    /// The report on one line.
    pub fn write(&self, style: Style) -> String {
        if style == Style::Cgos {
            return self.to_json();
        }
        let row = |(order, root_move): (usize, &&RootMove)| {
            let value = Value::of_move(root_move, self.to_play);
            let (mv, prior, lower) = (root_move.mv, self.prior(root_move), value.lower_bound());
            let line = line(root_move);
            if style == Style::Lz {
                return format!(
                    "info move {mv} visits {} winrate {} prior {} lcb {} order {order} pv {line}",
                    value.visits,
                    whole(value.win_rate),
                    whole(prior),
                    whole(lower),
                );
            }
            format!(
                "info move {mv} {} prior {prior:.6} lcb {lower:.6} utilityLcb {:.6}{} order {order} \
                 pv {line}",
                value.to_kata(),
                2.0 * lower - 1.0,
                more_figures(RootMove::FIGURES, root_move),
            )
        };
        let mut parts: Vec<String> = self.moves.iter().enumerate().map(row).collect();
        if let Some(root) = self.root.filter(|_| style == Style::Kata) {
            let more = more_figures(SearchReport::FIGURES, root);
            parts.push(format!("rootInfo {}{more}", Value::of(root).to_kata()));
        }
        if let Some(ownership) = &self.ownership {
            let shares = ownership.iter().map(|share| format!("{share:.3}"));
            parts.push(format!("ownership {}", list(shares, " ")));
        }
        parts.join(" ")
    }

    fn prior(&self, root_move: &RootMove) -> f64 {
        root_move.prior.map_or(self.equal_prior, f64::from)
    }

    fn to_json(&self) -> String {
        let real = |number: f64| FigureValue::Real(Some(number));
        // Unknown values are left out.
        let known = |mut object: serde_json::Value| {
            object.as_object_mut().into_iter().for_each(|map| map.retain(|_, v| !v.is_null()));
            object
        };
        let row = |root_move: &&RootMove| {
            let value = Value::of_move(root_move, self.to_play);
            known(json!({
                "move": root_move.mv.to_string(),
                "winrate": real(value.win_rate),
                "score": FigureValue::Real(value.lead),
                "prior": real(self.prior(root_move)),
                "pv": line(root_move),
                "visits": value.visits,
            }))
        };
        let best = self.moves.first().map(|best| Value::of_move(best, self.to_play).win_rate);
        let owners = self.ownership.as_ref();
        let report = json!({
            "winrate": real(best.unwrap_or(0.5)),
            "score": FigureValue::Real(self.root.and_then(|root| Value::of(root).lead)),
            "visits": self.moves.iter().map(|root_move| root_move.visits).sum::<u64>(),
            "moves": self.moves.iter().map(row).collect::<Vec<_>>(),
            "ownership": owners.map(|shares| shares.iter().map(|&s| level(s)).collect::<String>()),
        });
        known(report).to_string()
    }
}

/// The first moves of the principal variation that begins with `root_move`.
fn line(root_move: &RootMove) -> String {
    list(root_move.variation.iter().take(MAX_LINE), " ")
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
    use tengen_go::{Move, Score};
    use tengen_search::tree::Proof;

    fn root_move(line: &str, visits: u64, reward: f64, half_points: i32) -> RootMove {
        let mut scores = ScoreSum::default();
        if half_points != 0 {
            scores.add(Score::from_half_points(half_points), 4);
        }
        let variation: Vec<Move> = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
        RootMove {
            visits,
            reward,
            scores,
            variation: variation.clone(),
            ..RootMove::new(variation[0])
        }
    }

    fn searched() -> SearchReport {
        let moves = vec![root_move("D4", 101, 60.0, 3)];
        SearchReport { moves, ..SearchReport::nothing(Color::Black) }
    }

    fn report(moves: Vec<&RootMove>) -> Report<'_> {
        Report { to_play: Color::Black, moves, equal_prior: 0.02, root: None, ownership: None }
    }

    #[test]
    fn as_leela_zero_writes() {
        let best = root_move("D4 Q16 pass", 100, 60.0, 0);
        assert_eq!(
            report(vec![&best, &root_move("pass", 1, 0.0, 0)]).write(Style::Lz),
            "info move D4 visits 100 winrate 6000 prior 200 lcb 5020 order 0 pv D4 Q16 pass \
             info move pass visits 1 winrate 0 prior 200 lcb 0 order 1 pv pass"
        );
    }

    #[test]
    fn as_katago_writes() {
        let best = root_move("D4 Q16 pass", 100, 60.0, 0);
        let ownership = Some(vec![1.0, -0.25]);
        assert_eq!(
            Report { ownership, ..report(vec![&best]) }.write(Style::Kata),
            "info move D4 visits 100 utility 0.200000 winrate 0.600000 prior 0.020000 \
             lcb 0.502003 utilityLcb 0.004005 order 0 pv D4 Q16 pass ownership 1.000 -0.250"
        );
        // White is 2.5 points ahead, after komi.
        let white = |best: RootMove| {
            let root = &searched();
            Report { to_play: Color::White, root: Some(root), ..report(vec![&best]) }
                .write(Style::Kata)
        };
        let best = root_move("C3", 4, 3.0, -5);
        let said = white(best.clone());
        assert!(said.contains("winrate 0.750000 scoreMean 2.500 scoreLead 2.500 prior"), "{said}");
        // Figures that KataGo does not have come after its own, and before the variation.
        let root = " rootInfo visits 101 utility 0.188119 winrate 0.594059 scoreMean 1.500 \
                    scoreLead 1.500 simulations 0 max_depth 0 nodes 0 bytes 0 was_full false";
        assert!(said.ends_with(root), "{said}");
        let (prior, amaf, proof) = (Some(0.25), Some((8.0, 2.0)), Some(Proof::Win));
        let said = white(RootMove { prior, amaf, proof, ..best });
        assert!(said.contains("prior 0.250000 lcb"), "{said}");
        let more = " amaf_visits 8.000000 amaf_win_rate 0.250000 proof won order 0 pv C3 ";
        assert!(said.contains(more), "{said}");
    }

    #[test]
    fn as_cgos_reads() {
        let best = root_move("D4 Q16 pass", 100, 60.0, 0);
        let ownership = Some(vec![-1.0, -0.5, 0.0, 0.999, 1.0]);
        let root = &searched();
        let said = Report { root: Some(root), ownership, ..report(vec![&best]) }.write(Style::Cgos);
        let expected = json!({
            "winrate": 0.6, "score": 1.5, "visits": 100, "ownership": "AQf++", "moves": [
                {"move": "D4", "winrate": 0.6, "prior": 0.02, "pv": "D4 Q16 pass", "visits": 100}
            ]
        });
        assert_eq!(said, expected.to_string());
    }
}
