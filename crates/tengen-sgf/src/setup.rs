//! Set-up stones, and the position before the first move.

use super::error::{SgfError, SgfWarning};
use super::replay::Overrides;
use super::tree::{GameTree, Node, Property};
use super::value::{is_pass, read_points, read_size};
use std::collections::BTreeMap;
use tengen_go::{Board, Color, Size, Vertex};

/// The player of the move `property`, if it is a move.
pub fn color_of(property: &Property) -> Option<Color> {
    match property.key.as_str() {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// Whether `node` has a move.
pub fn has_move(node: &Node) -> bool {
    node.properties.iter().any(|property| color_of(property).is_some())
}

/// Whether `node` sets up stones or takes them away.
pub fn sets_up(node: &Node) -> bool {
    ["AB", "AW", "AE"].iter().any(|key| node.get(key).is_some())
}

/// Stones as they are set up, node by node.
pub struct Setup {
    size: Size,
    stones: BTreeMap<Vertex, Color>,
    /// The player that PL names.
    to_play: Option<Color>,
    default: Color,
    pub warnings: Vec<SgfWarning>,
}

impl Setup {
    /// The stones of `board`.
    pub fn of(board: &Board<6>) -> Self {
        let stone = |vertex: Vertex| Some((vertex, board.at(vertex)?));
        let stones = Vertex::all(board.size()).filter_map(stone).collect();
        let (size, default) = (board.size(), board.to_play());
        Self { size, stones, to_play: None, default, warnings: Vec::new() }
    }

    /// Applies AB, AW and AE of `node`, and PL unless the node has a move, which names its own
    /// player. Properties of a node have no order: a point that it sets up in two ways is a
    /// warning.
    pub fn take(&mut self, node: &Node) -> Result<(), SgfError> {
        let mut before: BTreeMap<Vertex, Option<Color>> = BTreeMap::new();
        let mut twice = None;
        for property in &node.properties {
            let stone = match property.key.as_str() {
                "AB" => Some(Color::Black),
                "AW" => Some(Color::White),
                "AE" => None,
                "PL" => {
                    match read_player(property) {
                        Ok(player) if !has_move(node) => self.to_play = Some(player),
                        Ok(_) => {}
                        Err(warning) => self.warnings.push(warning),
                    }
                    continue;
                }
                _ => continue,
            };
            for vertex in points(property, self.size)? {
                match stone {
                    Some(color) => self.stones.insert(vertex, color),
                    None => self.stones.remove(&vertex),
                };
                let is_other = before.insert(vertex, stone).is_some_and(|other| other != stone);
                twice = twice.or(is_other.then_some(vertex));
            }
        }
        self.warnings.extend(twice.map(|vertex| SgfWarning::SetUpTwice { vertex }));
        Ok(())
    }

    fn has_black(&self) -> bool {
        self.stones.values().any(|&color| color == Color::Black)
    }

    pub fn board(&self) -> Result<Board<6>, SgfError> {
        let of = |color: Color| -> Vec<Vertex> {
            let stones = self.stones.iter().filter(|&(_, &there)| there == color);
            stones.map(|(&vertex, _)| vertex).collect()
        };
        let to_play = self.to_play.unwrap_or(self.default);
        Ok(Board::set_up(self.size, &of(Color::Black), &of(Color::White), to_play)?)
    }
}

/// The points that AB, AW or AE names.
fn points(property: &Property, size: Size) -> Result<Vec<Vertex>, SgfError> {
    let mut all = Vec::new();
    // FF 4 forbids an empty list, which means no points.
    for value in property.values.iter().filter(|value| !value.trim().is_empty()) {
        let points = read_points(value, size)
            .ok_or_else(|| SgfError::SetupPoints(format!("{}[{}]", property.key, value.trim())))?;
        all.extend(points);
    }
    Ok(all)
}

/// The player that PL names; the error is the warning that it names nobody.
pub fn read_player(property: &Property) -> Result<Color, SgfWarning> {
    property.text().trim().parse().map_err(|_| SgfWarning::ignored(property, "B or W"))
}

/// The position before the first move of the main line, and the number of its handicap stones.
/// Several nodes may set up stones for it, also the node of the first move.
pub fn start(
    tree: &GameTree,
    overrides: Overrides,
    warnings: &mut Vec<SgfWarning>,
) -> Result<(Board<6>, u16), SgfError> {
    let known = size(tree.root())?;
    let size = match known {
        Some(size) => size,
        None => Size::square(19).map_err(|_| SgfError::Size("19".to_owned()))?,
    };
    if let Some(wanted) = overrides.size.filter(|wanted| *wanted != size) {
        let other = |known| SgfError::OtherSize(known, wanted);
        return Err(known.map_or(SgfError::NoSize(wanted), other));
    }
    let mut setup = Setup::of(&Board::new(size));
    for node in tree.main_line() {
        setup.take(node)?;
        if let Some(first) = node.properties.iter().find_map(color_of) {
            setup.to_play = setup.to_play.or(Some(first));
            break;
        }
    }
    let handicap = handicap(tree);
    let mut stones = handicap.map_or(0, |property| read_handicap(property, size, warnings));
    if stones > 0 && setup.has_black() {
        setup.default = Color::White;
    } else if stones > 0 && !plays_handicap(tree) {
        stones = 0;
        let expected = "stones set up for it, or two moves with which Black begins";
        warnings.extend(handicap.map(|property| SgfWarning::ignored(property, expected)));
    }
    let board = setup.board()?;
    warnings.append(&mut setup.warnings);
    Ok((board, stones))
}

/// HA, which any node up to the first move may have.
fn handicap(tree: &GameTree) -> Option<&Property> {
    let first = tree.main_line().position(has_move);
    tree.main_line().take(first.map_or(usize::MAX, |first| first + 1)).find_map(|n| n.get("HA"))
}

/// The number of handicap stones that HA names. It is 0 for an even game, written HA[0], HA[1] or
/// an empty HA, and, with a warning, for an invalid value.
fn read_handicap(property: &Property, size: Size, warnings: &mut Vec<SgfWarning>) -> u16 {
    let text = property.line();
    // Some programs write 2.0.
    let whole = text.split_once('.').filter(|(_, part)| part.bytes().all(|digit| digit == b'0'));
    let stones: Option<u16> = whole.map_or(text.as_str(), |(whole, _)| whole).parse().ok();
    match stones.filter(|&stones| usize::from(stones) <= size.points()) {
        Some(stones) if stones >= 2 => stones,
        Some(_) => 0,
        None => {
            let expected = format!("a number of stones from 0 to {}", size.points());
            warnings.extend((!text.is_empty()).then(|| SgfWarning::ignored(property, &expected)));
            0
        }
    }
}

/// Whether Black begins with several moves, as some programs write handicap stones; White may
/// pass in between.
fn plays_handicap(tree: &GameTree) -> bool {
    let moves = tree.main_line().flat_map(|node| &node.properties);
    let moves = moves.filter_map(|property| Some((color_of(property)?, is_pass(&property.text()))));
    let first = moves.take_while(|&(color, is_pass)| color == Color::Black || is_pass);
    first.filter(|&(color, is_pass)| color == Color::Black && !is_pass).nth(1).is_some()
}

/// The size that SZ names; `None` if SZ is missing, which means 19x19.
fn size(root: &Node) -> Result<Option<Size>, SgfError> {
    let Some(property) = root.get("SZ") else { return Ok(None) };
    let text = property.written();
    read_size(&text).map(Some).ok_or(SgfError::Size(text))
}

/// Warnings of properties of the whole game that are not read: they differ from the one that is
/// read, or come after the first node (HA: after the first move).
pub fn misplaced(tree: &GameTree) -> Vec<SgfWarning> {
    let of_game =
        |property: &&Property| ["GM", "SZ", "KM", "RU", "HA"].contains(&property.key.as_str());
    let mut warnings = Vec::new();
    for property in tree.main_line().flat_map(|node| &node.properties).filter(of_game) {
        let read =
            if property.key == "HA" { handicap(tree) } else { tree.root().get(&property.key) };
        let is_read = read.is_some_and(|read| read.text().trim() == property.text().trim());
        if !is_read {
            let key = &property.key;
            let place =
                if key == "HA" { "no later than the first move" } else { "in the first node" };
            warnings.push(SgfWarning::ignored(property, &format!("{key} once, {place}")));
        }
    }
    warnings
}
