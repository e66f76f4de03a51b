//! Win rates with their confidence intervals, one row per bot.

use super::drawing::{Anchor, Drawing, MARGIN, line_height, size};
use super::palette::{self, GREY, GRID, INK};
use super::{Heading, text};
use tengen_stats::Interval;
use tengen_stats::percent;

/// The win rate of one bot.
#[derive(Clone, Debug, PartialEq)]
pub struct WinRate {
    /// Name of the bot.
    pub name: String,
    /// Number of games.
    pub games: u64,
    /// The win rate, 0 to 1; `None` without games.
    pub rate: Option<f64>,
    /// The 95 % confidence interval of the win rate.
    pub interval: Option<Interval>,
}

/// Win rates with 95 % intervals, the best bot first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WinRates {
    /// Title and subtitle.
    pub heading: Heading,
    /// The bots, in any order.
    pub bots: Vec<WinRate>,
}

const WIDTH: u32 = 1040;
/// The widest that a line of a name gets.
const NAME_WIDTH: f64 = 330.0;
const GAP: f64 = 18.0;

impl WinRates {
    /// Draws one row per bot, the best first: name, win rate with error bar, figures.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let mut bots: Vec<&WinRate> = self.bots.iter().collect();
        // Descending; a stable sort keeps the given order of equals.
        bots.sort_by(|a, b| b.rate.unwrap_or(-1.0).total_cmp(&a.rate.unwrap_or(-1.0)));
        let names: Vec<_> =
            bots.iter().map(|bot| text::wrap(&bot.name, size::LABEL, NAME_WIDTH, 3)).collect();
        let columns: Vec<[String; 3]> = bots.iter().map(|bot| bot.columns()).collect();
        let heads = ["win rate", "95 % interval", "games"];
        let widths = [0, 1, 2].map(|i| {
            let cells = columns.iter().map(|row| row[i].as_str()).chain([heads[i]]);
            longest(cells)
        });

        let mut drawing = Drawing::new(WIDTH);
        let top = drawing.heading(&self.heading) + 26.0;
        let left = MARGIN + longest(names.iter().flatten().map(String::as_str)).max(60.0) + GAP;
        let mut right = f64::from(WIDTH) - MARGIN;
        let column_ends = [2, 1, 0].map(|i| {
            let end = right;
            right -= widths[i] + GAP;
            end
        });
        right -= 8.0;
        let across = |rate: f64| left + (right - left) * rate;

        let heights = names
            .iter()
            .map(|lines| (line_height(size::LABEL) * lines.len() as f64 + 12.0).max(34.0));
        let mut y = top;
        let middles: Vec<f64> = heights
            .map(|height| {
                y += height;
                y - height / 2.0
            })
            .collect();
        let bottom = y + 4.0;

        drawing.rate_axis(top, bottom, across);
        for (end, head) in column_ends.iter().zip(heads.iter().rev()) {
            drawing.text((*end, top - 14.0), *head, size::SMALL, GREY, Anchor::Right);
        }
        for (((bot, name), columns), y) in bots.iter().zip(&names).zip(&columns).zip(middles) {
            drawing.lines((left - GAP, y), name, size::LABEL, Anchor::Right);
            if let Some(rate) = bot.rate {
                drawing.estimate(across(rate), bot.interval.map(|i| i.map(across)), y);
            }
            for (end, cell) in column_ends.iter().zip(columns.iter().rev()) {
                drawing.text((*end, y), cell.as_str(), size::LABEL, INK, Anchor::Right);
            }
        }
        drawing.end_at(bottom + 46.0)
    }
}

impl WinRate {
    /// Rate, interval and games as text: what is missing is empty.
    fn columns(&self) -> [String; 3] {
        let rate = self.rate.map_or(String::new(), percent);
        let interval = self.interval.map_or(String::new(), |Interval { low, high }| {
            format!("{:.1} – {:.1}", 100.0 * low, 100.0 * high)
        });
        let games =
            if self.games == 0 { "no games".into() } else { text::number(self.games as f64) };
        [rate, interval, games]
    }
}

fn longest<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(|t| text::width(t, size::LABEL)).fold(0.0, f64::max)
}

impl Drawing {
    /// Draws the grid, the axis and a dashed line at 50 %.
    fn rate_axis(&mut self, top: f64, bottom: f64, across: impl Fn(f64) -> f64) {
        let step = if across(1.0) - across(0.0) > 440.0 { 10 } else { 25 };
        for percent in (0..=100).step_by(step) {
            let x = across(f64::from(percent) / 100.0);
            self.line((x, top), (x, bottom), 1.0, GRID);
            self.text((x, bottom + 14.0), percent.to_string(), size::SMALL, INK, Anchor::Center);
        }
        self.dashed((across(0.5), top - 4.0), (across(0.5), bottom), 1.5, INK);
        self.line((across(0.0), bottom), (across(1.0), bottom), 1.0, INK);
        let label = "win rate in %, a jigo counts half; bars: 95 % interval";
        self.text((across(0.5), bottom + 38.0), label, size::SMALL, GREY, Anchor::Center);
    }

    /// Draws an estimate as a dot, with its interval as a horizontal error bar.
    fn estimate(&mut self, x: f64, interval: Option<Interval>, y: f64) {
        let color = palette::series(0);
        if let Some(Interval { low, high }) = interval {
            self.line((low, y), (high, y), 2.0, color);
            for end in [low, high] {
                self.line((end, y - 5.0), (end, y + 5.0), 2.0, color);
            }
        }
        self.shapes.push(super::Shape::Disc { center: (x, y), radius: 5.0, color });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{heading, names};
    use super::*;
    use tengen_stats::{Level, wilson};

    fn plot(count: usize) -> WinRates {
        let bots = names(count)
            .into_iter()
            .enumerate()
            .map(|(i, name)| {
                let rate = i as f64 / (count - 1) as f64;
                let interval = wilson(rate, 40.0, Level::P95);
                WinRate { name, games: 40 * (i as u64 + 1), rate: Some(rate), interval }
            })
            .collect();
        WinRates { heading: heading(), bots }
    }

    #[test]
    fn two_to_twenty_bots_are_legible() {
        for count in 2..=20 {
            plot(count).draw().assert_legible();
        }
    }

    #[test]
    fn labels_are_in_the_svg_the_best_first() {
        let svg = plot(3).draw().to_svg().expect("drawn");
        for label in ["Win rates", "two-ply", "50.0 %", "100.0 %", "120", "95 % interval"] {
            assert!(svg.contains(label), "{label}");
        }
        let at = |text: &str| svg.find(text).expect("drawn");
        assert!(at("100.0 %") < at("50.0 %"));
    }

    #[test]
    fn a_bot_without_games_has_no_point() {
        let none = WinRate { name: "idle".into(), games: 0, rate: None, interval: None };
        let plot = WinRates { heading: heading(), bots: vec![none] };
        let drawing = plot.draw();
        drawing.assert_legible();
        assert!(!drawing.shapes.iter().any(|s| matches!(s, super::super::Shape::Disc { .. })));
        assert!(drawing.to_svg().expect("drawn").contains("no games"));
        WinRates::default().draw().assert_legible();
    }

    #[test]
    #[ignore = "writes pictures to look at into target/plots"]
    fn gallery() {
        for count in [2, 6, 20] {
            super::super::tests::save(&plot(count).draw(), &format!("win-rates-{count}"));
        }
    }
}
