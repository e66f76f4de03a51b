//! From text to trees.

use super::encoding::Decoded;
use super::error::{SgfWarning, SyntaxError};
use super::tree::{GameTree, NodeId, Property};

/// Maximum number of nodes of a text, all games together: more than any collection has, and too few
/// to fill the memory.
const MAX_NODES: usize = 4_000_000;

/// Reads all games of `text`, which must hold at least one.
///
/// The reader accepts other text around the games and a missing `;` before the first property. It
/// leaves out lower case letters in the keys of FF 3.
pub fn parse(text: &str) -> Result<Vec<GameTree>, SyntaxError> {
    Ok(parse_placed(text)?.into_iter().map(|(_, tree)| tree).collect())
}

/// Reads all games of the file `bytes`, each in the charset that [`decode`](super::decode) finds
/// for it. A doubt about the charset is among the warnings of the tree.
///
/// # Examples
/// ```
/// use tengen_sgf::parse_bytes;
///
/// let games = parse_bytes(b"(;CA[Shift_JIS]PB[\x97\xd1])(;CA[Big5]PB[\xaaL])")?;
/// assert!(games.iter().all(|tree| tree.root().text("PB").as_deref() == Some("林")));
/// # Ok::<(), tengen_sgf::SyntaxError>(())
/// ```
pub fn parse_bytes(bytes: &[u8]) -> Result<Vec<GameTree>, SyntaxError> {
    let decoded = Decoded::of(bytes);
    let doubt = |place: usize| {
        let pieces = &decoded.pieces;
        pieces.get(pieces.partition_point(|piece| piece.end <= place))?.doubt.clone()
    };
    let mut games = parse_placed(&decoded.text)?;
    for (place, tree) in &mut games {
        if let Some(doubt) = doubt(*place) {
            tree.warn(doubt);
        }
    }
    Ok(games.into_iter().map(|(_, tree)| tree).collect())
}

/// Reads the first game of `text`. A text that ends before its game is closed, such as a truncated
/// copy, is read up to its last complete value, with a warning.
///
/// # Examples
/// ```
/// use tengen_sgf::{SgfWarning, parse_first};
///
/// let game = parse_first("(;SZ[9]PB[Lee];B[ee];W[gc]C[Wh")?;
/// assert_eq!(game.main_line().count(), 3);
/// assert_eq!(game.warnings(), [SgfWarning::CutOff { nodes: 3 }]);
/// # Ok::<(), tengen_sgf::SyntaxError>(())
/// ```
pub fn parse_first(text: &str) -> Result<GameTree, SyntaxError> {
    let mut reader = Reader { text, at: 0, nodes: 0, may_end: true };
    if reader.skip_to_game()? { reader.game() } else { Err(reader.error(0, NO_GAME)) }
}

const NO_GAME: &str = "missing game: expected `(;`";

/// The games of `text`, each with the byte at which it begins.
fn parse_placed(text: &str) -> Result<Vec<(usize, GameTree)>, SyntaxError> {
    let mut reader = Reader { text, at: 0, nodes: 0, may_end: false };
    let mut games = Vec::new();
    while reader.skip_to_game()? {
        games.push((reader.at, reader.game()?));
    }
    if games.is_empty() {
        return Err(reader.error(0, NO_GAME));
    }
    Ok(games)
}

struct Reader<'a> {
    text: &'a str,
    /// The next byte, which begins a character.
    at: usize,
    /// Nodes read, of all games.
    nodes: usize,
    /// Whether a game may end with the text, before it is closed.
    may_end: bool,
}

/// A sequence of nodes that is being read.
struct Sequence {
    /// The offset of its parenthesis.
    offset: usize,
    /// The node before it; `None` for a game.
    parent: Option<NodeId>,
    /// Its last node; `None` before the first.
    last: Option<NodeId>,
    has_variations: bool,
}

impl<'a> Reader<'a> {
    fn error(&self, offset: usize, what: impl Into<String>) -> SyntaxError {
        SyntaxError::at(self.text, offset, what)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space; returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips the text before the next game; returns whether a game follows.
    fn skip_to_game(&mut self) -> Result<bool, SyntaxError> {
        let rest = self.rest();
        let begins = |&(at, _): &(usize, &str)| begins_game(&rest[at + 1..]);
        let begin = rest.match_indices('(').find(begins).map(|(at, _)| at);
        let between = rest[..begin.unwrap_or(rest.len())].trim_end();
        let stray = between.trim_start();
        // A surplus closing parenthesis is an error, not other text.
        if !stray.is_empty() && stray.bytes().all(|byte| byte == b')') {
            let offset = self.at + between.len() - stray.len();
            return Err(self.error(offset, "unexpected `)` outside of a game"));
        }
        self.at += begin.unwrap_or(rest.len());
        Ok(begin.is_some())
    }

    /// Reads one game, from its opening to its closing parenthesis.
    fn game(&mut self) -> Result<GameTree, SyntaxError> {
        let mut tree = GameTree::default();
        let mut open: Vec<Sequence> = Vec::new();
        loop {
            let next = self.peek();
            let offset = self.at;
            match (next, open.last_mut()) {
                (Some(b'('), outer) => {
                    let parent = match outer {
                        Some(Sequence { last: None, .. }) => {
                            let what = "a variation before its first node: `;` is missing";
                            return Err(self.error(offset, what));
                        }
                        Some(outer) => {
                            outer.has_variations = true;
                            outer.last
                        }
                        None => None,
                    };
                    self.at += 1;
                    open.push(Sequence { offset, parent, last: None, has_variations: false });
                }
                (None, Some(_)) if self.may_end && self.nodes > 0 => {
                    tree.warn(SgfWarning::CutOff { nodes: self.nodes });
                    return Ok(tree);
                }
                (None, Some(sequence)) => {
                    let begin = sequence.offset;
                    let what = if open.len() == 1 { "game" } else { "variation" };
                    let what = format!("the {what} is not closed: `)` is missing");
                    return Err(self.error(begin, what));
                }
                (Some(b')'), Some(sequence)) => {
                    if sequence.last.is_none() {
                        return Err(self.error(sequence.offset, "a variation without nodes"));
                    }
                    self.at += 1;
                    open.pop();
                    if open.is_empty() {
                        return Ok(tree);
                    }
                }
                (Some(b';'), Some(sequence)) => {
                    self.node(&mut tree, sequence)?;
                    self.at += 1;
                }
                (Some(byte), Some(sequence)) if byte.is_ascii_alphabetic() => {
                    // Some servers leave out the first `;` of a game.
                    let node = match sequence.last {
                        Some(last) if !sequence.has_variations => last,
                        _ => self.node(&mut tree, sequence)?,
                    };
                    let Some(property) = self.property()? else { continue };
                    if let Some(tail) = property.values.iter().find_map(|text| swallowed(text)) {
                        let (key, text) = (property.key.clone(), shown(tail));
                        tree.warn(SgfWarning::Swallowed { key, text });
                    }
                    tree.node_mut(node).properties.push(property);
                }
                (Some(b'['), _) => return Err(self.error(offset, "a value without a property")),
                _ => {
                    let ends = |c: char| {
                        c.is_whitespace() || c.is_ascii_alphabetic() || "();[".contains(c)
                    };
                    let stray = shown(self.rest().split(ends).next().unwrap_or_default());
                    let what = format!("unexpected `{stray}`: expected a node or property");
                    return Err(self.error(offset, what));
                }
            }
        }
    }

    /// Begins a node in `sequence`; the first of the game is the root of `tree`.
    fn node(
        &mut self,
        tree: &mut GameTree,
        sequence: &mut Sequence,
    ) -> Result<NodeId, SyntaxError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.error(self.at, format!("more than {MAX_NODES} nodes")));
        }
        if sequence.has_variations {
            let what = "a node after variations: `)` or `(` is missing";
            return Err(self.error(self.at, what));
        }
        let parent = sequence.last.or(sequence.parent);
        let node = parent.map_or(GameTree::ROOT, |parent| tree.add(parent));
        sequence.last = Some(node);
        Ok(node)
    }

    /// Reads a property; `None` if the text may end early, and ends before a whole value.
    fn property(&mut self) -> Result<Option<Property>, SyntaxError> {
        let (offset, rest) = (self.at, self.rest());
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        self.at += name.len();
        let mut values = Vec::new();
        while self.peek() == Some(b'[') {
            let begin = self.at;
            let Some(value) = self.value() else {
                if self.may_end {
                    self.at = self.text.len();
                    break;
                }
                let what = format!("the value of {} is not closed: `]` is missing", shown(name));
                return Err(self.error(begin, what));
            };
            values.push(value.to_owned());
        }
        if values.is_empty() && self.may_end && self.rest().is_empty() {
            return Ok(None);
        }
        if values.is_empty() {
            return Err(self.error(offset, format!("the property {} has no value", shown(name))));
        }
        let key = key(name);
        if key.is_empty() {
            let what = format!("the property {} has no capital letter", shown(name));
            return Err(self.error(offset, what));
        }
        Ok(Some(Property { key, values }))
    }

    /// Reads a value from its bracket on; `None` if it is not closed.
    fn value(&mut self) -> Option<&'a str> {
        let text = &self.rest()[1..];
        let mut is_escaped = false;
        let end = text.find(|c| {
            let ends = c == ']' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        })?;
        self.at += end + "[]".len();
        Some(&text[..end])
    }
}

/// The key of a property name: its capitals, since FF 3 adds other letters, and the digits after
/// the first capital.
pub fn key(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    capitals.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// Whether `text`, which follows a parenthesis, begins a game: with a node, or with properties of a
/// node whose `;` is missing.
fn begins_game(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    text.starts_with(';') || (rest.len() < text.len() && rest.starts_with('['))
}

/// The next property, if the end of `value` holds it, because the bracket that closes `value` was
/// read as part of a character or as escaped: `龍;B[aa`, `\];B[aa`.
fn swallowed(value: &str) -> Option<&str> {
    let (before, after) = value.rsplit_once('[')?;
    let name = before.trim_end();
    let rest = name.trim_end_matches(|c: char| c.is_ascii_uppercase());
    let is_key = (1..=2).contains(&(name.len() - rest.len()));
    let rest = rest.trim_end();
    let rest = rest.strip_suffix(';').unwrap_or(rest);
    let ends = rest.trim_end().ends_with(|c: char| c == ']' || !c.is_ascii());
    (is_key && ends && !after.contains(']')).then(|| &value[rest.len()..])
}

/// The first 20 characters of a foreign text, on one line.
pub fn shown(text: &str) -> String {
    text.chars().take(20).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
