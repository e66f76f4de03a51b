//! A tree as JSON lines.

use super::{Inspection, Shown};
use std::fmt::Display;
use std::io;

fn or_null(value: Option<impl Display>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

/// `value` as a JSON string, or `null`. The values are moves, colours and proofs, in
/// which no character needs an escape.
fn text(value: Option<impl Display>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| format!("\"{value}\""))
}

impl Inspection<'_> {
    /// Writes one JSON object per line and node, a node before its children: `depth`, `path`
    /// (the moves from the root), `move`, `player`, `visits`, `value`,
    /// `amaf_visits`, `amaf_value`, `prior`, `proof` (`win` or `loss`, for the
    /// player of the move) and `children` (those left out included). What does
    /// not apply is null.
    ///
    /// # Errors
    /// If writing to `output` fails.
    pub fn write_json_lines(&self, output: &mut dyn io::Write) -> io::Result<()> {
        self.walk(|shown| {
            let Shown::Node { node, parent, path } = shown else { return Ok(()) };
            let (depth, last) = (path.len(), path.last());
            let path: Vec<String> = path.iter().map(|mv| format!("\"{mv}\"")).collect();
            let amaf = self.amaf(node, parent);
            writeln!(
                output,
                "{{\"depth\":{depth},\"path\":[{path}],\"move\":{mv},\"player\":{player},\
                 \"visits\":{visits},\"value\":{value},\"amaf_visits\":{amaf_visits},\
                 \"amaf_value\":{amaf_value},\"prior\":{prior},\"proof\":{proof},\
                 \"children\":{children}}}",
                path = path.join(","),
                mv = text(last),
                player = text((depth > 0).then(|| self.mover(depth))),
                visits = self.tree.visits(node),
                value = or_null(self.value(node)),
                amaf_visits = or_null(amaf.map(|amaf| amaf.0)),
                amaf_value = or_null(amaf.and_then(|amaf| amaf.1)),
                prior = or_null(self.prior(node)),
                proof = text(self.proof(node)),
                children = self.tree.children(node).len(),
            )
        })
    }
}
