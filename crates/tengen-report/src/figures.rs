//! Figures with an interval in texts, and whether tables have them.

use regex_lite::{Captures, Regex};
use tengen_harness::run::RunError;

/// A figure as texts write it: a number, then its interval in brackets or in the next cell of a
/// table, as in `73.0 % of 200 games (66.4 to 78.7)` and `| 0.227 | 0.194 to 0.258 |`.
const FIGURE: &str = concat!(
    r"(?:^|[^\w.,×])(?P<value>[-+−]?\d[\d,]*(?:\.\d+)?)",
    r"(?:\s*(?:%|Elo))?(?:\s+\w+){0,6}?\s*[(|]\s*(?:95 %[^0-9]*?)?",
    r"(?P<low>[-+−]?\d[\d,]*(?:\.\d+)?)\s*(?:%|Elo)?\s+to\s+",
    r"(?P<high>[-+−]?\d[\d,]*(?:\.\d+)?)"
);

/// A number as it is written.
#[derive(Clone, Copy, Debug)]
struct Written {
    value: f64,
    /// Half a unit of its last digit.
    half: f64,
}

impl Written {
    /// The number that `text` writes, with commas between thousands; none if it is none.
    fn of(text: &str) -> Option<Self> {
        let plain = text.replace(',', "").replace('−', "-");
        let decimals = plain.split_once('.').map_or(0, |(_, after)| after.len());
        let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).ok()?);
        Some(Self { value: plain.parse().ok()?, half })
    }

    /// Whether `number` is written so, rounded either way at a half.
    fn is(self, number: f64) -> bool {
        (number - self.value).abs() <= self.half * (1.0 + 1e-9) + 1e-12
    }
}

/// A figure with its interval in a text.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The line of the text, from 1 on.
    pub line: usize,
    /// How it is written there, from the number to the end of the interval.
    pub text: String,
    written: [Written; 3],
}

impl Figure {
    fn of(line: usize, found: &Captures<'_>) -> Option<Self> {
        let written = |name| Written::of(&found[name]);
        let written = [written("value")?, written("low")?, written("high")?];
        let [value, low, high] = written.map(|number| number.value);
        let start = found.name("value")?.start() - found.get(0)?.start();
        let text = found[0][start..].split_whitespace().collect::<Vec<_>>().join(" ");
        // Anything else is a range of something other than the number before it.
        (low <= value && value <= high).then_some(Self { line, text, written })
    }
}

/// The figures with an interval in `text`, from its first line on.
///
/// # Panics
/// Never: the pattern is valid.
#[must_use]
pub fn figures(text: &str) -> Vec<Figure> {
    let pattern = Regex::new(FIGURE).expect("the pattern is valid");
    let lines = text.lines().enumerate();
    lines
        .flat_map(|(at, line)| {
            pattern.captures_iter(line).filter_map(move |found| Figure::of(at + 1, &found))
        })
        .collect()
}

/// The numbers of tables that have an interval.
#[derive(Clone, Debug, Default)]
pub struct Known {
    rows: Vec<[f64; 3]>,
}

impl Known {
    /// Adds those of the table `csv`: columns `x`, `x_low` and `x_high`, and a column with `low` and
    /// `high` after it.
    ///
    /// # Errors
    /// If it is no table.
    pub fn read(&mut self, csv: &[u8]) -> Result<(), RunError> {
        let mut reader = csv::Reader::from_reader(csv);
        let columns: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
        let at = |wanted: String| columns.iter().position(|name| *name == wanted);
        let named = columns.iter().zip(0..).filter_map(|(name, value)| {
            Some([value, at(format!("{name}_low"))?, at(format!("{name}_high"))?])
        });
        let plain = at("low".to_owned()).zip(at("high".to_owned()));
        let plain = plain.and_then(|(low, high)| Some([low.checked_sub(1)?, low, high]));
        let triples: Vec<[usize; 3]> = named.chain(plain).collect();
        for record in reader.records() {
            let record = record?;
            let number = |at: usize| record.get(at)?.parse::<f64>().ok();
            let triples = triples.iter().map(|columns| columns.map(number));
            let whole = triples.filter_map(|[value, low, high]| Some([value?, low?, high?]));
            self.rows.extend(whole.filter(|row| row.iter().all(|number| number.is_finite())));
        }
        Ok(())
    }

    /// Adds those of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.rows.extend_from_slice(&other.rows);
    }

    /// Whether a row has `figure`: as it is, in percent, or seen from the other side (the loss rate
    /// of a win rate, the difference with the other sign).
    #[must_use]
    pub fn has(&self, figure: &Figure) -> bool {
        let is = |numbers: [f64; 3]| {
            figure.written.iter().zip(numbers).all(|(written, number)| written.is(number))
        };
        self.rows.iter().any(|&[value, low, high]| {
            [1.0, 100.0].into_iter().any(|scale| {
                is([value, low, high].map(|number| number * scale))
                    || is([value, high, low].map(|number| -number * scale))
                    || is([value, high, low].map(|number| scale - number * scale))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        figures(text).into_iter().map(|figure| figure.text).collect()
    }

    #[test]
    fn figures_are_found_as_texts_write_them() {
        assert_eq!(
            texts("it wins 73.0 % of 200 games (66.4 to 78.7), +89 Elo (+11 to +167)"),
            ["73.0 % of 200 games (66.4 to 78.7", "+89 Elo (+11 to +167"]
        );
        assert_eq!(texts("| 9×9 | 0.227 | 0.194 to 0.258 |"), ["0.227 | 0.194 to 0.258"]);
        assert_eq!(texts("Elo +41.89 (95 % interval +20.22 to +63.57)").len(), 1);
        assert_eq!(texts("−1,234 (−2,000 to −1,000)"), ["−1,234 (−2,000 to −1,000"]);
        // Ranges that are no interval of the number before them.
        assert!(texts("on 5×5 (0 to 25 points), 1 of 3 (4 to 5), 2026 to 2027").is_empty());
        assert_eq!(figures("a\n\n5 % (4 to 6)")[0].line, 3);
    }

    #[test]
    fn tables_have_what_their_rows_round_to() {
        let mut known = Known::default();
        known.read(b"bot,elo,elo_low,elo_high,note\na,33.4,12.1,54.9,\nb,,,,x\n").unwrap();
        known.read(b"bot,win_rate,low,high\na,0.5150,0.4709,0.5589\n").unwrap();
        let has = |text: &str| known.has(&figures(text)[0]);
        for text in [
            "+33 Elo (12 to 55)",
            "33.4 (12.1 to 54.9)",
            "-33 (-55 to -12)",
            "51.5 % (47.1 to 55.9)",
            "48.5 % (44.1 to 52.9)",
            "0.515 (0.471 to 0.559)",
        ] {
            assert!(has(text), "{text}");
        }
        // Another digit, anywhere.
        for text in ["+34 (12 to 55)", "33.4 (12.2 to 54.9)", "51.5 % (47.1 to 55.8)"] {
            assert!(!has(text), "{text}");
        }
    }

    #[test]
    fn every_digit_counts() {
        let mut known = Known::default();
        known.read(b"x,x_low,x_high\n0.6676,0.6212,0.7121\n").unwrap();
        let right = "66.8 % (62.1 to 71.2)";
        assert!(known.has(&figures(right)[0]));
        for (at, digit) in right.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            for other in ('0'..='9').filter(|&other| other != digit) {
                let mut text = right.to_owned();
                text.replace_range(at..=at, &other.to_string());
                let found = figures(&text);
                // What is outside its interval is no figure, and so a missing one.
                assert!(!found.iter().any(|figure| known.has(figure)), "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert!(Known::default().read(b"a,b\n1\n").is_err());
    }
}
