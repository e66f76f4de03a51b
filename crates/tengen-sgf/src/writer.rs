//! From trees to text.

use super::tree::{GameTree, NodeId, Property};
use std::fmt::{self, Write};

/// Number of nodes without variations per line.
const NODES_PER_LINE: usize = 10;

enum Step {
    /// A variation, which begins with this node.
    Variation(NodeId),
    /// The end of a variation.
    Close,
}

impl fmt::Display for GameTree {
    /// The game in FF 4, in the charset UTF-8, which replaces any other value of CA.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = vec![Step::Variation(Self::ROOT)];
        while let Some(step) = steps.pop() {
            let Step::Variation(first) = step else {
                f.write_str(")")?;
                if steps.is_empty() {
                    f.write_str("\n")?;
                }
                continue;
            };
            if first != Self::ROOT {
                f.write_str("\n")?;
            }
            f.write_str("(")?;
            let mut node = first;
            let mut written = 0;
            loop {
                write_node(&self.node(node).properties, f)?;
                written += 1;
                match self.node(node).children[..] {
                    [next] => node = next,
                    _ => break,
                }
                if node == first
                    || written % NODES_PER_LINE == 0
                    || self.node(node).parent == Some(Self::ROOT)
                {
                    f.write_str("\n")?;
                }
            }
            steps.push(Step::Close);
            steps
                .extend(self.node(node).children.iter().rev().map(|&child| Step::Variation(child)));
        }
        Ok(())
    }
}

fn write_node(properties: &[Property], out: &mut impl Write) -> fmt::Result {
    out.write_str(";")?;
    for property in properties {
        out.write_str(&property.key)?;
        for value in &property.values {
            let value = if property.key == "CA" { "UTF-8" } else { value };
            write!(out, "[{value}]")?;
        }
    }
    Ok(())
}

/// A node with these properties as SGF.
pub fn node_text(properties: &[Property]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_node(properties, &mut text);
    text
}
