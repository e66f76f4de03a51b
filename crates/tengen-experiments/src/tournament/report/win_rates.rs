//! Win rates: with their confidence intervals, one row per bot, and of each bot against each other.

use crate::report::plots::drawing::{Anchor, Drawing, MARGIN, Point, Shape, line_height, size};
use crate::report::plots::palette::{self, GREY, GRID, INK};
use crate::report::plots::{Heading, text};
use crate::tournament::report::summary::{Line, Summary};
use tengen_stats::{Interval, percent};

const WIDTH: f64 = 1040.0;
/// The least width of a cross-table.
const MIN_WIDTH: f64 = 640.0;
/// The largest width of a line of a name.
const NAME_WIDTH: f64 = 330.0;
const GAP: f64 = 18.0;
const TABLE_GAP: f64 = 12.0;
const HEADS: [&str; 3] = ["win rate", "95 % interval", "games"];

/// Each bot's win rate against all opponents together, one row per bot, the best first: name, win
/// rate with error bar, figures. `conditions` are the subtitle.
#[must_use]
pub fn draw_win_rates(summary: &Summary, conditions: &str) -> Drawing {
    let bots: Vec<&Line> = summary.by_win_rate().collect();
    let names: Vec<_> =
        bots.iter().map(|line| text::wrap(&line.bot, size::LABEL, NAME_WIDTH, 3)).collect();
    let columns: Vec<[String; 3]> = bots.iter().map(|line| columns(line)).collect();

    let mut drawing = Drawing::new(WIDTH);
    let heading = Heading::new("Win rate against all opponents", conditions);
    let top = drawing.heading(&heading) + 26.0;
    let left = MARGIN + longest(names.iter().flatten().map(String::as_str)).max(60.0) + GAP;
    let mut right = WIDTH - MARGIN;
    let column_ends = [2, 1, 0].map(|i| {
        let end = right;
        right -= longest(columns.iter().map(|row| row[i].as_str()).chain([HEADS[i]])) + GAP;
        end
    });
    right -= 8.0;
    let across = |rate: f64| left + (right - left) * rate;
    let heights = names.iter().map(|name| line_height(size::LABEL) * name.len() as f64 + 12.0);
    let heights: Vec<f64> = heights.map(|height| height.max(34.0)).collect();
    let bottom = top + heights.iter().sum::<f64>() + 4.0;

    let step = if right - left > 440.0 { 10 } else { 25 };
    for percent in (0..=100).step_by(step) {
        let x = across(f64::from(percent) / 100.0);
        drawing.line((x, top), (x, bottom), 1.0, GRID);
        drawing.text((x, bottom + 14.0), percent.to_string(), size::SMALL, INK, Anchor::Center);
    }
    let middle = across(0.5);
    drawing.dashed((middle, top - 4.0), (middle, bottom), 1.5, INK);
    drawing.line((left, bottom), (right, bottom), 1.0, INK);
    let label = "win rate in %, a jigo counts half; bars: 95 % interval";
    drawing.text((middle, bottom + 38.0), label, size::SMALL, GREY, Anchor::Center);
    for (end, head) in column_ends.iter().zip(HEADS.iter().rev()) {
        drawing.text((*end, top - 14.0), *head, size::SMALL, GREY, Anchor::Right);
    }
    let mut y = top;
    for (((line, name), columns), height) in bots.iter().zip(&names).zip(&columns).zip(heights) {
        y += height / 2.0;
        drawing.lines((left - GAP, y), name, size::LABEL, Anchor::Right);
        if let Some(rate) = line.win_rate() {
            let color = palette::series(0);
            if let Some(Interval { low, high }) = line.interval().map(|ends| ends.map(across)) {
                drawing.line((low, y), (high, y), 2.0, color);
                for end in [low, high] {
                    drawing.line((end, y - 5.0), (end, y + 5.0), 2.0, color);
                }
            }
            drawing.shapes.push(Shape::Disc { center: (across(rate), y), radius: 5.0, color });
        }
        for (end, cell) in column_ends.iter().zip(columns.iter().rev()) {
            drawing.text((*end, y), cell.as_str(), size::LABEL, INK, Anchor::Right);
        }
        y += height / 2.0;
    }
    drawing.end_at(bottom + 46.0)
}

/// Rate, interval and games as text; a missing value is empty.
fn columns(line: &Line) -> [String; 3] {
    let interval = line.interval().map_or(String::new(), |Interval { low, high }| {
        format!("{:.1} – {:.1}", 100.0 * low, 100.0 * high)
    });
    let games = match line.games.count() {
        0 => "no games".to_owned(),
        games => text::number(games as f64),
    };
    [line.win_rate().map_or(String::new(), percent), interval, games]
}

fn longest<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(|t| text::width(t, size::LABEL)).fold(0.0, f64::max)
}

/// The cross-table of win rates, row bot against column bot, the bot with the highest win rate
/// first: one coloured square per pairing with games, and a colour scale. `conditions` are the
/// subtitle.
#[must_use]
pub fn draw_cross_table(summary: &Summary, conditions: &str) -> Drawing {
    let bots: Vec<&str> = summary.by_win_rate().map(|line| line.bot.as_str()).collect();
    let side = match bots.len() {
        0..=6 => 88.0,
        7..=12 => 64.0,
        _ => 50.0,
    };
    let names: Option<Vec<_>> = bots.iter().map(|name| column_head(name, side)).collect();
    let has_names = names.is_some();
    let rows = bots.iter().zip(1..).map(|(name, i)| {
        let name = if has_names { (*name).to_owned() } else { format!("{i}  {name}") };
        text::wrap(&name, size::SMALL, NAME_WIDTH, 3)
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let widths = rows.iter().flatten().map(|line| text::width(line, size::SMALL));
    let left = MARGIN + widths.fold(40.0, f64::max) + TABLE_GAP;
    let table = side * bots.len() as f64;
    let mut drawing = Drawing::new((left + table + 100.0).max(MIN_WIDTH));
    let heading = Heading::new("Win rate of the row against the column", conditions);
    let mut top = drawing.heading(&heading) + 12.0;
    let heads = names.unwrap_or_else(|| (1..=bots.len()).map(|i| vec![i.to_string()]).collect());
    let lines = heads.iter().map(Vec::len).max().unwrap_or(1);
    let half = line_height(size::SMALL) * lines as f64 / 2.0;
    top += if has_names { half } else { 0.0 };
    for (i, head) in heads.iter().enumerate() {
        let x = left + side * (i as f64 + 0.5);
        drawing.lines((x, top), head, size::SMALL, Anchor::Center);
    }
    top += half + 6.0;

    let corner = |row: usize, column: usize| (left + side * column as f64, top + side * row as f64);
    for (i, row) in rows.iter().enumerate() {
        let (_, y) = corner(i, 0);
        drawing.lines((left - TABLE_GAP, y + side / 2.0), row, size::SMALL, Anchor::Right);
    }
    let place = |name: &str| bots.iter().position(|bot| *bot == name);
    for line in &summary.pairings {
        let opponent = line.opponent.as_deref().and_then(place);
        if let (Some(one), Some(other), Some(rate)) = (place(&line.bot), opponent, line.win_rate())
        {
            let games = line.games.count();
            cell(&mut drawing, corner(one, other), side, (rate, games));
            cell(&mut drawing, corner(other, one), side, (1.0 - rate, games));
        }
    }
    for i in 0..=bots.len() {
        let at = side * i as f64;
        drawing.line((left, top + at), (left + table, top + at), 1.0, GRID);
        drawing.line((left + at, top), (left + at, top + table), 1.0, GRID);
    }
    let height = table.max(150.0);
    let labels = [0, 25, 50, 75, 100].map(|part| (f64::from(part) / 100.0, part.to_string()));
    let at = (left + table + 28.0, top);
    drawing.color_scale(at, (height.min(320.0), 50), palette::diverging, labels);
    let note = "row bot's win rate against the column bot in %; blank: no games";
    let below = top + height + 18.0;
    drawing.text((MARGIN, below), note, size::SMALL, GREY, Anchor::Left);
    drawing.end_at(below)
}

/// A name over a column, if it fits in two lines.
fn column_head(name: &str, side: f64) -> Option<Vec<String>> {
    let lines = text::wrap(name, size::SMALL, side - 8.0, 2);
    let whole = lines.iter().map(|line| line.trim().len()).sum::<usize>();
    let wanted = name.split_whitespace().map(str::len).sum::<usize>();
    (whole >= wanted && !lines.iter().any(|line| line.ends_with('…'))).then_some(lines)
}

/// One filled square with the win rate, and with the number of games if there is room.
fn cell(drawing: &mut Drawing, (x, y): Point, side: f64, (rate, games): (f64, u64)) {
    let background = palette::diverging(rate);
    let ink = palette::ink_on(background);
    drawing.rectangle((x, y), (x + side, y + side), background);
    let (x, y) = (x + side / 2.0, y + side / 2.0);
    if side > 60.0 {
        let games = format!("n = {}", text::number(games as f64));
        drawing.text((x, y - 9.0), percent(rate), 18.0, ink, Anchor::Center);
        drawing.text((x, y + 12.0), games, 13.0, ink, Anchor::Center);
    } else {
        drawing.text((x, y), format!("{:.0}", 100.0 * rate), 17.0, ink, Anchor::Center);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plots::tests::names;
    use tengen_stats::{Games, Pairs};

    /// A tournament with 16 games in each pairing, in which the later bot is the stronger one.
    fn summary(names: &[String]) -> Summary {
        let last = names.len() - 1;
        let line = |bot: &str, opponent: Option<&str>, wins: usize, of: usize| {
            let (wins, losses) = ((16 * wins / of) as u64, 16 - (16 * wins / of) as u64);
            let pairs = Pairs::without_draws([losses / 2, losses % 2, wins / 2]);
            let opponent = opponent.map(str::to_owned);
            let games = Games { losses, draws: 0, wins };
            Line { bot: bot.to_owned(), opponent, games, pairs, ..Line::default() }
        };
        let bots = names.iter().enumerate().map(|(i, bot)| line(bot, None, i, last)).collect();
        let all = (0..=last).flat_map(|j| (0..j).map(move |i| (i, j)));
        let pairing =
            |(i, j): (usize, usize)| line(&names[i], Some(&names[j]), last + i - j, 2 * last);
        Summary { bots, pairings: all.map(pairing).collect(), ..Summary::default() }
    }

    #[test]
    fn two_to_twenty_bots_are_legible() {
        for count in 2..=20 {
            draw_win_rates(&summary(&names(count)), "5×5").assert_legible();
        }
    }

    #[test]
    fn labels_are_in_the_svg_the_best_first() {
        let svg = draw_win_rates(&summary(&names(3)), "5×5").to_svg();
        for label in ["Win rate against", "two-ply", "50.0 %", "100.0 %", "32", "95 % interval"] {
            assert!(svg.contains(label), "{label}");
        }
        let at = |text: &str| svg.find(text).expect("drawn");
        assert!(at("100.0 %") < at("50.0 %"));
    }

    #[test]
    fn a_bot_without_games_has_no_point() {
        let idle = Line { bot: "idle".to_owned(), ..Line::default() };
        let drawing = draw_win_rates(&Summary { bots: vec![idle], ..Summary::default() }, "5×5");
        drawing.assert_legible();
        assert!(!drawing.shapes.iter().any(|s| matches!(s, Shape::Disc { .. })));
        assert!(drawing.to_svg().contains("no games"));
    }

    #[test]
    fn cross_tables_of_two_to_twenty_bots_are_legible() {
        for count in 2..=20 {
            draw_cross_table(&summary(&names(count)), "5×5").assert_legible();
            let short: Vec<String> = (0..count).map(|i| format!("bot-{i}")).collect();
            draw_cross_table(&summary(&short), "5×5").assert_legible();
        }
    }

    #[test]
    fn rates_are_written_the_best_bot_first_and_missing_cells_are_blank() {
        let mut summary = summary(&names(5));
        summary.pairings.pop();
        let svg = draw_cross_table(&summary, "5×5").to_svg();
        for label in ["Win rate of the row", "62.5 %", "37.5 %", "n = 16", "blank: no games"] {
            assert!(svg.contains(label), "{label}");
        }
        assert_eq!(svg.matches("n = 16").count(), 5 * 4 - 2);
        assert!(svg.find("exploration=0.2").unwrap() < svg.find("random").unwrap());
    }
}
