//! The answer of a run in a few words, from its most telling table.

use super::played::{factor, highest, summary};
use super::readme::question_and_answer;
use super::table::{Cells, parse};
use super::tuned::regrets;
use super::{Files, Kind};
use crate::speed::Repeats;
use std::collections::BTreeMap;
use tengen_optimize::tuning::short;
use toml::Table;

/// The longest answer of a study, in characters.
const MAX_SENTENCE: usize = 90;

/// The answer of a run of `kind` in a few words. `text` is the contents of its [`Kind::table`] or
/// of `summary.csv`. None if that table has no answer yet.
#[must_use]
pub fn brief(kind: Kind, text: &str) -> Option<String> {
    if kind == Kind::Study {
        let (question, answer) = question_and_answer(text);
        return Some(sentence(&answer.or(question)?));
    }
    let rows: Vec<Cells> = parse("", text).ok()?;
    match kind {
        Kind::Scaling if !rows.first()?.text("scheme").is_empty() => speedups(&rows),
        Kind::Tournament | Kind::Scaling => strongest(&rows),
        Kind::Tuning => optima(text.lines().next()?, rows.last()?),
        Kind::Learning => rounds(&rows),
        Kind::Convergence => fewest(&rows),
        Kind::Speed => fastest(&rows, "simulations", &["config"]),
        Kind::Playouts => fastest(&rows, "playouts", &["isa", "policy", "stop"]),
        Kind::Synthetic => {
            let (method, points) = regrets(&rows).into_iter().next()?;
            Some(format!("{method} loses least: {:.4}", points.last()?.1))
        }
        Kind::Study => None,
    }
}

/// The answer of a tournament in a few words, computed from its games: for a run without a stored
/// `summary.csv`.
#[must_use]
pub fn brief_of_games(config: &Table, files: &impl Files) -> Option<String> {
    brief(Kind::Tournament, &summary(config, files)?)
}

/// The first sentence of `text`, cut at [`MAX_SENTENCE`].
fn sentence(text: &str) -> String {
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    let whole = &text[..end];
    let cut: String = whole.chars().take(MAX_SENTENCE).collect();
    if cut.len() == whole.len() {
        return cut;
    }
    let words = cut.rfind(' ').map_or(cut.as_str(), |end| &cut[..end]);
    words.trim_end_matches([' ', ',', ';', ':']).to_owned() + "…"
}

/// A share in percent.
fn percent(row: &Cells, name: &str) -> Option<String> {
    row.number(name).map(|share| format!("{:.1}", 100.0 * share))
}

/// The bot with the highest win rate.
fn strongest(rows: &[Cells]) -> Option<String> {
    let bots = rows.iter().filter(|row| row.text("kind") == "bot");
    let best = bots.filter_map(|row| Some((row.number("win_rate")?, row)));
    let (_, best) = best.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let rate = percent(best, "win_rate")?;
    let ends = percent(best, "win_rate_low").zip(percent(best, "win_rate_high"));
    let ends = ends.map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
    Some(format!("{} wins {rate} %{ends}", best.text("bot")))
}

/// The strength-speedup of each kind of parallel search.
fn speedups(rows: &[Cells]) -> Option<String> {
    let rows = highest(rows);
    let work = rows.first()?.text("work");
    let first = rows.iter().filter(|row| row.text("work") == work);
    let each = first.filter_map(|row| {
        Some(format!("{}-{} {}", row.text("scheme"), row.text("n"), factor(row)?))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| each.join(", "))
}

/// The optimum of each parameter by the last row of `estimate.csv`, whose first line is `heading`.
fn optima(heading: &str, row: &Cells) -> Option<String> {
    let parameters = heading.split(',').filter_map(|column| column.strip_suffix("_flat"));
    let each = parameters.filter_map(|name| {
        let number = |end: &str| row.number(&format!("{name}{end}")).map(short);
        if row.text(&format!("{name}_flat")) == "true" {
            return Some(format!("no clear optimum of {name}"));
        }
        Some(format!("{name} {} ({} to {})", number("")?, number("_low")?, number("_high")?))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| each.join(", "))
}

/// How many rounds were accepted, and how well the last one predicts.
fn rounds(rows: &[Cells]) -> Option<String> {
    let accepted = rows.iter().filter(|row| row.text("accepted") == "true").count();
    let top =
        percent(rows.last()?, "top_1").map_or(String::new(), |top| format!(", predicts {top} %"));
    Some(format!("{accepted} of {} rounds accepted{top}", rows.len()))
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
    Some(format!("{} finds {} %", best.text("bot"), percent(best, "optimal")?))
}

/// The configuration with the highest median speed on the first board size, with the fewest
/// threads.
fn fastest(rows: &[Cells], what: &str, columns: &[&str]) -> Option<String> {
    let size = rows.first()?.text("size");
    let threads = |row: &Cells| row.number("threads").unwrap_or(1.0);
    let rate = |row: &Cells| {
        let wall = row.number(&format!("{what}_per_second")).map(|rate| rate / threads(row));
        row.number(&format!("{what}_per_cpu_second")).or(wall).unwrap_or(0.0)
    };
    let mut rates: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let own: Vec<&Cells> = rows.iter().filter(|row| row.text("size") == size).collect();
    let fewest = own.iter().map(|row| threads(row)).fold(f64::INFINITY, f64::min);
    for row in own.into_iter().filter(|row| threads(row) <= fewest) {
        let names = columns.iter().map(|name| row.text(name));
        let names = names.filter(|name| !["", "uniform", "none"].contains(name));
        rates.entry(names.collect::<Vec<_>>().join(" ")).or_default().push(rate(row));
    }
    // The median of the repeats, as in the sentences of the run itself.
    let medians = rates.into_iter().map(|(names, rates)| (names, Repeats::of(rates).median()));
    let (names, best) = medians.max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some(format!("{size}: {names} {:.0} thousand {what}/s", best / 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        let words = "tengen ".repeat(20);
        let cut = sentence(&format!("{words}. More."));
        assert!(cut.chars().count() <= MAX_SENTENCE + 1 && cut.ends_with(" tengen…"), "{cut}");
        assert_eq!(sentence("Short. More."), "Short.");
    }

    #[test]
    fn answers_are_a_few_words() {
        let said = |kind, text: &str| brief(kind, text).unwrap_or_default();
        let summary = "kind,bot,opponent,win_rate,win_rate_low,win_rate_high\n\
                       bot,a,,0.25,0.2,0.3\nbot,b,,0.75,0.7,0.8\npairing,b,a,0.99,,\n";
        assert_eq!(said(Kind::Tournament, summary), "b wins 75.0 % (70.0 to 80.0)");
        assert_eq!(said(Kind::Tournament, "kind,bot\n"), "");
        let estimate = "games,c,c_low,c_high,c_flat\n8,0.3,0.1,0.9,true\n10,0.2,0.1,0.4,false\n";
        assert_eq!(said(Kind::Tuning, estimate), "c 0.2 (0.1 to 0.4)");
        let rounds = "round,accepted,top_1\n1,true,0.25\n2,false,0.3\n";
        assert_eq!(said(Kind::Learning, rounds), "1 of 2 rounds accepted, predicts 30.0 %");
        let speeds = "size,config,threads,simulations_per_second,simulations_per_cpu_second\n\
                      9x9,a,2,100000,\n9x9,b,2,90000,60000\n\
                      9x9,b,2,90000,62000\n9x9,b,2,90000,90000\n5x5,a,1,1000000,\n";
        assert_eq!(said(Kind::Speed, speeds), "9x9: b 62 thousand simulations/s");
        let page = format!("# x\n\nWhy?\n\nSince 0.5 is less. {}\n", "x ".repeat(99));
        assert_eq!(said(Kind::Study, &page), "Since 0.5 is less.");
        assert_eq!(said(Kind::Study, &"x ".repeat(99)).chars().count(), 90);
        assert_eq!(brief(Kind::Tuning, "games\n\"1"), None);
    }
}
