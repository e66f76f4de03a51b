//! Handicap stones: where they are put.

use tengen_go::{Board, Color, Size, Vertex};

/// The places of a fixed handicap of `count` stones, in the order of the
/// specification (section 4.1.1); none where the board has no such handicap.
#[must_use]
pub fn fixed(size: Size, count: usize) -> Option<Vec<Vertex>> {
    if !(2..=max_fixed(size)).contains(&count) {
        return None;
    }
    // Low, middle and high place of a side.
    #[allow(clippy::cast_possible_truncation)] // sides are at most 19
    let places = |side: usize| {
        let edge = if side < 13 { 2 } else { 3 };
        [edge, side as u8 / 2, side as u8 - 1 - edge]
    };
    let (columns, rows) = (places(size.width()), places(size.height()));
    let at = |(col, row): (usize, usize)| Vertex::new(columns[col], rows[row]);
    let corners = [(0, 0), (2, 2), (0, 2), (2, 0)];
    let (sides, ends, center) = ([(0, 1), (2, 1)], [(1, 0), (1, 2)], [(1, 1)]);
    let some = |are_there: bool, count: usize| if are_there { count } else { 0 };
    // The centre belongs to five, seven and nine stones only, and comes last.
    let places = corners[..count.min(4)].iter();
    let places = places.chain(&sides[..some(count >= 6, 2)]).chain(&ends[..some(count >= 8, 2)]);
    let places = places.chain(&center[..some(count >= 5 && count % 2 == 1, 1)]);
    Some(places.map(|&place| at(place)).collect())
}

/// The most stones of a fixed handicap; 0 where there is none.
fn max_fixed(size: Size) -> usize {
    let sides = [size.width(), size.height()];
    match sides.iter().min() {
        Some(..=6) | None => 0,
        Some(7) => 4,
        _ if sides.iter().any(|side| side % 2 == 0) => 4,
        _ => 9,
    }
}

/// The points for `place_free_handicap` with `count` stones: those of the fixed handicap as far as
/// it goes, then one by one the point farthest from all stones, at the edge only if no other is
/// left. There may be fewer than `count`.
pub fn free(size: Size, count: usize) -> Vec<Vertex> {
    let mut stones = fixed(size, count.min(max_fixed(size))).unwrap_or_default();
    while stones.len() < count {
        #[allow(clippy::cast_possible_truncation)] // sides are at most 19
        let edge = |vertex: Vertex| {
            let far = |place: u8, side: usize| i32::from(place.min(side as u8 - 1 - place));
            far(vertex.col, size.width()).min(far(vertex.row, size.height()))
        };
        let distance = |one: Vertex, other: Vertex| {
            i32::from(one.col.abs_diff(other.col)) + i32::from(one.row.abs_diff(other.row))
        };
        let worth = |vertex: Vertex| {
            let nearest = stones.iter().map(|&stone| distance(stone, vertex)).min().unwrap_or(0);
            (edge(vertex) > 0, nearest, edge(vertex))
        };
        let is_allowed = |vertex: &Vertex| {
            let mut with = stones.clone();
            with.push(*vertex);
            !stones.contains(vertex) && is_position(size, &with)
        };
        let best = Vertex::all(size).filter(is_allowed).max_by_key(|&vertex| worth(vertex));
        let Some(best) = best else { break };
        stones.push(best);
    }
    stones
}

/// Whether Black's `stones` are a position that a game can begin with.
pub fn is_position(size: Size, stones: &[Vertex]) -> bool {
    Board::<6>::set_up(size, stones, &[], Color::White).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(size: &str, count: usize) -> String {
        let stones = fixed(size.parse().unwrap(), count).unwrap_or_default();
        stones.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_places_of_the_specification() {
        assert_eq!(places("19", 2), "D4 Q16");
        assert_eq!(places("19", 3), "D4 Q16 D16");
        assert_eq!(places("19", 5), "D4 Q16 D16 Q4 K10");
        assert_eq!(places("19", 6), "D4 Q16 D16 Q4 D10 Q10");
        assert_eq!(places("19", 7), "D4 Q16 D16 Q4 D10 Q10 K10");
        assert_eq!(places("19", 8), "D4 Q16 D16 Q4 D10 Q10 K4 K16");
        assert_eq!(places("19", 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(places("9", 4), "C3 G7 C7 G3");
        assert_eq!(places("13", 2), "D4 K10");
        assert_eq!(places("7", 4), "C3 E5 C5 E3");
        for (size, count) in [("7", 5), ("8", 5), ("6", 2), ("5", 2), ("19", 10), ("9", 1)] {
            assert_eq!(places(size, count), "", "{size}, {count}");
        }
    }

    #[test]
    fn a_free_handicap_is_a_position() {
        for side in 2..=19 {
            let size = Size::square(side).unwrap();
            for count in [2, 5, 9, 13, size.points() - 1] {
                let stones = free(size, count.min(size.points() - 1));
                assert!(is_position(size, &stones), "{size}: {count}");
                assert!(stones.len() >= count.min(size.points() / 2).min(9), "{size}: {count}");
            }
        }
    }
}
