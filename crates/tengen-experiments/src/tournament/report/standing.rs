//! The standing of a tournament while it is played, as JSON.

use crate::report::text::json_rows;
use crate::tournament::report::RatingList;
use crate::tournament::report::costs::Costs;
use crate::tournament::report::{json_of_test, tested};
use crate::tournament::{GameRow, Outline};
use serde_json::{Value, json};

/// The most points of a curve.
const MAX_POINTS: usize = 500;

/// The standing of the tournament of `outline` after the games `rows`: the rows of `summary.csv`
/// and `ratings.csv`, the pairs of each pairing by result, the course of the sequential test, and
/// the cost of the games.
///
/// All figures but the costs are computed from the games that count, the longest complete prefix of
/// the schedule: the games that happen to end early are not a fair sample. After the run they equal
/// the figures in its files. The costs are those of all `rows`.
pub fn standing<'a>(
    outline: &Outline,
    rows: impl IntoIterator<Item = &'a GameRow>,
) -> Result<Value, String> {
    let schedule = outline.schedule();
    let mut all: Vec<&GameRow> = rows.into_iter().collect();
    if let Some(row) = all.iter().find(|row| row.pairing >= schedule.pairings().len()) {
        return Err(format!("game {} is of a pairing that the settings do not have", row.game));
    }
    all.sort_unstable_by_key(|row| row.game);
    let bots = outline.names();
    let cost = Costs::of(&bots, all.iter().copied()).to_json();
    let finished = all.len();
    let mut counted = outline.no_games();
    let mut curve = vec![(0, 0.0)];
    for row in all {
        counted.insert(row.clone());
        if let Some(test) = counted.test()
            && Some(test.pairs().count()) > curve.last().map(|&(pairs, _)| pairs)
        {
            curve.push((test.pairs().count(), test.llr()));
        }
    }
    let expected = counted.expected_games(schedule.games());
    let (rows, test) = counted.into_parts();
    let summary = tested(outline, &rows, test.as_ref());
    let ratings = RatingList::of(&bots, &rows);
    let pairings = summary.pairings.iter().map(|line| {
        let [lost, split, won] = line.pairs.by_result();
        json!({
            "bot": line.bot,
            "opponent": line.opponent,
            "won": won,
            "split": split,
            "lost": lost,
        })
    });
    let test = test.map(|test| {
        let mut object = json_of_test(&bots, &test, summary.pairings.first());
        object["curve"] = json!(thinned(&curve));
        object
    });
    Ok(json!({
        "conditions": outline.conditions(),
        "scheduled": schedule.games(),
        "expected": expected,
        "finished": finished,
        "counted": rows.len(),
        "void": summary.void,
        "pairings": pairings.collect::<Vec<_>>(),
        "summary": json_rows(summary.csv_rows()),
        "ratings": ratings.as_ref().ok().map(|ratings| json_rows(ratings.csv_rows())),
        "unrated": ratings.err().map(|why| why.to_string()),
        "test": test,
        "cost": cost,
    }))
}

/// At most [`MAX_POINTS`] points of `curve`, and its last one.
fn thinned<T: Copy>(curve: &[T]) -> Vec<T> {
    let step = curve.len().div_ceil(MAX_POINTS).max(1);
    let last = (curve.len() - 1) % step;
    curve.iter().skip(last).step_by(step).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::csv_text;
    use crate::tournament::report::summarize;
    use crate::tournament::report::testing;

    fn outline(settings: &str) -> Outline {
        testing::outline(settings, &["a", "b"])
    }

    /// Games in which "a" wins three of four pairs and loses the second game of every fourth pair.
    fn games(count: usize) -> Vec<GameRow> {
        let a_wins = |game: usize| game.is_multiple_of(2) || !(game / 2).is_multiple_of(4);
        (0..count).map(|game| testing::game(game, 0, ["a", "b"], a_wins(game))).collect()
    }

    #[test]
    fn the_figures_are_those_of_the_files() {
        let outline = outline("");
        let mut rows = games(20);
        let summary = summarize(&outline, &rows[..18]);
        let ratings = RatingList::of(&outline.names(), &rows[..18]).unwrap();
        // Games end in any order, and one is not finished.
        rows.remove(18);
        rows.reverse();
        let found = standing(&outline, &rows).unwrap();
        assert_eq!(found["summary"], json_rows(summary.csv_rows()));
        assert_eq!(found["ratings"], json_rows(ratings.csv_rows()));
        assert_eq!([&found["finished"], &found["counted"], &found["scheduled"]], [19, 18, 80]);
        let pairs = json!([{ "bot": "a", "opponent": "b", "won": 6, "split": 3, "lost": 0 }]);
        assert_eq!(found["pairings"], pairs);
        assert_eq!(found["test"], Value::Null);
        assert_eq!(found["cost"][0]["games"], 19);
        assert!(
            csv_text(summary.csv_rows())
                .unwrap()
                .contains(&found["summary"][0]["win_rate"].to_string())
        );
    }

    #[test]
    fn the_curve_ends_at_the_ratio() {
        let outline = outline("sprt = 'elo0=0 elo1=100'\n");
        let found = standing(&outline, &games(80)).unwrap();
        let test = &found["test"];
        let curve = test["curve"].as_array().unwrap();
        assert_eq!(curve[0], json!([0, 0.0]));
        assert_eq!(curve.last().unwrap()[1], test["llr"]);
        assert!(test["llr"].as_f64() >= test["upper"].as_f64(), "{test}");
        // Games after the decision do not count.
        let counted = usize::try_from(found["counted"].as_u64().unwrap()).unwrap();
        assert!(counted < 80 && counted == 2 * (curve.len() - 1), "{counted}");
        assert_eq!(found["expected"], counted);
    }

    #[test]
    fn without_games_nothing_is_claimed() {
        let found = standing(&outline("sprt = 'elo0=0 elo1=100'\n"), &[]).unwrap();
        assert_eq!(found["ratings"], Value::Null);
        assert!(found["unrated"].as_str().unwrap().contains("no games connect"));
        assert_eq!(found["test"]["curve"], json!([[0, 0.0]]));
        assert_eq!(found["cost"][0]["simulations"], Value::Null);
    }

    #[test]
    fn rows_of_another_run_are_refused() {
        let row = GameRow { pairing: 7, ..GameRow::example() };
        assert!(standing(&outline(""), &[row]).unwrap_err().contains("game 5"));
    }

    #[test]
    fn a_long_curve_keeps_its_last_point() {
        for length in [1, 2, 499, 500, 501, 1000, 12_345] {
            let curve: Vec<usize> = (0..length).collect();
            let thin = thinned(&curve);
            assert!(thin.len() <= MAX_POINTS && thin.last() == curve.last(), "{length}");
        }
    }
}
