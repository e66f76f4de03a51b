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

/// Which players' ratings the games bound against which others'.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chains {
    /// Whether a chain of wins and draws leads from the player of the row to that of the column:
    /// without one the row's rating has no lower bound against the column's (Ford, "Solution of a
    /// ranking problem from binary comparisons", 1957, section 3).
    leads: Vec<Vec<bool>>,
    /// If the advantage of the first move and strength cannot be told apart: the numbers by which
    /// ratings can change, along with the advantage, without changing any prediction.
    steps: Option<Vec<f64>>,
}

impl Chains {
    pub fn new(players: usize, records: &[Record]) -> Self {
        let mut leads = vec![vec![false; players]; players];
        for &Record { first_mover, second_mover, games } in records {
            leads[first_mover][second_mover] |= games.wins + games.draws > 0;
            leads[second_mover][first_mover] |= games.losses + games.draws > 0;
        }
        for via in 0..players {
            let onward = leads[via].clone();
            for row in leads.iter_mut().filter(|row| row[via]) {
                row.iter_mut().zip(&onward).for_each(|(to, &on)| *to |= on);
            }
            leads[via][via] = true;
        }
        Self { leads, steps: steps(players, records) }
    }

    /// Whether the games tell the advantage of the first move from strength.
    pub fn has_advantage(&self) -> bool {
        self.steps.is_none()
    }

    /// Whether the difference of two ratings is bounded below, and above.
    pub fn bound(&self, player: usize, opponent: usize) -> [bool; 2] {
        // Numbers of moves: they are exact.
        let is_known = self.steps.as_ref().is_none_or(|steps| steps[player] == steps[opponent]);
        [self.leads[player][opponent], self.leads[opponent][player]].map(|leads| leads && is_known)
    }

    /// The players whose mean rating is zero: the largest group in which the games bound every
    /// difference on both sides by wins and draws, or all groups of that size.
    pub fn reference(&self) -> Vec<usize> {
        let players = 0..self.leads.len();
        let mutual = |player: usize| {
            players.clone().filter(|&o| self.leads[player][o] && self.leads[o][player]).count()
        };
        let sizes: Vec<usize> = players.clone().map(mutual).collect();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        players.filter(|&player| sizes[player] == largest).collect()
    }
}

/// The changes of the ratings that undo a change of the advantage by -1: each player who moves
/// second must gain 1 over the player who moves first. `None` if there are none. The games connect
/// all players.
fn steps(players: usize, records: &[Record]) -> Option<Vec<f64>> {
    let mut met = vec![Vec::new(); players];
    for record in records.iter().filter(|record| record.games.count() > 0) {
        met[record.first_mover].push((record.second_mover, 1));
        met[record.second_mover].push((record.first_mover, -1));
    }
    let mut steps: Vec<Option<i32>> = vec![None; players];
    let mut waiting = Vec::new();
    if let Some(first) = steps.first_mut() {
        *first = Some(0);
        waiting.push((0, 0));
    }
    while let Some((player, step)) = waiting.pop() {
        for &(opponent, change) in &met[player] {
            match steps[opponent] {
                None => {
                    steps[opponent] = Some(step + change);
                    waiting.push((opponent, step + change));
                }
                Some(other) if other != step + change => return None,
                Some(_) => {}
            }
        }
    }
    Some(steps.into_iter().map(|step| f64::from(step.unwrap_or(0))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Games;

    fn record(first_mover: usize, second_mover: usize, wins: u64, losses: u64) -> Record {
        Record { first_mover, second_mover, games: Games { losses, draws: 0, wins } }
    }

    #[test]
    fn who_won_or_lost_all_games_is_outside_the_reference() {
        // 0 beats all; 1, 2 and 3 beat each other in a circle; 4 loses all.
        let mut records = vec![record(1, 2, 3, 0), record(3, 2, 0, 2), record(3, 1, 1, 0)];
        for other in 1..5 {
            records.push(record(0, other, 2, 0));
        }
        for other in 1..4 {
            records.push(record(4, other, 0, 5));
        }
        let chains = Chains::new(5, &records);
        assert_eq!(chains.reference(), [1, 2, 3]);
        assert!(chains.has_advantage());
        assert_eq!([chains.bound(0, 1), chains.bound(0, 4)], [[true, false]; 2]);
        assert_eq!([chains.bound(4, 1), chains.bound(1, 0)], [[false, true]; 2]);
        assert_eq!(chains.bound(1, 3), [true; 2]);
        // A single win of the last player closes the circle for it.
        records.push(record(2, 4, 0, 1));
        let chains = Chains::new(5, &records);
        assert_eq!(chains.reference(), [1, 2, 3, 4]);
        assert_eq!(chains.bound(4, 1), [true; 2]);
        // Groups of equal size are the reference together.
        assert_eq!(Chains::new(2, &[record(0, 1, 9, 0)]).reference(), [0, 1]);
        assert_eq!(Chains::new(2, &[record(0, 1, 9, 1)]).reference(), [0, 1]);
        assert_eq!(Chains::new(1, &[]).reference(), [0]);
    }

    #[test]
    fn the_advantage_is_known_if_no_order_explains_the_first_moves() {
        // 0 moves first against 1 and 2, and one of them against 3.
        let mut records = vec![record(0, 1, 3, 2), record(0, 2, 2, 3), record(2, 3, 1, 1)];
        let chains = Chains::new(4, &records);
        assert_eq!(chains.steps, Some(vec![0.0, 1.0, 1.0, 2.0]));
        // The opponents of 0 can be compared with each other, nobody else.
        assert_eq!([chains.bound(1, 2), chains.bound(0, 1)], [[true; 2], [false; 2]]);
        assert_eq!(chains.bound(1, 3), [false; 2]);
        for (first, second) in [(1, 0), (1, 2), (3, 0), (3, 3)] {
            records.push(record(first, second, 1, 0));
            assert!(Chains::new(4, &records).has_advantage(), "{first} {second}");
            records.pop();
        }
        records.push(record(1, 3, 1, 0));
        assert!(!Chains::new(4, &records).has_advantage());
    }
}
