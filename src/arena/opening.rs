//! Where the bots take over.

use crate::go::{Bits, Game, Move};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Makes `plies` random plies in `game`: each a legal play that fills no own
/// eye, with equal probability, and no pass. Stops early where there is none.
pub fn play_random(game: &mut Game, plies: u32, seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..plies {
        let points = game.sensible_points();
        if points.is_empty() {
            break;
        }
        let index = points.nth(random.random_range(0..points.count()));
        let made = Move::Play(Bits::<6>::vertex(index));
        let played = game.play(game.to_play(), made);
        debug_assert!(played.is_ok(), "{made} is a legal play");
    }
}
