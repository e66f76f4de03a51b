//! The tree of a record's positions as JSON.

use crate::page::game_text::OUT_OF_TURN;
use crate::page::{Limits, Refusal};
use serde::{Deserialize, Serialize};
use tengen_go::{Board, Color, Move, Size, Vertex};
use tengen_sgf::{GameTree, LeftOut, Mark, SgfWarning, SyntaxError, Variation, parse, variations};

/// Most positions of a record.
const MOST_POSITIONS: usize = 20_000;

/// A position of a record in the tree of its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariationText {
    /// The number of the position before; the first position, 0, is its own parent.
    pub parent: usize,
    /// The move that led here, as in [`GameText`](crate::page::GameText); empty at the first
    /// position.
    #[serde(rename = "move", default, skip_serializing_if = "String::is_empty")]
    pub mv: String,
    /// The comment on the position.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Whether `comment` replaces the comment in `nodes`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// The marked points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkText>,
    /// The nodes of this position in the original record, as SGF: `;B[ee]C[Why?]`. If given, they
    /// are written in place of the move, the comment and the marks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub nodes: String,
    /// The variations of the original record that are not shown as positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutText>,
}

/// A variation that is kept, but not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOutText {
    /// The node after which it begins, as a number among the nodes of its position.
    pub after: usize,
    /// The variation as SGF.
    pub sgf: String,
}

/// A marked point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkText {
    /// The point.
    pub at: String,
    /// The mark as SGF names it: `LB`, `TR`, `SQ`, `CR` or `MA`.
    pub mark: String,
    /// The text of a label, `LB`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl From<&(Vertex, Mark)> for MarkText {
    fn from((vertex, mark): &(Vertex, Mark)) -> Self {
        let text = if let Mark::Label(text) = mark { text.clone() } else { String::new() };
        Self { at: vertex.to_string(), mark: mark.key().to_owned(), text }
    }
}

/// The positions of `tree`, which begins with the position `start`.
pub fn read(tree: &GameTree, start: &Board<6>) -> (Vec<VariationText>, Vec<SgfWarning>) {
    let (positions, warnings) = variations(tree, start, MOST_POSITIONS);
    let text = |position: &Variation| {
        let before = positions[position.parent].mv;
        let turn = before.map_or(start.to_play(), |(color, _)| !color);
        let mv = match position.mv {
            Some((color, mv)) if color == turn => mv.to_string(),
            Some((_, mv)) => format!("{OUT_OF_TURN}{mv}"),
            None => String::new(),
        };
        let marks = position.marks.iter().map(Into::into).collect();
        let left_out = position
            .left_out
            .iter()
            .map(|LeftOut { after, tree }| LeftOutText { after: *after, sgf: tree.to_string() });
        VariationText {
            parent: position.parent,
            mv,
            comment: position.comment.clone(),
            edited: false,
            marks,
            nodes: position.nodes_text(),
            left_out: left_out.collect(),
        }
    };
    (positions.iter().map(text).collect(), warnings)
}

/// The positions that `texts` describe, on a board of `size` where `first` moves first.
pub fn write(
    texts: &[VariationText],
    size: Size,
    first: Color,
    limits: &Limits,
) -> Result<Vec<Variation>, Refusal> {
    if texts.len() > MOST_POSITIONS {
        return Err(Refusal::new(format!("the record has more than {MOST_POSITIONS} positions")));
    }
    let mut positions: Vec<Variation> = Vec::with_capacity(texts.len());
    let mut plies: Vec<usize> = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        let refuse = |why: String| Refusal::new(format!("position {number}: {why}"));
        let VariationText { parent, mv, comment, edited, marks, nodes, left_out } = text;
        let (mv, ply) = if number == 0 {
            (None, 0)
        } else {
            let before = positions.get(*parent);
            let before = before.ok_or_else(|| refuse(format!("{parent} is not before it")))?;
            let turn = before.mv.map_or(first, |(color, _)| !color);
            let name = mv.trim_start_matches(OUT_OF_TURN);
            let color = if name.len() == mv.len() { turn } else { !turn };
            let mv: Move = name.parse().map_err(|fault| refuse(format!("{fault}")))?;
            if let Move::Play(vertex) = mv {
                check(vertex, size).map_err(refuse)?;
            }
            (Some((color, mv)), plies[*parent] + 1)
        };
        if ply > limits.plies {
            return Err(Refusal::new(format!("the game has more than {} plies", limits.plies)));
        }
        let mark = |mark: &MarkText| {
            let vertex: Vertex = mark.at.parse().map_err(|fault| refuse(format!("{fault}")))?;
            check(vertex, size).map_err(refuse)?;
            let known = Mark::of(&mark.mark, &mark.text);
            let unknown = || refuse(format!("unknown mark `{}`", mark.mark));
            Ok((vertex, known.ok_or_else(unknown)?))
        };
        let marks = marks.iter().map(mark).collect::<Result<_, Refusal>>()?;
        let syntax = |fault: SyntaxError| refuse(format!("invalid SGF: {}", fault.what));
        let nodes = Variation::read_nodes(nodes).map_err(syntax)?;
        let left_out = left_out.iter().map(|LeftOutText { after, sgf }| {
            let tree = parse(sgf).map_err(syntax)?.swap_remove(0);
            Ok(LeftOut { after: *after, tree })
        });
        let left_out = left_out.collect::<Result<_, Refusal>>()?;
        let (parent, comment) = (*parent, comment.clone());
        let mut position = Variation { parent, mv, comment, marks, nodes, left_out };
        if *edited {
            position.write_comment();
        }
        positions.push(position);
        plies.push(ply);
    }
    Ok(positions)
}

fn check(vertex: Vertex, size: Size) -> Result<(), String> {
    if vertex.is_on(size) { Ok(()) } else { Err(format!("{vertex} is not on the board {size}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::RecordText;

    fn record(sgf: &str) -> RecordText {
        RecordText::read(sgf, &Limits::default()).unwrap()
    }

    #[test]
    fn variations_and_marks_come_back_as_they_were() {
        let read = record("(;SZ[9]LB[aa:A](;B[ee];W[gc])(;W[cc]C[what?];W[dd];B[]TR[cc]))");
        let moves: Vec<&str> = read.variations.iter().map(|one| one.mv.as_str()).collect();
        assert_eq!(moves, ["", "E5", "G7", "~C7", "~D6", "pass"]);
        assert_eq!(read.game.moves, "E5.G7");
        let again = record(&read.to_sgf(&Limits::default()).unwrap());
        assert_eq!(again, read);
    }

    #[test]
    fn what_is_no_tree_is_refused_in_one_line() {
        let line = |texts: &[(usize, &str)]| {
            let text = |&(parent, mv): &(usize, &str)| VariationText {
                parent,
                mv: mv.to_owned(),
                ..VariationText::default()
            };
            let texts: Vec<_> = texts.iter().map(text).collect();
            write(&texts, Size::square(5).unwrap(), Color::Black, &Limits::default())
        };
        assert_eq!(line(&[(0, ""), (0, "C3"), (1, "~B2")]).unwrap()[2].mv.unwrap().0, Color::Black);
        for (texts, why) in [
            ([(0, ""), (2, "C3")], "position 1: 2 is not before it"),
            ([(0, ""), (1, "C3")], "position 1: 1 is not before it"),
            ([(0, ""), (0, "J9")], "position 1: J9 is not on the board 5x5"),
            ([(0, ""), (0, "")], "position 1: invalid vertex ``"),
        ] {
            let refusal = line(&texts).unwrap_err().to_string();
            assert!(refusal.contains(why) && !refusal.contains('\n'), "{refusal}");
        }
    }
}
