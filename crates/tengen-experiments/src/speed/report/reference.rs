//! Speeds of other programs, for comparison.

use serde::Deserialize;
use std::io;
use tengen_go::Size;

/// Playouts per second of another program on one board size.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ReferenceSpeed {
    /// Name and version of the program.
    pub program: String,
    /// Source of the figure: who measured it, and on which processor.
    pub source: String,
    /// Size of the board.
    pub size: Size,
    /// Playouts of one thread per second of CPU time.
    pub playouts_per_second: f64,
}

impl ReferenceSpeed {
    /// Reads the speeds of other programs from a CSV file; its further columns are
    /// ignored. The error says what is wrong with the file.
    pub fn read(table: impl io::Read) -> Result<Vec<Self>, String> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(table);
        let checked = |row: Result<Self, csv::Error>| {
            let columns = "the columns must be program, source, size and playouts_per_second";
            let row = row.map_err(|fault| format!("{fault}; {columns}"))?;
            let Self { program, size, playouts_per_second: rate, .. } = &row;
            if *rate > 0.0 && rate.is_finite() {
                return Ok(row);
            }
            Err(format!("playouts_per_second of {program} on {size} is {rate}: it must be above 0"))
        };
        let references =
            reader.deserialize().map(checked).collect::<Result<Vec<Self>, String>>()?;
        if references.is_empty() {
            return Err("missing figures: expected a row for each size".to_owned());
        }
        Ok(references)
    }

    /// Published speeds of libego of 2008, whose playouts allow the suicide of several
    /// stones: per second of CPU time on one Zen 5 core of 4.2 `GHz`. Compare how
    /// they fall with the board size; their height depends on the processor.
    /// libego's speeds on the machine of the published runs are in
    /// `experiments/references`.
    #[must_use]
    pub fn published() -> Vec<Self> {
        let rates = [(5, 695e3), (7, 370e3), (9, 230e3), (13, 113e3), (19, 51e3)];
        let reference = |(side, playouts_per_second)| {
            let size = Size::square(side).ok()?;
            let (program, source) = ("libego 2008".into(), "published, Zen 5".into());
            Some(Self { program, source, size, playouts_per_second })
        };
        rates.into_iter().filter_map(reference).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_table_and_names_its_fault() {
        let text = "program,source,cpu,size,playouts_per_second\n\
                    libego 9ca2b07,\"here, -O2\",Zen 5,9x9,230000\nmichi, paper , ,19,20.5\n";
        let references = ReferenceSpeed::read(text.as_bytes()).unwrap();
        assert_eq!(references[0].source, "here, -O2");
        assert_eq!(
            (references[1].source.as_str(), references[1].playouts_per_second),
            ("paper", 20.5)
        );
        assert_eq!(references[1].size, Size::square(19).unwrap());
        for (text, fault) in [
            ("program,source,size\na,b,9\n", "playouts_per_second"),
            ("program,source,size,playouts_per_second\na,b,9,fast\n", "line: 2"),
            ("program,source,size,playouts_per_second\na,b,20,3\n", "line: 2"),
            ("program,source,size,playouts_per_second\na,b,9,0\n", "of a on 9x9 is 0"),
            ("program,source,size,playouts_per_second\n", "missing figures"),
            ("", "missing figures"),
        ] {
            let error = ReferenceSpeed::read(text.as_bytes()).unwrap_err();
            assert!(error.contains(fault), "{error}");
        }
        assert_eq!(ReferenceSpeed::published().len(), 5);
    }
}
