//! Unconditional life, by Benson's algorithm.

use super::bits::Bits;
use super::board::Board;
use super::color::Color;
use super::rules::Suicide;

/// The unconditionally safe points of `color`, which the opponent cannot take even if
/// `color` always passes: chains that are unconditionally alive, and their territory.
///
/// The chains are those of Benson ("Life in the game of Go", 1976). The territory are
/// the regions enclosed by such chains alone in which each empty point is a liberty of
/// one of them, so that the opponent cannot live there (after Müller, "Playing it
/// safe: recognizing secure territories in computer Go by using static rules and
/// search", 1997).
///
/// Where suicide is forbidden, a region is vital to a chain if every *empty* point of
/// the region is a liberty of the chain. Where suicide is allowed, every point of the
/// region must be next to the chain: the opponent could fill the region and remove
/// its own stones by suicide.
#[must_use]
pub fn safe_area<const W: usize>(board: &Board<W>, color: Color, suicide: Suicide) -> Bits<W> {
    let (own, empty) = (board.stones(color), board.empty());
    let others = Bits::board(board.size()) - own;
    let mut chains = components(own);
    let mut regions = components(others);
    loop {
        let is_vital = |region: &Bits<W>, chain: &Bits<W>| {
            let needed = if suicide == Suicide::No { *region & empty } else { *region };
            (needed - chain.neighbors()).is_empty()
        };
        let before = (chains.len(), regions.len());
        chains.retain(|chain| {
            let vital = regions
                .iter()
                .filter(|region| region.neighbors().intersects(*chain) && is_vital(region, chain));
            vital.take(2).count() == 2
        });
        let alive = union(&chains);
        // A region next to a chain that may die is no longer enclosed.
        regions.retain(|region| ((region.neighbors() & own) - alive).is_empty());
        if (chains.len(), regions.len()) == before {
            let is_safe = |region: &&Bits<W>| {
                let needed = if suicide == Suicide::No { **region & empty } else { **region };
                (needed - alive.neighbors()).is_empty()
            };
            let safe = regions.iter().filter(|_| !chains.is_empty()).filter(is_safe);
            return safe.fold(alive, |area, region| area | *region);
        }
    }
}

fn union<const W: usize>(sets: &[Bits<W>]) -> Bits<W> {
    sets.iter().fold(Bits::EMPTY, |union, set| union | *set)
}

/// The connected parts of `points`.
fn components<const W: usize>(points: Bits<W>) -> Vec<Bits<W>> {
    let mut left = points;
    let mut parts = Vec::new();
    while !left.is_empty() {
        let part = Bits::point(left.nth(0)).flood(points);
        left = left - part;
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    fn safe(rows: &str, color: Color, suicide: Suicide) -> usize {
        let board: Board<2> = Board::from_diagram(rows, Color::Black).unwrap();
        safe_area(&board, color, suicide).count() as usize
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        assert_eq!(safe(".X./XXX/.X.", Color::Black, Suicide::No), 9);
        assert_eq!(safe(".XX/XXX/XXX", Color::Black, Suicide::No), 0);
        assert_eq!(safe(".../.X./...", Color::Black, Suicide::No), 0);
        assert_eq!(safe(".../.../...", Color::Black, Suicide::No), 0);
        assert_eq!(safe(".../.../...", Color::White, Suicide::All), 0);
    }

    #[test]
    fn chains_that_share_eyes_live_together() {
        // The stone in the corner and the chain beside it share both eyes;
        // without one of them neither lives.
        assert_eq!(safe("X.XO/.XXO/XXOO/OOO.", Color::Black, Suicide::No), 8);
        assert_eq!(safe("XXXO/.XXO/XXOO/OOO.", Color::Black, Suicide::No), 0);
        let alive = ".X.X./XXXXX/OOOOO/.O.O./OOOOO";
        assert_eq!(safe(alive, Color::Black, Suicide::No), 10);
        assert_eq!(safe(alive, Color::White, Suicide::No), 15);
    }

    #[test]
    fn a_region_with_a_point_away_from_the_walls_may_hold_life() {
        // Two eyes at the left; the region to the right is three wide.
        let open = ".X...../XX...../.X...../XX.....";
        let board: Board<2> = Board::from_diagram(open, Color::Black).unwrap();
        let area = safe_area(&board, Color::Black, Suicide::No);
        assert_eq!(area.count(), 8, "the two eyes and the chain alone");
        // Cut down to one column every point is a liberty of the wall.
        assert_eq!(safe(".X./XX./.X./XX.", Color::Black, Suicide::No), 12);
    }

    /// From the README of the reference data, the colours turned.
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
