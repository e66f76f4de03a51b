//! Everything that is wrong with a record.
//!
//! [`properties`] says what FF 4 allows of each property, [`values`] whether a
//! value is of its type; here the moves of all variations are played.

mod properties;
mod values;

use super::komi::read_komi;
use super::place::{Fault, Faults};
use super::reader::{Collection, parse};
use super::replay::{Replay, Setup, is_setup, size};
use super::rules::read_rules;
use super::tree::{GameTree, Node, NodeId, Property};
use super::value::{read_move, read_points};
use properties::{PropertyKind, known};
use std::collections::BTreeMap;
use tengen_go::{Board, Color, Ko, Komi, Rules, Size, Suicide, Vertex};

/// Reads `text`, and returns its games with all that is wrong in it, in the order
/// of the text: its structure, the values of its properties, and moves that are
/// illegal: forbidden by simple ko, or suicide where RU names rules that forbid it.
/// Superko is not checked, and what follows an illegal move in its variation is not
/// played. Private properties are not checked.
#[must_use]
pub fn check(text: &str) -> (Vec<GameTree>, Vec<Fault>) {
    let Collection { games, faults: structure } = parse(text);
    let mut faults = Faults::new(text);
    if let Some((at, _)) = text.char_indices().find(|&(_, c)| c == char::REPLACEMENT_CHARACTER) {
        faults.warning(at, || "invalid bytes: expected text of the charset".to_owned());
    }
    for game in &games {
        check_game(game, &mut faults);
    }
    let mut all = structure;
    all.extend(faults.finish());
    all.sort_by_key(|fault| fault.at);
    (games, all)
}

/// The state of a line at a node.
#[derive(Clone, Copy)]
struct State {
    /// The position; none where it is not known.
    board: Option<Board<6>>,
    /// Whether a node of the line has told about the game.
    has_info: bool,
    moves: u32,
}

/// A node with several variations of which some are still to come.
struct Branch {
    node: NodeId,
    next: usize,
    state: State,
}

fn check_game(tree: &GameTree, faults: &mut Faults<'_>) {
    let root = tree.root();
    if let Some(game) = root.get("GM").filter(|game| game.text().trim() != "1") {
        faults.warning(game.offset, || {
            format!("GM[{}] is not Go: this game is not checked", game.text())
        });
        return;
    }
    let size = check_root(root, faults);
    let suicide = root.get("RU").and_then(|rules| read_rules(&rules.text()));
    let suicide = suicide.map_or(Suicide::All, |rules| rules.suicide);
    let rules = Rules { ko: Ko::Simple, suicide, komi: Komi::default(), max_plies: u32::MAX };
    let mut state = State { board: size.map(Board::new), has_info: false, moves: 0 };
    let mut branches: Vec<Branch> = Vec::new();
    let mut node = GameTree::ROOT;
    loop {
        let is_root = node == GameTree::ROOT;
        check_node(tree.node(node), is_root, rules, &mut state, faults);
        match tree.node(node).children[..] {
            [next] => node = next,
            [next, _, ..] => {
                branches.push(Branch { node, next: 1, state });
                node = next;
            }
            [] => loop {
                let Some(branch) = branches.last_mut() else { return };
                let Some(&next) = tree.node(branch.node).children.get(branch.next) else {
                    branches.pop();
                    continue;
                };
                branch.next += 1;
                (node, state) = (next, branch.state);
                break;
            },
        }
    }
}

/// What only the root can say; the size of the board, if it has one that is
/// known.
fn check_root(root: &Node, faults: &mut Faults<'_>) -> Option<Size> {
    let komi = match read_komi(root) {
        Ok((_, warning)) => warning.map(|warning| warning.to_string()),
        Err(fault) => Some(fault.to_string()),
    };
    if let (Some(property), Some(what)) = (root.get("KM"), komi) {
        faults.warning(property.offset, || what);
    }
    if let (Some(handicap), Some(stones)) = (root.get("HA"), root.get("AB")) {
        let number = handicap.text().trim().parse().unwrap_or(0_usize);
        let is_list = stones.values.iter().all(|value| !value.contains(':'));
        if number >= 2 && is_list && stones.values.len() != number {
            let count = stones.values.len();
            faults.warning(handicap.offset, || format!("HA[{number}], but AB has {count} stones"));
        }
    }
    match (size(root), root.get("SZ")) {
        (Ok(Some(size)), _) => Some(size),
        (Err(fault), Some(property)) => {
            faults.error(property.offset, || format!("{fault} that is known here, 1 to 19"));
            None
        }
        _ => Size::square(19).ok(),
    }
}

fn check_node(
    node: &Node,
    is_root: bool,
    rules: Rules,
    state: &mut State,
    faults: &mut Faults<'_>,
) {
    let has = |kind: PropertyKind| {
        node.properties.iter().find(|p| known(&p.key).is_some_and(|(k, _)| k == kind))
    };
    if let (Some(setup), Some(_)) = (has(PropertyKind::Setup), has(PropertyKind::Move)) {
        faults.warning(setup.offset, || "stones are set up in a node with a move".to_owned());
    }
    if let Some(info) = has(PropertyKind::GameInfo) {
        if state.has_info {
            faults.warning(info.offset, || {
                format!(
                    "{} is told about the game again: an earlier node of the line did",
                    info.key
                )
            });
        }
        state.has_info = true;
    }
    for (number, property) in node.properties.iter().enumerate() {
        if node.properties[..number].iter().any(|earlier| earlier.key == property.key) {
            faults.error(property.offset, || format!("{} stands twice in a node", property.key));
        }
        if let Some((kind, kind_of_value)) = known(&property.key) {
            if kind == PropertyKind::Root && !is_root {
                faults
                    .warning(property.offset, || format!("{} belongs into the root", property.key));
            }
            let size = state.board.map(|board| board.size());
            values::check(property, kind_of_value, size, faults);
        }
    }
    set_up(node, state, faults);
    let mut moves = node.properties.iter().filter_map(|p| Some((Replay::color_of(p)?, p)));
    if let Some((color, property)) = moves.next() {
        play(color, property, rules, state, faults);
        if let Some((other, property)) = moves.find(|&(other, _)| other != color) {
            faults.error(property.offset, || format!("two moves in a node: {color} and {other}"));
            play(other, property, rules, state, faults);
        }
    }
}

/// Puts the stones of `node` on the board.
fn set_up(node: &Node, state: &mut State, faults: &mut Faults<'_>) {
    let Some(board) = state.board else { return };
    let is_any = |property: &&Property| is_setup(&property.key) || property.key == "PL";
    let Some(first) = node.properties.iter().find(is_any) else { return };
    check_points(node, board.size(), faults);
    let mut setup = Setup::of(&board);
    // Points that cannot be read are told of already.
    let is_read = node.properties.iter().all(|property| setup.take(property).is_ok());
    state.board = is_read.then(|| setup.board()).and_then(|board| match board {
        Ok(board) => Some(board),
        Err(fault) => {
            faults.error(first.offset, || fault.to_string());
            None
        }
    });
}

/// Reports points that AB, AW and AE of `node` name more than once.
fn check_points(node: &Node, size: Size, faults: &mut Faults<'_>) {
    let mut named: BTreeMap<Vertex, &str> = BTreeMap::new();
    for property in node.properties.iter().filter(|property| is_setup(&property.key)) {
        let points = property.values.iter().filter_map(|value| read_points(value, size));
        for vertex in points.flatten() {
            let key = &property.key;
            match named.insert(vertex, key) {
                None => {}
                Some(first) if first == key => {
                    faults.warning(property.offset, || format!("{key} has {vertex} twice"));
                }
                Some(first) => faults.error(property.offset, || {
                    format!("{vertex} is set up twice in a node, by {first} and {key}")
                }),
            }
        }
    }
}

/// Makes the move of `property`.
fn play(
    color: Color,
    property: &Property,
    rules: Rules,
    state: &mut State,
    faults: &mut Faults<'_>,
) {
    state.moves += 1;
    let Some(board) = &mut state.board else { return };
    let [value] = property.values.as_slice() else { return };
    // A point that is none is told of already.
    let Some(mv) = read_move(value, board.size()) else {
        state.board = None;
        return;
    };
    if board.is_over() {
        board.turn_to(!color);
    }
    board.turn_to(color);
    if let Err(reason) = board.play(mv, rules) {
        let number = state.moves;
        faults.error(property.offset, || format!("move {number}: {color} {mv}: {reason}"));
        state.board = None;
    }
}
