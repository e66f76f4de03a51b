//! The report of the experiment.

use crate::convergence_plots::plots;
use crate::{page, picture};
use maud::{Markup, html};
use tengen_go::Size;
use tengen_harness::convergence::Settings;
use tengen_harness::convergence::SolvedPosition;
use tengen_harness::convergence::{SummaryRow, answers, random_moves};
use tengen_stats::{percent, percent_range};

/// The content of a report.
pub struct Report<'a> {
    /// The settings of the run.
    pub settings: &'a Settings,
    /// The positions that were searched.
    pub positions: &'a [SolvedPosition],
    /// What came out.
    pub summary: &'a [SummaryRow],
}

impl Report<'_> {
    /// The page.
    ///
    /// # Errors
    /// If the drawing library refuses a plot, or the settings have no form as text.
    pub fn to_html(&self) -> Result<String, String> {
        let drawings: Result<Vec<Markup>, String> = plots(self.settings, self.summary)
            .iter()
            .map(|(_, drawing)| picture(drawing))
            .collect();
        let config = self.settings.to_toml().map_err(|fault| fault.to_string())?;
        let body = html! {
            p.conditions {
                "Positions of small boards in which the exact value of every move is known, by area \
                 score, simple ko, suicide forbidden. Komi is set so that the player to move wins by \
                 half a point with the moves that keep the value, and loses with all others."
            }
            div.answer {
                @for sentence in answers(self.settings, self.summary) {
                    p { (sentence) }
                }
                p.note { "Intervals hold the true value in 95 of 100 such samples of positions." }
            }
            h2 { "Plots" }
            @for drawing in drawings? {
                (drawing)
            }
            @for (size, share, regret) in random_moves(self.positions) {
                h2 { "Moves that keep the exact value on " (size) }
                p {
                    "For comparison: a random legal move keeps it in " (percent(share))
                    " and gives away " (format!("{regret:.1}")) " points."
                }
                (self.table(size))
            }
            h2 { "Settings" }
            p {
                "Who made it, when, where and from which commit: "
                a href="manifest.toml" { "manifest.toml" }
                ". All figures with their intervals: " a href="summary.csv" { "summary.csv" }
                ", by position: " a href="searches.csv" { "searches.csv" }
                ", the positions: " a href="positions.csv" { "positions.csv" }
                ". To repeat it at that commit: "
                code { "convergence --config config.toml --positions positions.csv" }
                "."
            }
            pre { (config) }
        };
        Ok(page(&self.settings.name, &body))
    }

    /// Share of optimal moves and regret, a row per number of playouts.
    fn table(&self, size: Size) -> Markup {
        let cell = |bot: &str, playouts: u64| {
            self.summary
                .iter()
                .find(|row| row.size == size && row.bot == bot && row.playouts == playouts)
        };
        html! {
            table {
                tr {
                    th { "playouts" }
                    @for bot in &self.settings.bot {
                        th { (bot.name) }
                    }
                }
                @for playouts in self.settings.budgets() {
                    tr {
                        td { (playouts) }
                        @for bot in &self.settings.bot {
                            @if let Some(row) = cell(&bot.name, playouts) {
                                td {
                                    (percent(row.optimal)) br;
                                    (percent_range(row.optimal_interval())) br;
                                    (format!("-{:.2} points", row.regret))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
