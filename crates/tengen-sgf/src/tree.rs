//! The tree of a game record, as an arena.

use super::error::SgfWarning;
use super::value::{escape, unescape};
use std::mem::discriminant;

/// The number of a node in its tree; the root is 0, and a parent comes before
/// its children.
pub type NodeId = usize;

/// A property: its key and its values.
///
/// # Examples
/// ```
/// use tengen_sgf::Property;
///
/// let property = Property::new("C", "Black [9 dan]");
/// assert_eq!(property.values, [r"Black [9 dan\]"]);
/// assert_eq!(property.text(), "Black [9 dan]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The key in capitals, as FF 4 writes it.
    pub key: String,
    /// The values as written, with escapes; at least one.
    pub values: Vec<String>,
}

impl Property {
    /// A property with one value, `text` with escapes.
    #[must_use]
    pub fn new(key: &str, text: &str) -> Self {
        Self { key: key.to_owned(), values: vec![escape(text)] }
    }

    /// The first value as text: without escapes and soft line breaks.
    #[must_use]
    pub fn text(&self) -> String {
        self.values.first().map_or(String::new(), |value| unescape(value))
    }

    /// All values as written, `first][second`.
    pub(crate) fn written(&self) -> String {
        self.values.join("][")
    }

    /// All values on one line: line breaks become blanks.
    pub(crate) fn line(&self) -> String {
        unescape(&self.written()).replace('\n', " ").trim().to_owned()
    }
}

/// A node: its properties and its place in the tree.
///
/// # Examples
/// ```
/// use tengen_sgf::parse;
///
/// let games = parse("(;SZ[9];B[ee](;W[gc])(;W[cg]))")?;
/// let node = games[0].node(1);
/// assert_eq!(node.text("B").as_deref(), Some("ee"));
/// let answers = node.children.iter().filter_map(|&child| games[0].node(child).text("W"));
/// assert_eq!(answers.collect::<Vec<_>>(), ["gc", "cg"]);
/// # Ok::<(), tengen_sgf::SyntaxError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The properties, in order.
    pub properties: Vec<Property>,
    /// The parent; `None` for the root.
    pub parent: Option<NodeId>,
    /// The variations, the main line first.
    pub children: Vec<NodeId>,
}

impl Node {
    /// The first property `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.key == key)
    }

    /// The text of the property `key`, if present and not empty.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<String> {
        self.get(key).map(Property::text).filter(|text| !text.trim().is_empty())
    }
}

/// The tree of one game: a root and its variations. By default a root alone.
///
/// # Examples
/// ```
/// use tengen_sgf::{GameTree, Property, parse};
///
/// let mut tree = GameTree::default();
/// tree.node_mut(GameTree::ROOT).properties.push(Property::new("SZ", "9"));
/// for first in ["ee", "gc"] {
///     let variation = tree.add(GameTree::ROOT);
///     tree.node_mut(variation).properties.push(Property::new("B", first));
/// }
/// assert_eq!(tree.main_line().last().and_then(|node| node.text("B")).as_deref(), Some("ee"));
/// assert_eq!(parse(&tree.to_string())?, [tree]);
/// # Ok::<(), tengen_sgf::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTree {
    nodes: Vec<Node>,
    warnings: Vec<SgfWarning>,
}

impl Default for GameTree {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], warnings: Vec::new() }
    }
}

impl GameTree {
    /// The number of the root.
    pub const ROOT: NodeId = 0;

    /// Adds a node below `parent`, behind its other variations, and returns its
    /// number.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add(&mut self, parent: NodeId) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        self.nodes[parent].children.push(id);
        id
    }

    /// The variation that begins with the node `id`, as a tree of its own.
    pub(crate) fn subtree(&self, id: NodeId) -> Self {
        let mut part = Self::default();
        part.nodes[Self::ROOT].properties.clone_from(&self.nodes[id].properties);
        part.copy(Self::ROOT, self, id);
        part
    }

    /// Adds `other` below `parent`, behind its other variations.
    pub(crate) fn graft(&mut self, parent: NodeId, other: &Self) {
        let root = self.add(parent);
        self.nodes[root].properties.clone_from(&other.root().properties);
        self.copy(root, other, Self::ROOT);
    }

    /// Copies the descendants of the node `from` of `other` below the node `to`.
    fn copy(&mut self, to: NodeId, other: &Self, from: NodeId) {
        let mut waiting = vec![(to, from)];
        while let Some((to, from)) = waiting.pop() {
            for &child in &other.nodes[from].children {
                let copy = self.add(to);
                self.nodes[copy].properties.clone_from(&other.nodes[child].properties);
                waiting.push((copy, child));
            }
        }
    }

    /// The node `id`.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The node `id`, to change its properties.
    ///
    /// # Panics
    /// If there is none.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id]
    }

    /// Doubts about the text of the tree: its charset, a missing end, and values that look as if
    /// they held the next property. One of each kind.
    #[must_use]
    pub fn warnings(&self) -> &[SgfWarning] {
        &self.warnings
    }

    /// Adds a warning, if it is the first of its kind.
    pub(crate) fn warn(&mut self, warning: SgfWarning) {
        let is_same = |known: &SgfWarning| discriminant(known) == discriminant(&warning);
        if !self.warnings.iter().any(is_same) {
            self.warnings.push(warning);
        }
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.nodes[Self::ROOT]
    }

    /// All nodes, each after its parent.
    #[must_use]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Node> {
        self.nodes.iter()
    }

    /// The nodes from the root along the first variations.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        let next = |node: &&Node| node.children.first().map(|&child| &self.nodes[child]);
        std::iter::successors(Some(self.root()), next)
    }
}
