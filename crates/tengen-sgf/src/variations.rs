//! All variations of a record, its main line included.

use super::error::{SgfWarning, SyntaxError};
use super::reader::parse;
use super::record::{Record, add_comments, first_text, letter};
use super::setup::{color_of, has_move, sets_up};
use super::tree::{GameTree, Node, NodeId, Property};
use super::value::{read_move, read_points, unescape, write_move};
use super::writer::node_text;
use std::collections::BTreeMap;
use tengen_go::{Board, Color, Move, Size, Vertex};

/// A position of a record, as a node of the tree of its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The number of the parent position; the first position, 0, is its own parent.
    pub parent: usize,
    /// The move that led here; `None` at the first position.
    pub mv: Option<(Color, Move)>,
    /// The comment on the position, which may be empty.
    pub comment: String,
    /// The points that are marked.
    pub marks: Vec<(Vertex, Mark)>,
    /// The nodes of the record that lead or belong to the position, with all properties as written;
    /// empty if it comes from no record. The writer uses them in place of the move, the comment and
    /// the marks.
    pub nodes: Vec<Vec<Property>>,
    /// The variations after this position that are not read: see [`variations()`].
    pub left_out: Vec<LeftOut>,
}

/// A variation that is kept, though its positions are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The index in [`Variation::nodes`] of the node before it.
    pub after: usize,
    /// Its nodes.
    pub tree: GameTree,
}

/// A mark on a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A text, LB.
    Label(String),
    /// A triangle, TR.
    Triangle,
    /// A square, SQ.
    Square,
    /// A circle, CR.
    Circle,
    /// A cross, MA.
    Cross,
}

impl Mark {
    /// The key of the property that makes such marks.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Label(_) => "LB",
            Self::Triangle => "TR",
            Self::Square => "SQ",
            Self::Circle => "CR",
            Self::Cross => "MA",
        }
    }

    /// The mark that the property `key` makes, with the text of a label.
    #[must_use]
    pub fn of(key: &str, text: &str) -> Option<Self> {
        Some(match key {
            "LB" => Self::Label(text.to_owned()),
            "TR" => Self::Triangle,
            "SQ" => Self::Square,
            "CR" => Self::Circle,
            "MA" => Self::Cross,
            _ => return None,
        })
    }
}

/// The positions of `tree` from `start` on, at most `most`: each after its parent, the first
/// variation of a position first. Nodes without a move belong to the position before them.
///
/// Moves are passes or points of the board; whether they are legal is not examined. Variations from
/// other set-up stones, with unreadable moves or beyond `most` are [left out](Variation::left_out).
/// Marks on no point of the board are dropped. Each kind is a warning.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Size};
/// use tengen_sgf::{parse, variations};
///
/// let tree = &parse("(;SZ[9];B[ee](;W[gc]C[main])(;W[cg]TR[ee]))")?[0];
/// let (positions, warnings) = variations(tree, &Board::new(Size::square(9)?), 100);
/// assert_eq!(positions.iter().map(|one| one.parent).collect::<Vec<_>>(), [0, 0, 1, 1]);
/// assert_eq!((positions[2].comment.as_str(), positions[3].marks.len()), ("main", 1));
/// assert_eq!(warnings, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn variations(
    tree: &GameTree,
    start: &Board<6>,
    most: usize,
) -> (Vec<Variation>, Vec<SgfWarning>) {
    let mut reading = Reading {
        size: start.size(),
        most,
        positions: vec![Variation::default()],
        plies: vec![0],
        known: BTreeMap::new(),
        stray_marks: 0,
    };
    let beginning = beginning(tree);
    let mut left_out = None;
    // The index of each node in the nodes of its position.
    let mut written: Vec<Option<usize>> = Vec::with_capacity(tree.nodes().len());
    let mut places: Vec<Option<usize>> = Vec::with_capacity(tree.nodes().len());
    for (id, node) in tree.nodes().enumerate() {
        let Some(place) = node.parent.map_or(Some(0), |parent| places[parent]) else {
            places.push(None);
            written.push(None);
            continue;
        };
        let next = node.parent.and_then(|parent| beginning.get(&parent).copied().flatten());
        let is_beside = next.is_some_and(|next| next != id);
        let read = if is_beside || (sets_up(node) && !beginning.contains_key(&id)) {
            Err("it begins from other stones".to_owned())
        } else {
            reading.take(place, node)
        };
        if let Err(why) = &read {
            let (count, ..) = left_out.get_or_insert((0, reading.plies[place] + 1, why.clone()));
            *count += 1;
            let after = node.parent.and_then(|parent| written[parent]).unwrap_or(0);
            reading.positions[place].left_out.push(LeftOut { after, tree: tree.subtree(id) });
        }
        written.push(read.as_ref().ok().map(|&place| reading.write(place, node)));
        places.push(read.ok());
    }
    let left_out = left_out.map(|(count, ply, why)| SgfWarning::LeftOut { count, ply, why });
    let count = reading.stray_marks;
    let marks = (count > 0).then_some(SgfWarning::StrayMarks { count });
    (reading.positions, left_out.into_iter().chain(marks).collect())
}

/// The nodes of the main line up to the last one that sets up stones, no later than the node of the
/// first move; each with the next node.
fn beginning(tree: &GameTree) -> BTreeMap<NodeId, Option<NodeId>> {
    let mut line = vec![GameTree::ROOT];
    let mut settled = 1;
    while let Some(&last) = line.last().filter(|&&id| !has_move(tree.node(id))) {
        let Some(&next) = tree.node(last).children.first() else { break };
        line.push(next);
        if sets_up(tree.node(next)) {
            settled = line.len();
        }
    }
    line.truncate(settled);
    (0..settled).map(|at| (line[at], line.get(at + 1).copied())).collect()
}

/// The positions read so far.
struct Reading {
    size: Size,
    most: usize,
    positions: Vec<Variation>,
    /// The number of moves before each position.
    plies: Vec<usize>,
    /// Positions by the position before, whether Black made the move, and its point.
    known: BTreeMap<(usize, bool, Option<Vertex>), usize>,
    /// Number of values of marks on no point of the board.
    stray_marks: usize,
}

impl Reading {
    /// Reads `node`, which follows the position `place`; returns the position to which it leads.
    fn take(&mut self, mut place: usize, node: &Node) -> Result<usize, String> {
        for property in &node.properties {
            let Some(color) = color_of(property) else { continue };
            let mv = read_move(property, self.size)
                .map_err(|text| format!("invalid {color} move [{text}]"))?;
            place = self.after(place, color, mv)?;
        }
        let size = self.size;
        let position = &mut self.positions[place];
        add_comments(&mut position.comment, node);
        for property in &node.properties {
            let (marks, strays) = marks(property, size);
            position.marks.extend(marks);
            self.stray_marks += strays;
        }
        Ok(place)
    }

    /// Keeps `node`, which leads to the position `place`, as written; returns its index in the
    /// nodes of the position.
    fn write(&mut self, place: usize, node: &Node) -> usize {
        let is_move = |property: &&Property| color_of(property).is_some();
        let moves: Vec<&Property> = node.properties.iter().filter(is_move).collect();
        let mut own = node.properties.clone();
        if let [earlier @ .., last] = moves.as_slice() {
            // Several moves in a node lead to a position each.
            own.retain(|property| color_of(property).is_none() || property == *last);
            let mut at = place;
            for mv in earlier.iter().rev() {
                at = self.positions[at].parent;
                self.positions[at].take_node(vec![(*mv).clone()], true);
            }
        }
        self.positions[place].take_node(own, !moves.is_empty())
    }

    /// The position after a move in the position `place`.
    fn after(&mut self, place: usize, color: Color, mv: Move) -> Result<usize, String> {
        let vertex = match mv {
            Move::Play(vertex) => Some(vertex),
            Move::Pass => None,
        };
        let key = (place, color == Color::Black, vertex);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let next = self.positions.len();
        if next >= self.most {
            return Err(format!("the record has more than {} positions", self.most));
        }
        let mv = Some((color, mv));
        self.positions.push(Variation { parent: place, mv, ..Variation::default() });
        self.plies.push(self.plies[place] + 1);
        self.known.insert(key, next);
        Ok(next)
    }
}

impl Variation {
    /// Adds a node of the record; returns its index. Nodes with the same move become one.
    fn take_node(&mut self, properties: Vec<Property>, has_move: bool) -> usize {
        match self.nodes.first_mut() {
            Some(first) if has_move => {
                for property in properties {
                    merge(first, property);
                }
                0
            }
            _ => {
                self.nodes.push(properties);
                self.nodes.len() - 1
            }
        }
    }

    /// Writes the [comment](Self::comment) into the [nodes](Self::nodes), in place of their
    /// comments.
    pub fn write_comment(&mut self) {
        for node in &mut self.nodes {
            node.retain(|property| property.key != "C");
        }
        if let Some(last) = self.nodes.last_mut().filter(|_| !self.comment.is_empty()) {
            last.push(Property::new("C", &self.comment));
        }
    }

    /// The nodes as SGF, `;B[ee]C[Why?];C[Because.]`; empty if the position comes from no record.
    #[must_use]
    pub fn nodes_text(&self) -> String {
        self.nodes.iter().map(|properties| node_text(properties)).collect()
    }

    /// Parses the nodes that [`nodes_text`](Self::nodes_text) has written.
    ///
    /// # Errors
    /// If `text` is no SGF, or has variations.
    pub fn read_nodes(text: &str) -> Result<Vec<Vec<Property>>, SyntaxError> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let whole = format!("({text})");
        let mut games = parse(&whole)?;
        let tree = games.swap_remove(0);
        let is_line = tree.nodes().all(|node| node.children.len() < 2);
        if !is_line || !games.is_empty() {
            return Err(SyntaxError::at(&whole, 0, "expected nodes without variations"));
        }
        Ok(tree.nodes().map(|node| node.properties.clone()).collect())
    }
}

/// Adds `property` to the properties of a node, which has each key once.
fn merge(node: &mut Vec<Property>, property: Property) {
    let Some(known) = node.iter_mut().find(|known| known.key == property.key) else {
        node.push(property);
        return;
    };
    if property.key == "C" && known.text() != property.text() {
        *known = Property::new("C", &format!("{}\n{}", known.text(), property.text()));
    } else if color_of(&property).is_none() && property.key != "C" {
        let new = property.values.into_iter().filter(|value| !known.values.contains(value));
        let new: Vec<String> = new.collect();
        known.values.extend(new);
    }
}

/// The marks that `property` makes, and how many of its values are on no point of the board.
fn marks(property: &Property, size: Size) -> (Vec<(Vertex, Mark)>, usize) {
    let (mut marks, mut strays) = (Vec::new(), 0);
    let is_mark = Mark::of(&property.key, "").is_some();
    for value in property.values.iter().filter(|value| is_mark && !value.trim().is_empty()) {
        let (points, text) = match (property.key.as_str(), value.split_once(':')) {
            ("LB", label) => label.map_or(("", String::new()), |(at, text)| (at, unescape(text))),
            _ => (value.as_str(), String::new()),
        };
        let points = read_points(points, size);
        strays += usize::from(points.is_none());
        let mark = |point| Some((point, Mark::of(&property.key, &text)?));
        marks.extend(points.unwrap_or_default().into_iter().filter_map(mark));
    }
    (marks, strays)
}

impl Record {
    /// The record as SGF, with `positions` in place of the moves and comments of its game. They are
    /// numbered as [`variations`] returns them. A position whose parent does not come before it is
    /// left out, with its descendants. If the first position has [nodes](Variation::nodes), they
    /// are the head of the record; only its result comes from `self`.
    #[must_use]
    pub fn to_sgf_with<'a>(&self, positions: &'a [Variation]) -> String {
        let size = self.game.size();
        let mut tree = GameTree::default();
        // The last node of each position.
        let mut ends: Vec<Option<NodeId>> = Vec::with_capacity(positions.len());
        let mut left_out = Vec::new();
        for (number, position) in positions.iter().enumerate() {
            let own = match (number, position.nodes.as_slice()) {
                (0, []) => vec![[self.head(), properties(position, size)].concat()],
                (_, []) => vec![properties(position, size)],
                (_, nodes) => nodes.to_vec(),
            };
            let mut end = ends.get(position.parent).copied().flatten();
            if number > 0 && end.is_none() {
                ends.push(None);
                continue;
            }
            let mut nodes = Vec::with_capacity(own.len());
            for properties in own {
                let node = end.map_or(GameTree::ROOT, |parent| tree.add(parent));
                tree.node_mut(node).properties = properties;
                nodes.push(node);
                end = Some(node);
            }
            ends.push(end);
            let place = |one: &'a LeftOut| Some((*nodes.get(one.after)?, &one.tree));
            left_out.extend(position.left_out.iter().filter_map(place));
        }
        // After the variations that are read, so that the main line stays the first.
        for (node, other) in left_out {
            tree.graft(node, other);
        }
        if first_text(&tree, "RE") != self.result {
            let head = &mut tree.node_mut(GameTree::ROOT).properties;
            head.retain(|property| property.key != "RE");
            if !self.result.is_empty() {
                head.push(Property::new("RE", &self.result));
            }
        }
        tree.to_string()
    }
}

/// The properties of a position: its move, comment and marks.
fn properties(position: &Variation, size: Size) -> Vec<Property> {
    let mut all: Vec<Property> = Vec::new();
    if let Some((color, mv)) = position.mv {
        all.push(Property::new(letter(color), &write_move(mv, size)));
    }
    if !position.comment.is_empty() {
        all.push(Property::new("C", &position.comment));
    }
    for (vertex, mark) in &position.marks {
        let point = write_move(Move::Play(*vertex), size);
        let made = match mark {
            Mark::Label(text) => Property::new("LB", &format!("{point}:{text}")),
            _ => Property::new(mark.key(), &point),
        };
        match all.iter_mut().find(|known| known.key == made.key) {
            Some(known) => known.values.extend(made.values),
            None => all.push(made),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Overrides;

    fn read(text: &str, most: usize) -> (Record, Vec<Variation>, Vec<SgfWarning>) {
        let tree = &parse(text).unwrap()[0];
        let record = Record::of_tree(tree, Overrides::default()).unwrap();
        let start = *record.game.position_at(0).unwrap_or(record.game.board());
        let (positions, warnings) = variations(tree, &start, most);
        (record, positions, warnings)
    }

    fn moves(positions: &[Variation]) -> String {
        let text = |one: &Variation| match one.mv {
            Some((color, mv)) => format!("{}{}{mv}", one.parent, color.to_string().remove(0)),
            None => format!("{}", one.parent),
        };
        positions.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    const RECORD: &str = "(;SZ[9]KM[7.5]PB[Lee]LB[aa:A][bb:1\\]]C[first]
        (;B[ee];W[gc]C[main]TR[ee]CR[aa:ab];B[])(;B[cc]MA[cc](;W[dd])(;W[ee]SQ[ee])))";

    #[test]
    fn variations_and_marks_come_back_as_they_were() {
        let (record, positions, warnings) = read(RECORD, 100);
        let text = moves(&positions);
        assert_eq!(text, "0 0bE5 1wG7 2bpass 0bC7 4wD6 4wE5", "{text}");
        assert_eq!(warnings, []);
        assert_eq!(positions[0].marks[1].1, Mark::Label("1]".to_owned()));
        assert_eq!(positions[2].marks.len(), 3);
        let written = record.to_sgf_with(&positions);
        assert!(written.contains("PB[Lee]"), "{written}");
        let (again, others, _) = read(&written, 100);
        assert_eq!((others, again.black.as_str()), (positions, "Lee"));
        assert!(again.game.moves().eq(record.game.moves()));
    }

    #[test]
    fn what_is_left_out_is_told() {
        let told = |text: &str, most| {
            let (_, positions, warnings) = read(text, most);
            (moves(&positions), warnings.iter().map(ToString::to_string).collect::<String>())
        };
        let (kept, why) = told("(;SZ[9];B[ee](;W[gc])(;W[zz];B[aa])(;AW[cc];B[dd]))", 100);
        assert_eq!(kept, "0 0bE5 1wG7");
        assert!(why.starts_with("2 variations are left out, the first at move 2"), "{why}");
        let (kept, why) = told("(;SZ[9](;AB[aa](;W[bb])(;W[cc]))(;AB[ee];W[dd])(;B[ff]))", 100);
        assert_eq!(kept, "0 0wB8 0wC7");
        assert!(why.contains("begins from other stones"), "{why}");
        let (kept, why) = told("(;SZ[9];B[ee](;W[gc])(;W[cg]))", 3);
        assert_eq!(kept, "0 0bE5 1wG7");
        assert!(why.contains("more than 3 positions"), "{why}");
        let (kept, why) = told("(;SZ[9]TR[zz][aa][]LB[aa];B[ee]MA[a]LB[bb:1])", 100);
        assert_eq!(
            (kept.as_str(), why.as_str()),
            ("0 0bE5", "3 marks are on no point of the board")
        );
    }

    #[test]
    fn a_record_is_written_as_it_stood() {
        for text in [
            "(;GM[1]FF[3]AP[foxwq]SZ[9]RU[Japanese]KM[375]BR[9 dan]EV[Cup]XX[a\\]][b]RE[W+R]\n\
             ;B[ee]BL[3.5]C[one]\n;C[two]KO[];W[gc]N[name](;B[aa]AR[aa:bb])(;B[bb]))",
            "(;SZ[9]AB[aa];AW[bb]\n;B[ee](;W[gc])(;AE[aa]PL[W];W[cc](;B[dd])(;B[ff]))(;W[zz]))",
            "(;SZ[9];PW[Lee];AB[aa];B[cc])",
            // A second variation is left out, in a branch after the first.
            "(;SZ[9](;B[ee](;W[cc])(;AE[ee];B[aa];W[bb];B[ff]))(;B[dd];W[ff](;W[hh])(;AE[dd];B[gg])))",
            // Left out beside stones that a second node sets up.
            "(;SZ[9](;AB[aa];W[bb])(;AB[ee];W[dd])(;B[ff]))",
        ] {
            let tree = &parse(text).unwrap()[0];
            let (record, positions, _) = read(text, 100);
            let written = record.to_sgf_with(&positions);
            assert_eq!(&parse(&written).unwrap()[0], tree, "{written}");
            for position in &positions {
                let again = Variation::read_nodes(&position.nodes_text()).unwrap();
                assert_eq!(again, position.nodes);
            }
        }
        assert!(Variation::read_nodes(";B[aa](;W[bb])(;W[cc])").is_err());
        assert!(Variation::read_nodes(";B[aa])(;SZ[9]").is_err());
        assert!(Variation::read_nodes(";B[aa").is_err());
    }

    #[test]
    fn nodes_that_lead_to_one_position_are_one() {
        let (record, positions, _) = read(
            "(;SZ[9](;B[ee]C[a]TR[aa]XX[1])(;B[ee]C[b]TR[aa][bb]XX[2];W[cc])(;B[dd]W[ff]C[c]))",
            100,
        );
        let written = record.to_sgf_with(&positions).replace('\n', "");
        let expected = "(;SZ[9](;B[ee]C[ab]TR[aa][bb]XX[1][2];W[cc])(;B[dd];W[ff]C[c]))";
        assert_eq!(written, expected);
        assert_eq!(moves(&read(&written, 100).1), "0 0bE5 1wG7 0bD6 3wF4".replace("G7", "C7"));
    }

    #[test]
    fn the_result_is_that_of_the_record() {
        let (mut record, positions, _) = read("(;SZ[9]RE[B+2]PB[x];B[ee])", 100);
        record.result = "W+R".to_owned();
        let written = record.to_sgf_with(&positions);
        assert!(written.contains("RE[W+R]") && !written.contains("RE[B+2]"), "{written}");
    }

    #[test]
    fn nodes_without_moves_belong_to_the_position_before() {
        let (_, positions, _) =
            read("(;SZ[9];B[ee]C[one];C[two];W[gc](;B[aa])(;B[aa];W[bb]))", 100);
        assert_eq!(moves(&positions), "0 0bE5 1wG7 2bA9 3wB8");
        assert_eq!(positions[1].comment, "one\ntwo");
    }
}
