//! The plots and the report of a run of convergence.

use crate::convergence::{
    Convergence, POSITIONS, PositionRow, Settings, SolvedPosition, SummaryRow, answers,
    random_moves, read as read_positions, summarize,
};
use crate::report::cells::{Cells, read};
use crate::report::files::{Declaration, Extent, Files, Found, RowsFile, rows_of, text};
use crate::report::groups;
use crate::report::page::{Page, picture};
use crate::report::plots::{Axis, DataPoint, Heading, Lines, Plots, ReferenceLine, Scale, Series};
use crate::report::text::Align::{Left, Right};
use crate::report::text::TextTable;
use crate::run::{RunDirectory, RunError};
use maud::{Markup, html};
use serde_json::{Value, json};
use tengen_go::Size;
use tengen_settings::Settings as _;
use tengen_stats::{Interval, percent, percent_range};
use toml::Table;

pub(crate) const KIND: Declaration = Declaration {
    name: "convergence",
    keys: &["convergence"],
    table: "summary.csv",
    own_table: Some("searches.csv"),
    rows: Some(RowsFile::of::<Convergence>(extent)),
    card,
    brief: |rows, _| fewest(rows),
};

/// One quantity of a summary row with its interval; none if the bot does not have it.
type Quantity = fn(&SummaryRow) -> Option<(f64, Interval)>;

/// The quantities that are plotted: name, title, unit and value.
const QUANTITIES: [(&str, &str, &str, Quantity); 3] = [
    ("optimal", "Moves that keep the exact value", "share of the searches", |row| {
        Some((row.optimal, row.optimal_interval()))
    }),
    ("regret", "Points given away by the chosen move", "points, mean", |row| {
        Some((row.regret, row.regret_interval()))
    }),
    ("value_error", "Error of the value at the root", "1 less the mean reward", |row| {
        let interval = Interval { low: row.value_error_low?, high: row.value_error_high? };
        Some((row.value_error?, interval))
    }),
];

/// The plots of `summary` with the names of their files: share of optimal moves, regret and error of
/// the root value. They are against simulations, three for each size; or against the points of the
/// board, where bots move by their own settings.
#[must_use]
pub fn plots(settings: &Settings, summary: &[SummaryRow]) -> Plots {
    if settings.simulations.is_none() {
        let rows: Vec<&SummaryRow> = summary.iter().collect();
        let by_points = |quantity: &(&str, &str, &'static str, Quantity)| {
            let &(name, title, ..) = quantity;
            let mut plot = Lines {
                heading: Heading::new(title, conditions(settings)),
                x: Axis::new("points of the board", Scale::Whole),
                ..lines(settings, &rows, quantity, |row| Some(row.size.points() as f64))
            };
            plot.series.retain(|series| !series.points.is_empty());
            (!plot.series.is_empty()).then(|| (name.to_owned(), plot.draw()))
        };
        return QUANTITIES.iter().filter_map(by_points).collect();
    }
    let of_size = |(size, rows): &(Size, Vec<&SummaryRow>)| {
        let positions = rows.first().map_or(0, |row| row.positions);
        let subtitle = format!("{positions} {}", conditions(settings));
        QUANTITIES.map(|quantity @ (name, title, ..)| {
            let plot = Lines {
                heading: Heading::new(format!("{title} on {size}"), &subtitle),
                x: Axis::new("simulations", Scale::Log2),
                ..lines(settings, rows, &quantity, |row| Some(row.simulations? as f64))
            };
            (format!("{name}-{size}"), plot.draw())
        })
    };
    groups(summary, |row| row.size).iter().flat_map(of_size).collect()
}

/// A line per bot of a quantity of its `rows` against `x`, without the heading and the x axis.
fn lines(
    settings: &Settings,
    rows: &[&SummaryRow],
    &(name, _, unit, quantity): &(&str, &str, &'static str, Quantity),
    x: fn(&SummaryRow) -> Option<f64>,
) -> Lines {
    let series = settings.bot.iter().map(|bot| {
        let own = rows.iter().filter(|row| row.bot == bot.name);
        let point = |row: &SummaryRow| {
            let (y, interval) = quantity(row)?;
            Some(DataPoint::new(x(row)?, y, Some(interval)))
        };
        let mut points: Vec<DataPoint> = own.copied().filter_map(point).collect();
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        Series::line(bot.name.as_str(), points)
    });
    let goal = (name == "optimal").then(|| ReferenceLine::new(0.95, "95 %"));
    Lines {
        y: Axis::new(unit, Scale::Linear),
        series: series.collect(),
        references: goal.into_iter().collect(),
        ..Lines::default()
    }
}

/// The conditions of a plot, after the number of positions.
fn conditions(settings: &Settings) -> String {
    format!(
        "solved positions, searches of each by each bot: {}; komi so that only a move that keeps the \
         value wins; 95 % intervals over positions; seed {}",
        settings.searches, settings.seed
    )
}

/// The report of a run of `settings`, which searched `positions`, as an HTML page.
pub fn report(
    settings: &Settings,
    positions: &[SolvedPosition],
    summary: &[SummaryRow],
) -> Result<String, RunError> {
    let sections = html! {
        h2 { "Plots" }
        @for (_, drawing) in plots(settings, summary) {
            (picture(&drawing))
        }
        @for (size, share, regret) in random_moves(positions) {
            h2 { "Moves that keep the exact value on " (size) }
            p {
                "For comparison: a random legal move keeps it in " (percent(share))
                " and gives away " (format!("{regret:.1}")) " points."
            }
            @if settings.simulations.is_some() {
                (table(settings, summary, size))
            } @else {
                (moves_table(summary.iter().filter(|row| row.size == size)).to_html())
            }
        }
    };
    let page = Page {
        name: &settings.name,
        conditions: "Positions of small boards in which the exact value of every move is known, by \
                     area score, simple ko, suicide forbidden. Komi is set so that the player to \
                     move wins by half a point with the moves that keep the value, and loses with \
                     all others.",
        answer: answers(settings, summary),
        note: html! {
            "Intervals hold the true value in 95 of 100 such samples of positions."
        },
        sections,
        files: &[
            ("Who made it, when, where and from which commit", "manifest.toml"),
            ("All figures with their intervals", "summary.csv"),
            ("Those by position", "searches.csv"),
            ("The positions", "positions.csv"),
        ],
        command: "tengen convergence --config config.toml --positions positions.csv",
        config: &toml::to_string(settings)?,
    };
    Ok(page.to_html())
}

/// Share of optimal moves and regret of bots that move by their own settings, a row per size and bot.
#[must_use]
pub fn moves_table<'a>(rows: impl IntoIterator<Item = &'a SummaryRow>) -> TextTable {
    let ends = |Interval { low, high }| format!("{low:.2} .. {high:.2}");
    TextTable::of(
        rows,
        &[
            ("size", Left, &|row| row.size.to_string()),
            ("bot", Left, &|row| row.bot.clone()),
            ("positions", Right, &|row| row.positions.to_string()),
            ("optimal", Right, &|row| percent(row.optimal)),
            ("95 % interval", Right, &|row| percent_range(row.optimal_interval())),
            ("regret", Right, &|row| format!("{:.2}", row.regret)),
            ("95 % interval", Right, &|row| ends(row.regret_interval())),
        ],
    )
}

/// Share of optimal moves and regret, a row per number of simulations.
fn table(settings: &Settings, summary: &[SummaryRow], size: Size) -> Markup {
    let cell = |bot: &str, simulations: Option<u64>| {
        summary
            .iter()
            .find(|row| row.size == size && row.bot == bot && row.simulations == simulations)
    };
    html! {
        table {
            tr { th { "simulations" } @for bot in &settings.bot { th { (bot.name) } } }
            @for simulations in settings.budgets() {
                tr {
                    td { (simulations.unwrap_or_default()) }
                    @for row in settings.bot.iter().filter_map(|bot| cell(&bot.name, simulations)) {
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

/// The result of the run of `settings` in `directory`, as a JSON object: folder, answers in
/// sentences, and the rows of `summary.csv`.
#[must_use]
pub fn json(directory: &RunDirectory, settings: &Settings, summary: &[SummaryRow]) -> Value {
    json!({
        "folder": directory.path().to_string_lossy(),
        "answers": answers(settings, summary),
        "summary": summary,
    })
}

/// How many simulations find the exact value: from `summary.csv`, or, before it is written, from
/// the searches.
fn card(config: &Table, files: &dyn Files) -> Result<Found, String> {
    let settings = Settings::from_table(config.clone());
    let settings = settings.map_err(|fault| format!("config.toml: {fault}"))?;
    let mut summary: Vec<SummaryRow> = read(files, "summary.csv")?;
    if summary.is_empty() {
        let positions = positions(files)?;
        let rows: Vec<PositionRow> = rows_of(files, "searches.csv")?;
        if rows.is_empty() || rows.iter().any(|row| !(1..=positions.len()).contains(&row.position))
        {
            return Ok(Found::default());
        }
        summary = summarize(&settings, &positions, &rows);
    }
    Ok((answers(&settings, &summary), plots(&settings, &summary)))
}

/// The positions of a run, each with a row for every bot and number of simulations. The bots are
/// counted and not read: they may be registered in another program, or name files.
fn extent(config: &Table, files: &dyn Files) -> Option<Extent> {
    // Settings without simulations have no doublings.
    let doublings = config.get("doublings").and_then(toml::Value::as_integer).unwrap_or(0);
    let doublings = usize::try_from(doublings).ok()?;
    let rows_per_unit =
        config.get("bot")?.as_array()?.len().checked_mul(doublings.checked_add(1)?)?;
    let units = positions(files).ok()?.len();
    (units > 0).then_some(Extent { units, rows_per_unit })
}

/// The positions of a run; none before it has written them.
fn positions(files: &dyn Files) -> Result<Vec<SolvedPosition>, String> {
    let text = text(files, POSITIONS)?.unwrap_or_default();
    read_positions(&text).map_err(|fault| format!("{POSITIONS}: {fault}"))
}

/// The bot that needs the fewest simulations for 95 % optimal moves; the one with most optimal moves
/// where none has them, or where bots move by their own settings.
fn fewest(rows: &[Cells]) -> Option<String> {
    let optimal = |row: &Cells| row.number("optimal").unwrap_or(0.0);
    let has_budget = |row: &&Cells| row.number("playouts").is_some();
    let reached = rows.iter().filter(has_budget).filter(|row| optimal(row) >= 0.95);
    let fewest = reached.min_by(|one, other| {
        let simulations = |row: &Cells| row.number("playouts").unwrap_or(f64::INFINITY);
        simulations(one)
            .total_cmp(&simulations(other))
            .then(optimal(other).total_cmp(&optimal(one)))
    });
    if let Some(row) = fewest {
        return Some(format!("{} finds 95 % with {}", row.text("bot"), row.text("playouts")));
    }
    let best = rows.iter().max_by(|one, other| optimal(one).total_cmp(&optimal(other)))?;
    Some(format!("{} finds {} %", best.text("bot"), best.percent("optimal")?))
}
