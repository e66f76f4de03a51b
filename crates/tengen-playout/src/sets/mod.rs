//! Operations on sets of points: sets of one game, for scalar playouts, in the form that is
//! fastest on this machine ([`crate::simd::point_set`]), and sets of one lane. Policies, early
//! stops and moves are written with these operations.

// A playout is one function, whose sets stay in registers only if every helper is inlined;
// and loops over lanes become vectors only if they are counted loops over arrays.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

pub mod chains;
pub mod grid_set;
pub mod lane_word;
pub mod rows;
