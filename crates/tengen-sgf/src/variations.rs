//! All variations of a record, beside its main line.

use super::error::SgfWarning;
use super::reader::parse;
use super::record::{Record, add_comments};
use super::setup::{color_of, has_move, sets_up};
use super::tree::{GameTree, Node, NodeId, Property};
use super::value::{read_move, read_points, unescape, write_move};
use std::collections::BTreeMap;
use tengen_go::{Board, Color, Move, Size, Vertex};

/// A position of a record, as a node of the tree of its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The number of the position before; that of the first position, 0, is its own.
    pub parent: usize,
    /// The move that led here; none at the first position.
    pub mv: Option<(Color, Move)>,
    /// What is written about it; empty if nothing is.
    pub comment: String,
    /// The points that are marked.
    pub marks: Vec<(Vertex, Mark)>,
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

/// The positions of `tree` after `start`, each after its parent, the first variation of a
/// position first; `most` at most. Nodes without a move belong to the position before them.
///
/// The moves are points of the board, but whether they can be made is not examined. Variations
/// from other set-up stones and with unreadable moves are left out, and so are marks on no point
/// of the board: each of both is a warning.
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
    let mut places: Vec<Option<usize>> = Vec::with_capacity(tree.nodes().len());
    for (id, node) in tree.nodes().enumerate() {
        let Some(place) = node.parent.map_or(Some(0), |parent| places[parent]) else {
            places.push(None);
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
        }
        places.push(read.ok());
    }
    let left_out = left_out.map(|(count, ply, why)| SgfWarning::LeftOut { count, ply, why });
    let count = reading.stray_marks;
    let marks = (count > 0).then_some(SgfWarning::StrayMarks { count });
    (reading.positions, left_out.into_iter().chain(marks).collect())
}

/// The nodes of the main line up to the last that sets up stones before the first move or in
/// its node, each with the one after it.
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

/// The positions that are read, from the first.
struct Reading {
    size: Size,
    most: usize,
    positions: Vec<Variation>,
    /// The number of moves before each position.
    plies: Vec<usize>,
    /// The position after each move that was read, by the position before it.
    known: BTreeMap<(usize, bool, Option<Vertex>), usize>,
    /// Values of marks that are on no point of the board.
    stray_marks: usize,
}

impl Reading {
    /// Reads `node`, which stands after the position `place`; returns the position it leads to.
    fn take(&mut self, mut place: usize, node: &Node) -> Result<usize, String> {
        for property in &node.properties {
            let Some(color) = color_of(property) else { continue };
            let mv = match property.values.as_slice() {
                [value] => read_move(value, self.size),
                _ => None,
            };
            let text = || property.values.join("][");
            let mv = mv.ok_or_else(|| format!("invalid {color} move [{}]", text()))?;
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
    /// The record as SGF, with `positions` in place of the moves and comments of its game.
    /// They are numbered as [`variations`] returns them; one whose parent does not come before
    /// it is left out, with what follows it.
    #[must_use]
    pub fn to_sgf_with(&self, positions: &[Variation]) -> String {
        let size = self.game.size();
        // What is written by the record itself is read again without fault.
        let root = parse(&(self.header() + ")")).ok().and_then(|games| games.into_iter().next());
        let mut tree = root.unwrap_or_default();
        let mut nodes: Vec<Option<NodeId>> = Vec::with_capacity(positions.len());
        for (number, position) in positions.iter().enumerate() {
            let parent = nodes.get(position.parent).copied().flatten();
            let node = match (number, parent) {
                (0, _) => Some(GameTree::ROOT),
                (_, parent) => parent.map(|parent| tree.add(parent)),
            };
            nodes.push(node);
            let Some(node) = node else { continue };
            tree.node_mut(node).properties.extend(properties(position, size));
        }
        tree.to_string()
    }
}

/// What is written at a position.
fn properties(position: &Variation, size: Size) -> Vec<Property> {
    let mut all: Vec<Property> = Vec::new();
    if let Some((color, mv)) = position.mv {
        let key = if color == Color::Black { "B" } else { "W" };
        all.push(Property::new(key, &write_move(mv, size)));
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
    fn nodes_without_moves_belong_to_the_position_before() {
        let (_, positions, _) =
            read("(;SZ[9];B[ee]C[one];C[two];W[gc](;B[aa])(;B[aa];W[bb]))", 100);
        assert_eq!(moves(&positions), "0 0bE5 1wG7 2bA9 3wB8");
        assert_eq!(positions[1].comment, "one\ntwo");
    }
}
