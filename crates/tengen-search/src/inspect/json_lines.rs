//! A tree as JSON lines.

use super::{Inspection, Shown};
use crate::tree::Proof;
use serde::Serialize;
use std::io;

/// A node.
#[derive(Serialize)]
struct Line {
    depth: usize,
    path: Vec<String>,
    r#move: Option<String>,
    player: Option<String>,
    visits: u32,
    value: Option<f64>,
    amaf_visits: Option<f32>,
    amaf_value: Option<f64>,
    prior: Option<f32>,
    proof: Option<Proof>,
    children: usize,
}

impl Inspection<'_> {
    /// Writes one line per node, a JSON object, a node before its children: `depth`, `path` (the
    /// moves from the root), `move`, `player`, `visits`, `value`, `amaf_visits`, `amaf_value`,
    /// `prior`, `proof` (`won` or `lost`, for the player of the move) and `children` (those left
    /// out included). A field that does not apply is null.
    pub fn write_json_lines(&self, output: &mut dyn io::Write) -> io::Result<()> {
        self.walk(|shown| {
            let Shown::Node { node, parent, path } = shown else { return Ok(()) };
            let (depth, path) = (path.len(), path.iter().map(ToString::to_string));
            let path: Vec<String> = path.collect();
            let amaf = self.amaf(node, parent);
            let line = Line {
                depth,
                r#move: path.last().cloned(),
                path,
                player: (depth > 0).then(|| self.mover(depth).to_string()),
                visits: self.tree.visits(node),
                value: self.value(node),
                amaf_visits: amaf.map(|amaf| amaf.0),
                amaf_value: amaf.and_then(|amaf| amaf.1),
                prior: self.prior(node),
                proof: self.tree.proof(node),
                children: self.tree.children(node).len(),
            };
            serde_json::to_writer(&mut *output, &line)?;
            writeln!(output)
        })
    }
}
