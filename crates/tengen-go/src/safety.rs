//! Unconditional life, by Benson's algorithm.

use super::bits::Bits;
use super::board::Board;
use super::color::Color;
use super::rules::Suicide;

/// The stones of `color` that the opponent cannot take even if `color` always passes:
/// the chains of Benson ("Life in the game of Go", 1976).
///
/// Where suicide is forbidden, a region is vital to a chain if every *empty* point of
/// the region is a liberty of the chain. Where suicide is allowed, every point of the
/// region must be next to the chain: the opponent could fill the region and remove
/// its own stones by suicide.
#[must_use]
pub fn alive_stones<const W: usize>(board: &Board<W>, color: Color, suicide: Suicide) -> Bits<W> {
    let (own, empty) = (board.stones(color), board.empty());
    let mut chains: Vec<Bits<W>> = own.components().collect();
    let mut regions: Vec<Bits<W>> = (Bits::board(board.size()) - own).components().collect();
    loop {
        let is_vital = |region: &Bits<W>, chain: &Bits<W>| {
            let needed = if suicide == Suicide::No { *region & empty } else { *region };
            (needed - chain.neighbors()).is_empty()
        };
        let before = chains.len();
        chains.retain(|chain| {
            let vital = regions
                .iter()
                .filter(|region| region.neighbors().intersects(*chain) && is_vital(region, chain));
            vital.take(2).count() == 2
        });
        let alive = chains.iter().fold(Bits::EMPTY, |union, chain| union | *chain);
        if chains.len() == before {
            return alive;
        }
        // A region next to a chain that may die is no longer enclosed.
        regions.retain(|region| ((region.neighbors() & own) - alive).is_empty());
    }
}

/// The points that `color` is sure to score: its unconditionally alive chains
/// ([`alive_stones`]), and the territory that they enclose, in which the opponent cannot
/// live even if `color` always passes. Own stones in that territory may be taken, but
/// their points stay.
///
/// A region that the chains enclose is territory unless two of its points are next neither to an
/// alive stone nor to each other: the opponent needs at least two such points for two eyes (van der
/// Werf, "AI techniques for the game of Go", 2004, chapter 4). Where suicide is forbidden, points
/// with stones of the opponent are no eyes: a player who always passes takes none of them (after
/// Müller, "Playing it safe: recognizing secure territories in computer Go by using static rules
/// and search", 1997).
#[must_use]
pub fn safe_area<const W: usize>(board: &Board<W>, color: Color, suicide: Suicide) -> Bits<W> {
    let alive = alive_stones(board, color, suicide);
    if alive.is_empty() {
        return alive;
    }
    let (beside, others) = (alive.neighbors(), board.stones(!color));
    let is_safe = |region: &Bits<W>| {
        let eyes = if suicide == Suicide::No { *region - others } else { *region };
        !has_room_for_two_eyes(eyes - beside)
    };
    let regions = (Bits::board(board.size()) - alive).components();
    regions.filter(is_safe).fold(alive, |area, region| area | region)
}

/// Whether `inner`, the part of a region that is not adjacent to an alive stone, contains two
/// points that are not adjacent.
fn has_room_for_two_eyes<const W: usize>(inner: Bits<W>) -> bool {
    match inner.count() {
        0 | 1 => false,
        2 => !inner.neighbors().intersects(inner),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    /// The numbers of stones that are alive and of points that are safe.
    #[test]
    fn life_by_hand() {
        use Color::{Black, White};
        let both = ".X.X./XXXXX/OOOOO/.O.O./OOOOO";
        for (rows, color, suicide, alive, safe) in [
            (".X./XXX/.X.", Black, Suicide::No, 5, 9),
            (".XX/XXX/XXX", Black, Suicide::No, 0, 0),
            (".../.X./...", Black, Suicide::No, 0, 0),
            (".../.../...", White, Suicide::All, 0, 0),
            (both, Black, Suicide::No, 7, 10),
            (both, White, Suicide::No, 12, 15),
            // The stone in the corner and the chain beside it share both eyes; without one of the
            // eyes neither lives. White has one eye, and is dead.
            ("X.XO/.XXO/XXOO/OOO.", Black, Suicide::No, 6, 16),
            ("XXXO/.XXO/XXOO/OOO.", Black, Suicide::No, 0, 0),
            // Two eyes at the left; the region to the right is wide enough for life.
            (".X...../XX...../.X...../XX.....", Black, Suicide::No, 6, 8),
            // The region is two wide: two points of its far column touch no wall and could each be
            // an eye with a stone between them; two adjacent points could not.
            (".X../XX../.X../XX..", Black, Suicide::No, 6, 8),
            (".X../XX../.XXX/XX../.X..", Black, Suicide::All, 9, 20),
            // One column wide: every point is a liberty of the wall.
            (".X./XX./.X./XX.", Black, Suicide::No, 6, 12),
            // A stone in a safe territory that may be taken.
            (".XX./XX../.X.X/XXX.", Black, Suicide::No, 8, 16),
        ] {
            let board: Board<2> = Board::from_diagram(rows, Black).unwrap();
            let stones = alive_stones(&board, color, suicide).count();
            let points = safe_area(&board, color, suicide).count();
            assert_eq!((stones, points), (alive, safe), "{rows}");
        }
    }

    /// From the README of the reference data, with the colours swapped.
    #[test]
    fn suicide_matters() {
        let rows = "...x/xx../oxxx/oox./.x.x".replace('x', "X").replace('o', "O");
        let board: Board<1> = Board::from_diagram(&rows, Color::Black).unwrap();
        let whites = board.stones(Color::White);
        let forbidden = safe_area(&board, Color::Black, Suicide::No);
        assert!((whites - forbidden).is_empty(), "White's stones are dead");
        let multi = safe_area(&board, Color::Black, Suicide::Multi);
        assert!(!multi.intersects(board.stones(Color::Black)), "no chain is alive");
        assert_eq!(board.size(), Size::new(4, 5).unwrap());
    }
}
