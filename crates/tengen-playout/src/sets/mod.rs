//! What playouts compute with sets of points: of one game, for scalar playouts, whose sets
//! have the form that is fastest on this machine ([`crate::simd::point_set`]), and of one lane.
//! What decides a playout (policies, early stops, moves) is written with
//! their operations.

// A playout is one function, whose sets stay in registers only if every helper is inlined;
// and loops over lanes become vectors only if they are counted loops over arrays.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

pub mod chains;
pub mod grid_set;
pub mod lane_word;
pub mod rows;
