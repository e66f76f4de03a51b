//! Points that belong to a player whatever happens. [`tengen_go::safe_area`] is the general form
//! for boards of any size; the functions here, on the solver's words, run at every node.

use crate::geometry::Geometry;

/// Most chains or regions that a board of 30 points can hold, and one more.
const MAX_PARTS: usize = 31;

/// The points that `own` is sure to score: its unconditionally alive chains and
/// the territory they enclose, in which `other` cannot live.
///
/// The chains are Benson's ("Life in the game of Go", 1976), suicide being forbidden. A region that
/// they enclose is territory unless two of its points are next neither to an alive stone nor to
/// each other: `other` needs at least two such points for two eyes (van der Werf, "AI techniques
/// for the game of Go", 2004, chapter 4).
pub(crate) fn safe_points(geometry: &Geometry, own: u32, other: u32) -> u32 {
    let alive = alive_stones(geometry, own, other);
    if alive == 0 {
        return 0;
    }
    let beside = geometry.neighbors(alive);
    let mut safe = alive;
    let mut left = geometry.board & !alive;
    while left != 0 {
        let region = geometry.flood(left & left.wrapping_neg(), geometry.board & !alive);
        left &= !region;
        if !has_room_for_two_eyes(geometry, region & !beside) {
            safe |= region;
        }
    }
    safe
}

/// The points that `own` scores even if `own` passes for the rest of the game: the unconditionally
/// alive chains and their eyes of one point. A subset of [`safe_points`], which no earlier position
/// of the game can invalidate.
pub(crate) fn settled_points(geometry: &Geometry, own: u32, other: u32) -> u32 {
    let alive = alive_stones(geometry, own, other);
    let rest = geometry.board & !alive;
    let single = rest & !geometry.neighbors(rest);
    if alive == 0 { 0 } else { alive | single }
}

/// Whether `inner`, the points of a region that touch no alive stone around it,
/// holds two points that are not neighbours.
#[inline(always)]
fn has_room_for_two_eyes(geometry: &Geometry, inner: u32) -> bool {
    match inner.count_ones() {
        0 | 1 => false,
        2 => geometry.neighbors(inner) & inner == 0,
        _ => true,
    }
}

/// The stones of the unconditionally alive chains of `own`.
#[inline(always)]
fn alive_stones(geometry: &Geometry, own: u32, other: u32) -> u32 {
    let outside = geometry.board & !own;
    let first = geometry.flood(outside & outside.wrapping_neg(), outside);
    // Life needs two regions.
    if first == outside { 0 } else { alive_among_regions(geometry, own, other, first) }
}

/// [`alive_stones`]; `first` is one of the regions into which the stones divide the board.
fn alive_among_regions(geometry: &Geometry, own: u32, other: u32, first: u32) -> u32 {
    // Per region: the chains around it, and the chains to which it is vital.
    let mut around = [0_u32; MAX_PARTS];
    let mut vital = [0_u32; MAX_PARTS];
    let mut regions = 0;
    let mut chains = [0_u32; MAX_PARTS];
    let mut liberties = [0_u32; MAX_PARTS];
    let mut chain_count = 0;
    let mut left = own;
    while left != 0 {
        let chain = geometry.flood(left & left.wrapping_neg(), own);
        left &= !chain;
        chains[chain_count] = chain;
        liberties[chain_count] = geometry.neighbors(chain);
        chain_count += 1;
    }
    let outside = geometry.board & !own;
    let mut left = outside;
    let mut region = first;
    loop {
        left &= !region;
        let empty = region & !other;
        for chain in 0..chain_count {
            if liberties[chain] & region != 0 {
                around[regions] |= chains[chain];
                if empty & !liberties[chain] == 0 {
                    vital[regions] |= chains[chain];
                }
            }
        }
        regions += 1;
        if left == 0 {
            break;
        }
        region = geometry.flood(left & left.wrapping_neg(), outside);
    }
    let mut alive = own;
    loop {
        let (mut once, mut twice) = (0, 0);
        for region in 0..regions {
            if around[region] & !alive == 0 {
                twice |= once & vital[region];
                once |= vital[region];
            }
        }
        if twice & alive == alive {
            return alive;
        }
        alive &= twice;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::each;
    use tengen_go::{Board, Color, Move, Size, Suicide, Vertex, safe_area};
    use tengen_stats::seed::mix;

    /// The general form finds at least as many safe points.
    #[test]
    fn the_general_form_knows_as_much() {
        let (mut safe, mut more) = (0, 0);
        for seed in 0..20_000 {
            let size = Size::new(3 + (seed % 4) as u8, 3 + (seed / 4 % 3) as u8).unwrap();
            let geometry = Geometry::new(size);
            // More than half are Black's, which makes many eyes and few chains.
            let bits = |salt: u64| (mix(seed, salt) & mix(seed, salt + 1)) as u32 & geometry.board;
            let (other, free) = (bits(1), bits(3));
            let own = geometry.board & !other & !free;
            let vertices = |set: u32| -> Vec<Vertex> {
                let vertex = |mv| match mv {
                    Move::Play(vertex) => vertex,
                    Move::Pass => unreachable!("every number is a point"),
                };
                each(set).map(|point| vertex(geometry.mv(point))).collect()
            };
            let stones = [vertices(own), vertices(other & !free)];
            let Ok(board) = Board::<1>::set_up(size, &stones[0], &stones[1], Color::Black) else {
                continue;
            };
            let points = safe_points(&geometry, own, other & !free).count_ones();
            let area = safe_area(&board, Color::Black, Suicide::No).count();
            assert!(area >= points, "{area} and not {points}:\n{board}");
            safe += u32::from(points > 0);
            more += u32::from(area > points);
        }
        assert!(safe > 1_000 && more > 0, "{safe} of the boards say something, {more} more");
    }
}
