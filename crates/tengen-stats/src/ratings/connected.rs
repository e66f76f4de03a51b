//! Which players their games connect.

use super::Record;
use std::collections::BTreeMap;

/// The groups of players that games connect, in the order of their first members.
pub(super) fn components(players: usize, records: &[Record]) -> Vec<Vec<usize>> {
    fn root(parents: &[usize], mut player: usize) -> usize {
        while parents[player] != player {
            player = parents[player];
        }
        player
    }
    let mut parents: Vec<usize> = (0..players).collect();
    for record in records.iter().filter(|record| record.games.count() > 0) {
        let (a, b) = (root(&parents, record.first_mover), root(&parents, record.second_mover));
        parents[a.max(b)] = a.min(b);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for player in 0..players {
        groups.entry(root(&parents, player)).or_default().push(player);
    }
    groups.into_values().collect()
}

/// The players that have no finite rating without a prior: those outside the largest group in which
/// wins or draws lead from each one to every other (Ford, "Solution of a ranking problem from
/// binary comparisons", 1957, section 3).
pub(super) fn without_finite_rating(players: usize, records: &[Record]) -> Vec<usize> {
    let mut scored = vec![vec![false; players]; players];
    for &Record { first_mover, second_mover, games } in records {
        scored[first_mover][second_mover] |= games.wins + games.draws > 0;
        scored[second_mover][first_mover] |= games.losses + games.draws > 0;
    }
    for via in 0..players {
        let onward = scored[via].clone();
        for row in scored.iter_mut().filter(|row| row[via]) {
            row.iter_mut().zip(&onward).for_each(|(to, &on)| *to |= on);
        }
    }
    let mutual = |player: usize| {
        let others = (0..players).filter(|&other| other != player);
        others.filter(|&other| scored[player][other] && scored[other][player]).count()
    };
    let sizes: Vec<usize> = (0..players).map(mutual).collect();
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let is_finite = |size: usize| size == largest && (largest > 0 || players == 1);
    (0..players).filter(|&player| !is_finite(sizes[player])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Games;

    fn record(first_mover: usize, second_mover: usize, wins: u64, losses: u64) -> Record {
        Record { first_mover, second_mover, games: Games { losses, draws: 0, wins } }
    }

    #[test]
    fn who_won_or_lost_all_games_has_no_finite_rating() {
        // 0 beats all; 1, 2 and 3 beat each other in a circle; 4 loses all.
        let mut records = vec![record(1, 2, 3, 0), record(3, 2, 0, 2), record(3, 1, 1, 0)];
        for other in 1..5 {
            records.push(record(0, other, 2, 0));
        }
        for other in 1..4 {
            records.push(record(4, other, 0, 5));
        }
        assert_eq!(without_finite_rating(5, &records), [0, 4]);
        // A single win of the last player closes the circle for it.
        records.push(record(2, 4, 0, 1));
        assert_eq!(without_finite_rating(5, &records), [0]);
        assert_eq!(without_finite_rating(2, &[record(0, 1, 9, 0)]), [0, 1]);
        assert!(without_finite_rating(2, &[record(0, 1, 9, 1)]).is_empty());
        assert!(without_finite_rating(1, &[]).is_empty());
    }
}
