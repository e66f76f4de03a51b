//! The report of a learning run: what each round gained, how well the weights predict moves, and
//! the shapes with the largest weights.

use crate::learn::{CurveRow, Judge, Learning, PredictionRow, RoundRow, Study};
use crate::report::cells::{Cells, read};
use crate::report::files::{Declaration, Extent, Files, Found, RowsFile, rows_of};
use crate::report::page::{Page, picture};
use crate::report::plots::{Axis, DataPoint, Heading, Lines, Plots, ReferenceLine, Scale, Series};
use crate::report::text::Align::{Left, Right};
use crate::report::text::{Column, TextTable, elo_texts};
use crate::run::{Experiment, RunDirectory, RunError};
use maud::{Markup, html};
use serde_json::{Value, json};
use tengen_learn::{Row, WeightsFile, feature};
use tengen_stats::{Elo, Level, Pairs, percent, percent_range};

pub(crate) const KIND: Declaration = Declaration {
    name: "learning",
    keys: &["learn"],
    table: "rounds.csv",
    own_table: Some("rounds.csv"),
    rows: Some(RowsFile::of::<Learning>(|config, _| Extent::of_setting(config, "rounds"))),
    card: |_, files| card(files),
    brief: |rows, _| accepted(rows),
};

/// How many of the strongest shapes are drawn, and how many of the weakest.
const DRAWN: usize = 24;

/// How often a shape must have been seen to be drawn.
const SEEN: u64 = 100;

/// What came of a run, in sentences.
#[must_use]
pub fn answers(rows: &[RoundRow]) -> Vec<String> {
    rows.iter()
        .map(|row| {
            let RoundRow { round, positions, features, .. } = row;
            let predicted = match (row.top_1, row.top_5, row.log_loss) {
                (Some(one), Some(five), Some(loss)) => format!(
                    ", predict {} of the teacher's moves, {} among five, log loss {loss:.3}",
                    percent(one),
                    percent(five)
                ),
                _ => String::new(),
            };
            let told = told_of_match(row).map_or(String::new(), |told| format!("; {told}"));
            format!(
                "round {round}: {features} weights fitted to {positions} positions{predicted}{told}"
            )
        })
        .collect()
}

/// The match of a round, in words.
fn told_of_match(row: &RoundRow) -> Option<String> {
    let pairs = pairs(row)?;
    let opponent = match row.opponent.as_deref()? {
        "given" => "the student as it was given".to_owned(),
        round => format!("round {round}"),
    };
    let verdict = if row.accepted { "accepted" } else { "not accepted" };
    let (rate, interval) = (pairs.score()?, pairs.interval(Level::P95)?);
    Some(format!(
        "against {opponent} won {} of {} games ({}), {verdict}",
        percent(rate),
        2 * pairs.count(),
        percent_range(interval)
    ))
}

/// The plots of a run with the names of their files.
#[must_use]
pub fn plots(rows: &[RoundRow], study: &Study) -> Plots {
    let curve = study
        .curve
        .iter()
        .filter_map(|row| Some(DataPoint::new(row.positions as f64, row.log_loss?, None)));
    let judged = |judge| {
        let of = |row: &&PredictionRow| row.judge == judge && is_of_all(row);
        study.predictions.iter().find(of).and_then(|row| row.log_loss)
    };
    let reference =
        |judge: Judge| judged(judge).map(|loss| ReferenceLine::new(loss, judge.to_string()));
    let held_out = study.predictions.first().map_or(0, |row| row.positions);
    let learning = Lines {
        heading: Heading::new(
            "Log loss of the move that the teacher visited most".to_owned(),
            format!(
                "{held_out} held-out positions; log loss does not measure strength: a match does"
            ),
        ),
        x: Axis::new("positions learned from", Scale::Log2),
        y: Axis::new("mean of −ln P", Scale::Linear),
        series: vec![Series::line("learned", curve.collect())],
        references: [Judge::Heuristic, Judge::Uniform].into_iter().filter_map(reference).collect(),
    };
    let gains = rows.iter().filter_map(|row| {
        let pairs = pairs(row)?;
        let interval = pairs.interval(Level::P95)?;
        Some(DataPoint::new(row.round as f64, pairs.score()?, Some(interval)))
    });
    let rounds = Lines {
        heading: Heading::new(
            "Win rate of each round's weights".to_owned(),
            "against the last accepted ones, the first round against the student as it was given; \
             95 % intervals of pairs, of matches that a sequential test stopped"
                .to_owned(),
        ),
        x: Axis::new("round", Scale::Whole),
        y: Axis::new("win rate", Scale::Linear),
        series: vec![Series::line("student with the new weights", gains.collect())],
        references: vec![ReferenceLine::new(0.5, "even")],
    };
    let has_matches = rows.iter().any(|row| row.won.is_some());
    let curve = ("learning_curve".to_owned(), learning.draw());
    let rounds = has_matches.then(|| ("rounds".to_owned(), rounds.draw()));
    (!study.curve.is_empty()).then_some(curve).into_iter().chain(rounds).collect()
}

const fn is_of_all(row: &PredictionRow) -> bool {
    row.from_ply == 0 && row.below_ply.is_none()
}

/// The report of a run as an HTML page; `file` has its last weights.
pub fn report(
    learning: &Learning,
    rows: &[RoundRow],
    file: &WeightsFile,
    study: &Study,
) -> Result<String, RunError> {
    let sections = html! {
        h2 { "Plots" }
        @for (_, drawing) in plots(rows, study) { (picture(&drawing)) }
        h2 { "Rounds" }
        (rounds_table(rows).to_html())
        h2 { "Prediction of the move that the teacher visited most" }
        (prediction_table(&study.predictions).to_html())
        h2 { "Learning curve" }
        (curve_table(&study.curve).to_html())
        (shapes(file.weights.rows()))
        h2 { "Weights of the other features" }
        (others(file.weights.rows()).to_html())
    };
    let config = toml::to_string(&learning.config()?)?;
    let page = Page {
        name: &learning.settings.name,
        conditions: "Weights of features, fitted to the visits of the teacher's searches: exp of the \
                     sum of the weights of a move, divided by the sum over all moves, is its \
                     probability.",
        answer: answers(rows),
        note: html! {
            "One game of ten is held out. Positions of one game resemble each other, so that figures \
             of few games are less certain than they look."
        },
        sections,
        files: &[
            ("Who made it, when, where and from which commit", "manifest.toml"),
            ("What came of each round", "rounds.csv"),
            ("The weights", "weights.txt"),
            ("Prediction by stage of the game", "prediction.csv"),
            ("The learning curve", "learning_curve.csv"),
        ],
        command: "tengen learn --config config.toml",
        config: &config,
    };
    Ok(page.to_html())
}

fn optional(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.3}"))
}

fn shown(share: Option<f64>) -> String {
    share.map_or(String::new(), percent)
}

fn rounds_table(rows: &[RoundRow]) -> TextTable {
    let mut columns: Vec<Column<'_, &RoundRow>> = vec![
        ("round", Right, &|row| row.round.to_string()),
        ("games", Right, &|row| row.games.to_string()),
        ("positions", Right, &|row| row.positions.to_string()),
        ("features", Right, &|row| row.features.to_string()),
        ("against", Left, &|row| row.opponent.clone().unwrap_or_default()),
        ("pairs won, split, lost", Left, &|row| cells([row.won, row.split, row.lost])),
        ("win rate", Left, &|row| rate(row).unwrap_or_default()),
        ("Elo", Left, &|row| elo(row).unwrap_or_default()),
        ("accepted", Left, &|row| if row.accepted { "yes" } else { "no" }.to_owned()),
    ];
    if rows.iter().any(|row| row.watch_won.is_some()) {
        columns.push(("other opponent: pairs won, split, lost", Left, &|row| {
            cells([row.watch_won, row.watch_split, row.watch_lost])
        }));
    }
    TextTable::of(rows, &columns)
}

/// The pairs of the match of a round.
fn pairs(row: &RoundRow) -> Option<Pairs> {
    Some(Pairs::without_draws([row.lost?, row.split?, row.won?]))
}

fn cells(counts: [Option<u64>; 3]) -> String {
    let [Some(won), Some(split), Some(lost)] = counts else { return String::new() };
    format!("{won}, {split}, {lost}")
}

fn rate(row: &RoundRow) -> Option<String> {
    let pairs = pairs(row)?;
    let (rate, interval) = (pairs.score()?, pairs.interval(Level::P95)?);
    Some(format!("{} ({})", percent(rate), percent_range(interval)))
}

fn elo(row: &RoundRow) -> Option<String> {
    let pairs = pairs(row)?;
    let (rate, interval) = (pairs.score()?, pairs.interval(Level::P95)?);
    let [elo, interval] = elo_texts(Some((Elo::from_score(rate), Elo::interval(interval))), "to");
    Some(format!("{elo} ({interval})"))
}

fn prediction_table(rows: &[PredictionRow]) -> TextTable {
    let plies = |row: &&PredictionRow| match row.below_ply {
        None if row.from_ply == 0 => "all".to_owned(),
        None => format!("{} and more", row.from_ply),
        Some(below) => format!("{} to {}", row.from_ply, below - 1),
    };
    TextTable::of(
        rows,
        &[
            ("by", Left, &|row| row.judge.to_string()),
            ("plies", Left, &plies),
            ("positions", Right, &|row| row.positions.to_string()),
            ("log loss", Right, &|row| optional(row.log_loss)),
            ("top 1", Right, &|row| shown(row.top_1)),
            ("top 5", Right, &|row| shown(row.top_5)),
        ],
    )
}

fn curve_table(rows: &[CurveRow]) -> TextTable {
    TextTable::of(
        rows,
        &[
            ("positions", Right, &|row| row.positions.to_string()),
            ("log loss", Right, &|row| optional(row.log_loss)),
            ("top 1", Right, &|row| shown(row.top_1)),
            ("top 5", Right, &|row| shown(row.top_5)),
        ],
    )
}

/// The shapes of the highest and of the lowest weights.
fn shapes(rows: &[Row]) -> Markup {
    let mut shapes: Vec<&Row> = rows
        .iter()
        .filter(|row| feature::kind(row.feature) == "shape" && row.seen >= SEEN)
        .collect();
    shapes.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    let most = shapes.len().min(DRAWN);
    let (strongest, weakest) = (&shapes[..most], &shapes[shapes.len() - most..]);
    html! {
        @for (title, shapes) in [("Strongest shapes", strongest), ("Weakest shapes", weakest)] {
            h2 { (title) }
            p {
                "Black is the player to move and plays at the cross; grey is off the board. Below stand \
                 the weight, and how many of the moves with this shape the teacher chose. Shapes seen "
                (SEEN) " times and more."
            }
            div style="display:flex;flex-wrap:wrap;gap:1em" {
                @for row in shapes { (shape(row)) }
            }
        }
    }
}

/// A shape with its weight.
fn shape(row: &Row) -> Markup {
    let (_, name) = feature::name(row.feature);
    let rows: Vec<&str> = name.split('/').collect();
    html! {
        figure style="margin:0;text-align:center;font-size:small" {
            svg width="62" height="62" viewBox="0 0 62 62" role="img" aria-label=(name) {
                rect width="62" height="62" fill="#e8c98a" {}
                @for (y, line) in rows.iter().enumerate() {
                    @for (x, sign) in line.chars().enumerate() {
                        (point(x, y, sign))
                    }
                }
            }
            figcaption {
                (format!("{:+.2}", row.weight)) br;
                (format!("{:.0} of {}", row.chosen, row.seen))
            }
        }
    }
}

/// The point in column `x` and row `y`, from the upper left corner.
fn point(x: usize, y: usize, sign: char) -> Markup {
    let (left, top) = (1 + 20 * x, 1 + 20 * y);
    let (cx, cy) = (left + 10, top + 10);
    html! {
        @if sign == '#' {
            rect x=(left) y=(top) width="20" height="20" fill="#999" {}
        } @else {
            path d=(format!("M{left} {cy}h20M{cx} {top}v20")) stroke="#6b4f1d" fill="none" {}
        }
        @match sign {
            'X' => { circle cx=(cx) cy=(cy) r="9" fill="#111" {} }
            'O' => { circle cx=(cx) cy=(cy) r="9" fill="#fff" stroke="#333" {} }
            '*' => {
                path d=(format!("M{} {}l10 10m0 -10l-10 10", cx - 5, cy - 5))
                    stroke="#b00" stroke-width="2.5" {}
            }
            _ => {}
        }
    }
}

/// The weights of all features except shapes and crossings, which are too many.
fn others(rows: &[Row]) -> TextTable {
    let mut others: Vec<&Row> = rows
        .iter()
        .filter(|row| !["shape", "crossing"].contains(&feature::kind(row.feature)))
        .collect();
    others.sort_by_key(|row| row.feature);
    let name = |row: &&Row| {
        let (kind, name) = feature::name(row.feature);
        format!("{kind} {name}")
    };
    TextTable::of(
        others,
        &[
            ("feature", Left, &name),
            ("weight", Right, &|row| format!("{:+.3}", row.weight)),
            ("moves that had it", Right, &|row| row.seen.to_string()),
            ("chosen", Right, &|row| format!("{:.0}", row.chosen)),
        ],
    )
}

/// The result of the rounds `rows` of the run in `directory`, as a JSON object: folder, the rows of
/// `rounds.csv`, and the setting `prior` by which bots use the accepted weights (null if no round
/// was accepted).
#[must_use]
pub fn json(directory: &RunDirectory, rows: &[RoundRow], prior: Option<&str>) -> Value {
    json!({ "folder": directory.path().to_string_lossy(), "rounds": rows, "prior": prior })
}

/// What came of each round; win rates and log loss by round, and the learning curve.
fn card(files: &dyn Files) -> Result<Found, String> {
    let rounds: Vec<RoundRow> = rows_of(files, "rounds.csv")?;
    if rounds.is_empty() {
        return Ok(Found::default());
    }
    let study = Study {
        predictions: read(files, "prediction.csv")?,
        curve: read(files, "learning_curve.csv")?,
    };
    let answer = answers(&rounds).into_iter().map(|said| said + ".").collect();
    let mut plots = plots(&rounds, &study);
    let losses =
        rounds.iter().filter_map(|row| Some(DataPoint::new(row.round as f64, row.log_loss?, None)));
    let losses: Vec<DataPoint> = losses.collect();
    if losses.len() > 1 {
        let lines = Lines {
            heading: Heading::new("Log loss of each round's weights", "held-out positions"),
            x: Axis::new("round", Scale::Whole),
            y: Axis::new("mean of −ln P", Scale::Linear),
            series: vec![Series::line("", losses)],
            references: Vec::new(),
        };
        plots.push(("loss".to_owned(), lines.draw()));
    }
    // The rounds first, which grow while the run goes on.
    plots.sort_by_key(|(name, _)| name != "rounds");
    Ok((answer, plots))
}

/// How many rounds were accepted, and how well the last one predicts.
fn accepted(rows: &[Cells]) -> Option<String> {
    let accepted = rows.iter().filter(|row| row.text("accepted") == "true").count();
    let top =
        rows.last()?.percent("top_1").map_or(String::new(), |top| format!(", predicts {top} %"));
    Some(format!("{accepted} of {} rounds accepted{top}", rows.len()))
}
