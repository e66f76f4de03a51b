//! Weights files: text that a person can read, checked whole.
//!
//! ```text
//! tengen weights 1
//! size 9x9
//! positions 25000
//!
//! tactic capture-2 2.2814 5127 2210.4
//! shape O../X*./### -0.4071 2841 12.75
//! end 5f0a3c1bd2e49678
//! ```
//!
//! The first line has the version of the form. Then come lines of a name and a text, which say
//! where the weights are from, and after an empty line the features: kind, name, weight, number of
//! moves that had it, and the sum over these moves of the share of the teacher's visits that each
//! got. The last line has a hash of all bytes before it, so that a file that was cut or edited is
//! refused.

use crate::feature;
use crate::weights::{Row, Weights};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use tengen_stats::seed::mix;

/// The first line of a file, with the only version that is read.
const FIRST: &str = "tengen weights 1";

/// The greatest absolute value of a weight.
const MOST: f32 = 50.0;

/// Why a weights file cannot be read: the system's words about the file, or what is wrong in a line
/// of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WeightsError(String);

/// The contents of a weights file.
#[derive(Debug)]
pub struct WeightsFile {
    /// The weights.
    pub weights: Weights,
    /// Where they are from: names and texts, in order.
    pub provenance: Vec<(String, String)>,
    /// The hash of the file, 16 hexadecimal digits.
    pub digest: String,
}

impl WeightsFile {
    /// A file of these weights; names must have no space, and texts no line break.
    #[must_use]
    pub fn new(rows: Vec<Row>, provenance: Vec<(String, String)>) -> Self {
        let digest = digest(&body(&rows, &provenance));
        Self { weights: Weights::new(rows), provenance, digest }
    }

    /// The file that Tengen brings with it.
    ///
    /// # Panics
    /// Never: a test reads it.
    #[must_use]
    pub fn built_in() -> Self {
        let text = include_str!("../weights/built-in.txt");
        Self::parse(text, "the built-in weights file").expect("a test reads it")
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let body = body(self.weights.rows(), &self.provenance);
        format!("{body}end {}\n", self.digest)
    }

    /// Reads the file `path`. An error names the line.
    pub fn read(path: &Path) -> Result<Self, WeightsError> {
        let path_name = path.display().to_string();
        let io =
            |why: String| WeightsError(format!("cannot read the weights file {path_name}: {why}"));
        let found = std::fs::metadata(path).map_err(|why| io(why.to_string()))?;
        if !found.is_file() {
            return Err(io("expected a regular file".to_owned()));
        }
        let bytes = std::fs::read(path).map_err(|why| io(why.to_string()))?;
        Self::parse(&String::from_utf8_lossy(&bytes), &path_name)
    }

    /// Reads the `text` of the file that messages call `path`. An error names the line.
    pub fn parse(text: &str, path: &str) -> Result<Self, WeightsError> {
        let at = |line: usize, said: String| WeightsError(format!("{path}, line {line}: {said}"));
        // The lines that end with a line break, each with its number and the offset where it begins.
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let mut lines = whole.zip(1..).scan(0, |end, (line, number)| {
            let begin = std::mem::replace(end, *end + line.len() + 1);
            Some((line, number, begin))
        });
        let first = lines.next().map_or("", |(line, ..)| line);
        if first != FIRST {
            let said = match first.strip_prefix("tengen weights ") {
                Some(version) => {
                    format!("it has version `{version}` of weights files: expected version 1")
                }
                None => format!("expected a weights file, which begins with `{FIRST}`"),
            };
            return Err(at(1, said));
        }
        let mut provenance = Vec::new();
        for (line, ..) in lines.by_ref().take_while(|(line, ..)| !line.is_empty()) {
            let (name, text) = line.split_once(' ').unwrap_or((line, ""));
            provenance.push((name.to_owned(), text.to_owned()));
        }
        let (mut rows, mut taken) = (Vec::new(), HashSet::new());
        while let Some((line, number, begin)) = lines.next() {
            if let Some(found) = line.strip_prefix("end ") {
                let computed = digest(&text[..begin]);
                if found != computed {
                    let said = format!("the hash is {found} and not {computed}: it was changed");
                    return Err(at(number, said));
                }
                if let Some((_, more, _)) = lines.next() {
                    return Err(at(more, "expected nothing after `end`".to_owned()));
                }
                return Ok(Self::new(rows, provenance));
            }
            let row = row(line).map_err(|said| at(number, said))?;
            if !taken.insert(row.feature) {
                let said = "this feature, or one that is symmetric to it, has a weight already";
                return Err(at(number, said.to_owned()));
            }
            rows.push(row);
        }
        let number = text.matches('\n').count();
        Err(at(number, "the file is cut: expected a last line `end`".to_owned()))
    }
}

/// All lines but the last.
fn body(rows: &[Row], provenance: &[(String, String)]) -> String {
    let mut body = format!("{FIRST}\n");
    for (name, text) in provenance {
        let text = text.replace('\n', " ");
        let _ = writeln!(body, "{name} {text}");
    }
    body.push('\n');
    for row in rows {
        let (kind, name) = feature::name(row.feature);
        let _ = writeln!(body, "{kind} {name} {} {} {}", row.weight, row.seen, row.chosen);
    }
    body
}

/// The feature and the numbers of a line.
fn row(line: &str) -> Result<Row, String> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [kind, name, weight, seen, chosen] = fields[..] else {
        return Err("expected a kind, a name, a weight and two counts".to_owned());
    };
    let feature = feature::named(kind, name)
        .ok_or_else(|| format!("unknown feature `{kind} {name}`: made by a later version?"))?;
    let weight = weight.parse().ok().filter(|weight: &f32| weight.abs() <= MOST);
    let weight = weight.ok_or_else(|| format!("invalid weight: expected -{MOST} to {MOST}"))?;
    let seen = seen.parse().map_err(|_| "invalid count: expected a whole number".to_owned())?;
    let chosen = chosen.parse().ok().filter(|chosen: &f64| chosen.is_finite() && *chosen >= 0.0);
    let chosen = chosen.ok_or_else(|| "invalid count: expected a number from 0 on".to_owned())?;
    Ok(Row { feature, weight, seen, chosen })
}

/// The hash of a text, in hexadecimal digits.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(text.len() as u64, |hash, byte| mix(hash, byte.into()));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> WeightsFile {
        let row = |kind, name, weight| {
            let feature = feature::named(kind, name).unwrap();
            Row { feature, weight, seen: 12, chosen: 3.25 }
        };
        let rows = vec![
            row("tactic", "capture-2", 2.25),
            row("shape", "O../X*./###", -0.4071),
            row("crossing", "X1,.,O2,#", 0.5),
            row("pass", "answer", 1.0),
            row("last", "17", -1.5),
        ];
        WeightsFile::new(rows, vec![("size".to_owned(), "9x9".to_owned())])
    }

    #[test]
    fn the_built_in_file_can_be_read() {
        let built_in = WeightsFile::built_in();
        assert_eq!(built_in.to_text(), include_str!("../weights/built-in.txt"));
    }

    #[test]
    fn a_file_is_read_as_it_is_written() {
        let text = file().to_text();
        let again = WeightsFile::parse(&text, "w").unwrap();
        assert_eq!(again.weights.rows(), file().weights.rows());
        assert_eq!((again.to_text(), again.digest), (text, file().digest));
        assert_eq!(again.provenance, file().provenance);
    }

    #[test]
    fn what_is_cut_or_changed_is_refused_with_its_line() {
        let text = file().to_text();
        for end in 0..text.len() {
            assert!(WeightsFile::parse(&text[..end], "w").is_err(), "cut at {end}");
        }
        let refused = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            WeightsFile::parse(&text.replace(from, to), "w").unwrap_err().to_string()
        };
        let cases = [
            ("weights 1", "weights 2", "w, line 1: it has version `2`"),
            ("tengen", "gotengen", "w, line 1: expected a weights file"),
            ("9x9", "9x8", "w, line 9: the hash is"),
            ("2.25", "NaN", "w, line 4: invalid weight: expected -50 to 50"),
            ("2.25", "-51", "w, line 4: invalid weight"),
            ("capture-2", "capture-9", "w, line 4: unknown feature `tactic capture-9`"),
            ("-0.4071 12", "-0.4071", "w, line 5: expected a kind, a name"),
            ("3.25", "-3.25", "w, line 4: invalid count"),
            ("last 17", "pass answer", "w, line 8: this feature"),
        ];
        for (from, to, expected) in cases {
            let error = refused(from, to);
            assert!(error.starts_with(expected), "{from} to {to}: {error}");
        }
        assert!(WeightsFile::parse(&format!("{text}more\n"), "w").is_err());
        let absent = WeightsFile::read(Path::new("/absent/weights.txt")).unwrap_err().to_string();
        assert!(
            absent.starts_with("cannot read the weights file /absent/weights.txt: "),
            "{absent}"
        );
    }
}
