//! Chains of one game: which have no liberty, and which are in atari.

use super::grid_set::GridSet;
use crate::simd::point_set::PointSet;

/// Grows a set within `stones`: by one step along the rows to both sides, and then by one
/// step along the columns.
#[inline(always)]
pub fn spread<S: GridSet>(set: S, stones: S) -> S {
    let row = set.east().or(set.west()).and(stones).or(set);
    row.north().or(row.south()).and(stones).or(row)
}

/// The points beside two points of `set`, or more.
#[inline(always)]
pub fn beside_two<S: GridSet>(set: S) -> S {
    let (a, b, c, d) = (set.east(), set.west(), set.north(), set.south());
    a.and(b).or(c.and(d)).or(a.or(b).and(c.or(d)))
}

/// A chain, or a part of it, that was followed from one of its stones.
pub enum Followed<S> {
    /// A part of a chain that has a liberty.
    HasLiberty(S),
    /// A whole chain, which has no liberty.
    WithoutLiberty(S),
}

/// Follows the chains of `part` in `stones` until one touches a liberty: a stone in
/// `beside_liberties`.
#[inline(always)]
pub fn follow<S: PointSet>(part: S, stones: S, beside_liberties: S) -> Followed<S> {
    let mut chain = part;
    loop {
        let grown = spread(chain, stones);
        if grown.meets(beside_liberties) {
            return Followed::HasLiberty(grown);
        }
        if grown.and_not(chain).is_empty() {
            return Followed::WithoutLiberty(grown);
        }
        chain = grown;
    }
}

/// The chains of `stones` without liberty that a stone of `touched` belongs to.
#[inline(always)]
pub fn without_liberty<S: PointSet>(touched: S, stones: S, beside_liberties: S) -> S {
    let mut captured = touched.none();
    let mut left = touched;
    while !left.is_empty() {
        left = match follow(left.any_point(), stones, beside_liberties) {
            Followed::HasLiberty(part) => left.and_not(part),
            Followed::WithoutLiberty(chain) => {
                captured = captured.or(chain);
                left.and_not(chain)
            }
        };
    }
    captured
}

/// Flood fill: the points of `within` connected within it to a point of `set` in it.
#[inline(always)]
pub fn flood<S: PointSet>(set: S, within: S) -> S {
    let mut reached = set.and(within);
    loop {
        let grown = spread(reached, within);
        if grown.and_not(reached).is_empty() {
            return grown;
        }
        reached = grown;
    }
}

/// The last liberties of the chains in atari among those of `own` and `other` that a
/// stone of `touched` belongs to.
#[inline(always)]
pub fn last_liberties<S: PointSet>(touched: S, own: S, other: S, empty: S) -> S {
    let mut found = touched.none();
    // Most chains have a stone beside two empty points here, and need not be followed.
    let safe = beside_two(empty);
    let mut left = touched.and_not(safe);
    if !left.is_empty() {
        left = left.and_not(spread(safe.and(own), own).or(spread(safe.and(other), other)));
    }
    while !left.is_empty() {
        let mut chain = left.any_point();
        let stones = if chain.meets(own) { own } else { other };
        loop {
            let liberties = chain.neighbors().and(empty);
            if !liberties.and_not(liberties.any_point()).is_empty() {
                break;
            }
            let grown = spread(chain, stones);
            if grown.and_not(chain).is_empty() {
                found = found.or(liberties);
                break;
            }
            chain = grown;
        }
        left = left.and_not(chain);
    }
    found
}
