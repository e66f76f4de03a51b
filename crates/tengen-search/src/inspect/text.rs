//! A tree as indented text.

use super::{Inspection, Shown};
use std::io;

impl Inspection<'_> {
    /// Writes one line per node: visits, value, AMAF and prior where the tree has
    /// them, and the move with its player, indented by depth.
    pub fn write_text(&self, output: &mut dyn io::Write) -> io::Result<()> {
        let extras = self.tree.extras();
        write!(output, "{:>9} {:>6}", "visits", "value")?;
        if extras.amaf {
            write!(output, " {:>9} {:>6}", "amaf", "value")?;
        }
        if extras.priors {
            write!(output, " {:>6}", "prior")?;
        }
        writeln!(output, "  move")?;
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
        self.walk(|shown| {
            let (node, parent, path) = match shown {
                Shown::Node { node, parent, path } => (node, parent, path),
                Shown::Skipped { depth, count, visits } => {
                    let mut columns = 16;
                    columns += if extras.amaf { 17 } else { 0 };
                    columns += if extras.priors { 7 } else { 0 };
                    let indent = columns + 2 + 2 * depth;
                    let visited = if visits == 1 { "visit" } else { "visits" };
                    return writeln!(output, "{:indent$}… {count} more of {visits} {visited}", "");
                }
            };
            write!(output, "{:>9} {:>6}", self.tree.visits(node), number(self.value(node)))?;
            if extras.amaf {
                let (visits, value) =
                    self.amaf(node, parent).map_or_else(Default::default, |amaf| {
                        (format!("{:.0}", amaf.0), number(amaf.1))
                    });
                write!(output, " {visits:>9} {value:>6}")?;
            }
            if extras.priors {
                write!(output, " {:>6}", number(self.prior(node).map(f64::from)))?;
            }
            let depth = path.len();
            let name = path.last().map_or_else(
                || format!("root, {} to move", self.to_play),
                |mv| format!("{} {mv}", self.mover(depth)),
            );
            let proof = self.tree.proof(node).map_or(String::new(), |proof| format!(", {proof}"));
            writeln!(output, "  {:indent$}{name}{proof}", "", indent = 2 * depth)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::written;

    #[test]
    fn a_line_a_node() {
        let text = written(9, 1, |inspection, bytes| inspection.write_text(bytes));
        let expected = "   visits  value      amaf  value  prior  move
       10 0.4000                          root, white to move
        7 0.8571         0        0.5000    white C3
        5 0.2000         0        0.5000      black D3
        1 0.0000         0        0.5000      black pass, won
        3 0.0000         1 0.5000 0.5000    white B2, lost
                                            … 1 more of 0 visits
";
        assert_eq!(text, expected);
    }
}
