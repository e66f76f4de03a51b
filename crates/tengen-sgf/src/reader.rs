//! From text to trees.

use super::place::{Fault, Faults, Severity};
use super::tree::{GameTree, Node, NodeId, Property};
use std::borrow::Cow;

/// Nodes that a text may have, all games together: more than any collection, and
/// too few to fill the memory.
pub const MAX_NODES: usize = 4_000_000;

/// The games of a text, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The trees, in order.
    pub games: Vec<GameTree>,
    /// What is wrong with the structure, in the order of the text. With an error
    /// among them the trees are what could be read.
    pub faults: Vec<Fault>,
}

impl Collection {
    /// The first fault by which something is lost.
    #[must_use]
    pub fn error(&self) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.severity == Severity::Error)
    }
}

/// Reads all games of `text`: any text leads to trees and faults.
///
/// Taken as they are met: other text around the games, which is a warning; lower
/// case letters in the keys of FF 3, which are left out.
#[must_use]
pub fn parse(text: &str) -> Collection {
    let mut reader = Reader { text, at: 0, games: Vec::new(), nodes: 0, faults: Faults::new(text) };
    reader.read();
    if reader.games.is_empty() {
        reader.faults.error(0, || "missing game: expected `(;`".to_owned());
    }
    Collection { games: reader.games, faults: reader.faults.finish() }
}

struct Reader<'a> {
    text: &'a str,
    /// The next byte, which begins a character.
    at: usize,
    games: Vec<GameTree>,
    nodes: usize,
    faults: Faults<'a>,
}

/// A sequence of nodes that is being read.
struct Sequence {
    /// Where its parenthesis stands.
    offset: usize,
    /// The node that it goes on from; none for a game.
    parent: Option<NodeId>,
    /// Its last node; none yet at its begin.
    last: Option<NodeId>,
    has_variations: bool,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Games, and the text between them.
    fn read(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let begins = |&(at, _): &(usize, &str)| begins_game(&rest[at + 1..]);
            let begin = rest.match_indices('(').find(begins).map(|(at, _)| at);
            let between = &rest[..begin.unwrap_or(rest.len())];
            let is_space = |c: char| c.is_whitespace() || c == '\u{feff}';
            if let Some(stray) = between.find(|c| !is_space(c)) {
                let offset = self.at + stray;
                // A closing parenthesis too many is no text.
                if between.trim_matches(is_space).bytes().all(|byte| byte == b')') {
                    self.faults.error(offset, || "unexpected `)` outside of a game".to_owned());
                } else if !(self.games.is_empty() && begin.is_none()) {
                    self.faults.warning(offset, || "text outside of a game".to_owned());
                }
            }
            let Some(begin) = begin else { return };
            self.at += begin;
            if !self.read_game() {
                return;
            }
        }
    }

    /// One game, from its parenthesis on; whether to go on.
    fn read_game(&mut self) -> bool {
        let mut tree: Option<GameTree> = None;
        let mut open: Vec<Sequence> = Vec::new();
        loop {
            self.skip_space();
            let offset = self.at;
            let Some(byte) = self.peek() else {
                if let Some(sequence) = open.last() {
                    let what = if open.len() == 1 { "game" } else { "variation" };
                    self.faults.error(sequence.offset, || {
                        format!("the {what} is not closed: `)` is missing")
                    });
                }
                break;
            };
            match byte {
                b'(' => {
                    self.at += 1;
                    let parent = open.last_mut().and_then(|outer| {
                        outer.has_variations = true;
                        outer.last.or(outer.parent)
                    });
                    if open.last().is_some_and(|outer| outer.last.is_none()) {
                        self.faults.error(offset, || {
                            "a variation before its first node: `;` is missing".to_owned()
                        });
                    }
                    open.push(Sequence { offset, parent, last: None, has_variations: false });
                }
                b')' => {
                    self.at += 1;
                    if let Some(sequence) = open.pop().filter(|sequence| sequence.last.is_none()) {
                        self.faults
                            .error(sequence.offset, || "a variation without nodes".to_owned());
                    }
                    if open.is_empty() {
                        break;
                    }
                }
                b';' => {
                    self.at += 1;
                    if !self.add_node(&mut tree, open.last_mut(), offset) {
                        return false;
                    }
                }
                b'[' => {
                    self.faults.error(offset, || "a value without a property".to_owned());
                    self.value();
                }
                byte if byte.is_ascii_alphabetic() => {
                    if !self.begin_missing_node(&mut tree, open.last_mut()) {
                        return false;
                    }
                    let property = self.property();
                    let last = open.last().and_then(|sequence| sequence.last);
                    if let (Some(property), Some(tree), Some(last)) = (property, &mut tree, last) {
                        tree.node_mut(last).properties.push(property);
                    }
                }
                _ => self.skip_stray(),
            }
        }
        self.games.extend(tree);
        true
    }

    /// Passes over what is neither structure nor property.
    fn skip_stray(&mut self) {
        let rest = &self.text[self.at..];
        let is_structure = |c: char| c.is_ascii_alphabetic() || "();[".contains(c);
        let end = rest.find(|c: char| c.is_whitespace() || is_structure(c)).unwrap_or(rest.len());
        if end == 0 {
            // White space beyond ASCII.
            self.at += rest.chars().next().map_or(1, char::len_utf8);
            return;
        }
        let stray = shown(&rest[..end]);
        self.faults.error(self.at, || format!("unexpected `{stray}`: expected a node or property"));
        self.at += end;
    }

    /// Begins a node in `sequence`; false where there are too many.
    fn add_node(
        &mut self,
        tree: &mut Option<GameTree>,
        sequence: Option<&mut Sequence>,
        offset: usize,
    ) -> bool {
        let Some(sequence) = sequence else { return true };
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.faults.error(offset, || format!("more than {MAX_NODES} nodes"));
            self.games.extend(tree.take());
            return false;
        }
        if sequence.has_variations {
            self.faults
                .error(offset, || "a node behind variations: `)` or `(` is missing".to_owned());
        }
        sequence.has_variations = false;
        let Some(tree) = tree else {
            *tree = Some(GameTree::new(Node { offset, ..Node::default() }));
            sequence.last = Some(GameTree::ROOT);
            return true;
        };
        let parent = sequence.last.or(sequence.parent).unwrap_or(GameTree::ROOT);
        sequence.last = Some(tree.add(parent, offset));
        true
    }

    /// Begins the node of a property before which its `;` is missing; false where
    /// there are too many nodes.
    fn begin_missing_node(
        &mut self,
        tree: &mut Option<GameTree>,
        sequence: Option<&mut Sequence>,
    ) -> bool {
        let offset = self.at;
        let Some(sequence) = sequence else { return true };
        if sequence.last.is_none() {
            // Some servers write so: nothing is lost.
            self.faults.warning(offset, || "`;` is missing before the first property".to_owned());
        } else if !sequence.has_variations {
            return true;
        }
        self.add_node(tree, Some(sequence), offset)
    }

    /// A property with its values; none without any.
    fn property(&mut self) -> Option<Property> {
        let offset = self.at;
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = &rest[..end];
        self.at += end;
        let mut values = Vec::new();
        loop {
            self.skip_space();
            if self.peek() != Some(b'[') {
                break;
            }
            let begin = self.at;
            let Some(value) = self.value() else {
                self.faults.error(begin, || {
                    format!("the value of {} is not closed: `]` is missing", shown(name))
                });
                return None;
            };
            values.push(value.to_owned());
        }
        if values.is_empty() {
            self.faults.error(offset, || format!("the property {} has no value", shown(name)));
            return None;
        }
        let is_short = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let key: Cow<'_, str> = if is_short { name.into() } else { capitals(name).into() };
        if key.is_empty() {
            self.faults
                .error(offset, || format!("the property {} has no capital letter", shown(name)));
            return None;
        }
        Some(Property { key: key.into_owned(), values, offset })
    }

    /// A value from its bracket on; none where it has no end.
    fn value(&mut self) -> Option<&'a str> {
        let text = self.text;
        self.at += 1;
        let begin = self.at;
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b']' => {
                    self.at += 1;
                    return Some(&text[begin..self.at - 1]);
                }
                b'\\' => {
                    let escaped = text[self.at + 1..].chars().next().map_or(0, char::len_utf8);
                    self.at += 1 + escaped;
                }
                _ => self.at += 1,
            }
        }
        self.at = text.len();
        None
    }
}

/// Whether a game begins behind its parenthesis: with a node, or with the
/// properties of one whose `;` is missing.
fn begins_game(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    text.starts_with(';') || (rest.len() < text.len() && rest.starts_with('['))
}

/// The capitals of a key of FF 3, and the digits behind the first of them.
fn capitals(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    capitals.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// The begin of a text of anybody's, on one line.
fn shown(text: &str) -> String {
    text.chars().take(20).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
