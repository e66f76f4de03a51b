//! A tree as a DOT graph for Graphviz.

use super::{Inspection, Shown};
use crate::tree::Proof;
use std::io;
use tengen_go::Color;

/// The colours of the borders of proven nodes: blue for wins, orange for losses (Okabe
/// and Ito).
const WON: &str = "#0072b2";
const LOST: &str = "#d55e00";

impl Inspection<'_> {
    /// Writes a graph in the language DOT: `dot -Tsvg` draws it. A node is a box in the
    /// colour of the player who moved, the width of the line to a child shows its share
    /// of the visits, and a proven node has a blue (won) or orange (lost) border.
    pub fn write_dot(&self, output: &mut dyn io::Write) -> io::Result<()> {
        writeln!(output, "digraph tree {{")?;
        writeln!(output, "  graph [ordering=out];")?;
        writeln!(output, "  node [shape=box, style=filled, fontname=\"Helvetica\"];")?;
        writeln!(output, "  edge [arrowhead=none];")?;
        self.walk(|shown| {
            let Shown::Node { node, parent, path } = shown else { return Ok(()) };
            let visits = self.tree.visits(node);
            let name = path
                .last()
                .map_or_else(|| format!("{} to move", self.to_play), ToString::to_string);
            let value = self.value(node).map_or(String::new(), |v| format!("\\n{v:.3}"));
            let is_black = !path.is_empty() && self.mover(path.len()) == Color::Black;
            let (fill, ink) = if is_black { ("#333333", "white") } else { ("white", "black") };
            let border = match self.tree.proof(node) {
                Some(Proof::Win) => format!(", color=\"{WON}\", penwidth=4"),
                Some(_) => format!(", color=\"{LOST}\", penwidth=4"),
                None => String::new(),
            };
            writeln!(
                output,
                "  n{node} [label=\"{name}\\n{visits}{value}\", fillcolor=\"{fill}\", \
                 fontcolor=\"{ink}\"{border}];"
            )?;
            if let Some(parent) = parent {
                let of = f64::from(self.tree.visits(parent).max(1));
                let width = 0.5 + 7.5 * (f64::from(visits) / of).min(1.0);
                writeln!(output, "  n{parent} -> n{node} [penwidth={width:.2}];")?;
            }
            Ok(())
        })?;
        writeln!(output, "}}")
    }
}
