//! The schedule: pairings, the order of the games, and their seeds.

use serde::{Deserialize, Serialize};
use tengen_go::Color;
use tengen_settings::choice;
use tengen_stats::seed::mix;

choice! {
    "format"
    /// Tournament format: which bots meet.
    #[derive(Default)]
    pub enum Format {
        /// Round robin: every bot meets every other bot.
        #[default]
        AllPlayAll = "all-play-all",
        /// Gauntlet: the first bot meets every other bot.
        Gauntlet = "gauntlet",
        /// Every bot meets the next bot in the list.
        Neighbors = "neighbors",
    }
}

/// Two bots that meet, as indices into the tournament's list of bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The bot that plays Black in the first game of a pair.
    pub first: usize,
    /// The bot that plays Black in the second game of a pair.
    pub second: usize,
}

/// Which of the two bots of a pairing a player is. The player seed follows from the
/// seat and not from the colour: otherwise a bot that meets itself would play the same
/// game twice in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Seat {
    /// [`Pairing::first`].
    First,
    /// [`Pairing::second`].
    Second,
}

/// All games of a tournament: pair 0 of every pairing, then pair 1 of every
/// pairing and so on, so that a longer tournament begins like a shorter one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<Pairing>,
    pairs: usize,
    seed: u64,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamePlan {
    /// Number of the game in the schedule, from 0.
    pub game: usize,
    /// Number of the pair within its pairing, from 0.
    pub pair: usize,
    /// Number of the pairing, from 0.
    pub pairing: usize,
    /// The seat that plays Black.
    pub black: Seat,
    /// The bots that meet.
    pub bots: Pairing,
    /// The pair seed, which both games of the pair share.
    pub seed: u64,
}

impl Schedule {
    /// A schedule of `pairs` colour-swapped pairs of games for each pairing of `bots`
    /// bots; `seed` is the master seed.
    #[must_use]
    pub fn new(format: Format, bots: usize, pairs: usize, seed: u64) -> Self {
        // Each of the first `firsts` bots meets the next `reach` bots.
        let (firsts, reach) = match format {
            Format::AllPlayAll => (bots, bots),
            Format::Gauntlet => (1, bots),
            Format::Neighbors => (bots, 1),
        };
        let seconds = |first: usize| first + 1..bots.min(first + 1 + reach);
        let pairings = (0..firsts)
            .flat_map(|first| seconds(first).map(move |second| Pairing { first, second }))
            .collect();
        Self { pairings, pairs, seed }
    }

    /// The pairings, in order.
    #[must_use]
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Number of games.
    #[must_use]
    pub fn games(&self) -> usize {
        2 * self.pairs * self.pairings.len()
    }

    /// The plan of game number `game`, from 0.
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn plan(&self, game: usize) -> GamePlan {
        assert!(game < self.games(), "game {game} of {}", self.games());
        let number = game / 2;
        let (pair, pairing) = (number / self.pairings.len(), number % self.pairings.len());
        GamePlan {
            game,
            pair,
            pairing,
            black: if game.is_multiple_of(2) { Seat::First } else { Seat::Second },
            bots: self.pairings[pairing],
            seed: pair_seed(self.seed, pairing, pair),
        }
    }

    /// The seed of the opening of pair number `pair` if all pairings share openings: the first
    /// pairing's.
    #[must_use]
    pub const fn shared_opening_seed(&self, pair: usize) -> u64 {
        opening_seed(pair_seed(self.seed, 0, pair))
    }
}

/// The seed of the opening of a pair with the seed `pair_seed`.
const fn opening_seed(pair_seed: u64) -> u64 {
    mix(pair_seed, 0)
}

/// The seed of a pair, from which the seeds of its opening and its players follow.
const fn pair_seed(master: u64, pairing: usize, pair: usize) -> u64 {
    mix(mix(master, pairing as u64), pair as u64)
}

impl GamePlan {
    /// The seat of the player of `color`.
    #[must_use]
    pub fn seat(&self, color: Color) -> Seat {
        match (color, self.black) {
            (Color::Black, Seat::First) | (Color::White, Seat::Second) => Seat::First,
            (Color::Black, Seat::Second) | (Color::White, Seat::First) => Seat::Second,
        }
    }

    /// The bot that plays `color`, as an index into the tournament's list of bots.
    #[must_use]
    pub fn bot(&self, color: Color) -> usize {
        match self.seat(color) {
            Seat::First => self.bots.first,
            Seat::Second => self.bots.second,
        }
    }

    /// The seed of the opening.
    #[must_use]
    pub const fn opening_seed(&self) -> u64 {
        opening_seed(self.seed)
    }

    /// The seed of the player of `color`.
    #[must_use]
    pub fn player_seed(&self, color: Color) -> u64 {
        match self.seat(color) {
            Seat::First => mix(self.seed, 1),
            Seat::Second => mix(self.seed, 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn everybody_meets_everybody_as_both_colours() {
        let schedule = Schedule::new(Format::AllPlayAll, 4, 3, 9);
        assert_eq!(schedule.games(), 36);
        let mut met = HashSet::new();
        for game in 0..schedule.games() {
            let plan = schedule.plan(game);
            assert!(met.insert((plan.bot(Color::Black), plan.bot(Color::White), plan.pair)));
        }
        assert_eq!(met.len(), 4 * 3 * 3);
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_rest() {
        let schedule = Schedule::new(Format::Gauntlet, 4, 1, 9);
        let seconds: Vec<usize> = schedule.pairings().iter().map(|p| p.second).collect();
        assert_eq!(seconds, [1, 2, 3]);
        assert!(schedule.pairings().iter().all(|p| p.first == 0));
    }

    #[test]
    fn neighbors_meet_along_the_list() {
        let schedule = Schedule::new(Format::Neighbors, 4, 3, 9);
        let met: Vec<(usize, usize)> =
            schedule.pairings().iter().map(|p| (p.first, p.second)).collect();
        assert_eq!(met, [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(schedule.games(), 18);
    }

    #[test]
    fn the_games_of_a_pair_share_seeds_by_seat() {
        let schedule = Schedule::new(Format::AllPlayAll, 2, 50, 5);
        let mut seeds = HashSet::new();
        for pair in 0..50 {
            let (one, two) = (schedule.plan(2 * pair), schedule.plan(2 * pair + 1));
            assert_eq!(one.opening_seed(), two.opening_seed());
            assert_eq!(one.bot(Color::Black), two.bot(Color::White));
            assert_eq!(one.player_seed(Color::Black), two.player_seed(Color::White));
            assert_ne!(one.player_seed(Color::Black), two.player_seed(Color::Black));
            assert!(seeds.insert(one.opening_seed()));
            assert!(seeds.insert(one.player_seed(Color::Black)));
            assert!(seeds.insert(one.player_seed(Color::White)));
        }
    }
}
