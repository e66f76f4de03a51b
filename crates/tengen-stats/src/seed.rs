//! Seeds: every stream of random numbers of a run is derived from one master seed, so
//! that a result can be repeated from the seed that was recorded with it.

/// The output of the generator SplitMix64 in the state `state` (Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", 2014).
#[must_use]
pub const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Derives the seed number `index` from `seed`.
///
/// Calls are nested where a seed depends on several numbers:
/// `mix(mix(seed, pairing), pair)`. Their order matters: `mix(a, b)` and `mix(b, a)`
/// are unrelated.
#[must_use]
pub const fn mix(seed: u64, index: u64) -> u64 {
    split_mix(
        split_mix(seed) ^ split_mix(index.wrapping_add(0x6A09_E667_F3BC_C909)).rotate_left(23),
    )
}

/// A random number, from 0 and below 1, for each `seed` and `index`.
#[must_use]
pub fn uniform(seed: u64, index: u64) -> f64 {
    (mix(seed, index) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn split_mix_matches_the_published_sequence() {
        // Outputs of Vigna's splitmix64.c for the seed 1234567.
        let mut state = 1_234_567_u64;
        let expected =
            [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        for value in expected {
            assert_eq!(split_mix(state), value);
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        }
    }

    #[test]
    fn neighbouring_coordinates_give_distinct_seeds() {
        let mut seen = HashSet::new();
        for seed in 0..200 {
            for index in 0..200 {
                assert!(seen.insert(mix(seed, index)), "mix({seed}, {index}) repeats");
            }
        }
    }
}
